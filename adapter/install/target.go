package install

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// A Target is one host's hook file in a Job.
type Target struct {
	Host     adapter.Dialect
	Notes    []string
	Repeated []string // the notes about hooks that run twice

	job   *Job
	file  hostFile
	parts []*part // one for the hooks found, others for modules
}

// A part has a target's needs for the hooks that one entry per event runs.
type part struct {
	in    convert.Installation
	named []adapter.Dialect  // the agents that the job names
	all   []adapter.Dialect  // and those of existing entries
	hooks [][]schema.Hook    // of each agent of in.Hooks
	own   []convert.OwnEntry // hookbridge's entries in the file
	want  []convert.Placed
	found schema.Diagnostics
}

func (t *Target) note(msgs ...string) {
	for _, msg := range msgs {
		t.Notes = lists.With(t.Notes, msg)
	}
}

// Owners lists the agents whose hooks the host should run.
func (t *Target) Owners() (list []adapter.Dialect) {
	for _, p := range t.parts {
		list = append(list, p.in.Hooks...)
	}
	return list
}

// named lists the agents that the job names.
func (t *Target) named() (list []adapter.Dialect) {
	for _, p := range t.parts {
		list = append(list, p.named...)
	}
	return list
}

// isInstalled reports whether install writes this kind of call into a host's file.
func isInstalled(host adapter.Dialect, call *cmdline.Call) bool {
	return call.Installed(host.Profile().Name, call.Owners()[0])
}

// entriesFor lists the entries in the text of a host's file that an install for one of the agents' hooks has written,
// in the text's order.
func entriesFor(host adapter.Dialect, text []byte, owners ...adapter.Dialect) []convert.OwnEntry {
	all, _ := entries(host, text)
	return slices.DeleteFunc(all, func(e convert.OwnEntry) bool {
		return !slices.ContainsFunc(owners, func(d adapter.Dialect) bool {
			return e.Call.Installed(host.Profile().Name, d.Profile().Name)
		})
	})
}

// installedOwners lists the agents for whose hooks the file has entries.
func (t *Target) installedOwners() []adapter.Dialect {
	return adapter.Where(func(d adapter.Dialect) bool {
		return !adapter.SameAgent(d, t.Host) && len(entriesFor(t.Host, t.file.before, d)) > 0
	})
}

// split makes the parts for the agents' hooks. A module has its own entries. Entries in the file for further agents'
// hooks join the other part.
func (t *Target) split(named []adapter.Dialect) (parts []*part) {
	together := &part{named: named}
	list := named
	if t.job.Flags.Text("module") == "" {
		list = adapter.With(slices.Clone(named), t.installedOwners()...)
		order := adapter.NamesOf(adapter.Dialects()) // not the order of the flags
		slices.SortStableFunc(list, func(a, b adapter.Dialect) int {
			return cmp.Compare(slices.Index(order, a.Profile().Name), slices.Index(order, b.Profile().Name))
		})
	}
	for _, d := range list {
		if d.Profile().Modules != nil || t.job.Flags.Text("module") != "" {
			if adapter.Has(named, d) {
				parts = append(parts, &part{named: []adapter.Dialect{d}, all: []adapter.Dialect{d}})
			}
			continue
		}
		together.all = append(together.all, d)
	}
	together.named = slices.DeleteFunc(slices.Clone(named), func(d adapter.Dialect) bool {
		return !adapter.Has(together.all, d)
	})
	if len(together.named) > 0 {
		parts = append([]*part{together}, parts...)
	}
	return parts
}

// prepare finds the hooks of a part and their entries in the file.
func (t *Target) prepare(p *part) error {
	flags := &t.job.Flags
	p.in = convert.Installation{Host: t.Host, Hooks: slices.Clone(p.all), Policy: flags.Policy(),
		FailClosed: flags.On("fail-closed"), Scope: t.job.Scope}
	p.in.Trust = t.job.Scope == schema.ScopeUser && flags.Text("module") == ""
	p.own = entriesFor(t.Host, t.file.before, p.all...)
	t.keep(p)
	if t.job.Action == Uninstall {
		return nil
	}
	return t.findWanted(p)
}

