package auggie

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestWriteHook checks that the client starts a call of hookbridge with the same words as a shell: outside of a shell,
// it doesn't treat a backslash specially.
func TestWriteHook(t *testing.T) {
	a := New()
	native := a.Profile().Generic(schema.PreTool)
	for command, want := range map[string][]string{
		`hookbridge run -c 'echo '\''a b'\'''`: {"hookbridge", "run", "-c", "echo 'a b'"},
		`hookbridge run -c 'echo a b'`:         {"hookbridge", "run", "-c", "echo a b"},
		`hookbridge run -c 'a; b '\''c'\'''`:   {"bash", "-c", `hookbridge run -c 'a; b '\''c'\'''`},
		`./own a\ b`:                           {"./own", `a\`, "b"}, // another author's, as the client reads it
	} {
		entry := schema.Entry{Native: native, Pointer: "/hooks/" + native}
		h := &schema.Hook{Handler: schema.HandlerCommand, Event: schema.PreTool, Command: command}
		value, _ := a.WriteHook(entry, h)
		text := `{"hooks":{"` + native + `":[` + string(value) + `]}}`
		cfg, ds := a.ParseConfig([]byte(text), schema.Source{File: "settings.json"})
		if cfg == nil || len(cfg.Hooks) != 1 {
			t.Fatalf("%s: %s %v", command, value, ds)
		}
		s, err := a.Spec(&cfg.Hooks[0], &schema.Call{Native: native}, schema.Places{})
		if want[0] == "bash" {
			s.Argv[0] = "bash"
		}
		if err != nil || !slices.Equal(s.Argv, want) {
			t.Errorf("%s starts %q: %v", command, s.Argv, err)
		}
	}
}
