package packed

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestPack(t *testing.T) {
	files := map[string][]byte{"b/x.json": []byte(strings.Repeat("{}\n", 500)), "a": {}, "c": []byte("\x00\xff")}
	archive := Pack("", files)
	if len(archive) > 200 || archive != Pack(archive, files) || archive != Pack("", files) {
		t.Errorf("%d bytes: %q", len(archive), archive)
	}

	got := map[string][]byte{}
	for name, text := range Files(archive) {
		got[name] = text
	}
	if !maps.EqualFunc(got, files, slices.Equal) {
		t.Errorf("%q", got)
	}
	if names := Names(archive); !slices.Equal(names, []string{"a", "b/x.json", "c"}) {
		t.Errorf("names %q", names)
	}
	for name, want := range files {
		if text, ok := File(archive, name); !ok || string(text) != string(want) {
			t.Errorf("%s: %q, %t", name, text, ok)
		}
	}
	if text, ok := File(archive, "b"); ok {
		t.Errorf("a file that isn't there: %q", text)
	}
}

// TestPackKeeps checks that a line whose text is the same stays, however it was compressed.
func TestPackKeeps(t *testing.T) {
	stored := "a AQUA+v9oZWxsbw==\n\n" // a stored block, as no level of Pack writes it
	if got := Pack(stored, map[string][]byte{"a": []byte("hello")}); got != stored {
		t.Errorf("%q", got)
	}
	changed := Pack(stored, map[string][]byte{"a": []byte("other"), "b": []byte("hello")})
	if text, _ := File(changed, "a"); string(text) != "other" || strings.Count(changed, "\n") != 4 {
		t.Errorf("%q", changed)
	}
}

// TestBroken checks that a damaged line is an empty file, not a panic.
func TestBroken(t *testing.T) {
	for _, line := range []string{"a", "a !", "a AAAA", "a " + pack([]byte("hello"))[:6]} {
		for name, text := range Files(line + "\n") {
			if name != "a" || text != nil {
				t.Errorf("%q: %q has %q", line, name, text)
			}
		}
	}
}
