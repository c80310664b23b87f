package hookfile

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestOthers checks that no file of a registered agent counts as unreadable: remove an agent from the list once it has
// a dialect.
func TestOthers(t *testing.T) {
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		for _, folder := range append([]string{"." + p.Name}, p.Folders...) {
			if name := OtherAgent(folder+"/hooks.json", nil); name != "" {
				t.Errorf("%s/hooks.json passes for a file of %s", folder, name)
			}
		}
		for _, row := range p.Events {
			if name := OtherAgent("hooks.json", []byte(`{"hooks":{"`+row.Native+`":[]}}`)); name != "" {
				t.Errorf("%s of %s passes for an event of %s", row.Native, p.Name, name)
			}
		}
		for _, v := range p.HostVariables {
			if name := OtherAgent("hooks.json", []byte(`{"command":"$`+v+`/x"}`)); name != "" {
				t.Errorf("$%s of %s passes for a variable of %s", v, p.Name, name)
			}
		}
	}
	if OtherAgent(".amazonq/settings.json", nil) == "" {
		t.Error("a file of an agent without a dialect is read")
	}
}
