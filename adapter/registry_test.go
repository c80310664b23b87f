package adapter

import "testing"

// TestRegistryNames: a line of the registry names its dialect as the dialect does.
func TestRegistryNames(t *testing.T) {
	for _, r := range registry {
		if name := r.make().Profile().Name; name != r.name {
			t.Errorf("%s is registered as %s", name, r.name)
		}
	}
}
