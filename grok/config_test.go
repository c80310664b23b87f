package grok

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// TestPolicy checks the effects of the policy files (observed 1.0.41). The administrator's hooks run, and those of the
// user's unsigned policy file don't. Either file may allow only the former.
func TestPolicy(t *testing.T) {
	const only = "allow_managed_hooks_only = true\n"
	const hook = "[[hooks.Stop]]\nhooks = [{type = 'command', command = 'x y'}]\n"
	places := schema.Places{OS: "linux", Home: "/h", Project: "/p"}
	for _, tt := range []struct {
		managed, policy, user string
		hooks, off            int
	}{
		{hook, "", hook, 2, 0},
		{only + hook, "", hook, 1, 1},
		{hook, only, hook, 1, 1},
		{hook, "", only + hook, 2, 0},
		{"", hook, hook, 1, 1},
		{"", only + hook, hook, 0, 2},
	} {
		for _, policy := range userPolicies {
			holdPolicy(t, places, map[string]string{managedFile: tt.managed, "/h/.grok/" + policy: tt.policy,
				"/h/.grok/config.toml": tt.user}, tt.hooks, tt.off)
		}
	}
}

func holdPolicy(t *testing.T, places schema.Places, files map[string]string, want, off int) {
	t.Helper()
	var configs []*schema.Config
	for _, s := range New().Locate(places) {
		text := files[s.File]
		if text == "" {
			continue
		}
		cfg, ds := New().ParseConfig([]byte(text), s)
		if len(ds) > 0 {
			t.Errorf("%s: %v", text, ds)
		}
		configs = append(configs, cfg)
	}
	if hooks, ds := New().Resolve(configs); len(hooks) != want || len(ds) != off {
		t.Errorf("%v: %d hooks, %v", files, len(hooks), ds)
	}
}

// TestSources checks the order of the user's files, including those in hooks-paths, before the project's, and the names
// with which disabled-hooks turns hooks off (observed 1.0.41).
func TestSources(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	hook := func(label string) string {
		return `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "run ` + label + `"}]}]}}`
	}
	for file, text := range map[string]string{
		home + "/.grok/config.toml":  "[[hooks.PreToolUse]]\nhooks = [{type = 'command', command = 'run config'}]\n",
		home + "/.grok/hooks/g.json": hook("folder"),
		home + "/more/b.json":        hook("b"),
		home + "/more/a.json":        hook("a"),
		home + "/one/x.txt":          hook("x"),
		home + "/.grok/hooks-paths": "# more\n\nrel/x.json\n" + home + "/more/\n  " + home +
			"/one/x.txt \n~/three\n",
		home + "/.grok/disabled-hooks": "user:pre_tool_use[0].hooks[0]\n global/a:pre_tool_use[0].hooks[0]\n" +
			"project/p:stop[0].hooks[0]",
		project + "/.grok/hooks/p.json": hook("project"),
		project + "/rel/x.json":         hook("relative"),
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	places := schema.Places{OS: "linux", Home: home, Project: project}
	res, ds := discover.Load(New(), places, nil)
	state := func(h *schema.Hook) dialect.TrustState { return New().Trust(h, places, os.ReadFile) }
	want := []struct {
		command string
		state   dialect.TrustState
	}{
		{"run config", dialect.TrustOff}, {"run folder", dialect.TrustNotNeeded}, {"run a", dialect.TrustOff},
		{"run b", dialect.TrustNotNeeded}, {"run x", dialect.TrustNotNeeded}, {"run project", dialect.NoCheckout},
	}
	for i, h := range res.Hooks {
		if len(res.Hooks) != len(want) || h.Command != want[i].command || state(&h) != want[i].state {
			t.Errorf("%d: %s, %d; %v", i, h.Command, state(&h), ds)
		}
	}
	if err := os.Mkdir(filepath.Join(project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	if last := &res.Hooks[len(res.Hooks)-1]; state(last) != dialect.FolderUnlisted {
		t.Errorf("in a checkout: %d", state(last))
	}
}
