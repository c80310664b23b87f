package opencode

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// document returns the commands of entries at their events.
func document(entries ...eventEntry) []byte {
	text := `{"hooks":{`
	for i, e := range entries {
		switch again := i > 0 && entries[i-1].event == e.event; {
		case again:
			text = strings.TrimSuffix(text, "]") + "," + e.value + "]"
			continue
		case i > 0:
			text += ","
		}
		text += `"` + e.event + `":[` + e.value + "]"
	}
	return []byte(text + "}}")
}

type eventEntry struct{ event, value string }

func TestReadEntries(t *testing.T) {
	doc := document(eventEntry{"PreToolUse", `{"command":"a \"],\" b","timeout":5}`},
		eventEntry{"Stop", `{"command":"c"}`})
	text := string(New().WriteEntries(doc))
	var all []eventEntry
	for _, row := range New().Data.Events {
		all = append(all, eventEntry{row.Native, `{"command":"c"}`})
	}
	if n := bytes.Count(New().WriteEntries(document(all...)), []byte("\n")); n >= 200 {
		t.Errorf("the plugin has %d lines", n)
	}
	for _, c := range []struct {
		text string
		want int // number of entries; below 0: not hookbridge's text
		code schema.Code
	}{
		{text, 2, ""},
		{string(New().WriteEntries([]byte(New().Data.Skeleton))), 0, ""},
		{text + "// mine\n", 2, schema.CodeRefusedFile},
		{strings.Replace(text, "PROTOCOL = 1", "PROTOCOL = 7", 1), 2, schema.CodeNotCalled},
		{"export const Mine = async () => ({})\n", -1, schema.CodeSyntax},
		{text[:len(header)+40], -1, schema.CodeSyntax},
		{string(doc), -1, ""},
	} {
		got, ok := New().ReadEntries([]byte(c.text))
		if ok != (c.want >= 0) {
			t.Errorf("%.40q: ours %v", c.text, ok)
		}
		cfg, ds := New().ParseConfig([]byte(c.text), schema.Source{})
		if ok && len(cfg.Hooks) != c.want || len(ds) > 1 || (len(ds) == 1) != (c.code != "") || c.code != "" &&
			ds[0].Code != c.code {
			t.Errorf("%.40q: %d entries, %v", c.text, len(cfg.Hooks), ds)
		}
		if ok && c.code == "" && string(New().WriteEntries(got)) != c.text {
			t.Error("the entries don't give the same text")
		}
	}
	cfg, _ := New().ParseConfig([]byte(text), schema.Source{})
	if h := cfg.Hooks[1]; h.Line != strings.Count(text[:strings.Index(text, `{"command":"c"}`)], "\n")+1 ||
		h.Path != "/hooks/Stop/0" {
		t.Errorf("line %d, path %s", h.Line, h.Path)
	}
}

