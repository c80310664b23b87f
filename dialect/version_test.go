package dialect

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

func TestAt(t *testing.T) {
	p := Profile{Name: "x", Programs: []Program{{Name: "app", Less: []Less{{Native: "a", Never: true}}},
		{Name: "kit", FullName: "x-kit"}}}
	for _, tt := range []struct {
		version, full, asOf string
		old, new            bool // raises the event a of 1.5, and b of 2.0
	}{
		{"", "x", "", true, true}, {"1.9", "x@1.9", "1.9", true, false}, {"app", "x@app", "", false, true},
		{"kit", "x-kit", "", true, true}, {"x-kit", "x-kit", "", true, true},
	} {
		at, err := p.At(tt.version)
		if err != nil {
			t.Errorf("%s: %v", tt.version, err)
			continue
		}
		has := [2]bool{at.Has(&schema.EventRow{Native: "a", Since: "1.5"}),
			at.Has(&schema.EventRow{Native: "b", Since: "2.0"})}
		if at.Full() != tt.full || at.AsOf != tt.asOf || has != [2]bool{tt.old, tt.new} {
			t.Errorf("%q: %s, as of %q, raises %v", tt.version, at.Full(), at.AsOf, has)
		}
	}
	if _, err := p.At("ap"); err == nil || !strings.Contains(err.Error(), "app, kit") {
		t.Errorf("an unknown program: %v", err)
	}
}
