package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/schema"
)

// installer is one call of install, uninstall or status.
type installer struct {
	b      *adapter.Bridge
	in     adapter.Installation
	file   string
	before []byte             // nil: the file does not exist
	own    []adapter.OwnEntry // the bridge's entries in it, for these hooks
	want   []adapter.Placed
	dry    bool
	module string // as the flag names it
	scope  schema.Scope
	std    stdio
}

func installCommand(args []string, std stdio) int   { return installAs("install", args, std) }
func uninstallCommand(args []string, std stdio) int { return installAs("uninstall", args, std) }
func statusCommand(args []string, std stdio) int    { return installAs("status", args, std) }

func installAs(name string, args []string, std stdio) int {
	x, err := parseInstall(name, args, std)
	var usage errUsage
	if errors.As(err, &usage) || errors.Is(err, flag.ErrHelp) {
		return failed(std, name, err)
	}
	if err == nil {
		switch name {
		case "install":
			err = x.install()
		case "uninstall":
			err = x.uninstall()
		default:
			err = x.status()
		}
	}
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge %s: %s\n", name, schema.Printable(err.Error()))
		return exitFail
	}
	return exitOK
}

func parseInstall(name string, args []string, std stdio) (*installer, error) {
	f := &installFlags{}
	fs := newFlags(name)
	f.define(fs)
	err := fs.only(args)
	if err == nil {
		err = projectIsThere(f.project)
	}
	switch {
	case err != nil:
		return nil, err
	case f.host == "":
		_, err := findDialect("--host", "")
		return nil, err
	}
	x := &installer{std: std, dry: f.dry}
	if x.b, err = f.bridge(); err != nil {
		return nil, err
	}
	if x.b.Host.Profile().Modules != nil {
		return nil, errUsage{x.b.Host.Profile().Name + " has no file of its own; hookbridge convert --to " + x.b.Host.Profile().Name + " writes a module for it"}
	}
	if !fs.given("hooks") && f.module == "" {
		x.inferHooks()
	}
	if x.b.Host.Profile().Name == x.b.Hooks.Profile().Name {
		return nil, errUsage{x.b.Host.Profile().Name + " runs its own hooks; --hooks names another agent"}
	}
	want := schema.ScopeProject
	if f.scope == "user" {
		want = schema.ScopeUser
	}
	for _, s := range x.b.Host.Locate(x.b.Places) {
		if s.Scope == want && x.file == "" {
			x.file = s.File
		}
	}
	if want == schema.ScopeProject && !within(x.b.Places.Project, filepath.Dir(x.file)) {
		return nil, fmt.Errorf("%s leads out of the project by a symbolic link; it is not touched", filepath.Dir(x.file))
	}
	x.in = adapter.Installation{Host: x.b.Host, Hooks: x.b.Hooks, Policy: x.b.Policy, FailClosed: f.failClosed, Trust: want == schema.ScopeUser && f.module == ""}
	x.module, x.scope = f.module, want
	return x, x.load(name, f, fs)
}

// within reports whether a folder that exists lies in the project once symbolic
// links are followed: a repository must not choose where else is written.
func within(project, dir string) bool {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) && !isLink(dir)
	}
	root, err := filepath.EvalSymlinks(project)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(root, real)
	return err == nil && filepath.IsLocal(rel)
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// found returns the hooks that the entries are for.
func (x *installer) found(name string) ([]schema.Hook, schema.Diagnostics, error) {
	if x.module == "" || name == "uninstall" { // whatever is ours goes
		res, ds := discover.Load(x.b.Hooks, x.b.Places, nil)
		return res.Hooks, ds, nil
	}
	cfg, ds := readModule(x.b.Hooks, x.module, x.b.Places.Project)
	if cfg == nil {
		return nil, nil, errors.New(ds[len(ds)-1].String())
	}
	x.in.Module = cfg.Source.File
	if len(cfg.Hooks) > 0 && x.scope == schema.ScopeProject {
		x.in.Module = cfg.Hooks[0].Command
	}
	return cfg.Hooks, ds, nil
}

// installedModule is the module that the entries in the file name, "" if there
// are none.
func (x *installer) installedModule() string {
	for _, e := range x.own {
		if m := e.Call.Value("module"); m != "" {
			return m
		}
	}
	return ""
}

