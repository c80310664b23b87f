package conformance

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A folder contains the texts of the vectors by file and id. The files are arrays, one for each op and pair:
// op/from-to-to.json.
type folder map[string]map[string][]byte

// readFolder reads the suite. A file with one vector, op/from-to-to/one-fact.json, replaces an entry with its id, so
// that a branch may add such files; write moves them into the arrays.
func readFolder(t testing.TB) folder {
	t.Helper()
	f := folder{}
	var single [][]byte
	for _, text := range filesBelow(t, "vectors") {
		elements, err := ordjson.Elements(bytes.TrimSpace(text), 0)
		if err != nil {
			single = append(single, text)
		}
		for _, e := range elements {
			f.set(t, e.Value)
		}
	}
	for _, text := range single {
		f.set(t, text)
	}
	return f
}

// filesBelow returns the contents of a folder's JSON files by their slash-separated paths.
func filesBelow(t testing.TB, root string) map[string][]byte {
	t.Helper()
	texts := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".json") {
			return err
		}
		texts[name], err = os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// singles lists the ids of the vectors with a separate file.
func singles(t testing.TB) (ids []string) {
	t.Helper()
	for name := range filesBelow(t, "vectors") {
		if id := strings.TrimSuffix(name, ".json"); strings.Count(id, "/") == 2 {
			ids = append(ids, id)
		}
	}
	return ids
}

// unlist removes vectors from the list of generated ones. TestGenerated adds one again if it equals its table, and
// leaves any other alone.
func unlist(t testing.TB, ids []string) {
	t.Helper()
	if len(ids) == 0 {
		return
	}
	text, err := os.ReadFile(generatedList)
	if err != nil {
		t.Fatal(err)
	}
	left := slices.DeleteFunc(strings.Fields(string(text)), func(id string) bool { return slices.Contains(ids, id) })
	if err := os.WriteFile(generatedList, []byte(strings.Join(left, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// set puts a vector into the file that its id names.
func (f folder) set(t testing.TB, text []byte) {
	t.Helper()
	o, err := ordjson.Parse(text)
	if err != nil || strings.Count(o.Str("id"), "/") != 2 {
		t.Fatalf("no vector: %v\n%s", err, text)
	}
	id := o.Str("id")
	file := fileOf(id)
	if f[file] == nil {
		f[file] = map[string][]byte{}
	}
	f[file][id] = text
}

// get returns a vector's text, nil if there is none.
func (f folder) get(id string) []byte { return f[fileOf(id)][id] }

func (f folder) remove(id string) { delete(f[fileOf(id)], id) }

func fileOf(id string) string { return id[:strings.LastIndex(id, "/")] + ".json" }

// texts returns the contents of the files: the vectors by id, each formatted by pretty.
func (f folder) texts() map[string][]byte {
	texts := map[string][]byte{}
	for file, vectors := range f {
		if len(vectors) == 0 {
			continue
		}
		text := []byte("[")
		for i, id := range slices.Sorted(maps.Keys(vectors)) {
			if i > 0 {
				text = append(text, ',')
			}
			text = pretty(append(text, '\n'), vectors[id], "", true)
		}
		texts[file] = append(text, "\n]\n"...)
	}
	return texts
}

// write writes the files that differ, and removes those of single vectors.
func (f folder) write(t testing.TB) {
	t.Helper()
	want, have := f.texts(), filesBelow(t, "vectors")
	for name := range have {
		file := filepath.Join("vectors", filepath.FromSlash(name))
		if _, ok := want[name]; !ok && os.Remove(file) == nil {
			os.Remove(filepath.Dir(file)) // in case it was the last one
		}
	}
	for name, text := range want {
		if bytes.Equal(have[name], text) {
			continue
		}
		file := filepath.Join("vectors", filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if err == nil {
			err = os.WriteFile(file, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestLaidOut checks that every vector is in the file that its id names, in the order of the ids, one field per line
// and short. With -update it merges files of single vectors: they count even if a table differs.
func TestLaidOut(t *testing.T) {
	f := readFolder(t)
	if *update {
		unlist(t, singles(t))
		f.write(t)
	}

	want, have := f.texts(), filesBelow(t, "vectors")
	for name := range have {
		switch text, ok := want[name]; {
		case !ok:
			t.Errorf("%s isn't a file of an op and a pair; -update merges it", name)
		case !bytes.Equal(text, have[name]):
			t.Errorf("%s isn't laid out as usual; -update does that", name)
		}
	}
	for _, vectors := range f {
		for id, text := range vectors {
			if n := bytes.Count(text, []byte{'\n'}); n > 60 {
				t.Errorf("%s has %d lines: more than a screen", id, n)
			}
		}
	}
}

// TestFolder checks where vectors are written, and that a file of one vector replaces its entry.
func TestFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	put := func(file, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("vectors/call/a-to-b.json", `[{"id":"call/a-to-b/y","why":"old"},{"id":"call/a-to-b/z","why":"it"}]`)
	put("vectors/call/a-to-b/y.json", `{"id":"call/a-to-b/y","why":"new"}`)
	put("vectors/run/a-to-b/x.json", `{"id":"run/a-to-b/x"}`)
	put("vectors/run/a-to-b/w.json", `{"id":"run/a-to-b/w"}`)

	put(generatedList, "call/a-to-b/y\ncall/a-to-b/z\n")

	f := readFolder(t)
	f.remove("run/a-to-b/w")
	unlist(t, singles(t))
	f.write(t)
	if list, err := os.ReadFile(generatedList); err != nil || string(list) != "call/a-to-b/z\n" {
		t.Errorf("listed as generated: %q, %v", list, err)
	}

	files := filesBelow(t, "vectors")
	want := "[\n{\n  \"id\": \"call/a-to-b/y\",\n  \"why\": \"new\"\n},\n{\n  \"id\": \"call/a-to-b/z\",\n" +
		"  \"why\": \"it\"\n}\n]\n"
	if got := string(files["call/a-to-b.json"]); got != want || len(files) != 2 {
		t.Errorf("%d files, %s", len(files), got)
	}
	if got := string(files["run/a-to-b.json"]); got != "[\n{\n  \"id\": \"run/a-to-b/x\"\n}\n]\n" {
		t.Error(got)
	}
	if _, err := os.Stat("vectors/run/a-to-b"); err == nil {
		t.Error("the empty folder is still there")
	}
	if text := readFolder(t).get("call/a-to-b/z"); !bytes.Contains(text, []byte("it")) {
		t.Errorf("%q", text)
	}
}
