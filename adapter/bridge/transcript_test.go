package bridge

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// spoken has two turns of one session as each agent writes them (shapes observed in the clients, texts made up).
var spoken = map[string][2]string{
	"claude": {
		`{"type":"queue-operation","operation":"enqueue","sessionId":"s-1","content":"fix it"}
{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"fix it"},"uuid":"1","timestamp":"2026-11-22T02:46:35.889Z","sessionId":"s-1"}
{"parentUuid":"1","isSidechain":false,"attachment":{"type":"date"},"type":"attachment","uuid":"2","timestamp":"2026-11-22T02:46:35.886Z"}
{"parentUuid":"2","isSidechain":false,"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"hm","signature":"x"}],"stop_reason":null},"type":"assistant","uuid":"3","timestamp":"2026-11-22T02:46:36.201Z"}
{"parentUuid":"3","isSidechain":false,"message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"make","description":"Build"}}],"stop_reason":"tool_use","usage":{"input_tokens":10,"output_tokens":5}},"type":"assistant","uuid":"4","timestamp":"2026-11-22T02:46:36.202Z"}
{"parentUuid":"4","isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"ok","is_error":false}]},"uuid":"5","timestamp":"2026-11-22T02:46:37.030Z","toolUseResult":{"stdout":"ok","stderr":"","interrupted":false}}
{"parentUuid":"5","isSidechain":false,"message":{"id":"msg_2","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"toolu_2","name":"Edit","input":{"file_path":"/w/a","old_string":"x","new_string":"y"}}],"stop_reason":"tool_use"},"type":"assistant","uuid":"6","timestamp":"2026-11-22T02:46:37.202Z"}
{"parentUuid":"6","isSidechain":false,"message":{"id":"msg_3","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Half done."}],"stop_reason":"end_turn"},"type":"assistant","uuid":"7","timestamp":"2026-11-22T02:46:38.202Z"}
`,
		`{"parentUuid":"7","isSidechain":false,"type":"user","message":{"role":"user","content":"go on"},"uuid":"8","timestamp":"2026-11-22T02:46:39.889Z","sessionId":"s-1"}
{"parentUuid":"8","isSidechain":false,"message":{"id":"msg_4","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"<promise>COMPLETE</promise>"}],"stop_reason":"end_turn"},"type":"assistant","uuid":"9","timestamp":"2026-11-22T02:46:40.202Z"}
`},
	"qoder": {
		`{"type":"workspace-directories","sessionId":"s-1","directories":["/w"]}
{"type":"user","uuid":"1","timestamp":"2026-11-22T02:46:48.906Z","message":{"role":"user","content":[{"type":"text","text":"fix it"}]},"parentUuid":null,"isSidechain":false,"version":"unknown"}
{"type":"assistant","uuid":"3","timestamp":"2026-11-22T02:46:49.355Z","message":{"id":"msg_1","type":"message","role":"assistant","model":"auto","stop_reason":"tool_use","stop_sequence":null,"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"make","description":"Build"}}]},"parentUuid":"1","isSidechain":false}
{"type":"active-leaf","sessionId":"s-1","leafUuid":"3","explicit":false,"timestamp":1795315609355}
{"type":"user","uuid":"4","timestamp":"2026-11-22T02:46:49.463Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]},"toolUseResult":{"kind":"completed","stdout":"ok","stderr":"","exitCode":0},"parentUuid":"3","isSidechain":false}
{"type":"assistant","uuid":"5","timestamp":"2026-11-22T02:46:49.812Z","message":{"id":"msg_2","type":"message","role":"assistant","model":"auto","stop_reason":"tool_use","stop_sequence":null,"content":[{"type":"tool_use","id":"toolu_2","name":"Edit","input":{"file_path":"/w/a","old_string":"x","new_string":"y"}}]},"parentUuid":"4","isSidechain":false}
{"type":"assistant","uuid":"6","timestamp":"2026-11-22T02:46:52.019Z","message":{"id":"msg_3","type":"message","role":"assistant","model":"auto","stop_reason":"end_turn","stop_sequence":null,"content":[{"type":"text","text":"Half done.","citations":null}]},"parentUuid":"5","isSidechain":false}
`,
		`{"type":"user","uuid":"7","timestamp":"2026-11-22T02:46:52.311Z","message":{"role":"user","content":"go on"},"isMeta":true,"parentUuid":"6","isSidechain":false}
{"type":"assistant","uuid":"8","timestamp":"2026-11-22T02:46:52.931Z","message":{"id":"msg_4","type":"message","role":"assistant","model":"auto","stop_reason":"end_turn","stop_sequence":null,"content":[{"type":"text","text":"<promise>COMPLETE</promise>","citations":null}]},"parentUuid":"7","isSidechain":false}
`},
	"cursor": {
		`{"role":"user","message":{"content":[{"type":"text","text":"<timestamp>Friday, Sep 4, 2026, 2:21 AM (UTC+8)</timestamp>\n<user_query>\nfix it\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"[REDACTED]"},{"type":"tool_use","name":"Shell","input":{"command":"make","description":"Build"}}]}}
{"role":"assistant","message":{"content":[{"type":"tool_use","name":"StrReplace","input":{"path":"/w/a","old_string":"x","new_string":"y"}}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"Half done."}]}}
{"type":"turn_ended","status":"success"}
`, `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\ngo on\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"<promise>COMPLETE</promise>"}]}}
{"type":"turn_ended","status":"success"}
`},
	"gemini": {
		`{"sessionId":"s-1","projectHash":"h","startTime":"2026-11-22T08:54:42.852Z","lastUpdated":"2026-11-22T08:54:42.852Z","kind":"main"}
{"$set":{"messages":[{"id":"0","timestamp":"2026-11-22T08:54:42.858Z","type":"user","content":[{"text":"<session_context>\nThis is the Gemini CLI.</session_context>"}]}]}}
{"id":"1","timestamp":"2026-11-22T08:54:43.061Z","type":"user","content":[{"text":"fix it"}]}
{"$set":{"lastUpdated":"2026-11-22T08:54:43.061Z"}}
{"id":"2","timestamp":"2026-11-22T08:54:43.400Z","type":"gemini","content":"","thoughts":[{"subject":"","description":"hm","timestamp":"2026-11-22T08:54:43.400Z"}],"tokens":{"input":10,"output":5,"cached":0,"thoughts":0,"tool":0,"total":15},"model":"gemini-2.5-flash"}
{"id":"2","timestamp":"2026-11-22T08:54:43.400Z","type":"gemini","content":"","thoughts":[{"subject":"","description":"hm","timestamp":"2026-11-22T08:54:43.400Z"}],"tokens":{"input":10,"output":5,"cached":0,"thoughts":0,"tool":0,"total":15},"model":"gemini-2.5-flash","toolCalls":[{"id":"run_1","name":"run_shell_command","args":{"command":"make","description":"Build"},"result":[],"status":"success"}]}
{"id":"3","timestamp":"2026-11-22T08:54:43.697Z","type":"user","content":[{"functionResponse":{"id":"run_1","name":"run_shell_command","response":{"output":"<untrusted_context>\nOutput: ok\nProcess Group PGID: 15791\n</untrusted_context>"}}}]}
{"id":"4","timestamp":"2026-11-22T08:54:43.770Z","type":"gemini","content":"","thoughts":[],"tokens":null,"model":"gemini-2.5-flash"}
{"id":"4","timestamp":"2026-11-22T08:54:43.770Z","type":"gemini","content":"","thoughts":[],"tokens":null,"model":"gemini-2.5-flash","toolCalls":[{"id":"replace_2","name":"replace","args":{"file_path":"/w/a","old_string":"x","new_string":"y"},"result":[],"status":"success"}]}
{"id":"5","timestamp":"2026-11-22T08:54:43.900Z","type":"gemini","content":"Half done.","thoughts":[],"tokens":null,"model":"gemini-2.5-flash"}
`, `{"id":"6","timestamp":"2026-11-22T08:54:44.061Z","type":"user","content":[{"text":"go on"}]}
{"id":"7","timestamp":"2026-11-22T08:54:44.400Z","type":"gemini","content":"<promise>COMPLETE</promise>","thoughts":[],"tokens":null,"model":"gemini-2.5-flash"}
`},
}

