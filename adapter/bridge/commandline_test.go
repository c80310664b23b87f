package bridge

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

func parsed(t *testing.T, line string) *cmdline.Call {
	t.Helper()
	call, ok := cmdline.Parse(line, nil)
	if !ok {
		t.Fatal(line)
	}
	return &call
}

// TestCommandLine: what a command line sets, and what the machine adds.
func TestCommandLine(t *testing.T) {
	m := Machine{OS: "linux", Dir: "/d", Home: "/h", Account: "/acc", TempDir: "/tmp", StateDir: "/s", UsualState: "/u",
		Self: func() string { return "/bin/hb" }, Env: schema.Environ{"PWD=/old", "A=1"}}
	for _, tt := range []struct {
		name, line string
		check      func(*Bridge) bool
	}{
		{"the machine", "--hooks claude", func(b *Bridge) bool {
			p := b.Places
			return b.StateDir == "/s" && b.UsualState == "/u" && b.TempDir == "/tmp" && b.self() == "/bin/hb" &&
				p.OS == "linux" && p.Home == "/h" && p.Account == "/acc" && p.Project == "" &&
				p.Env.Get("PWD") == "/d" && p.Env.Get("A") == "1"
		}},
		{"no more than is said", "--hooks claude", func(b *Bridge) bool {
			return b.Host == nil && !b.FailClosed && !b.Proceed && !b.BlockFailures && !b.RequireTrust && !b.PinHooks &&
				b.Single == nil && b.Inline == nil && b.Timeout == 0 && b.Plugin == "" && b.Given == nil &&
				len(b.Others) == 0 && b.Evaluator == "" && b.Scope == schema.ScopeGiven
		}},
		{"the host", "--hooks claude --host cursor", func(b *Bridge) bool {
			return b.Host.Profile().Name == "cursor" && b.Hooks.Profile().Name == "claude"
		}},
		{"several agents, each once", "--hooks claude,codex,claude,codex", func(b *Bridge) bool {
			return len(b.Others) == 1 && b.Others[0].Profile().Name == "codex"
		}},
		{"a failure denies", "--hooks claude --fail-closed", func(b *Bridge) bool { return b.FailClosed }},
		{"an own failure proceeds", "--hooks claude --own-failure proceed", func(b *Bridge) bool { return b.Proceed }},
		{"a hook's failure blocks", "--hooks claude --on-failure block", func(b *Bridge) bool {
			return b.BlockFailures
		}},
		{"trust", "--hooks claude --require-trust", func(b *Bridge) bool { return b.RequireTrust }},
		{"pins", "--hooks claude --pin-hooks", func(b *Bridge) bool { return b.PinHooks }},
		{"a time limit", "--hooks claude --timeout 1.5", func(b *Bridge) bool {
			return b.Timeout == 1500*time.Millisecond
		}},
		{"an evaluator", "--hooks claude --evaluator e", func(b *Bridge) bool { return b.Evaluator == "e" }},
		{"a scope", "--hooks claude --scope project", func(b *Bridge) bool { return b.Scope == schema.ScopeProject }},
		{"relative places", "--hooks claude --project p --home q", func(b *Bridge) bool {
			return b.Places.Project == "/d/p" && b.Places.Home == "/d/q" && b.Places.Account == "/d/q"
		}},
		{"whole places", "--hooks claude --project /p --home /q", func(b *Bridge) bool {
			return b.Places.Project == "/p" && b.Places.Home == "/q"
		}},
		{"named files", "--hooks claude --config a --config /b", func(b *Bridge) bool {
			return slices.Equal(b.Given, []string{"/d/a", "/b"})
		}},
		{"a plugin", "--hooks claude --plugin x", func(b *Bridge) bool { return b.Plugin == "/d/x" }},
		{"a text", "--hooks claude --inline '{}'", func(b *Bridge) bool { return string(b.Inline) == "{}" }},
		{"a command", "--hooks claude -c true", func(b *Bridge) bool {
			return b.Single != nil && b.Single.Command == "true" && b.Single.Event == 0
		}},
		{"a command for an event", "--hooks claude --event Stop -c true", func(b *Bridge) bool {
			return b.Single.Native == "Stop" && b.Single.Event == schema.Stop
		}},
		{"a program", "--hooks claude -- prog a", func(b *Bridge) bool {
			return b.Single.Command == "prog" && slices.Equal(b.Single.Args, []string{"a"})
		}},
		{"a module", "--hooks qoder-sdk --module /x.mjs", func(b *Bridge) bool {
			return b.Single.Handler == schema.HandlerCallback && b.Single.Command == "/x.mjs"
		}},
	} {
		b, err := New(parsed(t, "hookbridge run "+tt.line), m)
		if err != nil || !tt.check(b) {
			t.Errorf("%s: %+v %v", tt.name, b, err)
		}
	}
}

