package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

type installer struct {
	name  string // of the command
	flags *installFlags
	set   *flags
	base  *bridge.Bridge
	file  *projectfile.File
	scope schema.Scope
	auto  bool // the hosts are those that were found
	// everyOwner: the hooks of every agent count that has some here.
	everyOwner bool
	pending    map[string][]byte // by file: what a dry run would have written
}

func (f *installFlags) run(fs *flags, _ []string, std stdio) (int, error) {
	x := &installer{name: fs.set.Name(), flags: f, set: fs}
	err := x.settle()
	var targets []*target
	if err == nil {
		targets, err = x.targets()
	}
	var results []installed
	if err == nil || len(targets) > 0 {
		var applied error
		results, applied = x.apply(targets)
		err = cmp.Or(err, applied)
	}
	if !errors.As(err, new(errUsage)) {
		printInstalled(std, x.name, results, f.json, err)
	}
	return exitOK, err
}

func (x *installer) settle() error {
	f := x.flags
	err := projectIsThere(f.Text("project"))
	if err == nil {
		x.file, err = f.projectFile()
	}
	if err != nil {
		return err
	}
	// hookbridge.yaml states flags that the command line doesn't give. It is the project's:
	// an entry of the user's own file runs in every project.
	if x.name != "uninstall" && f.install != schema.ScopeUser.String() {
		for _, s := range x.file.Install {
			if err := setDefault(x.file, x.set, s); err != nil {
				return err
			}
		}
	}
	if f.Text("module") != "" && len(f.owners) == 0 {
		f.owners = listFlag{cmdline.ModuleDialect()}
	}
	x.scope = schema.ScopeProject
	if f.install == schema.ScopeUser.String() {
		x.scope = schema.ScopeUser
	}
	if x.base, err = f.bridge(); err != nil {
		return err
	}
	if p := x.base.Places; x.name == "install" && x.scope == schema.ScopeProject && p.Project == p.Home {
		return errors.New(p.Project + " is your home folder, and the hook files in it are your own; use hookbridge install --scope user (nothing was written)")
	}
	return nil
}

// entryFlags are the flags of run that install writes into its entries.
func entryFlags() *flags {
	known := newFlags("install")
	known.entryRows(new(cmdline.Call))
	return known
}

// setDefault takes one setting of hookbridge.yaml over into the flags of a command,
// which may lack some of those of install.
func setDefault(file *projectfile.File, set *flags, s projectfile.Setting) error {
	switch row := cmdline.Row(s.Flag); {
	case row != nil && row.Settable:
	case row != nil || newInstallFlags().set.Lookup(s.Flag) != nil:
		return file.Mistake(s.Line, s.Col, "install: a project can't choose --"+s.Flag+"; pass it on the command line")
	default:
		names := each(entryFlags().list, func(d flagDoc) string { return d.name })
		return file.Mistake(s.Line, s.Col, "install: there is no flag --"+s.Flag+suggest.Question(s.Flag, names))
	}
	if set.given(s.Flag) || set.set.Lookup(s.Flag) == nil {
		return nil
	}
	err := set.checkWord(s.Flag, s.Value)
	if err == nil && set.set.Set(s.Flag, s.Value) != nil {
		err = errors.New(strconv.Quote(s.Value) + " is not a value for it")
	}
	if err != nil {
		return file.Mistake(s.Line, s.Col, "install: "+s.Flag+": "+err.Error())
	}
	return nil
}

func newInstallFlags() *flags {
	known := newFlags("install")
	new(installFlags).define(known)
	return known
}

// apply carries the plans out, or shows what they would write.
func (x *installer) apply(targets []*target) (results []installed, err error) {
	switch x.name {
	case "install":
		results, err = x.changes(targets, (*target).install, (*target).stopImports)
	case "uninstall":
		results, err = x.changes(targets, (*target).uninstall, (*target).restoreImports)
	default:
		for _, t := range targets {
			results = append(results, t.status(x.auto)...)
		}
	}
	if err != nil || x.flags.dry {
		return results, err
	}
	return x.write(results)
}

