package gemini

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

const tool, post, prompt, stop = "BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent"

// TestDecodeReply has the client 0.61.0's reactions to exit codes and outputs.
func TestDecodeReply(t *testing.T) {
	none := schema.Reply{}
	deny := func(reason string) schema.Reply { return schema.Reply{Verdict: schema.Deny, Reason: reason} }
	for _, row := range []struct {
		event          string
		exit           int
		stdout, stderr string
		want           schema.Reply
		code           schema.Code
	}{
		{tool, 0, "", "", none, ""},
		{tool, 0, "log line", "", schema.Reply{Notice: "log line"}, ""},
		{tool, 0, "log\n{\"decision\":\"deny\"}", "", schema.Reply{Notice: "log\n{\"decision\":\"deny\"}"}, ""},
		{tool, 1, "", "broken", schema.Reply{Notice: "Warning: broken"}, schema.CodeHookFailed},
		{tool, 2, "", "no", deny("no"), ""},
		{tool, 2, "out", "err", deny("out"), ""},
		{tool, 3, "", "no", deny("no"), ""},
		{tool, 127, "", "not found", deny("not found"), ""},
		{tool, 2, "", "", none, schema.CodeHookFailed},
		{tool, 2, "{}", "no", none, ""},
		{tool, 2, `{"systemMessage":"m"}`, "no", schema.Reply{Notice: "m"}, ""},
		{tool, 1, `{"decision":"deny","reason":"r"}`, "", deny("r"), ""},
		{tool, 0, "", `{"decision":"block","reason":"r"}`, deny("r"), ""},
		{tool, 0, "\ufeff {\"decision\":\"deny\"} \n", "", deny(""), ""},
		{tool, 0, `"{\"decision\":\"deny\",\"reason\":\"twice\"}"`, "", deny("twice"), ""},
		{tool, 0, `{"decision":"allow","decision":"deny"}`, "", deny(""), ""},
		{tool, 2, `[1]`, "no", none, schema.CodeBadAnswer},
		{tool, 2, `true`, "no", none, schema.CodeBadAnswer},
		{tool, 0, `{"decision":"Deny"}`, "", none, schema.CodeBadSchema},
		{tool, 0, `{"decision":true}`, "", none, schema.CodeBadSchema},
		{tool, 0, `{"decision":"approve"}`, "", none, ""},
		{tool, 0, `{"decision":"deny","reason":{"a":1}}`, "", deny(`{"a":1}`), ""},
		{tool, 0, `{"decision":"ask","reason":"sure?"}`, "", schema.Reply{Verdict: schema.Ask, Reason: "sure?"}, ""},
		{tool, 0, `{"continue":"false"}`, "", none, ""},
		{tool, 0, `{"continue":false,"stopReason":"s"}`, "", schema.Reply{Verdict: schema.Deny, Reason: "s",
			EndTurn: true, EndReason: "s"}, ""},
		{tool, 0, `{"hookSpecificOutput":"x","decision":"deny"}`, "", none, schema.CodeBadSchema},
		{tool, 0, `{"hookSpecificOutput":{"additionalContext":"c"}}`, "", none, schema.CodeIgnoredEffect},
		{post, 0, `{"continue":false,"stopReason":"s"}`, "", schema.Reply{EndTurn: true, EndReason: "s",
			Output: []byte(`"s"`), Objects: true}, ""},
		{post, 0, `{"decision":"deny","reason":"hidden"}`, "", schema.Reply{Output: []byte(`"hidden"`), Objects: true},
			""},
		{post, 0, `{"decision":"deny","hookSpecificOutput":{"additionalContext":"c"}}`, "",
			schema.Reply{Output: []byte(`"No reason provided"`), Objects: true}, schema.CodeIgnoredEffect},
		{post, 0, `{"hookSpecificOutput":{"additionalContext":"c"}}`, "", schema.Reply{Context: "c"}, ""},
		{post, 0, `{"hookSpecificOutput":{"tailToolCallRequest":{"name":"glob"}}}`, "", none, schema.CodeEffectLost},
		{prompt, 2, "", "no", deny("no"), ""},
		{prompt, 0, "plain", "", schema.Reply{Notice: "plain"}, ""},
		{stop, 0, `{"decision":"block","reason":"go on"}`, "", schema.Reply{KeepGoing: "go on"}, ""},
		{stop, 2, "", "go on", schema.Reply{KeepGoing: "go on"}, ""},
		{stop, 0, `{"decision":"ask"}`, "", none, schema.CodeIgnoredEffect},
		{"SessionStart", 2, "", "no", none, schema.CodeIgnoredEffect},
		{"SessionEnd", 0, "bye", "", none, schema.CodeIgnoredEffect},
		{"AfterModel", 0, `{"decision":"deny","reason":"r"}`, "", schema.Reply{EndTurn: true, EndReason: "r"}, ""},
		{"BeforeModel", 0, `{"decision":"deny","reason":"r","hookSpecificOutput":{"llm_response":{}}}`, "", deny("r"),
			schema.CodeEffectLost},
	} {
		r := profile.Row(row.event)
		h := schema.Hook{Event: r.Event, Native: row.event}
		got, ds := New().DecodeReply(&h, schema.View{Event: row.event},
			&process.Result{Exit: row.exit, Stdout: []byte(row.stdout), Stderr: []byte(row.stderr)})
		got = New().Merge([]schema.Reply{got})
		name := row.event + " " + row.stdout + row.stderr
		same(t, name, got, row.want)
		code := schema.Code("")
		if len(ds) > 0 {
			code = ds[0].Code
		}
		same(t, name+": finding", code, row.code)
	}
}

