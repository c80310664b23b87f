package simulate

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSequences checks that an action's events are events of the agent. A call must run its tool at one place, and
// raise the agent's events before and after a tool.
func TestSequences(t *testing.T) {
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		for _, s := range p.Sequences() {
			ran := 0
			for _, native := range s.Events {
				row := p.Row(native)
				switch {
				case native == dialect.ToolRuns:
					ran++
				case row == nil && p.Generic(s.Action) == s.Events[0]:
					continue // another agent of the family has it
				case row == nil:
					t.Errorf("%s: no event %q", p.Name, native)
				case row.Gate != nil && s.Kinds != nil && !slices.ContainsFunc(s.Kinds, func(k schema.Kind) bool {
					return schema.HasKind(row.Kinds(), k)
				}):
					t.Errorf("%s: %s isn't raised for %v", p.Name, native, s.Kinds)
				}
			}
			if s.Action.IsTool() != (ran == 1) || s.Source == "" {
				t.Errorf("%s: %v has %d places of the tool, source %q", p.Name, s.Events, ran, s.Source)
			}
		}
		raised := p.Raised(schema.PreTool, schema.Shell)
		for _, e := range []schema.Event{schema.PreTool, schema.PostTool} {
			if !slices.ContainsFunc(raised, func(native string) bool {
				return native != dialect.ToolRuns && p.Row(native).Event == e
			}) {
				t.Errorf("%s: a command raises %q, and nothing for %v", p.Name, raised, e)
			}
		}
	}
}

