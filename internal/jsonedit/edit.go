package jsonedit

import (
	"bytes"
	"errors"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// Insert adds value, which is standard JSON, after the last element of the array at path, a JSON Pointer. It creates
// the array if there is none, and the objects that lead to it, each as the last field of its parent. The new text has
// the layout of its surroundings: indentation, line ends and spacing are those of the file, what was on one line stays
// so, and where an array has trailing commas the new element has one.
//
// It is an error if src has something else instead of the array or of a parent, null included.
func Insert(src []byte, path string, value []byte) ([]byte, error) {
	d, s, v, err := prepare(src, path, value)
	if err != nil {
		return nil, err
	}
	if len(s.rest) > 0 {
		v = hujson.Value{Value: &hujson.Array{Elements: []hujson.Value{v}}}
		return d.member(s, v)
	}
	if s.v.Value.Kind() != '[' {
		return nil, d.errorAt(s.v.StartOffset, "expected an array, got "+kindOf(s.v))
	}
	return d.insert(s, nil, v)
}

// Set adds to the object at the parent of path a last field with the name at the end of path and the value, laid out as
// by Insert. It is an error if the field exists.
func Set(src []byte, path string, value []byte) ([]byte, error) {
	d, s, v, err := prepare(src, path, value)
	if err != nil {
		return nil, err
	}
	if len(s.rest) == 0 {
		return nil, d.errorAt(s.start, "there is a value at "+strconv.Quote(path)+" already")
	}
	return d.member(s, v)
}

// Replace replaces the value at path, laid out as by Insert.
func Replace(src []byte, path string, value []byte) ([]byte, error) {
	d, s, v, err := prepare(src, path, value)
	if err != nil {
		return nil, err
	}
	if len(s.rest) > 0 || s.parent == nil {
		return nil, d.errorAt(s.v.StartOffset, "there is nothing to replace at "+strconv.Quote(path))
	}
	from, n := s.v.StartOffset, s.v.EndOffset-s.v.StartOffset
	indent, _ := d.indent(s.start)
	text := d.style().append(nil, &v, indent, bytes.IndexByte(d.text[from:from+n], '\n') >= 0)
	return d.apply([]cut{{from, n, string(text)}}, spot{v: s.parent}, len(groupOf(s.parent).items))
}

func prepare(src []byte, path string, value []byte) (*doc, spot, hujson.Value, error) {
	d, s, err := find(src, path)
	if err != nil {
		return nil, s, hujson.Value{}, err
	}
	val, err := parse(value)
	if err == nil && (len(val.marks) > 0 || !val.root.IsStandard()) {
		err = errors.New("not valid JSON")
	}
	if err != nil {
		return nil, s, hujson.Value{}, errors.New("jsonedit: the value to insert: " + err.Error())
	}
	return d, s, val.root, nil
}

// member adds to the object s.v a field named by the first of s.rest; each further name adds an object around v.
func (d *doc) member(s spot, v hujson.Value) ([]byte, error) {
	if s.v.Value.Kind() != '{' {
		return nil, d.errorAt(s.v.StartOffset, "there is no element "+s.rest[0])
	}
	for _, tok := range slices.Backward(s.rest[1:]) {
		name := hujson.Value{Value: hujson.String(tok)}
		v = hujson.Value{Value: &hujson.Object{Members: []hujson.ObjectMember{{Name: name, Value: v}}}}
	}
	return d.insert(s, hujson.String(s.rest[0]), v)
}

// insert adds v after the last item of the group s.v, with the name unless that is nil.
func (d *doc) insert(s spot, name []byte, v hujson.Value) ([]byte, error) {
	g, st := groupOf(s.v), d.style()
	from, trailing := g.open+1, false
	var last item
	if n := len(g.items); n > 0 {
		last = g.items[n-1]
		from = last.end
		if trailing = last.comma >= 0; trailing {
			from = last.comma + 1
		}
	}

	gap := d.text[from:g.shut]
	com := d.comments(from, g.shut)
	outer, leads := d.indent(s.start)
	leads = leads || s.parent == nil // the group's own item begins a line
	if s.parent == nil || !leads {
		outer, _ = d.indent(g.open)
	}

	inner, sibling := outer+st.unit, false
	if len(g.items) > 0 {
		var blanks string
		if blanks, sibling = d.indent(last.start); sibling {
			inner = blanks
		}
	}

	newline := st.nl + inner
	before, after := "", ""
	lines := true // the value may take several
	switch {
	case len(g.items) == 0 && !com.any && len(gap) > 0:
		// Blanks on both sides: so Remove can tell them from new ones.
		before = string(gap)
		inner, lines = lastIndent(gap)
	case len(g.items) == 0 && !com.any && leads:
		before, after = newline, st.nl+outer
	case sibling, com.line, len(g.items) == 0 && bytes.IndexByte(gap, '\n') >= 0:
		before = newline
		lines = !g.array || !sibling || !oneLine(d.text[last.start:last.end])
	case len(g.items) > 0:
		before = st.space
		if n := len(g.items); n > 1 && g.items[n-2].comma+1 == last.start {
			before = ""
		}
		inner, _ = d.indent(last.start)
		lines = bytes.IndexByte(d.text[last.start:last.end], '\n') >= 0
	default:
		lines = false
		if com.any {
			before = " "
		}
	}

	text := []byte(before)
	if name != nil {
		text = append(append(append(text, name...), ':'), st.space...)
	}
	text = st.append(text, &v, inner, lines)
	if trailing {
		text = append(text, ',')
	}

	cuts := []cut{{com.end, 0, string(append(text, after...))}}
	if len(g.items) > 0 && !trailing {
		cuts = slices.Insert(cuts, 0, cut{last.end, 0, ","})
	}
	return d.apply(cuts, s, len(g.items)+1)
}

// lastIndent returns the indentation after the last newline of blanks, and whether there is one.
func lastIndent(blanks []byte) (string, bool) {
	i := bytes.LastIndexByte(blanks, '\n')
	return string(blanks[i+1:]), i >= 0
}

// oneLine reports whether the value text is a non-empty object or array on one line.
func oneLine(text []byte) bool {
	return len(text) > 2 && (text[0] == '{' || text[0] == '[') && bytes.IndexByte(text, '\n') < 0
}

// A cut replaces n bytes of the text with others.
type cut struct {
	at, n int
	text  string
}

// apply makes the cuts, which are in order, and reads the result back: the group s.v must have want items then.
func (d *doc) apply(cuts []cut, s spot, want int) ([]byte, error) {
	out := slices.Clone(d.marks)
	from := 0
	for _, c := range cuts {
		out = append(append(out, d.text[from:c.at]...), c.text...)
		from = c.at + c.n
	}
	out = append(out, d.text[from:]...)
	after, err := parse(out)
	if err != nil {
		return nil, errors.New("jsonedit: this cannot be edited in place: " + err.Error())
	}
	for v := range after.root.All() {
		// The text before a group stays, so it begins where it did.
		if v.StartOffset == s.v.StartOffset && v.Value.Kind() == s.v.Value.Kind() {
			if g := groupOf(v); g != nil && len(g.items) == want {
				return out, nil
			}
		}
	}
	return nil, d.errorAt(s.v.StartOffset, "this cannot be edited in place")
}

// Remove removes the array element or object field at path, a JSON Pointer, from src, with its comma, and with its line
// if nothing else is on it. Comments stay, even those about the value, and so do parents that are empty now.
func Remove(src []byte, path string) ([]byte, error) {
	d, s, err := find(src, path)
	if err != nil {
		return nil, err
	}
	if len(s.rest) > 0 {
		return nil, d.errorAt(s.v.StartOffset, "there is nothing at "+strconv.Quote(path))
	}
	if s.parent == nil {
		return nil, d.errorAt(s.v.StartOffset, "the whole text cannot be removed")
	}
	g := groupOf(s.parent)
	cuts := d.remove(g, s.index)
	return d.apply(cuts, spot{v: s.parent}, len(g.items)-1)
}

func (d *doc) remove(g *group, i int) []cut {
	it, n := g.items[i], len(g.items)
	left := g.open + 1
	if i > 0 {
		left = g.items[i-1].comma + 1
	}

	right, end := g.shut, it.end // of what follows; of what is removed
	var cuts, comma []cut
	if it.comma >= 0 {
		if blank(d.text[it.end:it.comma]) {
			end = it.comma + 1
		} else {
			comma = []cut{{it.comma, 1, ""}}
		}
	}

	if n == 1 && comma == nil {
		if p, q := d.text[left:it.start], d.text[end:right]; blank(p) && blank(q) {
			if q2 := append(slices.Clone(d.text[it.end:max(it.end, end-1)]), q...); bytes.Equal(p, q2) {
				return []cut{{it.start, right - it.start, ""}}
			}
			return []cut{{left, right - left, ""}}
		}
	}

	if i == n-1 && i > 0 && it.comma < 0 {
		cuts = append(cuts, cut{left - 1, 1, ""})
	}
	start := it.start // of the blanks in front
	for start > left && (d.text[start-1] == ' ' || d.text[start-1] == '\t') {
		start--
	}

	next := end // the next thing on the line
	for next < len(d.text) && (d.text[next] == ' ' || d.text[next] == '\t') {
		next++
	}
	endsLine := next < len(d.text) && (d.text[next] == '\n' || d.text[next] == '\r')
	note := next < len(d.text) && d.text[next] == '/'
	nl := start // the newline in front, if the item begins a line
	if nl > left && d.text[nl-1] == '\n' {
		nl--
		if nl > left && d.text[nl-1] == '\r' {
			nl--
		}
	}

	com := d.comments(left, it.start)
	lineEnds := com.line && blank(d.text[com.end:it.start]) && bytes.Count(d.text[com.end:it.start], []byte{'\n'}) == 1
	from, to := it.start, end
	ownLine := endsLine || i == n-1 && !note && !lineEnds
	switch {
	case nl < start && ownLine:
		from = nl
	case i < n-1 || nl < start:
		if !endsLine {
			to = next
		}
	default:
		from = start
	}
	cuts = append(cuts, cut{from, to - from, ""})
	return append(cuts, comma...)
}

func blank(text []byte) bool { return len(bytes.TrimLeft(text, " \t\r\n")) == 0 }
