package cmdline

import "testing"

func TestTooOld(t *testing.T) {
	for _, tt := range []struct {
		required, version string
		old               bool
	}{
		{"1.2", "1.1.9", true}, {"1.2", "1.2.0", false}, {"1.2", "v1.3", false}, {"1.2.1", "1.2.0", true},
		{"2", "1.99.99", true}, {"1.10", "1.9", true}, {"1.9", "1.10", false}, {"0.1", "0.1.0-dev", false},
		{"99", "0.1.0-dev", true}, {"1.2", "v1.1.0-rc.1", true}, {"", "0.0.1", false},
		{"99", "v0.0.0-20261127033000-0123456789ab", false}, {"99", "0123456789ab", false},
		{"99", "1ab23456789a", false}, {"99", "(devel)", false},
	} {
		if got := TooOld(tt.required, tt.version); (got != "") != tt.old {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
