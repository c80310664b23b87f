package inspect

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/internal/wildcard"
	"github.com/hookbridge/hookbridge/schema"
)

// HookStatus is whether and how a hook runs under a host. The zero HookStatus is invalid.
type HookStatus uint8

const (
	_        HookStatus = iota
	Reached             // it runs with all its effects
	Excluded            // hookbridge.yaml excludes it from the host, which doesn't run it
	// it is correct, but the user still has to do something that no file of the project shows
	Pending
	Weaker // it runs, but part of it has no effect
	Twice  // it runs more than once for one call
	Never  // it does not run
)

var statusNames = [...]string{"status(invalid)", "reached", "excluded", "pending", "weaker", "twice", "never"}

// String returns the word used in reports.
func (s HookStatus) String() string { return schema.NameOfValue(statusNames[:], s) }

// MarshalText returns the same word as String.
func (s HookStatus) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Finding describes how and why one hook runs under one host. A hook without problems is reached.
type Finding struct {
	Host, Hooks string
	File, Path  string
	Line, Col   int
	Event       string
	Hook        *schema.Hook // nil: the finding is about a file
	Problems    []Problem    // worst first
	// FailsOpen: the hook can deny a call, but the call proceeds if the hook fails or times out.
	FailsOpen bool
	// OthersOwn: the hook is the user's own, and hookbridge is installed only for the project, which isn't at fault.
	OthersOwn bool
}

// Status returns the worst status of the problems.
func (f *Finding) Status() HookStatus {
	if len(f.Problems) == 0 {
		return Reached
	}
	return f.Problems[0].Status
}

// A Problem is one reason why a hook doesn't work like under its own agent.
type Problem struct {
	Status   HookStatus
	Code     schema.Code
	Severity schema.Severity
	Why      string
	Fix      string // what to do, starting with the command if any; "": the advice for the code
}

// Remedy returns the Fix, or else the advice for the code.
func (p *Problem) Remedy() string {
	return schema.Diagnostic{Code: p.Code, Fix: p.Fix}.Remedy()
}

// Fails reports whether a problem of the finding should fail a check: a hook that runs twice, a guard that never runs
// or is weaker, or a mistake in a file. If a hook can't run in a host but only informs or reacts, that is a loss.
func (f *Finding) Fails(p Problem) bool {
	return p.Status >= Weaker && p.Severity >= schema.Weaker || p.Status >= Twice && f.Hook == nil
}

// Examined selects what to examine in addition to the files in their usual places.
type Examined struct {
	Given     []string         // more of the host's own files
	Hooks     string           // only hooks of this agent; "": of all agents
	Imports   simulate.Imports // whether the host's own import of other agents' files is on
	Assumed   bool             // as if hookbridge were installed
	Trusted   trust.Records    // where trusted projects are recorded; none: trust isn't checked
	UserToo   bool             // report on the user's own hooks, not the project's
	From      string           // folder that paths in commands are relative to; "": the project
	Evaluator string           // with Assumed: the evaluator of the entries
	Version   string           // of this hookbridge; "": not compared with what entries require
	Program   bool             // with Assumed: the entries start the hookbridge in PATH
	Policy    cmdline.Policy   // with Assumed: the policy of the entries
	File      *projectfile.File
}

// ImportFact is the name of the fact in hookbridge.yaml that sets Examined.Imports.
const ImportFact = "third-party-imports"

// Examine determines whether and how each hook that a known agent would load here runs under the host.
func Examine(host dialect.Dialect, p schema.Places, what Examined) []Finding {
	x := examine(host, p, what)
	for _, d := range adapter.Dialects() {
		if asked, err := adapter.Find(what.Hooks); err == nil && dialect.BaseName(what.Hooks) == d.Profile().Name {
			d = asked // the version or program in what.Hooks
		}
		switch {
		case what.Hooks != "" && d.Profile().Full() != what.Hooks && d.Profile().Name != what.Hooks:
		case dialect.Related(d, host):
			x.native(d)
		default:
			x.foreign(d)
		}
	}
	x.repeated()
	x.editingServers()
	return x.found
}

// Unread returns one finding for each file of the project that looks like a hook file but that no agent reads.
func Unread(p schema.Places) (found []Finding) {
	for _, m := range survey.Unread(p) {
		agent := m.Agent.Profile().Name
		found = append(found, Finding{Host: agent, Hooks: agent, File: m.File,
			Problems: []Problem{{Never, schema.CodeUnreadable, schema.CodeUnreadable.Severity(), m.Message(p.Project),
				m.Fix(p.Project)}}})
	}
	return found
}

