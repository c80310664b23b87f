package install

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDrawnTasks compares the effects of random installs, uninstalls and status calls on random projects, with edits by
// hand between them, and then a canary and an approval.
func TestDrawnTasks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the digests have the paths of another system")
	}
	var sums golden.Digests
	for n := range 120 {
		if golden.LeftOut(n, 3) {
			continue
		}
		d := &drawnTask{Rand: rand.New(rand.NewPCG(uint64(n), 0))}
		k := d.task()
		out := sums.Of(fmt.Sprintf("draw %d", n))
		fmt.Fprintf(out, "%s %s %q %v\n", k.hosts, k.owners, k.yaml, k.do)
		io.WriteString(out, testFolder.ReplaceAllString(k.done(t), "T"))
	}
	sums.Compare(t, "testdata/drawn.txt")
}

type drawnTask struct{ *rand.Rand }

func (d *drawnTask) one(of ...string) string { return of[d.IntN(len(of))] }

// now is true once in n times.
func (d *drawnTask) now(n int) bool { return d.IntN(n) == 0 }

// drawnTexts are possible contents of files in a project and in the home folder.
var drawnTexts = map[string][]string{
	claudeFile: {claudeHooks, claudeHooks, `{"hooks":`, strings.Replace(claudeHooks, "{",
		`{"disableAllHooks":true,`, 1),
		hooksAt("PostToolUse", "Edit|Write", "./x.sh", "true"), hooksAt("Stop", "", "echo x",
			"hookbridge run --hooks cursor"),
		hooksAt("PreToolUse", "Nothing", "true"), `{"permissions":{"deny":["Read(.env)"]}}`, "{}",
		hooksAt("Elicitation", "", "true"), hooksAt("PermissionRequest", "mcp__.*", "true"),
		strings.ReplaceAll(claudeHooks, "true", "hookbridge run --host claude --hooks cursor --scope project")},
	".claude/settings.local.json": {claudeHooks, hooksAt("Stop", "", "mine"), "// a\n{}"},
	ownFile:                       {claudeHooks, hooksAt("SessionStart", "startup", "true")},
	cursorFile: {cursorHooks, `{"version":1}`, "", "// mine\n{\n  \"version\": 1,\n  \"hooks\": {}\n}\n",
		`{"version":1,"hooks":` +
			`{"preToolUse":[{"command":"hookbridge run --host cursor --hooks claude --fail-closed"}]}}`,
		`{"version":1,"hooks":` +
			`{"stop":[{"command":"mine"},{"command":"hookbridge run --host cursor --hooks claude,codex"}]}}`,
		`{"version":1,"hooks":[]}`, `{"hooks":{"preToolUse":[{"command":"/old/hookbridge run --host cursor ` +
			`--hooks claude ` +
			`--scope project","timeout":9}]}}`},
	codexFile: {claudeHooks, "{}", hooksAt("PreToolUse", "shell", "true"),
		`{"hooks":{"Stop":3}}`},
	".codex/config.toml": {"[features]\nhooks = true\n", "[features]\nhooks = false\n", "x = ["},
	".gemini/settings.json": {"{\n\t\"theme\": \"x\"\n}\n", `{"hooks":{"enabled":false}}`, hooksAt(
		"BeforeTool", "", "true")},
	".github/hooks/a.json":          {`{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"true"}]}}`},
	".github/hooks/hookbridge.json": {`{"version":1}`, "{}"},
	".qwen/settings.json":           {"{}", hooksAt("PreToolUse", "", "true")},
	".factory/settings.json":        {`{"x":1}`},
	".git/HEAD":                     {"x"}, ".gitattributes": {"* text=auto\n", "*.cmd -text\n"},
	".hookbridge/run":            {"#!/bin/sh\nmine\n"},
	"../home/.cursor/hooks.json": {cursorHooks, "{}"}, "../home/.codex/config.toml": {"x = 1\n"},
	"../home/.cursor/x": {""}, ".opencode/x": {""}, ".clinerules/hooks/x": {""},
}

