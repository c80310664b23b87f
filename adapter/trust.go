package adapter

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// ofProject reports whether a source lies in the project, where whoever wrote
// the repository has the say.
func ofProject(s schema.Source) bool {
	return s.Scope == schema.ScopeProject || s.Scope == schema.ScopeLocal
}

// trusted reports whether the user has trusted the project as it is now, or it
// has nothing to trust. If not, what was found is as if the project's files were
// not there: they neither bring hooks, nor switch the user's off, nor widen what
// those may do.
func (r *run) trusted(res *discover.Result) bool {
	hooks, files := 0, res.Failed
	for _, c := range res.Configs {
		if ofProject(c.Source) {
			files = true
			hooks += len(c.Hooks)
		}
	}
	if !files {
		return true
	}
	sum, err := Fingerprint(r.places.Project, *res)
	if err == nil && !res.Failed && IsTrusted(r.TrustFile, r.places.Project, sum) {
		return true
	}
	all := len(res.Hooks)
	failed := res.Failed
	*res, _ = discover.LoadBut(r.Hooks, r.places, r.Given, ofProject)
	if hooks == 0 && all == len(res.Hooks) && !failed {
		return true // settings that have nothing to do with hooks
	}
	d := r.note(schema.CodeUntrusted, "the hook files of "+r.places.Project+" are not trusted as they are now and were not heeded")
	d.Fix = "look at them, then run: hookbridge trust " + r.places.Project
	return hooks == 0 && !failed
}

// Fingerprint hashes what a project's hooks consist of: its hook files and the
// files of the project that their commands name. Names count from the project,
// so that it does not matter by which path that was reached.
func Fingerprint(project string, res discover.Result) (string, error) {
	h := sha256.New()
	for i, c := range res.Configs {
		if !ofProject(c.Source) {
			continue
		}
		hashPart(h.Write, inProject(project, c.Source.File), res.Texts[i])
		for _, hook := range c.Hooks {
			for _, file := range scripts(project, hook) {
				text, err := discover.Read(file)
				if err != nil {
					return "", err
				}
				hashPart(h.Write, inProject(project, file), text)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// inProject is a file's name within the project, the name itself if it lies
// elsewhere.
func inProject(project, file string) string {
	if rel, err := filepath.Rel(project, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

func hashPart(write func([]byte) (int, error), name string, text []byte) {
	sum := sha256.Sum256(text)
	write([]byte(name + "\x00"))
	write(sum[:])
}

// scripts lists the files inside the project that a command names, whatever
// quotes, variables, flags and redirections stand around them.
func scripts(project string, h schema.Hook) (files []string) {
	line := strings.Join(append([]string{h.Command}, h.Args...), " ")
	line = strings.Map(func(r rune) rune {
		switch r {
		case '"', '\'', '{', '}':
			return -1
		case ';', '&', '|', '(', ')', '<', '>', '=', ',', '`':
			return ' '
		}
		return r
	}, line)
	for _, word := range strings.Fields(line) {
		if strings.HasPrefix(word, "$") { // $CLAUDE_PROJECT_DIR/x and the like: the variable stands for the project
			_, word, _ = strings.Cut(word, "/")
		}
		if !filepath.IsAbs(word) {
			word = filepath.Join(project, word)
		}
		if rel, err := filepath.Rel(project, word); err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			files = append(files, word)
		}
	}
	return files
}

// IsTrusted reports whether the trust file records the project with this
// fingerprint: one line "fingerprint  folder" a project. A file that others
// could have written records nothing, nor does none.
func IsTrusted(file, project, sum string) bool {
	if file == "" {
		return false
	}
	text, err := state.ReadOwn(file)
	if err != nil {
		return false
	}
	for _, line := range bytes.Split(text, []byte("\n")) {
		if string(line) == sum+"  "+realPath(project) {
			return true
		}
	}
	return false
}

// realPath is the path without symbolic links, as it is if it leads nowhere.
func realPath(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// Trust records the project with its fingerprint; "" withdraws the trust. The
// file is replaced as a whole.
func Trust(file, project, sum string) error {
	project = realPath(project)
	if file == "" {
		return errors.New("there is no home folder to keep the record in")
	}
	if strings.ContainsAny(project, "\r\n") {
		return errors.New("the folder's name holds a line break; such a project cannot be trusted")
	}
	text, err := state.ReadOwn(file)
	if err != nil {
		return err
	}
	var out []byte
	for _, line := range bytes.Split(text, []byte("\n")) {
		if _, dir, ok := bytes.Cut(line, []byte("  ")); ok && string(dir) != project {
			out = append(append(out, line...), '\n')
		}
	}
	if sum != "" {
		out = append(out, sum+"  "+project+"\n"...)
	}
	dir := filepath.Dir(file)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, ".trusted-")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(out)
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}
