package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/command/cli"
)

// A happening is one event in the form of each host. The text is empty for a host without such an event.
type happening struct{ name, claude, cursor, qoder string }

const (
	claudeBase = `"session_id":"s","transcript_path":"/t","cwd":"DIR","permission_mode":"default"`
	cursorBase = `"conversation_id":"s","generation_id":"g","model":"m","cursor_version":"3.15.19",` +
		`"workspace_roots":["DIR"]`
)

func toolEvent(name, event, cursorEvent, tool, cursorTool, input, result string) happening {
	plain := fmt.Sprintf(`{%s,"hook_event_name":%q,"tool_name":%q,"tool_input":%s,"tool_use_id":"t1"`, claudeBase,
		event, tool, input)
	h := happening{name: name, claude: plain + "}", qoder: plain + "}"}
	if result != "" {
		h.claude, h.qoder = plain+`,"tool_response":`+result+"}", plain+`,"tool_response":`+result+"}"
	}
	if cursorEvent != "" {
		h.cursor = fmt.Sprintf(`{%s,"hook_event_name":%q,"tool_name":%q,"tool_input":%s,"tool_use_id":"t1"`, cursorBase,
			cursorEvent, cursorTool, input)
		if result != "" {
			result = strings.Replace(result, `"stdout"`, `"output"`, 1)
			text, _ := json.Marshal(result)
			h.cursor += `,"tool_output":` + string(text) + `,"duration":1`
		}
		h.cursor += "}"
	}
	return h
}

var happenings = []happening{
	toolEvent("rm -rf /", "PreToolUse", "preToolUse", "Bash", "Shell", `{"command":"rm -rf / "}`, ""),
	toolEvent("a shell command", "PreToolUse", "preToolUse", "Bash", "Shell", `{"command":"ls"}`, ""),
	toolEvent("the result of a shell command", "PostToolUse", "postToolUse", "Bash", "Shell", `{"command":"env"}`,
		`{"stdout":"password=hunter2 `+strings.Repeat("x", 3000)+`","stderr":"","interrupted":false}`),
	toolEvent("the result of an MCP tool", "PostToolUse", "postToolUse", "mcp__db__rows", "MCP:rows", `{"q":1}`,
		`"password=hunter2 `+strings.Repeat("x", 3000)+`"`),
	toolEvent("a read", "PreToolUse", "preToolUse", "Read", "Read", `{"file_path":"DIR/a.txt"}`, ""),
	toolEvent("a read of .env", "PreToolUse", "preToolUse", "Read", "Read", `{"file_path":"DIR/.env"}`, ""),
	toolEvent("a question about a read", "PermissionRequest", "", "Read", "", `{"file_path":"DIR/a.txt"}`, ""),
	{"the end of a turn with open points",
		`{` + claudeBase + `,"hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"left: [ ] ` +
			`tests"}`,
		`{` + cursorBase + `,"hook_event_name":"stop","status":"completed","loop_count":0}`,
		`{` + claudeBase + `,"hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"left: [ ] ` +
			`tests"}`},
}

// recipeRows list the result of each recipe on each happening: a part of the answer, "{}" for an empty one, followed by
// the code of what could not be translated.
var recipeRows = []struct {
	recipe, happening     string
	claude, cursor, qoder string
}{
	{"block-dangerous", "rm -rf /", `"deny"`, `"deny"`, `"deny"`},
	{"block-dangerous", "a shell command", `{}`, `{}`, `{}`},
	{"redact-secrets", "the result of a shell command", `password=[redacted]`, `"additional_context" HB208`,
		`password=[redacted]`},
	{"redact-secrets", "the result of an MCP tool", `password=[redacted]`, `password=[redacted]`,
		`password=[redacted]`},
	{"cut-output", "the result of a shell command", `characters left out`, `{} HB208`, `characters left out`},
	{"cut-output", "the result of an MCP tool", `characters left out`, `characters left out`, `characters left out`},
	{"keep-going", "the end of a turn with open points", `"block"`, `"followup_message"`, `"block"`},
	{"approve-reads", "a read", `"allow"`, `"allow"`, `"allow"`},
	{"approve-reads", "a shell command", `{}`, `{}`, `{}`},
	{"approve-reads", "a question about a read", `"allow"`, `no such event`, `"allow"`},
	{"audit-and-security", "a read", `{}`, `{}`, `{}`},
	{"audit-and-security", "a read of .env", `"deny"`, `"deny"`, `"deny"`},
	{"audit-and-security", "the result of a shell command", `{}`, `{}`, `{}`},
}

