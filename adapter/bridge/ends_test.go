package bridge

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// TestEnd: the program's exit code denies if the host reads it as a decision, and a failure never looks like an answer.
func TestEnd(t *testing.T) {
	failure := errors.New("x")
	for _, tt := range []struct {
		about, host, event, answer string
		err                        error
		exit                       int
		stdout, reason             string
	}{
		{"an answer", "cursor", "preToolUse", `{"permission":"deny"}`, nil, 0, "{\"permission\":\"deny\"}\n", ""},
		{"a failure", "cursor", "preToolUse", "", failure, 1, "", ""},
		{"a failure before the host is known", "", "", "", failure, 1, "", ""},
		{"an answer before the host is known", "", "", "{}", nil, 0, "{}\n", ""},
		{"a failure that an exit code would lift", "letta", "PreToolUse", "", failure, 0, "{}\n", ""},
		{"a refusal", "letta", "PreToolUse", "refuse", nil, 2, "", "why\n"},
		{"no refusal", "letta", "PreToolUse", "{}", nil, 0, "{}\n", ""},
		{"a refusal of a payload that can't be read", "letta", "", `{"continue":false,"reason":"r"}`, nil, 2, "",
			"r\n"},
		{"no refusal of one", "letta", "", `{"continue":true,"reason":"r"}`, nil, 0, "", ""},
		{"nothing about one", "letta", "", `{"reason":"r"}`, nil, 0, "", ""},
	} {
		b, rep, answer := &Bridge{}, &Report{}, tt.answer
		if tt.host != "" {
			b.Host, _ = adapter.Find(tt.host)
		}
		if answer == "refuse" {
			answer = string(b.Host.Refuse(nil, tt.event, "why"))
		}
		if tt.event != "" {
			rep.Call = &schema.Call{Event: schema.PreTool, Native: tt.event}
		}
		end := b.End([]byte(answer), rep, tt.err)
		otherText := tt.stdout != "" && string(end.Stdout) != tt.stdout
		otherReason := string(end.Reason) != tt.reason || tt.reason == "" && end.Reason != nil
		if end.Exit != tt.exit || otherText || otherReason {
			t.Errorf("%s: %q %d %q", tt.about, end.Stdout, end.Exit, end.Reason)
		}
	}
}

// TestCaller: the answer is in the format of the agent that sends the payload. That is the first agent that can read
// it, or any but the hooks' own.
func TestCaller(t *testing.T) {
	for payload, want := range map[string]string{
		cursorShell: "cursor", `{`: "", `{"sessionId":"s","cwd":"/","timestamp":1}`: "unsure",
	} {
		b := newBridge(t, "cursor", "cursor", "exit 2")
		b.Host, b.Places.Env = nil, nil
		answer, rep, err := b.Guarded(t.Context(), []byte(payload), "", nil)
		switch {
		case b.Host == nil || want == "cursor" && b.Host.Profile().Name != want:
			t.Errorf("%s: answered as %v", payload, b.Host)
		case want != "cursor" && b.Host.Profile().Name == "cursor":
			t.Errorf("%s: answered as the hooks' own agent", payload)
		case want == "unsure" && rep.Diagnostics.Max() != schema.Error:
			t.Errorf("%s: %s %v %v", payload, answer, err, rep.Diagnostics)
		}
	}

	b := newBridge(t, "cursor", "claude", "true")
	b.Host = nil
	if _, rep, err := b.Guarded(t.Context(), []byte(cursorShell), "preToolUse",
		Own(errors.New("before"))); err != nil ||
		rep.Reply.Verdict != schema.Deny || !strings.Contains(rep.Reply.Reason, "before") {
		t.Errorf("a failure before the call: %+v %v", rep.Reply, err)
	}
	b.Proceed = true
	if _, rep, err := b.Guarded(t.Context(), []byte(cursorShell), "preToolUse", Own(errors.New("before"))); err == nil {
		t.Errorf("the same, proceeding: %+v", rep.Reply)
	}
}

