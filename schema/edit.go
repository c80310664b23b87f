package schema

import "github.com/hookbridge/hookbridge/internal/ordjson"

// A TextEdit replaces Old by New in a file. An empty Old stands for the whole
// file: the file is new, or what it held is unknown.
type TextEdit struct {
	Old, New string
	All      bool // every occurrence, not only the first
}

// EditNames are a dialect's names for the members of one edit.
type EditNames struct{ Old, New, All string }

// CanonicalEdits are the names used in the value of RoleEdits.
var CanonicalEdits = EditNames{Old: "old", New: "new", All: "all"}

// Decode reads a list of edits; entries that are none are left out.
func (n EditNames) Decode(raw []byte) []TextEdit {
	var es []TextEdit
	for _, o := range ordjson.Objects(raw) {
		all, _ := o.Bool(n.All)
		es = append(es, TextEdit{Old: o.Str(n.Old), New: o.Str(n.New), All: all})
	}
	return es
}

// Append writes a list of edits.
func (n EditNames) Append(dst []byte, es []TextEdit) []byte {
	return ordjson.AppendArray(dst, es, func(dst []byte, e TextEdit) []byte {
		w := ordjson.NewWriter(dst)
		w.String(n.Old, e.Old)
		w.String(n.New, e.New)
		if e.All && n.All != "" {
			w.Bool(n.All, true)
		}
		return w.Bytes()
	})
}

// Convert writes a list of edits in other names.
func (n EditNames) Convert(raw []byte, to EditNames) []byte { return to.Append(nil, n.Decode(raw)) }
