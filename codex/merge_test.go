package codex

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestMerge holds which of several hooks is heard (observed 0.169.0).
func TestMerge(t *testing.T) {
	denied := New().Merge([]schema.Reply{{Verdict: schema.Deny, Reason: "first"}, {Context: "c"}, {Verdict: schema.Deny, Reason: "second"}})
	if denied.Reason != "first" || denied.Context != "c" {
		t.Errorf("%+v", denied)
	}
	if out := New().Merge([]schema.Reply{{Output: []byte(`"one"`)}, {Output: []byte(`"two"`)}}).Output; string(out) != `"one\n\ntwo"` {
		t.Errorf("blocks after a tool: %s", out)
	}
}

// TestRestore holds that a patch as which a change of a file was shown is read back.
func TestRestore(t *testing.T) {
	args := func(s string) schema.Args {
		return schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: []byte(s)}}
	}
	shown := args(`"*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch\n"`)
	for _, tt := range []struct{ in, want string }{
		{`"*** Begin Patch\n*** Update File: a.txt\n@@\n kept\n-one\n+three\n*** End Patch"`, `"a.txt" "one" "three"`},
		{`"*** Begin Patch\n*** Add File: b.txt\n+x\n*** End Patch"`, `"b.txt" "x\n"`},
		{`"*** Begin Patch\n*** Delete File: a.txt\n*** Add File: b.txt\n+x\n*** End Patch"`, ""},
		{`"*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+two\n*** End Patch"`, ""},
		{`"nonsense"`, ""},
	} {
		was, now, ok := New().Restore(shown, args(tt.in))
		got := ""
		for _, a := range now {
			if got != "" {
				got += " "
			}
			got += string(a.Raw)
		}
		if got != tt.want || ok != (tt.want != "") || len(was) != 3 {
			t.Errorf("%s: %s %v, was %v", tt.in, got, ok, was)
		}
	}
}

// TestStopActive holds that a hook learns from another agent's count that it has
// sent the agent back.
func TestStopActive(t *testing.T) {
	c := &schema.Call{Dialect: "other", Event: schema.Stop}
	c.Set(schema.FieldLoopCount, []byte("1"))
	back, _ := New().DecodeCall(New().AppendCall(nil, c, schema.View{Event: "Stop"}), nil)
	if !back.Bool(schema.FieldStopActive) {
		t.Error("stop_hook_active is false")
	}
}
