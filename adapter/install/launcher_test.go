package install

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// launchable returns the agents with a hook file in projects.
func launchable() []adapter.Dialect { return launcher.Project().Hosts }

// hooksFor returns the files of a project with a guard of an agent other than the host.
func hooksFor(host adapter.Dialect) (files map[string]string, owner string) {
	if host.Profile().Name == "claude" {
		return map[string]string{".cursor/hooks.json": cursorHooks}, "cursor"
	}
	return map[string]string{".claude/settings.json": claudeHooks}, "claude"
}

// TestLauncher starts the entries that install writes with a launcher, in every agent with a project hook file: in a
// project whose path has blanks, from a subfolder if the agent does that, without hookbridge, with one that doesn't
// start, and with one that answers.
func TestLauncher(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("for sh")
	}
	for _, place := range []string{"/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"} {
		if _, err := os.Stat(filepath.Join(place, "hookbridge")); err == nil {
			t.Skip("hookbridge is installed in " + place)
		}
	}
	programs := map[string]string{"none": "", "old": "#!/bin/sh\nexit 64\n", "killed": "#!/bin/sh\nkill -9 $$\n",
		"no interpreter": "#!/nonexistent\n", "no program": "\x7fELF\x02\x01\x01\x00"}
	for _, d := range launchable() {
		name := d.Profile().Name
		for _, policy := range []string{launcher.Closed, launcher.Open} {
			files, owner := hooksFor(d)
			x := project(t, files)
			root := filepath.Join(filepath.Dir(x.Places.Project), "with a 'blank'")
			if err := os.Rename(x.Places.Project, root); err != nil {
				t.Fatal(err)
			}
			x.Places.Project, x.Launcher = root, policy
			x.Hosts, x.Owners = []adapter.Dialect{d}, []adapter.Dialect{find(t, owner)}
			x.do(t, Install, -1)
			below := filepath.Join(root, "a b", "c")
			if err := os.MkdirAll(below, 0o755); err != nil {
				t.Fatal(err)
			}
			text, _ := os.ReadFile(FileOf(d, x.Places, schema.ScopeProject))
			own, _ := entries(d, text)
			if len(own) == 0 {
				t.Errorf("%s: no entries: %s", name, text)
			}
			for which, program := range programs {
				for _, e := range own {
					if e.Call.ProjectLauncher == "" || !e.Call.Installed(name, owner) {
						t.Fatalf("%s: %s isn't an entry with the launcher", name, e.Value)
					}
					dirs := []string{root}
					if d.Profile().Starts.Below {
						dirs = append(dirs, below)
					}
					for _, dir := range dirs {
						res := startEntry(t, d, e.Call, x.Places, dir, program)
						checkMissing(t, name+" "+policy+" "+which+" in "+filepath.Base(dir), d, &e.Call, res)
					}
				}
			}
			res := startEntry(t, d, own[0].Call, x.Places, root, "#!/bin/sh\ncat; echo \"$@\" >&2; exit 1\n")
			status := 1
			if end := own[0].Call.Refusal; end != "" && end != cmdline.Operator {
				status = 2 // in other hosts the failure of an entry refuses
			}
			told := strings.Contains(string(res.Stderr), "--host "+name)
			if string(res.Stdout) != "{}" || res.Exit != status || !told {
				t.Errorf("%s: a hookbridge that works: %d %q %q", name, res.Exit, res.Stdout, res.Stderr)
			}
		}
	}
}

