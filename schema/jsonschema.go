package schema

import (
	"bytes"
	_ "embed"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/packed"
)

// documents contains the files of json/, compressed: JSON Schemas (draft 2020-12), most of them made from the dialects'
// tables. In them, x-since is the first version with a part, and x-surfaces lists the programs with it, of those that
// share a dialect.
//
//go:embed json.txt
var documents string

// Documents lists the names of the embedded JSON Schemas in alphabetical order.
func Documents() []string {
	out := lists.Map(packed.Names(documents), func(file string) string { return strings.TrimSuffix(file, ".json") })
	slices.Sort(out) // without the suffixes of the files' names
	return out
}

// Document returns the JSON Schema called name, reduced to a version or the name of a surface; "" is the newest
// version. The error reports an unknown schema or surface.
func Document(name, version string) ([]byte, error) {
	text, ok := packed.File(documents, name+".json")
	if !ok {
		return nil, errors.New("no schema " + strconv.Quote(name))
	}
	if version == "" {
		return text, nil
	}
	if !bytes.Contains(text, []byte(`"x-since"`)) && !bytes.Contains(text, []byte(`"x-surfaces"`)) {
		return nil, errors.New(name + " has no versions")
	}

	o, _ := ordjson.Parse(text)
	p := pruner{version: version}
	if newest, surfaces := o.Strings("x-newest"), o.Strings("x-surfaces"); len(surfaces) > 0 {
		p.surface = surfaces[0] // for a plain version
		if !isVersion(version) {
			p.surface, p.version = version, ""
		}
		if !slices.Contains(surfaces, p.surface) {
			return nil, errors.New("no version and no surface " + strconv.Quote(version) + "; surfaces are " +
				strings.Join(surfaces, ", "))
		}
		o.Take("x-surfaces")
	} else if !isVersion(version) {
		return nil, errors.New("no version " + strconv.Quote(version))
	} else if slices.ContainsFunc(newest, func(prefix string) bool { return strings.HasPrefix(version, prefix) }) {
		p.version = "" // another surface's number, as new as the newest
	}

	return append(p.object(o), '\n'), nil
}

func isVersion(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// A pruner removes the parts of a schema that a version or a surface doesn't have.
type pruner struct {
	version string // "": the newest
	surface string // "": there are none
}

// gone reports whether a part is marked for other versions or surfaces.
func (p *pruner) gone(raw []byte) bool {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return false
	}
	if p.version != "" {
		notYet := o.Has("x-since") && before(p.version, o.Str("x-since"))
		noLonger := o.Has("x-until") && !before(p.version, o.Str("x-until"))
		if notYet || noLonger {
			return true
		}
	}
	on := o.Strings("x-surfaces")
	return p.surface != "" && len(on) > 0 && !slices.Contains(on, p.surface)
}

func (p *pruner) object(o ordjson.Object) []byte {
	o = slices.DeleteFunc(slices.Clone(o), func(m ordjson.Member) bool { return p.gone(m.Value) })
	for i := range o {
		o[i].Value = p.value(o[i].Value)
	}
	return o.Append(nil)
}

func (p *pruner) value(raw []byte) []byte {
	if o, err := ordjson.Members(raw, 0); err == nil {
		return p.object(o)
	}
	list, err := ordjson.Elements(raw, 0)
	if err != nil {
		return raw
	}
	list = slices.DeleteFunc(list, func(m ordjson.Member) bool { return p.gone(m.Value) })
	return ordjson.AppendArray(nil, list, func(dst []byte, m ordjson.Member) []byte {
		return append(dst, p.value(m.Value)...)
	})
}

func before(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		m, n := 0, 0
		if i < len(x) {
			m, _ = strconv.Atoi(x[i])
		}
		if i < len(y) {
			n, _ = strconv.Atoi(y[i])
		}
		if m != n {
			return m < n
		}
	}
	return false
}
