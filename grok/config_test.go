package grok

import (
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestPolicy holds what the policy files do (observed 1.0.41): the administrator's hooks run,
// those of the user's unsigned policy file don't, and either may leave only the first.
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
		var configs []*schema.Config
		for _, s := range New().Locate(places) {
			text := map[string]string{
				managedFile: tt.managed, "/h/.grok/requirements.toml": tt.policy, "/h/.grok/config.toml": tt.user,
			}[s.File]
			cfg, ds := New().ParseConfig([]byte(text), s)
			if text == "" {
				continue
			}
			if len(ds) > 0 {
				t.Errorf("%s: %v", text, ds)
			}
			configs = append(configs, cfg)
		}
		if hooks, ds := New().Resolve(configs); len(hooks) != tt.hooks || len(ds) != tt.off {
			t.Errorf("%+v: %d hooks, %v", tt, len(hooks), ds)
		}
	}
}
