package inspect_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestMissingPrograms checks that check and doctor find the same missing programs of a hook.
func TestMissingPrograms(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	p := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		Env: schema.Environ{"PATH=/usr/bin:/bin", "SHELL=/bin/sh"}}
	write(t, filepath.Join(p.Project, "calls.sh"), "#!/bin/sh\nif no-such-program -r x; then exit 2; fi\n")
	write(t, filepath.Join(p.Project, "runs.py"), "#!/usr/bin/env no-such-program\n")
	write(t, filepath.Join(p.Project, "asks.sh"), "#!/bin/sh\ncommand -v no-such-program && no-such-program\n")
	write(t, filepath.Join(p.Project, "whole.sh"), "#!/bin/sh\ncat >/dev/null\n")
	claude, _ := adapter.Find("claude")
	cursor, _ := adapter.Find("cursor")
	for command, found := range map[string]bool{
		"true": false, `timeout 5 "$X"`: false, `timeout -k 1 5 "$X"`: false, `nice -n 10 "$X"`: false,
		`env -u A "$X"`: false, "ionice -c 3 true": false, "exec -a name true": false, "watch -n 2 true": false,
		"npx no-such-program": false, "timeout 5 no-such-program": true, "exec no-such-program": true,
		"xargs -n 1 true": false, "no-such-program x": true, "cat | no-such-program": true,
		`sh $CLAUDE_PROJECT_DIR/whole.sh "no-such-program x"`: false, "sh -c 'no-such-program x'": true,
		`bash -lc "no-such-program x"`:    true,
		"$CLAUDE_PROJECT_DIR/calls.sh":    true,
		"sh $CLAUDE_PROJECT_DIR/calls.sh": true,
		"$CLAUDE_PROJECT_DIR/runs.py":     true, "$CLAUDE_PROJECT_DIR/asks.sh": false,
		"$CLAUDE_PROJECT_DIR/whole.sh": false, "python3 $CLAUDE_PROJECT_DIR/none.py": true} {
		file := filepath.Join(p.Project, ".claude", "settings.json")
		text := `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":` +
			string(ordjson.AppendString(nil, command)) + `}]}]}}`
		write(t, file, text)
		at := schema.Source{File: file, Scope: schema.ScopeProject}
		cfg, ds := claude.ParseConfig([]byte(text), at)
		in := func(code schema.Code, what string) bool {
			return code == schema.CodeNotStarted && (strings.Contains(what, "no-such-program") ||
				strings.Contains(what, "none.py"))
		}
		checked, examined := false, false
		for _, d := range inspect.Check(claude, cfg, []byte(text), ds, p) {
			checked = checked || in(d.Code, d.Message)
		}
		for _, f := range inspect.Examine(cursor, p, inspect.Examined{Hooks: "claude", Assumed: true,
			Imports: simulate.ImportsOff}) {
			for _, problem := range f.Problems {
				examined = examined || in(problem.Code, problem.Why)
			}
		}
		if checked != found || examined != found {
			t.Errorf("%s: check %v, doctor %v, want %v", command, checked, examined, found)
		}
	}
}

// TestWordsOfBash checks that bash words are reported in a script for dash, and not in a script for bash.
func TestWordsOfBash(t *testing.T) {
	dir := t.TempDir()
	p := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		Env: schema.Environ{"PATH=" + filepath.Join(dir, "bin") + ":/usr/bin:/bin", "SHELL=/bin/sh"}}
	dash := filepath.Join(dir, "bin", "dash")
	write(t, dash, "#!/bin/sh\n")
	claude, _ := adapter.Find("claude")
	for text, found := range map[string]bool{
		`if [[ "$x" == rm* ]]; then exit 2; fi`: true, "f() { [[ $1 ]]; }\nf x": true, "source ./x": true,
		"shopt -s nullglob": true, `if [ "$x" = rm ]; then exit 2; fi`: false, "echo '[[ x ]]'": false,
		"command -v shopt && shopt -s nullglob": false, ". ./x": false} {
		for interpreter, lacks := range map[string]bool{dash: true, "/usr/bin/env bash": false} {
			write(t, filepath.Join(p.Project, "guard.sh"), "#!"+interpreter+"\n"+text+"\n")
			h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand,
				Command: "./guard.sh"}
			cfg := &schema.Config{Hooks: []schema.Hook{h}}
			ds := inspect.Check(claude, cfg, nil, nil, p)
			reported := slices.ContainsFunc(ds, func(f schema.Diagnostic) bool {
				return strings.Contains(f.Message, "which "+dash+" doesn't have")
			})
			if reported != (found && lacks) {
				t.Errorf("%s by %s: %v", text, interpreter, ds)
			}
		}
	}
}

