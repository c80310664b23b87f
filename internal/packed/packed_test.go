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

// TestPackKeeps checks that a line for unchanged text stays, however it was compressed.
func TestPackKeeps(t *testing.T) {
	stored := "- " + pack(nil, nil) + "\n\na AQUA+v9oZWxsbw==\n\n" // a stored block, which no level of Pack writes
	if got := Pack(stored, map[string][]byte{"a": []byte("hello")}); got != stored {
		t.Errorf("%q", got)
	}
	changed := Pack(stored, map[string][]byte{"a": []byte("other"), "b": []byte("hello")})
	if text, _ := File(changed, "a"); string(text) != "other" || strings.Count(changed, "\n") != 6 {
		t.Errorf("%q", changed)
	}
}

// TestShared checks that shared text is stored once, and stays when a file changes.
func TestShared(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 20) + "\n"
	files := map[string][]byte{"a": []byte("1\n" + long), "b": []byte(long + "2\n"), "c": []byte("3\n")}
	archive := Pack("", files)
	if string(sharedBy(archive)) != long {
		t.Errorf("shared: %q", sharedBy(archive))
	}

	files["c"] = []byte("4\n" + long)
	changed := strings.Split(Pack(archive, files), "\n")
	for i, line := range strings.Split(archive, "\n") {
		if name, _, _ := strings.Cut(line, " "); (line != changed[i]) != (name == "c") {
			t.Errorf("%q is now %q", line, changed[i])
		}
	}
}

// TestBroken checks that a damaged line is an empty file, not a panic.
func TestBroken(t *testing.T) {
	for _, line := range []string{"a", "a !", "a AAAA", "a " + pack([]byte("hello"), nil)[:6]} {
		for name, text := range Files(line + "\n") {
			if name != "a" || text != nil {
				t.Errorf("%q: %q has %q", line, name, text)
			}
		}
	}
}
