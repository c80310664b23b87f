// Package trust covers the hooks of a project with a fingerprint: its hook files and every file of the project that
// their commands name.
package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// maxTrusted is the largest total size of the files of a project's hooks.
const maxTrusted = 64 << 20

// Fingerprint hashes what a project's hooks consist of: its hook files and the project's files that their commands
// name, which it lists. Names are relative to the project, so its path doesn't matter. Hooks that run in another folder
// cwd of the project may name files from there.
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

// counterpart returns the file below the project with the path that the given file has below cwd, "" if that is the
// same file.
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

// InProject returns a file's path within the project, unchanged if it is elsewhere.
func InProject(project, file string) string {
	if rel, err := filepath.Rel(project, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}
