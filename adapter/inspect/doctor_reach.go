package inspect

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// bridgedHook examines a hook that needs hookbridge: whether it is called, and what
// is lost when it is.
func (x *examination) bridgedHook(d dialect.Dialect, h *schema.Hook) []Problem {
	entries := x.outcome(d, h).Entries()
	found := x.carried(d, h, entries)
	if excluded := x.excluded(d, h, entries, found); excluded != nil {
		return excluded
	}
	if len(entries) == 0 {
		return found
	}
	return append(found, x.called(d, h, entries)...)
}

// A reach counts the calls of a hook at the events that it needs.
type reach struct {
	missing, most int
	running       int            // of the entries at one event, those that don't wait for trust
	idle          bool           // none of the entries that run the hook is there
	broken        Problem        // of an entry that can't run; without a Why: none
	calls         []*schema.Hook // entries that call hookbridge for the hook
	copies        []*schema.Hook // entries that have the hook converted
	beside        bool           // at an event that calls hookbridge too, or more than once at one
}

// firstOf is the first problem that is one.
func firstOf(problems ...Problem) (first Problem) {
	i := slices.IndexFunc(problems, func(p Problem) bool { return p.Why != "" })
	if i < 0 {
		return first
	}
	return problems[i]
}

func (x *examination) reach(d dialect.Dialect, h *schema.Hook, entries []schema.Entry) (r reach) {
	own := x.outcome(d, h).Own
	r.idle = len(own) > 0
	for _, e := range entries {
		calls, problem := x.calls(d, h, e.Native)
		have, unfit := x.copies(d, h, e.Native)
		if len(calls)+len(have) == 0 {
			r.missing++
		} else if row := x.host.Profile().Row(e.Native); row.AlsoAs != schema.AlsoForeign {
			runs := slices.ContainsFunc(own, func(o schema.Entry) bool { return o.Native == e.Native })
			converted := len(have) > 0 && row.Event == h.Event // such a hook runs at each event that is about its calls
			r.idle = r.idle && !runs && !converted
		}
		r.broken = firstOf(problem, Problem{Code: schema.CodeNotCalled, Why: unfit}, r.broken)
		r.most = max(r.most, len(calls))
		running := slices.DeleteFunc(slices.Concat(calls, have), func(own *schema.Hook) bool {
			return x.waitsForTrust(h, own)
		})
		r.running = max(r.running, len(running))
		r.beside = r.beside || len(have) > 0 && len(calls)+len(have) > 1
		r.calls = append(r.calls, calls...)
		r.copies = append(r.copies, have...)
	}
	return r
}

