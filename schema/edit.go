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
	list, err := ordjson.Elements(raw, 0)
	if err != nil {
		return nil
	}
	var es []TextEdit
	for _, m := range list {
		o, err := ordjson.Members(m.Value, 0)
		if err != nil {
			continue
		}
		var e TextEdit
		for _, m := range o {
			switch m.Name {
			case n.Old:
				e.Old, _ = ordjson.String(m.Value)
			case n.New:
				e.New, _ = ordjson.String(m.Value)
			case n.All:
				e.All, _ = ordjson.Bool(m.Value)
			}
		}
		es = append(es, e)
	}
	return es
}

// Append writes a list of edits.
func (n EditNames) Append(dst []byte, es []TextEdit) []byte {
	dst = append(dst, '[')
	for i, e := range es {
		if i > 0 {
			dst = append(dst, ',')
		}
		w := ordjson.NewWriter(dst)
		w.String(n.Old, e.Old)
		w.String(n.New, e.New)
		if e.All && n.All != "" {
			w.Bool(n.All, true)
		}
		dst = w.Bytes()
	}
	return append(dst, ']')
}

// Convert writes a list of edits in other names.
func (n EditNames) Convert(raw []byte, to EditNames) []byte { return to.Append(nil, n.Decode(raw)) }
