package claude

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// hso returns an answer with a specific part for event.
func hso(event, members string) string {
	if members != "" {
		members = "," + members
	}
	return `{"hookSpecificOutput":{"hookEventName":"` + event + `"` + members + `}}`
}

// replyTests are the results of an exit code, stdout and stderr. effectsOf writes the effects; codes are those of the
// findings.
var replyTests = []struct {
	event  string
	exit   int
	stdout string
	stderr string
	want   string
	codes  string
}{
	// JSON and text.
	{"PreToolUse", 0, "", "", "", ""},
	{"PreToolUse", 0, "{}", "", "", ""},
	{"PreToolUse", 0, "plain", "", "", ""},
	{"PreToolUse", 0, "\ufeff \n" + hso("PreToolUse", `"permissionDecision":"deny"`), "", "deny(Blocked by hook)", ""},
	{"PreToolUse", 0, `["x"]`, "", "", ""},
	{"PreToolUse", 0, "log\n" + `{"decision":"block"}`, "", "", ""},
	{"PreToolUse", 0, `{"decision":"block"}` + "\nlog", "", "", ""},
	{"PreToolUse", 0, `{"decision":"block"}{}`, "", "", "HB303"},
	{"PreToolUse", 0, `{"decision":"block"`, "", "", ""},
	// One JSON value per line is text, unless a line is an answer.
	{"UserPromptSubmit", 0, "{\"a\":1}\r\n\n 5\n{\"a\":2,\"a\":3}\n", "",
		"context({\"a\":1}\r\n\n 5\n{\"a\":2,\"a\":3})", ""},
	{"UserPromptSubmit", 0, `{"continue":"x"}` + "\n" + hso("PreToolUse", ""), "", "context(" + `{"continue":"x"}` +
		"\n" + hso("PreToolUse", "") + ")", ""},
	{"UserPromptSubmit", 0, "{}\n{\"reason\":\"r\"}", "", "", "HB303"},
	{"UserPromptSubmit", 0, "{}\n{\"async\":true}", "", "", "HB303"},
	{"UserPromptSubmit", 0, "{}\n{bad}", "", "", "HB303"},
	{"UserPromptSubmit", 0, "{\n}\n{}", "", "", "HB303"},
	{"PreToolUse", 0, "{}\n" + hso("PreToolUse", `"permissionDecision":"deny"`), "", "", "HB303"},
	{"PreToolUse", 0, `{"decision":"approve","decision":"block","reason":"r"}`, "", "deny(r)", ""},
	{"PreToolUse", 0, hso("PreToolUse", `"permissionDecision":"allow","permissionDecision":"deny"`), "",
		"deny(Blocked by hook)", ""},
	// JSON counts at every exit status.
	{"PreToolUse", 1, hso("PreToolUse", `"permissionDecision":"deny","permissionDecisionReason":"r"`), "", "deny(r)",
		"HB305"},
	{"PreToolUse", 1, hso("PreToolUse", `"permissionDecision":"allow"`), "", "allow()", "HB305"},
	{"PreToolUse", 3, hso("PreToolUse", `"additionalContext":"c"`), "e", "context(c)", "HB305"},
	{"PreToolUse", 127, "", "not found", "", "HB305"},
	// Exit status 2.
	{"PreToolUse", 2, "", "e\n", "deny(e)", ""},
	{"PreToolUse", 2, "out", "", "deny(No stderr output)", ""},
	{"PreToolUse", 2, hso("PreToolUse", `"permissionDecision":"allow","permissionDecisionReason":"r",`+
		`"updatedInput":{"command":"x"},"additionalContext":"c"`), "e", "deny(e) context(c)", ""},
	{"PreToolUse", 2, hso("PreToolUse", `"permissionDecision":"ask","permissionDecisionReason":"r"`), "e", "deny(e)",
		""},
	{"PreToolUse", 2, hso("PreToolUse", `"permissionDecision":"deny","permissionDecisionReason":"r"`), "e", "deny(r)",
		""},
	{"PreToolUse", 2, `{"decision":"block","reason":"r"}`, "e", "deny(r)", ""},
	{"PreToolUse", 2, `{"decision":"block"}`, "e", "deny(e)", ""},
	{"PreToolUse", 2, `{"reason":"r"}`, "e", "deny(e)", ""},
	{"PreToolUse", 2, `{"decision":"nonsense"}`, "e", "deny(e)", "HB304"},
	{"PreToolUse", 2, `{}{}`, "e", "deny(e)", "HB303"},
	// Decisions.
	{"PreToolUse", 0, hso("PreToolUse", `"permissionDecision":"ask","permissionDecisionReason":"r"`), "", "ask(r)", ""},
	{"PreToolUse", 0, hso("PreToolUse", `"permissionDecision":"defer"`), "", "defer()", ""},
	{"PreToolUse", 0, hso("PreToolUse", `"permissionDecision":"allow","updatedInput":{"command":"x"}`), "",
		"allow() input", ""},
	{"PreToolUse", 0, hso("PreToolUse", `"updatedInput":{}`), "", "input", ""},
	{"PreToolUse", 0, `{"decision":"approve","reason":"r"}`, "", "allow(r)", ""},
	{"PreToolUse", 0, `{"decision":"block","reason":"r"}`, "", "deny(r)", ""},
	{"PreToolUse", 0, `{"decision":"block","reason":"r","hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"permissionDecision":"allow"}}`, "", "deny(r)", ""},
	{"PreToolUse", 0, `{"decision":"approve","hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"permissionDecision":"deny","permissionDecisionReason":"r"}}`, "", "deny(r)", ""},
	{"PreToolUse", 0, `{"continue":false,"stopReason":"s"}`, "", "end(s)", ""},
	{"PreToolUse", 0, `{"continue":true,"stopReason":"s","systemMessage":"m","suppressOutput":true}`, "",
		"notice(m) quiet", ""},
	{"PreToolUse", 0, hso("PreToolUse", `"permissionDecision":"deny","retry":"x","updatedToolOutput":5`), "",
		"deny(Blocked by hook)", "HB319"},
	{"PreToolUse", 0, `{"permission":"deny"}`, "", "", ""},
	// With the specific part of another event, only a block counts, if that part is valid there.
	{"PreToolUse", 0, `{"decision":"block","reason":"r","continue":false,` +
		`"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"c"}}`, "", "deny(r)", "HB304"},
	{"UserPromptSubmit", 0, `{"decision":"block","reason":"r","hookSpecificOutput":{"hookEventName":"PreToolUse"}}`,
		"", "deny(r)", "HB304"},
	{"PostToolUse", 0, `{"decision":"block","reason":"r","hookSpecificOutput":{"hookEventName":"PreToolUse"}}`, "",
		"feedback(r)", "HB304"},
	{"Stop", 0, `{"decision":"block","reason":"r","hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"permissionDecision":"allow"}}`, "", "go(r)", "HB304"},
	{"SessionStart", 0, `{"decision":"block","reason":"r","hookSpecificOutput":{"hookEventName":"PreToolUse"}}`,
		"", "", "HB304"},
	{"PreToolUse", 0, `{"continue":false,"hookSpecificOutput":{"hookEventName":"SessionStart"}}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","hookSpecificOutput":{"hookEventName":"NoSuch"}}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","hookSpecificOutput":{"hookEventName":"PreCompact"}}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","hookSpecificOutput":{"hookEventName":"PermissionRequest"}}`, "", "",
		"HB304"},
	{"PreToolUse", 0, `{"decision":"block","hookSpecificOutput":{"hookEventName":"SessionStart",` +
		`"additionalContext":5}}`, "", "", "HB304"},
	// Invalid forms.
	{"PreToolUse", 0, hso("PreToolUse", `"permissionDecision":"yes"`), "", "", "HB304"},
	{"PreToolUse", 0, hso("PreToolUse", `"permissionDecision":"deny","permissionDecisionReason":5`), "", "", "HB304"},
	{"PreToolUse", 0, hso("PreToolUse", `"permissionDecision":"deny","additionalContext":5`), "", "", "HB304"},
	{"PreToolUse", 0, hso("PreToolUse", `"updatedInput":[]`), "", "", "HB304"},
	{"PreToolUse", 0, hso("PreToolUse", `"permissionDecision":"deny","updatedInput":null`), "", "", "HB304"},
	{"PreToolUse", 0, hso("PostToolUse", `"permissionDecision":"deny"`), "", "", "HB304"},
	{"PreToolUse", 0, `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","hookSpecificOutput":null}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"deny"}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":null}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","reason":5}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","continue":"no"}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","stopReason":5}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","systemMessage":5}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","suppressOutput":"y"}`, "", "", "HB304"},
	{"PreToolUse", 0, `{"decision":"block","terminalSequence":5}`, "", "", "HB304"},
	// Asynchronous.
	{"PreToolUse", 2, `{"async":true}`, "e", "", "HB316"},
	{"PreToolUse", 0, `{"async":true,"decision":"block"}`, "", "", "HB316"},
	{"PreToolUse", 0, `{"async":true}` + "\n" + `{"decision":"block"}`, "", "", "HB316"},
	{"PreToolUse", 2, "{\n \"async\": true\n}", "e", "deny(e)", ""},
	{"PreToolUse", 0, `{"async":false,"decision":"block"}`, "", "deny(Blocked by hook)", ""},
	// The other events.
	{"PermissionRequest", 2, "", "e", "", "HB319"},
	{"PermissionRequest", 2, hso("PermissionRequest", `"decision":{"behavior":"allow"}`), "e", "allow()", "HB319"},
	{"PermissionRequest", 0, `{"decision":"block"}`, "", "", "HB319"},
	{"PermissionRequest", 0, `{"continue":false}`, "", "", "HB319"},
	{"PermissionRequest", 0, hso("PermissionRequest", `"decision":{"behavior":"deny","message":"m","interrupt":true}`),
		"", "deny(m) interrupt", ""},
	{"PermissionRequest", 0, hso("PermissionRequest",
		`"decision":{"behavior":"allow","updatedInput":{"command":"x"},"updatedPermissions":[]}`), "",
		"allow() input permissions", ""},
	{"PermissionRequest", 0, hso("PermissionRequest", `"decision":{"behavior":"ask"}`), "", "", "HB304"},
	{"PermissionRequest", 0, hso("PermissionRequest", `"decision":{"behavior":"deny","message":5}`), "", "", "HB304"},
	{"PermissionRequest", 0, hso("PermissionRequest", `"decision":{"behavior":"deny","interrupt":"x"}`), "", "",
		"HB304"},
	{"PermissionRequest", 0, hso("PermissionRequest", `"decision":{"behavior":"allow","updatedPermissions":{}}`),
		"", "", "HB304"},
	{"PermissionRequest", 0, hso("PermissionRequest", ""), "", "", "HB304"},
	{"PermissionDenied", 0, hso("PermissionDenied", `"retry":true`), "", "retry", ""},
	{"PermissionDenied", 2, "", "e", "", "HB319"},
	{"PostToolUse", 2, "", "e", "feedback(e)", ""},
	{"PostToolUse", 2, hso("PostToolUse", `"permissionDecision":"deny"`), "e", "feedback(e)", "HB319"},
	{"PostToolUse", 0, `{"decision":"block"}`, "", "feedback(Blocked by hook)", ""},
	{"PostToolUse", 0, `{"decision":"block","reason":"r","hookSpecificOutput":{"hookEventName":"PostToolUse",` +
		`"additionalContext":"c","permissionDecision":"x","updatedInput":3}}`, "", "context(c) feedback(r)", "HB319"},
	{"PostToolUse", 0, `{"continue":false,"stopReason":"s"}`, "", "end(s)", ""},
	{"PostToolUse", 0, hso("PostToolUse", `"updatedToolOutput":{"a":1},"updatedMCPToolOutput":"m"`), "",
		`output({"a":1})`, ""},
	{"PostToolUse", 0, hso("PostToolUse", `"updatedMCPToolOutput":"m"`), "", "", ""},
	{"PostToolUse", 0, hso("PostToolUse", `"classifierContext":"x"`), "", "classifier", ""},
	{"PostToolUse", 0, hso("PostToolUse", `"classifierContext":5,"additionalContext":"c"`), "", "", "HB304"},
	{"PostToolUseFailure", 2, "", "e", "feedback(e)", ""},
	{"PostToolUseFailure", 0, `{"continue":false}`, "", "", "HB319"},
	{"PostToolBatch", 2, "", "e", "end(e)", ""},
	{"PostToolBatch", 0, `{"decision":"block","reason":"r"}`, "", "end(r)", ""},
	{"UserPromptSubmit", 0, " text \n\n", "", "context(text)", ""},
	{"UserPromptSubmit", 0, `["x"]`, "", `context(["x"])`, ""},
	{"UserPromptSubmit", 1, "text", "e", "", "HB305"},
	{"UserPromptSubmit", 2, "text", "", "deny(No stderr output)", ""},
	{"UserPromptSubmit", 0, `{"decision":"block"}`, "", "deny(Blocked by hook)", ""},
	{"UserPromptSubmit", 0, `{"continue":false,"stopReason":"s"}`, "", "end(s)", ""},
	{"UserPromptSubmit", 0, hso("UserPromptSubmit", `"additionalContext":"c","sessionTitle":"t",`+
		`"suppressOriginalPrompt":true`), "", "context(c) session-title hide-prompt", ""},
	{"UserPromptExpansion", 0, `{"continue":false,"stopReason":"s"}`, "", "end(s)", ""},
	{"UserPromptExpansion", 0, "text", "", "context(text)", ""},
	{"SessionStart", 0, "text", "", "context(text)", ""},
	{"SessionStart", 2, `{"decision":"block","hookSpecificOutput":{"hookEventName":"SessionStart",` +
		`"additionalContext":"c"}}`, "e", "context(c)", "HB319 HB319"},
	{"SessionStart", 0, `{"continue":false}`, "", "", "HB319"},
	{"SessionStart", 0, hso("SessionStart", `"initialUserMessage":"i","watchPaths":["/x"],"reloadSkills":true`),
		"", "initial-prompt watch-paths reload-skills", ""},
	{"SessionStart", 0, hso("SessionStart", `"watchPaths":5`), "", "", "HB304"},
	{"Setup", 0, "text", "", "", ""},
	{"SessionEnd", 0, hso("SessionEnd", ""), "", "", "HB304"},
	{"Stop", 2, "", "e", "go(e)", ""},
	{"Stop", 2, hso("Stop", `"additionalContext":"c"`), "e", "go(e\nc)", ""},
	{"Stop", 0, hso("Stop", `"additionalContext":"c"`), "", "go(c)", ""},
	{"Stop", 0, `{"decision":"block","reason":"r"}`, "", "go(r)", ""},
	{"Stop", 0, `{"decision":"block"}`, "", "go(Blocked by hook)", ""},
	{"Stop", 0, `{"continue":false,"decision":"block"}`, "", "go(Blocked by hook) end()", ""},
	{"SubagentStop", 2, "", "e", "go(e)", ""},
	{"SubagentStart", 0, "text", "", "", ""},
	{"SubagentStart", 2, "", "e", "", "HB319"},
	{"Notification", 0, `{"systemMessage":"m"}`, "", "", "HB319"},
	{"Notification", 0, hso("Notification", `"additionalContext":"c"`), "", "", "HB319"},
	{"PreCompact", 0, "text", "", "context(text)", ""},
	{"PreCompact", 0, hso("PreCompact", `"additionalContext":"c"`), "", "", "HB304"},
	{"PreCompact", 2, "", "e", "deny(e)", ""},
	{"PreSkillShellCommand", 2, "", "no", "deny(no)", ""},
	{"PreSkillShellCommand", 0, skill(`"permissionDecision":"allow"`), "", "allow()", ""},
	{"PreSkillShellCommand", 0, skill(`"permissionDecision":"deny",` + why), "", "deny(no)", ""},
	{"PreSkillShellCommand", 0, skill(`"permissionDecision":"ask",` + why), "", "deny(no)", ""},
	{"PreSkillShellCommand", 0, skill(`"permissionDecision":"defer"`), "", "deny(Blocked by hook)", ""},
	{"PreSkillShellCommand", 0, skill(`"updatedInput":{}`), "", "deny(Blocked by hook)", ""},
	{"PreModelSwitch", 0, hso("PreModelSwitch", `"permissionDecision":"ask"`), "", "ask()", ""},
	{"PreModelSwitch", 0, hso("PreModelSwitch", `"permissionDecision":"defer"`), "", "", "HB304"},
	{"ConfigChange", 0, `{"decision":"block","reason":"r"}`, "", "deny(r)", ""},
	{"TaskCreated", 2, "", "e", "deny(e)", ""},
	{"TaskCompleted", 0, `{"continue":false,"stopReason":"s"}`, "", "end(s)", ""},
	{"TeammateIdle", 2, "", "e", "go(e)", ""},
	{"WorktreeCreate", 0, "banner\n/w \n\n", "", "worktree", ""},
	{"WorktreeCreate", 0, "", "", "deny(the hook printed no path)", ""},
	{"WorktreeCreate", 1, "/w", "e", "deny(hook failed: exit code 1: e)", "HB305"},
	{"WorktreeCreate", 2, "/w", "e", "deny(e)", ""},
	{"Elicitation", 0, hso("Elicitation", `"action":"decline"`), "", "deny()", ""},
	{"Elicitation", 0, hso("Elicitation", `"action":"accept","content":{"a":1}`), "", "elicit", ""},
	{"Elicitation", 2, "", "e", "deny()", ""},
	{"MessageDisplay", 0, hso("MessageDisplay", `"displayContent":"x"`), "", "display", ""},
}