// called checks whether the host runs the hook once at every event that it needs.
func (x *examination) called(d dialect.Dialect, h *schema.Hook, entries []schema.Entry) (found []Problem) {
	if x.what.Assumed {
		if x.what.Program && !InPath(cmdline.Program, x.places.Env.Get("PATH")) {
			return []Problem{{Never, schema.CodeNotCalled, schema.Weaker, cmdline.Program +
				" isn't in PATH, so no entry can run", "install " + cmdline.Program + " in a folder of PATH"}}
		}
		if x.elsewhere != "" && x.ofProject(h) {
			return []Problem{{Never, schema.CodeNotCalled, schema.Weaker, x.elsewhere, x.moveTo(d, h)}}
		}
		if why := x.installedOff(entries); why != "" {
			return []Problem{{Never, schema.CodeDisabled, schema.Weaker, x.host.Profile().Title +
				" doesn't run hookbridge's entry: " + why, "correct that setting"}}
		}
		return nil
	}

	add := func(s HookStatus, c schema.Code, why, fix string) {
		found = append(found, Problem{s, c, schema.Weaker, why, fix})
	}
	host := x.host.Profile()
	r := x.reach(d, h, entries)
	repeats, later := Twice, ""
	if r.running < 2 {
		repeats, later = Pending, ", as soon as the project is trusted"
	}

	imported, install := x.runsImported(h), x.install(d, h)
	if r.broken.Why != "" && !InPath(cmdline.Program, x.places.Env.Get("PATH")) {
		install = "install " + cmdline.Program + " in a folder of PATH"
	}
	if r.broken.Code == schema.CodeNotStarted { // of its launcher
		install = r.broken.Fix
	}

	absent := r.idle || r.missing == len(entries)
	switch {
	case x.elsewhere != "" && host.Layers == dialect.RootAlone && x.ofProject(h):
		return append(found, Problem{Never, schema.CodeNotCalled, schema.Weaker, x.elsewhere +
			". hookbridge then runs the hooks of that root", x.moveTo(d, h)})
	case absent && x.leftOutBy(d, h, entries) != nil:
		return append(found, *x.leftOutBy(d, h, entries))
	case absent && x.elsewhere != "":
		add(Never, schema.CodeNotCalled, x.elsewhere+". There it doesn't call hookbridge at "+entries[0].Native,
			x.install(d, h))
	case absent && imported:
		why := host.Title + " imports the file by itself and runs the hook with a " + host.Title +
			" payload, which the script doesn't understand"
		if r.broken.Why != "" {
			why += "; hookbridge's entry can't run: " + r.broken.Why
		}
		add(Weaker, schema.CodeForeignImport, why, install)
	case absent && r.broken.Why != "":
		if x.convertedIn(d) != "" {
			install = "correct it"
		}
		add(Never, r.broken.Code, "hookbridge's entry can't run: "+r.broken.Why, install)
	case r.missing > 0 && x.entryOff(entries) != "":
		add(Never, schema.CodeDisabled, host.Title+" doesn't run hookbridge's entry: "+x.entryOff(entries),
			"correct that setting")
	case r.missing > 0 && x.entryVoid() != nil:
		f := x.entryVoid()
		add(Never, f.Code, host.Title+" doesn't run hookbridge's entry in "+
			x.placeOf(&schema.Hook{Source: schema.Source{File: f.File}, Line: f.Line})+": "+f.Message,
			"correct that file")
	case absent && x.convertedIn(d) != "":
		add(Never, schema.CodeNotCalled, host.Title+" doesn't call hookbridge at "+entries[0].Native+
			", and other hooks of "+d.Profile().Title+" are converted", x.convert(d, h))
	case absent:
		add(Never, schema.CodeNotCalled, host.Title+" doesn't call hookbridge at "+entries[0].Native, x.install(d, h))
	case r.beside && r.most == 0:
		add(repeats, schema.CodeRunsTwice, "the hook is converted more than once: "+x.placesOf(r.copies)+later,
			"remove the entry at "+x.placeOf(r.copies[len(r.copies)-1]))
	case r.beside:
		add(repeats, schema.CodeRunsTwice, "the hook is converted in "+x.placesOf(r.copies)+
			", and hookbridge runs it too"+later, x.keepOne(d, &r))
	case r.most > 1:
		add(repeats, schema.CodeRunsTwice, "hookbridge is called more than once for the same event: "+
			x.placesOf(r.calls)+later, x.oneEntry(d, &r))
	case r.missing > 0:
		add(Weaker, schema.CodeNotCalled, host.Title+" doesn't call hookbridge at every event that the hook needs",
			x.install(d, h))
	}

	if imported && !absent {
		found = append(found, x.importedToo(d, h, &r))
	}

	return append(found, x.calledWith(d, h, &r)...)
}

