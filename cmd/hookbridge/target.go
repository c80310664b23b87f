package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A target is the hook file of one host that install, uninstall or status is about.
type target struct {
	call   *installer
	bridge *bridge.Bridge
	host   adapter.Dialect
	file   string
	before []byte // nil: the file doesn't exist
	parts  []*bridged
	notes  []string
	// repeated are those of the notes that say which hooks run twice.
	repeated []string
}

// A bridged is what a target needs for the hooks of one agent.
type bridged struct {
	in    convert.Installation
	own   []convert.OwnEntry // the bridge's entries in the file
	want  []convert.Placed
	found schema.Diagnostics
}

func (t *target) note(msg string) {
	if !slices.Contains(t.notes, msg) {
		t.notes = append(t.notes, msg)
	}
}

func (t *target) read() error {
	if isLink(t.file) && t.call.name != "status" {
		return fmt.Errorf("%s is a symbolic link, and hookbridge changes no file behind one; put a regular file there (nothing was written)", t.file)
	}
	text, err := discover.Read(t.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		t.before = text
		_, err = convert.OwnEntries(t.host, text)
	}
	if off := unheeded(t.host, text, t.source()); err != nil && off.Max() == schema.Error { // as check says it
		return errors.New(off[0].String())
	}
	return inFile(t.file, err)
}

func (t *target) source() schema.Source { return schema.Source{File: t.file, Scope: t.call.scope} }

// entriesFor lists the entries in a text of a host's file that an install for the hooks
// of one of the agents has written, in the text's order.
func entriesFor(host adapter.Dialect, text []byte, owners ...adapter.Dialect) []convert.OwnEntry {
	all, _ := convert.OwnEntries(host, text)
	return slices.DeleteFunc(all, func(e convert.OwnEntry) bool {
		return !slices.ContainsFunc(owners, func(d adapter.Dialect) bool { return e.Call.Installed(host.Profile().Name, d.Profile().Name) })
	})
}

// installedOwners lists the agents for whose hooks the file has entries.
func (t *target) installedOwners() []adapter.Dialect {
	return agentsWhere(func(d adapter.Dialect) bool { return !sameAgent(d, t.host) && len(entriesFor(t.host, t.before, d)) > 0 })
}

func (t *target) owners() []adapter.Dialect {
	return each(t.parts, func(p *bridged) adapter.Dialect { return p.in.Hooks })
}

// plan finds the hooks of one agent and what the file needs for them.
func (t *target) plan(hooks adapter.Dialect) (*bridged, error) {
	f := t.call.flags
	p := &bridged{in: convert.Installation{Host: t.host, Hooks: hooks, Policy: t.bridge.Policy, FailClosed: f.On("fail-closed"), Scope: t.call.scope}}
	p.in.Trust = t.call.scope == schema.ScopeUser && f.Text("module") == ""
	p.own = entriesFor(t.host, t.before, hooks)
	t.keep(p)
	if t.call.name == "uninstall" {
		return p, nil
	}
	found, err := t.hooksFor(p)
	if err != nil {
		return nil, err
	}
	want, ds := p.in.Entries(found)
	p.want, p.found = want, append(p.found, ds...)
	if len(want) == 0 && t.call.name == "install" {
		hint := ""
		if f.Text("module") == "" && hooks.Profile().Modules != nil {
			hint = "; callbacks are in a module: --module FILE"
		}
		if worst := p.found.Worst(); worst != nil && worst.Severity == schema.Error {
			return nil, errNothing{"can't read the hooks of " + hooks.Profile().Title + ", so nothing changed: " + worst.String()}
		}
		return nil, errNothing{"found no hook of " + hooks.Profile().Title + " that " + t.host.Profile().Title + " could run; nothing changed" + hint}
	}
	t.advise(p)
	t.adviseRepeated(p, found)
	return p, nil
}

// hooksFor returns the hooks that the entries are for. A user's entry runs the
// project's hooks too where the project has no entry of its own.
func (t *target) hooksFor(p *bridged) ([]schema.Hook, error) {
	module := t.call.flags.Text("module")
	if module == "" && t.call.name == "status" && p.in.Hooks.Profile().Modules != nil {
		module = cmp.Or(each(p.own, func(e convert.OwnEntry) string { return e.Call.Value("module") })...)
	}
	if module != "" {
		return t.callbacks(p, module)
	}
	res, ds := plan.LoadScope(p.in.Hooks, t.bridge.Places, t.call.scope)
	p.found = ds
	if t.call.scope == schema.ScopeUser {
		more, ds := plan.LoadScope(p.in.Hooks, t.bridge.Places, schema.ScopeProject)
		p.found = append(p.found, ds...)
		return append(res.Hooks, more.Hooks...), nil
	}
	return res.Hooks, nil
}

