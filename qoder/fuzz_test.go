package qoder

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// FuzzDecodeCall checks that a payload survives: writing it again gives the same document, compact, and reads as the
// same call.
func FuzzDecodeCall(f *testing.F) {
	f.Add([]byte(`{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"x"},` +
		`"error":"Exit code 3\nerr"}`))
	f.Add([]byte(`{"hook_event_name":"PreToolUse","tool_name":"mcp__a__b","tool_input":5,"permission_mode":"yolo",` +
		`"mcp_context":{"server_name":"a","tool_name":"b"}}`))
	f.Add([]byte(`{"hook_event_name":"SessionStart","source":"fork","type":1}`))
	for _, p := range material.Payloads(f, "qoder") {
		f.Add(p.Text)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		c, ds := New().DecodeCall(src, nil)
		if c == nil {
			if ds.Max() != schema.Error {
				t.Fatal("no call and no error")
			}
			return
		}
		for _, v := range New().Views(c) {
			out := New().AppendCall(nil, c, v)
			if err := ordjson.Check(out); err != nil {
				t.Fatalf("%s: %v", out, err)
			}
			if !sameJSON(out, src) {
				t.Fatalf("%s\nbecame\n%s", src, out)
			}
			New().Holds(&schema.Hook{Condition: "Bash(a *)"}, c, v, "/h")
			New().Shown(c, v)
		}
	})
}

// FuzzDecodeReply checks that a block is never lost, and that an answer keeps its meaning when it is written again.
func FuzzDecodeReply(f *testing.F) {
	for _, s := range []string{`{"decision":"block","reason":"r"}`, `{"continue":false}`, `{`, `text`, `"{}"`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",` +
			`"updatedInput":{"command":"x"}}}`,
		`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow",` +
			`"updatedInput":{},"updatedPermissions":[{}]}}}`,
		`{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":{"a":1}}}`,
		`{"suppressOutput":true,"systemMessage":"m","decision":"approve","decision":"block"}`} {
		for i := range events {
			f.Add(uint8(i), uint8(0), []byte(s), []byte("e"))
		}
		f.Add(uint8(0), uint8(2), []byte(s), []byte{})
	}
	f.Fuzz(func(t *testing.T, event, exit uint8, stdout, stderr []byte) {
		row := &events[int(event)%len(events)]
		v := viewOf(row.Native)
		res := &process.Result{Exit: int(exit), Stdout: stdout, Stderr: stderr}
		r, _ := New().DecodeReply(command, v, res)
		if extra := r.Uses() &^ row.Honors; extra != 0 {
			t.Fatalf("%s: not heeded and kept: %s", row.Native, extra)
		}
		blocked := r.Verdict == schema.Deny || r.Feedback != "" || r.KeepGoing != ""
		if exit == 2 && row.Blocks != 0 && !blocked {
			t.Fatalf("%s: exit code 2 is %+v", row.Native, r)
		}
		text := trim(stdout)
		if _, _, err := ordjson.ParseLast([]byte(text)); row.Event == schema.PreTool && exit == 0 && text != "" &&
			text[0] == '{' && err != nil && !blocked {
			t.Fatalf("malformed JSON is %+v", r)
		}
		if exit != 0 && exit != 2 && row.Event != schema.WorktreeCreate && r.Uses() != 0 {
			t.Fatalf("exit status %d is %+v", exit, r)
		}
		c := &schema.Call{Dialect: "qoder", Event: row.Event, Native: row.Native}
		if row.Event.IsTool() {
			c.Tool = schema.Tool{Name: v.Tool, Kinds: []schema.Kind{v.Kind}}
		}
		out := New().AppendReply(nil, c, &r)
		again, ds := New().DecodeReply(command, v, &process.Result{Stdout: out})
		for _, d := range ds {
			if d.Code == schema.CodeBadAnswer || d.Code == schema.CodeBadSchema {
				t.Fatalf("%s: %v", out, d)
			}
		}
		if row.Event == schema.PostToolFailure { // a complaint is added to the error, not in its place
			r.Context, r.Feedback = schema.JoinText(r.Feedback, r.Context), ""
		}
		r.Extra, again.Extra = nil, nil
		if len(r.Others)+len(again.Others) == 0 {
			r.Others, again.Others = nil, nil
		}
		if !reflect.DeepEqual(r, again) {
			t.Fatalf("%s: %+v\nwas written as %s\nand became %+v", row.Native, r, out, again)
		}
	})
}

// FuzzEnvFile checks that only names come out of a file of variables, whatever it contains.
func FuzzEnvFile(f *testing.F) {
	f.Add("export A=1\nB='x y'\n")
	f.Add("$'\\")
	f.Add("export A=$'x\\")
	f.Fuzz(func(t *testing.T, text string) {
		vars, _ := New().ParseEnvFile(text, nil)
		for _, v := range vars {
			if v.Name == "" || strings.ContainsAny(v.Name, "= \n\x00") {
				t.Fatalf("%q", v)
			}
		}
	})
}

// FuzzModule uses any text as the output of a module's runner: there is a callback's denial or a finding, and nothing
// panics.
func FuzzModule(f *testing.F) {
	f.Add([]byte(runnerMark + `{"limit":1}` + "\n" + runnerMark + `{"results":[{"path":"/a","view":0,` +
		`"value":{"decision":"block","reason":"x"}}],"stays":false}` + "\n"))
	f.Add([]byte(runnerMark + `{"hooks":[{"event":"PreToolUse","matcher":"Bash","path":"/PreToolUse/0/hooks/0",` +
		`"timeout":5}]}` + "\n"))
	f.Fuzz(func(t *testing.T, out []byte) {
		res := process.Result{Stdout: out}
		New().ModuleHooks("/m.mjs", &res)
		v := schema.View{Event: "PreToolUse", Tool: "Bash", Kind: schema.Shell, Target: []string{"Bash"}}
		h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Fail: schema.FailClosed}
		runs, ds, usable := New().ModuleReplies(&h, "/m.mjs", []schema.View{v}, &res)
		if !usable && len(runs) == 0 && len(ds) == 0 {
			t.Fatal("unusable, and not a word")
		}
	})
}
