package install

import (
	"bytes"
	"os"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/schema"
)

// TestCanary: in every agent's project file, or else user file, the canary is one entry that the agent reads as a hook,
// next to hookbridge's others. A second canary replaces it, and its removal restores the bytes.
func TestCanary(t *testing.T) {
	for _, d := range adapter.Dialects() {
		name := d.Profile().Name
		if d.Profile().Modules != nil {
			continue
		}
		for _, installed := range []bool{false, true} {
			files, owner := hooksFor(d)
			x := project(t, files)
			x.Hosts, x.Owners = []adapter.Dialect{d}, []adapter.Dialect{find(t, owner)}
			if FileOf(d, x.Places, x.Scope) == "" {
				x.Scope = schema.ScopeUser
			}
			if installed {
				x.do(t, Install, -1)
			}
			file := FileOf(d, x.Places, x.Scope)
			before, _ := os.ReadFile(file)
			for range 2 {
				c, err := x.CanaryIn(d)
				if err == nil {
					err = c.Add()
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			inner, err := document(d, text)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			cfg, _ := d.ParseConfig(inner, schema.Source{File: file, Scope: x.Scope})
			n := 0
			for _, h := range cfg.Hooks {
				call, ok := cmdline.Parse(h.Command, h.Args)
				if ok && isCanary(&call) && h.Native == canaryEvent(d) {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%s: %d canaries: %s", name, n, text)
			}
			c, err := x.CanaryIn(d)
			if err == nil && c.There {
				err = c.Remove()
			}
			if after, _ := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
				t.Errorf("%s: %v\nbefore %s\nafter %s", name, err, before, after)
			}
		}
	}
}