// TestCommandLineMistakes: an impossible command line is an error, not another call.
func TestCommandLineMistakes(t *testing.T) {
	for _, tt := range []struct {
		line, dir string
		mistake   bool // of the command line's author
	}{
		{"--hooks none", "/d", true}, {"--hooks claude,none", "/d", true}, {"--hooks claude --host none", "/d", true},
		{"--hooks claude,codex -c true", "/d", true}, {"--hooks claude --event none -c true", "/d", true},
		{"--hooks claude --module x.mjs", "/d", true}, {"--hooks claude --project p", "", false},
		{"--hooks claude --home p", "", false}, {"--hooks claude --config p", "", false},
		{"--hooks claude --config /a --config p", "", false}, {"--hooks claude --plugin p", "", false},
	} {
		_, err := New(parsed(t, "hookbridge run "+tt.line), Machine{Dir: tt.dir})
		if wrong := new(*cmdline.Mistake); err == nil || errors.As(err, wrong) != tt.mistake {
			t.Errorf("%s: %v", tt.line, err)
		}
	}
	if _, err := New(parsed(t, "hookbridge run --hooks claude --project /p --config /c"), Machine{}); err != nil {
		t.Errorf("whole paths need no folder: %v", err)
	}
	if b, err := New(parsed(t, "hookbridge run --hooks claude"), Machine{Env: schema.Environ{"PWD=/x"}}); err != nil ||
		b.Places.Env.Get("PWD") != "/x" {
		t.Errorf("an unknown folder takes the place of the known one: %v %v", b.Places.Env, err)
	}
}

// TestComparedFlags: an entry with a laxer flag than this call's is weaker, and the same one isn't.
func TestComparedFlags(t *testing.T) {
	for _, flags := range []string{"", "--fail-closed", "--on-failure block", "--require-trust", "--timeout 5",
		"--evaluator e", "--own-failure proceed"} {
		b, err := New(parsed(t, "hookbridge run --hooks claude "+flags), Machine{Dir: "/d"})
		if err != nil {
			t.Fatal(err)
		}
		same := parsed(t, "hookbridge run --hooks claude "+flags)
		if same.Weaker(b.flags()) {
			t.Errorf("%q is weaker than itself: %v", flags, b.flags())
		}
		plain := parsed(t, "hookbridge run --hooks claude")
		if stricter := flags == "--fail-closed" || flags == "--on-failure block"; stricter && !plain.Weaker(b.flags()) {
			t.Errorf("without %q it isn't weaker: %v", flags, b.flags())
		}
	}
}

// TestDeletedPaths: the files that a word of a command names.
func TestDeletedPaths(t *testing.T) {
	dir := t.TempDir()
	laidOut(t, dir, map[string]string{"a.log": "", "b.log": "", "sub/c.log": ""})
	for _, tt := range []struct {
		command string
		want    []string // below the folder, if they don't begin with a slash
	}{
		{"rm x", []string{"x"}}, {"rm /x", []string{"/x"}}, {"rm ~/x", []string{"/home/x"}},
		{"rm ~", []string{"/home"}},
		{"rm $HOME/x", []string{"/home/x"}}, {"rm ${HOME}/x", []string{"/home/x"}}, {"rm $PWD/x", []string{"x"}},
		{"rm ~x", []string{"~x"}}, {"rm $HOMES/x", []string{"$HOMES/x"}}, {"cd sub && rm x", []string{"sub/x"}},
		{"cd sub && rm $PWD/x", []string{"sub/x"}}, {"cd /y && rm x", []string{"/y/x"}},
		{"rm *.log", []string{"a.log", "b.log"}}, {"rm *.txt", []string{"*.txt"}}, {"rm '*.log'", []string{"*.log"}},
		{"rm */c.log", []string{"*/c.log"}}, {"ls | xargs rm", []string{""}},
	} {
		b := newBridge(t, "claude", "cursor", "")
		r, c := staged(t, b, claudeShell)
		r.places.Home = "/home"
		c = c.Clone()
		c.Cwd = dir
		var got []string
		for _, d := range shell.Deletions(tt.command) {
			got = append(got, deletedPaths(r, c, d)...)
		}
		for i, name := range tt.want { // words that only a shell can expand stay
			if !filepath.IsAbs(name) && name != "~x" && !strings.HasPrefix(name, "$") {
				tt.want[i] = filepath.Join(dir, tt.want[i])
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.command, got, tt.want)
		}
	}
}

// TestManyDeleted: if a pattern matches more than maxPattern files, hooks get the pattern too.
func TestManyDeleted(t *testing.T) {
	dir := t.TempDir()
	for i := range maxPattern + 1 {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		found := matching(filepath.Join(dir, "*"))
		want := min(i+1, maxPattern)
		if i == maxPattern {
			want++
		}
		if i >= maxPattern-1 && (len(found) != want || strings.HasSuffix(found[want-1], "*") != (i == maxPattern)) {
			t.Errorf("%d files: %d, %s", i+1, len(found), found[len(found)-1])
		}
	}
}

