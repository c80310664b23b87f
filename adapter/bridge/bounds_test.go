package bridge

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/transcript"
	"github.com/hookbridge/hookbridge/schema"
)

// TestNamesByByte compares the bytes allowed in names with regular expressions.
func TestNamesByByte(t *testing.T) {
	variable := regexp.MustCompile(`^[A-Z_][A-Z0-9_]*`)
	header := regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")
	for b := range 256 {
		for _, s := range []string{string([]byte{byte(b)}), string([]byte{'A', byte(b)}), string([]byte{byte(b),
			'A'})} {
			if got, want := capitals(s), variable.FindString(s); got != want {
				t.Errorf("capitals(%q) = %q, want %q", s, got, want)
			}
			if got, want := isHeaderName(s), header.MatchString(s); got != want {
				t.Errorf("isHeaderName(%q) = %v", s, got)
			}
		}
	}
	if capitals("") != "" || isHeaderName("") {
		t.Error("nothing is a name")
	}
}

// TestWaitFor: a call waits for the hooks of its event, and for hooks of any event.
func TestWaitFor(t *testing.T) {
	r, c := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
	hook := func(e schema.Event, limit time.Duration) schema.Hook {
		return schema.Hook{Event: e, Native: "PreToolUse", Handler: schema.HandlerCommand, Timeout: limit}
	}
	for about, tt := range map[string]struct {
		hooks []schema.Hook
		want  time.Duration
	}{
		"none":             {nil, 0},
		"of the event":     {[]schema.Hook{hook(schema.PreTool, 7*time.Second)}, 7 * time.Second},
		"of any event":     {[]schema.Hook{hook(0, 7*time.Second)}, 7 * time.Second},
		"of another event": {[]schema.Hook{hook(schema.Stop, 7*time.Second)}, 0},
		"the longest": {[]schema.Hook{hook(schema.PreTool, 7*time.Second), hook(schema.Stop, time.Hour),
			hook(schema.PreTool, 9*time.Second)}, 9 * time.Second},
	} {
		w := waitFor(r, c, tt.hooks)
		if got := w.Total(); got != tt.want {
			t.Errorf("%s: %v, want %v", about, got, tt.want)
		}
	}
}

// TestNoteCopy: an incomplete copy of a transcript is a loss; a complete one is not reported.
func TestNoteCopy(t *testing.T) {
	for about, tt := range map[string]struct {
		res  transcript.Result
		lost bool
	}{
		"whole": {transcript.Result{}, false}, "one line": {transcript.Result{Skipped: 1}, true},
		"old messages": {transcript.Result{Cut: true}, true}, "for the next call": {transcript.Result{Behind: true},
			true},
		"too large": {transcript.Result{Full: true}, true},
	} {
		r, _ := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
		noteCopy(r, tt.res, "t.jsonl")
		lost := slices.ContainsFunc(r.log.ds, func(d schema.Diagnostic) bool {
			return d.Code == schema.CodeTranscript && d.Severity == schema.Loss
		})
		if lost != tt.lost {
			t.Errorf("%s: %v", about, r.log.ds)
		}
	}
}

// TestStartIn: a command starts in the call's folder, unless only the project has its script.
func TestStartIn(t *testing.T) {
	b := newBridge(t, "cursor", "claude", "")
	r, c := staged(t, b, cursorShell)
	project, sub := b.Places.Project, filepath.Join(b.Places.Project, "sub")
	laidOut(t, project, map[string]string{"x.sh": "", "sub/y.sh": "", "sub/-c": ""})
	for _, tt := range []struct {
		argv []string
		want string
	}{
		{[]string{"sh", "-c", "./x.sh"}, project},
		{[]string{"sh", "-c", "./y.sh"}, sub}, {[]string{"sh", "-c", "/bin/true"}, sub},
		{[]string{"pwsh", "-Command", "./x.sh"}, project}, {[]string{"pwsh", "-NoProfile", "-Command", "./x.sh"},
			project},
		{[]string{"./x.sh"}, project}, {[]string{"./y.sh"}, sub}, {[]string{"./x.sh", "-c", "./y.sh"}, sub},
		{nil, sub},
	} {
		if got := startIn(r, c, &process.Spec{Argv: tt.argv, Dir: sub}, project); got != tt.want {
			t.Errorf("%q starts in %s", tt.argv, got)
		}
	}
	for _, project := range []string{"", sub} {
		if got := startIn(r, c, &process.Spec{Argv: []string{"./x.sh"}, Dir: sub}, project); got != sub {
			t.Errorf("in the project %q: %s", project, got)
		}
	}
}

