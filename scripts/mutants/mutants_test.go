package main

import (
	"slices"
	"testing"
)

// TestMutantsIn holds what is changed in a file.
func TestMutantsIn(t *testing.T) {
	const text = `package p

func f(a []int, on bool) (n int) {
	b := make([]int, 0, 9)
	if len(a) < 2 && !on {
		return
	}
	switch {
	case on:
		n++
	default:
		g(b)
	}
	n = 7
	return n
}
`
	found, err := mutantsIn("p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range found {
		got = append(got, m.String()+" -> "+m.with)
	}
	want := []string{
		"p.go:5: negated: len(a) < 2 && !on -> !(len(a) < 2 && !on)", "p.go:5: && is ||: len(a) < 2 && !on -> ||",
		"p.go:5: < is <=: len(a) < 2 -> <=", "p.go:5: one more: 2 -> 3", "p.go:5: not negated: !on -> ",
		"p.go:6: removed: return -> ", "p.go:9: removed: case on: n++ -> ", "p.go:10: removed: n++ -> ",
		"p.go:12: removed: g(b) -> ", "p.go:14: removed: n = 7 -> ", "p.go:14: one more: 7 -> 8",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
