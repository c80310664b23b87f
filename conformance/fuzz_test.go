package conformance

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

// FuzzLoad gives anything for a file of vectors: a vector is whole, or refused at
// a place.
func FuzzLoad(f *testing.F) {
	n := 0
	fs.WalkDir(Embedded(), ".", func(path string, d fs.DirEntry, err error) error {
		if text, rerr := fs.ReadFile(Embedded(), path); err == nil && rerr == nil && n < 50 && len(text) < 8192 {
			f.Add(text)
			n++
		}
		return nil
	})
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
