package adapter_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// This file is a dialect in one piece: what docs/new-dialect.md describes step by
// step, for an agent that does not exist. The otter asks its hooks before a tool
// and when it is done.
//
//	.otter/hooks.json   {"before_tool":[{"on":"shell","run":"./guard"}],"done":[{"run":"./again"}]}
//	payload             {"event":"before_tool","session":"s","tool":"shell","args":{"cmd":"ls"}}
//	answer              {"verdict":"no","why":"..."}, {"again":"..."}
type otter struct{}

var _ adapter.Dialect = otter{}

// Step 1: the tables. Every difference that a row can hold is a row, with its
// source and version.

var otterEvents = []schema.EventRow{
	{Native: "before_tool", Event: schema.PreTool, Match: schema.MatchTool, Since: "1.0", Source: "made up",
		Honors: schema.EffectAllow | schema.EffectDeny | schema.EffectReason, Blocks: schema.EffectDeny},
	{Native: "done", Event: schema.Stop, Since: "1.0", Source: "made up", Honors: schema.EffectKeepGoing, Blocks: schema.EffectKeepGoing},
}

var otterTools = []schema.ToolRow{
	{Name: "shell", Kinds: []schema.Kind{schema.Shell}, Input: []schema.ArgRow{{Name: "cmd", Role: schema.RoleCommand}}},
	{Name: "save", Kinds: []schema.Kind{schema.Write}, Input: []schema.ArgRow{{Name: "file", Role: schema.RolePath}, {Name: "text", Role: schema.RoleContent}}},
}

var otterMembers = []schema.MemberRow{
	{Name: "event", Field: schema.FieldEvent}, {Name: "session", Field: schema.FieldSession},
	{Name: "tool", Field: schema.FieldToolName}, {Name: "args", Field: schema.FieldToolInput},
}

var otterProfile = dialect.Profile{
	Name: "otter", Title: "Otter",
	Events: otterEvents, Tools: otterTools, Fields: otterMembers,
	Marks:         []dialect.Mark{{Sure: 1}},
	Grammar:       schema.GrammarNamesOnly,
	Timeouts:      []dialect.TimeoutRow{{Default: 10 * time.Second}},
	Skeleton:      "{}\n",
	AnswerWords:   []string{"verdict", "again"},
	LoopLimit:     -1,
	HostVariables: dialect.Variables{Prefixes: []string{"OTTER_"}},
}

func (otter) Profile() *dialect.Profile                    { return &otterProfile }
func (o otter) At(version string) (adapter.Dialect, error) { return o, nil }

func otterRow(native string) *schema.EventRow { return otterProfile.Row(native) }

func otterTool(fits func(*schema.ToolRow) bool) *schema.ToolRow {
	for i := range otterTools {
		if fits(&otterTools[i]) {
			return &otterTools[i]
		}
	}
	return &schema.ToolRow{}
}

// Step 2: the files. Where they lie, what they say, what becomes of several.

func (otter) Locate(p schema.Places) []schema.Source {
	return []schema.Source{{File: filepath.Join(p.Project, ".otter", "hooks.json"), Scope: schema.ScopeProject}}
}
func (otter) Given(file string) schema.Source { return schema.Source{File: file} }
func (otter) Plugins(schema.Places, []*schema.Config, func(string) ([]byte, error)) []schema.Source {
	return nil
}

func (otter) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	cfg := &schema.Config{Source: at}
	var ds schema.Diagnostics
	o, err := ordjson.Parse(text)
	if err != nil {
		return cfg, *schema.SyntaxDiagnostic(&ds, err)
	}
	for _, ev := range o {
		row := otterRow(ev.Name)
		list, err := ordjson.Elements(ev.Value, ev.Off)
		if row == nil || err != nil {
			ds.Add(schema.CodeSkippedEvent, ordjson.Pointer("", ev.Name), "the otter does not know it")
			continue
		}
		for i, m := range list {
			entry, _ := ordjson.Members(m.Value, m.Off)
			h := schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand, Source: at,
				Path: ordjson.Pointer("", ev.Name) + "/" + string(rune('0'+i)), Line: 1, Col: 1}
			for _, m := range entry {
				switch text, _ := ordjson.String(m.Value); m.Name {
				case "run":
					h.Command = text
				case "on":
					h.Matcher, h.HasMatcher = text, true
				default: // nothing is dropped in silence
					h.Extra = append(h.Extra, m)
				}
			}
			cfg.Hooks = append(cfg.Hooks, h)
		}
	}
	return cfg, ds
}

func (otter) Resolve(cfgs []*schema.Config) (hooks []schema.Hook, ds schema.Diagnostics) {
	for _, c := range cfgs {
		hooks = append(hooks, c.Hooks...)
	}
	return hooks, nil
}

// Step 3: payloads and answers, both ways. Decode gives meaning, Append writes.