// stops are payloads of the end of a turn.
var stops = map[string]string{
	"claude": `{"session_id":"s-1","transcript_path":"TRANSCRIPT","cwd":"/","permission_mode":"default",` +
		`"hook_event_name":"Stop","stop_hook_active":false}`,
	"qoder": `{"session_id":"s-1","transcript_path":"TRANSCRIPT","cwd":"/","permission_mode":"default",` +
		`"hook_event_name":"Stop","stop_hook_active":false}`,
	"gemini": `{"session_id":"s-1","transcript_path":"TRANSCRIPT","cwd":"/","hook_event_name":"AfterAgent",` +
		`"timestamp":"2026-11-22T08:54:45.000Z","prompt":"","prompt_response":"","stop_hook_active":false}`,
	"cursor": `{"conversation_id":"s-1","generation_id":"g","model":"m","status":"completed","loop_count":0,` +
		`"session_id":"s-1","hook_event_name":"stop","cursor_version":"3.15.19","workspace_roots":["/"],` +
		`"transcript_path":"TRANSCRIPT"}`,
}

var ends = map[string]string{
	"claude": `{"session_id":"s-1","transcript_path":"TRANSCRIPT","cwd":"/","hook_event_name":"SessionEnd",` +
		`"reason":"other"}`,
	"qoder": `{"session_id":"s-1","transcript_path":"TRANSCRIPT","cwd":"/","hook_event_name":"SessionEnd",` +
		`"reason":"other"}`,
	"gemini": `{"session_id":"s-1","transcript_path":"TRANSCRIPT","cwd":"/","hook_event_name":"SessionEnd",` +
		`"timestamp":"2026-11-22T08:54:46.000Z","reason":"exit"}`,
	"cursor": `{"conversation_id":"s-1","generation_id":"g","model":"m","session_id":"s-1",` +
		`"hook_event_name":"sessionEnd","reason":"completed","cursor_version":"3.15.19","workspace_roots":["/"],` +
		`"transcript_path":"TRANSCRIPT"}`,
}

