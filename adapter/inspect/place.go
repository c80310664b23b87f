package inspect

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// placeOf returns the place of a JSON Pointer's value; ok is false if there is none.
func placeOf(text []byte, pointer string) (line, col int, ok bool) {
	m := pointed(text, pointer)
	if m == nil {
		return 0, 0, false
	}
	line, col = ordjson.Position(text, m.Off)
	return line, col, true
}

// Place sets the places of findings about a file to those of their pointers in its text. Until then, a finding may have
// only the place of its entry.
func Place(ds schema.Diagnostics, file string, text []byte) {
	asked := map[string][]*schema.Diagnostic{} // by pointer
	above := map[string]bool{}                 // the parents of pointers in asked
	for i := range ds {
		p := ds[i].Path
		if p == "" || ds[i].File != file {
			continue
		}
		asked[p] = append(asked[p], &ds[i])
		for i := strings.LastIndexByte(p, '/'); i > 0 && !above[p[:i]]; i = strings.LastIndexByte(p[:i], '/') {
			above[p[:i]] = true
		}
	}

	o, _, err := ordjson.ParseLast(text)
	if err != nil || len(asked) == 0 {
		return
	}

	index := ordjson.NewIndex(text)
	var walk func(list []ordjson.Member, at string)
	walk = func(list []ordjson.Member, at string) {
		for i, m := range list {
			name := m.Name
			if name == "" {
				name = strconv.Itoa(i)
			}
			path := ordjson.Pointer(at, name)
			for _, d := range asked[path] {
				d.Line, d.Col = index.Position(m.Off)
			}
			if !above[path] {
				continue
			}
			if inner, err := ordjson.Members(m.Value, m.Off); err == nil {
				walk(inner, path)
			} else if inner, err := ordjson.Elements(m.Value, m.Off); err == nil {
				walk(inner, path)
			}
		}
	}

	walk(o, "")
}

// pointed returns a JSON Pointer's field or element, nil if there is none.
func pointed(text []byte, pointer string) *ordjson.Member {
	o, err := ordjson.Parse(text)
	if err != nil {
		o, err = ordjson.Parse(ordjson.BlankComments(text))
	}
	if err != nil || pointer == "" {
		return nil
	}
	list := []ordjson.Member(o)
	tokens := strings.Split(pointer[1:], "/")
	for i, t := range tokens {
		m := memberAt(list, strings.NewReplacer("~1", "/", "~0", "~").Replace(t))
		if m == nil || i == len(tokens)-1 {
			return m
		}
		if inner, err := ordjson.Members(m.Value, m.Off); err == nil {
			list = inner
		} else if list, err = ordjson.Elements(m.Value, m.Off); err != nil {
			return nil
		}
	}
	return nil
}

func memberAt(list []ordjson.Member, name string) *ordjson.Member {
	for i := range list {
		if list[i].Name == name || list[i].Name == "" && strconv.Itoa(i) == name {
			return &list[i]
		}
	}
	return nil
}

// Without replaces the field at a JSON Pointer with blanks, including its name and one adjacent comma, so the rest
// keeps its places and pointers. ok is false if there is no such field or the rest would be invalid JSON.
func Without(text []byte, pointer string) (out []byte, ok bool) {
	m := pointed(text, pointer)
	if m == nil || m.Name == "" {
		return nil, false
	}
	out = append([]byte(nil), text...)
	start, end := bytes.LastIndexByte(out[:m.Off], ':'), m.Off+len(m.Value)
	for range 2 { // the quotes around its name
		start = bytes.LastIndexByte(out[:max(start, 0)], '"')
	}
	if start < 0 {
		return nil, false
	}
	const blanks = " \t\r\n"
	if rest := bytes.TrimLeft(out[end:], blanks); bytes.HasPrefix(rest, []byte{','}) {
		end = len(out) - len(rest) + 1
	} else if before := bytes.TrimRight(out[:start], blanks); bytes.HasSuffix(before, []byte{','}) {
		start = len(before) - 1
	}
	for i := start; i < end; i++ {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
	return out, ordjson.Check(out) == nil
}