func (otter) DecodeCall(src []byte, _ schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}
	c := &schema.Call{Dialect: "otter", Raw: src}
	c.Values, c.Extra = schema.DecodeValues(o, otterMembers)
	c.Native = c.Str(schema.FieldEvent)
	row := otterRow(c.Native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, "/event", "the otter has no event "+c.Native)
		return nil, ds
	}
	c.Event = row.Event
	if c.Event.IsTool() {
		c.Tool.Name = c.Str(schema.FieldToolName)
		t := otterTool(func(t *schema.ToolRow) bool { return t.Name == c.Tool.Name })
		c.Tool.Kinds = t.Kinds
		args, _ := ordjson.Members(c.Get(schema.FieldToolInput), 0)
		c.Tool.Input = schema.DecodeArgs(args, t.Input)
		c.Values = slices.DeleteFunc(c.Values, func(v schema.Value) bool {
			return v.Field == schema.FieldToolName || v.Field == schema.FieldToolInput
		})
	}
	return c, ds
}

func (otter) Views(c *schema.Call) []schema.View {
	for i := range otterEvents {
		row := &otterEvents[i]
		if row.Event != c.Event {
			continue
		}
		if !row.Event.IsTool() {
			return []schema.View{{Event: row.Native}}
		}
		t := otterTool(func(t *schema.ToolRow) bool { return len(t.Kinds) > 0 && t.Kinds[0] == c.Tool.Kind() })
		if t.Name == "" {
			t = &schema.ToolRow{Name: c.Tool.Name, Kinds: []schema.Kind{c.Tool.Kind()}}
		}
		return []schema.View{{Event: row.Native, Kind: t.Kinds[0], Tool: t.Name, Target: []string{t.Name}}}
	}
	return nil
}

func (otter) Shown(c *schema.Call, v schema.View) schema.Args { return c.Tool.Input }

func (otter) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	w := ordjson.NewWriter(dst)
	w.String("event", v.Event)
	w.String("session", c.Str(schema.FieldSession))
	if v.Tool != "" {
		w.String("tool", v.Tool)
		t := otterTool(func(t *schema.ToolRow) bool { return t.Name == v.Tool })
		w.Raw("args", schema.AppendArgs(nil, c.Tool.Input, t.Input))
	}
	return w.Bytes()
}

func (otter) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (r schema.Reply, ds schema.Diagnostics) {
	o, err := ordjson.Parse(res.Stdout)
	if err != nil || res.Exit != 0 { // a hook that fails has no opinion
		ds.Add(schema.CodeHookFailed, h.Path, "no answer")
		return r, ds
	}
	for _, m := range o {
		switch text, _ := ordjson.String(m.Value); m.Name {
		case "verdict":
			r.Verdict = map[string]schema.Verdict{"yes": schema.Allow, "no": schema.Deny}[text]
		case "why":
			r.Reason = text
		case "again":
			r.KeepGoing = text
		default:
			r.Extra = append(r.Extra, m)
		}
	}
	return r, ds
}

func (otter) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	w := ordjson.NewWriter(dst)
	switch r.Verdict {
	case schema.Allow:
		w.String("verdict", "yes")
	case schema.Deny, schema.Defer, schema.Ask: // never weaker: there is no milder word
		w.String("verdict", "no")
	}
	if r.Reason != "" {
		w.String("why", r.Reason)
	}
	if r.KeepGoing != "" {
		w.String("again", r.KeepGoing)
	}
	return w.Bytes()
}

func (otter) Merge(rs []schema.Reply) schema.Reply {
	return schema.MergeRules{Separator: "\n"}.Merge(rs)
}

// Step 4: how the agent behaves, as the one that calls and as the one whose hooks
// are run.

func (otter) Honors(c *schema.Call, _ *schema.Reply) schema.Feature {
	if row := otterRow(c.Native); row != nil {
		return row.Honors
	}
	return 0
}
func (otter) Replaces(*schema.Call) (schema.Roles, bool) { return 0, false }
func (otter) Asks(*schema.Call) (string, bool)           { return "", false }
func (otter) Refuse(dst []byte, _, why string) []byte {
	w := ordjson.NewWriter(dst)
	w.String("verdict", "no")
	w.String("why", why)
	return w.Bytes()
}
func (otter) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (process.Spec, error) {
	return process.Spec{Argv: []string{"/bin/sh", "-c", h.Command}, Dir: c.Project, Env: p.Env}, nil
}

// Step 5: writing hooks, for convert and install, and one line in Dialects.

func (otter) Select(h *schema.Hook) schema.Selection {
	if h.Matcher == "" {
		return schema.Selection{All: true, Exact: true}
	}
	t := otterTool(func(t *schema.ToolRow) bool { return t.Name == h.Matcher })
	if t.Name == "" {
		return schema.Selection{Picks: []schema.Pick{{Name: h.Matcher}}, Exact: true}
	}
	return schema.Selection{Picks: []schema.Pick{{Kind: t.Kinds[0]}}, Exact: true}
}

