package conformance

import (
	"context"
	"encoding/xml"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		glob, id string
		want     bool
	}{
		{"reply/a-to-b/x", "reply/a-to-b/x", true}, {"reply/a-to-b/x", "reply/a-to-b/xy", false}, {"*", "a/b", true},
		{"", "a", false},
		{"reply/*", "reply/a-to-b/x", true}, {"*/x", "reply/a-to-b/x", true}, {"*deny*", "reply/a/pre-deny-x", true},
		{"*deny", "a/deny-not-deny", true},
		{"reply/?-to-b/x", "reply/a-to-b/x", true}, {"reply/?-to-b/x", "reply/-to-b/x", false}, {"*?", "", false},
		{"a*b*c", "aXbYbZc", true}, {"a*b*c", "aXcYb", false}} {
		if got := Match(c.glob, c.id); got != c.want {
			t.Errorf("Match(%q, %q) = %v", c.glob, c.id, got)
		}
	}
}

func vectors(t *testing.T, text string) []Vector {
	t.Helper()
	list, bad := Load(fstest.MapFS{"v.json": {Data: []byte(text)}}, "", Known)
	if len(bad) > 0 {
		t.Fatal(bad)
	}
	return list
}

const two = `[{"id":"reply/claude-to-cursor/one","why":"w","source":"s","confirmed":"none","from":"claude","to":"cursor","event":"PreToolUse","tool":"Bash",
  "input":{"decision":"block","reason":"no"},"output":{"permission":"deny","user_message":"no","agent_message":"no"},"diagnostics":[]},
 {"id":"reply/claude-to-cursor/two","why":"w","source":"s","confirmed":"none","from":"claude","to":"cursor","event":"TaskCreated",
  "input":{},"output":null,"diagnostics":[{"code":"HB201","severity":"weaker","path":""}]}]`

// outcomes runs list and returns the outcome of each, with the first mistake.
func outcomes(t *testing.T, r *Runner, list []Vector) (out []string) {
	r.Run(t.Context(), list, func(res Result) {
		out = append(out, strings.TrimSpace(res.Outcome+" "+strings.Join(res.Wrong, "; ")+res.Reason))
	})
	return out
}

func TestSkips(t *testing.T) {
	r := ownRunner(t)
	r.Skips = []Skip{{"*/one", "later"}}
	if got := outcomes(t, r, vectors(t, two)); !strings.HasPrefix(got[0],
		"failed it is to be skipped (later) and passes") || got[1] != Passed {
		t.Errorf("%q", got)
	}
	r.Impl = answering(func(*Request) (Answer, error) { return Answer{Output: []byte("{}")}, nil })
	if got := outcomes(t, r, vectors(t, two)); got[0] != "skipped later" ||
		!strings.HasPrefix(got[1], "failed output") {
		t.Errorf("%q", got)
	}
	r.Impl = answering(func(*Request) (Answer, error) { return Answer{Skip: "not mine"}, nil })
	if got := outcomes(t, r, vectors(t, two)); got[0] != "skipped not mine" || got[1] != "skipped not mine" {
		t.Errorf("%q", got)
	}
}

type answering func(*Request) (Answer, error)

func (f answering) Do(_ context.Context, r *Request) (Answer, error) { return f(r) }