// played returns the result of an action in a host with the project's files.
func played(t *testing.T, name string, action Action, files map[string]string, with ...func(*Host)) *Outcome {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are shell commands")
	}
	dir := t.TempDir()
	places := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		Env: schema.Environ{"PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh", "HOME=" + filepath.Join(dir, "home")}}
	for file, text := range files {
		file = filepath.Join(places.Project, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d, err := adapter.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	machine := bridge.Machine{OS: "linux", Env: places.Env, Dir: places.Project, Home: places.Home, TempDir: dir,
		Now: time.Now}
	host := Host{Dialect: d, Places: places, Machine: machine}
	for _, set := range with {
		set(&host)
	}
	out, err := Simulate(context.Background(), &host, action)
	if err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "hookbridge-session-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return out
}

// raised returns the events of an outcome, with the number of entries that were called.
func raised(o *Outcome) string {
	var b strings.Builder
	for _, s := range o.Steps {
		b.WriteString(s.Event)
		if s.Why != "" {
			b.WriteString("-")
		}
		b.WriteString(strings.Repeat("+", len(s.Runs)) + " ")
	}
	return strings.TrimSpace(b.String())
}

const cursorFile = ".cursor/hooks.json"

// TestActions checks the events of actions and how the hosts treat the answers of their own hooks. The expected results
// are those of the real clients (Cursor SDK 1.0.32, Claude Code 2.1.328, Copilot 1.0.102, Gemini CLI 0.61.0).
func TestActions(t *testing.T) {
	shell := Action{Event: schema.PreTool, Tool: "shell", Input: []byte(`{"command":"rm x"}`)}
	hook := func(event, command string) string {
		return `{"version":1,"hooks":{"` + event + `":[{"command":"` + command + `"}]}}`
	}
	claude := func(event, command string) string {
		return `{"hooks":{"` + event + `":[{"hooks":[{"type":"command","command":"` + command + `"}]}]}}`
	}
	for _, c := range []struct {
		name, host     string
		action         Action
		file, text     string
		decision, path string
	}{
		{"nothing", "cursor", shell, cursorFile, hook("stop", "true"), "none",
			"preToolUse beforeShellExecution afterShellExecution postToolUse"},
		{"refused", "cursor", shell, cursorFile, hook("preToolUse", "exit 2"), "deny",
			"preToolUse+ postToolUseFailure"},
		{"a time limit beyond the client's timer", "cursor", shell, cursorFile,
			`{"version":1,"hooks":{"preToolUse":[{"command":"exit 2","timeout":99999999}]}}`, "none",
			"preToolUse+ beforeShellExecution afterShellExecution postToolUse"},
		{"a folder that isn't there", "copilot", shell, ".github/hooks/a.json",
			`{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"true","cwd":"none"}]}}`, "deny",
			"preToolUse+"},
		{"asks at its gate", "cursor", shell, cursorFile,
			hook("beforeShellExecution", `echo '{\"permission\":\"ask\"}'`), "ask",
			"preToolUse beforeShellExecution+ afterShellExecution postToolUse"},
		{"doesn't ask elsewhere", "cursor", shell, cursorFile, hook("preToolUse", `echo '{\"permission\":\"ask\"}'`),
			"none", "preToolUse+ beforeShellExecution afterShellExecution postToolUse"},
		{"a file", "cursor", Action{Event: schema.PreTool, Tool: "write"}, cursorFile, hook("afterFileEdit", "true"),
			"none", "preToolUse afterFileEdit+ postToolUse"},
		{"a refused read", "cursor", Action{Event: schema.PreTool, Tool: "read"}, cursorFile,
			hook("beforeReadFile", "exit 2"), "deny", "preToolUse beforeReadFile+ postToolUseFailure"},
		{"a part", "cursor", Action{Event: schema.PreTool, Part: schema.PostTool, Tool: "shell"}, cursorFile,
			hook("preToolUse", "exit 2"), "none", "afterShellExecution postToolUse"},
		{"one event", "cursor", Action{Event: schema.PreTool, Native: "beforeShellExecution"}, cursorFile,
			hook("preToolUse", "exit 2"), "none", "beforeShellExecution"},
		{"not on PATH", "cursor", shell, cursorFile, hook("preToolUse", "hookbridge-that-is-not-there run"), "none",
			"preToolUse+ beforeShellExecution afterShellExecution postToolUse"},
		{"claude", "claude", shell, ".claude/settings.json", claude("PreToolUse", "exit 2"), "deny", "PreToolUse+"},
		{"claude asks", "claude", shell, ".claude/settings.json", claude("PreToolUse",
			`echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"ask\"}}'`), "ask",
			"PreToolUse+ PermissionRequest PostToolUse PostToolBatch"},
		{"claude, nobody asks", "claude", shell, ".claude/settings.json", claude("PermissionRequest", "true"), "none",
			"PreToolUse PermissionRequest- PostToolUse PostToolBatch"},
		{"claude goes on", "claude", Action{Event: schema.Stop}, ".claude/settings.json",
			claude("Stop", "echo more >&2; exit 2"), "keep-going", "Stop+"},
		{"gemini, a missing guard denies", "gemini", shell, ".gemini/settings.json",
			claude("BeforeTool", "/nowhere/guard"), "deny", "BeforeTool+"},
		{"a broken file", "claude", shell, ".claude/settings.json", `{"hooks":`, Failed,
			"PreToolUse PermissionRequest- PostToolUse PostToolBatch"},
	} {
		out := played(t, c.host, c.action, map[string]string{c.file: c.text})
		if out.Decision != c.decision || raised(out) != c.path {
			t.Errorf("%s: %s, %s; want %s, %s\n%v", c.name, out.Decision, raised(out), c.decision, c.path,
				out.Diagnostics())
		}
	}
}

// TestModes checks that a host asks in the modes that ask if no hook has decided, and raises its event for that.
func TestModes(t *testing.T) {
	answer := func(behavior string) string {
		return `echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"` + behavior +
			`"}}}'`
	}
	for _, c := range []struct{ host, mode, tool, command, decision string }{
		{"claude", "", "shell", "exit 2", "none"}, {"claude", "default", "shell", answer("deny"), "deny"},
		{"claude", "default", "shell", answer("allow"), "allow"}, {"claude", "default", "shell", "true", "ask"},
		{"claude", "default", "read", answer("deny"), "none"},
		{"claude", "acceptEdits", "write", answer("deny"), "none"},
		{"claude", "bypassPermissions", "shell", answer("deny"), "none"},
		{"codex", "untrusted", "shell", answer("deny"), "deny"},
		{"codex", "untrusted", "write", answer("deny"), "deny"},
		{"codex", "on-request", "shell", answer("deny"), "none"},
		{"qoder", "default", "shell", answer("deny"), "deny"}, {"gemini", "auto_edit", "shell", "true", "ask"},
		{"copilot", "default", "write", "true", "ask"}, {"copilot", "allow-all", "write", "true", "none"},
	} {
		files := map[string]string{}
		if file := map[string]string{"claude": ".claude/settings.json", "codex": ".codex/hooks.json",
			"qoder": ".qoder/settings.json"}[c.host]; file != "" {
			files[file] = `{"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":` +
				strconv.Quote(c.command) + `}]}]}}`
		}
		out := played(t, c.host, Action{Event: schema.PreTool, Tool: c.tool}, files, func(h *Host) { h.Mode = c.mode })
		if out.Decision != c.decision || out.Asked != (c.decision == "ask") {
			t.Errorf("%v: %s, asked %v, %v", c, out.Decision, out.Asked, out.Diagnostics())
		}
	}
}

// TestModeSent checks that payloads name the host's mode.
func TestModeSent(t *testing.T) {
	const guard = `grep -q '"permission_mode":"bypassPermissions"' || exit 2`
	text := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":` + strconv.Quote(guard) + `}]}]}}`
	files := map[string]string{".claude/settings.json": text}
	for mode, want := range map[string]string{"bypassPermissions": "none", "plan": "deny", "": "deny"} {
		out := played(t, "claude", Action{Event: schema.PreTool, Tool: "read"}, files, func(h *Host) { h.Mode = mode })
		if out.Decision != want {
			t.Errorf("mode %q: %s, want %s", mode, out.Decision, want)
		}
	}
}

// TestImports checks that an agent that imports another's file runs its hooks as its own, in addition to those that
// hookbridge runs. With the import disabled it doesn't.
func TestImports(t *testing.T) {
	const settings = ".claude/settings.json"
	group := func(matcher, command string) string {
		return `{"hooks":{"PreToolUse":[{"matcher":"` + matcher + `","hooks":[{"type":"command","command":"` + command +
			`"}]}]}}`
	}
	for _, c := range []struct {
		host, text, tool, decision string
		imports                    Imports
	}{
		{"cursor", group("Bash", "exit 2"), "shell", "deny", ImportsOn},
		{"cursor", group("Bash", "exit 2"), "shell", "none", ImportsOff},
		{"cursor", group("Bash", "echo checked"), "shell", "deny", ImportsOn},
		{"cursor", group("Bash", "exit 2"), "write", "none", ImportsOn},
		{"cursor", group("Edit", "exit 2"), "write", "deny", ImportsOn},
		{"cursor", group("Glob|Bash", "exit 2"), "shell", "deny", ImportsOn},
		{"cursor", group("Glob", "exit 2"), "glob", "none", ImportsOn},
		{"cursor", group("^Bash$", "exit 2"), "shell", "none", ImportsOn},
		// no matcher in the file
		{"cursor", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"exit 2"}]}]}}`, "shell", "none",
			ImportsOn},
		{"cursor", group("Bash", "exit 2"), "shell", "none", ImportsUnknown},
		{"cursor@sdk", group("Bash", "exit 2"), "shell", "deny", ImportsUnknown},
		{"copilot", group("Bash", "exit 2"), "shell", "deny", ImportsUnknown},
		{"copilot", group("", "exit 2"), "shell", "none", ImportsOn},
		{"qoder", group("Bash", "exit 2"), "shell", "none", ImportsOn},
	} {
		out := played(t, c.host, Action{Event: schema.PreTool, Tool: c.tool}, map[string]string{settings: c.text},
			func(h *Host) { h.Imports = c.imports })
		if out.Decision != c.decision {
			t.Errorf("%+v: %s %v", c, out.Decision, out.Diagnostics())
		}
	}
	entry := func(h *Host) {
		h.Imports = ImportsOn
		h.Assumed = []cmdline.Call{{Flags: []cmdline.Flag{{Name: "host", Value: "cursor"},
			{Name: "hooks", Value: "claude"}}}}
	}
	out := played(t, "cursor", Action{Event: schema.PreTool, Tool: "shell", Native: "preToolUse"},
		map[string]string{settings: group("Bash", "true")}, entry)
	ran := 0
	for i := range out.Steps {
		ran += len(out.Steps[i].Hooks())
	}
	if ran != 2 {
		t.Errorf("an imported hook that hookbridge runs too ran %d times", ran)
	}
}

// TestBadFiles checks that an unreadable file of the host is an error with its place, never a host without entries.
func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ host, file, text, place string }{
		{"claude", ".claude/settings.json", "{\n  \"hooks\": {,}}", ":2:"},
		{"claude", ".claude/settings.json/x", "", ""},
		{"cursor", cursorFile, `{"version":1,"hooks":{"preToolUse":[{"command":7}]}}`, ":1:"},
		{"cursor", cursorFile + "/x", "", ""},
		{"codex", ".codex/hooks.json", `{"hooks":[]}`, ":1:"}, {"gemini", ".gemini/settings.json", "nothing", ":1:"},
		{"copilot", ".github/hooks/a.json", "{", ":1:"}, {"qoder", ".qoder/settings.json", "[]", ":1:"},
	} {
		out := played(t, c.host, Action{Event: schema.PreTool, Tool: "shell"}, map[string]string{c.file: c.text})
		name := strings.TrimSuffix(filepath.Base(c.file), "/x")
		if strings.HasSuffix(c.file, "/x") {
			name = filepath.Base(filepath.Dir(c.file))
		}
		if len(out.Files) == 0 || filepath.Base(out.Files[0].File) != name ||
			!strings.Contains(out.Files[0].String(), c.place) || out.Decision != Failed {
			t.Errorf("%s %s: %s %v", c.host, c.file, out.Decision, out.Files)
		}
	}
}

// TestWritesNothing checks that an action leaves only what its hooks write.
func TestWritesNothing(t *testing.T) {
	var files []string
	list := func(h *Host) (names []string) {
		for _, dir := range []string{h.Places.Project, h.Places.Home, h.Machine.TempDir} {
			filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
				names = append(names, path)
				return nil
			})
		}
		return names
	}
	var host *Host
	settings := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}],` +
		`"SessionStart":[{"hooks":[{"type":"command","command":"echo x"}]}]}}`
	for _, event := range []schema.Event{schema.PreTool, schema.SessionStart, schema.Stop} {
		played(t, "cursor", Action{Event: event}, map[string]string{".claude/settings.json": settings}, func(h *Host) {
			h.Assumed = []cmdline.Call{{Flags: []cmdline.Flag{{Name: "host", Value: "cursor"},
				{Name: "hooks", Value: "claude"}}}}
			h.Program.Variable, h.Machine.TempDir, h.Machine.StateDir = "HOOKBRIDGE_STATE_DIR", t.TempDir(),
				filepath.Join(h.Places.Home, "state")
			host, files = h, list(h)
		})
		if after := list(host); !slices.Equal(files, after) {
			t.Errorf("%v: before %q, after %q", event, files, after)
		}
	}
}

