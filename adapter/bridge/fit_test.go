package bridge

import (
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	long := strings.Repeat("y", 12000)
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"short", 10, "short"},
		{long, 10000, strings.Repeat("y", 10000-len(cutMark)) + cutMark},
		{"😀😀😀", 4, "😀😀"},
		{"😀😀😀", 5, "😀😀"},
		{"abc", 0, ""},
	}
	for _, tt := range tests {
		if got := cut(tt.in, tt.limit); got != tt.want || utf16Len(got) > tt.limit {
			t.Errorf("cut(%.10q, %d) = %d units", tt.in, tt.limit, utf16Len(got))
		}
	}
}
