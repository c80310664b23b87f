package cli

import (
	"path/filepath"
	"testing"
)

// TestSpoken checks that texts for people name files relative to the working folder, or with ~ where a shell expands
// it.
func TestSpoken(t *testing.T) {
	home, work := t.TempDir(), ""
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(t.TempDir())
	work = Desk().Dir
	in := func(dir, rest string) string { return filepath.Join(dir, "x") + rest }
	for _, test := range []struct{ text, want string }{
		{in(work, ""), "x"},
		{in(home, ""), "~/x"},
		{"can't replace " + in(work, ": no"), "can't replace x: no"},
		{"chmod +x '" + in(work, "'"), "chmod +x 'x'"},
		{"chmod +x '" + in(home, "'"), "chmod +x '" + in(home, "'")},
		{"line\n" + in(home, ":7"), "line\n~/x:7"},
		{"/mnt" + in(work, ""), "/mnt" + in(work, "")},
		{work + "er/x", work + "er/x"},
		{"found no hooks in " + work, "found no hooks in " + work},
	} {
		if got := Spoken(test.text); got != test.want {
			t.Errorf("%q is shown as %q, want %q", test.text, got, test.want)
		}
	}
}