// changes takes every target through the steps, one step after the other, and writes
// nothing. Two targets may change the same file: what one of them would write is what
// the next one reads.
func (x *installer) changes(targets []*target, steps ...func(t *target) ([]installed, error)) (results []installed, err error) {
	x.pending = map[string][]byte{}
	for _, step := range steps {
		for _, t := range targets {
			some, err := step(t)
			if err != nil {
				return nil, err
			}
			results = append(results, some...)
		}
	}
	whole := map[string]*rewrite{} // by file: what all targets together change
	for _, r := range results {
		if r.change != nil {
			w := whole[r.File]
			if w == nil {
				w = &rewrite{before: r.change.before}
				if err := jsonedit.Replaceable(r.File, w.before); err != nil {
					return nil, fmt.Errorf("%w (nothing was written)", err)
				}
			}
			w.after, w.remove = r.change.after, r.change.remove
			whole[r.File] = w
		}
	}
	for i := range results {
		if r := &results[i]; r.change != nil && whole[r.File] != nil {
			r.Diff = whole[r.File].diff(r.File, x.base.Places)
			delete(whole, r.File)
		}
	}
	return results, nil
}

// write makes the changes and returns those that are made.
func (x *installer) write(results []installed) ([]installed, error) {
	for i := range results {
		r := &results[i]
		if r.change == nil {
			continue
		}
		if err := r.change.write(); err != nil {
			return slices.DeleteFunc(results, func(r installed) bool { return r.change != nil }), err
		}
		r.change, r.Diff = nil, ""
	}
	return results, nil
}

func (x *installer) targets() (list []*target, err error) {
	hosts, err := x.hosts()
	if err != nil {
		return nil, err
	}
	var reason error   // why there is nothing to do for the last host
	var failed []error // files that status can't read
	for _, host := range hosts {
		t, err := x.target(host)
		switch {
		case errors.As(err, new(errNothing)) && (x.auto || x.everyOwner || len(hosts) > 1):
			reason = err
			continue
		case err != nil && x.name == "status":
			failed = append(failed, err)
			continue
		case err != nil:
			return nil, err
		}
		list = append(list, t)
	}
	if len(list) == 0 && x.name == "install" && reason != nil {
		return nil, reason
	}
	return list, errors.Join(failed...)
}

type errNothing struct{ msg string }

func (e errNothing) Error() string { return e.msg }

func (x *installer) hosts() (list []adapter.Dialect, err error) {
	if len(x.flags.hosts) > 0 {
		return dialectsNamed("--host", x.flags.hosts)
	}
	x.auto = true
	if list, err = agentsStated(x.file); err != nil {
		return nil, err
	}
	if x.name != "install" {
		list = with(list, agentsWhere(func(d adapter.Dialect) bool { return callsBridge(d, x.base.Places, x.scope) })...)
	}
	if len(x.file.Agents) == 0 && x.name != "uninstall" {
		list = with(list, usedIn(x.base.Places)...)
	}
	if len(list) == 0 && x.name == "install" {
		_, err = findDialect("--host", "")
		return nil, err
	}
	return list, nil
}

// callsBridge reports whether an agent's file of a scope has entries of install.
func callsBridge(d adapter.Dialect, p schema.Places, scope schema.Scope) bool {
	text, err := discover.Read(fileOf(d, p, scope))
	if err != nil {
		return false
	}
	own, _ := convert.OwnEntries(d, text)
	return slices.ContainsFunc(own, func(e convert.OwnEntry) bool { return e.Call.Installed(d.Profile().Name, e.Call.Value("hooks")) })
}

