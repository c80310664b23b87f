package material

import (
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// TestPayloads checks that each payload has a unique name and is a JSON object.
func TestPayloads(t *testing.T) {
	for _, agent := range Agents(t) {
		seen := map[string]bool{}
		for _, p := range Payloads(t, agent) {
			if p.Name == "" || seen[p.Name] {
				t.Errorf("%s: %q isn't a name of its own", agent, p.Name)
			}
			seen[p.Name] = true
			if _, err := ordjson.Parse(p.Text); err != nil {
				t.Errorf("%s: %s: %v", agent, p.Name, err)
			}
		}
	}
}