const why = `"permissionDecisionReason":"no"`

func skill(members string) string { return hso("PreSkillShellCommand", members) }

// effectsOf writes the effects of a reply in one line.
func effectsOf(r *schema.Reply) string {
	var out []string
	add := func(used bool, name, text string) {
		if used {
			out = append(out, name+"("+text+")")
		}
	}
	add(r.Verdict != schema.NoOpinion, r.Verdict.String(), r.Reason)
	if r.Input != nil {
		out = append(out, "input")
	}
	add(r.Output != nil, "output", string(r.Output))
	add(r.Context != "", "context", r.Context)
	add(r.Feedback != "", "feedback", r.Feedback)
	add(r.KeepGoing != "", "go", r.KeepGoing)
	add(r.EndTurn, "end", r.EndReason)
	add(r.Notice != "", "notice", r.Notice)
	for _, o := range r.Others {
		out = append(out, o.Feature.Name())
	}
	return strings.Join(out, " ")
}

func codesOf(ds schema.Diagnostics) string {
	var out []string
	for _, d := range ds {
		out = append(out, string(d.Code))
	}
	return strings.Join(out, " ")
}

func command(fail schema.FailPolicy) *schema.Hook {
	return &schema.Hook{Handler: schema.HandlerCommand, Fail: fail, Path: "/hooks/0"}
}

