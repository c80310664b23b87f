package codex

import (
	"testing"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// TestMerge checks which of several hooks counts (observed 0.169.0).
func TestMerge(t *testing.T) {
	denied := New().Merge([]schema.Reply{{Verdict: schema.Deny, Reason: "first"}, {Context: "c"},
		{Verdict: schema.Deny, Reason: "second"}})
	if denied.Reason != "first" || denied.Context != "c" {
		t.Errorf("%+v", denied)
	}
	if out := New().Merge([]schema.Reply{{Output: []byte(`"one"`)}, {Output: []byte(`"two"`)}}).Output; string(
		out) != `"one\n\ntwo"` {
		t.Errorf("blocks after a tool: %s", out)
	}
}

// TestRestore checks that the patch that shows a file change is read back.
func TestRestore(t *testing.T) {
	args := func(s string) schema.Args {
		return schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: []byte(s)}}
	}
	for _, tt := range []struct {
		kind     schema.Kind
		in, want string
	}{
		{schema.Edit, `"*** Begin Patch\n*** Update File: a.txt\n@@\n kept\n-one\n+three\n*** End Patch"`,
			`"a.txt" "one" "three"`},
		{schema.Write, `"*** Begin Patch\n*** Add File: b.txt\n+x\n*** End Patch"`, `"b.txt" "x\n"`},
		{schema.Edit, `"*** Begin Patch\n*** Delete File: a.txt\n*** Add File: b.txt\n+x\n*** End Patch"`, ""},
		{schema.Edit, `"*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+two\n*** End Patch"`,
			""},
		{schema.Edit, `"nonsense"`, ""},
		{schema.Read, `"cat 'a b'"`, `"a b"`}, {schema.Read, `"cat a b"`, ""}, {schema.Read, `"head a"`, ""},
		{schema.Read, `"cat a; rm b"`, ""},
		{schema.Grep, `"rg TODO ./x"`, `"TODO" "./x"`}, {schema.Glob, `"rg --files -g x"`, ""},
		{schema.List, `"ls /x"`, `"/x"`}} {
		v := schema.View{Kind: tt.kind, Tool: "Bash"}
		if tt.kind.ChangesFile() {
			v.Tool = patchTool
		}
		now, ok := New().Restore(v, args(tt.in))
		got := ""
		for _, a := range now {
			if got != "" {
				got += " "
			}
			got += string(a.Raw)
		}
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %s %v", tt.in, got, ok)
		}
	}
}

// TestStopActive checks that a hook sees from another agent's count that it has already sent the agent back to work.
func TestStopActive(t *testing.T) {
	c := &schema.Call{Dialect: "other", Event: schema.Stop}
	c.Set(schema.FieldLoopCount, []byte("1"))
	back, _ := New().DecodeCall(New().AppendCall(nil, c, schema.View{Event: "Stop"}), nil)
	if !back.Bool(schema.FieldStopActive) {
		t.Error("stop_hook_active is false")
	}
}

// TestOutputText checks the text for a replaced result, which must be text in Codex.
func TestOutputText(t *testing.T) {
	for in, want := range map[string]string{
		`"x"`: "x", `{"stdout":"a","stderr":"b"}`: "a\nb",
		`[{"type":"text","text":"ok"},{"type":"text","text":"2"}]`: "ok\n2",
		`{"content":[{"type":"text","text":"ok"}]}`:                "ok", `{"content":"c"}`: "c",
		`[{"type":"image"}]`: `[{"type":"image"}]`, `[]`: `[]`, `{"a": 1}`: `{"a":1}`} {
		if got := family.TextOf([]byte(in)); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
