package convert

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// An Installation describes hookbridge's entries in a host's configuration: one entry per event, for the hooks of all
// agents.
type Installation struct {
	Host  dialect.Dialect
	Hooks []dialect.Dialect // whose hooks the entries run
	Path  string            // of the program; "": the host looks for it in PATH
	cmdline.Policy
	FailClosed bool
	Trust      bool           // --require-trust, for a user's own entry
	Scope      schema.Scope   // whose hooks the entries run; ScopeGiven: all that are found
	Module     string         // file of the callbacks to run; "": hookbridge finds the hooks
	Flags      []cmdline.Flag // further flags of run
	Launch     *Launch        // the launcher of hookbridge; nil: the entries start it directly
	Narrow     bool           // the entries run for the hooks' tools and few others
}

// A Launch describes the launcher through which entries start hookbridge. Entries of a plugin run only for the hooks'
// tools.
type Launch struct {
	Word   string // the first word of an entry of a plugin; "": the project's launcher
	Closed bool   // if hookbridge is missing, calls are refused
	Say    bool   // if hookbridge is missing, an entry at the start of a session warns the user
	Shared bool   // several agents read the entries, so they name no agent and no timeout
}

// ofPlugin reports whether the launcher is a plugin's.
func (l *Launch) ofPlugin() bool { return l != nil && l.Word != "" }

// refuses reports whether an entry at an event refuses calls without hookbridge. gate: hooks may refuse calls there.
func (l *Launch) refuses(row *schema.EventRow, gate bool) bool {
	blocks := row.Event == schema.PreTool && row.Blocks&schema.EffectDeny != 0
	return l != nil && l.Closed && gate && blocks
}

// adapt changes an entry's call to start the launcher.
func (l *Launch) adapt(c *cmdline.Call, host *dialect.Profile, row *schema.EventRow, closed bool) {
	c.Launcher = l.Word
	if !l.ofPlugin() {
		c.Path, c.ProjectLauncher = "", cmdline.LaunchWords(host, closed)
	}
	if l.Shared {
		c.Flags = slices.DeleteFunc(c.Flags, func(f cmdline.Flag) bool { return f.Name == "host" })
	}
	switch {
	case l.Say && row.Native == host.Generic(schema.SessionStart) && row.Honors != 0:
		c.Set("missing", "say")
	case closed:
		c.Set("missing", "closed")
	}
}

// join returns the matcher of an entry for hooks with either matcher. If one is neither a list of names nor an
// expression for whole names, the result selects every call.
func join(a, b string) string {
	names := func(s string) bool { return s != "" && strings.Trim(s, listed) == "" }
	whole := func(s string) bool { return strings.HasPrefix(s, "^") && strings.HasSuffix(s, "$") }
	switch {
	case whole(a) && strings.Contains("|"+a+"|", "|"+b+"|"):
		return a
	case whole(a) && whole(b): // regular expressions
		return a + "|" + b
	case names(a) && whole(b):
		return "^(?:" + a + ")$|" + b
	case whole(a) && names(b):
		return a + "|^(?:" + b + ")$"
	case !names(a) || !names(b):
		return ""
	}
	all := strings.Split(a, "|")
	for _, name := range strings.Split(b, "|") {
		all = lists.With(all, name)
	}
	return strings.Join(all, "|")
}

// listed has the characters of a list of tools, in every agent's grammar.
const listed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_|"

// States reports whether the Installation has a field for a flag of run.
func (in *Installation) States(flag string) bool {
	return slices.Contains([]string{"ask", "allow", "fail-closed"}, flag)
}

// unrunnable returns why hookbridge can't run a hook that the host calls it for, or the zero Finding. Another version
// of the hook's agent runs it itself or not at all.
func (in *Installation) unrunnable(d dialect.Dialect, h *schema.Hook, entries []schema.Entry) (f plan.Finding) {
	what := schema.An(h.Handler.String()) + " hook"
	switch evaluates := func(f cmdline.Flag) bool { return f.Name == "evaluator" && f.Value != "" }; {
	case adapter.OtherVersion(d, in.Host):
		i := slices.IndexFunc(entries, func(e schema.Entry) bool { return !plan.Handles(in.Host, e, h) })
		if i >= 0 && h.Handler != schema.HandlerCallback {
			f = plan.Skipped(in.Host, entries[i].Native, h)
		}
	case h.Handler == schema.HandlerMCPTool:
		f = plan.Finding{Code: schema.CodeNoHandler, Message: what + " can't run outside " + d.Profile().Title}
	case (h.Handler == schema.HandlerPrompt || h.Handler == schema.HandlerAgent) &&
		!slices.ContainsFunc(in.Flags, evaluates):
		f = plan.Finding{Code: schema.CodeNoEvaluator,
			Message: what + " needs an evaluator, and the entry names none: add --evaluator COMMAND"}
	}
	return f
}