// TestRewrittenInput checks that a new input reaches the later events of the call, as each host applies it.
func TestRewrittenInput(t *testing.T) {
	text :=
		`{"version":1,"hooks":{"preToolUse":[{"command":"echo '{\"permission\":\"allow\",\"updated_input\":{\"command\":\"ls\"}}'"}],
		"beforeShellExecution":[{"command":"grep -q '\"command\":\"ls\"' && exit 2; true"}]}}`
	out := played(t, "cursor", Action{Event: schema.PreTool, Tool: "shell", Input: []byte(`{"command":"rm x"}`)},
		map[string]string{cursorFile: text})
	if out.Decision != "deny" || raised(out) != "preToolUse+ beforeShellExecution+ postToolUseFailure" {
		t.Errorf("%s: %s %v", out.Decision, raised(out), out.Diagnostics())
	}
}

// TestRewrittenEdit checks a hook's new text for an edit. As the clients showed, it is denied if the host's model names
// lines, and counts if the host accepts it.
func TestRewrittenEdit(t *testing.T) {
	files := map[string]string{"kept.txt": "one\ntwo\nthree\n",
		"rewrite": `sed -n 's/.*"tool_input":\({.*}\),"tool_use_id.*/{"hookSpecificOutput":{"hookEventName":` +
			`"PreToolUse","permissionDecision":"allow","updatedInput":\1}}/; s/TWO/2/p'`,
		".claude/settings.json": `{"hooks":{"PreToolUse":[{"matcher":"Edit","hooks":[{"type":"command",` +
			`"command":"sh rewrite"}]}]}}`}
	action := Action{Event: schema.PreTool, Tool: "edit",
		Input: []byte(`{"path":"kept.txt","old-text":"two","new-text":"TWO"}`)}
	for host, want := range map[string]string{"omp": "deny", "cursor": "deny", "codex": "none", "copilot": "allow",
		"pi": "none", "letta": "none"} {
		out := played(t, host, action, files, func(h *Host) {
			h.Assumed = []cmdline.Call{{Flags: []cmdline.Flag{{Name: "host", Value: host},
				{Name: "hooks", Value: "claude"}}}}
		})
		if out.Decision != want {
			t.Errorf("%s: %s, want %s: %v", host, out.Decision, want, out.Diagnostics())
		}
	}
}

