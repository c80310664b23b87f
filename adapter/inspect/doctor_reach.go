package inspect

import (
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// A bridged is a hook of another agent that the host runs through hookbridge.
type bridged struct {
	*examination
	d dialect.Dialect
	h *schema.Hook
	*plan.Outcome
}

func (x *examination) bridged(d dialect.Dialect, h *schema.Hook) *bridged {
	return &bridged{x, d, h, x.outcome(d, h)}
}

// problems returns the reasons why the hook isn't called, and its losses when it is.
func (b *bridged) problems() []Problem {
	found := b.carried()
	if excluded := b.excluded(found); excluded != nil {
		return excluded
	}
	if len(b.Entries()) == 0 {
		return found
	}
	return append(found, b.called()...)
}

// A reach counts the calls of a hook at the events that it needs.
type reach struct {
	missing, most int
	running       int       // the most entries at one event that don't wait for trust
	idle          bool      // all entries that would run the hook are missing
	broken        Problem   // of an entry that can't run; without a Why: none
	calls         []*caller // entries that call hookbridge for the hook
	copies        []*caller // entries that contain the converted hook
	beside        bool      // an event has a copy and another entry that runs the hook
}

// firstOf returns the first problem with a Why.
func firstOf(problems ...Problem) (first Problem) {
	i := slices.IndexFunc(problems, func(p Problem) bool { return p.Why != "" })
	if i < 0 {
		return first
	}
	return problems[i]
}

func (b *bridged) reach() (r reach) {
	r.idle = len(b.Own) > 0
	for _, e := range b.Entries() {
		calls, problem := b.calls(e.Native)
		have, unfit := b.copies(e.Native)
		if len(calls)+len(have) == 0 {
			r.missing++
		} else if row := b.host.Profile().Row(e.Native); row.AlsoAs != schema.AlsoForeign {
			// a converted hook runs at each event about its calls
			converted := len(have) > 0 && row.Event == b.h.Event
			r.idle = r.idle && !b.RunsAt(e.Native) && !converted
		}
		r.broken = firstOf(problem, unfit, r.broken)
		r.most = max(r.most, len(calls))
		running := slices.DeleteFunc(slices.Concat(calls, have), (*caller).waitsForTrust)
		r.running = max(r.running, len(running))
		r.beside = r.beside || len(have) > 0 && len(calls)+len(have) > 1
		r.calls = append(r.calls, calls...)
		r.copies = append(r.copies, have...)
	}
	return r
}

// calledAssumed checks the same as called, as if hookbridge were installed.
func (b *bridged) calledAssumed() []Problem {
	never := func(c schema.Code, why, fix string) []Problem {
		return []Problem{{Never, c, schema.Weaker, why, fix}}
	}
	if b.what.Program && !InPath(cmdline.Program, b.places.Env.Get("PATH")) {
		return never(schema.CodeNotCalled, cmdline.Program+" isn't in PATH, so no entry can run",
			"install "+cmdline.Program+" in a folder of PATH")
	}
	if b.elsewhere != "" && b.ofProject(b.h) {
		return never(schema.CodeNotCalled, b.elsewhere, b.moveTo())
	}
	if why := b.installedOff(b.Entries()); why != "" {
		return never(schema.CodeDisabled, b.host.Profile().Title+" doesn't run hookbridge's entry: "+why,
			"correct that setting")
	}
	return nil
}

// called checks whether the host runs the hook once at every event that it needs.
func (b *bridged) called() (found []Problem) {
	if b.what.Assumed {
		return b.calledAssumed()
	}

	add := func(s HookStatus, c schema.Code, why, fix string) {
		found = append(found, Problem{s, c, schema.Weaker, why, fix})
	}
	host := b.host.Profile()
	r := b.reach()
	repeats, later := Twice, ""
	if r.running < 2 {
		repeats, later = Pending, ", as soon as the project is trusted"
	}

	imported, install := b.imports.runs(b.h), b.install()
	if r.broken.Why != "" && !InPath(cmdline.Program, b.places.Env.Get("PATH")) {
		install = "install " + cmdline.Program + " in a folder of PATH"
	}
	if r.broken.Code == schema.CodeNotStarted { // the fix is for the launcher
		install = r.broken.Fix
	}

	entries := b.Entries()
	absent := r.idle || r.missing == len(entries)
	copies := b.placesOf(entriesOf(r.copies))
	switch {
	case b.elsewhere != "" && host.Layers == dialect.RootAlone && b.ofProject(b.h):
		return append(found, Problem{Never, schema.CodeNotCalled, schema.Weaker, b.elsewhere +
			". hookbridge then runs the hooks of that root", b.moveTo()})
	case absent && b.leftOutBy() != nil:
		return append(found, *b.leftOutBy())
	case absent && b.elsewhere != "":
		add(Never, schema.CodeNotCalled, b.elsewhere+". There it doesn't call hookbridge at "+entries[0].Native,
			b.install())
	case absent && imported:
		why := host.Title + " imports the file by itself and runs the hook with a " + host.Title +
			" payload, which the script doesn't understand"
		if r.broken.Why != "" {
			why += "; hookbridge's entry can't run: " + r.broken.Why
		}
		add(Weaker, schema.CodeForeignImport, why, install)
	case absent && r.broken.Why != "":
		if b.convertedIn() != "" {
			install = "correct it"
		}
		add(Never, r.broken.Code, "hookbridge's entry can't run: "+r.broken.Why, install)
	case r.missing > 0 && b.entryOff(entries) != "":
		add(Never, schema.CodeDisabled, host.Title+" doesn't run hookbridge's entry: "+b.entryOff(entries),
			"correct that setting")
	case r.missing > 0 && b.entryVoid() != nil:
		f := b.entryVoid()
		add(Never, f.Code, host.Title+" doesn't run hookbridge's entry in "+
			b.placeOf(&schema.Hook{Source: schema.Source{File: f.File}, Line: f.Line})+": "+f.Message,
			"correct that file")
	case absent && b.convertedIn() != "":
		add(Never, schema.CodeNotCalled, host.Title+" doesn't call hookbridge at "+entries[0].Native+
			", and other hooks of "+b.d.Profile().Title+" are converted", b.convert())
	case absent:
		add(Never, schema.CodeNotCalled, host.Title+" doesn't call hookbridge at "+entries[0].Native, b.install())
	case r.beside && r.most == 0:
		add(repeats, schema.CodeRunsTwice, "the hook is converted more than once: "+copies+later,
			"remove the entry at "+b.placeOf(r.copies[len(r.copies)-1].entry))
	case r.beside:
		add(repeats, schema.CodeRunsTwice, "the hook is converted in "+copies+", and hookbridge runs it too"+later,
			b.keepOne(&r))
	case r.most > 1:
		add(repeats, schema.CodeRunsTwice, "hookbridge is called more than once for the same event: "+
			b.placesOf(entriesOf(r.calls))+later, b.oneEntry(&r))
	case r.missing > 0:
		add(Weaker, schema.CodeNotCalled, host.Title+" doesn't call hookbridge at every event that the hook needs",
			b.install())
	}

	if imported && !absent {
		found = append(found, b.importedToo(&r))
	}
	if r.missing == 0 && r.broken.Why != "" { // other users may not have the second entry
		found = append(found, Problem{Reached, r.broken.Code, schema.Note, r.broken.Why +
			"; another entry runs the hook here", r.broken.Fix})
	}

	return append(found, b.calledWith(&r)...)
}

// calledWith finds what keeps all entries for a hook from running it.
func (b *bridged) calledWith(r *reach) (found []Problem) {
	var weak, lifted []Problem
	running, waiting, unreviewed := 0, 0, 0
	for i, c := range slices.Concat(r.calls, r.copies) {
		if p := c.problem(); i < len(r.calls) && p != nil {
			weak = append(weak, *p)
		}
		if len(lifted) == 0 {
			lifted = c.overruled()
		}
		if !b.RunsAt(c.entry.Native) {
			continue
		}
		running++
		if c.waitsForTrust() {
			waiting++
		}
		if problems := b.unreviewed(c.entry); len(problems) > 0 {
			unreviewed++
			found = problems
		}
	}

	if unreviewed < running {
		found = nil
	}

	if waiting > 0 && waiting == running && len(r.calls) > 0 {
		p := Problem{Never, schema.CodeUntrusted, schema.Weaker,
			"the user's entry runs the project's hooks only once they are trusted", "hookbridge trust"}
		if b.imports.runs(b.h) && b.imports.sure() {
			p.Status, p.Why = Weaker, p.Why+"; until then only "+b.host.Profile().Title+"'s own import runs it"
		}
		found = append(found, p)
	}

	return slices.Concat(found, weak, lifted)
}

// waitsForTrust reports whether an entry runs a hook only after the user has trusted the project's hooks. That applies
// to hooks that it finds, not to one in its own command line.
func (c *caller) waitsForTrust() bool {
	requires := c.call.Has("require-trust") && c.call.Value("require-trust") != "false"
	return requires && c.call.FindsHooks() && c.untrusted && c.h.Source.OfProject()
}

// importedToo returns the problem of a hook that the host may also import itself. It runs twice only if the import is
// known to be on.
func (b *bridged) importedToo(r *reach) Problem {
	through, host := "hookbridge", b.host.Profile()
	if r.most == 0 {
		through = "the converted hook in " + b.placesOf(entriesOf(r.copies))
	}
	twice := Problem{Twice, schema.CodeForeignImport, schema.Weaker,
		host.Title + " also imports the file, so the hook runs twice: there and through " + through, b.imports.off()}
	switch {
	case host.VoidMember.Name != "" && b.ofProject(b.h): // install makes the host skip the file
		twice.Fix = b.install()
		if r.most == 0 { // install would add hookbridge
			twice.Fix = fmt.Sprintf("add %q: %s to the hook at %s: %s then skips the file", host.VoidMember.Name,
				host.VoidMember.Value, b.placeOf(b.h), host.Title)
		}
	case !b.imports.sure():
		twice.Status, twice.Why = Pending, "runs twice if "+host.Title+"'s own import is also on"
	}
	if r.running == 0 && twice.Status == Twice {
		twice.Status, twice.Why = Pending, host.Title+" also imports the file, so the hook runs twice as soon as "+
			"the project is trusted"
	}
	return twice
}

// callers returns the host's entries of hookbridge at an event that fit.
func (b *bridged) callers(native string, fits func(*cmdline.Call) bool) (list []*caller) {
	for i := range b.own.Hooks {
		own := &b.own.Hooks[i]
		call, ok := cmdline.Parse(own.Command, own.Args)
		if ok && own.Native == native && fits(&call) {
			list = append(list, &caller{b, own, call})
		}
	}
	return list
}

func entriesOf(list []*caller) []*schema.Hook {
	return lists.Map(list, func(c *caller) *schema.Hook { return c.entry })
}

// forAgent reports whether an entry runs hooks of the hook's agent.
func (b *bridged) forAgent(call *cmdline.Call) bool { return call.RunsHooksOf(b.d.Profile().Name) }

// reading reports whether such an entry reads the hook's file.
func (b *bridged) reading(call *cmdline.Call) bool {
	return b.forAgent(call) && call.Reads(b.places.Project, b.h.Source.File)
}

// runningOf lists the host's entries at an event that fit and run the hook. problem is why one of them doesn't run it.
func (b *bridged) runningOf(native string, fits func(*cmdline.Call) bool) (list []*caller, problem Problem) {
	for _, c := range b.callers(native, fits) {
		if p := b.selfProblem(b.host, c.entry); len(p) > 0 {
			problem = Problem{Code: schema.CodeNotCalled, Why: p[0].Why}
		} else if p := c.problem(); p != nil && p.Status == Never {
			problem = *p
		} else {
			list = append(list, c)
		}
	}
	return list, problem
}

// calls returns the entries through which the host calls hookbridge for the hook. Only one of the project's, the user's
// and the administrator's entries runs the hook.
func (b *bridged) calls(native string) (list []*caller, problem Problem) {
	all, problem := b.runningOf(native, b.reading)
	of := func(s schema.Scope) []*caller {
		return slices.DeleteFunc(slices.Clone(all), func(c *caller) bool { return c.call.Scope() != s })
	}
	scopes := []schema.Scope{schema.ScopeUser}
	switch {
	case b.ofProject(b.h):
		scopes = []schema.Scope{schema.ScopeProject, schema.ScopeUser}
	case b.h.Source.Scope == schema.ScopeManaged:
		scopes = []schema.Scope{schema.ScopeManaged, schema.ScopeUser, schema.ScopeProject}
	}

	for _, s := range scopes {
		if list = of(s); len(list) > 0 {
			break
		}
	}

	if scopes[0] == schema.ScopeManaged && len(list) > 0 && list[0].call.Scope() == schema.ScopeManaged {
		return list, problem
	}

	return slices.Concat(list, of(schema.ScopeGiven)), problem
}
