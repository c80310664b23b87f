package wildcard

import (
	"slices"
	"strings"
	"testing"
)

func TestCommand(t *testing.T) {
	tests := []struct {
		spec, command string
		want          bool
	}{
		{"git *", "git push", true},
		{"git *", "git", true},
		{"git *", "gitk", false},
		{"git*", "gitk", true},
		{"git  *", "git\tpush", true},
		{"git * main", "git push origin main", true},
		{"git * main", "git push origin dev", false},
		{"git * *", "git push", false},
		{"* *", "git", false},
		{"git:*", "git", true},
		{"git:*", "git push", true},
		{"git:*", "gitk", false},
		{"git push:*", "git pushy", false},
		{"r* x:*", "rm x", false}, // before ":*" a star is a star
		{"rm:* ", "rm:x", true},   // a blank after it: no prefix
		{`echo \*`, "echo *", true},
		{`echo \*`, "echo a", false},
		{"*a*", "b\na\nb", true},
		{"npm test", "npm  test", true},
		{"npm test", " npm test", false},
		{"Npm test", "npm test", false},
		{"", "", true},
	}
	for _, tt := range tests {
		if got := ParseCommand(tt.spec).Match(tt.command); got != tt.want {
			t.Errorf("%q on %q = %t", tt.spec, tt.command, got)
		}
	}
}

func TestCommandName(t *testing.T) {
	for spec, want := range map[string]string{"rm:*": "rm", "rm *": "rm", "rm*": "rm", "/bin/rm:*": "/bin/rm",
		"rm": "-", "rm x:*": "-", "*rm*": "-", "rm  *": "-", "rm:* ": "-"} {
		name, ok := ParseCommand(spec).Name()
		if !ok {
			name = "-"
		}
		if name != want {
			t.Errorf("%q: %q", spec, name)
		}
	}
	want := []Piece{{"a", true, false}, {"b", true, true}, {"c", true, false}}
	if got := ParseCommand(`a* b c\*:*`).Pieces(); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

// No pattern and no text may take long.
func TestTime(t *testing.T) {
	Match(strings.Repeat("*a", 200)+"x", strings.Repeat("a", 20000))
	ParsePath(strings.Repeat("**/", 200)+"x", false).Match(strings.Repeat("a/", 2000) + "b")
	ParsePath(strings.Repeat("*a", 200)+"x", false).Match(strings.Repeat("a", 20000))
}
