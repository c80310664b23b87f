package cli

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
)

// TestDialog checks that a person's answers count, and that no answer means no agreement.
func TestDialog(t *testing.T) {
	for _, c := range []struct {
		in          string
		usual, want bool
	}{
		{"y\n", false, true}, {"YES\n", false, true}, {"n\n", true, false}, {"\n", true, true}, {"\n", false, false},
		{"what\nn\n", true, false}, {"", true, false}, {"", false, false},
	} {
		d := &Dialog{bufio.NewReader(strings.NewReader(c.in)), new(bytes.Buffer)}
		if got := d.Yes("Write?", c.usual); got != c.want {
			t.Errorf("%q: %v", c.in, got)
		}
	}
	chosen := []bool{true, false, false}
	out := new(bytes.Buffer)
	d := &Dialog{bufio.NewReader(strings.NewReader("3, 1\n9 x B\n\n")), out}
	shown := 0
	d.Toggle(func() { shown++ }, []string{"a", "b", "c"}, func(i int) { chosen[i] = !chosen[i] })
	if chosen[0] || !chosen[1] || !chosen[2] || shown != 3 ||
		!strings.Contains(out.String(), "\"9\" is not in the list.\n\"x\" is not") {
		t.Error(chosen, shown)
	}
}

func TestColorMode(t *testing.T) {
	for line, want := range map[string]string{
		"matrix": "auto", "matrix --color always": "always", "matrix --color=never x": "never",
		"-color=always matrix":                        "always",
		"fire -c x --color always -- p --color never": "always", "run -- p --color never": "auto",
		"check color": "auto"} {
		if got := ColorMode(strings.Fields(line)); got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}