func (t *target) callbacks(p *bridged, module string) ([]schema.Hook, error) {
	cfg, ds := readModule(p.in.Hooks, module, t.bridge.Places.Project)
	if cfg == nil {
		return nil, errors.New(ds[len(ds)-1].String())
	}
	p.found = ds
	p.in.Trust = false
	p.in.Module = cfg.Source.File
	if len(cfg.Hooks) > 0 && t.call.scope == schema.ScopeProject {
		p.in.Module = cfg.Hooks[0].Command
	}
	return cfg.Hooks, nil
}

// keep takes over the flags that an earlier install wrote or that were added by
// hand, unless the command line or hookbridge.yaml gives them anew.
func (t *target) keep(p *bridged) {
	set := t.call.set
	if len(p.own) > 0 {
		t.keepVersions(p, &p.own[0].Call)
		if path := p.own[0].Call.Path; exists(path) {
			p.in.Path = path
		}
		var flags []cmdline.Flag // each as the first entry that has it gives it
		for _, e := range p.own {
			for _, old := range e.Call.Flags {
				if !slices.ContainsFunc(flags, func(f cmdline.Flag) bool { return f.Name == old.Name }) {
					flags = append(flags, old)
				}
			}
		}
		for _, old := range flags {
			switch {
			case set.given(old.Name) || old.Name == "host" || old.Name == "hooks" || old.Name == "module" || old.Name == "event" || old.Name == cmdline.ScopeFlag:
			case old.Name == "ask":
				p.in.Ask = cmdline.PolicyOf(old.Value, "").Ask
			case old.Name == "allow":
				p.in.Allow = cmdline.PolicyOf("", old.Value).Allow
			case old.Name == "fail-closed":
				p.in.FailClosed = old.Value != "false"
			case old.Name == "require-trust":
				p.in.Trust = p.in.Trust || old.Value != "false"
			case cmdline.Row(old.Name) == nil || !cmdline.Row(old.Name).Removed:
				p.in.Flags = append(p.in.Flags, old)
			}
		}
	}
	for _, row := range cmdline.FlagRows() {
		if f := t.call.flags; row.Entries != "" && f.Has(row.Name) && !p.in.States(row.Name) && f.Text(row.Name) != "" {
			p.in.Flags = append(p.in.Flags, cmdline.Flag{Name: row.Name, Value: f.Text(row.Name)})
		}
	}
}

// keepVersions takes over the versions or programs that an earlier install named,
// unless the command line names one.
func (t *target) keepVersions(p *bridged, old *cmdline.Call) {
	for _, side := range []struct {
		flag  string
		given *adapter.Dialect
	}{{"host", &p.in.Host}, {"hooks", &p.in.Hooks}} {
		d, err := adapter.Find(old.Value(side.flag))
		if err == nil && d.Profile().Name == (*side.given).Profile().Name && adapter.NameOf(*side.given) == d.Profile().Name {
			*side.given = d
		}
	}
}

// added is the text with entries for the hooks of an agent in it, in place of those
// that it had. What stays keeps its place, and a changed entry takes that of the old
// one: agents that want hooks reviewed know them by place.
func (t *target) added(text []byte, hooks adapter.Dialect, want []convert.Placed) ([]byte, error) {
	text = orEmpty(t.host, text)
	var err error
	own := entriesFor(t.host, text, hooks)
	var missing []convert.Placed
	for _, w := range want {
		i := slices.IndexFunc(own, func(e convert.OwnEntry) bool { return e.Array == w.Pointer && e.Alone })
		if i < 0 {
			missing = append(missing, w)
			continue
		}
		if !ordjson.Equal(own[i].Value, w.Value) {
			if text, err = jsonedit.Replace(text, own[i].Element(), w.Value); err != nil {
				return nil, inFile(t.file, err)
			}
		}
		own = slices.Delete(own, i, i+1)
	}
	needed := func(pointer string) bool {
		return slices.ContainsFunc(want, func(p convert.Placed) bool { return p.Pointer == pointer || strings.HasPrefix(p.Pointer, pointer+"/") })
	}
	if text, err = removed(text, own, needed); err != nil {
		return nil, inFile(t.file, err)
	}
	return t.inserted(text, missing)
}

func (t *target) inserted(text []byte, want []convert.Placed) (_ []byte, err error) {
	for _, w := range want {
		if text, err = jsonedit.Insert(text, w.Pointer, w.Value); err != nil {
			return nil, inFile(t.file, err)
		}
	}
	return text, nil
}

// hasEntries reports whether the file has entries of the bridge already, for any
// hooks: it is then not the state before the first install, which a backup keeps.
func (t *target) hasEntries() bool {
	all, _ := convert.OwnEntries(t.host, t.before)
	return len(all) > 0
}

const backupName = ".hookbridge-backup"