// TestStartedBelow checks the agents that load only the files in a repository's root. A hook's relative script is
// looked up where the agent starts the hook, in whichever folder the agent itself is started.
func TestStartedBelow(t *testing.T) {
	tried := 0
	for _, d := range adapter.WithHooks() {
		if d.Profile().Layers != dialect.RootAlone {
			continue
		}
		root, home := t.TempDir(), t.TempDir()
		write(t, filepath.Join(root, ".git", "HEAD"), "ref: refs/heads/main\n")
		write(t, filepath.Join(root, "guard.sh"), "#!/bin/sh\n")
		write(t, filepath.Join(root, "below", "none"), "")
		p := schema.Places{OS: "linux", Project: root, Home: home, Env: schema.Environ{"PATH=/usr/bin:/bin"}}
		native := d.Profile().Generic(schema.PreTool)
		for _, at := range d.Locate(p) {
			if at.Scope != schema.ScopeProject || at.Folder || filepath.Ext(at.File) != ".json" {
				continue
			}
			writeHooks(t, d, at, []schema.Hook{{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand,
				Command: "sh ./guard.sh"}})
			for _, folder := range []string{root, filepath.Join(root, "below")} {
				tried++
				p.Project = folder
				for _, f := range inspect.Examine(d, p, inspect.Examined{Hooks: d.Profile().Name}) {
					for _, problem := range f.Problems {
						if problem.Code == schema.CodeNotStarted {
							t.Errorf("%s in %s: %s", d.Profile().Name, folder, problem.Why)
						}
					}
				}
			}
			p.Project = root
			break
		}
	}
	if tried < 4 {
		t.Errorf("only %d were tried", tried)
	}
}

// TestFoundScripts checks the fixes for a script that is in another folder, and for a program's path on Windows.
func TestFoundScripts(t *testing.T) {
	p := schema.Places{OS: "linux", Home: t.TempDir(), Project: t.TempDir(), Env: schema.Environ{"PATH=/usr/bin:/bin"}}
	for _, file := range []string{".grok/hooks/bin/a.sh", ".claude/hooks/b.sh", "tools/c.sh"} {
		write(t, filepath.Join(p.Project, file), "true")
	}
	for _, tt := range []struct{ agent, file, command, fix string }{
		{"grok", ".grok/hooks/x.json", "sh bin/a.sh", "write the path of .grok/hooks/bin/a.sh, if that is meant"},
		{"gemini", ".gemini/settings.json", "sh ./.gemini/hooks/b.sh x",
			"write the path of .claude/hooks/b.sh, if that is meant"},
		{"cursor", ".cursor/hooks.json", "./hooks/b.sh", "write the path of .claude/hooks/b.sh, if that is meant"},
		{"claude", ".claude/settings.json", "sh c.sh", ""}, {"claude", ".claude/settings.json", "sh tools/c.sh", ""},
		{"claude", ".claude/settings.json", `'C:\Git\bash.exe' x`,
			"write the program's name alone, which each machine finds in its PATH"},
	} {
		d, err := adapter.Find(tt.agent)
		if err != nil {
			t.Fatal(err)
		}
		h := schema.Hook{Event: schema.PreTool, Native: d.Profile().Generic(schema.PreTool), Command: tt.command,
			Handler: schema.HandlerCommand,
			Source:  schema.Source{File: filepath.Join(p.Project, tt.file), Scope: schema.ScopeProject}}
		if _, fix := inspect.CommandProblem(d, &h, p); fix != tt.fix {
			t.Errorf("%s: %s: %q, want %q", tt.agent, tt.command, fix, tt.fix)
		}
	}
}
