package cursor

import (
	"encoding/json"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

func callOf(event, version string, k schema.Kind, tool string) *schema.Call {
	row := rowOf(event)
	return &schema.Call{Dialect: name, Event: row.Event, Native: event, Gate: row.Gate != nil, Version: version,
		Tool: schema.Tool{Kinds: []schema.Kind{k}, Name: tool}}
}

func TestAppendReply(t *testing.T) {
	deny := schema.Reply{Verdict: schema.Deny, Reason: "r", UserReason: "u"}
	context := schema.Reply{Context: "c", Feedback: "f"}
	env := schema.Reply{Env: []schema.EnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}, {Name: "A", Value: "3"}}}
	input := schema.Reply{Input: schema.Args{{Role: schema.RoleCommand, Raw: []byte(`"ls"`)},
		{Role: schema.RoleTimeout, Raw: []byte("5")}, {Role: schema.RoleGlob, Raw: []byte(`"*"`)}}}
	for _, row := range []struct {
		event, version string
		mcp            bool
		r              schema.Reply
		want           string
	}{
		{"preToolUse", "", false, deny, `{"permission":"deny","user_message":"u","agent_message":"r"}`},
		{"preToolUse", "1.0.0", false, schema.Reply{Verdict: schema.Deny, Notice: "n"},
			`{"permission":"deny","user_message":"n"}`},
		{"preToolUse", "", false, schema.Reply{Verdict: schema.Deny},
			`{"permission":"deny","user_message":"Blocked by hook"}`},
		{"preToolUse", "", false, schema.Reply{Verdict: schema.Allow}, `{"permission":"allow"}`},
		{"preToolUse", "", false, schema.Reply{Verdict: schema.Ask, Reason: "r"},
			`{"permission":"deny","user_message":"r","agent_message":"r"}`},
		{"preToolUse", "", false, schema.Reply{Verdict: schema.Defer, Reason: "r"},
			`{"permission":"deny","user_message":"r","agent_message":"r"}`},
		{"beforeShellExecution", "", false, schema.Reply{Verdict: schema.Ask}, `{"permission":"ask"}`},
		{"beforeReadFile", "", false, schema.Reply{Verdict: schema.Ask, Reason: "r"},
			`{"permission":"deny","user_message":"r","agent_message":"r"}`},
		{"preToolUse", "2.4.21", false, deny, `{"decision":"deny","reason":"u"}`},
		{"subagentStart", "2.4.21", false, deny, `{"decision":"deny","reason":"u"}`},
		{"beforeShellExecution", "2.4.21", false, deny, `{"permission":"deny","user_message":"u","agent_message":"r"}`},
		{"preToolUse", "2.5.25", false, deny, `{"permission":"deny","user_message":"u","agent_message":"r"}`},
		{"preToolUse", "", false, input, `{"updated_input":{"command":"ls","timeout":5}}`},
		{"preToolUse", "", true, schema.Reply{Input: schema.Args{{Name: "q", Raw: []byte("1")}}},
			`{"updated_input":{"q":1}}`},
		{"beforeShellExecution", "", false, input, `{}`},
		{"preToolUse", "", false, context, `{"additional_context":"f\nc"}`},
		{"beforeShellExecution", "", false, context, `{}`},
		{"postToolUse", "", false, schema.Reply{Output: []byte(`"x"`)}, `{}`},
		{"postToolUse", "", true, schema.Reply{Output: []byte(`"x"`)},
			`{"updated_mcp_tool_output":{"content":[{"type":"text","text":"x"}]}}`},
		{"postToolUse", "", true, schema.Reply{Output: []byte(`[]`)}, `{"updated_mcp_tool_output":{"content":[]}}`},
		{"postToolUseFailure", "", true, schema.Reply{Output: []byte(`[]`), Context: "c"},
			`{"additional_context":"c"}`},
		{"beforeSubmitPrompt", "", false, deny, `{"continue":false,"user_message":"u"}`},
		{"beforeSubmitPrompt", "", false, context, `{"additional_context":"f\nc"}`},
		{"beforeSubmitPrompt", "", false, schema.Reply{Verdict: schema.Allow}, `{}`},
		{"sessionStart", "", false, env, `{"env":{"B":"2","A":"3"}}`},
		{"sessionStart", "1.0.0", false, schema.Reply{EndTurn: true, EndReason: "e"},
			`{"continue":false,"user_message":"e"}`},
		{"postToolUse", "", false, env, `{}`},
		{"stop", "", false, schema.Reply{KeepGoing: "k"}, `{"followup_message":"k"}`},
		{"subagentStop", "", false, schema.Reply{KeepGoing: "k"}, `{"followup_message":"k"}`},
		{"preCompact", "", false, schema.Reply{Notice: "n"}, `{"user_message":"n"}`},
		{"workspaceOpen", "", false, schema.Reply{
			Others: []schema.Effect{{Feature: schema.EffectPluginPaths, Raw: []byte(`["/a"]`)}}},
			`{"pluginPaths":["/a"]}`},
		{"afterFileEdit", "", false, deny, `{}`},
	} {
		c := callOf(row.event, row.version, schema.Shell, "Shell")
		if row.mcp {
			c = callOf(row.event, row.version, schema.MCP, "do_it")
		}
		same(t, row.event+" "+row.version, string(Dialect{}.AppendReply(nil, c, &row.r)), row.want)
	}
	for _, e := range events {
		same(t, e.Native, string(Dialect{}.AppendReply(nil, callOf(e.Native, "", schema.Shell, "Shell"),
			&schema.Reply{})), "{}")
	}
}