// play runs a script after the plugin was created, and returns its output. The script has: plugin, log (the client's
// calls), tool(session, id, args).
func play(t *testing.T, script string, entries ...eventEntry) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs node and a POSIX shell")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "hookbridge.mjs")
	if err := os.WriteFile(file, New().WriteEntries(document(entries...)), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "--input-type=module", "-e", `
import { Hookbridge } from "`+file+`"
const log = [], record = (name) => async (x) => void log.push([name, x])
const client = { tui: { showToast: record("toast") }, session: { abort: record("abort"), prompt: record("prompt") },
  _client: { post: record("post") } }
const plugin = await Hookbridge({ client, directory: process.cwd(), worktree: process.cwd() })
const tool = (sessionID, callID, args) => plugin["tool.execute.before"]({ tool: "bash", sessionID, callID }, { args })
  .then(() => "ran " + JSON.stringify(args), (e) => "denied: " + e.message)
const toasts = () => log.filter(([n]) => n === "toast").length
const sleep = (ms) => new Promise((r) => setTimeout(r, ms))
`+script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func runs(event, command, more string) eventEntry {
	text, _ := json.Marshal(command)
	return eventEntry{event, `{"command":` + string(text) + more + `}`}
}

// says returns a command that reads its payload and prints an answer of the protocol.
func says(fields string) string { return `cat >/dev/null; echo '{"protocol":1` + fields + `}'` }

func TestPluginTools(t *testing.T) {
	const one = `console.log(await tool("s", "c1", {command: "ls", timeout: 1}), toasts())`
	const deny = `,"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no ls"}`
	const notObject = "denied: hookbridge: the answer is not a JSON object 1"
	for name, c := range map[string]struct{ command, more, want string }{
		"no opinion":  {says(""), "", `ran {"command":"ls","timeout":1} 0`},
		"deny":        {says(deny), "", "denied: no ls 0"},
		"ask is deny": {says(strings.Replace(deny, `"deny"`, `"ask"`, 1)), "", "denied: no ls 0"},
		"rewrite": {says(`,"hookSpecificOutput":{"updatedInput":{"command":"pwd"}}`), "",
			`ran {"command":"pwd"} 0`},
		"crash open":   {"exit 3", "", `ran {"command":"ls","timeout":1} 1`},
		"refused":      {"echo why >&2; exit 2", "", "denied: hookbridge: exit code 2\nwhy 1"},
		"crash closed": {"exit 3", `,"failClosed":true`, "denied: hookbridge: exit code 3 1"},
		"killed":       {"kill -SEGV $$", `,"failClosed":true`, "denied: hookbridge: SIGSEGV 1"},
		"no answer":    {"cat >/dev/null", `,"failClosed":true`, notObject},
		"null":         {"cat >/dev/null; echo null", `,"failClosed":true`, notObject},
		"a list":       {"cat >/dev/null; echo []", `,"failClosed":true`, notObject},
		"unknown word": {says(strings.Replace(deny, `"deny"`, `"refuse"`, 1)), `,"failClosed":true`,
			"denied: hookbridge: unknown decision 1"},
		"slow": {"sleep 60", `,"timeout":0.2`, "denied: hookbridge: timed out 1"},
		"other protocol": {`cat >/dev/null; echo '{"protocol":2}'`, `,"failClosed":true`,
			"denied: hookbridge: protocol 2 in place of 1: run hookbridge install again 1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := play(t, one, runs("PreToolUse", c.command, c.more)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	got := play(t, one, runs("PreToolUse", "/nowhere/hookbridge run", `,"failClosed":true`))
	if !strings.HasPrefix(got, "denied: hookbridge: exit code 127") || !strings.HasSuffix(got, " 1") {
		t.Errorf("without hookbridge: %s", got)
	}
	got = play(t, one, runs("PreToolUse", "/nowhere/hookbridge", `,"args":["run"],"failClosed":true`))
	if !strings.HasPrefix(got, "denied: hookbridge: ") || !strings.Contains(got, "ENOENT") ||
		!strings.HasSuffix(got, " 1") {
		t.Errorf("without hookbridge and a shell: %s", got)
	}
}

// TestPluginEntries checks that each of several entries runs, and that no later answer undoes a denial.
func TestPluginEntries(t *testing.T) {
	deny := says(`,"decision":"deny","reason":"first"`)
	allow := says(`,"systemMessage":"second","hookSpecificOutput":{"permissionDecision":"allow"}`)
	got := play(t, `console.log(await tool("s", "c", {}), toasts())`, runs("PreToolUse", deny, ""),
		runs("PreToolUse", allow, ""))
	if got != "denied: first 1" {
		t.Error(got)
	}
}

// TestPluginIdentity checks that calls of one answer run at the same time, those of a sub-agent in its own session.
func TestPluginIdentity(t *testing.T) {
	echo := `node -e 'const p = JSON.parse(require("fs").readFileSync(0)); console.log(JSON.stringify({protocol: ` +
		`p.protocol,` +
		` hookSpecificOutput: {updatedInput: {id: [p.session_id, p.agent_id, p.tool_use_id].join()}}}))'`
	got := play(t,
		`await plugin.event({event: {type: "session.created", properties: {info: {id: "kid", parentID: "top"}}}})
await plugin.event({event: {type: "session.created", properties: {info: {id: "top"}}}})
console.log((await Promise.all([tool("top", "c1", {}), tool("kid", "c2", {}), tool("top", "c3", {})])).join(" "))`,
		runs("PreToolUse", echo, ""))
	if want := `ran {"id":"top,,c1"} ran {"id":"top,kid,c2"} ran {"id":"top,,c3"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPluginReasons checks that a denial that also ends the turn keeps both reasons, and that the plugin shows the
// result of DecodeReply.
func TestPluginReasons(t *testing.T) {
	d := New()
	row := d.Row("PreToolUse")
	for fields, want := range map[string]string{
		`,"continue":false`:                                                  family.NoReason,
		`,"continue":false,"stopReason":"c"`:                                 "c",
		`,"continue":false,"decision":"block"`:                               family.NoReason,
		`,"continue":false,"stopReason":"c","decision":"block"`:              "c",
		`,"continue":false,"decision":"deny","reason":"r"`:                   "r",
		`,"continue":false,"stopReason":"c","decision":"block","reason":"r"`: "r\nc",
		`,"continue":false,"stopReason":"c","decision":"block","reason":"c"`: "c",
		`,"continue":false,"stopReason":"c","decision":"block","reason":"r",` +
			`"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
			`"permissionDecisionReason":"h"}`: "h\nc",
	} {
		got := play(t, `console.log(await tool("s", "c", {}))`,
			runs("PreToolUse", says(fields), ""))
		if got != "denied: "+want {
			t.Errorf("%s: the plugin: %s, want %s", fields, got, want)
		}
		r, _ := d.DecodeReply(&schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand},
			schema.View{Event: row.Native}, &process.Result{Stdout: []byte(`{"protocol":1` + fields + `}`)})
		if r.Verdict != schema.Deny || r.Reason != want {
			t.Errorf("%s: DecodeReply: %q, want %s", fields, r.Reason, want)
		}
	}
}

func TestPluginResults(t *testing.T) {
	got := play(t,
		`const after = async (o) => (await plugin["tool.execute.after"]({tool: "x", sessionID: "s", callID: "c", args: {}}, o), o)
console.log(JSON.stringify([await after({output: "a"}), await after({content: []})]))`,
		runs("PostToolUse", says(`,"decision":"block","reason":"look",`+
			`"hookSpecificOutput":{"additionalContext":"more"}`), ""))
	if want := `[{"output":"a\n\nmore\nlook"},{"content":[{"type":"text","text":"more\nlook"}]}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPluginStop(t *testing.T) {
	got := play(t, `const send = (type, p) => plugin.event({event: {type, properties: p}})
await send("session.created", {info: {id: "s"}})
for (let i = 1; i <= 10; i++) {
  await send("session.idle", {sessionID: "s"})
  for (let n = 0; log.length < i && n < 500; n++) await sleep(10)
  if (toasts()) break
}
console.log(log.map(([n]) => n).join(" "))`, runs("Stop", says(`,"decision":"block","reason":"again"`), ""))
	if want := strings.Repeat("prompt ", 8) + "toast"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPluginPrompt(t *testing.T) {
	script := `const parts = [{id: "p", type: "text", text: "hi"}]
await plugin["chat.message"]({sessionID: "s"}, {message: {id: "m", sessionID: "s"}, parts})
  .then(() => console.log(parts.map((p) => p.text).join()), (e) => console.log("refused: " + e.message, toasts()))`
	context := says(`,"hookSpecificOutput":{"additionalContext":"ctx"}`)
	if got := play(t, script, runs("SessionStart", context, ""), runs("UserPromptSubmit", context, "")); got !=
		"hi,ctx,ctx" {
		t.Errorf("context: %s", got)
	}
	if got := play(t, script, runs("UserPromptSubmit", says(`,"decision":"block","reason":"no"`), "")); got !=
		"refused: no 1" {
		t.Errorf("block: %s", got)
	}
}

// TestShims finds other plugins that run the same hooks.
func TestShims(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		file := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err !=
			nil {
			t.Fatal(err)
		}
	}
	put(".claude/settings.json", "{}")
	put(".opencode/plugin/hookbridge.js", string(New().WriteEntries(document()))+"// PreToolUse .claude")
	put(".opencode/plugin/mine.js", "export const Mine = async () => ({})")
	found := func() int { return len(New().Imported(schema.Places{Project: root}, os.ReadFile)) }
	if n := found(); n != 0 {
		t.Errorf("%d files without another plugin", n)
	}
	put("opencode.json", `{"plugin": ["x", ["oh-my-opencode@3", {}]]} // mine`)
	if n := found(); n != 1 {
		t.Errorf("a published plugin: %d files", n)
	}
	put("opencode.json", "{}")
	put(".opencode/plugin/other.ts", `read(".claude/settings.json").hooks.PreToolUse`)
	if n := found(); n != 1 {
		t.Errorf("a plugin of the project's own: %d files", n)
	}
}

// TestDenies checks that the plugin treats exit code 2 as a denial exactly at the events at which an entry can deny.
func TestDenies(t *testing.T) {
	_, list, _ := strings.Cut(body, "DENIES = [")
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