// TestRegistered: the host's entries that a call reaches, and those that run the same hooks.
func TestRegistered(t *testing.T) {
	entry := func(flags string) string { return "hookbridge run --host cursor --hooks " + flags }
	for _, tt := range []struct {
		about, file   string
		scope         schema.Scope
		reach, served bool
	}{
		{"no file", "", 0, true, false},
		{"no entry", entriesAt("true", "preToolUse"), 0, true, false},
		{"an entry", entriesAt(entry("claude"), "preToolUse"), 0, true, true},
		{"an entry at another event", entriesAt(entry("claude"), "stop"), 0, false, false},
		{"an entry for other hooks", entriesAt(entry("codex"), "preToolUse"), 0, true, false},
		{"an entry for more hooks", entriesAt(entry("codex,claude"), "preToolUse"), 0, true, true},
		{"an entry for one hook", entriesAt(entry("claude -c x"), "preToolUse"), 0, true, false},
		{"an entry of a scope, for any", entriesAt(entry("claude --scope user"), "preToolUse"), 0, true, true},
		{"an entry for any scope", entriesAt(entry("claude"), "preToolUse"), schema.ScopeUser, true, true},
		{"an entry of the scope", entriesAt(entry("claude --scope user"), "preToolUse"), schema.ScopeUser, true, true},
		{"an entry of another scope", entriesAt(entry("claude --scope project"), "preToolUse"), schema.ScopeUser,
			true, false},
		{"an entry for other tools", strings.Replace(entriesAt(entry("claude"), "preToolUse"), `"command"`,
			`"matcher":"Read","command"`, 1), 0, false, false},
		{"an entry for the tool", strings.Replace(entriesAt(entry("claude"), "preToolUse"), `"command"`,
			`"matcher":"Shell","command"`, 1), 0, true, true},
	} {
		b := newBridge(t, "cursor", "claude", "")
		b.Scope, b.Places.Home = tt.scope, t.TempDir()
		if tt.file != "" {
			laidOut(t, b.Places.Project, map[string]string{".cursor/hooks.json": tt.file})
		}
		r, c := staged(t, b, cursorShell)
		if got := canReach(r, c, "preToolUse"); got != tt.reach {
			t.Errorf("%s: reached %v", tt.about, got)
		}
		if got := servedAt(r, c, "preToolUse"); got != tt.served {
			t.Errorf("%s: served %v", tt.about, got)
		}
		if got := servedAnyhow(r, c); got != tt.served {
			t.Errorf("%s: served at any of the event's names: %v", tt.about, got)
		}
	}
}

// A described is an agent whose modules describe themselves by a program's output.
type described struct {
	adapter.Dialect
	dialect.CallbackRunner
	file *string
}

func (d described) Abilities() dialect.Abilities {
	a := d.Dialect.Abilities()
	a.Callbacks = d
	return a
}

func (d described) DescribeModule(file string, _ []string) dialect.Spec {
	*d.file = file
	return process.Spec{Argv: []string{"/bin/sh", "-c", "pwd"}}
}

func (d described) ModuleHooks(_ string, res *dialect.Result) (hooks []schema.Hook, ds schema.Diagnostics) {
	if strings.Contains(string(res.Stdout), "bad") {
		ds.Add(schema.CodeModule, "", "bad")
	}
	return []schema.Hook{{Command: strings.TrimSpace(string(res.Stdout))}}, ds
}