// TestOwnViews: the host's own hooks get the event that the host raises, and no other event of the same call.
func TestOwnViews(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(*Bridge)
		own  bool
		want string
	}{
		{"another agent's", func(*Bridge) {}, false, "PreToolUse"},
		{"its own", func(b *Bridge) { b.Own, b.Hooks = &discover.Result{}, b.Host }, true, "preToolUse"},
	} {
		b := newBridge(t, "cursor", "claude", "")
		tt.set(b)
		r, c := staged(t, b, cursorShell)
		views := viewsOf(r, c)
		if len(views) == 0 {
			t.Errorf("%s: no view", tt.name)
		}
		for _, v := range views {
			if v.Event != tt.want || v.Own != tt.own {
				t.Errorf("%s: %+v", tt.name, v)
			}
		}
	}
}

// TestRunAll: a stand-in's result is at the position of its program's.
func TestRunAll(t *testing.T) {
	stand := func(s string) standIn {
		return func(context.Context) process.Result { return process.Result{Stdout: []byte(s)} }
	}
	r, _ := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
	none := []process.Spec{{}, {}, {}}
	missing := process.Spec{Argv: []string{filepath.Join(t.TempDir(), "none")}}
	for _, tt := range []struct {
		specs  []process.Spec
		inside []standIn
		want   string
	}{
		{none, []standIn{stand("a"), stand("b"), stand("c")}, "a b c"},
		{[]process.Spec{missing, {}, {}}, []standIn{nil, stand("b"), stand("c")}, " b c"},
		{[]process.Spec{{}, missing, {}}, []standIn{stand("a"), nil, stand("c")}, "a  c"},
	} {
		var got []string
		for _, res := range runAll(r, tt.specs, tt.inside) {
			got = append(got, string(res.Stdout))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%q, want %q", text, tt.want)
		}
	}
}

// TestUnasked: a guard for its agent's permission prompt is reported for its calls if the host never asks.
func TestUnasked(t *testing.T) {
	guard := schema.Hook{Event: schema.PermissionRequest, Native: "PermissionRequest", Matcher: "Bash",
		HasMatcher: true, Handler: schema.HandlerCommand, Command: "exit 2"}
	for _, tt := range []struct {
		name   string
		change func(h *schema.Hook, c *schema.Call)
		want   int
	}{
		{"a guard", func(*schema.Hook, *schema.Call) {}, 1},
		{"a guard of another tool", func(h *schema.Hook, _ *schema.Call) { h.Matcher = "Write" }, 0},
		{"a hook of another event", func(h *schema.Hook, _ *schema.Call) { h.Event = schema.PreTool }, 0},
		{"another event", func(_ *schema.Hook, c *schema.Call) { c.Event = schema.PostTool }, 0},
	} {
		r, c := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
		h := guard
		c = c.Clone()
		tt.change(&h, c)
		unchanged(t, r, c)
		noteUnasked(r, c, &h)
		if got := codesOf(r.log.ds); len(got) != tt.want {
			t.Errorf("%s: %v", tt.name, r.log.ds)
		}
	}
}

// TestDecidedSoFar: when a limit is over, the strictest decision so far counts.
func TestDecidedSoFar(t *testing.T) {
	var none *progress
	none.read(nil)
	none.decide(&schema.Reply{})
	none.judge(&schema.Reply{})
	for _, tt := range []struct {
		verdicts []schema.Verdict
		want     schema.Verdict
	}{
		{[]schema.Verdict{schema.Deny, schema.Allow}, schema.Deny},
		{[]schema.Verdict{schema.Allow, schema.Ask}, schema.Ask},
		{[]schema.Verdict{schema.Ask, schema.NoOpinion}, schema.Ask},
	} {
		p := &progress{}
		for _, v := range tt.verdicts {
			p.decide(&schema.Reply{Verdict: v})
		}
		if got := p.decided.Load().Verdict; got != tt.want || p.judged.Load() {
			t.Errorf("%v: %v, judged %t", tt.verdicts, got, p.judged.Load())
		}
		p.judge(&schema.Reply{})
		if p.decided.Load().Verdict != schema.NoOpinion || !p.judged.Load() {
			t.Errorf("%v: all together doesn't count", tt.verdicts)
		}
	}
	p := &progress{}
	p.decide(&schema.Reply{Verdict: schema.Deny, Reason: "a"})
	p.decide(&schema.Reply{Verdict: schema.Deny, Reason: "b"})
	if got := p.decided.Load().Reason; got != "b" {
		t.Errorf("of two alike the later one counts: %q", got)
	}
}

// TestNotOf: a call that no agent certainly sends isn't denied in the format of the hooks' own agent.
func TestNotOf(t *testing.T) {
	for _, d := range adapter.Dialects() {
		if got := notOf(d); adapter.SameAgent(got, d) {
			t.Errorf("%s: %s", d.Profile().Name, got.Profile().Name)
		}
	}
}

// TestCheckProject: a wrong name isn't a project without hooks.
func TestCheckProject(t *testing.T) {
	dir := t.TempDir()
	laidOut(t, dir, map[string]string{"f": ""})
	for name, ok := range map[string]bool{"": true, dir: true, filepath.Join(dir, "f"): false,
		filepath.Join(dir, "none"): false} {
		if err := CheckProject(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}
