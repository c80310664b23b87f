package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// ProjectIsThere returns a UsageError for a project folder that CheckProject rejects.
func ProjectIsThere(dir string) error {
	if err := bridge.CheckProject(dir); err != nil {
		return UsageError{err.Error()}
	}
	return nil
}

// ProjectRoot returns the project that a folder belongs to. It ignores files of other users.
func ProjectRoot(dir string, p schema.Places) string {
	return survey.Root(dir, p, ours)
}

// Counted returns a number with its noun: "1 entry", "2 entries".
func Counted(n int, what string) string { return plan.Counted(n, what) }

// Shown returns a path as the user would write it here.
func Shown(file string) string {
	d := Desk()
	return Relative(d.Dir, d.Home, file)
}

// Pasted returns a path as the user would write it in a command here, quoted if necessary.
func Pasted(file string) string {
	shown := Shown(file)
	if bare := strings.TrimPrefix(shown, "~/"); shell.Quote(bare) == bare {
		return shown
	}
	return shell.Quote(Relative(Desk().Dir, "", file)) // shells don't expand ~ in quotes
}

// Spoken returns a text for people, with its paths as the user would write them here.
func Spoken(t string) string {
	d, s := Desk(), "\n (:=,`\"'"
	t = "\n" + t
	for _, f := range [][2]string{{d.Dir, ""}, {d.Home, "~/"}} {
		for _, at := range strings.Split(s, "") {
			if p := f[0]; p != filepath.Dir(p) && p != "" {
				t = strings.ReplaceAll(t, at+p+string(filepath.Separator), at+f[1])
			}
		}
		s = "\n (:=,`" // shells don't expand ~ in quotes
	}
	return t[1:]
}

// Absolute resolves a path from the current folder.
func Absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil && name != "-" {
		return abs
	}
	return name
}

// Relative returns a file as people write it: relative to a folder, or else with ~ if it is in the home folder.
func Relative(dir, home, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	if rel, err := filepath.Rel(home, file); err == nil && home != "" && filepath.IsLocal(rel) {
		return "~/" + filepath.ToSlash(rel)
	}
	return file
}

// Desk returns the folders from which the user names files.
func Desk() (u hookfile.Desk) {
	u.Dir, _ = os.Getwd()
	u.Home, _ = os.UserHomeDir()
	return u
}

// Inside returns an error if a link leads from a file in the current folder or in the project out of it. A repository
// must not choose which file a command writes. project "" means no project.
func Inside(project, file string) error {
	return cmp.Or(jsonedit.Inside(Desk().Dir, Absolute(file)), jsonedit.Inside(project, Absolute(file)))
}

// WriteReport writes a report to a file that the user names. It replaces an earlier report, or writes to a pipe or
// device.
func WriteReport(file string, text []byte) error {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(file, text, 0o644)
	}
	before, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		before, err = nil, nil
	}
	if err = cmp.Or(err, Inside("", file)); err != nil {
		return err
	}
	return jsonedit.WriteFile(file, before, text)
}

// AtLine returns a place in a file. line is 0 for a callback, because its line isn't known.
func AtLine(file string, line int) string {
	if line == 0 {
		return file
	}
	return file + ":" + strconv.Itoa(line)
}
