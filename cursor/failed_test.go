package cursor

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSilentFailure checks how the status of a command without output is reported.
func TestSilentFailure(t *testing.T) {
	for _, tt := range []struct{ said, code, text string }{
		{"Command failed with exit code 3", "3", ""},
		{"Command failed with exit code 03", "", "Command failed with exit code 03"},
		{"Command failed with exit code 4294967295", "", "Command failed with exit code 4294967295"}, // a signal
		{"Command failed with exit code 3\n", "", "Command failed with exit code 3\n"},
		{"bad", "", "bad"},
	} {
		in := `{"tool_name":"Shell","tool_input":{"command":"x"},"error_message":` +
			string(ordjson.AppendString(nil, tt.said)) +
			`,"failure_type":"error","hook_event_name":"postToolUseFailure"}`
		c, _ := Dialect{}.DecodeCall([]byte(in), nil)
		code, _ := c.Tool.Output.Get(schema.RoleExitCode)
		if string(code) != tt.code || c.Str(schema.FieldError) != tt.text {
			t.Errorf("%q: status %s, text %q", tt.said, code, c.Str(schema.FieldError))
		}
		if back := (Dialect{}).AppendCall(nil, c, (Dialect{}).Views(c)[0]); string(back) != in {
			t.Errorf("written as\n%s, was\n%s", back, in)
		}
	}
}

// TestSilentFailureOfOthers checks the text for a failure that another agent reports.
func TestSilentFailureOfOthers(t *testing.T) {
	shell := schema.Tool{Kinds: []schema.Kind{schema.Shell}, Name: "x",
		Output: schema.Args{{Role: schema.RoleExitCode, Raw: []byte("7")}}}
	for text, want := range map[string]string{"": "Command failed with exit code 7",
		" \n": "Command failed with exit code 7", "bad": "bad"} {
		c := &schema.Call{Dialect: "other", Event: schema.PostToolFailure, Tool: shell}
		c.SetStr(schema.FieldError, text)
		back, _ := Dialect{}.DecodeCall(
			Dialect{}.AppendCall(nil, c, schema.View{Event: "postToolUseFailure", Kind: schema.Shell, Tool: "Shell"}),
			nil)
		code, _ := back.Tool.Output.Get(schema.RoleExitCode)
		if got := back.Str(schema.FieldError); want != "bad" && (got != "" || string(code) != "7") || want == "bad" &&
			got != "bad" {
			t.Errorf("%q: %q with status %s, want %q", text, got, code, want)
		}
	}
}