// reportAll adds the findings from the tables for a hook.
func reportAll(ds *schema.Diagnostics, d dialect.Dialect, h *schema.Hook, found []plan.Finding) {
	for _, f := range found {
		x := ds.AddSeverity(f.Code, f.Severity, "", f.Message)
		x.OfHook(h)
		x.Fix = f.Fix
		switch f.Member {
		case schema.HookMatcher:
			x.Path = h.MatcherPath()
		case schema.HookTimeout:
			if h.Timeout > 0 {
				x.Path = h.MemberPath(d.Profile().MemberName(f.Member))
			}
		}
	}
}

// A need describes the requirements for the entry at one event of the host.
type need struct {
	matcher string
	gate    bool         // a hook may refuse calls there
	waits   []*plan.Wait // by agent, nil where the agent needs nothing here
}

// limit returns how long the host has to wait. The hooks of all agents run at once.
func (n *need) limit() (longest time.Duration) {
	for _, w := range n.waits {
		if w != nil {
			longest = max(longest, w.Entry())
		}
	}
	return longest
}

// needs has the need of each event, by the host's name for the event.
type needs map[string]*need

func (in *Installation) wait(n needs, native, matcher string, agent int) *plan.Wait {
	x := n[native]
	if x == nil {
		x = &need{matcher: matcher, waits: make([]*plan.Wait, len(in.Hooks))}
		n[native] = x
	}
	if x.waits[agent] == nil {
		x.waits[agent] = &plan.Wait{}
	}
	switch {
	case x.matcher == matcher:
	case in.Launch.ofPlugin() || in.Narrow:
		x.matcher = join(x.matcher, matcher)
		if most := in.Host.Profile().Grammar.Most; most > 0 && len(x.matcher) > most {
			x.matcher = "" // the host rejects longer matchers
		}
	default:
		x.matcher = ""
	}
	return x.waits[agent]
}

// Entries returns one entry for each event of the host that a hook needs, in the host's order. hooks has the hooks of
// each agent. A hook without an event there is reported.
func (in *Installation) Entries(hooks ...[]schema.Hook) ([]Placed, schema.Diagnostics) {
	var ds schema.Diagnostics
	if in.Host == nil {
		ds.Add(schema.CodeBridge, "", "Installation.Host is nil: no agent to make entries for")
		return nil, ds
	}

	all := needs{}
	for i, d := range in.Hooks {
		in.collect(all, i, d, hooks[i], &ds)
	}

	if in.Ask == cmdline.AskRelay {
		c := &schema.Call{Tool: schema.Tool{Kinds: []schema.Kind{schema.Shell}}}
		if gate, _ := in.Host.Asks(c); gate != "" && len(all) > 0 {
			in.wait(all, gate, "", 0).AtLeast(time.Minute)
		}
	}

	told := in.Host.Profile().Generic(schema.SessionStart)
	// sessions are also counted and hooks pinned there
	seen := slices.ContainsFunc(in.Flags, func(f cmdline.Flag) bool {
		return (f.Name == "seen" || f.Name == "pin-hooks") && f.Value != "false"
	})
	says := in.Launch != nil && in.Launch.Say && told != "" && in.Host.Profile().Row(told).Honors != 0
	if wanted := seen || says; wanted && told != "" && len(all) > 0 {
		in.wait(all, told, "", 0).AtLeast(time.Minute)
	}

	var out []Placed
	refuses := false
	for _, row := range in.Host.Profile().Events {
		if n := all[row.Native]; n != nil {
			if in.Narrow && n.matcher == "" {
				n.matcher = in.widest(row.Event, row.Native)
			}
			out = append(out, in.entry(row.Native, n))
			refuses = refuses || in.Launch.refuses(&row, n.gate)
		}
	}
	if why := in.openOnWindows(); refuses && why != "" {
		ds.AddSeverity(schema.CodeNotCalled, schema.Loss, "", "on Windows "+why+
			", so calls proceed there without hookbridge")
	}

	return out, ds
}

