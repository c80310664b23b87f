package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/help"
	"github.com/hookbridge/hookbridge/schema"
)

// silent are the commands without a report: their output is for another program, or is text to be read. Every other
// command has --json.
var silent = []string{"run", "guard", "schema", "help", "completion", "man"}

// judges are the commands whose findings code scanning and pull requests show.
var judges = []string{"doctor", "test", "check", "convert", "plugin"}

// TestEveryCommand checks that commands are alike: a new one fails here until it has what all others have.
func TestEveryCommand(t *testing.T) {
	for _, c := range commands() {
		flags := map[string]cli.FlagDoc{}
		for _, f := range c.Flags() {
			flags[f.Name] = f
		}
		if _, has := flags["json"]; has == slices.Contains(silent, c.Name) {
			t.Errorf("%s: has --json: %v", c.Name, has)
		}
		formats := flags["format"].Words()
		for _, want := range []string{"text", "json", "github", "sarif"} {
			if slices.Contains(formats, want) != slices.Contains(judges, c.Name) && c.Name != "matrix" &&
				c.Name != "log" {
				t.Errorf("%s: --format %v and %s", c.Name, formats, want)
			}
		}
		if fs := cli.NewFlags(c.Name); !cli.AnswersHost(c.Name) && fs.Set.Lookup("color") == nil {
			t.Errorf("%s has no --color", c.Name)
		}
		for _, shell := range help.Shells {
			var out bytes.Buffer
			cli.Named(commands(), "completion").Call([]string{shell}, cli.IO{Out: &out, Err: &out})
			if !strings.Contains(out.String(), c.Name) || flags["json"].Name != "" &&
				!strings.Contains(out.String(), "json") {
				t.Errorf("%s: completion for %s lacks it", c.Name, shell)
			}
		}
	}
}

// calls are command lines in brokenProject, one or more for every command that reports. {} is JSON on stdin.
var calls = []struct{ line, stdin string }{
	{"init --json", ""},
	{"install --host cursor,codex,gemini --dry-run --json", ""},
	{"install --host copilot --dry-run --json", ""},
	{"uninstall --json", ""},
	{"status --json", ""},
	{"doctor --host cursor,codex,gemini,copilot --json", ""},
	{"canary --host codex --remove --json", ""},
	{"check --json", ""},
	{"check --host cursor,codex,gemini,copilot --json", ""},
	{"trust --json --allow-unresolved", ""},
	{"untrust --json", ""},
	{"fire --host cursor --event pre-tool --json", ""},
	{"fire --host codex --event prompt-submit --json", ""},
	{"test --host cursor --json", ""},
	{"log --json run.log", ""},
	{"convert --from claude --to cursor --json", ""},
	{"convert --from claude --to codex --json", ""},
	{"convert --from claude --to gemini --json", ""},
	{"convert --from claude --to copilot --json", ""},
	{"convert --from claude --to qoder-sdk --json", ""},
	{"translate call --from claude --to cursor --json", `{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse",` +
		`"tool_name":"Bash","tool_input":{"command":"ls"}}`},
	{"translate reply --from claude --to cursor --event Notification --json", `{"decision":"block","reason":"no"}`},
	{"translate config --from claude --to cursor --json",
		`{"hooks":{"Notification":[{"hooks":[{"type":"command","command":"true"}]}]}}`},
	{"plugin show --json plugin", ""},
	{"plugin check --json --host codex,copilot plugin", ""},
	{"matrix --json", ""},
	{"matrix --from claude --to cursor --json", ""},
	{"conformance --list --json", ""},
	{"explain HB201 --json", ""},
	{"explain --list --json", ""},
	{"version --json", ""},
	{"upgrade --json", ""},
}

// brokenProject is a project with many faults.
var brokenProject = map[string]string{
	"plugin/hooks/hooks.json": `{"version":1,
  "hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"${PLUGIN_ROOT}/x","timeout":60}]}]}}`,
	".claude/settings.json": `{"model": "x", "hooks": {
  "PreToolUse": [
    {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo no >&2; exit 2"}]},
    {"matcher": "(", "hooks": [{"type": "command", "command": "true"}]},
    {"hooks": [{"type": "prompt", "prompt": "is it safe"}]},
    {"hooks": [{"type": "mcp_tool", "server": "s", "tool": "t"}]},
    {"hooks": [{"type": "command", "command": "./gone.sh"}]},
    {"matcher": "WebFetch", "hooks": [{"type": "command", "command": "true", "timeout": 30000}]}],
  "SessionEnd": [{"hooks": [{"type": "prompt", "prompt": "sum up"}, {"type": "command", "command": "true", "timeout": 100}]}],
  "Notification": [{"hooks": [{"type": "mcp_tool", "server": "s", "tool": "t"}]}],
  "PostToolBatch": [{"hooks": [{"type": "command", "command": "true"}]}],
  "TaskCreated": [{"hooks": [{"type": "command", "command": "true"}]}],
  "NoSuchEvent": [{"hooks": [{"type": "command", "command": "true"}]}]
}}`,
	".cursor/hooks.json": `{"version": 1, "hooks": {"stop": [{"command": "true", "loop_limit": 3}]}}`,
	"hook-tests/a.yaml":  "- name: no ls\n  call: shell \"ls\"\n  expect: allow\n",
	"hookbridge.yaml":    "facts: {cursor: {third-party-imports: off}}\n",
	"run.log":            "",
}

