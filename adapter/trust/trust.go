// Package trust covers the hooks of a project with a fingerprint: its hook files and
// every file of the project that their commands name.
package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// Foreign returns a test for the sources in which whoever wrote the repository
// has the say: the project's own, and of the files that the command line names
// those that lie in it.
func Foreign(project string, given []string) func(schema.Source) bool {
	return func(s schema.Source) bool {
		return s.OfProject() || slices.Contains(given, s.File) && Inside(project, s.File)
	}
}

// Inside reports whether a file is in the folder, by its name or once links are
// followed.
func Inside(folder, file string) bool {
	for _, f := range []string{file, realPath(file)} {
		for _, dir := range []string{folder, realPath(folder)} {
			if dialect.Within(dir, f) {
				return true
			}
		}
	}
	return false
}

// maxTrusted is how much the files of a project's hooks may hold together.
const maxTrusted = 64 << 20

// Fingerprint hashes what a project's hooks consist of: its hook files and the
// files of the project that their commands name, which it lists. Names count from
// the project, so that it does not matter by which path that was reached. Hooks
// that run in another folder cwd of the project may name files from there.
func Fingerprint(project, cwd string, res discover.Result, foreign func(schema.Source) bool) (sum string,
	files []string, err error) {
	h, size := sha256.New(), 0
	add := func(name string, text []byte) error {
		if size += len(text); size > maxTrusted {
			return errTooMany
		}
		name = InProject(project, name)
		files = append(files, name)
		hash := sha256.Sum256(text)
		h.Write(append([]byte(name+"\x00"), hash[:]...))
		return nil
	}
	named := namedFiles{project: project}
	if cwd != project && dialect.Within(project, cwd) {
		named.cwd = cwd
	}
	done := map[string]bool{}
	for i, c := range res.Configs {
		if !foreign(c.Source) {
			continue
		}
		if err := add(c.Source.File, res.Texts[i]); err != nil {
			return "", nil, err
		}
		for j := range c.Hooks {
			for _, file := range named.of(&c.Hooks[j]) {
				if done[file] {
					continue
				}
				done[file] = true
				text, err := discover.Read(file)
				copied := counterpart(project, named.cwd, file)
				if err == nil && done[copied] && sameText(copied, text) {
					continue // a worktree's copy
				}
				if err == nil {
					err = add(file, text)
				}
				if err != nil {
					return "", nil, err
				}
			}
			if named.err != nil {
				return "", nil, named.err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), files, nil
}

// counterpart is the file that has the same name below the project as the given one has
// below cwd, "" if that is the same file.
func counterpart(project, cwd, file string) string {
	rel, err := filepath.Rel(cwd, file)
	if cwd == "" || err != nil || !filepath.IsLocal(rel) || filepath.Join(project, rel) == file {
		return ""
	}
	return filepath.Join(project, rel)
}

func sameText(file string, text []byte) bool {
	now, err := discover.Read(file)
	return err == nil && bytes.Equal(now, text)
}

// InProject is a file's name within the project, the name itself if it lies
// elsewhere.
func InProject(project, file string) string {
	if rel, err := filepath.Rel(project, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// Recorded lists the fingerprints that the trust file has of the project: one
// line "fingerprint  folder" each. A file that others could have written records
// nothing, nor does none.
func Recorded(file, project string) (sums []string) {
	if file == "" {
		return nil
	}
	text, err := state.ReadOwn(file)
	if err != nil {
		return nil
	}
	project = realPath(project)
	for line := range strings.SplitSeq(string(text), "\n") {
		if sum, dir, ok := strings.Cut(line, "  "); ok && dir == project {
			sums = append(sums, sum)
		}
	}
	return sums
}

// realPath is the path without symbolic links, as it is if it leads nowhere.
func realPath(path string) string {
	if p, err := filepath.EvalSymlinks(path); err == nil {
		return p
	}
	return path
}

// Record records the project with its fingerprints, in place of those that it has
// or, with more, beside them; none withdraws the trust. The file is replaced as
// a whole.
func Record(file, project string, sums []string, more bool) error {
	project = realPath(project)
	if file == "" {
		return errors.New("there is no home folder for the record")
	}
	if strings.ContainsAny(project, "\r\n") {
		return errors.New("the folder's name contains a line break; such a project can't be trusted")
	}
	text, err := state.ReadOwn(file)
	if err != nil {
		return err
	}
	var out []byte
	for line := range strings.SplitSeq(string(text), "\n") {
		sum, dir, ok := strings.Cut(line, "  ")
		if ok && (dir != project || more && !slices.Contains(sums, sum)) {
			out = append(out, line+"\n"...)
		}
	}
	for _, sum := range sums {
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

// File is the record of trusted projects; "" where there is no place for one.
func File(env schema.Environ, home string) string {
	if dir := env.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "hookbridge", "trusted")
	}
	if home == "" {
		return "" // a path from the current folder would let a repository bring its own record
	}
	return filepath.Join(home, ".config", "hookbridge", "trusted")
}