// looping is a stop hook that keeps the agent working until its last message contains a promise, like loops written for
// Claude Code.
const looping = `import json, subprocess, sys
path = json.load(sys.stdin)["transcript_path"]
lines = [l for l in open(path) if '"role":"assistant"' in l]
if not lines:
    sys.exit("no assistant messages in " + path)
text = "\n".join(b["text"] for b in json.loads(lines[-1])["message"]["content"] if b["type"] == "text")
if "<promise>COMPLETE</promise>" not in text:
    print(json.dumps(ANSWER))
`

// tracing is a hook that reports new lines of the transcript, and remembers how many bytes it has read.
const tracing = `import json, os, re, sys
path = json.load(sys.stdin)["transcript_path"]
mark = sys.argv[1] + ".offset"
start = int(open(mark).read()) if os.path.exists(mark) else 0
with open(path, "rb") as f:
    f.seek(start)
    data = f.read()
open(mark, "w").write(str(start + len(data)))
out = open(sys.argv[1], "a")
for line in data.splitlines():
    e = json.loads(line)
    who = KIND
    if who not in ("user", "assistant"):
        continue
    content = e["message"]["content"]
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for b in content:
        if b["type"] == "text":
            text = re.sub(r"<timestamp>.*</timestamp>|</?user_query>|\[REDACTED\]", "", b["text"]).strip()
            if text:
                out.write(who + ": " + text + "\n")
        if b["type"] == "tool_use":
            b["input"].setdefault("replace_all", False)
            out.write(who + " calls " + b["name"] + " " + json.dumps(b["input"], sort_keys=True) + "\n")
        if b["type"] == "tool_result":
            out.write("result of " + str(len(b["tool_use_id"]) > 0) + "\n")
`

// TestTranscriptReaders runs hooks that read the transcript under every agent, and compares the text with the one in
// their own agent.
func TestTranscriptReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("runs Python for each reader")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	answers := map[string]string{"claude": `{"decision": "block", "reason": "again"}`,
		"cursor": `{"followup_message": "again"}`, "qoder": `{"decision": "block", "reason": "again"}`}
	kinds := map[string]string{"claude": `e["type"]`, "qoder": `e["type"]`, "cursor": `e.get("role")`}
	for hooks := range answers {
		want := readAll(t, python, hooks, hooks, answers[hooks], kinds[hooks])
		for host := range spoken {
			if host == hooks {
				continue
			}
			want, got := slices.Clone(want), readAll(t, python, host, hooks, answers[hooks], kinds[hooks])
			if host == "cursor" || hooks == "cursor" { // their transcripts have no results
				drop := func(s string) bool { return strings.HasPrefix(s, "result") }
				want, got = slices.DeleteFunc(want, drop), slices.DeleteFunc(got, drop)
			}
			// Cursor writes thinking into the text, so remove it from the other agents'.
			got = slices.DeleteFunc(got, func(s string) bool { return s == "assistant: hm" })
			if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
				t.Errorf("hooks of %s under %s read\n%s\nin their own agent\n%s", hooks, host, g, w)
			}
		}
	}
}