// at returns the dialect at a version or program.
func at(version string) Dialect {
	d, _ := New().At(version)
	return d.(Dialect)
}

// TestOlderVersions checks that a version without ask lets the call proceed.
func TestOlderVersions(t *testing.T) {
	h := schema.Hook{Event: schema.PreTool, Native: tool}
	r, _ := at("0.35.2").DecodeReply(&h, schema.View{Event: tool},
		&process.Result{Stdout: []byte(`{"decision":"ask"}`)})
	same(t, "verdict", r.Verdict, schema.NoOpinion)
}

func TestMerge(t *testing.T) {
	got := New().Merge([]schema.Reply{{Reason: "fine"}, {Verdict: schema.Deny, Reason: "no"},
		{Verdict: schema.Ask, Reason: "?"}})
	same(t, "reasons of all", got.Reason, "fine\nno\n?")
	same(t, "deny wins", got.Verdict, schema.Deny)
	got = New().Merge([]schema.Reply{{Output: []byte(`"a"`), Context: "c"}, {Output: []byte(`"b"`)}})
	same(t, "hidden results", string(got.Output), `"a\nb"`)
}

// TestAppendReply writes answers that the client applies.
func TestAppendReply(t *testing.T) {
	shell := schema.Tool{Name: "run_shell_command", Kinds: []schema.Kind{schema.Shell}}
	for _, row := range []struct {
		event string
		reply schema.Reply
		want  string
	}{
		{tool, schema.Reply{}, `{}`},
		{tool, schema.Reply{Verdict: schema.Deny}, `{"decision":"deny","reason":"Blocked by hook"}`},
		{tool, schema.Reply{Verdict: schema.Deny, Reason: "r", UserReason: "u", Notice: "n"},
			`{"decision":"deny","reason":"r","systemMessage":"u\nn"}`},
		{tool, schema.Reply{Verdict: schema.Ask, Reason: "r"}, `{"decision":"ask","reason":"r","systemMessage":"r"}`},
		{tool, schema.Reply{Verdict: schema.Defer, Reason: "r"}, `{"decision":"deny","reason":"r"}`},
		{tool, schema.Reply{Input: schema.Args{{Role: schema.RoleCommand, Raw: []byte(`"x"`)},
			{Role: schema.RoleURL, Raw: []byte(`"u"`)}}},
			`{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"x"}}}`},
		{post, schema.Reply{Output: []byte(`{"stdout":"***"}`)}, `{"decision":"deny","reason":"***"}`},
		{post, schema.Reply{Context: "c"},
			`{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"c"}}`},
		{prompt, schema.Reply{EndTurn: true, EndReason: "e"}, `{"continue":false,"stopReason":"e"}`},
		{stop, schema.Reply{KeepGoing: "go"}, `{"decision":"deny","reason":"go"}`},
		{"SessionEnd", schema.Reply{Notice: "n"}, `{}`},
	} {
		c := &schema.Call{Dialect: name, Event: profile.Row(row.event).Event, Native: row.event, Tool: shell}
		same(t, row.event, string(New().AppendReply(nil, c, &row.reply)), row.want)
	}
	for native, want := range map[string]string{"": `{"decision":"deny","reason":"r"}`,
		tool: `{"decision":"deny","reason":"r"}`, stop: `{}`, post: `{}`} {
		same(t, "refusal of "+native, string(New().Refuse(nil, native, "r")), want)
	}
}
