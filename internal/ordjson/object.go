package ordjson

import "slices"

// A Member is one name and value of an object, or one element of an array.
type Member struct {
	Name  string // unescaped; "" for an array element
	Value []byte // the value as the source spells it, without blanks around it
	Off   int    // where Value begins in the document
}

// An Object is the members of one JSON object in source order. The zero Object
// is empty. No name occurs twice in an Object that Parse returned.
type Object []Member

// Get returns the value of the member called name; ok reports whether there is
// one.
func (o Object) Get(name string) (value []byte, ok bool) {
	for i := range o {
		if o[i].Name == name {
			return o[i].Value, true
		}
	}
	return nil, false
}

// Has reports whether o has a member.
func (o Object) Has(name string) bool {
	_, ok := o.Get(name)
	return ok
}

// Value returns the value of a member, nil if there is none.
func (o Object) Value(name string) []byte {
	raw, _ := o.Get(name)
	return raw
}

// Str returns the text of a member, "" if it isn't one.
func (o Object) Str(name string) string {
	s, _ := String(o.Value(name))
	return s
}

// Text returns the text of a member; false: it isn't one.
func (o Object) Text(name string) (string, bool) { return String(o.Value(name)) }

// Bool returns the value of a member; false: it isn't a boolean.
func (o Object) Bool(name string) (v, ok bool) { return Bool(o.Value(name)) }

// Int returns the value of a member; false: it isn't a whole number.
func (o Object) Int(name string) (n int64, ok bool) { return Int(o.Value(name)) }

// Strings returns the texts of a member, nil if it isn't an array of texts.
func (o Object) Strings(name string) []string { return Strings(o.Value(name)) }

// Members returns the members of a member that is an object.
func (o Object) Members(name string) (Object, error) { return Members(o.Value(name), 0) }

// Objects returns those elements of a member that are objects.
func (o Object) Objects(name string) []Object { return Objects(o.Value(name)) }

// Elements returns the elements of a member that is an array.
func (o Object) Elements(name string) ([]Member, error) { return Elements(o.Value(name), 0) }

// Take removes the member called name and returns it; ok reports whether it
// was there. What is never taken is, by construction, unknown. The others keep
// their order, and an Object that shared its members with o is unaffected.
func (o *Object) Take(name string) (m Member, ok bool) {
	old := *o
	i := slices.IndexFunc(old, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return Member{}, false
	}
	last := len(old) - 1
	switch i {
	case 0:
		*o = old[1:len(old):len(old)]
	case last:
		*o = old[:last:last]
	default:
		*o = slices.Concat(old[:i], old[i+1:])
	}
	return old[i], true
}

// Append appends o to dst as a JSON object and returns the extended slice.
// Values are copied byte for byte; a member without a value gets null.
func (o Object) Append(dst []byte) []byte {
	dst = append(dst, '{')
	for i := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, o[i].Name)
		dst = append(dst, ':')
		dst = appendValue(dst, o[i].Value)
	}
	return append(dst, '}')
}

// appendValue appends value, or null if there is none.
func appendValue(dst, value []byte) []byte {
	if len(value) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, value...)
}