// openOnWindows returns why the entries refuse nothing on Windows, "" if they do refuse.
func (in *Installation) openOnWindows() string {
	switch p := in.Host.Profile(); {
	case p.Starts.Windows == dialect.NotThere:
		return p.Title + " starts no file that is for sh"
	case in.Launch.ofPlugin() && p.Starts.Windows == dialect.PowerShell5 &&
		p.MemberName(schema.HookFailPolicy) == "":
		return p.Title + " starts the entries by PowerShell, which rejects a command that begins with a quote"
	}
	return ""
}

// collect adds what the hooks of one agent need.
func (in *Installation) collect(all needs, agent int, d dialect.Dialect, hooks []schema.Hook, ds *schema.Diagnostics) {
	p := plan.New(d, in.Host)
	for i := range hooks {
		h := &hooks[i]
		if cmdline.FindsHooks(h.Command, h.Args) || cmdline.GuardsHost(h.Command, h.Args) {
			continue
		}

		becomes := p.Outcome(h, true)
		entries := becomes.Own
		reportAll(ds, d, h, becomes.Found)
		if len(entries) == 0 {
			continue
		}

		if f := in.unrunnable(d, h, entries); f.Code != "" {
			x := ds.AddSeverity(f.Code, plan.GuardSeverity(d, h), "", f.Message)
			x.OfHook(h)
			x.Fix = f.Fix
		}

		for _, e := range entries {
			in.wait(all, e.Native, in.wide(h, e), agent).Add(d.Profile(), h, d.Profile().Timeout(h))
			all[e.Native].gate = true
		}

		if native := becomes.Later; native != "" {
			in.wait(all, native, "", agent).AtLeast(time.Minute)
			all[native].gate = true
		}

		for _, e := range becomes.Record {
			if !in.Narrow {
				e.Matcher = ""
			}
			in.wait(all, e.Native, e.Matcher, agent).AtLeast(time.Minute)
		}
	}
}

// wide returns the matcher of hookbridge's own entry. It is as wide as the event allows, because hookbridge checks each
// hook's matcher itself. If the host has a separate event for some tools, they stay separate.
func (in *Installation) wide(h *schema.Hook, e schema.Entry) string {
	if in.Launch.ofPlugin() && (!in.Launch.Shared || h.Event.IsTool()) {
		return e.Matcher
	}
	if in.Launch.ofPlugin() { // agents read the same matcher differently
		return ""
	}
	if in.Narrow {
		return e.Matcher
	}
	return in.widest(h.Event, e.Native)
}

// widest returns the matcher that selects every call for which the host has the event.
func (in *Installation) widest(event schema.Event, native string) string {
	at := schema.Hook{Event: event}
	for _, w := range in.Host.Plan(&at, schema.Selection{All: true, Exact: true}) {
		if w.Native == native {
			return w.Matcher
		}
	}
	return ""
}

