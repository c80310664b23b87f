package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/command/cli"
)

// TestAgentSDK passes generated modules to the real Agent SDK: to its types, and to a session with a stand-in for its
// client. HOOKBRIDGE_SDK=1 installs the packages with npm; HOOKBRIDGE_SDK=DIR uses the node_modules of DIR.
func TestAgentSDK(t *testing.T) {
	where := os.Getenv("HOOKBRIDGE_SDK")
	if where == "" {
		t.Skip("set HOOKBRIDGE_SDK=1 to install the SDK and run this")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sdkWorkplace(t, dir, where)
	t.Run("types", func(t *testing.T) { sdkTypes(t, dir) })
	t.Run("session", func(t *testing.T) { sdkSession(t, dir) })
}

func sdkCommand(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func sdkWorkplace(t *testing.T, dir, where string) {
	if where == "1" {
		sdkCommand(t, dir, nil, "npm", "init", "-y")
		sdkCommand(t, dir, nil, "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund",
			"@qoder-ai/qoder-agent-sdk", "zod", "typescript", "@types/node")
	} else if err := os.Symlink(filepath.Join(where, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"settings.json": `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"./guard.sh","timeout":20}]}],
			"PostToolUse":[{"hooks":[{"type":"command","command":"echo seen >&2; exit 2"}]}],
			"UserPromptSubmit":[{"hooks":[{"type":"command","command":"echo the context"}]}],
			"Stop":[{"hooks":[{"type":"command","command":"echo go on >&2; exit 2"}]}],
			"SubagentStop":[{"hooks":[{"type":"command","command":"echo $$ > hook.pid; sleep 60"}]}],
			"Notification":[{"hooks":[{"type":"command","command":"true"}]}]}}`,
		"untyped.json": `{"hooks":{"Notification":[{"hooks":[{"type":"command","command":"true"}]}]}}`,
		"cursor.json": `{"version":1,"hooks":{"beforeShellExecution":[{"command":"./guard.sh","failClosed":true}],"afterFileEdit":[{"command":"true"}],
			"stop":[{"command":"true","loop_limit":3}]}}`,
		"qoder.json": `{"hooks":{"PreToolUse":[{"matcher":"Bas","hooks":[{"type":"command","command":"./guard.sh","if":"Bash(rm *)"}]}],
			"Elicitation":[{"hooks":[{"type":"command","command":"true"}]}]}}`,
		"package.json": `{"type":"module"}`,
		"guard.sh":     "#!/bin/sh\ncase $(cat) in *'rm -rf'*) echo 'no rm -rf' >&2; exit 2;; esac\n",
		"tsconfig.json": `{"compilerOptions":{"strict":true,"noUnusedLocals":true,"noUnusedParameters":true,"noImplicitReturns":true,"noUncheckedIndexedAccess":true,
			"exactOptionalPropertyTypes":true,"noPropertyAccessFromIndexSignature":true,"verbatimModuleSyntax":true,"erasableSyntaxOnly":true,"isolatedModules":true,"noEmit":true,"module":"nodenext","target":"es2022","types":["node"],"allowImportingTsExtensions":true},"files":["use.ts"]}`,
		"use.ts": `import { query, type Options } from "@qoder-ai/qoder-agent-sdk";
import { hooks } from "./hooks.ts";
import { hooks as untyped } from "./untyped.ts";
import { hooks as cursor } from "./cursor.ts";
import { hooks as qoder } from "./qoder.ts";
export const all: NonNullable<Options["hooks"]>[] = [hooks, untyped, cursor, qoder];
export const session = (auth: NonNullable<Options["auth"]>) => query({ prompt: "x", options: { hooks, auth } });
`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"session.mjs", "standin.mjs"} {
		text, err := os.ReadFile(filepath.Join("testdata", "sdk", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for out, in := range map[string][2]string{"hooks.ts": {"claude", "settings.json"},
		"hooks.mjs": {"claude", "settings.json"}, "untyped.ts": {"claude", "untyped.json"},
		"cursor.ts": {"cursor", "cursor.json"}, "qoder.ts": {"qoder", "qoder.json"}} {
		var errs strings.Builder
		code := dispatch([]string{"convert", "--from", in[0], "--to", "qoder-sdk", "-o", filepath.Join(dir, out),
			filepath.Join(dir, in[1])}, cli.IO{Out: os.Stdout, Err: &errs})
		if code != cli.OK {
			t.Fatal(errs.String())
		}
	}
}

func sdkTypes(t *testing.T, dir string) {
	t.Logf("tsc --strict: %q", sdkCommand(t, dir, nil, filepath.Join("node_modules", ".bin", "tsc"), "-p", "."))
}

// sdkSession raises events through the SDK and checks what it sends back. The last event is canceled: hookbridge and
// its hook must end.
func sdkSession(t *testing.T, dir string) {
	base := `"session_id":"s1","transcript_path":"","cwd":"` + dir + `","permission_mode":"default"`
	events := `[{"hook_event_name":"UserPromptSubmit",` + base + `,"prompt":"hi"},
		{"hook_event_name":"PreToolUse",` + base +
		`,"tool_use_id":"t1","tool_name":"Bash","tool_input":{"command":"rm -rf /"}},
		{"hook_event_name":"PostToolUse",` + base +
		`,"tool_use_id":"t1","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":{"stdout":"x"}},
		{"hook_event_name":"Stop",` + base + `,"stop_hook_active":false,"last_assistant_message":"x"},
		{"hook_event_name":"SubagentStop","abortAfter":1500,` + base +
		`,"agent_id":"a","agent_type":"x","stop_hook_active":false}]`
	if err := os.WriteFile(filepath.Join(dir, "events.json"), []byte(events), 0o600); err != nil {
		t.Fatal(err)
	}
	bridge := filepath.Join(dir, "hookbridge")
	if err := os.Symlink(executable, bridge); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "answers.jsonl")
	sdkCommand(t, dir, []string{"HOOKBRIDGE=" + bridge, "HOOKBRIDGE_STATE_DIR=" + filepath.Join(dir, "state"),
		"STANDIN=" + filepath.Join(dir, "standin.mjs"),
		"STANDIN_EVENTS=" + filepath.Join(dir, "events.json"), "STANDIN_OUT=" + out}, "node", "session.mjs",
		"hooks.mjs")
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"UserPromptSubmit": `"additionalContext":"the context"`,
		"PreToolUse":       `"permissionDecision":"deny","permissionDecisionReason":"no rm -rf"`,
		"PostToolUse":      `"decision":"block","reason":"seen`, "Stop": `"decision":"block","reason":"go on`,
		"SubagentStop": `"subtype":"cancelled"`}
	for line := range strings.Lines(string(text)) {
		t.Log(strings.TrimSpace(line))
		var a struct{ Event string }
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(line, want[a.Event]) {
			t.Errorf("%s: no %s", a.Event, want[a.Event])
		}
		delete(want, a.Event)
	}
	for event := range want {
		t.Errorf("%s: no answer", event)
	}
	pid, err := os.ReadFile(filepath.Join(dir, "hook.pid"))
	if err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if exec.Command("kill", "-0", strings.TrimSpace(string(pid))).Run() != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("the cancelled hook %s is alive", pid)
}
