package common

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// LogFile returns the file that --log names.
func LogFile(name, home string) string {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && home != "" {
		return filepath.Join(home, rest)
	}
	return name
}

// AppendLog appends a line, and creates the folder of the log if necessary.
func AppendLog(file string, line []byte) error {
	err := state.AppendOwn(file, line)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(file), 0o700); err == nil {
			err = state.AppendOwn(file, line)
		}
	}
	return err
}

// triesLog returns the error that would keep run from writing a log, or nil. It leaves no file or folder behind.
func triesLog(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		return f.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir := filepath.Dir(file)
	for dir != filepath.Dir(dir) { // the folder in which run would create the others
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		dir = filepath.Dir(dir)
	}
	trial, err := os.CreateTemp(dir, ".hookbridge-*")
	if err != nil {
		return err
	}
	trial.Close()
	return os.Remove(trial.Name())
}

// NoteLogs notes each log of the hosts' entries that run can't write, once, because agents hide run's own warning.
func NoteLogs(w io.Writer, p schema.Places, hosts []adapter.Dialect) {
	said := map[string]bool{}
	for _, d := range hosts {
		for _, h := range survey.Load(d, p, nil).Hooks {
			call, ok := cmdline.Parse(h.Command, h.Args)
			file := LogFile(call.Value("log"), p.Home)
			if !ok || file == "" || said[file] {
				continue
			}
			said[file] = true
			if !filepath.IsAbs(file) {
				file = filepath.Join(p.Project, file)
			}
			if err := triesLog(file); err != nil {
				fmt.Fprintln(w, schema.Printable("hookbridge doctor: note: "+cli.AtLine(cli.Shown(h.Source.File),
					h.Line)+": the log "+file+" can't be written: "+discover.Reason(err)))
			}
		}
	}
}