func (otter) Plan(h *schema.Hook, sel schema.Selection) (out []schema.Entry) {
	for _, row := range otterEvents {
		if row.Event != h.Event {
			continue
		}
		e := schema.Entry{Native: row.Native, Pointer: "/" + row.Native, Exact: sel.Exact}
		if len(sel.Picks) == 1 {
			e.Matcher = otterTool(func(t *schema.ToolRow) bool { return len(t.Kinds) > 0 && t.Kinds[0] == sel.Picks[0].Kind }).Name
		}
		out = append(out, e)
	}
	return out
}

func (otter) WriteHook(e schema.Entry, h *schema.Hook) ([]byte, schema.Feature) {
	w := ordjson.NewWriter(nil)
	if e.Matcher != "" {
		w.String("on", e.Matcher)
	}
	w.String("run", h.Command)
	return w.Bytes(), schema.HookMatcher
}

// TestSketch proves the five steps: hooks of a known agent run under the new
// one, its hooks run under a known agent, what carries is told, and
// configurations become its own, with every loss named.
func TestSketch(t *testing.T) {
	claudes, _ := adapter.Find("claude")
	cursors, _ := adapter.Find("cursor")
	run := func(host, hooks adapter.Dialect, project, stdin string) string {
		t.Helper()
		dir := t.TempDir()
		b := &bridge.Bridge{Host: host, Hooks: hooks, StateDir: filepath.Join(dir, "state"), TempDir: dir, Now: time.Now,
			Places: schema.Places{OS: "linux", Home: dir, Project: project, Env: schema.Environ{"PATH=" + os.Getenv("PATH")}}}
		out, rep, err := b.Run(context.Background(), []byte(stdin), "")
		if err != nil || len(rep.Diagnostics) > 0 {
			t.Fatalf("%v %v", err, rep.Diagnostics)
		}
		return string(out)
	}
	guard, err := filepath.Abs("../examples/guard")
	if err != nil {
		t.Fatal(err)
	}
	const reason = "rm -rf is not allowed in this repository; name the files."
	if got := run(otter{}, claudes, guard, `{"event":"before_tool","session":"s","tool":"shell","args":{"cmd":"rm -rf x"}}`); got != `{"verdict":"no","why":"`+reason+`"}` {
		t.Errorf("a hook for Claude Code tells the otter %s", got)
	}
	if got := run(otter{}, claudes, guard, `{"event":"before_tool","session":"s","tool":"save","args":{"file":"a","text":"b"}}`); got != `{}` {
		t.Errorf("its matcher lets the otter's %s pass", got)
	}

	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, ".otter"), 0o700)
	own := `{"before_tool":[{"on":"shell","run":"grep -q 'cmd.:.ls' && echo '{\"verdict\":\"no\",\"why\":\"not ls\"}' || echo '{}'"}],"done":[{"run":"echo '{\"again\":\"more\"}'"}]}`
	if err := os.WriteFile(filepath.Join(dir, ".otter", "hooks.json"), []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	call := `{"conversation_id":"c","hook_event_name":"preToolUse","cursor_version":"3.15.19","tool_name":"Shell","tool_input":{"command":"ls"},"tool_use_id":"u"}`
	if got := run(cursors, otter{}, dir, call); got != `{"permission":"deny","user_message":"not ls","agent_message":"not ls"}` {
		t.Errorf("the otter's hook tells Cursor %s", got)
	}
	call = `{"conversation_id":"c","hook_event_name":"stop","cursor_version":"3.15.19","status":"completed","loop_count":0}`
	if got := run(cursors, otter{}, dir, call); got != `{"followup_message":"more"}` {
		t.Errorf("the otter's hook tells Cursor %s", got)
	}

	for _, r := range inspect.Matrix(claudes, otter{}) {
		if (r.Event == schema.PreTool || r.Event == schema.Stop) != (r.Grade() != inspect.CarriesNothing) {
			t.Errorf("%s carries %s", r.From, r.Grade())
		}
	}

	text, err := os.ReadFile(filepath.Join(guard, ".claude", "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	cfg, _ := claudes.ParseConfig(text, schema.Source{})
	c := convert.Convert(claudes, otter{}, cfg, convert.ConvertOptions{Wrap: convert.WrapNever})
	if len(c.Entries) != 1 || c.Entries[0].Pointer != "/before_tool" || !strings.HasPrefix(string(c.Entries[0].Value), `{"on":"shell","run":`) {
		t.Errorf("converted: %+v", c.Entries)
	}
	if !slices.ContainsFunc(c.Diagnostics, func(d schema.Diagnostic) bool {
		return strings.HasSuffix(d.Path, "/timeout") || d.Path == cfg.Hooks[0].Path
	}) {
		t.Errorf("the time limit is lost in silence: %v", c.Diagnostics)
	}
}
