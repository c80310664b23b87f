package claude

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/schema"
)

// findings are diagnostics for comparison in tests: code, severity and place.
func findings(ds schema.Diagnostics) []string {
	var out []string
	for _, d := range ds {
		s := fmt.Sprintf("%s %s %s", d.Code, d.Severity, d.Path)
		if d.Line > 0 {
			s += fmt.Sprintf(" %d:%d", d.Line, d.Col)
		}
		out = append(out, s)
	}
	return out
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// value returns JSON as encoding/json reads it, for comparing by meaning.
func value(t testing.TB, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	return v
}
