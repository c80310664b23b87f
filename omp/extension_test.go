package omp

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// play runs a script after the extension was loaded, and returns its output.
func play(t *testing.T, script, entries string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs node and a POSIX shell")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "hookbridge.mjs")
	text := string(New().WriteEntries([]byte(`{"hooks":{` + entries + `}}`)))
	text = strings.Replace(text, "MOST = 28", "MOST = 1", 1)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "--input-type=module", "-e", `
import load from "`+file+`"
const handlers = {}
load({ on: (event, f) => (handlers[event] = f) })
const ctx = { cwd: process.cwd(), sessionManager: { getSessionId: () => "s" } }
const fire = async (event, e) => JSON.stringify(await handlers[event](e, ctx)) ?? "nothing"
`+script)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func entry(event, command, more string) string {
	text, _ := json.Marshal(command)
	return `"` + event + `":[{"command":` + string(text) + more + `}]`
}

// TestExtension checks the differences from Pi's extension: the end of a turn, and the timeout of a handler, after
// which the client itself would deny the call.
func TestExtension(t *testing.T) {
	const call = `{ toolName: "bash", toolCallId: "c", input: { command: "ls" } }`
	const before = `console.log(await fire("tool_call", ` + call + `))`
	const stop = `console.log(await fire("session_stop", { messages: [] }))`
	const answer = `cat >/dev/null; echo '{"protocol":1,"decision":"block","reason":"go on"}'`
	for name, c := range map[string]struct{ script, entries, want string }{
		"slower than the client waits": {before, entry("PreToolUse", "sleep 60", ""),
			`{"block":true,"reason":"hookbridge: timed out"}`},
		"slower than it may be": {before, entry("PreToolUse", "sleep 60", `,"timeout":0.2`),
			`{"block":true,"reason":"hookbridge: timed out"}`},
		"stop":                {stop, entry("Stop", answer, ""), `{"decision":"block","reason":"go on"}`},
		"stop without a word": {stop, entry("Stop", `cat >/dev/null; echo '{"protocol":1}'`, ""), "nothing"},
		"cap": {`let n = 0; while ((await fire("session_stop", {})) !== "nothing") n++; console.log(n)`,
			entry("Stop", answer, ""), "8"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := play(t, c.script, c.entries); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
