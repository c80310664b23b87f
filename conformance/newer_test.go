package conformance

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestNewerWords checks scenarios whose hook file has an unknown word for which its own agent rejects the whole file.
// They must declare the difference: hookbridge runs the rest, since a newer version may accept the word.
func TestNewerWords(t *testing.T) {
	found := 0
	files, _ := filepath.Glob("live/scenarios/*-in-*.json")
	for _, file := range files {
		owner, _, _ := strings.Cut(filepath.Base(file), "-in-")
		own, err := adapter.Find(owner)
		if err != nil {
			t.Fatal(file, err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range ordjson.Objects(bytes.TrimSpace(text)) {
			if newer := newerWords(t, own, o); len(newer) > 0 {
				found++
				if o.Str("expect") == "same" {
					t.Errorf("%s: %s expects the same: %v", file, o.Str("name"), newer)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no scenario has such a word")
	}
}

// newerWords returns the findings about unknown words in the hook files of a scenario.
func newerWords(t *testing.T, own adapter.Dialect, o ordjson.Object) schema.Diagnostics {
	t.Helper()
	dir := t.TempDir()
	places := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project")}
	for folder, key := range map[string]string{places.Project: "files", places.Home: "home"} {
		contents, _ := o.Members(key)
		for _, m := range contents {
			file := filepath.Join(folder, filepath.FromSlash(m.Name))
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			text, ok := ordjson.String(m.Value)
			if !ok {
				text = string(m.Value)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, found := discover.Load(own, places, nil)
	return slices.DeleteFunc(found, func(d schema.Diagnostic) bool { return d.Code != schema.CodeNewerWord })
}
