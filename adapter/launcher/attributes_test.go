package launcher

import (
	"slices"
	"testing"
)

// TestAttributes: lines are added after the user's, regardless of how those end. Adding them twice changes nothing, and
// removing them restores every byte.
func TestAttributes(t *testing.T) {
	run, cmd := ".hookbridge/run text eol=lf", ".hookbridge/run.cmd text eol=crlf"
	want := []string{".hookbridge/run", ".hookbridge/run.cmd"}
	ours := func(path string) bool { return slices.Contains(want, path) }
	for before, after := range map[string]string{
		"none":                       run + "\n" + cmd + "\n",
		"* text=auto\n":              "* text=auto\n" + run + "\n" + cmd + "\n",
		"* text=auto":                "* text=auto\n" + run + "\n" + cmd,
		"* text=auto\r\n*.c eol=lf":  "* text=auto\r\n*.c eol=lf\n" + run + "\n" + cmd,
		"# mine\n\n":                 "# mine\n\n" + run + "\n" + cmd + "\n",
		"*.sh text eol=lf\n*.x -a\n": "*.sh text eol=lf\n*.x -a\n" + run + "\n" + cmd + "\n",
	} {
		text := []byte(before)
		if before == "none" {
			text = nil
		}
		got := Attributes(text, want, ours)
		if string(got) != after {
			t.Errorf("%q: %q", before, got)
		}
		if again := Attributes(got, want, ours); string(again) != after {
			t.Errorf("%q: twice: %q", before, again)
		}
		if back := Attributes(got, nil, ours); string(back) != string(text) || (back == nil) != (text == nil) {
			t.Errorf("%q: taken back: %q", before, back)
		}
		if same := Attributes(text, nil, ours); string(same) != string(text) || (same == nil) != (text == nil) {
			t.Errorf("%q: nothing to do: %q", before, same)
		}
	}
	theirs := ".hookbridge/run -text\n"
	if got := Attributes([]byte(theirs), nil, ours); string(got) != theirs {
		t.Errorf("the user's own line for a file of ours is gone: %q", got)
	}
}