// findWanted finds the hooks of a part and the entries that they need.
func (t *Target) findWanted(p *part) error {
	all := p.in.Hooks // with their versions
	p.in.Hooks = nil
	var nothing error
	for _, d := range all {
		hooks, err := t.hooksFor(p, d)
		if err != nil {
			return err
		}
		one := p.in
		one.Hooks = []adapter.Dialect{d}
		if want, _ := one.Entries(hooks); len(want) == 0 { // no hook of this agent runs there
			if adapter.Has(p.named, d) {
				nothing = cmp.Or(nothing, t.nothing(p, d))
			}
			_, ds := one.Entries(hooks)
			p.found = append(p.found, ds...)
			continue
		}
		p.in.Hooks, p.hooks = append(p.in.Hooks, d), append(p.hooks, hooks)
	}

	switch nobody := !slices.ContainsFunc(p.named, func(d adapter.Dialect) bool {
		return adapter.Has(p.in.Hooks, d)
	}); {
	case nobody && t.job.Action == Install:
		return nothing
	case len(p.in.Hooks) == 0:
		p.in.Hooks = adapter.Without(slices.Clone(all), t.Host)
		return nil
	}

	want, ds := p.in.Entries(p.hooks...)
	p.want, p.found = want, append(p.found, ds...)
	t.advise(p)
	repeated := runTwice(t.job, t.Host, p)
	t.Repeated = append(t.Repeated, repeated...)
	t.note(repeated...)
	if t.job.Action == Install {
		for i, d := range p.in.Hooks {
			t.note(broken(t.job.Places, d, p.hooks[i])...)
			p.found = append(p.found, neverRun(t.Host, p, d, p.hooks[i])...)
		}
	}

	return nil
}

// nothing returns the error if an agent has no hooks for the host.
func (t *Target) nothing(p *part, d adapter.Dialect) error {
	hint := ""
	if t.job.Flags.Text("module") == "" && d.Profile().Modules != nil {
		hint = "; callbacks are in a module: --module FILE"
	}

	if own, _ := survey.Owners(t.job.Places, schema.ScopeUser); hint == "" && t.job.Scope == schema.ScopeProject &&
		adapter.Has(own, d) {
		hint = "; for your own hooks and those of plugins: --scope user"
	}

	if own, _ := survey.Owners(t.job.Places, t.job.Scope); hint == "" && adapter.Has(own, t.Host) {
		hint = fmt.Sprintf("; %s has hooks here, and --host %s --hooks %s runs them in %s", t.Host.Profile().Title,
			d.Profile().Name, t.Host.Profile().Name, d.Profile().Title)
	}

	if t.job.Scope == schema.ScopeManaged {
		hint = t.job.whereManaged(d)
	}
	if hint == "" && t.job.Scope == schema.ScopeProject {
		hint = survey.Hint(t.job.Places)
	}

	switch worst := p.found.Worst(); {
	case worst != nil && worst.Severity == schema.Error:
		return &Nothing{"can't read the hooks of " + d.Profile().Title + ", so nothing changed: " + worst.String()}
	case worst == nil || worst.File == "":
	case worst.Severity == schema.Weaker || worst.Severity == schema.Loss && hint == "":
		hint = ": " + inspect.Hinted(d, *worst).String()
	}

	if hint == "" {
		hint = "; --project DIR names another folder than " + t.job.Places.Project
	}

	return &Nothing{"found no " + d.Profile().Title + " hooks that " + t.Host.Profile().Title +
		" can run; nothing changed" + hint}
}

// hooksFor returns the hooks of an agent for the entries. A user's entry also runs the project's hooks if the project
// has no entry of its own.
func (t *Target) hooksFor(p *part, d adapter.Dialect) ([]schema.Hook, error) {
	module := t.job.Flags.Text("module")
	if module == "" && t.job.Action == Status && d.Profile().Modules != nil {
		for _, e := range p.own {
			module = cmp.Or(module, e.Call.Text("module"))
		}
	}
	if module != "" {
		return t.callbacks(p, d, module)
	}
	res, ds := survey.LoadScope(d, t.job.Places, t.job.Scope)
	if t.job.Scope == schema.ScopeProject {
		own := res.Hooks
		res, ds = survey.LoadShared(d, t.job.Places)
		if t.job.Action == Install {
			t.note(unshared(t.Host, p, d, own, res.Hooks)...)
		}
	}
	p.found = append(p.found, ds...)
	if t.job.Scope == schema.ScopeUser {
		more, ds := survey.LoadScope(d, t.job.Places, schema.ScopeProject)
		p.found = append(p.found, ds...)
		return append(res.Hooks, more.Hooks...), nil
	}
	return res.Hooks, nil
}

func (t *Target) callbacks(p *part, d adapter.Dialect, module string) ([]schema.Hook, error) {
	cfg, ds := t.job.ReadModule(d, module, t.job.Places.Project)
	if cfg == nil {
		return nil, errors.New(ds[len(ds)-1].String())
	}
	p.found = append(p.found, ds...)
	p.in.Trust = false
	p.in.Module = cfg.Source.File
	if len(cfg.Hooks) > 0 && t.job.Scope == schema.ScopeProject {
		p.in.Module = cfg.Hooks[0].Command
	}
	return cfg.Hooks, nil
}

