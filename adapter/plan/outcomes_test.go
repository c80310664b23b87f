package plan

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// TestOutcomes compares the plan for a hook at each event of each agent, with matchers of each form, under every agent:
// its entries, the codes and severities of its findings, whether it runs.
func TestOutcomes(t *testing.T) {
	agents := append(adapter.Names(), "cursor@2.4", "qoder@ide", "claude@2.0.0")
	var sums golden.Digests
	for i, a := range agents {
		from, err := adapter.Find(a)
		if err != nil {
			t.Fatal(err)
		}
		if from.Profile().HostOnly != "" {
			continue
		}
		hooks := plannedHooks(from)
		for j, c := range agents {
			if testing.Short() && !*golden.Update && (i+j)%3 != 0 {
				continue
			}
			to, err := adapter.Find(c)
			if err != nil {
				t.Fatal(err)
			}
			out := sums.Of(a + " " + c)
			p := New(from, to)
			for i := range hooks {
				io.WriteString(out, outcome(p, from, to, &hooks[i]))
			}
		}
	}
	sums.Compare(t, "testdata/outcomes.txt")
}

// plannedHooks returns hooks of an agent at each of its events: without a matcher, with the names of its tools or
// values of the event's field, and with unknown names.
func plannedHooks(from adapter.Dialect) (hooks []schema.Hook) {
	profile := from.Profile()
	tools := []string{"", ".*", "Unheard", "mcp__srv__do", "^mcp__.*"}
	if len(profile.Tools) > 1 {
		a, b := profile.Tools[0].Name, profile.Tools[1].Name
		tools = append(tools, a, a+"|"+b, "^"+matcher.Escape(a)+"$", strings.ToLower(b), b[:1]+".*")
	}
	for _, k := range []schema.Kind{schema.Shell, schema.Write, schema.Notebook, schema.Agent} {
		if row := profile.ToolOfKind(k); row != nil {
			tools = append(tools, row.Name)
		}
	}
	for _, row := range profile.Events {
		matchers := tools
		if !row.Event.IsTool() {
			matchers = []string{"", "unheard"}
			if values := SentValues(from, &row); len(values) > 0 {
				matchers = append(matchers, values[0], strings.Join(values, "|"))
			}
		}
		for i, m := range matchers {
			h := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate != nil, Command: "./x",
				Handler: schema.HandlerCommand, Matcher: m, HasMatcher: m != ""}
			if i%4 == 3 {
				h.Handler, h.Prompt = schema.HandlerPrompt, "is it right?"
			}
			hooks = append(hooks, h)
		}
	}
	return hooks
}

func outcome(p *Planner, from, to adapter.Dialect, h *schema.Hook) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q %v\n", h.Native, h.Matcher, h.Handler)
	becomes, copied := p.Outcome(h, true), p.Outcome(h, false)
	for _, entries := range [][]schema.Entry{becomes.Entries(), copied.Own, becomes.Record, becomes.Own} {
		for _, e := range entries {
			fmt.Fprintf(&b, "  %s %q exact %v\n", e.Native, e.Matcher, e.Exact)
		}
		b.WriteString("  --\n")
	}
	for _, f := range becomes.Found {
		fmt.Fprintf(&b, "  %s %v\n", f.Code, f.Severity)
	}
	code, severity, _ := p.Route(h).absence()
	names, meant := p.Route(h).Runs()
	cut, _ := CutShort(from, to, h)
	dead, live := Unsent(from, to, h)
	fmt.Fprintf(&b, "  absent %s %v, runs %q %v, kinds %v, tools %q, late %q, gate %q\n", code, severity, names, meant,
		p.Route(h).Kinds(), p.Route(h).ToolsFor(), p.Route(h).late(), becomes.Later)
	fmt.Fprintf(&b, "  guard %v, cut %v, unsent %q %v, no place %v\n", GuardSeverity(from, h), cut, dead, live,
		NoPlace(from, to, h) != "")
	return b.String()
}