// TestReadModule: a module is a regular file, and its path is relative to the folder in which its program runs.
func TestReadModule(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	laidOut(t, dir, map[string]string{"m.mjs": "", "bad/m.mjs": ""})
	d, _ := adapter.Find("qoder-sdk")
	for _, tt := range []struct {
		file, dir string
		read      string // "": it is not read
		codes     int
	}{
		{"m.mjs", dir, dir + "/m.mjs", 0}, {dir + "/m.mjs", "/", dir + "/m.mjs", 0}, {"none.mjs", dir, "", 1},
		{"bad", dir, "", 1}, {"m.mjs", dir + "/bad", "", 1},
	} {
		read := ""
		cfg, ds := ReadModule(context.Background(), described{d, d.Abilities().Callbacks, &read}, tt.file, tt.dir, nil)
		if (cfg != nil) != (tt.read != "") || len(ds) != tt.codes {
			t.Errorf("%s in %s: %v %v", tt.file, tt.dir, cfg, ds)
		}
		if cfg != nil && (read != tt.read || cfg.Source.File != tt.read || cfg.Hooks[0].Command != tt.dir) {
			t.Errorf("%s in %s: reads %s in %+v", tt.file, tt.dir, read, cfg)
		}
	}
}

// TestCallerOf: the agent that sent a payload. A payload that no agent certainly sends is denied for the first agent
// that can read it.
func TestCallerOf(t *testing.T) {
	for _, tt := range []struct {
		payload, host, event string
		sure                 bool
	}{
		{cursorShell, "cursor", "e", true}, {"{", "", "e", true}, {`{}`, "", "e", true},
	} {
		b := newBridge(t, "cursor", "claude", "")
		b.Host = nil
		got := callerOf(b, []byte(tt.payload), "e")
		if tt.host != "" && got.host.Profile().Name != tt.host || got.event != tt.event || (got.err == nil) != tt.sure {
			t.Errorf("%s: %s at %s, %v", tt.payload, got.host.Profile().Name, got.event, got.err)
		}
		if adapter.SameAgent(got.host, b.Hooks) && tt.host == "" && tt.sure {
			t.Errorf("%s: of the hooks' own agent", tt.payload)
		}
	}
}

// TestLateEndsHooks: running hooks end before the program does.
func TestLateEndsHooks(t *testing.T) {
	b := watchedBridge(t, "", "x")
	ended, running := make(chan bool, 1), make(chan bool)
	b.Start = func(*schema.Hook, process.Spec) standIn {
		return func(ctx context.Context) process.Result {
			close(running)
			<-ctx.Done()
			ended <- true
			return process.Result{Exit: -1}
		}
	}
	late := make(chan bool)
	b.Late = func([]byte, *Report, error) { late <- len(ended) == 1 }
	go b.Guarded(context.Background(), []byte(watchedCall), "", nil)
	<-running
	b.at.Pass(time.Hour, 0)
	if !<-late {
		t.Error("a hook still runs")
	}
}

// TestFlagsOf: each flag that is compared with an entry's has the command line's value.
func TestFlagsOf(t *testing.T) {
	for _, line := range []string{"--timeout 1.5", "--ask relay", "--allow approve", "--fail-closed",
		"--own-failure proceed",
		"--on-failure block", "--require-trust", "--evaluator e"} {
		b, err := New(parsed(t, "hookbridge run --hooks claude "+line), Machine{Dir: "/d"})
		if err != nil {
			t.Fatal(err)
		}
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "--"), " ")
		i := slices.IndexFunc(b.flags(), func(f cmdline.Flag) bool { return f.Name == name })
		if want := value; i < 0 || b.flags()[i].Value != want && (want != "" || b.flags()[i].Value != "true") {
			t.Errorf("%s: %v", line, b.flags())
		}
	}
}