// ExamineModule does the same as Examine for the callbacks of one module, which a host calls through hookbridge. cfg is
// nil if the module can't be used; ds then contains the reason.
func ExamineModule(host, d dialect.Dialect, cfg *schema.Config, ds schema.Diagnostics, p schema.Places) []Finding {
	x := examine(host, p, Examined{})
	if cfg == nil {
		x.mistakes(d, nil, ds)
		return x.found
	}
	x.mistakes(d, cfg.Hooks, ds)
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		if dialect.Related(d, host) {
			x.add(d, h)
		} else {
			x.add(d, h, x.bridged(d, h).problems()...)
		}
	}
	return x.found
}

func examine(host dialect.Dialect, p schema.Places, what Examined) *examination {
	x := &examination{host: host, places: p, what: what}
	x.ofProject = func(h *schema.Hook) bool { return h.Source.OfProject() }
	x.imports = imports{host: host, state: what.Imports, voids: func(h *schema.Hook) bool {
		return what.Assumed && host.Profile().VoidMember.Name != "" && x.ofProject(h)
	}}
	own := survey.Load(host, p, what.Given)
	x.own = own
	x.elsewhere, _ = survey.Elsewhere(host, p.Project)
	if importer := host.Abilities().Imports; importer != nil && what.Imports != simulate.ImportsOff {
		x.imports.files = importer.Imported(own.Places, discover.Read)
	}
	return x
}

type examination struct {
	host      dialect.Dialect
	places    schema.Places
	what      Examined
	own       survey.Loaded
	elsewhere string // why the host doesn't load the project's files, "" if it does
	imports   imports
	ofProject func(*schema.Hook) bool // whether a hook of the examined agent is the project's
	untrusted bool                    // the project's hooks of that agent aren't trusted in their current form
	noted     map[[2]string][]Problem // by a hook's file and JSON Pointer
	found     []Finding
	fix       string                   // how to make the host run the hooks of a plugin
	planners  map[string]*plan.Planner // by agent, each with its cache of matchers
	outcomes  map[outcomeOf]plan.Outcome
	steps     map[string]*simulate.Step // by event and payload
	played    map[sampledAt]sampled
}

type outcomeOf struct {
	agent string
	hook  *schema.Hook
}

// planner returns the one planner for an agent's hooks, which caches matchers.
func (x *examination) planner(d dialect.Dialect) *plan.Planner {
	if x.planners == nil {
		x.planners, x.outcomes = map[string]*plan.Planner{}, map[outcomeOf]plan.Outcome{}
	}
	name := adapter.NameOf(d)
	if x.planners[name] == nil {
		x.planners[name] = plan.New(d, x.host)
	}
	return x.planners[name]
}

// outcome returns the outcome of a hook under the host, computed once.
func (x *examination) outcome(d dialect.Dialect, h *schema.Hook) *plan.Outcome {
	planner, of := x.planner(d), outcomeOf{adapter.NameOf(d), h}
	o, known := x.outcomes[of]
	if !known {
		o = planner.Outcome(h, true)
		x.outcomes[of] = o
	}
	return &o
}

// add adds the finding about a hook, the worst problem first.
func (x *examination) add(d dialect.Dialect, h *schema.Hook, problems ...Problem) {
	problems = merge(slices.Clone(x.noted[[2]string{h.Source.File, h.Path}]), problems)
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(b.Status, a.Status), cmp.Compare(b.Severity, a.Severity))
	})
	x.found = append(x.found, Finding{
		Host: x.host.Profile().Name, Hooks: d.Profile().Name, File: h.Source.File, Path: h.Path, Line: h.Line,
		Col: h.Col, Event: h.Native,
		Hook: h, Problems: problems, OthersOwn: x.leftToUser(h, problems), FailsOpen: x.failsOpen(d, h),
	})
}

// failsOpen reports whether the call proceeds if a guard fails: neither the hook nor every entry that runs it blocks on
// failure.
func (x *examination) failsOpen(d dialect.Dialect, h *schema.Hook) bool {
	row := d.Profile().Row(h.Native)
	if row == nil || row.Blocks&schema.EffectDeny == 0 || h.Fail == schema.FailClosed || h.Async {
		return false
	}
	if dialect.Related(d, x.host) {
		return true
	}
	found, open, b := false, false, x.bridged(d, h)
	for _, e := range b.Own {
		calls, _ := b.calls(e.Native)
		for _, c := range calls {
			found, open = true, open || c.call.Text("on-failure") != "block"
		}
	}
	return open || !found
}

