package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// adviseRepeated notes hooks that start what a hook of the host's own starts at the
// same event.
func (t *target) adviseRepeated(p *bridged, hooks []schema.Hook) {
	own, _ := plan.LoadScope(t.host, t.bridge.Places, t.call.scope)
	var first *schema.Hook
	n := 0
	for _, h := range hooks {
		started := inspect.Started(p.in.Hooks, &h, t.bridge.Places)
		i := slices.IndexFunc(own.Hooks, func(o schema.Hook) bool {
			return o.Event == h.Event && isOwnHook(o) && started != "" && inspect.Started(t.host, &o, t.bridge.Places) == started
		})
		if i >= 0 {
			first = cmp.Or(first, &own.Hooks[i])
			n++
		}
	}
	if n == 0 {
		return
	}
	more := ""
	if n > 1 {
		more = fmt.Sprintf(", and so with %d more", n-1)
	}
	msg := fmt.Sprintf("%s will run %s twice: it is a hook of its own (%s:%d) and one for %s%s; remove one of them, or name other agents with --hooks",
		t.host.Profile().Title, first.Command, first.Source.File, first.Line, p.in.Hooks.Profile().Title, more)
	t.repeated = append(t.repeated, msg)
	t.note(msg)
}

// advise collects what the user should know before the entries work.
func (t *target) advise(p *bridged) {
	if t.call.name != "install" {
		return
	}
	host, hooks := t.host.Profile(), p.in.Hooks
	for _, file := range t.imported(p) {
		switch {
		case t.voids(file): // stopImports does it, and says so
		case host.VoidMember.Name != "":
			how := "; hookbridge install --scope project stops that"
			if isLink(file) {
				how = ", and install changes no file behind a symbolic link; put a regular file there and install again"
			}
			t.note(host.Title + " imports " + file + " by itself and runs its hooks a second time" + how)
		default:
			t.note(host.Title + " may import " + file + " by itself and run its hooks twice; switch that import off and say so in hookbridge.yaml: " +
				statedOff(t.host))
		}
	}
	for _, s := range t.host.Locate(t.bridge.Places) {
		if d := discover.Refused(t.host, s); d != nil && s.File == t.file {
			t.note(d[0].Message + "; " + d[0].Fix)
		}
	}
	if t.call.scope == schema.ScopeUser && len(t.call.file.Install) > 0 {
		t.note("the install settings of " + projectfile.Name + " don't count for your own file, which applies in every project; pass them on the command line")
	}
	if !inspect.InPath("hookbridge", t.bridge.Places.Env.Get("PATH")) {
		t.note("hookbridge is not in PATH; the entries don't run until " + host.Title + " finds it there")
	}
	if n := t.ownUnbridged(p); n > 0 {
		t.note(counted(n, "hook") + " of your own for " + hooks.Profile().Title + " will not run in " + host.Title + " by this: hookbridge install --host " +
			host.Full() + " --hooks " + hooks.Profile().Full() + " --scope user")
	}
}

// statedOff is how hookbridge.yaml says that an agent doesn't import other agents'
// files.
func statedOff(host adapter.Dialect) string {
	return "facts: {" + host.Profile().Name + ": {" + inspect.ImportFact + ": off}}"
}

// ownUnbridged counts the user's own hooks of an agent that no entry of the user's
// runs in the host.
func (t *target) ownUnbridged(p *bridged) int {
	if t.call.scope != schema.ScopeProject || p.in.Module != "" {
		return 0
	}
	res, _ := discover.Load(p.in.Hooks, t.bridge.Places, nil)
	ofProject := plan.ProjectHooks(p.in.Hooks, t.bridge.Places, res.Configs)
	text, _ := discover.Read(fileOf(t.host, t.bridge.Places, schema.ScopeUser))
	if len(entriesFor(t.host, text, p.in.Hooks)) > 0 {
		return 0
	}
	return len(slices.DeleteFunc(res.Hooks, func(h schema.Hook) bool {
		return !isOwnHook(h) || ofProject(&h) || h.Source.Scope == schema.ScopeManaged
	}))
}

// imported lists the files with the hooks in question that the host reads by
// itself: beside the bridge it would run them a second time.
func (t *target) imported(p *bridged) (files []string) {
	if len(p.want) == 0 || p.in.Module != "" {
		return nil
	}
	own := map[string]bool{}
	for _, s := range p.in.Hooks.Locate(t.bridge.Places) {
		own[s.File] = true
	}
	if off := t.call.file.Fact(t.host.Profile().Name, inspect.ImportFact); off == "off" || off == "false" {
		return nil
	}
	if importer := dialect.Ability[dialect.Importer](t.host); importer != nil {
		for _, file := range importer.Imported(t.bridge.Places, discover.Read) {
			if own[file] {
				files = append(files, file)
			}
		}
	}
	return files
}

// unreviewed notes that the host does not run entries until its user has reviewed
// them: new ones of the bridge, or others that are in another place now.
func (t *target) unreviewed(after []byte) {
	keeper := dialect.Ability[dialect.TrustKeeper](t.host)
	if keeper == nil {
		return
	}
	stopped := func(text []byte) []schema.Hook {
		cfg, _ := t.host.ParseConfig(text, t.source())
		if cfg == nil {
			return nil
		}
		return slices.DeleteFunc(cfg.Hooks, func(h schema.Hook) bool { return !keeper.Trust(&h, t.bridge.Places, discover.Read).Stops() })
	}
	was := stopped(t.before)
	lost, ours := 0, false
	for _, h := range stopped(after) {
		same := func(w schema.Hook) bool {
			return w.Native == h.Native && w.Matcher == h.Matcher && w.Command == h.Command
		}
		if cmdline.FindsHooks(h.Command) {
			ours = true
		} else if !slices.ContainsFunc(was, same) {
			lost++
		}
	}
	if lost > 0 {
		t.note(t.host.Profile().Title + " knows reviewed hooks by their place in the file, and " + counted(lost, "hook") + " of your own moved up there: review them again")
	}
	if lost > 0 || ours && t.call.name == "install" {
		t.note(keeper.Review())
	}
}
