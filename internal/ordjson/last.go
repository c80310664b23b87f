package ordjson

import (
	"bytes"
	"errors"
	"strconv"
)

// A Repeated is a member that a later one of the same name overrides.
type Repeated struct {
	Pointer string // of the member, which is that of the later one too
	Off     int    // where its value begins
}

// ParseLast reads one object as JSON.parse does: of several members of one name
// the last counts, at every level. It lists the others. Offsets count from the
// start of src, as with Parse.
func ParseLast(src []byte) (Object, []Repeated, error) {
	o, err := Parse(src)
	var se *SyntaxError
	if !errors.As(err, &se) || se.Fault != DuplicateName {
		return o, nil, err
	}
	l := lastReader{out: bytes.Clone(src)}
	l.value(0, len(src), "", 0)
	o, err = Parse(l.out)
	return o, l.repeated, err
}

type lastReader struct {
	out      []byte
	repeated []Repeated
}

// value overwrites by blanks, in the value at out[from:to], every member that is
// overridden, so that the others keep their places. Invalid JSON is left unchanged for
// Parse to report.
func (l *lastReader) value(from, to int, at string, depth int) {
	if depth > MaxDepth {
		return
	}
	o, err := Members(l.out[from:to], from)
	if err != nil {
		o, _ = Elements(l.out[from:to], from)
		for i, m := range o {
			l.value(m.Off, m.Off+len(m.Value), Pointer(at, strconv.Itoa(i)), depth+1)
		}
		return
	}
	last := make(map[string]int, len(o))
	for i, m := range o {
		last[m.Name] = i
	}
	start := from + bytes.IndexByte(l.out[from:to], '{') + 1
	for i, m := range o {
		end := m.Off + len(m.Value)
		if i+1 < len(o) {
			end += bytes.IndexByte(l.out[end:to], ',') + 1
		}
		if path := Pointer(at, m.Name); last[m.Name] == i {
			l.value(m.Off, m.Off+len(m.Value), path, depth+1)
		} else { // never the last member, so a comma follows
			l.repeated = append(l.repeated, Repeated{path, m.Off})
			for j := start; j < end; j++ {
				if l.out[j] != '\n' {
					l.out[j] = ' '
				}
			}
		}
		start = end
	}
}
