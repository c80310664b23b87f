package convert

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// An Installation is what the bridge needs in a host's configuration.
type Installation struct {
	Host, Hooks dialect.Dialect
	Path        string // of the program; "": the host looks for it in PATH
	cmdline.Policy
	FailClosed bool
	Trust      bool           // --require-trust, for a user's own entry
	Scope      schema.Scope   // whose hooks the entries run; ScopeGiven: all that are found
	Module     string         // file of the callbacks that are the hooks; "": the bridge finds them
	Flags      []cmdline.Flag // further flags of run
}

// States reports whether a flag of run has a field of the Installation.
func (in *Installation) States(flag string) bool {
	return slices.Contains([]string{"ask", "allow", "fail-closed"}, flag)
}

// unrunnable says why the bridge can't run a hook that the host calls it for, "" if it
// can.
func (in *Installation) unrunnable(h *schema.Hook) (code schema.Code, message string) {
	what := schema.An(h.Handler.String()) + " hook"
	switch h.Handler {
	case schema.HandlerMCPTool:
		return schema.CodeNoHandler, what + " can't run outside " + in.Hooks.Profile().Title
	case schema.HandlerPrompt, schema.HandlerAgent:
		if !slices.ContainsFunc(in.Flags, func(f cmdline.Flag) bool { return f.Name == "evaluator" && f.Value != "" }) {
			return schema.CodeNoEvaluator, what + " needs an evaluator, and the entry names none: add --evaluator COMMAND"
		}
	}
	return "", ""
}

// reportAll adds the findings that the tables give for a hook.
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

// Entries returns one entry of the bridge for each event of the host that one
// of the hooks needs, in the host's order. A hook that has no event there is
// reported.
func (in *Installation) Entries(hooks []schema.Hook) ([]Placed, schema.Diagnostics) {
	var ds schema.Diagnostics
	waits := map[string]*plan.Wait{}
	matchers := map[string]string{}
	need := func(native, matcher string) *plan.Wait {
		if waits[native] == nil {
			waits[native] = &plan.Wait{}
		}
		matchers[native] = matcher
		return waits[native]
	}
	p := plan.New(in.Hooks, in.Host)
	for i := range hooks {
		h := &hooks[i]
		if cmdline.FindsHooks(h.Command) {
			continue
		}
		entries := p.Own(h, true)
		reportAll(&ds, in.Hooks, h, p.Findings(h, entries))
		if len(entries) == 0 {
			continue
		}
		reportAll(&ds, in.Hooks, h, plan.Unset(in.Hooks, h))
		if code, message := in.unrunnable(h); code != "" {
			ds.AddSeverity(code, plan.GuardSeverity(in.Hooks, h), "", message).OfHook(h)
		}
		for _, e := range entries {
			need(e.Native, in.wide(h, e)).Add(in.Hooks.Profile(), h, in.Hooks.Profile().Timeout(h))
		}
		for _, e := range p.RecordOnly(h, entries) {
			need(e.Native, "").AtLeast(time.Minute)
		}
	}
	if in.Ask == cmdline.AskRelay {
		c := &schema.Call{Tool: schema.Tool{Kinds: []schema.Kind{schema.Shell}}}
		if gate, _ := in.Host.Asks(c); gate != "" && len(waits) > 0 {
			need(gate, "").AtLeast(time.Minute)
		}
	}
	var out []Placed
	for _, row := range in.Host.Profile().Events {
		if wait := waits[row.Native]; wait != nil {
			out = append(out, in.entry(row.Native, matchers[row.Native], wait.Entry()))
		}
	}
	return out, ds
}

// wide is the matcher of the bridge's own entry: as wide as the event allows,
// for the bridge asks each hook's matcher itself. A host that has another event
// for some tools keeps them apart.
func (in *Installation) wide(h *schema.Hook, e schema.Entry) string {
	at := schema.Hook{Event: h.Event}
	for _, w := range in.Host.Plan(&at, schema.Selection{All: true, Exact: true}) {
		if w.Native == e.Native {
			return w.Matcher
		}
	}
	return ""
}

func (in *Installation) entry(native, matcher string, limit time.Duration) Placed {
	row := in.Host.Profile().Row(native)
	if dialect.Ability[dialect.TrustKeeper](in.Host) != nil { // a hook with another timeout must not change what was reviewed
		limit = max(limit, in.Host.Profile().Timeout(&schema.Hook{Handler: schema.HandlerCommand, Event: row.Event})+plan.Margin)
	}
	h := schema.Hook{Handler: schema.HandlerCommand, Command: in.CommandAt(native), Timeout: limit}
	if row.Event == schema.Stop || row.Event == schema.SubagentStop {
		none := -1
		h.LoopLimit = &none
	}
	if in.FailClosed && row.Blocks != 0 {
		h.Fail = schema.FailClosed
	}
	h.Event = row.Event
	h.Timeout = time.Duration(math.Ceil(in.Host.Profile().Timeout(&h).Seconds())) * time.Second // at most what the host grants
	e := schema.Entry{Native: native, Pointer: in.Host.Profile().EventsAt + "/" + native, Matcher: matcher}
	value, _ := in.Host.WriteHook(e, &h)
	return Placed{Pointer: e.Pointer, Value: value}
}

// CommandAt is the bridge's own call at an event of the host, which it names where
// payloads don't.
func (in *Installation) CommandAt(native string) string {
	c := cmdline.Call{Path: in.Path}
	c.Set("host", in.Host.Profile().Full())
	c.Set("hooks", in.Hooks.Profile().Full())
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
	c.Flags = append(c.Flags, in.Flags...)
	if in.Scope != schema.ScopeGiven && in.Module == "" {
		c.Set(cmdline.ScopeFlag, in.Scope.String())
	}
	if in.Host.Profile().Unnamed {
		c.Set("event", native)
	}
	return c.Command()
}

// Element is the pointer of the i-th element of an array.
func (p Placed) Element(i int) string { return fmt.Sprint(p.Pointer, "/", strconv.Itoa(i)) }
