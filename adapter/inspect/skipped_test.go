package inspect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	claudePrompt = `{"hooks":{%q:[{"hooks":[{"type":"prompt","prompt":"?"}]}]}}`
	cursorPrompt = `{"version":1,"hooks":{%q:[{"type":"prompt","prompt":"?"}]}}`
	claudeMatch  = `{"hooks":{%q:[{"matcher":%q,"hooks":[{"type":"command","command":"true"}]}]}}`
	cursorMatch  = `{"version":1,"hooks":{%q:[{"matcher":%q,"command":"true"}]}}`
	copilotMatch = `{"version":1,"hooks":{%q:[{"matcher":%q,"type":"command","bash":"true"}]}}`
)

// TestSkipped checks that all commands report a hook that the target doesn't run, or runs without effect: convert,
// check --host, doctor, and matrix if the finding doesn't depend on a matcher.
func TestSkipped(t *testing.T) {
	for _, row := range []struct {
		from, to, event string
		config          string
		code            schema.Code
		severity        schema.Severity
	}{
		{"claude", "cursor", "Stop", fmt.Sprintf(claudePrompt, "Stop"), schema.CodeNoEvaluator, schema.Weaker},
		{"claude", "cursor", "SubagentStop", fmt.Sprintf(claudePrompt, "SubagentStop"),
			schema.CodeNoEvaluator, schema.Weaker},
		{"claude", "cursor", "PostToolUse", fmt.Sprintf(claudePrompt, "PostToolUse"),
			schema.CodeNoEvaluator, schema.Weaker},
		{"claude", "cursor@editor", "PostToolUseFailure", fmt.Sprintf(claudePrompt, "PostToolUseFailure"),
			schema.CodeNoEvaluator, schema.Weaker},
		{"claude", "cursor@sdk", "PreToolUse", fmt.Sprintf(claudePrompt, "PreToolUse"),
			schema.CodeNoEvaluator, schema.Weaker},
		{"qoder", "cursor@sdk", "UserPromptSubmit", fmt.Sprintf(claudePrompt, "UserPromptSubmit"),
			schema.CodeNoEvaluator, schema.Weaker},
		{"claude", "qoder@ide", "Stop", fmt.Sprintf(claudePrompt, "Stop"), schema.CodeNoEvaluator, schema.Weaker},
		{"cursor", "cursor@sdk", "preToolUse", fmt.Sprintf(cursorPrompt, "preToolUse"),
			schema.CodeVoidHook, schema.Weaker},
		{"cursor@editor", "cursor@sdk", "beforeShellExecution", fmt.Sprintf(cursorPrompt, "beforeShellExecution"),
			schema.CodeVoidHook, schema.Weaker},
		{"cursor", "claude", "stop", fmt.Sprintf(cursorPrompt, "stop"), schema.CodeVoidHook, schema.Weaker},
		{"cursor", "cursor@sdk", "beforeTabFileRead", fmt.Sprintf(cursorMatch, "beforeTabFileRead", "TabRead"),
			schema.CodeNoEvent, schema.Weaker},
		{"cursor", "claude", "preToolUse", fmt.Sprintf(cursorMatch, "preToolUse", "TabRead"),
			schema.CodeDeadMatcher, schema.Weaker},
		{"cursor", "claude", "beforeReadFile", fmt.Sprintf(cursorMatch, "beforeReadFile", "TabRead"),
			schema.CodeDeadMatcher, schema.Weaker},
		{"cursor", "qoder", "stop", fmt.Sprintf(cursorMatch, "stop", "completed"),
			schema.CodeDeadMatcher, schema.Weaker},
		{"copilot", "claude", "permissionRequest", fmt.Sprintf(copilotMatch, "permissionRequest", "view|grep"),
			schema.CodeDeadMatcher, schema.Weaker}, // observed 1.0.102: not even for a read that is refused
		{"copilot", "codex", "permissionRequest", fmt.Sprintf(copilotMatch, "permissionRequest", "^task$"),
			schema.CodeDeadMatcher, schema.Weaker},
		{"grok", "claude", "PostToolUseFailure", fmt.Sprintf(claudeMatch, "PostToolUseFailure", "read_file"),
			schema.CodeDeadMatcher, schema.Weaker},
		{"cursor", "codex", "preToolUse", fmt.Sprintf(cursorMatch, "preToolUse", "Bash"),
			schema.CodeDeadMatcher, schema.Weaker},
		{"claude@2.0.45", "cursor", "PreToolUse", fmt.Sprintf(claudeMatch, "PreToolUse", "Agent"),
			schema.CodeDeadMatcher, schema.Weaker},
	} {
		from, _ := adapter.Find(row.from)
		to, _ := adapter.Find(row.to)
		dir := t.TempDir()
		places := schema.Places{OS: "linux", Project: dir, Home: filepath.Join(dir, "home"),
			Env: schema.Environ{"PATH=/usr/bin:/bin"}}
		file := ""
		for _, s := range from.Locate(places) {
			if s.Scope == schema.ScopeProject && file == "" {
				if file = s.File; s.Folder {
					file = filepath.Join(s.File, "hooks.json")
				}
			}
		}
		_ = os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(row.config), 0o644); err != nil {
			t.Fatal(err)
		}
		cfg, ds := from.ParseConfig([]byte(row.config), schema.Source{File: file, Scope: schema.ScopeProject})
		if cfg == nil || len(cfg.Hooks) != 1 {
			t.Fatalf("%s: %v", row.config, ds)
		}
		in := convert.Installation{Host: to, Hooks: []dialect.Dialect{from}}
		_, host := in.Entries(cfg.Hooks)
		said := map[string]schema.Diagnostics{
			"convert": slices.Concat(convert.Convert(from, to, cfg, convert.ConvertOptions{}).Diagnostics,
				inspect.Idle(from, cfg.Hooks, ds)),
			"check": slices.Concat(inspect.Check(from, cfg, []byte(row.config), ds, places), host),
		}
		what := inspect.Examined{Hooks: row.from, Assumed: true, Imports: simulate.ImportsOff}
		if adapter.SameAgent(from, to) {
			what.Hooks = ""
		}
		for _, f := range inspect.Examine(to, places, what) {
			for _, p := range f.Problems {
				said["doctor"] = append(said["doctor"], schema.Diagnostic{Code: p.Code, Severity: p.Severity})
			}
		}
		if own := inspect.Idle(from, cfg.Hooks, nil); len(own) == 0 { // the hook works in its own agent
			for _, c := range inspect.Matrix(from, to) {
				if c.From == row.event && (c.Code != "" || c.Prompts != "" || len(c.To) == 0) {
					code := c.Prompts
					if len(c.To) == 0 {
						code = c.Code
					}
					said["matrix"] = schema.Diagnostics{{Code: code, Severity: row.severity}}
				}
			}
		} else {
			said["matrix"] = schema.Diagnostics{{Code: row.code, Severity: row.severity}}
		}
		for _, command := range []string{"convert", "check", "doctor", "matrix"} {
			has := func(d schema.Diagnostic) bool { return d.Code == row.code && d.Severity == row.severity }
			if !slices.ContainsFunc(said[command], has) {
				t.Errorf("%s to %s: %s: %s says %v, want %s %s", row.from, row.to, row.config, command, said[command],
					row.severity, row.code)
			}
		}
	}
}