func bash(event string) schema.View {
	return schema.View{Event: event, Kind: schema.Shell, Tool: "Bash"}
}

func TestDecodeReply(t *testing.T) {
	for _, tt := range replyTests {
		res := &process.Result{Exit: tt.exit, Stdout: []byte(tt.stdout), Stderr: []byte(tt.stderr)}
		r, ds := New().DecodeReply(command(schema.FailDefault), bash(tt.event), res)
		name := fmt.Sprintf("%s exit %d %q", tt.event, tt.exit, tt.stdout)
		if got := effectsOf(&r); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if got := codesOf(ds); got != tt.codes {
			t.Errorf("%s: findings %q, want %q", name, got, tt.codes)
		}
	}
}

// TestOnFailure checks what counts as a failure, and where it blocks.
func TestOnFailure(t *testing.T) {
	deny := hso("PreToolUse", `"permissionDecision":"deny","permissionDecisionReason":"r","additionalContext":"c"`)
	allow := hso("PreToolUse", `"permissionDecision":"allow","additionalContext":"c"`)
	for _, tt := range []struct {
		name, event string
		res         process.Result
		want        string // kind of effect, without its text
	}{
		{"status 1", "PreToolUse", process.Result{Exit: 1}, "deny"},
		{"status 1 and allow", "PreToolUse", process.Result{Exit: 1, Stdout: []byte(allow)}, "deny"},
		{"status 1 and its own denial", "PreToolUse", process.Result{Exit: 1, Stdout: []byte(deny)},
			"deny(r) context(c)"},
		{"signal", "PreToolUse", process.Result{Exit: -1, Signal: "SIGKILL"}, "deny"},
		{"not started", "PreToolUse", process.Result{Exit: -1, Err: errors.New("no")}, "deny"},
		{"timeout", "PreToolUse", process.Result{Exit: -1, TimedOut: true}, "deny"},
		{"schema", "PreToolUse", process.Result{Stdout: []byte(`{"decision":"x"}`)}, "deny"},
		{"braces", "PreToolUse", process.Result{Stdout: []byte(`{}{}`)}, "deny"},
		{"open brace", "PreToolUse", process.Result{Stdout: []byte(`{`)}, ""},
		{"text", "PreToolUse", process.Result{Stdout: []byte("x")}, ""},
		{"empty", "PreToolUse", process.Result{}, ""},
		{"released", "PreToolUse", process.Result{Released: true}, ""},
		{"permission request", "PermissionRequest", process.Result{Exit: 1}, "deny"},
		{"after the tool", "PostToolUse", process.Result{Exit: 1}, "feedback"},
		{"stop", "Stop", process.Result{Exit: 1}, ""},
		{"subagent stop", "SubagentStop", process.Result{Exit: 1}, ""},
		{"task completed", "TaskCompleted", process.Result{Exit: 1}, ""},
		{"teammate", "TeammateIdle", process.Result{Exit: 1}, ""},
	} {
		r, _ := New().DecodeReply(command(schema.FailClosed), bash(tt.event), &tt.res)
		if got := effectsOf(&r); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		h := command(schema.FailClosed)
		h.Async = true
		if r, _ := New().DecodeReply(h, bash(tt.event), &tt.res); r.Verdict == schema.Deny && tt.res.Stdout == nil {
			t.Errorf("%s: an asynchronous hook blocks", tt.name)
		}
		if r, _ := New().DecodeReply(command(schema.FailDefault), bash(tt.event), &tt.res); effectsOf(&r) == "deny" ||
			r.Feedback != "" {
			t.Errorf("%s: blocks without being asked to", tt.name)
		}
	}
}

