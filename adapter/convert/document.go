package convert

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// Document writes the entries as a file of their own, an entry a line.
func (c *Conversion) Document(to dialect.Dialect) []byte {
	if c.Module != nil {
		return c.Module
	}
	doc := document{hooks: to.Profile().EventsAt, byArray: map[string][]Placed{}}
	for _, e := range c.Entries {
		if doc.byArray[e.Pointer] == nil {
			doc.arrays = append(doc.arrays, e.Pointer)
		}
		doc.byArray[e.Pointer] = append(doc.byArray[e.Pointer], e)
	}
	skeleton, _ := ordjson.Parse([]byte(to.Profile().Skeleton))
	return append(doc.object(nil, skeleton, "", "\n"), '\n')
}

type document struct {
	hooks   string // where the object of events stands
	arrays  []string
	byArray map[string][]Placed
}

// object writes o, which is at that pointer, with the events if they belong there;
// indent begins its lines.
func (doc *document) object(out []byte, o ordjson.Object, at, indent string) []byte {
	out = append(out, '{')
	empty := true
	name := func(s string) {
		if !empty {
			out = append(out, ',')
		}
		empty = false
		out = append(ordjson.AppendString(append(out, indent+"  "...), s), ": "...)
	}
	for _, m := range o {
		name(m.Name)
		path := ordjson.Pointer(at, m.Name)
		if inner, err := ordjson.Members(m.Value, 0); err == nil && strings.HasPrefix(doc.hooks+"/", path+"/") {
			out = doc.object(out, inner, path, indent+"  ")
		} else {
			out = append(out, m.Value...)
		}
	}
	if at == doc.hooks {
		for _, a := range doc.arrays {
			name(strings.TrimPrefix(a, doc.hooks+"/"))
			out = append(out, '[')
			for k, e := range doc.byArray[a] {
				if k > 0 {
					out = append(out, ',')
				}
				out = append(append(out, indent+"    "...), e.Value...)
			}
			out = append(out, indent+"  ]"...)
		}
	}
	if !empty {
		out = append(out, indent...)
	}
	return append(out, '}')
}