func TestMerge(t *testing.T) {
	got := Dialect{}.Merge([]schema.Reply{
		{Verdict: schema.Allow, Reason: "one", UserReason: "uno", Context: "a", KeepGoing: "first",
			Env:    []schema.EnvVar{{Name: "A", Value: "1"}},
			Others: []schema.Effect{{Feature: schema.EffectPluginPaths, Raw: []byte(`["/a","/b"]`)}}},
		{Verdict: schema.Ask, Reason: "two", Context: "b", KeepGoing: "last",
			Env:    []schema.EnvVar{{Name: "A", Value: "2"}},
			Others: []schema.Effect{{Feature: schema.EffectPluginPaths, Raw: []byte(`["/b", "/c"]`)}}},
		{},
	})
	const and = "\n\n---\n\n"
	same(t, "merged", got, schema.Reply{Verdict: schema.Ask, Reason: "one" + and + "two", UserReason: "uno" + and +
		"two", Context: "a" + and + "b", KeepGoing: "last",
		Env:    []schema.EnvVar{{Name: "A", Value: "1"}, {Name: "A", Value: "2"}},
		Others: []schema.Effect{{Feature: schema.EffectPluginPaths, Raw: []byte(`["/a","/b","/c"]`)}}})
	same(t, "none", Dialect{}.Merge(nil), schema.Reply{})
	// observed SDK 1.0.32
	refused := Dialect{}.Merge([]schema.Reply{{Reason: "a"}, {Verdict: schema.Deny, Reason: "b"}})
	same(t, "a message without an opinion", refused, schema.Reply{Verdict: schema.Deny, Reason: "a" + and + "b"})
	same(t, "nothing is refused", Dialect{}.Merge([]schema.Reply{{Reason: "a", UserReason: "u"}}), schema.Reply{})
}

func TestHonours(t *testing.T) {
	for _, row := range []struct {
		event, version string
		want           bool
	}{{"sessionStart", "1.0.0", true}, {"sessionStart", "2.4.1", true}, {"sessionStart", "3.15.19", false},
		{"sessionStart", "2026.09.10-fd3934a", false}, {"sessionStart", "", false}, {"stop", "1.0.0", false}} {
		got := Dialect{}.Honors(callOf(row.event, row.version, schema.Shell, ""),
			&schema.Reply{EndTurn: true})&schema.EffectEndTurn != 0
		same(t, row.event+" "+row.version, got, row.want)
	}
}

// TestHonorsPrograms checks that a payload's version selects its program's ignored effects, just like the program's
// name or version on the command line. The answer must stay the same.
func TestHonorsPrograms(t *testing.T) {
	for _, row := range []struct {
		named, version string
		deny, context  bool
	}{
		{"", "1.0.0", false, false}, {"sdk", "", false, false}, {"sdk", "3.15.19", false, false},
		{"1.0.0", "", false, false},
		{"", "3.15.19", true, false}, {"editor", "1.0.0", true, false}, {"", "2026.10.01-abc", true, true},
		{"", "", true, true}, {"", "odd", true, true}} {
		d := at(row.named)
		prompt, start := callOf("beforeSubmitPrompt", row.version, 0, ""), callOf("sessionStart", row.version, 0, "")
		r := schema.Reply{Verdict: schema.Deny, Context: "c"}
		same(t, row.named+" "+row.version, []bool{d.Honors(prompt, &r)&schema.EffectDeny != 0,
			d.Honors(start, &r)&schema.EffectContext != 0}, []bool{row.deny, row.context})
		same(t, "answer", string(d.AppendReply(nil, prompt, &r)),
			`{"continue":false,"user_message":"Blocked by hook","additional_context":"c"}`)
	}
}

// TestRefuse checks that every event that can be denied is, in old and new words, and that an unknown event is denied
// in all ways.
func TestRefuse(t *testing.T) {
	for _, version := range []string{"", "2.4"} {
		for _, e := range events {
			for _, native := range []string{e.Native, "unheard of"} {
				out := at(version).Refuse(nil, native, "no")
				if !json.Valid(out) {
					t.Fatalf("%s: %s", native, out)
				}
				r, _ := decode(t, answer{event: e.Native, version: version, out: string(out)})
				if want := e.Blocks != 0; want != (outcome(r) == "deny" || outcome(r) == "stop") {
					t.Errorf("%s as %s, %q: %s reads as %s", e.Native, native, version, out, outcome(r))
				}
			}
		}
	}
}
