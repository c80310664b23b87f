package adapter

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// trusted drops the hooks of a project that the user has not trusted as it is
// now; blocked reports that there were some.
func (r *run) trusted(res discover.Result) (kept []schema.Hook, blocked bool) {
	var dropped []schema.Hook
	for _, h := range res.Hooks {
		if h.Source.Scope == schema.ScopeProject || h.Source.Scope == schema.ScopeLocal {
			dropped = append(dropped, h)
		} else {
			kept = append(kept, h)
		}
	}
	if len(dropped) == 0 {
		return kept, false
	}
	sum, err := Fingerprint(r.places.Project, res)
	if err == nil && IsTrusted(r.TrustFile, r.places.Project, sum) {
		return res.Hooks, false
	}
	d := r.note(schema.CodeUntrusted, "the hooks of "+r.places.Project+" are not trusted as they are now and were not run")
	d.Fix = "look at them, then run: hookbridge trust " + r.places.Project
	return kept, true
}

// Fingerprint hashes what a project's hooks consist of: its hook files and the
// files of the project that their commands name.
func Fingerprint(project string, res discover.Result) (string, error) {
	h := sha256.New()
	for i, c := range res.Configs {
		if c.Source.Scope != schema.ScopeProject && c.Source.Scope != schema.ScopeLocal {
			continue
		}
		hashPart(h.Write, c.Source.File, res.Texts[i])
		for _, hook := range c.Hooks {
			for _, file := range scripts(project, hook) {
				text, err := discover.Read(file)
				if err != nil {
					return "", err
				}
				hashPart(h.Write, file, text)
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func hashPart(write func([]byte) (int, error), name string, text []byte) {
	sum := sha256.Sum256(text)
	write([]byte(name + "\x00"))
	write(sum[:])
}

// scripts lists the files inside the project that a command names, whatever
// quotes and variables stand around them.
func scripts(project string, h schema.Hook) (files []string) {
	line := strings.Join(append([]string{h.Command}, h.Args...), " ")
	line = strings.NewReplacer(`"`, "", `'`, "", "{", "", "}", "", ";", " ", "&", " ", "|", " ", "(", " ", ")", " ", "<", " ", ">", " ").Replace(line)
	for _, word := range strings.Fields(line) {
		if strings.HasPrefix(word, "$") { // $CLAUDE_PROJECT_DIR/x and the like: the variable stands for the project
			_, word, _ = strings.Cut(word, "/")
		}
		if !filepath.IsAbs(word) {
			word = filepath.Join(project, word)
		}
		if rel, err := filepath.Rel(project, word); err != nil || strings.HasPrefix(rel, "..") {
			continue
		}
		if info, err := os.Stat(word); err == nil && info.Mode().IsRegular() {
			files = append(files, word)
		}
	}
	return files
}

// IsTrusted reports whether the trust file records the project with this
// fingerprint: one line "fingerprint  folder" a project.
func IsTrusted(file, project, sum string) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	for _, line := range bytes.Split(text, []byte("\n")) {
		if string(line) == sum+"  "+project {
			return true
		}
	}
	return false
}

// Trust records the project with its fingerprint; "" withdraws the trust. The
// file is replaced as a whole.
func Trust(file, project, sum string) error {
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
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
