package install

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// runTwice describes the hooks that the host would run more than once for one call, as found by inspect.Shared.
func runTwice(x *Job, host adapter.Dialect, p *part) (notes []string) {
	own, _ := survey.LoadScope(host, x.Places, x.Scope)
	var starts []inspect.Start
	for i := range own.Hooks {
		if plan.IsOwn(own.Hooks[i]) {
			starts = append(starts, inspect.Start{Agent: host, Hook: &own.Hooks[i]})
		}
	}
	for i, d := range p.in.Hooks {
		for j := range p.hooks[i] {
			h := &p.hooks[i][j]
			if choice.Excluded(x.File, x.Places.Project, host, d, h) == nil {
				starts = append(starts, inspect.Start{Agent: d, Hook: h})
			}
		}
	}

	said := map[int]bool{}
	for i, others := range inspect.Shared(host, x.Places, starts) {
		if len(others) == 0 || said[i] {
			continue
		}
		same := []inspect.Start{starts[i]}
		var places []string
		for _, j := range others {
			said[j] = true
			same = append(same, starts[j])
		}
		for _, s := range same {
			file := filepath.ToSlash(trust.InProject(x.Places.Project, s.Hook.Source.File))
			places = append(places, fmt.Sprintf("%s:%d", file, s.Hook.Line))
		}
		notes = append(notes, fmt.Sprintf("%s will run one command for several hooks: %s; %s", host.Profile().Title,
			plan.Listed(places, "and"), inspect.KeepOne(host, x.Places, same)))
	}
	return notes
}

// broken describes the hooks that can't start even in their own agent.
func broken(places schema.Places, d adapter.Dialect, hooks []schema.Hook) (notes []string) {
	for _, h := range hooks {
		if h.Handler != schema.HandlerCommand {
			continue
		}
		if problem, fix := inspect.CommandProblem(d, &h, places); problem != "" {
			if fix != "" {
				fix = "; " + fix
			}
			notes = append(notes, fmt.Sprintf("%s:%d: %s, so this hook won't run%s", h.Source.File, h.Line, problem,
				fix))
		}
	}
	return notes
}

// neverRun returns the findings about hooks that never run even in their own agent.
func neverRun(host adapter.Dialect, p *part, d adapter.Dialect, hooks []schema.Hook) (found schema.Diagnostics) {
	planned := plan.New(d, host)
	for _, h := range hooks {
		_, shown := planned.Route(&h).Runs() // the host has the tool, under this name
		shown = shown && h.Event.IsTool()
		if h.Handler == schema.HandlerHTTP {
			continue
		}
		never := inspect.NeverRuns(d, &h, slices.Concat(p.found, found))
		found = append(found, slices.DeleteFunc(never, func(f schema.Diagnostic) bool {
			return shown && f.Code != schema.CodeDeadCondition
		})...)
	}
	return found
}

// advise collects notes about everything the user must do before the entries work.
func (t *Target) advise(p *part) {
	if t.job.Action != Install {
		return
	}

	host := t.Host.Profile()
	for _, d := range p.in.Hooks {
		t.adviseImports(d, true)
	}

	for _, s := range t.Host.Locate(t.job.Places) {
		if d := discover.Refused(t.Host, s); d != nil && s.File == t.file.path {
			t.note(d[0].Message + "; " + d[0].Fix)
		}
	}

	for _, f := range survey.NamedFiles(t.job.Places) { // the host's own hooks in code that it skips
		if f.Broken && f.Agent.Name == host.Name && t.Host.Abilities().Code != nil {
			t.note(f.Message(t.job.Places.Project))
		}
	}

	if t.job.Scope == schema.ScopeUser && len(t.job.File.Install) > 0 {
		t.note("the install settings of " + projectfile.Name + " don't count for your own file, which applies in " +
			"every project; pass them on the command line")
	}

	if t.job.Scope == schema.ScopeUser && p.in.Trust {
		t.note("your entry runs the hooks of a project only after you have read them and run hookbridge trust in the " +
			"project")
	}

	if p.in.Path == "" && t.job.Scope == schema.ScopeManaged {
		t.note("the entries look for hookbridge in each user's PATH; --program FILE names the one that runs")
	}

	byName := p.in.Path == "" && p.in.Launch == nil && t.job.Places.System == ""
	if byName && !inspect.InPath("hookbridge", t.job.Places.Env.Get("PATH")) {
		t.note("hookbridge is not in PATH; the entries don't run until " + host.Title + " finds it there")
	}

	for _, d := range p.in.Hooks {
		if n := ownUnbridged(t.job, t.Host, d); n > 0 && p.in.Module == "" {
			t.note(plan.Counted(n, "hook") + " of your own for " + d.Profile().Title + " won't run in " +
				host.Title + " without another entry: hookbridge install --host " +
				host.Full() + " --hooks " + d.Profile().Full() + " --scope user")
		}
	}
}