// TestProgram checks how misbehaving programs are handled: the vector fails with the observed behavior, and the next
// one is tried.
func TestProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
	const good = `'{"output":{"permission":"deny","user_message":"no","agent_message":"no"},"diagnostics":[]}'`
	for _, c := range []struct{ script, one, two string }{
		{`while read -r l; do echo ` + good + `; done`, "passed", `failed output: {"permission"`},
		{`exit 7`, "failed it ended with exit status 7", "failed it ended with exit status 7"},
		{`read -r l; echo ` + good + `; read -r l; echo boom >&2; exit 7`, "passed",
			"failed it ended with exit status 7 instead of answering; on stderr: boom"},
		{`read -r l; kill -9 $$`, "failed it was ended by SIGKILL", "failed it was ended by SIGKILL"},
		{`while read -r l; do echo rubbish; done`, "failed it answered rubbish", "failed it answered rubbish"},
		{`while read -r l; do echo '{"output":{},"diagnostics":[],"extra":1}'; done`, `failed it answered {"output"`,
			"failed"},
		{`while read -r l; do echo '{"diagnostics":[]}'; done`, `failed it answered {"diagnostics"`, "failed"},
		{`while read -r l; do echo '{"skip":""}'; done`, "failed it answered", "failed"},
		{`while read -r l; do echo '{"skip":"not mine"}'; done`, "skipped not mine", "skipped not mine"},
		{`[ -f "$STEP" ] || { read -r l; : > "$STEP"; echo hello; }; while read -r l; do echo '{"output":null,` +
			`"diagnostics":[{"code":"HB201","severity":"weaker","path":""}]}'; done`, "failed it answered hello",
			"passed"},
		{`exec sleep 60`, "failed no answer in time", "failed no answer in time"},
		{`while read -r l; do echo '{"id":"other","output":{}}'; done`, "failed it answered for other",
			"failed it answered for other"},
	} {
		p := &Program{Argv: []string{"/bin/sh", "-c", c.script}, Env: []string{"PATH=" + os.Getenv("PATH"),
			"STEP=" + filepath.Join(t.TempDir(), "step")}, Limit: 20 * time.Second}
		if strings.Contains(c.script, "sleep") {
			p.Limit = 200 * time.Millisecond
		}
		r := ownRunner(t)
		r.Impl = p
		got := outcomes(t, r, vectors(t, two))
		if !strings.HasPrefix(got[0], c.one) || !strings.HasPrefix(got[1], c.two) {
			t.Errorf("%s: %q", c.script, got)
		}
		p.Close()
	}
	p := &Program{Argv: []string{"/no/such/program"}}
	if _, err := p.Do(t.Context(), &Request{}); err == nil {
		t.Error("a program that is not there answered")
	}
}

