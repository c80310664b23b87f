package convert

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestOwnEntries checks that only handlers that call hookbridge are found, in files of every dialect, even in files
// that their agent rejects.
func TestOwnEntries(t *testing.T) {
	for _, d := range adapter.Dialects() {
		shape := handlerShape(d, "")
		if len(shape) == 0 || shape[len(shape)-1] == "*" {
			t.Errorf("%s: no place for a command: %q", d.Profile().Name, shape)
		}
	}
	claude, _ := adapter.Find("claude")
	text := `{"hooks":{"PreToolUse":[
		{"matcher":"Bash","hooks":[
			{"type":"command","command":"./mine.sh","statusMessage":"hookbridge run --host claude --hooks cursor"},
			{"type":"command","command":"hookbridge run --host claude --hooks cursor"},
			{"type":"command","command":5}]},
		{"hooks":[{"type":"command","command":"hookbridge run --host claude --hooks cursor"}]}],
		"NoSuchEvent":[{"hooks":[{"type":"command","command":"hookbridge","args":["run","--hooks","cursor"]}]}]}} // end`
	own, err := OwnEntries(claude, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range own {
		if !e.Call.Installed("claude", "cursor") {
			t.Errorf("%s is not an installation's", e.Pointer)
		}
		if e.Alone {
			e.Pointer += " alone"
		}
		got = append(got, e.Pointer)
	}
	want := "/hooks/PreToolUse/0/hooks/1, /hooks/PreToolUse/1/hooks/0 alone, /hooks/NoSuchEvent/0/hooks/0 alone"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("found %s, want %s", s, want)
	}
}