// TestRecipes runs the callbacks of examples/qoder-sdk under every host and compares the table of its README with the
// results.
func TestRecipes(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node")
	}
	examples, err := filepath.Abs("../../examples/qoder-sdk")
	if err != nil {
		t.Fatal(err)
	}
	table := "| recipe | on | Claude Code | Cursor | Qoder |\n|---|---|---|---|---|\n"
	for _, row := range recipeRows {
		var h happening
		for _, x := range happenings {
			if x.name == row.happening {
				h = x
			}
		}
		table += "| [" + row.recipe + "](" + row.recipe + ".mjs) | " + row.happening + " |"
		for _, host := range []struct{ name, payload, want string }{{"claude", h.claude, row.claude},
			{"cursor", h.cursor, row.cursor}, {"qoder", h.qoder, row.qoder}} {
			t.Run(row.recipe+"/"+row.happening+"/"+host.name, func(t *testing.T) {
				table += " " + recipeCell(t, host.name, host.payload, filepath.Join(examples, row.recipe+".mjs"),
					host.want) + " |"
			})
		}
		table += "\n"
	}
	if !t.Failed() {
		holdPart(t, filepath.Join(examples, "README.md"), "recipes", table)
	}
}

// recipeCell checks one run and returns its cell of the table.
func recipeCell(t *testing.T, host, payload, module, want string) string {
	t.Helper()
	if payload == "" {
		if want != "no such event" {
			t.Errorf("no payload for %s", want)
		}
		return "no such event (HB201)"
	}
	dir := t.TempDir()
	if host == "cursor" && strings.Contains(payload, `"stop"`) { // the agent's message comes first
		runRecipe(t, dir, host, `{`+cursorBase+`,"hook_event_name":"afterAgentResponse","text":"left: [ ] tests"}`,
			module)
	}
	out, errs := runRecipe(t, dir, host, payload, module)
	part, code, _ := strings.Cut(want, " HB")
	if part == "{}" && out != "{}" || !strings.Contains(out, part) {
		t.Errorf("answered %s\nwant %s\n%s", out, part, errs)
	}
	found := regexp.MustCompile(`(weaker|loss|error) HB(\d+)`).FindAllStringSubmatch(errs, -1)
	switch {
	case code == "" && len(found) > 0:
		t.Errorf("unforeseen: %s", errs)
	case code != "" && (len(found) != 1 || found[0][2] != code):
		t.Errorf("want the one finding HB%s: %s", code, errs)
	case code != "":
		return "lost: HB" + code
	case part == "{}":
		return "works: no opinion"
	}
	return "works"
}

func runRecipe(t *testing.T, dir, host, payload, module string) (out, errs string) {
	t.Helper()
	t.Setenv("HOOKBRIDGE_STATE_DIR", filepath.Join(dir, "state"))
	t.Setenv("AUDIT_FILE", filepath.Join(dir, "audit"))
	var stdout, stderr bytes.Buffer
	code := dispatch([]string{"run", "--host", host, "--hooks", "qoder-sdk", "--module", module},
		cli.IO{In: strings.NewReader(strings.ReplaceAll(payload, "DIR", dir)), Out: &stdout, Err: &stderr})
	if code != 0 {
		t.Fatalf("status %d: %s", code, stderr.String())
	}
	return strings.TrimSpace(stdout.String()), stderr.String()
}