func (d *drawnTask) task() *task {
	k := &task{files: map[string]string{"x": ""}}
	for _, name := range slices.Sorted(maps.Keys(drawnTexts)) {
		if d.now(3) {
			k.files[name] = d.one(drawnTexts[name]...)
		}
	}
	names := adapter.Names()
	for range 1 + d.IntN(2) {
		k.hosts += d.one(append(names, "cursor", "cursor", "codex", "copilot", "gemini", "cursor@2.4")...) + ","
	}
	if d.now(5) {
		k.hosts = ""
	}
	k.owners = d.one("claude", "claude", "claude", "claude,codex", "cursor", "codex,cursor", "copilot", "")
	k.yaml = d.one("", "", "", "agents: [cursor, codex]\n", "install: {ask: allow, fail-closed: true}\n",
		"launcher: closed\n", "facts: {cursor: {third-party-imports: off}}\n", chosen+"    exclude: [cursor]\n",
		chosen+"    agents: [gemini]\n")
	scope := []schema.Scope{schema.ScopeProject, schema.ScopeProject, schema.ScopeUser, schema.ScopeManaged}[d.IntN(4)]
	launcher := d.one("", "", "closed", "open", NoLauncher)
	program, fixed, requires := d.one("", "", "/opt/hookbridge"), d.one("", "/usr/bin/hookbridge"), d.one("", "", "1.2")
	flag, value := d.one("", "timeout", "ask", "fail-closed", "on-failure"), ""
	value = map[string]string{"timeout": "9", "ask": "relay", "fail-closed": "true", "on-failure": "block"}[flag]
	every := d.now(8)
	k.set = func(x *Job) {
		x.Scope, x.Launcher, x.Program, x.Fixed, x.Requires, x.EveryOwner = scope, launcher, program, fixed,
			requires, every
		if flag != "" {
			x.Flags.Set(flag, value)
		}
	}
	k.do = []Action{Install, Action(d.IntN(3)), Action(d.IntN(3)), Action(d.IntN(3)), Uninstall}
	edit := d.IntN(8)
	k.between = func(x *Job, i int) {
		if i == 1 || i == 3 {
			x.edited(edit + i)
		}
	}
	k.after = func(x *Job, w io.Writer) { x.tried(w) }
	return k
}

// edited changes the hosts' files by hand, in one of several ways.
func (x *Job) edited(how int) {
	for _, h := range x.Hosts {
		file := FileOf(h, x.Places, x.Scope)
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		switch how % 8 {
		case 0:
			os.Remove(file)
		case 1:
			text = []byte(strings.Replace(string(text), "hookbridge run", "hookbridge run --ask allow", 1))
		case 2:
			text = []byte(strings.ReplaceAll(strings.ReplaceAll(string(text), "\n", ""), "  ", " "))
		case 3:
			text = []byte(strings.Replace(string(text), "{", "{\n// mine\n\"mine\": 1,", 1))
		case 4:
			text = []byte(strings.Replace(string(text), "hookbridge", "/old/hookbridge", 1))
		case 5:
			text = []byte("{}")
		case 6:
			text = append(text, ' ')
		}
		if how%8 > 0 {
			os.WriteFile(file, text, 0o644)
		}
	}
}

// tried writes the results of further calls for each host of the job.
func (x *Job) tried(w io.Writer) {
	fmt.Fprintf(w, "launcher %v, auto %v\n", x.HasLauncher(), x.Auto())
	for _, h := range x.Hosts {
		a, err := x.ApprovalOf(h)
		if err == nil {
			fmt.Fprintf(w, "approval %s %d %d, code of %d, %v\n", a.File, len(a.Hooks), len(a.Off), len(a.Code()),
				a.Write() != nil)
		}
		c, err := x.CanaryIn(h)
		if err != nil {
			fmt.Fprintln(w, "no canary")
			continue
		}
		fmt.Fprintf(w, "canary %s %v %s %v, added %v\n", c.Event, c.There, c.File(), c.Review() != "", c.Add() == nil)
		if c, err = x.CanaryIn(h); err == nil {
			text, _ := os.ReadFile(c.File())
			fmt.Fprintf(w, "there %v, removed %v\n%s\n", c.There, c.Remove() == nil,
				strings.ReplaceAll(string(text), filepath.Dir(x.Places.Project), "$T"))
		}
	}
	x.Action = Install
	targets, _ := x.Targets()
	for _, at := range targets {
		fmt.Fprintf(w, "imports %v, owners %v\n", at.ImportsOwn(), adapter.NamesOf(at.Owners()))
	}
}