// leftToUser reports whether the only fault of one of the user's own hooks is that the user has no entry of hookbridge.
func (x *examination) leftToUser(h *schema.Hook, problems []Problem) bool {
	if h.Source.Scope != schema.ScopeUser || x.what.UserToo {
		return false
	}
	faults := slices.DeleteFunc(slices.Clone(problems), func(p Problem) bool {
		return p.Status < Twice || p.Severity < schema.Weaker
	})
	return len(faults) > 0 && !slices.ContainsFunc(faults, func(p Problem) bool {
		return p.Code != schema.CodeNotCalled
	})
}

// native examines the host's own hooks, which were written for d: the host or another version of its agent.
func (x *examination) native(d dialect.Dialect) {
	x.mistakes(x.host, allHooks(&x.own.Result), x.own.Found)
	x.notAllowed(x.host, &x.own.Result)
	x.switchedOff(x.host, &x.own.Result, x.own.Found)
	for i := range x.own.Hooks {
		h := &x.own.Hooks[i]
		problems := slices.Concat(x.selfProblem(x.host, h), x.missing(x.host, h), x.unreviewed(h))
		broken := func(p Problem) bool { return p.Status > Pending }
		if cmdline.FindsHooks(h.Command, h.Args) && !slices.ContainsFunc(problems, broken) {
			continue // it runs other hooks, which are examined separately
		}
		switch of := cmdline.Unwrap(h.Command, h.Args); {
		case len(of) > 0:
			problems = append(problems, x.apart(h, of)...)
			for i := range of {
				problems = append(problems, x.misplaced(h, &of[i])...)
			}
		case adapter.OtherVersion(d, x.host) && d.Profile().Fixed():
			problems = append(problems, x.otherVersion(d, h)...)
		}
		for _, f := range plan.OwnLimits(x.host.Profile(), h) {
			problems = append(problems, Problem{Reached, f.Code, f.Severity, f.Message, f.Fix})
		}
		x.add(x.host, h, problems...)
	}

	for _, h := range x.inFrontMatter(x.host) {
		x.add(x.host, &h, x.selfProblem(x.host, &h)...)
	}

	x.notLoaded()
}

// notLoaded examines hooks in the host's own project files if the host loads other, different files instead.
func (x *examination) notLoaded() {
	if x.elsewhere == "" || x.own.Places.Project == "" {
		return
	}
	res, _ := survey.LoadScope(x.host, x.places, schema.ScopeProject)
	for i := range res.Hooks {
		h := &res.Hooks[i]
		there := filepath.Join(x.own.Places.Project, trust.InProject(x.places.Project, h.Source.File))
		text, _ := discover.Read(h.Source.File)
		if same, err := discover.Read(there); err == nil && bytes.Equal(text, same) ||
			cmdline.FindsHooks(h.Command, h.Args) {
			continue
		}
		x.add(x.host, h, Problem{Never, schema.CodeUnreadable, plan.GuardSeverity(x.host, h), x.elsewhere,
			"add the hook to " + there})
	}
}

// otherVersion reports how a hook for another version of the host runs.
func (x *examination) otherVersion(d dialect.Dialect, h *schema.Hook) []Problem {
	found := x.bridged(d, h).planned()
	return append(found, Problem{Weaker, schema.CodeForeignImport, plan.GuardSeverity(d, h),
		"the hook gets the payload of " + x.host.Profile().Full() +
			", which also reads its answer; it was written for " + d.Profile().Full(), x.bridged(d, h).convert()})
}

// misplaced reports an entry of convert for a hook of another version of the host's agent. At the entry's event, that
// hook doesn't get its calls.
func (x *examination) misplaced(own *schema.Hook, w *cmdline.Wrapping) []Problem {
	d, err := adapter.Find(w.Hooks)
	if err != nil || !adapter.SameAgent(d, x.host) {
		return nil
	}
	h := w.Hook
	row := d.Profile().Row(w.Event)
	if row == nil {
		return nil
	}
	h.Native, h.Event, h.Gate, h.Inline = row.Native, row.Event, row.Gate != nil, row.Inline()
	if slices.ContainsFunc(x.outcome(d, &h).Entries(), func(e schema.Entry) bool {
		return e.Native == own.Native
	}) {
		return nil
	}
	return []Problem{{Never, schema.CodeNotCalled, plan.GuardSeverity(d, &h), "the entry runs " + schema.An(w.Event) +
		" hook at " + own.Native +
		", where it doesn't get the calls that it is for",
		"convert the hook again, with hookbridge convert --from " + shell.Quote(w.Hooks) +
			" --to " + x.host.Profile().Full()}}
}

