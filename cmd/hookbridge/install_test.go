package main

import (
	"flag"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
)

// TestSwitches holds that what reads the bridge's own entries knows which flags of
// run take a value.
func TestSwitches(t *testing.T) {
	fs := newFlags("run")
	new(runFlags).define(fs)
	fs.set.VisitAll(func(f *flag.Flag) {
		b, ok := f.Value.(interface{ IsBoolFlag() bool })
		if is := ok && b.IsBoolFlag(); is != cmdline.IsSwitch(f.Name) {
			t.Errorf("--%s: switch %v, adapter.IsSwitch says %v", f.Name, is, !is)
		}
	})
	for _, name := range passed {
		if fs.set.Lookup(name) == nil {
			t.Errorf("install passes --%s, which run does not have", name)
		}
	}
}
