package codex

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestApprove checks that exactly these hooks become trusted, whatever else is in config.toml, and that the rest is
// unchanged. A file that can't be read, or has the record in another form, isn't touched.
func TestApprove(t *testing.T) {
	d := New()
	p := schema.Places{Project: "/p", Home: "/h"}
	at := schema.Source{File: "/p/with \"quotes\" and \\ ü/.codex/hooks.json", Scope: schema.ScopeProject}
	cfg, _ := d.ParseConfig([]byte(`{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [
		{"type": "command", "command": "a"}, {"type": "command", "command": "b", "timeout": 7}]}],
		"Stop": [{"hooks": [{"type": "command", "command": "c"}]}]}}`), at)
	if len(cfg.Hooks) != 3 {
		t.Fatal(cfg.Hooks)
	}
	state := func(text string, i int) dialect.TrustState {
		return d.Trust(&cfg.Hooks[i], p, func(string) ([]byte, error) {
			if text == "" {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		})
	}
	approved := cfg.Hooks[1:]
	stale := string(d.Approve(nil, approved))
	stale = strings.ReplaceAll(stale, "sha256:", "sha256:00")
	for _, text := range []string{
		"", "model = \"m\"", "model = \"m\"\n\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n", stale,
		"# mine\r\n" + stale, stale + "[other]\ntrusted_hash = \"x\"\n",
		strings.ReplaceAll(stale, "trusted_hash", "enabled = true\ntrusted_hash"),
	} {
		after := string(d.Approve([]byte(text), approved))
		if state(after, 0) != dialect.Untrusted || state(after, 1) != dialect.Trusted ||
			state(after, 2) != dialect.Trusted {
			t.Errorf("%q: %v %v %v\n%s", text, state(after, 0), state(after, 1), state(after, 2), after)
		}
		if !strings.Contains(text, "sha256:00") && !strings.HasPrefix(after, text) {
			t.Errorf("%q became %q", text, after)
		}
		if again := string(d.Approve([]byte(after), approved)); again != after {
			t.Errorf("not the same twice: %q", again)
		}
		if strings.Contains(text, "[other]") && !strings.Contains(after, "[other]\ntrusted_hash = \"x\"\n") {
			t.Errorf("another table has changed: %s", after)
		}
	}
	for _, text := range []string{"= broken", "hooks = {state = {}}\n", "[hooks]\nstate = {}\n"} {
		if after := d.Approve([]byte(text), approved); after != nil {
			t.Errorf("%q became %q", text, after)
		}
	}
}
