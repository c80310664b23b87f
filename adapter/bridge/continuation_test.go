package bridge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/hookshell"
	"github.com/hookbridge/hookbridge/schema"
)

// geminiSession answers payloads of one Gemini CLI session with hooks of Claude Code.
func geminiSession(t *testing.T, hooks string) func(event, members string) (string, []schema.Code) {
	return sessionOf(t, "gemini", "claude", hooks)
}

func sessionOf(t *testing.T, of, from, hooks string) func(event, members string) (string, []schema.Code) {
	dir := t.TempDir()
	host, _ := adapter.Find(of)
	own, _ := adapter.Find(from)
	b := &Bridge{Host: host, Hooks: own, StateDir: dir + "/state", TempDir: dir, Now: time.Now,
		Inline: []byte(`{"hooks":{` + hooks + `}}`),
		Places: schema.Places{OS: "linux", Home: dir, Project: dir, Env: schema.Environ{"PATH=/usr/bin:/bin"}}}
	return func(event, members string) (string, []schema.Code) {
		t.Helper()
		out, rep, err := b.Run(context.Background(),
			[]byte(`{"session_id":"s","cwd":"`+dir+`","timestamp":"t","hook_event_name":"`+event+`"`+members+`}`), "")
		if err != nil {
			t.Fatal(err, rep.Diagnostics)
		}
		var codes []schema.Code
		for _, d := range rep.Diagnostics {
			codes = append(codes, d.Code)
		}
		return string(out), codes
	}
}

// TestContinuations: hookbridge counts continuations for a host that marks them only sometimes, so that a hook that
// always blocks stops at its own agent's limit.
func TestContinuations(t *testing.T) {
	run := geminiSession(t, `"Stop":[{"hooks":[{"type":"command","command":"cat >&2; exit 2"}]}],
		"UserPromptSubmit":[{"hooks":[{"type":"command","command":"echo no >&2; exit 2"}]}]`)
	answer, blocks := "a", 0
	for n := range 12 {
		out, _ := run("AfterAgent", fmt.Sprintf(`,"prompt":"p","prompt_response":%q,"stop_hook_active":false`, answer))
		if out == "{}" {
			break
		}
		blocks++
		if active := strings.Contains(out, `stop_hook_active\":true`); active != (n > 0) {
			t.Errorf("round %d: the hook is told %s", n, out)
		}
		if n > 0 && !strings.Contains(out, `last_assistant_message\":\"next\"`) {
			t.Errorf("round %d: not the last answer alone: %s", n, out)
		}
		answer += "\nnext"
	}
	if blocks != 8 {
		t.Errorf("sent back %d times", blocks)
	}
	if out, _ := run("AfterAgent", `,"prompt":"q","prompt_response":"a","stop_hook_active":false`); !strings.Contains(
		out, "deny") {
		t.Errorf("the next turn is not another one: %s", out)
	}
}

// TestContinuationPrompt: hooks for prompts don't run for a stop hook's message, and run for any other prompt.
func TestContinuationPrompt(t *testing.T) {
	run := geminiSession(t, `"Stop":[{"hooks":[{"type":"command","command":"echo 'run the tests' >&2; exit 2"}]}],
		"UserPromptSubmit":[{"hooks":[{"type":"command","command":"echo no >&2; exit 2"}]}]`)
	run("AfterAgent", `,"prompt":"p","prompt_response":"a","stop_hook_active":false`)
	for prompt, denied := range map[string]bool{"run the tests": false, "other\\nrun the tests": false,
		"run the tests now": true} {
		if out, _ := run("BeforeAgent", `,"prompt":"`+prompt+`"`); strings.Contains(out, "deny") != denied {
			t.Errorf("%s: %s", prompt, out)
		}
	}
}

// TestContinuedPrompt: prompt hooks whose agent also runs them for that message run if the host does the same; else
// they are reported.
func TestContinuedPrompt(t *testing.T) {
	const hooks = `"agentStop":[{"type":"command",
		"bash":"echo '{\"decision\":\"block\",\"reason\":\"run the tests\"}'"}],
		"userPromptSubmitted":[{"type":"command",
			"bash":"echo '{\"decision\":\"block\",\"reason\":\"no\"}'"}]`
	run := sessionOf(t, "gemini", "copilot", hooks)
	run("AfterAgent", `,"prompt":"p","prompt_response":"a","stop_hook_active":false`)
	if out, _ := run("BeforeAgent", `,"prompt":"run the tests"`); !strings.Contains(out, "deny") {
		t.Error(out)
	}
	run = sessionOf(t, "claude", "copilot", hooks)
	if _, codes := run("Stop", `,"stop_hook_active":false`); !slices.Contains(codes, schema.CodeFewerCalls) {
		t.Error(codes)
	}
}

