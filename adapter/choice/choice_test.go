package choice_test

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/choice"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

func guard() schema.Hook {
	return schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Matcher: "Bash", Handler: schema.HandlerCommand,
		Command: "sh ./guard.sh", Line: 12, Path: "/hooks/PreToolUse/0/hooks/0",
		Source: schema.Source{File: "/p/.claude/settings.json", Scope: schema.ScopeProject}}
}

// TestMark checks that a hook keeps its mark if it moves within its file or to other machines, and that no other hook
// has it.
func TestMark(t *testing.T) {
	h := guard()
	mark := choice.Mark("/p", &h)
	moved := guard()
	moved.Line, moved.Path = 40, "/hooks/PreToolUse/3/hooks/0"
	if got := choice.Mark("/p", &moved); got != mark {
		t.Errorf("the hook moved in its file: %s, want %s", got, mark)
	}
	moved.Source.File = "/home/b/q/.claude/settings.json"
	if got := choice.Mark("/home/b/q", &moved); got != mark {
		t.Errorf("another checkout: %s, want %s", got, mark)
	}

	for name, change := range map[string]func(*schema.Hook){
		"file":      func(h *schema.Hook) { h.Source.File = "/p/.claude/settings.local.json" },
		"elsewhere": func(h *schema.Hook) { h.Source.File = "/home/b/.claude/settings.json" },
		"event":     func(h *schema.Hook) { h.Native = "PostToolUse" },
		"matcher":   func(h *schema.Hook) { h.Matcher = "Write" },
		"condition": func(h *schema.Hook) { h.Condition = "Bash(rm *)" },
		"command":   func(h *schema.Hook) { h.Command += " -v" },
		"arguments": func(h *schema.Hook) { h.Args = []string{"x"} },
		"handler":   func(h *schema.Hook) { h.Handler = schema.HandlerPrompt },
		"url":       func(h *schema.Hook) { h.URL = "https://example.org" },
	} {
		other := guard()
		change(&other)
		if choice.Mark("/p", &other) == mark {
			t.Errorf("%s: another hook has the same mark", name)
		}
	}
}

func TestExcluded(t *testing.T) {
	claude, codex := find(t, "claude"), find(t, "codex")
	for _, tt := range []struct {
		name, yaml string
		change     func(*schema.Hook)
		want       bool
	}{
		{"nothing", "", nil, false},
		{"exclude", "{hook: .claude/settings.json, command: sh ./guard.sh, exclude: [codex]}", nil, true},
		{"another agent", "{hook: .claude/settings.json, command: sh ./guard.sh, exclude: [cursor]}", nil, false},
		{"agents", "{hook: .claude/settings.json, command: sh ./guard.sh, agents: [codex]}", nil, false},
		{"agents without", "{hook: .claude/settings.json, command: sh ./guard.sh, agents: [cursor]}", nil, true},
		{"a version", "{hook: .claude/settings.json, command: sh ./guard.sh, agents: [codex@0.145]}", nil, false},
		{"line", "{hook: '.claude/settings.json:12', command: sh ./guard.sh, exclude: [codex]}", nil, true},
		{"another line", "{hook: '.claude/settings.json:13', command: sh ./guard.sh, exclude: [codex]}", nil, false},
		{"pointer", "{hook: '.claude/settings.json#/hooks/PreToolUse/0/hooks/0', command: sh ./guard.sh, " +
			"exclude: [codex]}", nil, true},
		{"another command", "{hook: '.claude/settings.json:12', command: sh ./x.sh, exclude: [codex]}", nil, false},
		{"another file", "{hook: .claude/x.json, command: sh ./guard.sh, exclude: [codex]}", nil, false},
		{"a user's hook", "{hook: .claude/settings.json, command: sh ./guard.sh, exclude: [codex]}",
			func(h *schema.Hook) { h.Source.Scope = schema.ScopeUser }, false},
		{"a file of one user", "{hook: .claude/settings.json, command: sh ./guard.sh, exclude: [codex]}",
			func(h *schema.Hook) { h.Source.Scope = schema.ScopeLocal }, false},
		{"an unknown agent excludes nothing", "{hook: .claude/settings.json, command: sh ./guard.sh, agents: [x]}", nil,
			false},
	} {
		text := "hooks: []\n"
		if tt.yaml != "" {
			text = "hooks:\n- " + tt.yaml + "\n"
		}
		file, err := projectfile.Parse("hookbridge.yaml", []byte(text))
		if err != nil {
			t.Fatal(tt.name, err)
		}
		h := guard()
		if tt.change != nil {
			tt.change(&h)
		}
		if got := choice.Excluded(file, "/p", codex, claude, &h) != nil; got != tt.want {
			t.Errorf("%s: excluded is %v", tt.name, got)
		}
		if choice.Excluded(file, "/p", claude, claude, &h) != nil {
			t.Errorf("%s: its own agent can't leave it out", tt.name)
		}
	}
}

func find(t *testing.T, name string) adapter.Dialect {
	t.Helper()
	d, err := adapter.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
