package droid

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

func answer(event, stdout string) schema.Reply {
	r, _ := New().DecodeReply(&schema.Hook{}, schema.View{Event: event, Tool: shellTool, Kind: schema.Shell},
		&process.Result{Stdout: []byte(stdout)})
	return r
}

// TestWrongFields checks that a field of the wrong type, or with an unknown word, affects only itself, and which
// answers don't deny (each row observed 0.225.2).
func TestWrongFields(t *testing.T) {
	const deny = `"permissionDecision":"deny"`
	const reason = `,"permissionDecisionReason":"no"`
	type rows map[string]string // answer: reason
	denied := rows{}
	for _, top := range []string{`"decision":"deny"`, `"decision":"allow"`, `"decision":"bogus"`, `"decision":5`,
		`"decision":null`, `"decision":["deny"]`, `"decision":{"a":1}`, `"decision":"approve"`, `"decision":""`,
		`"decision":"block"`, `"decision":"ask"`, `"reason":5`, `"reason":null`, `"reason":{"a":1}`, `"continue":"no"`,
		`"continue":0`, `"continue":null`, `"continue":"false"`, `"stopReason":5`, `"stopReason":null`,
		`"suppressOutput":"yes"`, `"suppressOutput":null`, `"suppressOutput":1`, `"systemMessage":5`,
		`"systemMessage":["x"]`, `"systemMessage":null`, `"systemMessage":{"a":1}`, `"bogus":1`,
		`"terminalSequence":5`, `"message":5`} {
		denied[`{"hookSpecificOutput":{`+deny+reason+`},`+top+`}`] = "no"
	}
	for _, inner := range []string{`"hookEventName":"PostToolUse"`, `"hookEventName":"Bogus"`, `"hookEventName":5`,
		`"hookEventName":null`, `"additionalContext":5`, `"additionalContext":null`, `"additionalContext":["x"]`,
		`"additionalContext":{"a":1}`, `"updatedInput":"x"`, `"updatedInput":null`, `"updatedInput":[1]`,
		`"updatedInput":5`, `"updatedInput":{"command":5}`, `"bogus":[1]`, `"updatedToolOutput":5`,
		`"decision":{"behavior":"allow"}`, `"decision":"allow"`, `"message":["x"]`, `"__proto__":5`} {
		denied[`{"hookSpecificOutput":{`+deny+reason+`,`+inner+`}}`] = "no"
	}
	reasons := rows{"5": "5", `["no"]`: "no", `{"a":1}`: "[object Object]", "null": "", `""`: ""}
	for value, text := range reasons {
		denied[`{"hookSpecificOutput":{`+deny+`,"permissionDecisionReason":`+value+`}}`] = text
	}
	denied[`{"hookSpecificOutput":{"permissionDecision":"allow",`+deny+`}}`] = ""
	denied[" \n{\"hookSpecificOutput\":{"+deny+"}}\r\n\t"] = ""
	for stdout, reason := range denied {
		if r := answer("PreToolUse", stdout); r.Verdict != schema.Deny || r.Reason != reason || r.Input != nil {
			t.Errorf("%s: %s %q", stdout, r.Verdict, r.Reason)
		}
	}
	whole := `{"hookSpecificOutput":{` + deny + `}}`
	for _, stdout := range []string{`{"decision":"deny","reason":"no"}`, `{"decision":"block","reason":"no"}`,
		`{"hookSpecificOutput":"deny","decision":"block","reason":"no"}`,
		`{"hookSpecificOutput":{"permissionDecision":"block"}}`, `{"hookSpecificOutput":{"permissionDecision":"DENY"}}`,
		`{"hookSpecificOutput":{"permissionDecision":" deny "}}`,
		`{"hookSpecificOutput":{"permissionDecision":["deny"]}}`,
		`{"hookSpecificOutput":{` + deny + `,"permissionDecision":"allow"}}`,
		`{"hookSpecificOutput":{` + deny + `},"hookSpecificOutput":{}}`, "[" + whole + "]", "\ufeff" + whole,
		"\v" + whole, whole + "\v", "\u00a0" + whole, whole + "\u00a0", "\f" + whole, "\u2028" + whole, whole + " x",
		"log\n" + whole, whole + "\n{}", whole[:len(whole)-1] + ",}", "// c\n" + whole,
		`{"hookSpecificOutput":{"PermissionDecision":"deny"}}`, `{` + deny + `}`} {
		if r := answer("PreToolUse", stdout); r.Verdict == schema.Deny {
			t.Errorf("%q: %s", stdout, r.Verdict)
		}
	}
}