// unreviewed reports the effect of the host's record of reviews on one of its own hooks.
func (x *examination) unreviewed(h *schema.Hook) []Problem {
	keeper, name := x.host.Abilities().Trust, x.host.Profile().Title
	if keeper == nil || x.what.Assumed {
		return nil
	}
	p := Problem{Status: Never, Code: schema.CodeUnreviewed, Severity: schema.Weaker, Fix: keeper.Review()}
	switch keeper.Trust(h, x.own.Places, discover.Read) {
	case dialect.Untrusted, dialect.FolderUnlisted:
		p.Status, p.Why = Pending, name+" runs this entry only after you have approved it"
	case dialect.NoCheckout:
		p.Status, p.Why = Pending, name+" runs a project's hooks in the root of a Git checkout only, and this is none"
	case dialect.TrustModified:
		p.Why = "the entry has changed since you reviewed it in " + name
	case dialect.TrustOff:
		p.Why = "you have switched this entry off in " + name
	case dialect.FolderUntrusted:
		p.Why = "you have told " + name + " not to trust this folder"
	default:
		return nil
	}
	return []Problem{p}
}

// foreign examines the hooks of another agent, which need hookbridge.
func (x *examination) foreign(d dialect.Dialect) {
	res, ds := survey.ForEntry(d, x.places, nil)
	x.ofProject = survey.ProjectHooks(d, x.places, res.Configs)
	x.untrusted = !x.what.Trusted.None() && !x.trusts(d, &res)
	x.mistakes(d, allHooks(&res), ds)
	x.notAllowed(d, &res)
	x.switchedOff(d, &res, ds)
	res.Hooks = survey.LoadedOnce(d, x.places, res.Hooks)
	for i := range res.Hooks {
		h := &res.Hooks[i]
		if cmdline.FindsHooks(h.Command, h.Args) || cmdline.GuardsHost(h.Command, h.Args) || x.isCopy(h) {
			continue // an entry in the other direction, or for its own agent only
		}
		x.add(d, h, x.bridged(d, h).problems()...)
	}
	for _, h := range x.inFrontMatter(d) {
		x.add(d, &h, x.bridged(d, &h).scoped()...)
	}
}

// trusts reports whether the project's hook files are recorded in their current form.
func (x *examination) trusts(d dialect.Dialect, res *discover.Result) bool {
	ground := &trust.Ground{Places: x.places}
	foreign := ground.Foreign(d.Profile().Reads, nil)
	sum, files, err := trust.Fingerprint(x.places.Project, x.places.Project, *res, foreign)
	return err == nil && (len(files) == 0 || slices.Contains(x.what.Trusted.Of(ground), sum))
}

// notAllowed reports requests to addresses that aren't in the lists of allowed addresses in the settings.
func (x *examination) notAllowed(d dialect.Dialect, res *discover.Result) {
	var allowed, files []string
	for _, c := range res.Configs {
		if c.AllowURLs != nil {
			allowed, files = append(allowed, c.AllowURLs...), append(files, c.Source.File)
		}
	}
	for i := range res.Hooks {
		h := &res.Hooks[i]
		fits := func(pattern string) bool { return wildcard.MatchAddress(pattern, h.URL, d.Profile().HTTP.AnyPort) }
		if h.Handler == schema.HandlerHTTP && len(files) > 0 && !slices.ContainsFunc(allowed, fits) {
			x.note(h, Problem{Never, schema.CodeDisabled, schema.Weaker, "the allowed addresses in " +
				plan.Listed(files, "and") + " don't include " + h.URL,
				"add the address to that list if the hook should run"})
		}
	}
}

// switchedOff reports hooks that a setting of their agent switches off. A host that imports their file may ignore the
// setting.
func (x *examination) switchedOff(d dialect.Dialect, res *discover.Result, ds schema.Diagnostics) {
	why := map[string]string{} // by file
	for _, f := range ds {
		if f.Code == schema.CodeDisabled {
			why[f.File] = f.Message
		}
	}
	kept := schema.Kept(res.Hooks)
	for _, c := range res.Configs {
		for i := range c.Hooks {
			h := &c.Hooks[i]
			said := cmp.Or(why[h.Source.File], "a setting of "+d.Profile().Title+" switches it off")
			switch {
			case kept(h) || cmdline.FindsHooks(h.Command, h.Args) && !dialect.Related(d, x.host):
			case !dialect.Related(d, x.host) && x.imports.runs(h):
				x.add(d, h, Problem{Weaker, schema.CodeDisabled, schema.Weaker, x.host.Profile().Title +
					" imports the file by itself and runs the hook with a " +
					x.host.Profile().Title + " payload, although " + said, "remove the hook, or " + x.imports.off()})
			default:
				x.add(d, h, Problem{Never, schema.CodeDisabled, schema.Weaker, said,
					"remove that setting if the hook should run"})
			}
		}
	}
}