// TestShortInput checks that a host that uses a whole new input denies one without what the tool needs.
func TestShortInput(t *testing.T) {
	for input, want := range map[string]string{`{"description":"x"}`: "deny", `{"command":"ls"}`: "allow"} {
		text := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"echo '{\"hookSpecificOutput\":{` +
			`\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"allow\",\"updatedInput\":` +
			strings.ReplaceAll(input, `"`, `\"`) + `}}'"}]}]}}`
		files := map[string]string{".claude/settings.json": text}
		out := played(t, "claude", Action{Event: schema.PreTool, Tool: "shell"}, files)
		if out.Decision != want {
			t.Errorf("%s: %s, want %s", input, out.Decision, want)
		}
	}
}

// TestFaults checks that the simulation finds a hook whose shell doesn't find a program, for any exit code.
func TestFaults(t *testing.T) {
	for command, found := range map[string]bool{"true": false, "no-such-program": true, "no-such-program; exit 0": true,
		"echo not found >&2": false, "env no-such-program; true": true} {
		text := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"` + command + `"}]}]}}`
		out := played(t, "claude", Action{Event: schema.PreTool, Tool: "shell"},
			map[string]string{".claude/settings.json": text})
		if got := len(out.Faults) > 0; got != found {
			t.Errorf("%s: %v, want %v", command, out.Faults, found)
		}
	}
}

// TestMomentsPlayed checks that a played event reports if the host raises it more often, less often, or without
// waiting, but only if it called something.
func TestMomentsPlayed(t *testing.T) {
	const cline = "#!/bin/sh\ncat >/dev/null\n"
	for _, c := range []struct {
		host, native, file, text string
		want                     []schema.Code
	}{
		{"gemini", "SessionEnd", ".gemini/settings.json", `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command",` +
			`"command":"true"}]}]}}`, []schema.Code{schema.CodeMoreCalls}},
		{"gemini", "SessionEnd", ".gemini/settings.json", `{"hooks":{}}`, nil},
		{"cline", "SessionShutdown", ".clinerules/hooks/SessionShutdown", cline, []schema.Code{schema.CodeFewerCalls}},
		{"qoder", "PermissionRequest", ".qoder/settings.json", `{"hooks":{"PermissionRequest":[{"hooks":[{` +
			`"type":"command","command":"true"}]}]}}`, []schema.Code{schema.CodeNotAwaited}},
		{"codebuddy", "SessionStart", ".codebuddy/settings.json", `{"hooks":{"SessionStart":[{"hooks":[{` +
			`"type":"command","command":"true"}]}]}}`, []schema.Code{schema.CodeNotAwaited}},
		{"grok", "PostToolUse", ".grok/hooks/x.json", `{"hooks":{"PostToolUse":[{"hooks":[{"type":"command",` +
			`"command":"true 1"}]}]}}`, []schema.Code{schema.CodeMemberLost}},
	} {
		d, err := adapter.Find(c.host)
		if err != nil {
			t.Fatal(err)
		}
		action := Action{Event: d.Profile().Row(c.native).Event, Native: c.native}
		out := played(t, c.host, action, map[string]string{c.file: c.text})
		var codes []schema.Code
		for _, found := range out.Steps[0].Diagnostics() {
			if found.Severity == schema.Note {
				codes = append(codes, found.Code)
			}
		}
		if !slices.Equal(codes, c.want) {
			t.Errorf("%s %s: %v, want %v", c.host, c.native, codes, c.want)
		}
	}
}