// fixed returns the path of hookbridge in entries that run in every project. An existing entry with the name stays
// valid until the next install.
func (t *Target) fixed(p *part) string {
	everywhere := t.job.Scope == schema.ScopeUser || t.job.Scope == schema.ScopeManaged && t.job.Places.System == ""
	if !everywhere || t.job.Action != Install && len(p.own) > 0 {
		return ""
	}
	if _, readable := cmdline.ProgramWord(t.job.Fixed); !readable {
		t.note("the shells of Windows agree on no way to write " + t.job.Fixed + ", so the entries look for " +
			"hookbridge in PATH; cmd.exe looks in the project first. Move hookbridge to a folder without a blank")
		return ""
	}
	return t.job.Fixed
}

// keep takes over flags that an earlier install wrote or someone added by hand, unless the user passes them again.
func (t *Target) keep(p *part) {
	given := &t.job.Flags
	if len(p.own) > 0 {
		p.keepVersions()
		if path := p.own[0].Call.Path; t.job.Scope == schema.ScopeManaged || hookfile.Exists(path) {
			p.in.Path = path
		}
	}

	p.in.Path = cmp.Or(t.job.Program, p.in.Path, t.fixed(p))
	t.keepLauncher(p)
	for _, old := range kept(p.own) {
		row := cmdline.Row(old.Name)
		switch {
		case row == nil:
			t.note("the entries have the unknown flag " + cmdline.Dashed(old.Name) + "; it was left out")
		case given.Has(old.Name) || row.Removed ||
			slices.Contains([]string{"host", "hooks", "module", "event", "missing", "requires", cmdline.ExcludeFlag,
				cmdline.ScopeFlag},
				old.Name):
		case old.Name == "ask":
			p.in.Ask = cmdline.PolicyOf(old.Value, "").Ask
		case old.Name == "allow":
			p.in.Allow = cmdline.PolicyOf("", old.Value).Allow
		case old.Name == "fail-closed":
			p.in.FailClosed = old.Value != "false"
		case old.Name == "require-trust":
			p.in.Trust = p.in.Trust || old.Value != "false"
		default:
			p.in.Flags = append(p.in.Flags, old)
		}
	}

	if t.job.Requires != "" {
		p.in.Flags = append(p.in.Flags, cmdline.Flag{Name: "requires", Value: t.job.Requires})
	}

	if t.job.Scope == schema.ScopeProject && t.job.Action != Uninstall {
		if marks := choice.Marks(t.job.File, t.job.Places, t.Host, p.in.Hooks); marks != nil {
			p.in.Flags = append(p.in.Flags, cmdline.Flag{Name: cmdline.ExcludeFlag, Value: strings.Join(marks, ",")})
		}
	}

	for _, row := range cmdline.FlagRows() {
		if row.Entries != "" && given.Text(row.Name) != "" && given.Has(row.Name) && !p.in.States(row.Name) {
			p.in.Flags = append(p.in.Flags, cmdline.Flag{Name: row.Name, Value: given.Text(row.Name)})
		}
	}
}

// kept returns the flags of the entries, each with its first value. A value that weakens answers counts only if all
// entries have it, because they become one entry.
func kept(own []convert.OwnEntry) (flags []cmdline.Flag) {
	for _, e := range own {
		for _, f := range e.Call.Flags {
			row := cmdline.Row(f.Name)
			weakens := row != nil && row.Weakens != "" && row.Weakens != cmdline.AnyValue && f.Value == row.Weakens
			stricter := func(o convert.OwnEntry) bool { return o.Call.Text(f.Name) != f.Value }
			if weakens && slices.ContainsFunc(own, stricter) || slices.ContainsFunc(flags, func(k cmdline.Flag) bool {
				return k.Name == f.Name
			}) {
				continue
			}
			flags = append(flags, f)
		}
	}
	return flags
}

// keepVersions takes over the versions or programs of an earlier install, unless the command line names one.
func (p *part) keepVersions() {
	keep := func(given *adapter.Dialect, old string) {
		d, err := adapter.Find(old)
		if err == nil && adapter.SameAgent(*given, d) && adapter.NameOf(*given) == d.Profile().Name {
			*given = d
		}
	}
	for _, e := range p.own {
		keep(&p.in.Host, e.Call.Text("host"))
		for i := range p.in.Hooks {
			for _, old := range e.Call.Owners() {
				keep(&p.in.Hooks[i], old)
			}
		}
	}
}