func TestUpdatedMCPOutput(t *testing.T) {
	v := schema.View{Event: "PostToolUse", Kind: schema.MCP, Tool: "mcp__s__t", Server: "s"}
	res := &process.Result{Stdout: []byte(hso("PostToolUse", `"updatedMCPToolOutput":"m"`))}
	if r, _ := New().DecodeReply(command(0), v, res); string(r.Output) != `"m"` {
		t.Errorf("output %q", r.Output)
	}
	res.Stdout = []byte(hso("PostToolUse", `"updatedMCPToolOutput":"m","updatedToolOutput":"t"`))
	if r, _ := New().DecodeReply(command(0), v, res); string(r.Output) != `"t"` {
		t.Errorf("output %q", r.Output)
	}
}

func TestRefusal(t *testing.T) {
	for _, tt := range []struct {
		event   string
		onBlock bool
		want    string
	}{
		{"PreToolUse", false, "deny(r) end(r)"}, {"PreToolUse", true, "deny(r)"},
		{"PostToolUse", false, "feedback(r) end(r)"},
		{"PostToolUse", true, "feedback(r)"}, {"Stop", false, "go(r)"}, {"SubagentStop", false, "go(r)"},
		{"PermissionRequest", false, "deny(r)"}} {
		r := New().Refusal(&schema.Hook{Handler: schema.HandlerPrompt, OnBlock: tt.onBlock}, bash(tt.event), "r")
		if got := effectsOf(&r); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.event, got, tt.want)
		}
	}
}