// TestOwnMerge checks how an agent merges the answers of several of its own hooks. The expected results are those of
// the real clients (CodeBuddy Code 2.117.0, Droid 0.225.2, Qwen Code 0.24.4, Copilot 1.0.102). If a result depends on
// which hook ends first, the stricter answer counts.
func TestOwnMerge(t *testing.T) {
	decides := func(event, decision string) string {
		return `echo '{"hookSpecificOutput":{"hookEventName":"` + event + `","permissionDecision":"` + decision + `"}}'`
	}
	adds := func(event, text string) string {
		return `echo '{"hookSpecificOutput":{"hookEventName":"` + event + `","additionalContext":"` + text + `"}}'`
	}
	file := func(event string, commands ...string) string {
		hooks := make([]string, len(commands))
		for i, c := range commands {
			hooks[i] = `{"type":"command","command":` + strconv.Quote(c) + `}`
		}
		return `{"hooks":{"` + event + `":[{"hooks":[` + strings.Join(hooks, ",") + `]}]}}`
	}
	deny, allow, two := decides("PreToolUse", "deny"), decides("PreToolUse", "allow"), "echo no >&2; exit 2"
	files := map[string]string{"codebuddy": ".codebuddy/settings.json", "droid": ".factory/settings.json",
		"qwen": ".qwen/settings.json", "claude": ".claude/settings.json", "copilot": ".github/hooks/x.json"}
	shell := Action{Event: schema.PreTool, Tool: "shell", Input: []byte(`{"command":"true"}`), Part: schema.PreTool}
	prompt := Action{Event: schema.PromptSubmit}
	twice := file("UserPromptSubmit", adds("UserPromptSubmit", "one"), adds("UserPromptSubmit", "two"))
	for _, c := range []struct {
		host     string
		action   Action
		text     string
		decision string
		context  string
	}{
		{"codebuddy", shell, file("PreToolUse", deny, allow), "none", ""},
		{"codebuddy", shell, file("PreToolUse", allow, deny), "deny", ""},
		{"codebuddy", shell, file("PreToolUse", two, allow), "none", ""},
		{"codebuddy", shell, file("PreToolUse", deny, "true"), "deny", ""},
		{"codebuddy", prompt, twice, "none", "two"},
		{"droid", shell, file("PreToolUse", allow, deny), "allow", ""},
		{"droid", shell, file("PreToolUse", deny, allow), "deny", ""},
		{"droid", shell, file("PreToolUse", allow, two), "deny", ""},
		{"qwen", shell, file("PreToolUse", allow, deny), "deny", ""},
		{"claude", shell, file("PreToolUse", deny, allow), "deny", ""},
		{"claude", prompt, twice, "none", "one\ntwo"},
		{"copilot", Action{Event: schema.PreTool, Native: "permissionRequest", Tool: "shell"},
			`{"version":1,"hooks":{"permissionRequest":[{"bash":"echo '{\"behavior\":\"deny\"}'"},` +
				`{"bash":"echo '{\"behavior\":\"allow\"}'"}]}}`, "allow", ""},
	} {
		out := played(t, c.host, c.action, map[string]string{files[c.host]: c.text})
		if r := out.Reply(); out.Decision != c.decision || r.Context != c.context {
			t.Errorf("%s: %s\n%s with the context %q, want %s %q", c.host, c.text, out.Decision, r.Context, c.decision,
				c.context)
		}
	}
}
