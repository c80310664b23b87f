package convert

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// narrowNames are tools that need not be in any table: tools of the agents' newest builds, names that contain parts of
// others, and made-up ones.
var narrowNames = []string{"TodoWrite", "TaskCreate", "TaskList", "TaskUpdate", "Skill", "AskUserQuestion",
	"EnterWorktree", "ExitPlanMode", "Zzz", "EditNotebook", "writeFile", "WRITE", "bash", "ShellOutput", "Foo"}

// narrowMCP are tools of MCP servers: server, then tool.
var narrowMCP = [][2]string{{"a", "x"}, {"b", "y"}, {"github", "create_issue"}, {"memory", "Write"},
	{"fs", "write_file"},
	{"Edit", "run"}, {"a-b", "Bash"}, {"db", "delete"}, {"a_b", "c"}}

// narrowPatterns returns matchers as people write them, and some that no one should write.
func narrowPatterns() []string {
	out := []string{"", "*", ".*", "Bash", "Shell", "Edit|Write", "Edit|Write|MultiEdit",
		"Write|Edit|MultiEdit|NotebookEdit", "Edit|Write|Foo", "Edit, Write",
		"mcp__a__.*|mcp__b__.*", "mcp__a__x|mcp__b__y", "mcp__.*", "^mcp__", "mcp__a__.*", "mcp__github__create_issue",
		"mcp__.*__write.*", "mcp__.*delete.*",
		"mcp__memory__.*|Write", "Bash|mcp__a__.*", "mcp__a", "mcp__a_b__c", "^mcp__(a|b)__", "mcp__[ab]__.*",
		"(mcp__a__x|Bash)",
		"Task.*", "Task", "Agent", "^Task$", "Task|Agent", ".*Write.*", ".*Edit", "Edit$", "^Edit", "^Write|^Edit",
		"Notebook.*", "(?:Edit|Write).*",
		"MCP:.*", "MCP:x", "MCP:create_issue|Shell", "MCP:(x|y)", "^MCP:", "MCP", "P:", "M", "C", "create", "delete",
		"Delete", "Shell|Delete", "Read|Delete",
		"Web.*", "WebFetch", "Fetch", "WebSearch|WebFetch", "List", "LS", "Glob|Grep|LS", "G.*", "^(Read|Grep)$",
		"Read|read_file", "run_in_terminal|Bash",
		"[A-Z].*", "[a-z]+", `\w+`, "^(?!Bash).*", "^(?!Bash$).*$", "(?!Read)", "^[^m].*", "(E)dit\\1?", "Bash(git:*)",
		"Edit(", "bash", "WRITE", "TodoWrite", "Foo",
		"Skill", "ReadLints", "KillShell|BashOutput", "Monitor", "T", "e", "__", "_", "search_replace|edit_file",
		"create_file", "delete_file", " Write ", "Write |Edit"}
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"Bash", "Shell", "Edit", "Write", "Read", "Delete", "Task", "Agent", "mcp__a__x", "mcp__a__.*",
		"mcp__b", "MCP:x", "MCP:", "Foo", "TodoWrite",
		"Notebook", "WebFetch", "LS", "List", "mcp__", "Wri", "dit", "a__", "MultiEdit", "run_in_terminal", "edit_file"}
	join := []string{"|", "|", "|", ",", ", "}
	wrap := []string{"%s", "%s", "%s", "^%s$", "^(?:%s)$", "^(%s)", "(%s)$", ".*%s.*", "%s.*", "^%s", "(?:%s)",
		"(?=%s)", "%s?", "^(?:%s|mcp__.*)$"}
	for range 60 {
		var list []string
		sep := join[r.IntN(len(join))]
		for range 1 + r.IntN(3) {
			list = append(list, fmt.Sprintf(wrap[r.IntN(3+r.IntN(len(wrap)-3))], parts[r.IntN(len(parts))]))
		}
		out = append(out, fmt.Sprintf(wrap[r.IntN(len(wrap))], strings.Join(list, sep)))
	}
	return out
}