// readAll plays both turns and returns what the hooks have read and answered.
func readAll(t *testing.T, python, host, hooks, answer, kind string) []string {
	dir := t.TempDir()
	source := filepath.Join(dir, "s-1.jsonl")
	trace := filepath.Join(dir, "trace")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	loop := write("loop.py", strings.Replace(looping, "ANSWER", answer, 1))
	follow := write("trace.py", strings.Replace(tracing, "KIND", kind, 1))
	b := newBridge(t, host, hooks, "")
	b.OwnHooks = true
	var got []string
	for turn, text := range spoken[host] {
		f, _ := os.OpenFile(source, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		f.WriteString(text)
		f.Close()
		for _, command := range []string{python + " " + follow + " " + trace, python + " " + loop} {
			b.Single = &schema.Hook{Handler: schema.HandlerCommand, Command: command}
			out, rep, err := b.Run(context.Background(), []byte(strings.Replace(stops[host], "TRANSCRIPT", source, 1)),
				"")
			if err != nil || rep.Diagnostics.Max() > schema.Note {
				t.Errorf("%s in %s, turn %d: %s %v %v", hooks, host, turn, out, rep.Diagnostics, err)
			}
			if rep.Reply.KeepGoing != "" {
				got = append(got, "answer: "+rep.Reply.KeepGoing)
			}
		}
	}
	read, _ := os.ReadFile(trace)
	got = append(got, strings.Split(strings.TrimSpace(string(read)), "\n")...)
	if host != hooks {
		endSession(t, b, host, source)
	}
	return got
}

// endSession checks that nothing is left of a finished session.
func endSession(t *testing.T, b *Bridge, host, source string) {
	b.Single = &schema.Hook{Handler: schema.HandlerCommand,
		Command: `grep -c . "$(sed 's/.*"transcript_path":"\([^"]*\)".*/\1/')" >"$PWD/count"`}
	if _, rep, err := b.Run(context.Background(), []byte(strings.Replace(ends[host], "TRANSCRIPT", source, 1)),
		""); err != nil || len(rep.Diagnostics) > 0 {
		t.Errorf("%v %v", rep.Diagnostics, err)
	}
	if n, _ := os.ReadFile(filepath.Join(b.Places.Home, "count")); strings.TrimSpace(string(n)) == "0" || len(n) == 0 {
		t.Errorf("the end of a session in %s shows %q lines", host, n)
	}
	filepath.WalkDir(b.StateDir, func(path string, d os.DirEntry, err error) error {
		if err == nil && path != b.StateDir {
			t.Errorf("%s stays when the session in %s is over", path, host)
		}
		return nil
	})
}

// TestNoTranscript checks what hooks get if there is no transcript.
func TestNoTranscript(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.jsonl")
	os.WriteFile(broken, []byte("no json\n"), 0o600)
	link := filepath.Join(dir, "link.jsonl")
	os.Symlink(broken, link)
	for _, c := range []struct {
		host, hooks, path, want string
		severity                schema.Severity
		noState                 bool
	}{
		{host: "cursor", hooks: "claude", path: "null", want: `"transcript_path":""`, severity: schema.Note},
		{host: "cursor", hooks: "claude", path: `"` + dir + `/none.jsonl"`, want: `.log/s-1.jsonl"`},
		{host: "claude", hooks: "cursor", path: `"` + dir + `/none.jsonl"`, want: `"transcript_path":null`},
		{host: "claude", hooks: "cursor", path: `""`, want: `"transcript_path":null`, severity: schema.Note},
		{host: "claude", hooks: "cursor", path: `"` + broken + `"`, want: `.log/s-1.jsonl"`, severity: schema.Loss},
		{host: "claude", hooks: "cursor", path: `"` + link + `"`, want: `"transcript_path":null`,
			severity: schema.Loss},
		{host: "claude", hooks: "qoder", path: `"` + dir + `"`, want: `"transcript_path":""`, severity: schema.Loss},
		{host: "qoder", hooks: "claude", path: `"` + broken + `"`, want: `"transcript_path":""`, severity: schema.Loss,
			noState: true},
	} {
		b := newBridge(t, c.host, c.hooks, "cat >stdin")
		if c.noState {
			b.StateDir = ""
		}
		in := []byte(strings.Replace(stops[c.host], `"TRANSCRIPT"`, c.path, 1))
		in = []byte(strings.Replace(string(in), `"cwd":"/"`, `"cwd":"`+b.Places.Project+`"`, 1))
		for _, severity := range []schema.Severity{c.severity, min(c.severity, schema.Loss)} {
			_, rep, err := b.Run(context.Background(), in, "")
			if err != nil {
				t.Fatal(err)
			}
			stdin, _ := os.ReadFile(filepath.Join(b.Places.Project, "stdin"))
			if !strings.Contains(string(stdin), c.want) {
				t.Errorf("%s in %s, %s: %s lacks %s", c.hooks, c.host, c.path, stdin, c.want)
			}
			if got := rep.Diagnostics.Max(); severity != 0 && got > severity || severity == 0 && got > 0 {
				t.Errorf("%s in %s, %s: %v", c.hooks, c.host, c.path, rep.Diagnostics)
			}
		}
		// A note that isn't a failure is reported once in a session.
		_, rep, _ := b.Run(context.Background(), in, "")
		if c.severity == schema.Note && len(rep.Diagnostics) > 0 {
			t.Errorf("reported again: %v", rep.Diagnostics)
		}
	}
}

// TestTranscriptUntouched checks that nothing is copied if no hook runs.
func TestTranscriptUntouched(t *testing.T) {
	b := newBridge(t, "cursor", "claude", "")
	source := filepath.Join(b.Places.Home, "s-1.jsonl")
	os.WriteFile(source, []byte(spoken["cursor"][0]), 0o600)
	if _, _, err := b.Run(context.Background(), []byte(strings.Replace(stops["cursor"], "TRANSCRIPT", source, 1)),
		""); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(b.StateDir); !os.IsNotExist(err) {
		t.Errorf("state without a hook: %v", err)
	}
}

// TestLateTranscript checks that a stop hook finds the model's last message. The host may write it after it has started
// the hook, as Claude Code does.
func TestLateTranscript(t *testing.T) {
	b := newBridge(t, "claude", "cursor", `grep -c late "$(sed 's/.*"transcript_path":"\([^"]*\)".*/\1/')" >count`)
	source := filepath.Join(b.Places.Home, "s-1.jsonl")
	os.WriteFile(source, []byte(spoken["claude"][0]), 0o600)
	go func() {
		time.Sleep(30 * time.Millisecond)
		f, _ := os.OpenFile(source, os.O_APPEND|os.O_WRONLY, 0o600)
		defer f.Close()
		f.WriteString(strings.Replace(spoken["claude"][1], "<promise>COMPLETE</promise>", "late words", 1))
	}()
	in := strings.Replace(strings.Replace(stops["claude"], "TRANSCRIPT", source, 1), `"cwd":"/"`,
		`"cwd":"`+b.Places.Project+`","last_assistant_message":"late words"`, 1)
	if _, rep, err := b.Run(context.Background(), []byte(in), ""); err != nil || len(rep.Diagnostics) > 0 {
		t.Errorf("%v %v", rep.Diagnostics, err)
	}
	if n, _ := os.ReadFile(filepath.Join(b.Places.Project, "count")); strings.TrimSpace(string(n)) != "1" {
		t.Errorf("the hook found the last words %q times", n)
	}
}

// FuzzTranscript checks that any line of a transcript gives whole lines of JSON in every other format.
func FuzzTranscript(f *testing.F) {
	for _, turns := range spoken {
		for line := range strings.Lines(turns[0] + turns[1]) {
			f.Add([]byte(line))
		}
	}
	f.Add(
		[]byte(`{"role":"user","message":{"content":"<timestamp>Friday, Sep 4, 2026, 2:21 AM ` +
			`(UTC+99:99)</timestamp>"}}`))
	f.Add(
		[]byte(
			`{"type":"assistant","message":{"content":[{"type":"tool_use","input":5},{"type":"image"},` +
				`{"type":"tool_result","content":null}]}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte{'\n'}, nil)
		for _, from := range adapter.Dialects() {
			reader := from.Abilities().Transcripts
			if reader == nil {
				continue
			}
			messages, _ := reader.DecodeMessage(line)
			for _, to := range adapter.Dialects() {
				writer := to.Abilities().Transcripts
				if writer == nil || len(messages) == 0 {
					continue
				}
				thread := schema.Thread{Session: "s"}
				for i := range messages {
					for out := range bytes.Lines(writer.AppendMessage(nil, &messages[i], &thread)) {
						if o, err := ordjson.Parse(out); err != nil || len(o) == 0 || out[len(out)-1] != '\n' {
							t.Errorf("%s to %s: %q: %v", from.Profile().Name, to.Profile().Name, out, err)
						}
					}
				}
			}
		}
	})
}
