package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// desk is where the user names files.
func desk() (u hookfile.Desk) {
	u.Dir, _ = os.Getwd()
	u.Home, _ = os.UserHomeDir()
	return u
}

// readHooks reads the hooks that the user names: in a file, a folder or a module, or on stdin.
func readHooks(d adapter.Dialect, input string, stdin io.Reader) (*schema.Config, schema.Diagnostics) {
	switch {
	case d.Profile().IsModule(input):
		return readModule(d, input, ".")
	case input != "-":
		return desk().Hooks(d, input)
	}
	text, err := readAll(stdin)
	if err != nil {
		return nil, hookfile.Unreadable("", err)
	}
	return desk().Parse(d, schema.Source{}, text)
}

func readInput(file string, stdin io.Reader) ([]byte, error) {
	if file == "-" {
		return readAll(stdin)
	}
	return discover.Read(file)
}

// readModule lists the callbacks of a module, that is looked for in dir, then in
// the current folder. It is named by its path from dir if it lies below, so that
// what is written with that name holds elsewhere too.
func readModule(d adapter.Dialect, file, dir string) (*schema.Config, schema.Diagnostics) {
	root, err := filepath.Abs(dir)
	if inside := filepath.Join(root, file); !filepath.IsAbs(file) && discover.IsFile(inside) {
		file = inside
	}
	if err == nil {
		file, err = filepath.Abs(file)
	}
	if err != nil {
		return nil, hookfile.Unreadable(file, err)
	}
	cfg, ds := bridge.ReadModule(context.Background(), d, file, root, os.Environ())
	rel, err := filepath.Rel(root, file)
	if cfg == nil || err != nil || strings.HasPrefix(rel, "..") {
		return cfg, ds
	}
	for i := range cfg.Hooks {
		cfg.Hooks[i].Command = "./" + filepath.ToSlash(rel)
	}
	return cfg, ds
}