// TestRunAsync: the output of an asynchronous hook reaches the session's next event, and decides nothing.
func TestRunAsync(t *testing.T) {
	for _, tt := range []struct {
		about, stdout string
		exit          int
		rewake        bool
		want          string
	}{
		{"context", `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"c"}}`, 0, false, "c"},
		{"a notice", `{"systemMessage":"m"}`, 0, false, "m"},
		{"nothing", "", 0, false, ""},
		{"a block", "", 2, false, ""},
		{"a block that rewakes", "", 2, true, "why"},
	} {
		claude, _ := adapter.Find("claude")
		row := claude.Profile().Row("PostToolUse")
		res := process.Result{Exit: tt.exit, Stdout: []byte(tt.stdout), Stderr: []byte("why")}
		view := schema.View{Event: row.Native, Tool: "Bash", Kind: schema.Shell}
		got := lateContext(claude, row, view, res, tt.rewake)
		if got != tt.want && !(tt.want == "why" && strings.Contains(got, "why")) {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}

	if runtime.GOOS == "windows" {
		return // no /bin/sh
	}
	now := func() time.Time { return time.Unix(1_800_000_000, 0) }
	dir := filepath.Join(t.TempDir(), "state")
	job := asyncJob{Hooks: "claude", Argv: []string{"/bin/sh", "-c", `cat >in; echo '{"systemMessage":"later"}'`},
		Dir: t.TempDir(), TimeoutMS: 60_000, Event: "PostToolUse", Tool: "Bash", Kind: "shell", State: dir,
		Session: "s",
		Stdin:   "payload"}
	run := func(change func(*asyncJob)) error {
		one := job
		change(&one)
		return RunAsync(jsondoc.Marshal(one), os.Environ(), now)
	}
	for about, change := range map[string]func(*asyncJob){
		"an unknown agent": func(j *asyncJob) { j.Hooks = "none" },
		"an unknown event": func(j *asyncJob) { j.Event = "None" },
	} {
		if run(change) == nil {
			t.Error(about)
		}
	}
	if RunAsync([]byte("{"), nil, now) == nil {
		t.Error("no job")
	}

	if err := run(func(*asyncJob) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a session that is over has a file again")
	}
	if text, err := os.ReadFile(filepath.Join(job.Dir, "in")); string(text) != "payload" {
		t.Errorf("the hook read %q %v", text, err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := run(func(*asyncJob) {}); err != nil {
		t.Fatal(err)
	}
	var kept []string
	filepath.WalkDir((state.Store{Dir: dir}).Dir, func(path string, e os.DirEntry, _ error) error {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "later") {
			kept = append(kept, path)
		}
		return nil
	})
	if len(kept) != 1 {
		t.Errorf("kept in %q", kept)
	}
}

// TestHeaderNames: a name that curl would read differently isn't a header name, and an address is used in the form that
// was compared.
func TestHeaderNames(t *testing.T) {
	for name, ok := range map[string]bool{"X-A": true, "a!#$%&'*+-.^_`|~9": true, "": false, "@x": false, "a b": false,
		"a:": false, "ä": false} {
		if isHeaderName(name) != ok {
			t.Errorf("%q: %v", name, !ok)
		}
	}
	for _, tt := range []struct {
		url      string
		patterns []string
		ok       bool
	}{
		{"http://x", nil, true}, {"https://x", nil, true}, {"ftp://x", nil, false}, {"", nil, false},
		{"http://x", []string{}, false}, {"http://x/a", []string{"http://x/*"}, true},
		{"https://x/a", []string{"https://x/*"}, true}, {"http://y/a", []string{"http://x/*"}, false},
		{"ftp://x/a", []string{"*"}, false}, {"no address", []string{"*"}, false},
	} {
		if _, ok := allowedURL(tt.url, tt.patterns, false); ok != tt.ok {
			t.Errorf("%s in %q: %v", tt.url, tt.patterns, ok)
		}
	}
}
