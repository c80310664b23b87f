package bridge

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// shown is a jq filter for a command's output.
const shown = `.toolResult.textResultForLlm // .tool_response.stdout // (.tool_response.llmContent | capture(": ` +
	`(?<o>.*)").o)`

// TestChainedResult: after a call, Copilot gives each hook the result as changed by the previous hook, and runs none
// after one that blocks (observed 1.0.102). Gemini CLI and Qoder give each the tool's own result (observed 0.61.0,
// 1.1.52).
func TestChainedResult(t *testing.T) {
	const copilot = `{"version":1,"hooks":{"postToolUse":[ENTRIES]}}`
	const others = `{"hooks":{"EVENT":[{"sequential":true,"hooks":[ENTRIES]}]}}`
	for _, tt := range []struct {
		name, hooks, config string
		answers             []string
		want                string // what the hooks saw
	}{
		{"a redaction of a redaction", "copilot", copilot,
			[]string{`{"modifiedResult":{"textResultForLlm":"redacted"}}`,
				`{"modifiedResult":{"textResultForLlm":"twice"}}`, `{}`},
			"secret <shellId: 0 completed with exit code 0> redacted twice"},
		{"a block ends the line", "copilot", copilot, []string{`{"decision":"block","reason":"no"}`, `{}`},
			"secret <shellId: 0 completed with exit code 0>"},
		{"Gemini CLI chains no results", "gemini", strings.Replace(others, "EVENT", "AfterTool", 1),
			[]string{`{"decision":"deny","reason":"redacted"}`, `{}`}, "secret secret"},
		{"Qoder chains no results", "qoder", strings.Replace(others, "EVENT", "PostToolUse", 1),
			[]string{`{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"redacted"}}`, `{}`},
			"secret secret"},
	} {
		b := newBridge(t, "claude", tt.hooks, "")
		var entries []string
		for _, answer := range tt.answers {
			command := "jq -r '" + shown + "' >> " + b.Places.Project + "/seen; echo '" + answer + "'"
			entries = append(entries, `{"type":"command","command":`+strconv.Quote(command)+`}`)
		}
		b.Inline = []byte(strings.Replace(tt.config, "ENTRIES", strings.Join(entries, ","), 1))
		b.InlineAt = schema.Source{File: b.Places.Project + "/hooks.json"}
		payload := `{"session_id":"s","transcript_path":"","cwd":"` + b.Places.Project +
			`","permission_mode":"default",` +
			`"hook_event_name":"PostToolUse"` + lsCall +
			`,"tool_response":{"stdout":"secret","stderr":"","interrupted":false}}`
		out, rep, err := b.Run(context.Background(), []byte(payload), "")
		if seen := strings.Join(strings.Fields(readFile(t, b.Places.Project+"/seen")), " "); err != nil ||
			seen != tt.want {
			t.Errorf("%s: %q instead of %q, %s %v", tt.name, seen, tt.want, out, rep.Diagnostics)
		}
	}
}

