package conformance

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// difference describes where two JSON values differ, "" if they are the same. The
// order of members doesn't matter, nor how a string is escaped; numbers are compared as
// written. A string that contains a JSON object is compared as that object.
func difference(path string, want, got []byte) string {
	here := cmp.Or(path, "the whole")
	k := ordjson.KindOf(want)
	switch {
	case ordjson.KindOf(got) != k:
	case k == ordjson.ObjectKind:
		a, _ := ordjson.Members(want, 0)
		b, _ := ordjson.Members(got, 0)
		return differentMembers(path, a, b)
	case k == ordjson.Array:
		a, _ := ordjson.Elements(want, 0)
		b, _ := ordjson.Elements(got, 0)
		for i := range min(len(a), len(b)) {
			if d := difference(path+"/"+strconv.Itoa(i), a[i].Value, b[i].Value); d != "" {
				return d
			}
		}
		if len(a) != len(b) {
			return here + " has " + strconv.Itoa(len(b)) + " elements, want " + strconv.Itoa(len(a)) + ": " + brief(string(got))
		}
		return ""
	case k == ordjson.StringKind:
		a, _ := ordjson.String(want)
		b, _ := ordjson.String(got)
		if x, err := ordjson.Parse([]byte(a)); err == nil && a != b {
			if y, err := ordjson.Parse([]byte(b)); err == nil {
				return differentMembers(path, x, y)
			}
		}
		if a == b {
			return ""
		}
	case string(want) == string(got):
		return ""
	}
	return here + " is " + brief(string(got)) + ", want " + brief(string(want))
}

func differentMembers(path string, a, b ordjson.Object) string {
	for _, m := range a {
		v, ok := b.Get(m.Name)
		at := ordjson.Pointer(path, m.Name)
		if !ok {
			return at + " is missing, want " + brief(string(m.Value))
		}
		if d := difference(at, m.Value, v); d != "" {
			return d
		}
	}
	for _, m := range b {
		if _, ok := a.Get(m.Name); !ok {
			return ordjson.Pointer(path, m.Name) + " is too much: " + brief(string(m.Value))
		}
	}
	return ""
}

func sameFindings(want, got []Finding) string {
	if slices.Equal(want, got) {
		return ""
	}
	listed := func(fs []Finding) string { return cmp.Or(strings.Join(lists.Map(fs, Finding.String), ", "), "none") }
	return "diagnostics: " + listed(got) + ", want " + listed(want)
}
