package antigravity

import (
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDecodeReply checks the meaning of an answer: before a tool, anything but a known decision denies.
func TestDecodeReply(t *testing.T) {
	for _, row := range []struct {
		native, stdout string
		res            process.Result
		want           schema.Reply
	}{
		{preTool, `{"decision":"allow"}`, process.Result{}, schema.Reply{Verdict: schema.Allow}},
		{preTool, `{"decision":"deny","reason":"no"}`, process.Result{},
			schema.Reply{Verdict: schema.Deny, Reason: "no"}},
		{preTool, `{"decision":"ask"}`, process.Result{}, schema.Reply{}},
		{preTool, `{"decision":"ask","reason":"r"}`, process.Result{}, schema.Reply{Verdict: schema.Ask, Reason: "r"}},
		{preTool, `{"decision":"force_ask"}`, process.Result{}, schema.Reply{Verdict: schema.Ask}},
		{preTool, `{"decision":"approve"}`, process.Result{}, schema.Reply{Verdict: schema.Deny}},
		{preTool, `{"decision":"allow","overwrite":{}}`, process.Result{}, schema.Reply{Verdict: schema.Deny}},
		{preTool, `{"decision":"allow","systemMessage":""}`, process.Result{}, schema.Reply{Verdict: schema.Deny}},
		{preTool, `{}`, process.Result{}, schema.Reply{Verdict: schema.Deny}},
		{preTool, `ok`, process.Result{}, schema.Reply{Verdict: schema.Deny}},
		{preTool, ``, process.Result{}, schema.Reply{Verdict: schema.Deny}},
		{preTool, ``, process.Result{Exit: 1}, schema.Reply{Verdict: schema.Deny}},
		{preTool, ``, process.Result{Exit: 2}, schema.Reply{Verdict: schema.Deny}},
		{preTool, ``, process.Result{TimedOut: true}, schema.Reply{Verdict: schema.Deny}},
		{postTool, `{"decision":"deny"}`, process.Result{}, schema.Reply{}},
		{preTurn, `{"injectSteps":[{"userMessage":"a"},{"ephemeralMessage":"b"}]}`, process.Result{},
			schema.Reply{Context: "a\nb"}},
		{preTurn, `{"injectSteps":[{"userMessage":"a"}],"decision":"allow"}`, process.Result{}, schema.Reply{}},
		{stopped, `{"decision":"continue","reason":"go on"}`, process.Result{}, schema.Reply{KeepGoing: "go on"}},
		{stopped, `{"decision":"","reason":"go on"}`, process.Result{}, schema.Reply{}},
		{stopped, ``, process.Result{Exit: 2}, schema.Reply{}},
	} {
		h := &schema.Hook{Handler: schema.HandlerCommand, Native: row.native, Command: "g"}
		row.res.Stdout = []byte(row.stdout)
		got, _ := New().DecodeReply(h, schema.View{Event: row.native}, &row.res)
		if got.Verdict != row.want.Verdict || got.Reason != row.want.Reason || got.Context != row.want.Context ||
			got.KeepGoing != row.want.KeepGoing {
			t.Errorf("%s %s %+v: %+v", row.native, row.stdout, row.res, got)
		}
	}
}

// TestAnswers checks that an answer before a tool always has a decision, and that none approves a call that no hook
// allowed.
func TestAnswers(t *testing.T) {
	for _, row := range []struct {
		native string
		reply  schema.Reply
		want   string
	}{
		{preTool, schema.Reply{}, `{"decision":"ask"}`},
		{preTool, schema.Reply{Context: "x", Notice: "n"}, `{"decision":"ask"}`},
		{preTool, schema.Reply{Verdict: schema.Allow}, `{"decision":"allow"}`},
		{preTool, schema.Reply{Verdict: schema.Ask, Reason: "r"}, `{"decision":"force_ask","reason":"r"}`},
		{preTool, schema.Reply{Verdict: schema.Deny, Reason: "r"}, `{"decision":"deny","reason":"r"}`},
		{preTool, schema.Reply{Verdict: schema.Defer}, `{"decision":"deny"}`},
		{preTool, schema.Reply{EndTurn: true}, `{"decision":"deny"}`},
		{postTool, schema.Reply{}, `{}`}, {postTurn, schema.Reply{}, `{}`}, {stopped, schema.Reply{}, `{}`},
		{stopped, schema.Reply{KeepGoing: "go"}, `{"decision":"continue","reason":"go"}`},
		{preTurn, schema.Reply{Context: "x"}, `{"injectSteps":[{"ephemeralMessage":"x"}]}`},
	} {
		c := &schema.Call{Dialect: name, Native: row.native}
		if got := string(New().AppendReply(nil, c, &row.reply)); got != row.want {
			t.Errorf("%s %+v: %s, want %s", row.native, row.reply, got, row.want)
		}
	}
	for native, want := range map[string]string{preTool: `{"decision":"deny","reason":"r"}`, stopped: `{}`,
		"": `{"decision":"deny","reason":"r"}`} {
		if got := string(New().Refuse(nil, native, "r")); got != want {
			t.Errorf("%q: %s", native, got)
		}
	}
}

// TestFile checks how a file is read: in named sets, each of which may be off, and not at all after a mistake.
func TestFile(t *testing.T) {
	const handler = `{"type":"command","command":"a"}`
	for text, hooks := range map[string]int{
		`{"a":{"PreToolUse":[{"matcher":"run_command","hooks":[` + handler + `]}],"Stop":[` + handler + `]}}`: 2,
		`{"a":{"PreToolUse":[{"hooks":[` + handler + `]}]},"b":{"enabled":true,"Stop":[` + handler + `]}}`:    2,
		`{"a":{"enabled":false,"Stop":[` + handler + `]},"b":{"Stop":[` + handler + `]}}`:                     1,
		`{"a":{"SessionStart":[` + handler + `],"Stop":[` + handler + `]}}`:                                   1,
		`{"a":{"enabled":1,"Stop":[` + handler + `]}}`:                                                        0,
		`{"PreToolUse":[{"hooks":[` + handler + `]}]}`:                                                        0,
		`{"version":1,"a":{"Stop":[` + handler + `]}}`:                                                        0,
	} {
		at, err := New().At(known) // as that version reads it, and not a newer one
		if err != nil {
			t.Fatal(err)
		}
		cfg, ds := at.ParseConfig([]byte(text), schema.Source{File: "hooks.json"})
		if len(cfg.Hooks) != hooks || hooks == 0 && len(ds) == 0 {
			t.Errorf("%s: %d hooks, %v", text, len(cfg.Hooks), ds)
		}
	}
	var found []string
	for _, s := range New().Locate(schema.Places{Project: "/p", Home: "/h"}) {
		found = append(found, filepath.ToSlash(s.File))
	}
	if len(found) != 5 || found[0] != "/p/.agents/hooks.json" || found[4] != "/h/.gemini/config/hooks.json" {
		t.Error(found)
	}
}

// TestCalls checks that a payload is written as it came, and which event its fields show if no command names it.
func TestCalls(t *testing.T) {
	const common = `"conversationId":"s","workspacePaths":["/p"],"transcriptPath":"/t"`
	for text, event := range map[string]string{
		`{"toolCall":{"name":"run_command","args":{"CommandLine":"ls"}},"stepIdx":1,` + common + `}`:       preTool,
		`{"toolCall":{"name":"run_command","args":{"CommandLine":"ls"},"id":1},"error":"",` + common + `}`: postTool,
		`{"toolCall":null,"stepIdx":1,"error":"x",` + common + `}`:                                         postTool,
		`{"invocationNum":0,"initialNumSteps":2,` + common + `}`:                                           preTurn,
		`{"invocationNum":3,` + common + `}`:                                                               postTurn,
		`{"executionNum":1,"terminationReason":"ERROR","error":"x",` + common + `}`:                        stopped,
	} {
		c, _ := New().DecodeCall([]byte(text), nil)
		if c == nil || c.Native != event || c.Cwd != "/p" || c.Str(schema.FieldSession) != "s" {
			t.Errorf("%s: %+v", text, c)
			continue
		}
		views := New().Views(c)
		out, _ := ordjson.Parse(New().AppendCall(nil, c, append(views, schema.View{Event: event})[0]))
		came, _ := ordjson.Parse([]byte(text))
		if len(out) != len(came) {
			t.Errorf("%s: %s", text, out.Append(nil))
		}
		for _, m := range came {
			if !ordjson.Equal(out.Value(m.Name), m.Value) {
				t.Errorf("%s is %s, was %s", m.Name, out.Value(m.Name), m.Value)
			}
		}
	}
	for turn, want := range map[string]schema.Event{"0": schema.SessionStart, "1": schema.PreModel} {
		c, _ := New().DecodeNamed([]byte(`{"invocationNum":`+turn+`,`+common+`}`), preTurn, nil)
		if c == nil || c.Event != want {
			t.Errorf("invocation %s: %+v", turn, c)
		}
	}
	if c, ds := New().DecodeCall([]byte(`{`+common+`}`), nil); c != nil || len(ds) == 0 {
		t.Errorf("%+v %v", c, ds)
	}
}