func readFile(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTwoNames: Copilot first runs the hooks of a file under its own name of an event, then those under Claude Code's
// name. All run one after the other (observed 1.0.102).
func TestTwoNames(t *testing.T) {
	b := newBridge(t, "claude", "copilot", "")
	says := func(word string, exit int) string {
		return strconv.Quote("echo " + word + " >> " + b.Places.Project + "/seen; exit " + strconv.Itoa(exit))
	}
	b.Inline = []byte(`{"version":1,"hooks":{"PreToolUse":[{"type":"command","bash":` + says("third", 0) + `}],
		"preToolUse":[{"type":"command","bash":` + says("first", 0) + `},
			{"type":"command","bash":` + says("second", 2) + `}]}}`)
	b.InlineAt = schema.Source{File: b.Places.Project + "/hooks.json"}
	payload := `{"session_id":"s","transcript_path":"","cwd":"` + b.Places.Project + `","permission_mode":"default",` +
		`"hook_event_name":"PreToolUse"` + lsCall + `}`
	_, rep, err := b.Run(context.Background(), []byte(payload), "")
	seen := strings.Join(strings.Fields(readFile(t, b.Places.Project+"/seen")), " ")
	if err != nil || seen != "first second" || rep.Reply.Verdict != schema.Deny {
		t.Errorf("%q, %v, %v", seen, rep.Reply, err)
	}
}

// TestAskedNowhere: if the user answers a Copilot hook's ask with no, later hooks don't run (observed 1.0.102). The
// same applies to an ask that the user never sees.
func TestAskedNowhere(t *testing.T) {
	for host, want := range map[string]string{"codex": "first", "claude": "first second"} {
		b := newBridge(t, host, "copilot", "")
		says := func(word, answer string) string {
			return strconv.Quote("echo " + word + " >> " + b.Places.Project + "/seen; echo '" + answer + "'")
		}
		b.Inline = []byte(`{"version":1,"hooks":{"preToolUse":[
			{"type":"command","bash":` + says("first", `{"permissionDecision":"ask"}`) + `},
			{"type":"command","bash":` + says("second", `{}`) + `}]}}`)
		b.InlineAt = schema.Source{File: b.Places.Project + "/hooks.json"}
		payload := `{"session_id":"s","transcript_path":null,"cwd":"` + b.Places.Project +
			`","permission_mode":"default",` + `"hook_event_name":"PreToolUse"` + lsCall + `}`
		_, rep, err := b.Run(context.Background(), []byte(payload), "")
		seen := strings.Join(strings.Fields(readFile(t, b.Places.Project+"/seen")), " ")
		if err != nil || seen != want {
			t.Errorf("%s: %q, %v, %v", host, seen, rep.Reply, err)
		}
	}
}

// TestCommandNumbers: Copilot numbers the commands of a session in their results (observed 1.0.102).
func TestCommandNumbers(t *testing.T) {
	b := newBridge(t, "claude", "copilot", "")
	command := strconv.Quote("jq -r .toolResult.textResultForLlm >> " + b.Places.Project + "/seen")
	b.Inline = []byte(`{"version":1,"hooks":{"postToolUse":[{"type":"command","bash":` + command + `}]}}`)
	b.InlineAt = schema.Source{File: b.Places.Project + "/hooks.json"}
	for i := range 3 {
		payload := `{"session_id":"s","transcript_path":"","cwd":"` + b.Places.Project +
			`","permission_mode":"default",` + `"hook_event_name":"PostToolUse"` +
			strings.Replace(lsCall, `"tool_use_id":"`, `"tool_use_id":"`+strconv.Itoa(i), 1) +
			`,"tool_response":{"stdout":"x"}}`
		if _, rep, err := b.Run(context.Background(), []byte(payload), ""); err != nil {
			t.Fatal(err, rep)
		}
	}
	seen := strings.Join(strings.Fields(readFile(t, b.Places.Project+"/seen")), " ")
	const rest = " completed with exit code 0>"
	if want := "x <shellId: 0" + rest + " x <shellId: 1" + rest + " x <shellId: 2" + rest; seen != want {
		t.Errorf("%q instead of %q", seen, want)
	}
}

// TestCommandNumberStays: a hook that replaces a result may keep the line with the command's number; other agents don't
// get that line.
func TestCommandNumberStays(t *testing.T) {
	for _, tt := range []struct{ host, response, want string }{
		{"claude", `{"stdout":"secret","stderr":"","interrupted":false}`, "public"},
		{"codex", `"secret"`, "public"},
	} {
		b := newBridge(t, tt.host, "copilot", "")
		command := strconv.Quote(`jq -c '.toolResult.textResultForLlm | sub("secret"; "public") | ` +
			`{modifiedResult: {textResultForLlm: .}}'`)
		b.Inline = []byte(`{"version":1,"hooks":{"postToolUse":[{"type":"command","bash":` + command + `}]}}`)
		b.InlineAt = schema.Source{File: b.Places.Project + "/hooks.json"}
		payload := `{"session_id":"s","transcript_path":"","cwd":"` + b.Places.Project +
			`","permission_mode":"default","hook_event_name":"PostToolUse"` + lsCall +
			`,"tool_response":` + tt.response + `}`
		out, rep, err := b.Run(context.Background(), []byte(payload), "postToolUse")
		if got := family.TextOf(rep.Reply.Output); err != nil || got != tt.want {
			t.Errorf("%s: %q instead of %q: %s, %v, %v", tt.host, got, tt.want, out, rep.Diagnostics, err)
		}
	}
}