// narrowCalls returns the calls at an event for which an agent may run hooks: each tool as read from its payload, and
// as each of its possible kinds.
func narrowCalls(d dialect.Dialect, e schema.Event) (out []*schema.Call) {
	native := d.Profile().Generic(e)
	known := map[string]bool{}
	read := func(t schema.Tool) {
		c := &schema.Call{Event: e, Native: native, Tool: t, Project: "/p", Cwd: "/p"}
		for _, v := range d.Views(c) {
			if v.Event == native {
				v.Tool = cmp.Or(map[bool]string{true: t.Name}[known[t.Name]], v.Tool)
				if got, _ := d.DecodeCall(d.AppendCall(nil, c, v), nil); got != nil {
					out = append(out, got)
				}
				return
			}
		}
	}
	for _, row := range d.Profile().Tools {
		known[row.Name] = true
		for _, k := range row.Kinds {
			out = append(out, &schema.Call{Dialect: d.Profile().Name, Event: e, Native: native, Project: "/p",
				Cwd: "/p", Tool: schema.Tool{Name: row.Name, Kinds: []schema.Kind{k}}})
		}
		if row.Kinds == nil {
			row.Kinds = []schema.Kind{schema.Other}
		}
		read(schema.Tool{Name: row.Name, Kinds: row.Kinds})
	}
	for _, n := range narrowNames {
		if !known[n] {
			read(schema.Tool{Name: n, Kinds: []schema.Kind{schema.Other}})
		}
	}
	for _, m := range narrowMCP {
		read(schema.Tool{Name: m[1], Server: m[0], Kinds: []schema.Kind{schema.MCP}})
	}
	return out
}

// A narrowCall is a call of the target with both agents' views of it.
type narrowCall struct {
	call     *schema.Call
	own, its []schema.View
}

// selector returns a test of whether a hook of d runs for one of the views.
func selector(d dialect.Dialect, native, text string) func(views []schema.View) bool {
	m, _ := matcher.Compile(d.Profile().GrammarOf(native), text)
	return func(views []schema.View) bool {
		return slices.ContainsFunc(views, func(v schema.View) bool { return v.Event == native && m.Match(v.Target...) })
	}
}

// TestMatchersNeverNarrow: for every matcher, the host calls the entries of convert and install for each action for
// which hookbridge would run the hook.
func TestMatchersNeverNarrow(t *testing.T) {
	patterns := narrowPatterns()
	names := append(adapter.Names(), "cursor@2.4", "qoder@ide")
	for _, a := range names {
		for _, b := range names {
			from, _ := adapter.Find(a)
			to, _ := adapter.Find(b)
			if dialect.Related(from, to) || dialect.Related(to, from) {
				continue
			}
			t.Run(a+" to "+b, func(t *testing.T) {
				t.Parallel()
				some := patterns
				if testing.Short() { // different ones for each pair
					some = nil
					for i := (len(a) + 3*len(b)) % 31; i < len(patterns); i += 31 {
						some = append(some, patterns[i])
					}
				}
				for _, row := range from.Profile().Events {
					if row.Event.IsTool() && !row.Inline() {
						narrowEvent(t, from, to, &row, some)
					}
				}
			})
		}
	}
}

func narrowEvent(t *testing.T, from, to dialect.Dialect, row *schema.EventRow, patterns []string) {
	var calls []narrowCall
	for _, c := range narrowCalls(to, row.Event) {
		calls = append(calls, narrowCall{c, from.Views(c), to.Views(c)})
	}
	p := plan.New(from, to)
	for i, text := range patterns {
		h := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate != nil, Handler: schema.HandlerCommand,
			Command: "./x", Matcher: text}
		becomes := p.Outcome(&h, true)
		planned := [][]schema.Entry{becomes.Entries()}
		if i%8 == 0 { // the written entries are the planned ones
			in := Installation{Host: to, Hooks: []dialect.Dialect{from}}
			installed, _ := in.Entries([]schema.Hook{h})
			planned = append(planned, entriesOf(t, to, installed),
				entriesOf(t, to, Convert(from, to, &schema.Config{Hooks: []schema.Hook{h}}, ConvertOptions{}).Entries))
		}
		wanted := selector(from, row.Native, text)
		for _, entries := range planned {
			selectors := lists.Map(entries, func(e schema.Entry) func([]schema.View) bool {
				return selector(to, e.Native, e.Matcher)
			})
			for _, c := range calls {
				called := slices.ContainsFunc(selectors, func(selects func([]schema.View) bool) bool {
					return selects(c.its)
				})
				if len(entries) > 0 && !called && wanted(c.own) {
					t.Fatalf("%s %q: not called for %v %q of %q: %+v", row.Native, text, c.call.Tool.Kinds,
						c.call.Tool.Name, c.call.Tool.Server, entries)
				}
			}
		}
	}
}

// entriesOf reads entries back from their file.
func entriesOf(t *testing.T, d dialect.Dialect, placed []Placed) (out []schema.Entry) {
	text := (&Conversion{Entries: placed}).Document(d)
	cfg, ds := d.ParseConfig(text, schema.Source{})
	if len(cfg.Hooks) != len(placed) {
		t.Fatalf("%s: %v", text, ds)
	}
	for _, h := range cfg.Hooks {
		out = append(out, schema.Entry{Native: h.Native, Matcher: h.Matcher})
	}
	return out
}
