package pi

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// play runs a script after the extension was loaded, and returns its output. The script has fire(event, members), which
// returns a handler's answer as JSON, and shown, the number of notices.
func play(t *testing.T, script, entries string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs node and a POSIX shell")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "hookbridge.mjs")
	if err := os.WriteFile(file, New().WriteEntries([]byte(`{"hooks":{`+entries+`}}`)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "--input-type=module", "-e", `
import load from "`+file+`"
const handlers = {}
let shown = 0
load({ on: (event, f) => (handlers[event] = f) })
const ctx = { cwd: process.cwd(), mode: "json", hasUI: true, ui: { notify: () => shown++ },
  sessionManager: { getSessionId: () => "s" } }
const fire = async (event, e) => JSON.stringify(await handlers[event](e, ctx)) ?? "nothing"
const call = (input) => ({ toolName: "bash", toolCallId: "c", input })
`+script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func entry(event, command, more string) string {
	text, _ := json.Marshal(command)
	return `"` + event + `":[{"command":` + string(text) + more + `}]`
}

// says returns a command that reads its payload and prints an answer of the protocol.
func says(fields string) string { return `cat >/dev/null; echo '{"protocol":1` + fields + `}'` }

// TestExtension checks how the extension treats answers, and that a failure denies only if the entry says so: a handler
// that threw would deny every call.
func TestExtension(t *testing.T) {
	const deny = `,"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}`
	const closed = `,"failClosed":true`
	const before = `const e = call({command: "ls", timeout: 1}); ` +
		`console.log(await fire("tool_call", e), JSON.stringify(e.input), shown)`
	const same = `{"command":"ls","timeout":1}`
	const after = `console.log(await fire("tool_result", ` +
		`{ ...call({}), content: [{ type: "text", text: "out" }], isError: false }))`
	const settle = `const turn = () => fire("agent_before_settle", { outcome: "completed", entries: [] });`
	for name, c := range map[string]struct{ script, entries, want string }{
		"no opinion": {before, entry("PreToolUse", says(""), ""), "nothing " + same + " 0"},
		"deny":       {before, entry("PreToolUse", says(deny), ""), `{"block":true,"reason":"no"} ` + same + " 0"},
		"context beside a denial": {before, entry("PreToolUse",
			says(strings.Replace(deny, "{", `{"additionalContext":"x",`, 1)), ""),
			`{"block":true,"reason":"no\nx"} ` + same + " 0"},
		"rewrite": {before, entry("PreToolUse", says(`,"hookSpecificOutput":{"updatedInput":{"command":"pwd"}}`), ""),
			`nothing {"command":"pwd"} 0`},
		"end": {before, entry("PreToolUse", says(`,"continue":false,"stopReason":"halt"`), ""),
			`{"block":true,"reason":"halt","terminate":true} ` + same + " 0"},
		"crash open": {before, entry("PreToolUse", "exit 3", ""), "nothing " + same + " 1"},
		"crash closed": {before, entry("PreToolUse", "exit 3", closed),
			`{"block":true,"reason":"hookbridge: exit code 3"} ` + same + " 1"},
		"refused by its status": {before, entry("PreToolUse", "echo why >&2; exit 2", ""),
			`{"block":true,"reason":"hookbridge: exit code 2\nwhy"} ` + same + " 1"},
		"status 2 afterwards": {after, entry("PostToolUse", "exit 2", ""), "nothing"},
		"slow": {before, entry("PreToolUse", "sleep 60", `,"timeout":0.2`),
			`{"block":true,"reason":"hookbridge: timed out"} ` + same + " 1"},
		"no answer": {before, entry("PreToolUse", "cat >/dev/null", closed),
			`{"block":true,"reason":"hookbridge: the answer is not a JSON object"} ` + same + " 1"},
		"other protocol": {before, entry("PreToolUse", `cat >/dev/null; echo '{"protocol":2}'`, closed),
			`{"block":true,"reason":"hookbridge: protocol 2 in place of 1: run hookbridge install again"} ` + same +
				" 1"},
		"result as it is": {after, entry("PostToolUse", says(""), ""), "nothing"},
		"context": {after, entry("PostToolUse", says(`,"hookSpecificOutput":{"additionalContext":"x"}`), ""),
			`{"content":[{"type":"text","text":"out"},{"type":"text","text":"\n\nx"}]}`},
		"replaced": {after, entry("PostToolUse", says(`,"hookSpecificOutput":{"updatedToolOutput":"y"}`), ""),
			`{"content":[{"type":"text","text":"y"}]}`},
		"prompt": {`console.log(await fire("input", { text: "p", source: "interactive" }), shown)`,
			entry("UserPromptSubmit", says(`,"decision":"block","reason":"no"`), ""), `{"action":"handled"} 1`},
		"own message": {`console.log(await fire("input", { text: "p", source: "extension" }), shown)`,
			entry("UserPromptSubmit", says(`,"decision":"block","reason":"no"`), ""), "nothing 0"},
		"cap": {settle + `let n = 0; while ((await turn()) !== "nothing") n++; console.log(n, shown)`,
			entry("Stop", says(`,"decision":"block","reason":"go on"`), ""), "8 1"},
		"aborted": {`console.log(await fire("agent_before_settle", { outcome: "aborted", entries: [] }))`,
			entry("Stop", says(`,"decision":"block","reason":"go on"`), ""), "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := play(t, c.script, c.entries); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestEntries checks that the extension is readable and short, and that edited ones are reported.
func TestEntries(t *testing.T) {
	text := string(New().WriteEntries([]byte(`{"hooks":{"PreToolUse":[{"command":"a"}],"Stop":[{"command":"b"}]}}`)))
	if n := bytes.Count([]byte(text), []byte("\n")); n >= 200 {
		t.Errorf("the extension has %d lines", n)
	}
	for _, row := range []struct {
		text string
		code schema.Code
	}{
		{text, ""}, {text + "// mine\n", schema.CodeRefusedFile},
		{strings.Replace(text, "PROTOCOL = 1", "PROTOCOL = 7", 1), schema.CodeNotCalled},
	} {
		cfg, ds := New().ParseConfig([]byte(row.text), schema.Source{})
		if len(cfg.Hooks) != 2 || (len(ds) == 1) != (row.code != "") || row.code != "" && ds[0].Code != row.code {
			t.Errorf("%q: %d entries, %v", row.code, len(cfg.Hooks), ds)
		}
	}
}

// TestDenies checks that the extension treats exit code 2 as a denial exactly at the events at which an entry can deny.
func TestDenies(t *testing.T) {
	_, list, _ := strings.Cut(Common, "DENIES = [")
	list, _, _ = strings.Cut(list, "]")
	denies := strings.Split(strings.ReplaceAll(list, `"`, ""), ", ")
	for _, row := range New().Profile().Events {
		h := schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand}
		res := &process.Result{Exit: 2, Stderr: []byte("why")}
		r, _ := New().DecodeReply(&h, schema.View{Event: row.Native}, res)
		deny := row.Blocks == schema.EffectDeny
		if slices.Contains(denies, row.Native) != deny || (r.Verdict == schema.Deny) != deny {
			t.Errorf("%s: denies %v, the table says %t, and what is read is %v", row.Native, denies, deny, r.Verdict)
		}
	}
}