// TestTextForAResult checks that a text never replaces a result that is an object.
func TestTextForAResult(t *testing.T) {
	for kind, want := range map[schema.Kind]string{schema.Shell: "", schema.Read: "", schema.Write: "", schema.Edit: "",
		schema.MCP: `"t"`} {
		res := process.Result{Stdout: []byte(hso("PostToolUse", `"updatedToolOutput":"t"`))}
		reply, ds := New().DecodeReply(&schema.Hook{Event: schema.PostTool, Handler: schema.HandlerCommand},
			schema.View{Event: "PostToolUse", Kind: kind, Tool: "T"}, &res)
		if string(reply.Output) != want || want == "" && len(ds) != 1 {
			t.Errorf("%v: %s %v", kind, reply.Output, ds)
		}
	}
}

// TestStopContext checks that additionalContext sends the agent back to work, from the first version that supports it.
func TestStopContext(t *testing.T) {
	for _, event := range []string{"Stop", "SubagentStop"} {
		for version, want := range map[string]string{"": "c", "2.1.163": "c", "2.1.162": ""} {
			d, err := New().At(version)
			if err != nil {
				t.Fatal(err)
			}
			res := &process.Result{Stdout: []byte(hso(event, `"additionalContext":"c"`))}
			r, ds := d.DecodeReply(command(schema.FailDefault), bash(event), res)
			if r.KeepGoing != want || (len(ds) > 0) != (want == "") {
				t.Errorf("%s at %q: %+v %v", event, version, r, ds)
			}
		}
	}
}
