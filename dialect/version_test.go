package dialect

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

func TestCompareVersions(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"2.4", "2.4", 0}, {"2.4", "2.4.0", 0}, {"2.4", "2.10", -1}, {"2.1.328", "2.1.89", 1}, {"1.0.0", "0.36.0", 1},
		{"0.36", "0.36.0", 0}, {"2026.09.10-fd3934a", "2026.09.10", 0}, {"", "0.1", -1}, {"99999999999999999999.1", "2", 1},
	} {
		if got := CompareVersions(tt.a, tt.b); got != tt.want {
			t.Errorf("CompareVersions(%q, %q) = %d", tt.a, tt.b, got)
		}
		if back := CompareVersions(tt.b, tt.a); back != -tt.want {
			t.Errorf("CompareVersions(%q, %q) = %d", tt.b, tt.a, back)
		}
	}
}

func TestAt(t *testing.T) {
	p := Profile{Name: "x", Programs: []Program{{Name: "app", Less: []Less{{Native: "a", Never: true}}}, {Name: "kit", FullName: "x-kit"}}}
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
		has := [2]bool{at.Has(&schema.EventRow{Native: "a", Since: "1.5"}), at.Has(&schema.EventRow{Native: "b", Since: "2.0"})}
		if at.Full() != tt.full || at.AsOf != tt.asOf || has != [2]bool{tt.old, tt.new} {
			t.Errorf("%q: %s, as of %q, raises %v", tt.version, at.Full(), at.AsOf, has)
		}
	}
	if _, err := p.At("ap"); err == nil || !strings.Contains(err.Error(), "app, kit") {
		t.Errorf("an unknown program: %v", err)
	}
}
