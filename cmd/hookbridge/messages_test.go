package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/conformance"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	guardSettings = `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}]}}`
	shellPayload  = `{"conversation_id":"c","workspace_roots":["DIR"],"cursor_version":"3.15.19",` +
		`"hook_event_name":"preToolUse","tool_name":"Shell","tool_input":{"command":"ls"}}`
)

// troubles produce every code that isn't in any vector. The last command ends with the finding. DIR is the project, and
// "FILE=TEXT" writes a file.
var troubles = []struct {
	code  schema.Code
	needs string // program that the case needs
	stdin string
	steps []string
}{
	{schema.CodeRefusedFile, "", "", []string{
		`.claude-plugin/plugin.json={"name":"p","hooks":"../shared/hooks.json"}`,
		"convert --from claude --to cursor DIR/.claude-plugin/plugin.json"}},
	{schema.CodeRepeated, "", "", []string{
		`.claude/settings.json={"hooks":` + guardSettings[len(`{"hooks":`):len(guardSettings)-1] + `,"hooks":{}}`,
		"check --project DIR"}},
	{schema.CodeUntyped, "", "", []string{
		`.claude/settings.json={"hooks":{"Notification":[{"hooks":[{"type":"command","command":"true"}]}],` +
			`"StopFailure":[{"hooks":[{"type":"command","command":"true"}]}]}}`,
		"convert --from claude --to qoder-sdk DIR/.claude/settings.json"}},
	{schema.CodeState, "", shellPayload, []string{".claude/settings.json=" + guardSettings, "STATE=/dev/null/state",
		"run --host cursor --hooks claude --project DIR"}},
	{schema.CodeSlowMatcher, "", `{"session_id":"s","cwd":"DIR","hook_event_name":"PreToolUse","tool_name":"mcp__db__` +
		strings.Repeat("a", 64) + `!","tool_input":{}}`, []string{
		`.claude/settings.json=` + strings.Replace(guardSettings, "Bash", "^mcp__db__(a+)+$", 1),
		"run --host qoder --hooks claude --project DIR"}},
	{schema.CodeBridge, "", strings.Replace(shellPayload, "DIR", "/nowhere/at/all", 1),
		[]string{"run --host cursor --hooks claude"}},
	{schema.CodeModule, "node", shellPayload, []string{"hooks.mjs=export const hooks = {\n  PreToolUse: [\n",
		"run --host cursor --module DIR/hooks.mjs --project DIR"}},
	{schema.CodeHooksChanged, "", shellPayload, []string{
		".claude/settings.json=" + guardSettings, "run --host cursor --hooks claude --project DIR --pin-hooks",
		".claude/settings.json={}", "run --host cursor --hooks claude --project DIR --pin-hooks"}},
	{schema.CodeNotCalled, "", "", []string{".claude/settings.json=" + guardSettings,
		"doctor --host codex --project DIR"}},
	{schema.CodeRunsTwice, "", "", []string{
		".claude/settings.json=" + guardSettings, "install --host cursor --project DIR",
		"convert --from claude --to cursor --merge DIR/.cursor/hooks.json DIR/.claude/settings.json",
		"doctor --host cursor --project DIR"}},
	{schema.CodeForeignImport, "", "", []string{".claude/settings.json=" + guardSettings,
		"install --host cursor --project DIR", "doctor --host cursor --project DIR"}},
	{schema.CodeAlwaysRuns, "", "", []string{
		".claude/skills/x/SKILL.md=---\nname: x\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        " +
			"- {type: command, command: 'true'}\n---\n",
		".claude/settings.json=" + guardSettings, "install --host cursor --project DIR",
		"convert --from claude --to cursor DIR/.claude/skills/x/SKILL.md --merge DIR/.cursor/hooks.json",
		"doctor --host cursor --project DIR"}},
	{schema.CodeWayAnswers, "", "", []string{
		`.claude/settings.json={"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"echo \"ask\""}]}]}}`,
		"install --host codebuddy --project DIR", "doctor --host codebuddy --project DIR"}},
	{schema.CodeNewerWord, "", "", []string{
		`.cursor/hooks.json={"version":1,"hooks":{"beforeLunch":[],"preToolUse":[{"command":"true"}]}}`,
		"check DIR/.cursor/hooks.json"}},
	{schema.CodeNewerPart, "", "", []string{
		`.qoder/settings.json={"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true","timeout":"30s"}]}]}}`,
		"check DIR/.qoder/settings.json"}},
	{schema.CodeUnreviewed, "", "", []string{".claude/settings.json=" + guardSettings,
		"install --host codex --project DIR", "doctor --host codex --project DIR"}},
	{schema.CodeTooOld, "", "", []string{".claude/settings.json=" + guardSettings,
		"hookbridge.yaml=requires: \">=99\"\n", "doctor --host codex --project DIR"}},
	{schema.CodeScriptField, "", "", []string{`.claude/settings.json={"hooks":{"PostToolUse":[{"matcher":"Bash",` +
		`"hooks":[{"type":"command","command":"jq -r .tool_output"}]}]}}`, "check --scripts DIR"}},
	{schema.CodeScriptExit, "", "", []string{`.claude/settings.json={"hooks":{"SessionEnd":[` +
		`{"hooks":[{"type":"command","command":"exit 2"}]}]}}`, "check --scripts DIR"}},
	{schema.CodeScriptLost, "", "", []string{`.cursor/hooks.json={"version":1,"hooks":{"preCompact":[` +
		`{"command":"jq .context_usage_percent"}]}}`, "check --scripts --host claude DIR"}},
	{schema.CodeExcluded, "", "", []string{".claude/settings.json=" + guardSettings, "hookbridge.yaml=hooks:\n" +
		"  - {hook: .claude/settings.json, command: 'true', exclude: [codex]}\n",
		"install --host codex --project DIR", "doctor --host codex --project DIR"}},
	{schema.CodeChoice, "", "", []string{".claude/settings.json=" + guardSettings, "hookbridge.yaml=hooks:\n" +
		"  - {hook: .claude/settings.json, command: other, exclude: [codex]}\n", "check DIR"}},
	{schema.CodeServerEdits, "", "", []string{
		".claude/settings.json=" + strings.Replace(guardSettings, "Bash", "Edit", 1),
		`.mcp.json={"mcpServers":{"files":{"command":"serena"}}}`, "doctor --host claude --project DIR"}},
	{schema.CodeScenario, "", "", []string{
		".claude/settings.json=" + guardSettings,
		"hook-tests/a.yaml=- {name: no rm -rf, call: 'shell ls', expect: deny}\n",
		"test --project DIR --host claude --format github"}},
	{schema.CodeRuleLeft, "", "", []string{
		`.claude/settings.json={"permissions":{"deny":["mcp__github","Read(.env)"]}}`,
		"convert --permissions --from claude --to cursor DIR/.claude/settings.json"}},
	{schema.CodeStale, "", "", []string{
		pluginHooks(`"command":"true"`), "plugin write --host codex DIR", pluginHooks(`"command":"false","timeout":3`),
		"hooks/codex.json={}", "plugin check DIR"}},
	{schema.CodePluginFolder, "", "", []string{pluginHooks(`"command":"\"${PLUGIN_ROOT}/x\""`), "plugin check DIR"}},
	{schema.CodePluginQuotes, "", "", []string{pluginHooks(`"command":"${CLAUDE_PLUGIN_ROOT}/x"`), "plugin check DIR"}},
	{schema.CodePluginTimeout, "", "", []string{
		"gemini-extension.json={\"name\":\"p\",\"version\":\"1\"}", ".claude-plugin/plugin.json={\"name\":\"p\"}",
		strings.Replace(pluginHooks(`"command":"true","timeout":9`), "PreToolUse", "SessionStart", 1),
		"plugin check DIR --host gemini"}},
	{schema.CodePluginPointer, "", "", []string{
		".claude-plugin/plugin.json={\"hooks\":\"./hooks/hooks.json\"}", pluginHooks(`"command":"true"`),
		"plugin check DIR"}},
	{schema.CodePluginHidden, "", "", []string{
		strings.Replace(pluginHooks(`"command":"true"`), "hooks/hooks.json", "a.json", 1),
		".claude-plugin/plugin.json={\"hooks\":\"./a.json\"}",
		"gemini-extension.json={\"name\":\"p\"}", "plugin check --host qwen DIR"}},
	{schema.CodePluginScript, "", "", []string{pluginHooks(`"command":"\"${CLAUDE_PLUGIN_ROOT}/x\""`),
		"plugin check DIR"}},
	{schema.CodePluginVersion, "", "", []string{
		pluginHooks(`"command":"true"`), ".claude-plugin/plugin.json={\"version\":\"1\"}",
		".codex-plugin/plugin.json={\"version\":\"2\"}", "plugin check DIR"}},
	{schema.CodePluginArgs, "", "", []string{pluginHooks(`"command":"true","args":["x"]`),
		"plugin check --host codex DIR"}},
	{schema.CodePluginTooLong, "", "", []string{
		strings.Replace(pluginHooks(`"command":"true","timeout":30`), "PreToolUse", "SessionEnd", 1),
		"plugin check --host codex DIR"}},
	{schema.CodePluginMoves, "", "", []string{
		strings.Replace(pluginHooks(`"command":"true"`), "hooks/hooks.json", "cache/p/1.2.0/hooks/hooks.json", 1),
		"convert --from claude --to cursor DIR/cache/p/1.2.0/hooks/hooks.json"}},
	{schema.CodePluginRejected, "", "", []string{
		strings.Replace(pluginHooks(`"command":"true"`), `={`, `={"version":1,`, 1), "plugin check --host codex DIR"}},
}