// startEntry starts an entry as its agent does, with a hookbridge in PATH; "": none.
func startEntry(t *testing.T, d adapter.Dialect, call cmdline.Call, p schema.Places, dir,
	program string) process.Result {
	t.Helper()
	bin := t.TempDir()
	if program != "" {
		if err := os.WriteFile(filepath.Join(bin, "hookbridge"), []byte(program), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.Env = schema.Environ{"PATH=" + bin + ":/usr/bin:/bin", "HOME=" + bin}
	if d.Profile().LoginShell { // which sets its own PATH
		p.Env = append(p.Env, "HOOKBRIDGE="+filepath.Join(bin, "hookbridge"))
	}
	row := d.Profile().Row(d.Profile().Generic(schema.PreTool))
	h := &schema.Hook{Handler: schema.HandlerCommand, Event: row.Event, Native: row.Native, Command: call.Command()}
	spec, err := d.Spec(h, &schema.Call{Dialect: d.Profile().Name, Event: row.Event, Native: row.Native, Cwd: dir,
		Project: p.Project}, p)
	if err != nil {
		t.Fatal(err)
	}
	spec.Stdin = []byte("{}")
	if d.Profile().Starts.Below {
		spec.Dir = dir
	}
	return process.RunAll(context.Background(), []process.Spec{spec})[0]
}

// refused reports whether a host reads the result of an entry with --missing closed as a refusal. For a host that reads
// no exit status, the entry's own policy counts.
func refused(d adapter.Dialect, res *process.Result) bool {
	row := d.Profile().Row(d.Profile().Generic(schema.PreTool))
	h := &schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand}
	read, _ := d.DecodeReply(h, schema.View{Event: row.Native}, res)
	_, written := d.WriteHook(schema.Entry{Native: row.Native}, &schema.Hook{Handler: schema.HandlerCommand,
		Event: row.Event, Command: "x", Fail: schema.FailClosed})
	return read.Verdict == schema.Deny || written&schema.HookFailPolicy != 0 && (res.Exit != 0 || res.Err != nil)
}

// saysText reports whether a host gets plain text, not a JSON object, when a session starts.
func saysText(d adapter.Dialect) bool {
	start := &schema.Call{Event: schema.SessionStart, Native: d.Profile().Generic(schema.SessionStart)}
	return start.Native != "" && !bytes.HasPrefix(d.AppendReply(nil, start, &schema.Reply{Context: "x"}), []byte("{"))
}

// checkMissing checks the result of an entry without a working hookbridge: with --missing closed the host reads a
// refusal, with --missing say it gets a text, and every other entry proceeds.
func checkMissing(t *testing.T, name string, d adapter.Dialect, call *cmdline.Call, res process.Result) {
	t.Helper()
	row := d.Profile().Row(d.Profile().Generic(schema.PreTool))
	switch call.Value("missing") {
	case "closed":
		if !refused(d, &res) || !strings.Contains(string(res.Stdout)+string(res.Stderr), "needs hookbridge") {
			t.Errorf("%s: not refused: %d %s %s", name, res.Exit, res.Stdout, res.Stderr)
		}
	case "say":
		if strings.Contains(name, "killed") { // it may have answered
			if res.Exit != 1 || len(res.Stdout) > 0 {
				t.Errorf("%s: %d %s", name, res.Exit, res.Stdout)
			}
		} else if !saysText(d) && ordjson.Check(res.Stdout) != nil ||
			!bytes.Contains(res.Stdout, []byte("needs hookbridge")) {
			t.Errorf("%s: nothing is said: %d %s %s", name, res.Exit, res.Stdout, res.Stderr)
		}
	default:
		// the empty reply of hookbridge, if the host treats a missing answer as a failure
		want := string(d.AppendReply(nil, &schema.Call{Native: row.Native, Event: row.Event}, &schema.Reply{}))
		if want == "{}" || res.Exit == 1 {
			want = ""
		}
		if res.Exit > 1 || strings.TrimSuffix(string(res.Stdout), "\n") != want {
			t.Errorf("%s: doesn't proceed: %d %s %s", name, res.Exit, res.Stdout, res.Stderr)
		}
	}
}

// TestLauncherGate: without hookbridge, only entries whose hooks may refuse a call refuse it, not entries that only
// record.
func TestLauncherGate(t *testing.T) {
	reacts := `{"hooks":{"PostToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}]}}`
	for _, d := range launchable() {
		if d.Profile().Name == "claude" {
			continue
		}
		x := project(t, map[string]string{".claude/settings.json": reacts})
		x.Launcher, x.Hosts, x.Owners = launcher.Closed, []adapter.Dialect{d}, []adapter.Dialect{find(t, "claude")}
		x.do(t, Install, -1)
		text, _ := os.ReadFile(FileOf(d, x.Places, schema.ScopeProject))
		own, _ := entries(d, text)
		gate := func(e convert.OwnEntry) bool { return e.Call.Has("missing") }
		if len(own) == 0 || slices.ContainsFunc(own, gate) {
			t.Errorf("%s: %s", d.Profile().Name, text)
		}
	}
}

// TestLauncherFiles: a launcher is removed with the last entry that starts it; a foreign file stays and stops install;
// a second install changes nothing; a file that isn't executable isn't current and is written again.
func TestLauncherFiles(t *testing.T) {
	x := project(t, map[string]string{".claude/settings.json": claudeHooks, ".gemini/x": "", ".cursor/x": ""})
	x.Launcher = launcher.Closed
	file := filepath.Join(x.Places.Project, filepath.FromSlash(cmdline.ProjectLauncher))
	states := func(action Action) string {
		return strings.Join(slices.Collect(func(yield func(string) bool) {
			for _, r := range x.do(t, action, -1) {
				if !yield(r.State) {
					return
				}
			}
		}), " ")
	}
	if s := states(Install); s != "installed installed written written written" {
		t.Error(s)
	}
	x.Launcher = ""
	if s := states(Install); s != "current current current current" {
		t.Error(s)
	}
	if s := states(Status); s != "current current current current" {
		t.Error(s)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if s := states(Status); runtime.GOOS != "windows" && s != "current current edited current" {
		t.Error(s)
	}
	if s := states(Install); runtime.GOOS != "windows" && s != "current current written current" {
		t.Error(s)
	}
	x.Hosts = []adapter.Dialect{find(t, "cursor")}
	if s := states(Uninstall); s != "uninstalled" {
		t.Error(s)
	}
	x.Hosts = nil
	if s := states(Uninstall); s != "uninstalled removed removed removed" {
		t.Error(s)
	}
	if _, err := os.Stat(filepath.Dir(file)); err == nil {
		t.Error("the folder stays")
	}

	x.Launcher = launcher.Open
	states(Install)
	x.Launcher = NoLauncher
	if s := states(Install); s != "installed installed removed removed removed" {
		t.Error(s)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("#!/bin/sh\necho mine\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	x.Launcher, x.Action = launcher.Closed, Install
	targets, err := x.Targets()
	if err == nil {
		_, err = x.Change(targets)
	}
	if err == nil {
		t.Error("another's file would be overwritten")
	}
	states(Uninstall)
	if text, _ := os.ReadFile(file); !bytes.Contains(text, []byte("mine")) {
		t.Error("another's file is gone")
	}
}

// TestLauncherWindows checks the text for cmd; there is no cmd here to run it.
func TestLauncherWindows(t *testing.T) {
	text := string(launcher.Project().Windows())
	if strings.Contains(text, "@FIND@") || strings.Contains(text, "--plugin") || !strings.HasSuffix(text, "\r\n") {
		t.Error(text)
	}
	for line := range strings.Lines(text) {
		if !strings.HasSuffix(line, "\r\n") || len(line) > 8000 {
			t.Errorf("a line that cmd doesn't read: %q", line)
		}
	}
	for _, d := range launchable() {
		want := 2 // one refuses, one is for the start of a session, and one where no answer would be a failure
		native := d.Profile().Generic(schema.PreTool)
		call := &schema.Call{Dialect: d.Profile().Name, Native: native, Event: schema.PreTool}
		if string(d.AppendReply(nil, call, &schema.Reply{})) != "{}" {
			want = 3
		}
		if saysText(d) {
			want--
		}
		name := d.Profile().Name
		if n := strings.Count(text, `/c:"--host `+name+` " /c:"--host `+name+`@" >nul && echo {`); n != want {
			t.Errorf("%s has %d answers", name, n)
		}
		testHostFound(t, text, name)
	}
}

// testHostFound checks that the lines of a launcher for a host find it and its programs, but no other names.
func testHostFound(t *testing.T, text, name string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if !strings.Contains(line, `/c:"--host `+name+" ") {
			continue
		}
		for host, want := range map[string]bool{name: true, name + "@2": true, name + "x": false, name + "-x": false,
			"x" + name: false} {
			for _, end := range []string{" ", " --missing closed "} {
				found := false
				for i, find := range strings.Split(line, `/c:"`) {
					find, _, _ = strings.Cut(find, `"`)
					found = found || i > 0 && strings.Contains("run --host "+host+end, find)
				}
				if found != want {
					t.Errorf("%s finds %s: %t", line, host, found)
				}
			}
		}
	}
}