// A called has the findings of a command line of calls.
type called struct {
	line  string
	found []map[string]any
}

func callAll(t *testing.T) (all []called) {
	root := t.TempDir()
	project := filepath.Join(root, "p")
	for name, text := range brokenProject {
		file := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(executable, filepath.Join(root, "hookbridge")); err != nil {
		t.Skip(err)
	}
	env := append(os.Environ(), "HOME="+root, "PATH="+root+":"+os.Getenv("PATH"), "HOOKBRIDGE_STATE_DIR="+
		filepath.Join(root, "state"))
	log := exec.Command(filepath.Join(root, "hookbridge"), "run", "--host", "cursor", "--project", project, "--log",
		filepath.Join(project, "run.log"))
	log.Env, log.Stdin = env, strings.NewReader(`{"conversation_id":"s","cursor_version":"3.15.19",`+
		`"workspace_roots":["/"],"hook_event_name":"preToolUse",`+
		`"tool_name":"Shell","tool_input":{"command":"ls"}}`)
	if out, err := log.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range calls {
		cmd := exec.Command(filepath.Join(root, "hookbridge"), strings.Fields(c.line)...)
		cmd.Dir, cmd.Env, cmd.Stdin = project, env, strings.NewReader(c.stdin)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 && code != 3 && code != 4 {
			t.Errorf("%s: exit code %d", c.line, code)
		}
		var v any
		if err := json.Unmarshal(stdout.Bytes(), &v); err != nil {
			t.Errorf("%s: %v: %s%s", c.line, err, stdout.String(), stderr.String())
		}
		one := called{line: c.line}
		collect(v, &one.found)
		all = append(all, one)
	}
	return all
}

// collect finds the objects that are findings, at any depth.
func collect(v any, found *[]map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		_, code := v["code"]
		if _, severity := v["severity"]; code && severity && v["title"] == nil { // of explain
			*found = append(*found, v)
		}
		for _, m := range v {
			collect(m, found)
		}
	case []any:
		for _, e := range v {
			collect(e, found)
		}
	}
}

// TestJSON checks that every command that reports prints JSON, with findings in one shape. A finding must have the
// severity of its code, and be the same in every command.
func TestJSON(t *testing.T) {
	members := []string{"code", "column", "event", "file", "fix", "line", "message", "path", "severity"}
	severities := map[string]map[string][]string{} // by code and place, then by severity
	for _, c := range callAll(t) {
		if strings.HasPrefix(c.line, "log ") { // prints the records as they are
			continue
		}
		for _, d := range c.found {
			for _, m := range members {
				if _, has := d[m]; !has {
					t.Errorf("%s: a finding without %s: %v", c.line, m, d)
				}
			}
			code, severity := fmt.Sprint(d["code"]), fmt.Sprint(d["severity"])
			if !slices.ContainsFunc(schema.Code(code).Severities(), func(s schema.Severity) bool {
				return s.String() == severity
			}) {
				t.Errorf("%s: %s is never %s: %v", c.line, code, severity, d["message"])
			}
			if line := fmt.Sprint(d["line"]); line != "0" && strings.HasSuffix(fmt.Sprint(d["file"]),
				"settings.json") && !strings.HasPrefix(c.line, "fire") {
				key := code + " at line " + line + " column " + fmt.Sprint(d["column"])
				if severities[key] == nil {
					severities[key] = map[string][]string{}
				}
				severities[key][severity] = append(severities[key][severity], c.line+": "+fmt.Sprint(d["message"]))
			}
		}
	}
	for key, by := range severities {
		if len(by) > 1 {
			t.Errorf("%s has several severities: %v", key, by)
		}
	}
	for _, c := range commands() {
		if !slices.Contains(silent, c.Name) && !slices.ContainsFunc(calls, func(x struct{ line, stdin string }) bool {
			return strings.HasPrefix(x.line, c.Name+" ")
		}) {
			t.Errorf("%s is called nowhere", c.Name)
		}
	}
}