// TestProtocol checks that requests and answers survive the protocol unchanged.
func TestProtocol(t *testing.T) {
	list := loaded(t)
	for i := range list {
		v := &list[i]
		r := Request{ID: v.ID, Op: v.Op, From: v.From, To: v.To, Event: v.Event, Tool: v.Tool, Options: v.Options,
			Input: v.Input, InputText: v.InputText,
			Project: "/p", Home: "/h", State: "/s", Environment: []string{"A=b"}, EvaluatorCmd: "e"}
		line := string(r.Append(nil))
		back, err := ParseRequest([]byte(line))
		if err != nil || string(back.Append(nil)) != line || strings.Contains(line, "\n") {
			t.Fatalf("%s: %v: %s", v.ID, err, line)
		}
		a := Answer{Output: v.Output, Findings: v.Findings}
		answer, _, err := parseAnswer(a.Append(nil))
		if err != nil || string(answer.Append(nil)) != string(a.Append(nil)) {
			t.Fatalf("%s: %v", v.ID, err)
		}
	}
	in := `{"id":"x","op":"reply","from":"claude","to":"cursor","event":"Stop","input":{}}` + "\n" +
		`{"op":"fly","from":"claude","to":"cursor","input":{}}`
	var out strings.Builder
	if err := Serve(t.Context(), &Own{}, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if want := `{"output":{},"diagnostics":[]}` + "\n" + `{"skip":"no answer: unknown op fly"}` +
		"\n"; out.String() != want {
		t.Errorf("%s", out.String())
	}
	if err := Serve(t.Context(), &Own{}, strings.NewReader("rubbish\n"), &out); err == nil {
		t.Error("rubbish was answered")
	}
}

func TestReport(t *testing.T) {
	rep := Report{Name: `a <"program">`}
	list := vectors(t, two)
	rep.Add(Result{Vector: &list[0], Outcome: Failed, Wrong: []string{"a < b\x00", "more"}})
	rep.Add(Result{Vector: &list[1], Outcome: Skipped, Reason: "not & mine"})
	var suites struct {
		Tests, Failures, Skipped int `xml:",attr"`
		Suite                    []struct {
			Name string `xml:"name,attr"`
			Case []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
				} `xml:"failure"`
				Skipped *struct {
					Message string `xml:"message,attr"`
				} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(rep.JUnit(), &suites); err != nil {
		t.Fatalf("%v: %s", err, rep.JUnit())
	}
	cases := suites.Suite[0].Case
	if suites.Suite[0].Name != "reply" || len(cases) != 2 || cases[0].Failure.Message != "a < b?" ||
		cases[1].Skipped.Message != "not & mine" {
		t.Errorf("%+v", suites)
	}
	o, err := ordjson.Parse(rep.JSON())
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := ordjson.Int(o.Value("failed")); n != 1 {
		t.Errorf("%s", rep.JSON())
	}
	if all := rep.All(); all.Vectors != 2 || all.Failed != 1 || all.Skipped != 1 {
		t.Errorf("%+v", all)
	}
}

// TestRunChecks checks that a run vector verifies everything that it lists.
func TestRunChecks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX shell")
	}
	const v = `{"id":"run/claude-to-cursor/x","why":"w","source":"s","confirmed":"none","from":"claude","to":"cursor",
 "files":{".claude/settings.json":{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"{HOOK guard}"}]}]}}},
 "process":[{"name":"guard","exit":2,"stderr":"no","stdin":STDIN,"environment":{"CLAUDE_PROJECT_DIR":"PROJ","NOT_THERE":null},"runs":1}],
 "input":{"conversation_id":"c","generation_id":"g","tool_name":"Shell","tool_input":{"command":"ls"},"tool_use_id":"u","hook_event_name":"preToolUse","cursor_version":"1.0.0","workspace_roots":["{PROJECT}"]},
 "output":{"permission":"deny","user_message":"no","agent_message":"no"},"diagnostics":[]}`
	const stdin = `{"session_id":"c","prompt_id":"g","transcript_path":"","cwd":"{PROJECT}",` +
		`"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash",` +
		`"tool_input":{"command":"ls"},"tool_use_id":"u"}`
	for _, c := range []struct{ old, new, want string }{
		{"", "", "passed"},
		{`"Bash"`, `"Sh"`, "failed process guard: stdin: /tool_name is"},
		{"PROJ", "/elsewhere", "failed process guard: CLAUDE_PROJECT_DIR is"},
		{`"NOT_THERE"`, `"PATH"`, "failed process guard: PATH is"},
		{`"runs":1`, `"runs":2`, "failed process guard: run 1 times, want 2"},
		{`"diagnostics":[]`, `"writes":"x","diagnostics":[]`, "failed the host's environment file: nothing, want x"},
	} {
		text := strings.Replace(v, "STDIN", stdin, 1)
		if c.old != "PROJ" {
			text = strings.Replace(text, "PROJ\"", "{PROJECT}\"", 1)
		}
		text = strings.Replace(text, c.old, c.new, 1)
		if got := outcomes(t, ownRunner(t), vectors(t, text)); !strings.HasPrefix(got[0], c.want) {
			t.Errorf("%s: %q", c.new, got)
		}
	}
	text := strings.Replace(strings.Replace(strings.Replace(v, "STDIN", stdin, 1), "PROJ\"", "{PROJECT}\"", 1),
		`"output":{"permission":"deny","user_message":"no","agent_message":"no"}`, `"verdict":"deny"`, 1)
	if got := outcomes(t, ownRunner(t), vectors(t, text)); got[0] != Passed {
		t.Errorf("by verdict: %q", got)
	}
	if got := outcomes(t, ownRunner(t),
		vectors(t, strings.Replace(text, `"verdict":"deny"`, `"verdict":"ask"`, 1))); !strings.HasPrefix(got[0],
		"failed decides deny, want ask") {
		t.Errorf("by verdict: %q", got)
	}
	r := ownRunner(t)
	r.Impl = answering(func(*Request) (Answer, error) { return Answer{}, errors.New("gone") })
	if got := outcomes(t, r, vectors(t, text)); !strings.HasPrefix(got[0], "failed gone; process guard: run 0 times") {
		t.Errorf("%q", got)
	}
}