func (in *Installation) entry(native string, n *need) Placed {
	row, limit := in.Host.Profile().Row(native), n.limit()
	// a hook with another timeout must not change a reviewed entry
	if in.Host.Abilities().Trust != nil {
		limit = max(limit, in.Host.Profile().Timeout(&schema.Hook{Handler: schema.HandlerCommand, Event: row.Event})+
			plan.Margin)
	}

	call := in.CallAt(native)
	h := schema.Hook{Handler: schema.HandlerCommand, Event: row.Event, Timeout: limit}
	if row.Event == schema.Stop || row.Event == schema.SubagentStop {
		none := -1
		h.LoopLimit = &none
	}

	if in.FailClosed && row.Blocks != 0 {
		h.Fail = schema.FailClosed
	}

	closed := in.Launch.refuses(row, n.gate)
	if in.Launch != nil {
		in.Launch.adapt(&call, in.Host.Profile(), row, closed)
	}
	if closed && !in.Launch.ofPlugin() { // also in a checkout without the launcher
		h.Fail = schema.FailClosed
	}

	// at most the host's maximum
	h.Timeout = time.Duration(math.Ceil(in.Host.Profile().Timeout(&h).Seconds())) * time.Second
	if in.Launch != nil && in.Launch.Shared {
		h.Timeout = 0 // each agent has its own unit
	}

	e := schema.Entry{Native: native, Pointer: in.Host.Profile().EventsAt + "/" + native, Matcher: n.matcher}
	if call.ProjectLauncher != "" && in.Host.Profile().Starts.Windows == dialect.OperatorCmd {
		call.Refusal = cmdline.Operator
	}
	placed, said := in.write(e, h, &call)
	states := h.Fail == schema.FailClosed && said&schema.HookFailPolicy != 0
	if closed && !states && !in.refusesUnstarted(row) {
		call.Refusal = cmdline.Refusal(in.Host.Profile())
		placed, _ = in.write(e, h, &call)
	}
	return placed
}

// write returns an entry with the call. A plugin's entry names the plugin's folder in the host's form.
func (in *Installation) write(e schema.Entry, h schema.Hook, call *cmdline.Call) (Placed, schema.Feature) {
	h.Command = call.Command()
	if host := in.Host.Profile(); host.Starts.Windows == dialect.PowerShellField {
		if h.Windows = call.PowerShell(host); h.Windows == h.Command {
			h.Windows = ""
		}
	}
	if !in.Launch.ofPlugin() {
		h.Command = in.Host.Profile().Plugins.Guarded(h.Command)
	}
	value, said := in.Host.WriteHook(e, &h)
	return Placed{Pointer: e.Pointer, Value: value, Windows: h.Windows}, said
}

// refusesUnstarted reports whether the host refuses a call whose entry can't be started.
func (in *Installation) refusesUnstarted(row *schema.EventRow) bool {
	h := &schema.Hook{Handler: schema.HandlerCommand, Event: row.Event, Native: row.Native}
	const notFound = 127 // of every shell
	r, _ := in.Host.DecodeReply(h, schema.View{Event: row.Native}, &dialect.Result{Exit: notFound})
	return r.Verdict == schema.Deny
}

// CallAt returns the call to hookbridge at an event of the host. It names the event if payloads don't.
func (in *Installation) CallAt(native string) cmdline.Call {
	c := cmdline.Call{Path: in.Path}
	if in.Host != nil {
		c.Set("host", in.Host.Profile().Full())
	}

	c.Set("hooks", strings.Join(lists.Map(in.Hooks, adapter.NameOf), ","))
	c.Flags = append(c.Flags, in.Policy.Flags()...)
	if in.FailClosed {
		c.Set("fail-closed", "")
	}
	if in.Trust {
		c.Set("require-trust", "")
	}
	if in.Module != "" {
		c.Set("module", in.Module)
	}

	given := slices.ContainsFunc(in.Flags, func(f cmdline.Flag) bool { return f.Name == "timeout" })
	if limit := in.ownLimit(native); limit > 0 && !given {
		c.Set("timeout", strconv.Itoa(int(limit.Seconds())))
	}

	c.Flags = append(c.Flags, in.Flags...)
	if in.Scope != schema.ScopeGiven && in.Module == "" {
		c.Set(cmdline.ScopeFlag, in.Scope.String())
	}
	if in.Host != nil && in.Host.Profile().Unnamed {
		c.Set("event", native)
	}

	return c
}

// ownLimit returns hookbridge's time limit for each hook if the host's entries can't state one. It is below the host's
// own limit, after which the call proceeds. 0: none.
func (in *Installation) ownLimit(native string) time.Duration {
	if in.Host == nil || in.Host.Profile().MemberName(schema.HookTimeout) != "" {
		return 0
	}
	h := schema.Hook{Handler: schema.HandlerCommand, Native: native}
	if row := in.Host.Profile().Row(native); row != nil {
		h.Event = row.Event
	}
	return max(0, in.Host.Profile().Timeout(&h)-plan.Margin)
}

// Element returns the pointer of the i-th element of an array.
func (p Placed) Element(i int) string { return fmt.Sprint(p.Pointer, "/", strconv.Itoa(i)) }
