package install

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	cursorHooks = `{"version":1,"hooks":{"preToolUse":[{"command":"true"}],"stop":[{"command":"true"}]}}`
	claudeHooks = `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}]}}`
)

func find(t *testing.T, name string) adapter.Dialect {
	t.Helper()
	d, err := adapter.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// project makes a project with some files and returns a job for it.
func project(t *testing.T, files map[string]string) *Job {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, "p", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &Job{Scope: schema.ScopeProject, File: &projectfile.File{},
		Places: schema.Places{OS: runtime.GOOS, Project: filepath.Join(root, "p"), Home: filepath.Join(root, "home")}}
}

// do carries out an action. writes is the number of changes to write, -1 for all.
func (x *Job) do(t *testing.T, action Action, writes int) []Result {
	t.Helper()
	x.Action = action
	targets, err := x.Targets()
	if err != nil {
		t.Fatal(err)
	}
	results, err := x.Change(targets)
	if err == nil && writes < 0 {
		results, err = Write(results)
	} else if err == nil {
		_, err = Write(results[:writes])
	}
	if err != nil {
		t.Fatal(err)
	}
	return results
}

func (x *Job) text(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(x.Places.Project, filepath.FromSlash(name)))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// TestWholeFile installs into a file that hookbridge writes as a whole. A second install gives the same bytes, an
// edited or older file is rewritten, and a foreign file is never overwritten.
func TestWholeFile(t *testing.T) {
	for host, folder := range map[string]string{"opencode": ".opencode/plugin", "kilo": ".kilo/plugin"} {
		x := project(t, map[string]string{".cursor/hooks.json": cursorHooks, "opencode.json": "{}"})
		x.Hosts, x.Owners = []adapter.Dialect{find(t, host)}, []adapter.Dialect{find(t, "cursor")}
		name := folder + "/hookbridge.js"
		put := func(text string) {
			t.Helper()
			file := filepath.Join(x.Places.Project, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if r := x.do(t, Status, -1); r[0].State != "absent" || r[0].Entries == 0 {
			t.Errorf("before: %+v", r)
		}
		x.do(t, Install, -1)
		first := x.text(t, name)
		if !strings.Contains(first, `"hookbridge","args":["run","--host","`+host+
			`","--hooks","cursor","--scope","project"]`) {
			t.Fatalf("installed %q", first)
		}
		if r := x.do(t, Install, -1); r[0].State != "current" || x.text(t, name) != first {
			t.Errorf("again: %+v", r)
		}
		if r := x.do(t, Status, -1); r[0].State != "current" {
			t.Errorf("status: %+v", r)
		}
		for _, other := range []string{first + "// mine\n", strings.Replace(first, "PROTOCOL = 1", "PROTOCOL = 9", 1)} {
			put(other)
			if r := x.do(t, Status, -1); r[0].State != "edited" {
				t.Errorf("changed: %+v", r)
			}
			if x.do(t, Install, -1); x.text(t, name) != first {
				t.Error("install doesn't repair it")
			}
		}
		x.Flags.Set("ask", "allow")
		if r := x.do(t, Status, -1); r[0].State == "current" {
			t.Errorf("other flags: %+v", r)
		}
		x.do(t, Install, -1)
		if text := x.text(t, name); !strings.Contains(text, `"--ask","allow"`) ||
			strings.Count(text, "\n") != strings.Count(first, "\n") {
			t.Errorf("changed to %q", text)
		}
		x.do(t, Uninstall, -1)
		if _, err := os.Stat(filepath.Join(x.Places.Project, filepath.Dir(folder))); !os.IsNotExist(err) {
			t.Error("uninstall left the folder")
		}
		x.Flags = cmdline.Call{}
		put("mine")
		x.Action = Install
		if _, err := x.Targets(); err == nil || x.text(t, name) != "mine" || x.text(t, "opencode.json") != "{}" {
			t.Error("a user's file is overwritten")
		}
	}
}

// TestInterruptedUninstall stops uninstall after each of its writes. The next uninstall completes it, and a host is
// never left without entries for hooks that it skips.
func TestInterruptedUninstall(t *testing.T) {
	for _, writes := range []int{0, 1, 2} {
		x := project(t, map[string]string{".claude/settings.json": claudeHooks})
		x.Hosts = []adapter.Dialect{find(t, "copilot")}
		x.do(t, Install, -1)
		if x.text(t, ".claude/settings.json") == claudeHooks {
			t.Fatal("the file isn't void")
		}
		x.do(t, Uninstall, writes)
		if void := x.text(t, ".claude/settings.json") != claudeHooks; void &&
			x.text(t, ".github/hooks/hookbridge.json") == "" {
			t.Errorf("%d writes: Copilot runs no hook", writes)
		}
		x.do(t, Uninstall, -1)
		if x.text(t, ".claude/settings.json") != claudeHooks || x.text(t, ".github/hooks/hookbridge.json") != "" {
			t.Errorf("%d writes: not repaired", writes)
		}
	}
}

// TestLeftVoid repairs a project whose entries are gone while a file is still void, and keeps the user's own fields.
func TestLeftVoid(t *testing.T) {
	void := func(value string) string {
		return strings.Replace(claudeHooks, `"true"`, `"true","timeoutSec":`+value, 1)
	}
	for value, want := range map[string]string{"0.0": claudeHooks, "0": void("0")} {
		x := project(t, map[string]string{".claude/settings.json": void(value)})
		x.do(t, Uninstall, -1)
		if got := x.text(t, ".claude/settings.json"); got != want {
			t.Errorf("%s: %s", value, got)
		}
	}
}

// TestKept: entries that become one keep a flag that weakens answers only if all of them have it.
func TestKept(t *testing.T) {
	for want, calls := range map[string][]string{
		"--fail-closed":     {"--ask allow", "--fail-closed"},
		"--ask allow":       {"--ask allow", "--ask allow"},
		"--log /l":          {"--log /l", ""},
		"--pin-hooks":       {"", "--pin-hooks --allow approve"},
		"--evaluator ./a":   {"--evaluator ./a --fail-closed=false", "--fail-closed"},
		"--require-trust":   {"--require-trust", "--require-trust"},
		"--ask relay":       {"--ask allow", "--ask relay"},
		"--allow approve -": {"--allow approve --ask allow", "--allow approve"},
	} {
		var own []convert.OwnEntry
		for _, c := range calls {
			call, ok := cmdline.Parse("hookbridge run "+c, nil)
			if !ok {
				t.Fatal(c)
			}
			own = append(own, convert.OwnEntry{Call: call})
		}
		got := cmdline.Call{Flags: kept(own)}
		words := strings.Fields(strings.TrimSuffix(want, " -"))
		for _, w := range words {
			if !slices.Contains(got.Words(), w) {
				t.Errorf("%q: kept %q, want %q", calls, got.Words(), want)
			}
		}
		if got.Weaker(own[0].Call.Flags) && got.Weaker(own[1].Call.Flags) {
			t.Errorf("%q: %q is weaker than either", calls, got.Words())
		}
	}
}

// TestOneEntry: older entries, one for each agent, become one that runs the hooks of all. A mixture is removed as a
// whole, and one agent's part of an entry alone.
func TestOneEntry(t *testing.T) {
	x := project(t, map[string]string{".claude/settings.json": claudeHooks, ".qoder/settings.json": claudeHooks})
	x.Hosts = []adapter.Dialect{find(t, "codex")}
	x.Owners = []adapter.Dialect{find(t, "qoder"), find(t, "claude")}
	const file = ".codex/hooks.json"
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(x.Places.Project, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	x.do(t, Install, -1)
	together := x.text(t, file)
	entry := `{"hooks":[{"type":"command","command":"hookbridge run --host codex --hooks claude,qoder --scope ` +
		`project","timeout":610}]}`
	compact := strings.Join(strings.Fields(together), "")
	if !strings.Contains(compact, strings.Join(strings.Fields(entry), "")) ||
		strings.Count(together, "hookbridge run") != 1 {
		t.Fatalf("installed %s", together)
	}
	for _, older := range []string{"claude", "qoder", "qoder,claude"} {
		for _, second := range []string{"", "claude,qoder", "qoder"} {
			text := `{"hooks":{"PreToolUse":[` + strings.ReplaceAll(entry, "claude,qoder", older) + `]}}`
			if second != "" {
				text = strings.Replace(text, `[{"hooks"`, `[`+strings.ReplaceAll(entry, "claude,qoder", second)+
					`,{"hooks"`, 1)
			}
			write(text)
			if r := x.do(t, Status, -1); r[0].State != "stale" {
				t.Errorf("%s and %q: %s", older, second, r[0].State)
			}
			x.do(t, Install, -1)
			if got := x.text(t, file); strings.Count(got, "hookbridge run") != 1 ||
				!strings.Contains(got, "--hooks claude,qoder --scope") {
				t.Errorf("%s and %q: become %s", older, second, got)
			}
			write(text)
			x.do(t, Uninstall, -1)
			if got := x.text(t, file); got != "" {
				t.Errorf("%s and %q: left %s", older, second, got)
			}
			if err := os.MkdirAll(filepath.Dir(filepath.Join(x.Places.Project, file)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(together)
	x.Owners = []adapter.Dialect{find(t, "qoder")}
	x.do(t, Uninstall, -1)
	if got := x.text(t, file); got != strings.Replace(together, "claude,qoder", "claude", 1) {
		t.Errorf("without Qoder's: %s", got)
	}
	x.do(t, Install, -1)
	if got := x.text(t, file); got != together {
		t.Errorf("again: %s", got)
	}
}

// TestFixedProgram checks that entries which run in every project have hookbridge's path, also for cmd.exe, which
// searches the project for a name first.
func TestFixedProgram(t *testing.T) {
	for _, c := range []struct{ fixed, want string }{
		{"/usr/local/bin/hookbridge", "/usr/local/bin/hookbridge"},
		{`C:\Users\me\bin\hookbridge.exe`, `C:\Users\me\bin\hookbridge.exe`},
		{`C:\Program Files\hookbridge.exe`, ""},
		{"", ""},
	} {
		for _, host := range adapter.Dialects() {
			owner := find(t, "cursor")
			if host.Profile().Name == "cursor" {
				owner = find(t, "claude")
			}
			x := project(t, map[string]string{".cursor/hooks.json": cursorHooks, ".claude/settings.json": claudeHooks})
			x.Hosts, x.Owners, x.Fixed, x.Scope = []adapter.Dialect{host}, []adapter.Dialect{owner}, c.fixed,
				schema.ScopeUser
			file := x.do(t, Install, -1)[0].File
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			cfg, _ := host.ParseConfig(text, schema.Source{File: file, Scope: schema.ScopeUser})
			if len(cfg.Hooks) == 0 {
				t.Fatalf("%s: no entries", host.Profile().Name)
			}
			for _, h := range cfg.Hooks {
				call, ok := cmdline.Parse(h.Command, h.Args)
				if !ok || call.Path != c.want {
					t.Errorf("%s: %q has the path %q, want %q", host.Profile().Name, h.Command, call.Path, c.want)
				}
			}
		}
	}
}
