package conformance

import (
	"maps"
	"slices"
	"testing"
	"testing/fstest"
)

// FuzzLoad reads any text as a file of vectors: a vector is complete, or rejected with a place.
func FuzzLoad(f *testing.F) {
	for _, vectors := range readFolder(f) {
		for _, id := range slices.Sorted(maps.Keys(vectors))[:1] {
			f.Add(vectors[id])
			f.Add(slices.Concat([]byte("["), vectors[id], []byte(",\n"), vectors[id], []byte("]")))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, bad := Load(fstest.MapFS{"v.json": {Data: text}}, "x/", func(string) bool { return true })
		for _, v := range list {
			if v.ID == "" || v.Line < 1 {
				t.Fatalf("%+v", v)
			}
		}
		for _, p := range bad {
			if p.File == "" || p.Msg == "" {
				t.Fatalf("%+v", p)
			}
		}
	})
}
