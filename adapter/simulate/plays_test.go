package simulate

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// said lists commands of Claude Code's hooks, each with another answer.
var said = []string{"exit 2", `echo '{"continue":false,"stopReason":"s"}'`,
	`echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'`,
	`echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":` +
		`{"command":"ls","file_path":"/b","more":1}}}'`,
	`echo '{"decision":"block","reason":"r"}'`,
	`echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'`,
	`echo '{"systemMessage":"m"}'`, "true"}

// actions are played in each host.
var actions = []Action{
	{Event: schema.PreTool, Tool: "shell", Input: []byte(`{"command":"rm x","odd":1}`)},
	{Event: schema.PreTool, Tool: "write"}, {Event: schema.PreTool, Tool: "read", Part: schema.PreTool},
	{Event: schema.PreTool, Tool: "do", Server: "srv"}, {Event: schema.PreTool, Tool: "shell", Part: schema.PostTool},
	{Event: schema.PreTool, Tool: "shell", Part: schema.PermissionRequest},
	{Event: schema.PromptSubmit}, {Event: schema.Stop}, {Event: schema.SessionStart}, {Event: schema.SessionEnd},
}

// TestPlays compares the actions of each host with one entry of hookbridge at each event: the events, the answers, what
// the host honors, and the word for the result.
func TestPlays(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are shell commands")
	}
	var sums golden.Digests
	for i, d := range adapter.Dialects() {
		if d.Profile().Modules != nil {
			continue
		}
		out := sums.Of(d.Profile().Name)
		dir := t.TempDir()
		for j, a := range actions {
			playWith(t, out, d, a, dir, said[(i+3*j)%len(said)], j)
			playWith(t, out, d, a, dir, said[(i+3*j+4)%len(said)], j+1)
		}
	}
	sums.Compare(t, "testdata/plays.txt")
}

// playWith plays one action; turn selects the host's mode, and how it is started.
func playWith(t *testing.T, w io.Writer, d dialect.Dialect, a Action, dir, command string, turn int) {
	t.Helper()
	p := d.Profile()
	owner := adapter.Default
	if p.Name == owner {
		owner = "codebuddy"
	}
	call, _ := cmdline.Parse("hookbridge run --host "+p.Name+" --hooks "+owner, nil)
	call.Set("c", command)
	places := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: dir,
		Env: schema.Environ{"PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh", "HOME=" + dir}}
	h := Host{Dialect: d, Places: places, Assumed: []cmdline.Call{call}, Machine: bridge.Machine{OS: "linux",
		Env: places.Env, Dir: dir, Home: places.Home, TempDir: dir, Now: time.Now}}
	if modes := p.PermissionModes(); len(modes) > 0 {
		h.Mode = modes[turn%len(modes)].Name
	}
	if ways := p.StartedBy(); len(ways) > 0 && turn%3 == 1 {
		h.Way = &ways[turn%len(ways)]
	}

	out, err := Simulate(context.Background(), &h, a)
	if err != nil {
		fmt.Fprintf(w, "%+v: error\n", a.Event)
		return
	}
	fmt.Fprintf(w, "%v %s %s, mode %q: %s, asked %v, %v\n", a.Event, a.Tool, command, h.Mode, out.Decision, out.Asked,
		out.Unanswered)
	for _, s := range out.Steps {
		fmt.Fprintf(w, "  %s %v: %+v, ignored %v, %d runs, %d skipped\n", s.Event, s.Why != "", s.Reply.Verdict,
			s.Ignored,
			len(s.Runs), len(s.Skipped))
		fmt.Fprintf(w, "    %q %q %q %v %s\n", s.Reply.Reason, s.Reply.Context, s.Reply.KeepGoing, s.Reply.EndTurn,
			strings.ReplaceAll(string(s.Payload), dir, ""))
	}
	for _, f := range out.Diagnostics() {
		fmt.Fprintf(w, "  %s %v %s\n", f.Code, f.Severity, f.Path)
	}
}

// TestLookPath: a program is a file of the name in the first folder that has one.
func TestLookPath(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, name := range []string{filepath.Join(a, "folder"), filepath.Join(b, "prog"), filepath.Join(b, "folder")} {
		if filepath.Dir(name) == a {
			os.Mkdir(name, 0o755)
		} else {
			os.WriteFile(name, nil, 0o755)
		}
	}
	path := a + string(filepath.ListSeparator) + b
	for name, want := range map[string]string{"prog": filepath.Join(b, "prog"), "folder": filepath.Join(b, "folder"),
		"other": ""} {
		if got := LookPath(name, path); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestProbes: an entry is started once, with a count of nested processes that is too high; it is hookbridge's if it
// reports that.
func TestProbes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	claude, err := adapter.Find("claude")
	if err != nil {
		t.Fatal(err)
	}
	for about, tt := range map[string]struct {
		script   string
		answered bool
	}{
		"on stdout":    {`echo "DEPTH=$DEPTH"`, true},
		"on stderr":    {`echo "too deep: DEPTH=$DEPTH" >&2; exit 2`, true},
		"another word": {`echo "OTHER=$DEPTH"`, false},
		"nothing":      {"true", false},
		"a failure":    {"exit 3", false},
	} {
		dir := t.TempDir()
		spec := process.Spec{Argv: []string{"/bin/sh", "-c", "echo >>runs; " + tt.script}, Dir: dir,
			Env: []string{"PATH=" + os.Getenv("PATH")}}
		var x Probes
		for range 2 {
			res := x.unanswered(t.Context(), Program{Depth: "DEPTH"}, claude.Profile(), spec)
			if (res == nil) != tt.answered {
				t.Errorf("%s: %+v", about, res)
			}
		}
		if runs, _ := os.ReadFile(filepath.Join(dir, "runs")); string(runs) != "\n" {
			t.Errorf("%s: started %d times", about, len(runs))
		}
		if res := x.unanswered(t.Context(), Program{}, claude.Profile(), spec); res != nil {
			t.Errorf("%s: an entry is tried that may not be: %+v", about, res)
		}
	}
}

// TestProgram: an entry's program is the running hookbridge if it is the same file, or prints the same version.
func TestProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	dir := t.TempDir()
	put := func(name, script string) string {
		file := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(file), 0o755)
		os.WriteFile(file, []byte("#!/bin/sh\n"+script), 0o755)
		return file
	}
	own, other := put("own/hookbridge", "exit 1"), put("other/hookbridge", `echo " v1 "`)
	failing := put("failing/hookbridge", "echo v1; exit 1")
	for _, tt := range []struct {
		about, path, folder, version string
		want                         bool
	}{
		{"the same file", own, "", "v1", true}, {"the same version", other, "", "v1", true},
		{"another version", other, "", "v2", false}, {"no version", other, "", "", false},
		{"one that fails", failing, "", "v1", false}, {"none there", own + "x", "", "v1", false},
		{"from PATH", "", filepath.Dir(own), "v1", true}, {"not in PATH", "", dir, "v1", false},
	} {
		h := &Host{Program: Program{File: own, Version: tt.version}}
		spec := process.Spec{Dir: dir, Env: []string{"PATH=" + tt.folder}}
		if got := h.runs(t.Context(), &schema.Hook{}, &cmdline.Call{Path: tt.path}, spec); got != tt.want {
			t.Errorf("%s: %v", tt.about, got)
		}
	}
}