// pluginHooks returns a plugin's file with one hook.
func pluginHooks(handler string) string {
	return `hooks/hooks.json={"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command",` + handler + `}]}]}}`
}

// TestTroubles checks that each of these codes has a message that a user can read, and a fix. The codes of vectors are
// checked with the vectors.
func TestTroubles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are POSIX commands")
	}
	left := map[schema.Code]bool{}
	for _, info := range schema.Codes() {
		left[info.Code] = true
	}
	list, _ := conformance.Suite(conformance.Known)
	for _, v := range list {
		for _, f := range v.Findings {
			delete(left, schema.Code(f.Code))
		}
	}
	for _, tt := range troubles {
		delete(left, tt.code)
		t.Run(string(tt.code), func(t *testing.T) {
			if tt.needs != "" {
				if _, err := exec.LookPath(tt.needs); err != nil {
					t.Skip("no ", tt.needs)
				}
			}
			dir := t.TempDir()
			t.Setenv("HOME", t.TempDir())
			t.Setenv("HOOKBRIDGE_STATE_DIR", filepath.Join(t.TempDir(), "state"))
			var text, errs bytes.Buffer
			for _, step := range tt.steps {
				step = strings.ReplaceAll(step, "DIR", dir)
				if state, ok := strings.CutPrefix(step, "STATE="); ok {
					t.Setenv("HOOKBRIDGE_STATE_DIR", state)
				} else if name, content, ok := strings.Cut(step, "="); ok && !strings.Contains(name, " ") {
					writeFile(t, filepath.Join(dir, name), content)
				} else {
					text.Reset()
					errs.Reset()
					dispatch(strings.Fields(step), cli.IO{In: strings.NewReader(strings.ReplaceAll(tt.stdin, "DIR",
						dir)),
						Out: &text, Err: &errs})
				}
			}
			text.Write(errs.Bytes())
			line := regexp.MustCompile(`.*\b` + string(tt.code) + `\b.*`).FindString(text.String())
			if strings.Count(line, " ") < 5 {
				t.Fatalf("says %q in\n%s", line, &text)
			}
			if info, _ := tt.code.Info(); info.Do == "" {
				t.Error("doesn't say what to do")
			}
			t.Log(line)
		})
	}
	for code := range left {
		t.Errorf("no vector and nothing here brings about %s", code)
	}
}

func writeFile(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
