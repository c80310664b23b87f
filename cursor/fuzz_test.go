package cursor

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"

	"github.com/hookbridge/hookbridge/schema"
)

// FuzzDecodeCall checks that a call that was written once is always written the same way.
func FuzzDecodeCall(f *testing.F) {
	for _, text := range documents {
		f.Add([]byte(text))
	}
	for _, p := range material.Payloads(f, "cursor") {
		f.Add(p.Text)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, ds := Dialect{}.DecodeCall(src, nil)
		if c == nil && ds.Max() != schema.Error {
			t.Fatalf("call %v with %v", c, ds)
		}
		if c == nil {
			return
		}
		for _, v := range (Dialect{}).Views(c) {
			if out := (Dialect{}).AppendCall(nil, c, v); !json.Valid(out) {
				t.Fatalf("%s: not JSON: %s", v.Event, out)
			}
		}
		once := Dialect{}.AppendCall(nil, c, ownView(t, c))
		again, ds := Dialect{}.DecodeCall(once, nil)
		if again == nil {
			t.Fatalf("%v: %s", ds, once)
		}
		if twice := (Dialect{}).AppendCall(nil, again, ownView(t, again)); !bytes.Equal(once, twice) {
			t.Fatalf("not stable\n%s\n%s", once, twice)
		}
	})
}

// FuzzDecodeReply checks that a denial stays one, and that reading and writing an answer again doesn't change it.
func FuzzDecodeReply(f *testing.F) {
	for i := range events {
		for _, s := range []string{`{"permission":"deny","user_message":"u","agent_message":"a"}`, `{"continue":false}`,
			`{"followup_message":"f","env":{"A":"b"}}`, `x {"updated_input":{"command":"y"}}`,
			`{"decision":"deny","reason":"r"}`, `{"permission":"ask","additional_context":"c"}`,
			`{"updated_mcp_tool_output":{"content":[]},"pluginPaths":["/p"]}`, ""} {
			f.Add(uint8(i), s, i%3, i%2 == 0, i%4 == 0)
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, out string, exit int, closed, old bool) {
		row := &events[int(n)%len(events)]
		a := answer{event: row.Native, out: out, exit: exit, closed: closed, mcp: n >= 128}
		if old {
			a.version = "2.4"
		}
		r, _ := decode(t, a)
		refused := outcome(r) == "deny" || outcome(r) == "stop"
		_, _, err := ordjson.ParseLast(ordjson.TrimSpace([]byte(out)))
		_, tailed := tail([]byte(out))
		unreadable := exit == 0 && err != nil && !tailed && len(ordjson.TrimSpace([]byte(out))) > 0
		switch {
		case refused && row.Blocks == 0:
			t.Fatalf("%s cannot refuse: %+v", row.Native, r)
		case refused:
		case exit == 2 && row.Blocks != 0:
			t.Fatalf("status 2 lets pass: %+v", r)
		case closed && row.Blocks != 0 && (exit != 0 || unreadable):
			t.Fatalf("a failure of a closed hook lets pass: %+v", r)
		case unreadable && row.Honors&schema.EffectAllow != 0 && !old:
			t.Fatalf("an unreadable answer lets pass: %+v", r)
		}
		again(t, a, row, r)
	})
}

// again writes r as the answer to its call and reads it.
func again(t *testing.T, a answer, row *schema.EventRow, r schema.Reply) {
	c := callOf(a.event, a.version, schema.Shell, "Shell")
	if a.mcp {
		c = callOf(a.event, a.version, schema.MCP, "do_it")
	}
	r = Dialect{}.Merge([]schema.Reply{r}) // messages without an opinion count in addition to others
	text := Dialect{}.AppendReply(nil, c, &r)
	if !json.Valid(text) {
		t.Fatalf("not JSON: %s", text)
	}
	got, ds := decode(t, answer{event: a.event, version: a.version, mcp: a.mcp, out: string(text)})
	if r.Verdict == schema.Ask && row.Honors&schema.EffectAsk == 0 {
		r.Verdict = schema.Deny
	}
	for _, x := range []*schema.Reply{&r, &got} {
		x.Extra = nil
		if x.UserReason != "" && (a.version != "" || row.Event == schema.PromptSubmit) { // one message only
			x.Reason, x.UserReason = x.UserReason, ""
		}
		if x.Output != nil {
			x.Output = mcpOutput(x.Output)
		}
		if x.Verdict == schema.Deny && x.Reason == "" {
			x.Reason = "Blocked by hook"
		}
		if x.EndTurn && x.EndReason == "" {
			x.EndReason = "Blocked by hook"
		}
		x.Env = lastVars(x.Env)
	}
	if diff := cmp.Diff(r, got); diff != "" {
		t.Fatalf("%s reads otherwise (%v):\n%s", text, ds, diff)
	}
}

func lastVars(vars []schema.EnvVar) (out []schema.EnvVar) {
	var read map[string]string
	_ = json.Unmarshal(appendEnv(vars), &read)
	for _, v := range vars {
		if read[v.Name] == v.Value {
			out = append(out, v)
		}
	}
	return out
}