// calledWith finds what keeps all the entries for a hook from running it.
func (x *examination) calledWith(d dialect.Dialect, h *schema.Hook, r *reach) (found []Problem) {
	var weak, lifted []Problem
	running, waiting, unreviewed := 0, 0, 0
	for i, entry := range slices.Concat(r.calls, r.copies) {
		call, _ := cmdline.Parse(entry.Command, entry.Args)
		if p := x.entryProblem(d, h, entry, &call); i < len(r.calls) && p != nil {
			weak = append(weak, *p)
		}
		if len(lifted) == 0 {
			lifted = x.overruled(d, h, entry)
		}
		if !x.runsAt(d, h, entry.Native) {
			continue
		}
		running++
		if x.waitsForTrust(h, entry) {
			waiting++
		}
		if problems := x.unreviewed(entry); len(problems) > 0 {
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
		if x.runsImported(h) && x.importsForSure() {
			p.Status, p.Why = Weaker, p.Why+"; until then only "+x.host.Profile().Title+"'s own import runs it"
		}
		found = append(found, p)
	}

	return slices.Concat(found, weak, lifted)
}

// waitsForTrust reports whether an entry runs a hook only once the user has trusted the project's hooks.
func (x *examination) waitsForTrust(h, entry *schema.Hook) bool {
	call, _ := cmdline.Parse(entry.Command, entry.Args)
	requires := call.Has("require-trust") && call.Value("require-trust") != "false"
	return requires && x.untrusted && h.Source.OfProject()
}

// install is the command by which the host would call the hook.
func (x *examination) install(d dialect.Dialect, h *schema.Hook) string {
	if x.fix != "" {
		return x.fix
	}
	if x.host.Profile().Modules != nil {
		return "hookbridge convert --from " + d.Profile().Full() + " --to " + x.host.Profile().Full() + " -o hooks.ts"
	}
	install := x.command("install") + " --hooks " + d.Profile().Full()
	if x.elsewhere != "" && x.own.Places.Project != "" && x.ofProject(h) {
		return plan.Command("install", x.host) + " --hooks " + d.Profile().Full() + " --project " +
			shell.Quote(x.own.Places.Project)
	}
	if h.Handler == schema.HandlerCallback { // found only in the module that is named
		install += " --module " + shell.Quote(h.Command)
	} else if h.Source.Scope == schema.ScopeManaged {
		install += " --scope managed"
	} else if !x.ofProject(h) || h.Source.Scope == schema.ScopeLocal { // no file that others share
		install += " --scope user"
	}
	return install
}

// command is a command line of hookbridge for the host and the project.
func (x *examination) command(name string) string {
	line := plan.Command(name, x.host)
	if x.what.From != "" && !dialect.Inside(x.places.Project, x.what.From) {
		line += " --project " + shell.Quote(x.places.Project)
	}
	return line
}

// moveTo says where an entry or a hook of the project has to be for a host that doesn't load the project's files.
func (x *examination) moveTo(d dialect.Dialect, h *schema.Hook) string {
	if x.host.Profile().Layers == dialect.RootAlone {
		return "move the hooks to " + x.own.Places.Project
	}
	return x.install(d, h)
}

// convert is the command that adds a hook to the host's file, as its agent's others
// are.
func (x *examination) convert(d dialect.Dialect, h *schema.Hook) string {
	target := x.convertedIn(d)
	if target == "" {
		for _, s := range x.host.Locate(x.places) {
			if s.Scope == schema.ScopeProject && !s.Folder && target == "" {
				target = s.File
			}
		}
	}
	return "hookbridge convert --from " + d.Profile().Full() + " --to " + x.host.Profile().Full() + " " +
		shell.Quote(x.short(h.Source.File)) + " --merge " + shell.Quote(x.short(target))
}

// short is a file relative to the user's working directory, as commands take it.
func (x *examination) short(file string) string {
	return filepath.ToSlash(trust.InProject(cmp.Or(x.what.From, x.places.Project), file))
}

func (x *examination) placeOf(h *schema.Hook) string {
	place := filepath.ToSlash(trust.InProject(x.places.Project, h.Source.File))
	if h.Line > 0 {
		place += ":" + strconv.Itoa(h.Line)
	}
	return place
}

func (x *examination) placesOf(list []*schema.Hook) string {
	var out []string
	for _, h := range list {
		if p := x.placeOf(h); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return plan.Listed(out, "and")
}

// allConverted reports whether hookbridge is needed for no hook of d.
func (x *examination) allConverted(d dialect.Dialect) bool {
	res, _ := survey.LoadScope(d, x.places, schema.ScopeProject)
	return !slices.ContainsFunc(res.Hooks, func(h schema.Hook) bool {
		entries := x.outcome(d, &h).Entries()
		return slices.ContainsFunc(entries, func(e schema.Entry) bool {
			have, _ := x.copies(d, &h, e.Native)
			return len(have) == 0
		})
	})
}

// oneEntry is what to do about several entries for the same event.
func (x *examination) oneEntry(d dialect.Dialect, r *reach) string {
	var scopes []string
	above := func(h *schema.Hook) bool {
		return h.Source.OfProject() && !dialect.Within(x.places.Project, h.Source.File)
	}
	if i := slices.IndexFunc(r.calls, above); i >= 0 {
		return "remove the entry at " + x.placeOf(r.calls[0]) + "; that at " + x.placeOf(r.calls[i]) +
			" runs the hook too"
	}

	again := func(a *schema.Hook) bool {
		return slices.ContainsFunc(r.calls, func(b *schema.Hook) bool {
			return a != b && a.Path == b.Path && a.Source.File == b.Source.File
		})
	}
	if slices.ContainsFunc(r.calls, again) {
		return "start " + x.host.Profile().Title +
			" in another folder: it loads the hook files of your home folder twice here"
	}

	for _, h := range r.calls {
		call, _ := cmdline.Parse(h.Command, h.Args)
		if !call.Installed(x.host.Profile().Name, d.Profile().Name) || !h.Source.OfProject() &&
			h.Source.Scope != schema.ScopeUser {
			return "remove the entry at " + x.placeOf(h)
		}
		line := x.command("install") + " --hooks " + d.Profile().Full()
		if !h.Source.OfProject() {
			line += " --scope user"
		}
		if !slices.Contains(scopes, line) {
			scopes = append(scopes, line)
		}
	}

	return strings.Join(scopes, " && ")
}

// runsImported reports whether the host loads the hook's file by itself and runs the
// hook.
func (x *examination) runsImported(h *schema.Hook) bool {
	stopped := x.what.Assumed && x.host.Profile().VoidMember.Name != "" && x.ofProject(h) // by install
	if stopped || !slices.Contains(x.imported, h.Source.File) {
		return false
	}
	_, runs := x.host.Abilities().Imports.Import(*h)
	return runs
}

// importsForSure reports whether the host's import of other agents' files is known to be on.
func (x *examination) importsForSure() bool {
	return x.what.Imports == simulate.ImportsOn || x.host.Abilities().Imports.AlwaysImports()
}

// importedToo is a hook that the host may run by itself as well: twice
// only if the import is known to be on.
func (x *examination) importedToo(d dialect.Dialect, h *schema.Hook, r *reach) Problem {
	through, host := "hookbridge", x.host.Profile()
	if r.most == 0 {
		through = "the converted hook in " + x.placesOf(r.copies)
	}
	twice := Problem{Twice, schema.CodeForeignImport, schema.Weaker,
		host.Title + " also imports the file, so the hook runs twice: there and through " + through, x.importOff()}
	switch {
	case host.VoidMember.Name != "" && x.ofProject(h): // install makes it skip the file
		twice.Fix = x.install(d, h)
		if r.most == 0 { // install would add hookbridge
			twice.Fix = fmt.Sprintf("add %q: %s to the hook at %s: %s then skips the file", host.VoidMember.Name,
				host.VoidMember.Value, x.placeOf(h), host.Title)
		}
	case !x.importsForSure():
		twice.Status, twice.Why = Pending, "runs twice if "+host.Title+"'s own import is also on"
	}
	if r.running == 0 && twice.Status == Twice {
		twice.Status, twice.Why = Pending, host.Title+" also imports the file, so the hook runs twice as soon as "+
			"the project is trusted"
	}
	return twice
}

// importOff says how a host's import is switched off, and how to declare that to hookbridge.
func (x *examination) importOff() string {
	host := x.host.Profile()
	where := ""
	if importer := x.host.Abilities().Imports; importer != nil {
		where = " (" + importer.ImportSwitch() + ")"
	}
	return "switch the import off in " + host.Title + where + " and record that in hookbridge.yaml: facts: {" +
		host.Name + ": {" + ImportFact + ": off}}"
}

// convertedIn is the last file of the host's in which hooks of d are converted, "" if
// there is none. To install hookbridge there would run those twice.
func (x *examination) convertedIn(d dialect.Dialect) (file string) {
	for i := range x.own.Hooks {
		if of := cmdline.Unwrap(x.own.Hooks[i].Command, x.own.Hooks[i].Args); len(of) > 0 &&
			dialect.BaseName(of[0].Hooks) == d.Profile().Name {
			file = x.own.Hooks[i].Source.File
		}
	}
	return file
}

// calls lists the entries by which the host calls hookbridge for a hook of d, and
// finds what keeps one of them from running. Of the entries of the project, the user and
// the administrator one runs the hook.
func (x *examination) calls(d dialect.Dialect, h *schema.Hook, native string) (list []*schema.Hook, problem Problem) {
	by := map[schema.Scope][]*schema.Hook{}
	for i := range x.own.Hooks {
		own := &x.own.Hooks[i]
		call, ok := cmdline.Parse(own.Command, own.Args)
		if !ok || own.Native != native || !call.RunsHooksOf(d.Profile().Name) ||
			!call.Reads(x.places.Project, h.Source.File) {
			continue
		}
		if p := x.selfProblem(x.host, own); len(p) > 0 {
			problem = Problem{Code: schema.CodeNotCalled, Why: p[0].Why}
			continue
		}
		if p := x.entryProblem(d, h, own, &call); p != nil && p.Status == Never {
			problem = *p
			continue
		}
		by[call.Scope()] = append(by[call.Scope()], own)
	}

	scopes := []schema.Scope{schema.ScopeUser}
	switch {
	case x.ofProject(h):
		scopes = []schema.Scope{schema.ScopeProject, schema.ScopeUser}
	case h.Source.Scope == schema.ScopeManaged:
		scopes = []schema.Scope{schema.ScopeManaged, schema.ScopeUser, schema.ScopeProject}
	}

	for _, s := range scopes {
		if len(list) == 0 {
			list = by[s]
		}
	}

	if len(by[schema.ScopeManaged]) > 0 && h.Source.Scope == schema.ScopeManaged {
		return list, problem
	}

	return slices.Concat(list, by[schema.ScopeGiven]), problem
}
