package schema

import "testing"

func TestCompareVersions(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"2.4", "2.4", 0}, {"2.4", "2.4.0", 0}, {"2.4", "2.10", -1}, {"2.1.328", "2.1.89", 1}, {"1.0.0", "0.36.0", 1},
		{"0.36", "0.36.0", 0}, {"2026.09.10-fd3934a", "2026.09.10", 0}, {"", "0.1", -1},
		{"99999999999999999999.1", "2", 1}} {
		if got := CompareVersions(tt.a, tt.b); got != tt.want {
			t.Errorf("CompareVersions(%q, %q) = %d", tt.a, tt.b, got)
		}
		if back := CompareVersions(tt.b, tt.a); back != -tt.want {
			t.Errorf("CompareVersions(%q, %q) = %d", tt.b, tt.a, back)
		}
	}
}
