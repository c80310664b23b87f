package bridge

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestManagedScope calls the entries of an administrator, a user and a project, and one without a scope, with hooks of
// all three. Each hook runs once if any entry is for it, and a project's file can't remove an administrator's hook.
func TestManagedScope(t *testing.T) {
	guard := func(name string) string {
		return `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true ` + name +
			`"},{"type":"command","command":"true same"}]}]}}`
	}
	entry := func(scope string) string {
		return `{"version":1,"hooks":{"preToolUse":[{"command":"hookbridge run --host cursor --hooks claude` + scope +
			`"}]}}`
	}
	hooks := map[string]string{"s/etc/claude-code/managed-settings.d/a.json": guard("managed"),
		"home/.claude/settings.json": guard("user"),
		"p/.claude/settings.json":    guard("project")}
	const managed, user, project = "s/etc/cursor/hooks.json", "home/.cursor/hooks.json", "p/.cursor/hooks.json"
	for _, c := range []struct {
		name    string
		entries map[string]string // file: scope of its entry
		want    map[string][]string
	}{
		{"all", map[string]string{managed: " --scope managed", user: " --scope user", project: " --scope project"},
			map[string][]string{"managed": {"managed", "same"}, "user": {"user"}, "project": {"project"}}},
		{"one without a scope", map[string]string{managed: " --scope managed", user: ""},
			map[string][]string{"managed": {"managed", "same"}, "given": {"project", "user"}}},
		{"none of an administrator", map[string]string{user: " --scope user", project: " --scope project"},
			map[string][]string{"user": {"managed", "user"}, "project": {"project", "same"}}},
		{"a project's that pretends", map[string]string{user: " --scope user", project: " --scope managed"},
			map[string][]string{"user": {"managed", "project", "same", "user"}}},
	} {
		dir := t.TempDir()
		put := func(name, text string) {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if os.MkdirAll(filepath.Dir(file), 0o755) != nil || os.WriteFile(file, []byte(text), 0o600) != nil {
				t.Fatal(file)
			}
		}
		for name, text := range hooks {
			put(name, text)
		}
		for name, scope := range c.entries {
			put(name, entry(scope))
		}
		for scope, want := range c.want {
			host, _ := adapter.Find("cursor")
			own, _ := adapter.Find("claude")
			b := &Bridge{Host: host, Hooks: own, StateDir: filepath.Join(dir, "state"), TempDir: dir, Now: time.Now,
				Places: schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "p"),
					System: filepath.Join(dir, "s"), Env: os.Environ()}}
			for _, s := range []schema.Scope{schema.ScopeManaged, schema.ScopeUser, schema.ScopeProject} {
				if s.String() == scope {
					b.Scope = s
				}
			}
			_, rep, err := b.Run(t.Context(),
				[]byte(`{"hook_event_name":"preToolUse","conversation_id":"c","tool_name":"Shell",`+
					`"tool_input":{"command":"ls"},`+
					`"cursor_version":"3.15.19","workspace_roots":["`+filepath.Join(dir, "p")+`"]}`), "")
			if err != nil {
				t.Fatal(err, rep.Diagnostics)
			}
			var ran []string
			for _, r := range rep.Runs {
				ran = append(ran, r.Hook.Command[len("true "):])
			}
			slices.Sort(ran)
			if !slices.Equal(ran, want) {
				t.Errorf("%s: --scope %s ran %v, want %v", c.name, scope, ran, want)
			}
		}
	}
}
