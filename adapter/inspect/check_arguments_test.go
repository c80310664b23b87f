package inspect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestIgnoredArguments checks every agent that starts a command without the arguments in a field: check reports them,
// and its edit moves all of them into the command.
func TestIgnoredArguments(t *testing.T) {
	project := t.TempDir()
	if err := os.WriteFile(filepath.Join(project, "guard.sh"), []byte("#!/bin/sh\nexit 2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := schema.Places{OS: "linux", Project: project, Home: t.TempDir(), Env: schema.Environ(os.Environ())}

	ignored := 0
	for _, d := range adapter.WithHooks() {
		p := d.Profile()
		native := p.Generic(schema.PreTool)
		h := schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand, Command: "sh"}
		value, _ := d.WriteHook(schema.Entry{Native: native}, &h)
		args := []byte(`,"args":["./guard.sh","a b"]}`)
		where := strings.LastIndexByte(string(value), '}')
		if group, err := ordjson.Parse(value); err == nil && group.Has("hooks") {
			where = strings.LastIndexByte(string(value[:where]), '}')
		}
		if where < 0 {
			continue
		}
		text := slices.Concat([]byte(`{"version":1,"hooks":{"`+native+`":[`), value[:where], args, value[where+1:],
			[]byte(`]}}`))
		source := schema.Source{File: filepath.Join(project, "hooks.json"), Scope: schema.ScopeProject}
		cfg, ds := d.ParseConfig(text, source)
		if cfg == nil || len(cfg.Hooks) != 1 || cfg.Hooks[0].Args != nil {
			continue
		}

		if slices.ContainsFunc(ds, func(f schema.Diagnostic) bool { return f.Code.RejectsFile() }) {
			continue
		}
		ignored++
		of := func(ds schema.Diagnostics) (n int) {
			for _, f := range ds {
				if strings.HasSuffix(f.Path, "/args") {
					n++
				}
			}
			return n
		}
		found := Check(d, cfg, text, ds, at)
		if !slices.ContainsFunc(found, func(f schema.Diagnostic) bool {
			return f.Code == schema.CodePluginArgs && f.Severity >= schema.Weaker
		}) || of(found) != 1 {
			t.Errorf("%s: arguments that it ignores: %v", p.Name, found)
		}

		fixed, _ := Fixed(d, source, text, at)
		before := cfg.Hooks[0].Command
		cfg, _ = d.ParseConfig(fixed, source)
		if !strings.Contains(string(text), `"command":"`) {
			continue // the command is in a field for one system
		}
		if cfg == nil || len(cfg.Hooks) != 1 || cfg.Hooks[0].Command != before+" ./guard.sh 'a b'" {
			t.Errorf("%s: the edit made %s", p.Name, fixed)
		}
	}
	if ignored < 3 {
		t.Errorf("only %d agents ignore arguments", ignored)
	}
}
