package adapter_test

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestWays checks that the limits of an agent in a way to start it concern its own events, effects and permission
// modes, and have a source.
func TestWays(t *testing.T) {
	n := 0
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		if p.Ways == nil {
			continue
		}
		for _, way := range *p.Ways {
			for _, l := range way.Less {
				n++
				row := p.Row(l.Native)
				if row == nil || l.Source == "" || way.Command == "" || l.Never == (l.Effects != 0) {
					t.Errorf("%s: %s: %+v", p.Name, way.Command, l)
					continue
				}
				if l.Effects&^row.Honors != 0 {
					t.Errorf("%s: %s ignores %s on %s, which no way honors", p.Name, way.Command, l.Effects&^row.Honors,
						l.Native)
				}
				for _, name := range l.Modes {
					if !slices.ContainsFunc(p.PermissionModes(), func(m dialect.Mode) bool { return m.Name == name }) {
						t.Errorf("%s: %s: no mode %s", p.Name, way.Command, name)
					}
				}
			}
		}
	}
	if n == 0 {
		t.Error("no agent has ways")
	}
}

// TestWaysOfPrograms checks that a way to start one program of an agent isn't listed for another.
func TestWaysOfPrograms(t *testing.T) {
	for name, command := range map[string]string{"opencode": "opencode run", "kilo": "kilo run",
		"copilot": "copilot -p", "copilot@1.0.102": "copilot -p", "copilot@vscode": ""} {
		d, err := adapter.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		ways := d.Profile().StartedBy()
		if command == "" && len(ways) > 0 || command != "" && (len(ways) == 0 || ways[0].Command != command) {
			t.Errorf("%s: %v", name, ways)
		}
		if named := d.Profile().WayNamed("copilot -p"); (named != nil) != (command == "copilot -p") {
			t.Errorf("%s: WayNamed is %v", name, named)
		}
	}
}

// TestSelfApproval checks that no host is relied on to ask if its permission mode may answer for its user.
func TestSelfApproval(t *testing.T) {
	for name, mode := range map[string]string{"grok": "bypass", "codebuddy": "bypass", "qoder": "bypass"} {
		d, _ := adapter.Find(name)
		native := d.Profile().Generic(schema.PreTool)
		for _, word := range []string{mode, "default"} {
			c := &schema.Call{Dialect: name, Event: schema.PreTool, Native: native,
				Values: []schema.Value{{Field: schema.FieldMode, Raw: []byte(`"` + word + `"`)}}}
			_, sure := d.Asks(c)
			asks := sure && d.Honors(c, &schema.Reply{})&schema.EffectAsk != 0
			if asks != (word == "default") {
				t.Errorf("%s in the mode %s: asks %v", name, word, asks)
			}
		}
	}
}