// adviseImports notes the files of an agent that the host may import. bridged: entries run the same hooks, so they
// would run twice.
func (t *Target) adviseImports(d adapter.Dialect, bridged bool) {
	host := t.Host.Profile()
	for _, file := range t.imports().of(d) {
		switch {
		case t.imports().voids(file): // stopImports does that and reports it
		case host.VoidMember.Name != "":
			how := "; hookbridge install --scope project stops that"
			if !dialect.Within(t.job.Places.Project, file) { // the user's own file, which a project doesn't change
				how = ". How to switch that off: " + t.Host.Abilities().Imports.ImportSwitch()
			} else if hookfile.IsLink(file) {
				how = ", and install changes no file behind a symbolic link; put a regular file there and install again"
			}
			t.note(host.Title + " imports " + file + " by itself and runs its hooks a second time" + how)
		default:
			does := " by itself"
			if bridged {
				does += " and run its hooks twice"
			}
			t.note(host.Title + " may import " + file + does + "; switch that import off by hand (" +
				t.Host.Abilities().Imports.ImportSwitch() + ") and record that in hookbridge.yaml: " +
				StatedOff(t.Host))
		}
	}
}

// StatedOff returns the setting in hookbridge.yaml that states that an agent doesn't import other agents' files.
func StatedOff(host adapter.Dialect) string {
	return "facts: {" + host.Profile().Name + ": {" + inspect.ImportFact + ": off}}"
}

// ownUnbridged counts the user's own hooks of an agent that no user entry runs in the host.
func ownUnbridged(x *Job, host, d adapter.Dialect) int {
	if x.Scope != schema.ScopeProject {
		return 0
	}
	res, _ := survey.ForEntry(d, x.Places, nil)
	ofProject := survey.ProjectHooks(d, x.Places, res.Configs)
	text, _ := discover.Read(FileOf(host, x.Places, schema.ScopeUser))
	if len(entriesFor(host, text, d)) > 0 {
		return 0
	}
	return len(slices.DeleteFunc(res.Hooks, func(h schema.Hook) bool {
		return !plan.IsOwn(h) || ofProject(&h) || h.Source.Scope == schema.ScopeManaged
	}))
}

// adviseStopped notes the imports that hookbridge.yaml switches off, for files whose hooks no entry runs.
func (t *Target) adviseStopped() {
	for _, d := range t.importable() {
		if t.imports().stopped() && !adapter.Has(t.Owners(), d) {
			t.adviseImports(d, false)
		}
	}
}

// importable lists the agents whose files the host may import in addition to the entries, or although hookbridge.yaml
// switches the import off.
func (t *Target) importable() (list []adapter.Dialect) {
	if t.imports().stopped() {
		return adapter.Without(adapter.WithHooks(), t.Host)
	}
	for _, p := range t.parts {
		if len(p.want) > 0 && p.in.Module == "" {
			list = append(list, p.in.Hooks...)
		}
	}
	return list
}

// ImportsOwn reports whether the host imports a file whose hooks it will also run through hookbridge.
func (t *Target) ImportsOwn() bool {
	return slices.ContainsFunc(t.importable(), func(d adapter.Dialect) bool {
		return slices.ContainsFunc(t.imports().of(d), func(file string) bool { return !t.imports().voids(file) })
	})
}

// unreviewed reports entries that the host doesn't run until its user has reviewed them: new entries of hookbridge, or
// other hooks that moved in the file.
func (f hostFile) unreviewed(after []byte, action Action) (notes []string) {
	keeper := f.host.Abilities().Trust
	if keeper == nil {
		return nil
	}

	stopped := func(text []byte) []schema.Hook {
		cfg, _ := f.host.ParseConfig(text, f.source())
		if cfg == nil {
			return nil
		}
		return slices.DeleteFunc(cfg.Hooks, func(h schema.Hook) bool {
			return !keeper.Trust(&h, f.places, discover.Read).Stops()
		})
	}

	was := stopped(f.before)
	lost, ours := 0, false
	for _, h := range stopped(after) {
		same := func(w schema.Hook) bool {
			return w.Native == h.Native && w.Matcher == h.Matcher && w.Command == h.Command
		}
		if cmdline.FindsHooks(h.Command, h.Args) {
			ours = true
		} else if !slices.ContainsFunc(was, same) {
			lost++
		}
	}

	if lost > 0 {
		notes = append(notes, f.host.Profile().Title+" knows reviewed hooks by their place in the file, and "+
			plan.Counted(lost, "hook")+" of your own moved up there: review them again")
	}

	if lost > 0 || ours && action == Install {
		notes = append(notes, keeper.Review())
	}
	return notes
}

// unshared describes the hooks that only one user has and that need more than the shared entries. all are the project's
// hooks, including that user's.
func unshared(host adapter.Dialect, p *part, d adapter.Dialect, all, shared []schema.Hook) []string {
	local := slices.DeleteFunc(slices.Clone(all), func(h schema.Hook) bool {
		return h.Source.Scope != schema.ScopeLocal || !plan.IsOwn(h)
	})
	if len(local) == 0 {
		return nil
	}
	one := p.in
	one.Hooks = []adapter.Dialect{d}
	have, _ := one.Entries(shared)
	need, _ := one.Entries(local)
	if !slices.ContainsFunc(need, func(w convert.Placed) bool {
		return !slices.ContainsFunc(have, func(h convert.Placed) bool { return h.Pointer == w.Pointer })
	}) {
		return nil
	}
	to := host.Profile()
	return []string{fmt.Sprintf("%s in %s is yours alone, and a file that your team shares gets no entry for it; "+
		"hookbridge install --host %s --hooks %s --scope user runs it in %s",
		plan.Counted(len(local), "hook"), local[0].Source.File, to.Full(), d.Profile().Full(), to.Title)}
}