// TestNewInput checks with which answers a call gets new input (each row observed 0.225.2).
func TestNewInput(t *testing.T) {
	for fields, changes := range map[string]bool{
		``: true, `,"permissionDecision":"allow"`: true, `,"permissionDecision":null`: true,
		`,"permissionDecision":5`: false, `,"permissionDecision":"bogus"`: false, `,"permissionDecision":"ask"`: false,
		`,"permissionDecision":"deny"`: false, `,"additionalContext":5`: true, `,"permissionDecisionReason":5`: true,
		`},"decision":5,"x":{`: true, `},"continue":"false","x":{`: true,
	} {
		stdout := `{"hookSpecificOutput":{"updatedInput":{"command":"u"}` + fields + `}}`
		if r := answer("PreToolUse", stdout); (r.Input != nil) != changes {
			t.Errorf("%s: %v", stdout, r.Input)
		}
	}
}

// TestExitBesideAnswer checks that exit code 2 denies whatever the answer is, and that the reason of an answer that
// objects comes before stderr (each row observed 0.225.2).
func TestExitBesideAnswer(t *testing.T) {
	const blocked = "Tool execution blocked by hook"
	deny := func(rest string) string { return `{"hookSpecificOutput":{"permissionDecision":"deny"` + rest + `}}` }
	for _, row := range []struct{ event, stdout, stderr, want string }{
		{"PreToolUse", deny(`,"permissionDecisionReason":"json"`), "", "json"},
		{"PreToolUse", deny(`,"permissionDecisionReason":"json"`), "words", "json"},
		{"PreToolUse", deny(""), "words", ""}, {"PreToolUse", deny(""), "", ""},
		{"PreToolUse", `{"hookSpecificOutput":{"permissionDecision":"allow"}}`, "words", "words"},
		{"PreToolUse", `{"hookSpecificOutput":{"permissionDecision":"allow"}}`, "", blocked},
		{"PreToolUse", `{"decision":"block","reason":"json"}`, "words", "words"},
		{"PreToolUse", `{"decision":"block","reason":"json"}`, "", blocked},
		{"Stop", `{"decision":"block","reason":"json"}`, "", "json"},
		{"Stop", `{"decision":"block","reason":"json"}`, "words", "json"},
	} {
		r, _ := New().DecodeReply(&schema.Hook{}, schema.View{Event: row.event, Tool: shellTool, Kind: schema.Shell},
			&process.Result{Stdout: []byte(row.stdout), Stderr: []byte(row.stderr), Exit: 2})
		if r.Reason+r.KeepGoing != row.want || row.event == "PreToolUse" && r.Verdict != schema.Deny {
			t.Errorf("%+v: %s %q %q", row, r.Verdict, r.Reason, r.KeepGoing)
		}
	}
}

// TestStopReasons checks which reasons make the agent continue (each row observed 0.225.2).
func TestStopReasons(t *testing.T) {
	for fields, going := range map[string]string{`"reason":"r"`: "r", `"reason":5`: "5", `"reason":true`: "true",
		`"reason":"r","continue":"x"`: "r", `"reason":"r","systemMessage":{}`: "r", `"reason":""`: "", `"x":1`: "",
		`"reason":null`: "", `"reason":"r","hookSpecificOutput":"x"`: "r",
		`"reason":"r","hookSpecificOutput":{"additionalContext":5,"permissionDecision":5}`: "r"} {
		if r := answer("Stop", `{"decision":"block",`+fields+`}`); r.KeepGoing != going {
			t.Errorf("%s: %q", fields, r.KeepGoing)
		}
	}
}

// TestLate checks that JSON printed before a timeout counts, and that text doesn't (observed 0.225.2).
func TestLate(t *testing.T) {
	late := func(event, stdout string) schema.Reply {
		r, _ := New().DecodeReply(&schema.Hook{}, schema.View{Event: event, Tool: shellTool, Kind: schema.Shell},
			&process.Result{Stdout: []byte(stdout), Exit: -1, Signal: "SIGKILL", TimedOut: true})
		return r
	}
	deny := late("PreToolUse", `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`)
	after := late("PostToolUse", `{"hookSpecificOutput":{"additionalContext":"x"}}`)
	start := late("SessionStart", "x")
	if deny.Verdict != schema.Deny || deny.Reason != "no" || after.Context != "x" || start.Context != "" {
		t.Errorf("%v %q, %q, %q", deny.Verdict, deny.Reason, after.Context, start.Context)
	}
}

// TestFeedback checks that of several hooks that exit with 2 after a tool, the first one's reason is shown (observed
// 0.225.2).
func TestFeedback(t *testing.T) {
	var rs []schema.Reply
	for _, words := range []string{"", "one", "two"} {
		exit := 0
		if words != "" {
			exit = 2
		}
		view := schema.View{Event: "PostToolUse", Tool: shellTool, Kind: schema.Shell}
		r, _ := New().DecodeReply(&schema.Hook{}, view, &process.Result{Stderr: []byte(words), Exit: exit})
		rs = append(rs, r)
	}
	if got := New().Merge(rs); got.Feedback != "one" {
		t.Errorf("%q, want the words of the first", got.Feedback)
	}
}
