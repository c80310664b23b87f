package jsonedit

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// Standard returns src as standard JSON of the same length, in which every
// value has the offset and the line that it has in src: comments and trailing
// commas are blanks. Byte order marks stay.
func Standard(src []byte) ([]byte, error) {
	d, err := parse(src)
	if err != nil {
		return nil, err
	}
	return append(slices.Clip(d.marks), d.standard()...), nil
}

// standard changes d's tree. The result is as long as the text.
func (d *doc) standard() []byte {
	d.root.Standardize()
	return d.root.Pack()[:len(d.text)]
}

// Elements returns the elements of the array at path, a JSON Pointer, as
// standard JSON, spaced as in src. Without such an array it returns nil; it is
// an error if there is something else in its place.
func Elements(src []byte, path string) ([][]byte, error) {
	d, s, err := find(src, path)
	if err != nil || len(s.rest) > 0 {
		return nil, err
	}
	arr, ok := s.v.Value.(*hujson.Array)
	if !ok {
		return nil, d.errorAt(s.v.StartOffset, "expected an array, got "+kindOf(s.v))
	}
	text := d.standard()
	elems := make([][]byte, len(arr.Elements))
	for i, e := range arr.Elements {
		elems[i] = text[e.StartOffset:e.EndOffset:e.EndOffset]
	}
	return elems, nil
}

// Absent returns the shortest part of path at which there is nothing: what
// Insert or Set would create, and what Remove has to take out to undo it. It
// returns "" if there is a value at path.
func Absent(src []byte, path string) (string, error) {
	_, s, err := find(src, path)
	if err != nil || len(s.rest) == 0 {
		return "", err
	}
	for range s.rest[1:] {
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return path, nil
}

// Empty reports whether the value at path is an object or array with nothing in
// it, comments included.
func Empty(src []byte, path string) (bool, error) {
	d, s, err := find(src, path)
	if err != nil || len(s.rest) > 0 {
		return false, err
	}
	g := groupOf(s.v)
	return g != nil && len(g.items) == 0 && blank(d.text[g.open+1:g.shut]), nil
}