// TestPromptPrefix: hookbridge's own text before the first prompt isn't part of it; similar text of other origin is.
func TestPromptPrefix(t *testing.T) {
	run := geminiSession(t, `"SessionStart":[{"hooks":[{"type":"command","command":"echo 'a < b'"}]}],
		"UserPromptSubmit":[{"hooks":[{"type":"command","command":"grep -q hook_context && echo seen >&2 && exit 2; exit 0"}]}]`)
	if out, _ := run("SessionStart", `,"source":"startup"`); !strings.Contains(out, "a < b") {
		t.Fatal(out)
	}
	for prompt, seen := range map[string]bool{
		"<hook_context>a &lt; b</hook_context>\\n\\nhello": false,
		"<hook_context>other</hook_context>\\n\\nhello":    true} {
		if out, _ := run("BeforeAgent", `,"prompt":"`+prompt+`"`); strings.Contains(out, "deny") != seen {
			t.Errorf("%s: %s", prompt, out)
		}
	}
}

// TestContextAfterTheAct: context from before a tool call arrives with the tool's result. If the tool failed or was
// denied, it arrives with the next event that accepts it.
func TestContextAfterTheAct(t *testing.T) {
	const tool = `,"tool_name":"read_file","tool_input":{"file_path":"/a"}`
	run := geminiSession(t,
		`"PreToolUse":[{"hooks":[{"type":"command","command":"echo `+
			`'{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"additionalContext\":\"mind\"}}'"}]}]`)
	run("BeforeTool", tool)
	if out, _ := run("AfterTool", tool+`,"tool_response":{"llmContent":"x"}`); !strings.Contains(out, "mind") {
		t.Errorf("with the result: %s", out)
	}
	run("BeforeTool", tool)
	if out, _ := run("AfterTool", tool+
		`,"tool_response":{"llmContent":"x","error":{"message":"no"}}`); strings.Contains(
		out, "mind") {
		t.Errorf("where it is lost: %s", out)
	}
	if out, _ := run("BeforeAgent", `,"prompt":"p"`); !strings.Contains(out, "mind") {
		t.Errorf("with the next prompt: %s", out)
	}
}

// TestIdleEvent: no hook runs if the host raises an event without cause.
func TestIdleEvent(t *testing.T) {
	run := geminiSession(t, `"PreCompact":[{"hooks":[{"type":"command","command":"echo `+
		`'{\"systemMessage\":\"ran\"}'"}]}]`)
	if out, codes := run("PreCompress", `,"trigger":"auto"`); out != "{}" || len(codes) != 1 ||
		codes[0] != schema.CodeNoEvent {
		t.Errorf("auto: %s %v", out, codes)
	}
	if out, _ := run("PreCompress", `,"trigger":"manual"`); !strings.Contains(out, "ran") {
		t.Errorf("manual: %s", out)
	}
}

// TestStopCap: Claude Code's users may set how many times in a row stop hooks block, also in its settings (observed
// 2.1.328: 0 or less means no limit, and a value other than a number is ignored).
func TestStopCap(t *testing.T) {
	for value, want := range map[string]int{"3": 3, "12": 12, "0": 14, "-1": 14, "many": 8, "": 8} {
		for _, names := range [][2]string{{"claude", "qoder"}, {"qoder", "codex"}, {"qoder", "claude"}} {
			host, _ := adapter.Find(names[0])
			own, _ := adapter.Find(names[1])
			dir := t.TempDir()
			const hooks = `"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo go on >&2; exit 2"}]}]}`
			b := &Bridge{Host: host, Hooks: own, StateDir: dir + "/state", TempDir: dir, Now: time.Now,
				Start: hookshell.Start, Inline: []byte(`{` + hooks + `}`),
				Places: schema.Places{OS: "linux", Home: dir, Project: dir, Env: schema.Environ{"PATH=/usr/bin:/bin"}}}
			want := want
			switch {
			case names[0] == "claude":
				b.Places.Env = append(b.Places.Env, "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP="+value)
			case names[1] == "claude":
				b.Inline = []byte(`{"env":{"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP":"` + value + `"},` + hooks + `}`)
			default:
				want = 14
			}
			blocks := 0
			for n := range 14 {
				payload := fmt.Sprintf(
					`{"session_id":"s","transcript_path":"","cwd":%q,"permission_mode":"default",`+
						`"hook_event_name":"Stop","stop_hook_active":%t}`, dir, n > 0)
				out, rep, err := b.Run(context.Background(), []byte(payload), "")
				if err != nil {
					t.Fatal(err, rep.Diagnostics)
				}
				if string(out) == "{}" {
					break
				}
				blocks++
			}
			if blocks != want {
				t.Errorf("%v with %q: %d blocks, want %d", names, value, blocks, want)
			}
		}
	}
}
