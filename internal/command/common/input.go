package common

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// ReadHooks reads the hooks in a file, a folder or a module, or on stdin.
func ReadHooks(d adapter.Dialect, input string, stdin io.Reader) (*schema.Config, schema.Diagnostics) {
	switch {
	case d.Profile().IsModule(input):
		return ReadModule(d, input, ".")
	case input != "-":
		return cli.Desk().Hooks(d, input)
	}
	text, err := ReadAll(stdin)
	if err != nil {
		return nil, hookfile.Unreadable("", err)
	}

	cfg, ds := cli.Desk().Parse(d, schema.Source{File: input}, text)
	if cfg != nil { // places in it need no name
		cfg.Source.File = ""
		for i := range cfg.Hooks {
			cfg.Hooks[i].Source.File = ""
		}
	}
	for i := range ds {
		ds[i].File = ""
	}
	return cfg, ds
}

// ReadInput reads a file, or standard input for "-".
func ReadInput(file string, stdin io.Reader) ([]byte, error) {
	if file == "-" {
		return ReadAll(stdin)
	}
	return discover.Read(file)
}

// ReadModule lists the callbacks of a module. It looks for the module in dir, then in the current folder. A module
// below dir is named by its path from dir, so that entries with this name also work elsewhere.
func ReadModule(d adapter.Dialect, file, dir string) (*schema.Config, schema.Diagnostics) {
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

// maxPayload is far more than any host sends. It keeps an endless writer from using up all memory.
const maxPayload = 512 << 20

// ReadAll reads stdin into one buffer, which grows in large steps. Unwritten memory costs nothing, but copied memory
// costs twice.
func ReadAll(r io.Reader) ([]byte, error) {
	const small, large = 16 << 10, 64 << 20
	buf := make([]byte, 0, small)
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
		if len(buf) > maxPayload {
			return nil, fmt.Errorf("the payload is larger than %d MiB", maxPayload>>20)
		}

		if len(buf) == cap(buf) {
			if cap(buf) == small {
				// Turn off the garbage collector for a large payload, up to a limit above any usual call. There is
				// little to collect, and a collection costs more than it frees.
				debug.SetGCPercent(-1)
				debug.SetMemoryLimit(512 << 20)
				if f, ok := r.(*os.File); ok {
					process.Widen(f)
				}
			}
			bigger := make([]byte, len(buf), max(min(64*cap(buf), large), 2*cap(buf)))
			copy(bigger, buf)
			buf = bigger
		}
	}
}

// OwnerOf returns the dialect of a file: by its place in a plugin or among the user's own files, else by its name and
// text. sure is false if only the text shows it.
func OwnerOf(name string, text []byte) (owner adapter.Dialect, sure bool) {
	if owner = pluginOwner(name); owner != nil {
		return owner, true
	}
	for _, d := range adapter.Dialects() {
		if name != "-" && cli.Desk().Source(d, cli.Absolute(name)).Scope == schema.ScopeUser {
			return d, true
		}
	}
	return hookfile.OwnerOf(cli.Absolute(name), EventsIn(name, text), text)
}

// pluginOwner returns the dialect of a plugin's manifest. For a file of hooks in a plugin it returns the first dialect
// with its own manifest there, or nil.
func pluginOwner(name string) (owner adapter.Dialect) {
	for _, d := range adapter.Dialects() {
		plugins := &d.Profile().Plugins
		if plugins.Own == "" {
			continue
		}
		root := cmp.Or(plugins.RootOf(cli.Absolute(name)), cli.Desk().Given(d, name).Plugin)
		switch manifest := filepath.Join(root, filepath.FromSlash(plugins.Own)); {
		case root == "":
		case manifest == cli.Absolute(name):
			return d
		case owner == nil && discover.IsFile(manifest):
			owner = d
		}
	}
	return owner
}

// EventsIn lists the names under hooks, which show whose hooks they are.
func EventsIn(name string, text []byte) []string {
	for _, d := range adapter.Dialects() {
		json, _ := hookfile.HooksOf(d, name, text)
		o, _ := ordjson.Parse(json)
		if hooks, _ := o.Members("hooks"); len(hooks) > 0 || !hookfile.IsMarkdown(name) {
			return lists.Map(hooks, func(m ordjson.Member) string { return m.Name })
		}
	}
	return nil
}