// read reads the host's file and finds the bridge's entries in it.
func (x *installer) read() error {
	text, err := discover.Read(x.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if isLink(x.file) {
		return fmt.Errorf("%s is a symbolic link; it is not touched", x.file)
	}
	if err == nil {
		x.before = text
		x.own, err = x.installed(text)
	}
	return inFile(x.file, err)
}

// installed lists the entries in the text that an install for these hooks has
// written.
func (x *installer) installed(text []byte) (own []adapter.OwnEntry, err error) {
	all, err := adapter.OwnEntries(x.b.Host, text)
	for _, e := range all {
		if e.Call.Installed(x.b.Host.Profile().Name, x.b.Hooks.Profile().Name) {
			own = append(own, e)
		}
	}
	return own, err
}

// load finds the hooks and what the host's file needs for them.
func (x *installer) load(name string, f *installFlags, fs *flags) error {
	if err := x.read(); err != nil {
		return err
	}
	x.keep(f, fs)
	if x.module == "" && name == "status" && x.b.Hooks.Profile().Modules != nil {
		x.module = x.installedModule()
	}
	hooks, ds, err := x.found(name)
	if err != nil {
		return err
	}
	want, more := x.in.Entries(hooks)
	x.want = want
	if name == "uninstall" {
		return nil
	}
	for _, d := range append(ds, more...) {
		if d.Severity > schema.Note {
			fmt.Fprintln(x.std.err, "hookbridge: "+d.String())
		}
	}
	for _, file := range x.imported() {
		fmt.Fprintf(x.std.err, "hookbridge: note: %s imports %s by itself: its hooks run a second time there, with a payload of %s; switch that import off\n",
			x.b.Host.Profile().Name, file, x.b.Host.Profile().Name)
	}
	if name == "install" && !adapter.InPath("hookbridge", x.b.Places.Env.Get("PATH")) {
		fmt.Fprintf(x.std.err, "hookbridge: note: hookbridge is not found in PATH; the entries do not run until %s finds it there\n", x.b.Host.Profile().Name)
	}
	return nil
}

// passed are the flags of install that its entries hand to run, beside those that
// Installation has a field for.
var passed = []string{"evaluator", "log", "pin-hooks"}

// keep takes over the flags that an earlier install wrote or that were added by
// hand, unless the command line gives them anew.
func (x *installer) keep(f *installFlags, fs *flags) {
	if len(x.own) > 0 {
		x.keepVersions(&x.own[0].Call)
		for _, old := range x.own[0].Call.Flags {
			switch {
			case fs.given(old.Name) || old.Name == "host" || old.Name == "hooks" || old.Name == "module":
			case old.Name == "ask":
				x.in.Ask, _ = askPolicy(old.Value)
			case old.Name == "allow":
				x.in.Allow, _ = allowPolicy(old.Value)
			case old.Name == "fail-closed":
				x.in.FailClosed = old.Value != "false"
			case old.Name == "require-trust":
				x.in.Trust = x.in.Trust || old.Value != "false"
			default:
				x.in.Flags = append(x.in.Flags, old)
			}
		}
	}
	for _, name := range passed {
		if value := fs.value(name); fs.given(name) && value != "" {
			x.in.Flags = append(x.in.Flags, adapter.Flag{Name: name, Value: value})
		}
	}
}

// keepVersions takes over the versions or programs that an earlier install named,
// unless the command line names one.
func (x *installer) keepVersions(old *adapter.BridgeCall) {
	for _, side := range []struct {
		flag  string
		given *adapter.Dialect
	}{{"host", &x.in.Host}, {"hooks", &x.in.Hooks}} {
		d, err := adapter.Find(old.Value(side.flag))
		if err == nil && d.Profile().Name == (*side.given).Profile().Name && adapter.NameOf(*side.given) == d.Profile().Name {
			*side.given = d
		}
	}
}

// inFile names the file that an error is about, as editors read it: FILE:LINE:COLUMN
// where the error has a place.
func inFile(file string, err error) error {
	var at *jsonedit.Error
	if errors.As(err, &at) {
		return fmt.Errorf("%s:%w", file, err)
	}
	return err
}

// imported lists the files with the hooks in question that the host reads by
// itself: beside the bridge it would run them a second time.
func (x *installer) imported() (files []string) {
	importer := dialect.AbilitiesOf(x.b.Host).Imports
	if len(x.want) == 0 || importer == nil {
		return nil
	}
	own := map[string]bool{}
	for _, s := range x.b.Hooks.Locate(x.b.Places) {
		own[s.File] = true
	}
	for _, file := range importer.Imported(x.b.Places, discover.Read) {
		if own[file] && x.module == "" {
			files = append(files, file)
		}
	}
	return files
}

// added is the text with the bridge's entries in it, in place of those that it
// had.
func (x *installer) added(text []byte, want []adapter.Placed) ([]byte, error) {
	if text == nil {
		text = (&adapter.Conversion{}).Document(x.b.Host)
	}
	own, err := x.installed(text)
	if err != nil {
		return nil, inFile(x.file, err)
	}
	needed := func(pointer string) bool {
		return slices.ContainsFunc(want, func(p adapter.Placed) bool { return p.Pointer == pointer || strings.HasPrefix(p.Pointer, pointer+"/") })
	}
	if text, err = x.removed(text, own, needed); err != nil {
		return nil, inFile(x.file, err)
	}
	for _, w := range want {
		if text, err = jsonedit.Insert(text, w.Pointer, w.Value); err != nil {
			return nil, inFile(x.file, err)
		}
	}
	return text, nil
}

func (x *installer) install() error {
	if len(x.want) == 0 {
		hint := ""
		if x.module == "" && x.b.Hooks.Profile().Modules != nil {
			hint = "; callbacks stand in a module: --module FILE"
		}
		return fmt.Errorf("no hook of %s is found here that %s could run; nothing is changed%s", x.b.Hooks.Profile().Name, x.b.Host.Profile().Name, hint)
	}
	if s, err := x.state(); err != nil {
		return err
	} else if s == "current" {
		fmt.Fprintf(x.std.out, "current  %s\n", x.file)
		return nil
	}
	after, err := x.added(x.before, x.want)
	if err != nil {
		return err
	}
	if x.dry {
		return x.diff(after, false)
	}
	write := jsonedit.WriteFile
	if x.before == nil {
		err = jsonedit.MakeParent(x.file)
	} else if _, exists := os.Stat(x.file + backupName); errors.Is(exists, fs.ErrNotExist) && !x.bridged() {
		write = jsonedit.WriteBackedUp
	}
	if err == nil {
		err = write(x.file, x.before, after)
	}
	if err == nil {
		fmt.Fprintf(x.std.out, "installed  %s  (%s)\n", x.file, counted(len(x.want), "entry"))
	}
	return err
}

// bridged reports whether the file has entries of the bridge already, for any
// hooks: it is then not the state before the first install, which a backup keeps.
func (x *installer) bridged() bool {
	all, _ := adapter.OwnEntries(x.b.Host, x.before)
	return len(all) > 0
}

const backupName = ".hookbridge-backup"
