package bridge

import (
	"context"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSplit checks that hooks of another agent get each file of a patch. One denial denies the whole; a part's rewrite
// changes the patch or denies it.
func TestSplit(t *testing.T) {
	const patch = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** Update File: b.txt\n@@\n-old\n+new\n*** Delete " +
		"File: c.txt\n*** End Patch"
	for _, tt := range []struct {
		name, tool, command, hook string
		runs                      int
		want                      string // a part of the answer
	}{
		{"each file", "apply_patch", patch, `cat >/dev/null`, 3, `{}`},
		{"one refusal", "apply_patch", patch, `if grep -q b.txt; then echo no b >&2; exit 2; fi`,
			3, `"permissionDecision":"deny","permissionDecisionReason":"no b"`},
		{"a rewrite", "apply_patch", patch, `if grep -q '"one'; then echo '` +
			rewrite(`{"file_path":"/w/a.txt","content":"two"}`) + `'; fi`, 3,
			`"permissionDecision":"allow","updatedInput":{"command":"*** Begin Patch\n*** Add File: a.txt\n+two\n` +
				`*** Update File: b.txt\n@@\n-old\n+new\n*** Delete File: c.txt\n*** End Patch\n"}`},
		{"a rewrite of an edit", "apply_patch", patch, `if grep -q new_string; then echo '` +
			rewrite(`{"file_path":"/w/b.txt","old_string":"old","new_string":"newer"}`) + `'; fi`, 3,
			`*** Update File: b.txt\n@@\n-old\n+newer\n`},
		{"a patch in a command", "Bash", "apply_patch <<'EOF'\n" + patch + "\nEOF",
			`if grep -q b.txt; then echo no b >&2; exit 2; fi`, 4, `"permissionDecisionReason":"no b"`},
		{"a rewrite of the command", "Bash", "apply_patch <<'EOF'\n" + patch + "\nEOF", `if grep -q EOF; then echo '` +
			rewrite(`{"command":"ls"}`) + `'; fi`, 4,
			`"updatedInput":{"command":"ls"}`},
		{"no rewrite of a file in a command", "Bash", "apply_patch <<'EOF'\n" + patch + "\nEOF",
			`if grep -q '"one'; then echo '` + rewrite(`{"file_path":"/w/a.txt","content":"two"}`) + `'; fi`, 4,
			`"deny"`},
		{"one hook for all", "Bash", "apply_patch <<'EOF'\n" + patch + "\nEOF",
			`if grep -q '"Write"'; then echo no writes >&2; exit 2; fi`, 4, `"no writes"`},
	} {
		b := newBridge(t, "codex", "claude", tt.hook)
		b.Places.Project = ""
		w := ordjson.NewWriter(nil)
		w.String("command", tt.command)
		in := `{"session_id":"s","turn_id":"t","transcript_path":null,"cwd":"/w","hook_event_name":"PreToolUse",` +
			`"model":"m","permission_mode":"default","tool_name":"` +
			tt.tool + `","tool_input":` + string(w.Bytes()) + `,"tool_use_id":"u"}`
		out, rep, err := b.Run(context.Background(), []byte(in), "")
		if err != nil || len(rep.Runs) != tt.runs || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: %d runs, %s %v, want %s; %v", tt.name, len(rep.Runs), out, err, tt.want, rep.Diagnostics)
		}
	}
}

// rewrite returns an answer with a new input.
func rewrite(input string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":` +
		input + `}}`
}

// TestSplitReads checks that a guard on reads gets the files that a command obviously prints, even if its matcher
// accepts other tools too. Hooks after the tool run once.
func TestSplitReads(t *testing.T) {
	refuseRead := `if test "$(grep -c '"Read".*secret')" = 1; then echo no >&2; exit 2; fi`
	for _, tt := range []struct {
		matcher, command, event, hook string
		runs                          int
		denied                        bool
	}{
		{"Read", "cat secret", "PreToolUse", refuseRead, 1, true},
		{"Read|Bash", "cat secret", "PreToolUse", refuseRead, 2, true},
		{"*", "cat secret", "PreToolUse", refuseRead, 2, true},
		{"", "cat secret", "PreToolUse", refuseRead, 2, true},
		{"*", "cat secret", "PermissionRequest", `if grep -q '"Read"'; then echo '{"hookSpecificOutput":` +
			`{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}'; fi`, 2, true},
		{"*", "cat secret", "PostToolUse", refuseRead, 1, false},
		{"*", "cat a secret", "PreToolUse", refuseRead, 3, true},
		{"Bash", "cat secret", "PreToolUse", refuseRead, 1, false},
		{"Read", "ls", "PreToolUse", refuseRead, 0, false},
		{"*", "ls", "PreToolUse", refuseRead, 1, false},
		{"Read", "head -n 1 a && sed -n 1p ./secret", "PreToolUse", refuseRead, 2, true},
		{"Read", "echo secret", "PreToolUse", refuseRead, 0, false},
		{"*", "cat secret", "PreToolUse", echoInput, 2, false},
		{"*", "cat secret", "PreToolUse", `if grep -q '"Read"'; then echo '` + rewrite(`{"file_path":"/x"}`) + `'; fi`,
			2, true},
	} {
		b := newBridge(t, "codex", "claude", tt.hook)
		b.Places.Project = ""
		b.Single.Matcher, b.Single.HasMatcher, b.Single.Native = tt.matcher, tt.matcher != "", tt.event
		b.Single.Event = b.Hooks.Profile().Row(tt.event).Event
		w := ordjson.NewWriter(nil)
		w.String("command", tt.command)
		in := `{"session_id":"s","turn_id":"t","transcript_path":null,"cwd":"/w","hook_event_name":"` + tt.event +
			`","model":"m","permission_mode":"default","tool_name":"Bash","tool_input":` + string(w.Bytes()) +
			`,"tool_use_id":"u","tool_response":"text"}`
		out, rep, err := b.Run(context.Background(), []byte(in), "")
		got := strings.Contains(string(out), `"deny"`)
		if err != nil || got != tt.denied || len(rep.Runs) != tt.runs {
			t.Errorf("%+v: %d runs, %s %v %v", tt, len(rep.Runs), out, err, rep.Diagnostics)
		}
	}
}

// echoInput is a hook that answers with the input that it got.
const echoInput = `sed 's/.*"tool_input":\({[^}]*}\).*/{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
	`"permissionDecision":"allow","updatedInput":\1}}/'`

// TestSplitRegistration checks that hookbridge is called for commands if another agent's guard gets parts of them.
func TestSplitRegistration(t *testing.T) {
	hooks, _ := adapter.Find("claude")
	host, _ := adapter.Find("codex")
	for matcher, want := range map[string]string{"Read": "Bash|view_image", "Edit|Write": "Bash|apply_patch",
		"WebSearch": "WebSearch"} {
		h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand, Command: "x",
			Matcher: matcher, HasMatcher: true}
		entries := plan.New(hooks, host).Outcome(&h, true).Own
		if len(entries) != 1 || entries[0].Matcher != want {
			t.Errorf("%s: %+v, want %s", matcher, entries, want)
		}
	}
}
