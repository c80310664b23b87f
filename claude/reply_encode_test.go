package claude

import (
	"encoding/json"
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// fullest returns a reply with every effect that the event's own row honors.
func fullest(row *schema.EventRow) schema.Reply {
	f := row.Honors
	r := schema.Reply{}
	if f&schema.EffectDeny != 0 {
		r.Verdict, r.Reason = schema.Deny, "no"
	}
	text := func(bit schema.Feature, to *string) {
		if f&bit != 0 {
			*to = bit.Name()
		}
	}
	text(schema.EffectContext, &r.Context)
	text(schema.EffectFeedback, &r.Feedback)
	text(schema.EffectKeepGoing, &r.KeepGoing)
	text(schema.EffectNotice, &r.Notice)
	if f&schema.EffectEndTurn != 0 {
		r.EndTurn, r.EndReason = true, "end"
	}
	if f&schema.EffectOutput != 0 {
		r.Output = []byte(`{"stdout":"x"}`)
	}
	return r
}

// TestAppendReply checks that every event answers with one object that the client reads.
func TestAppendReply(t *testing.T) {
	for _, row := range events {
		for _, r := range []schema.Reply{{}, fullest(&row)} {
			out := New().AppendReply(nil, &schema.Call{Dialect: "claude", Event: row.Event, Native: row.Native}, &r)
			v, ok := value(t, out).(map[string]any)
			if !ok {
				t.Fatalf("%s: %s", row.Native, out)
			}
			if h, ok := v["hookSpecificOutput"].(map[string]any); ok && h["hookEventName"] != row.Native {
				t.Errorf("%s: %s", row.Native, out)
			}
			handler := schema.HandlerCommand
			if row.Event == schema.WorktreeCreate { // a command there prints a path, not an object
				handler = schema.HandlerHTTP
			}
			_, ds := New().DecodeReply(&schema.Hook{Handler: handler}, bash(row.Native), &process.Result{Stdout: out})
			if codes := codesOf(ds); codes != "" {
				t.Errorf("%s: %s: %s", row.Native, out, codes)
			}
		}
	}
}

func TestAppendReplyWords(t *testing.T) {
	view := bash("PreToolUse")
	input := schema.Args{{Role: schema.RoleCommand, Name: "cmd", Raw: []byte(`"ls"`)},
		{Name: "extra", Raw: []byte("1")}}
	foreign := schema.View{Event: "x", Tool: "Shell", Kind: schema.Shell}
	for _, tt := range []struct {
		event, tool string
		reply       schema.Reply
		want        string
	}{
		{"PreToolUse", "Bash", schema.Reply{Verdict: schema.Deny, Reason: "r", UserReason: "u"},
			`{"systemMessage":"u","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
				`"permissionDecisionReason":"r"}}`},
		{"PreToolUse", "Bash", schema.Reply{Input: input, InputView: foreign},
			hso("PreToolUse", `"updatedInput":{"command":"ls","extra":1}`)},
		{"PreToolUse", "", schema.Reply{Input: input, InputView: view},
			hso("PreToolUse", `"updatedInput":{"command":"ls","extra":1}`)},
		{"UserPromptSubmit", "", schema.Reply{Verdict: schema.Deny, Reason: "r", UserReason: "u"},
			`{"decision":"block","reason":"u"}`},
		{"Stop", "", schema.Reply{KeepGoing: "k"}, `{"decision":"block","reason":"k"}`},
		{"PostToolUse", "Bash", schema.Reply{Feedback: "f", Context: "c"},
			`{"decision":"block","reason":"f","hookSpecificOutput":{"hookEventName":"PostToolUse",` +
				`"additionalContext":"c"}}`},
		{"PermissionRequest", "Bash", schema.Reply{Verdict: schema.Ask},
			hso("PermissionRequest", `"decision":{"behavior":"deny"}`)},
		{"PermissionRequest", "Bash", schema.Reply{Verdict: schema.Allow, Input: input, InputView: foreign},
			hso("PermissionRequest", `"decision":{"behavior":"allow","updatedInput":{"command":"ls","extra":1}}`)},
		{"Elicitation", "", schema.Reply{Verdict: schema.Deny}, hso("Elicitation", `"action":"decline"`)},
		{"PreCompact", "", schema.Reply{Context: "c"}, `{}`},
		{"NoSuchEvent", "", schema.Reply{Verdict: schema.Deny}, `{}`},
	} {
		c := &schema.Call{Dialect: "claude", Native: tt.event, Tool: schema.Tool{Name: tt.tool}}
		out := New().AppendReply(nil, c, &tt.reply)
		same(t, tt.event, value(t, []byte(tt.want)), value(t, out))
	}
}

func TestHonoursWhatItCanSay(t *testing.T) {
	for _, row := range events {
		f := New().Honors(&schema.Call{Native: row.Native}, nil)
		if f&schema.EffectEnv != 0 {
			t.Errorf("%s: an answer has no place for the environment", row.Native)
		}
	}
	if f := New().Honors(&schema.Call{Native: "PreCompact"}, nil); f&schema.EffectContext != 0 {
		t.Error("PreCompact takes context as plain text only")
	}
}

func TestReplaces(t *testing.T) {
	roles, whole := New().Replaces(&schema.Call{Tool: schema.Tool{Name: "Bash"}})
	if !whole || !roles.Has(schema.RoleCommand) || !roles.Has(schema.Rest) || roles.Has(schema.RoleCwd) {
		t.Errorf("Bash: %b", roles)
	}
	mcp := &schema.Call{Tool: schema.Tool{Name: "Bash", Kinds: []schema.Kind{schema.MCP}}}
	if roles, _ := New().Replaces(mcp); roles != schema.RoleSet(schema.Rest) {
		t.Errorf("an MCP tool called Bash: %b", roles)
	}
}

func TestRefuse(t *testing.T) {
	for _, row := range events {
		out := New().Refuse(nil, row.Native, "r")
		if !json.Valid(out) {
			t.Fatalf("%s: %s", row.Native, out)
		}
		r, ds := New().DecodeReply(&schema.Hook{Handler: schema.HandlerHTTP}, bash(row.Native),
			&process.Result{Stdout: out})
		if row.Blocks == schema.EffectDeny && r.Verdict != schema.Deny || row.Blocks == schema.EffectEndTurn &&
			!r.EndTurn {
			t.Errorf("%s is not refused: %s (%v)", row.Native, out, findings(ds))
		}
	}
	o, err := ordjson.Parse(New().Refuse(nil, "", "r"))
	if err != nil || len(o) == 0 {
		t.Errorf("an unknown event: %v, %v", o, err)
	}
}

func TestMerge(t *testing.T) {
	m := New().Merge
	r := m([]schema.Reply{{Verdict: schema.Allow, Reason: "a"}, {Verdict: schema.Deny, Reason: "1", Context: "x"},
		{Verdict: schema.Deny, Reason: "2", Context: "y"}})
	same(t, "denials", "deny(1\n2) context(x\ny)", effectsOf(&r))
	r = m([]schema.Reply{{Verdict: schema.Ask, Reason: "q"}, {Verdict: schema.Defer}, {Verdict: schema.Allow}})
	same(t, "defer", "defer()", effectsOf(&r))
	r = m([]schema.Reply{{KeepGoing: "k"}, {EndTurn: true, EndReason: "s"}})
	same(t, "the end beats going on", "end(s)", effectsOf(&r))
}
