package qoder

import (
	"errors"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// parse reads one JSON object as JavaScript does: of two members of one name the
// last counts (observed 1.1.52, in answers and in settings). The package's own
// reader refuses them, and a guard must not be lost for being written twice.
func parse(text []byte) (ordjson.Object, error) {
	o, err := ordjson.Parse(text)
	var se *ordjson.SyntaxError
	if !errors.As(err, &se) || se.Fault != ordjson.DuplicateName {
		return o, err
	}
	clean := append([]byte(nil), text...)
	for errors.As(err, &se) && se.Fault == ordjson.DuplicateName {
		if !dropDoubles(clean, 0, len(clean), 0) {
			return nil, err
		}
		o, err = ordjson.Parse(clean)
	}
	return o, err
}

// dropDoubles overwrites by blanks, in the value that is text[from:to], all but
// the last of the members of one name, at every level, so that places stay what
// they are. It reports whether it changed anything.
func dropDoubles(text []byte, from, to, depth int) (changed bool) {
	if depth > ordjson.MaxDepth {
		return false
	}
	list, err := ordjson.Elements(text[from:to], from)
	isList := err == nil
	if !isList {
		if list, err = ordjson.Members(text[from:to], from); err != nil {
			return false
		}
	}
	last := make(map[string]int, len(list))
	for i, m := range list {
		last[m.Name] = i
	}
	for i, m := range list {
		if isList || last[m.Name] == i {
			changed = dropDoubles(text, m.Off, m.Off+len(m.Value), depth+1) || changed
			continue
		}
		end := m.Off + len(m.Value)
		for text[end] != ',' { // a later member of the name follows
			end++
		}
		blank(text, nameStart(text, m.Off), end+1)
		changed = true
	}
	return changed
}

// nameStart is where the name of the member whose value begins at off begins.
func nameStart(text []byte, off int) int {
	i := off - 1
	for text[i] != '"' { // the end of the name
		i--
	}
	for i--; ; i-- {
		if text[i] != '"' {
			continue
		}
		slashes := 0
		for j := i - 1; j >= 0 && text[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}

func blank(text []byte, from, to int) {
	for i := from; i < to; i++ {
		if text[i] != '\n' {
			text[i] = ' '
		}
	}
}
