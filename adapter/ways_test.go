package adapter

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestWays holds that what an agent does less if it is started in some way is about its own events, effects and
// permission modes, and says where that is known from.
func TestWays(t *testing.T) {
	n := 0
	for _, d := range Dialects() {
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

// TestSelfApproval holds that no host is relied on to ask where its permission mode may answer for its user.
func TestSelfApproval(t *testing.T) {
	for name, mode := range map[string]string{"grok": "bypass", "codebuddy": "bypass", "qoder": "bypass"} {
		d, _ := Find(name)
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