// fileOf is the file of a host that install changes, "" if it has none.
func fileOf(host adapter.Dialect, p schema.Places, scope schema.Scope) string {
	for _, s := range host.Locate(p) {
		if s.Scope == scope {
			if s.Folder {
				return filepath.Join(s.File, ownFile)
			}
			return s.File
		}
	}
	return ""
}

// ownFile is the file of the bridge's entries in a folder of hook files.
const ownFile = "hookbridge.json"

func (x *installer) target(host adapter.Dialect) (*target, error) {
	if host.Profile().Modules != nil {
		if x.auto {
			return nil, errNothing{}
		}
		return nil, errUsage{host.Profile().Name + " has no file of its own; hookbridge convert --to " + host.Profile().Name + " writes a module for it"}
	}
	t := &target{call: x, host: host, file: fileOf(host, x.base.Places, x.scope), bridge: x.base}
	if t.file == "" {
		return nil, fmt.Errorf("%s has no hook file of the scope %s", host.Profile().Name, x.scope)
	}
	if x.scope == schema.ScopeProject && x.name != "status" && !within(x.base.Places.Project, filepath.Dir(t.file)) {
		return nil, fmt.Errorf("a symbolic link leads from %s out of the project, and hookbridge changes no file there; put a folder in its place (nothing was written)", filepath.Dir(t.file))
	}
	if err := t.read(); err != nil {
		return nil, err
	}
	owners, err := x.ownersFor(t)
	if err != nil {
		return nil, err
	}
	for _, d := range owners {
		p, err := t.plan(d)
		if errors.As(err, new(errNothing)) && len(owners) > 1 {
			continue
		}
		if err != nil {
			return nil, err
		}
		t.parts = append(t.parts, p)
	}
	if len(t.parts) == 0 && x.name != "uninstall" {
		return nil, errNothing{"no agent has hooks here that " + host.Profile().Title + " could run; nothing changed"}
	}
	return t, nil
}

// ownersFor lists the agents whose hooks the host is to run.
func (x *installer) ownersFor(t *target) (list []adapter.Dialect, err error) {
	if len(x.flags.owners) > 0 {
		if list, err = dialectsNamed("--hooks", x.flags.owners); err != nil {
			return nil, err
		}
		if len(list) == 1 && sameAgent(list[0], t.host) {
			return nil, errUsage{list[0].Profile().Name + " runs its own hooks; --hooks names another agent"}
		}
		return without(list, t.host), nil
	}
	if x.name == "uninstall" {
		return t.installedOwners(), nil
	}
	found, known := hookOwners(x.base.Places, x.scope)
	if len(found) == 0 {
		other := schema.ScopeUser
		if x.scope == other {
			other = schema.ScopeProject
		}
		found, known = hookOwners(x.base.Places, other)
	}
	found = without(found, t.host)
	usual := x.base.Hooks
	switch {
	case x.auto && x.name == "status":
		return with(found, t.installedOwners()...), nil
	case x.auto || x.everyOwner:
		return found, nil
	case len(found) == 1 && known && !sameAgent(found[0], usual):
		t.note("only " + found[0].Profile().Name + " has hooks here, so --hooks is " + found[0].Profile().Name)
		return found, nil
	case sameAgent(usual, t.host):
		return nil, errUsage{t.host.Profile().Name + " runs its own hooks; --hooks names another agent"}
	}
	for _, d := range found {
		if !sameAgent(d, usual) && x.name == "install" && hasDialect(found, usual) {
			t.note(d.Profile().Name + " has hooks here too; --hooks " + strings.Join(namesOf(found), ",") + " bridges all of them")
			break
		}
	}
	return []adapter.Dialect{usual}, nil
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
	return dialect.Within(root, real)
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// inFile names the file that an error is about, as editors read it: FILE:LINE:COLUMN
// where the error has a place.
func inFile(file string, err error) error {
	var at *jsonedit.Error
	if errors.As(err, &at) {
		return fmt.Errorf("%s:%w (correct that first; nothing was written)", file, err)
	}
	return err
}
