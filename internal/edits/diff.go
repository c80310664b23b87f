// Package edits finds and applies the edits from one text to another.
package edits

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// A Hunk replaces lines A0 to A1 of the old text with lines B0 to B1 of the new one. Neither end of a hunk is a line
// that both texts share.
type Hunk struct{ A0, A1, B0, B1 int }

// fullCompare is the largest product of line counts that is compared line by line. Larger texts are first split at
// lines that occur once in both.
const fullCompare = 1 << 20

// SplitLines returns the lines of a text with their line ends.
func SplitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	return lines
}

// Hunks returns the changes between two lists of lines, from the top.
func Hunks(a, b []string) []Hunk { return appendHunks(nil, a, b, 0, 0) }

// appendHunks compares a and b, which begin at lines i and j of their texts.
func appendHunks(hs []Hunk, a, b []string, i, j int) []Hunk {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, i, j = a[1:], b[1:], i+1, j+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	switch {
	case len(a) == 0 && len(b) == 0:
		return hs
	case len(a) == 0 || len(b) == 0:
		return append(hs, Hunk{i, i + len(a), j, j + len(b)})
	}

	common := longestCommon
	if len(a)*len(b) > fullCompare {
		common = uniqueCommon // lines that occur once in both
	}
	pairs := common(a, b)
	if len(pairs) == 0 {
		return append(hs, Hunk{i, i + len(a), j, j + len(b)})
	}

	x, y := 0, 0
	for _, p := range append(pairs, [2]int{len(a), len(b)}) {
		if p[0] > x || p[1] > y {
			hs = appendHunks(hs, a[x:p[0]], b[y:p[1]], i+x, j+y)
		}
		x, y = p[0]+1, p[1]+1
	}
	return hs
}

func longestCommon(a, b []string) (pairs [][2]int) {
	w := len(b) + 1
	best := make([]int32, (len(a)+1)*w) // for the suffixes that begin at (i, j)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				best[i*w+j] = best[(i+1)*w+j+1] + 1
			} else {
				best[i*w+j] = max(best[(i+1)*w+j], best[i*w+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case best[(i+1)*w+j] >= best[i*w+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// uniqueCommon pairs the lines that occur once in both texts, as many as keep
// their order (patience diff).
func uniqueCommon(a, b []string) [][2]int {
	type seen struct{ inA, inB, i, j int }
	lines := make(map[string]*seen, len(a))
	for i, s := range a {
		if l := lines[s]; l != nil {
			l.inA++
		} else {
			lines[s] = &seen{inA: 1, i: i}
		}
	}

	for j, s := range b {
		if l := lines[s]; l != nil {
			l.inB++
			l.j = j
		}
	}

	type link struct{ i, j, prev int }
	var links []link
	var piles []int // the last link of the best chain of each length
	for i, s := range a {
		l := lines[s]
		if l.inA != 1 || l.inB != 1 {
			continue
		}
		at, _ := slices.BinarySearchFunc(piles, l.j, func(k, j int) int { return links[k].j - j })
		prev := -1
		if at > 0 {
			prev = piles[at-1]
		}
		links = append(links, link{i, l.j, prev})
		if at == len(piles) {
			piles = append(piles, 0)
		}
		piles[at] = len(links) - 1
	}
	if len(piles) == 0 {
		return nil
	}

	pairs := make([][2]int, len(piles))
	for n, k := len(piles)-1, piles[len(piles)-1]; n >= 0; n, k = n-1, links[k].prev {
		pairs[n] = [2]int{links[k].i, links[k].j}
	}

	return pairs
}

// Lines lists the changes between two texts. Each edit has only the removed and the added lines, without the last
// line's end. An edit that only adds has no old text.
func Lines(old, new string) (es []schema.TextEdit) {
	a, b := SplitLines(old), SplitLines(new)
	for _, h := range Hunks(a, b) {
		es = append(es, schema.TextEdit{Old: withoutEnd(a[h.A0:h.A1]), New: withoutEnd(b[h.B0:h.B1])})
	}
	return es
}

// withoutEnd joins lines and removes the last line end, unless it is the whole text.
func withoutEnd(lines []string) string {
	s := strings.Join(lines, "")
	if len(s) > 1 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// textEdit returns a hunk without the line end that both of its texts have. A text that is only an empty line keeps it.
func textEdit(a, b []string, h Hunk) schema.TextEdit {
	x, y := strings.Join(a[h.A0:h.A1], ""), strings.Join(b[h.B0:h.B1], "")
	if len(x) > 1 && len(y) > 1 && strings.HasSuffix(x, "\n") && strings.HasSuffix(y, "\n") {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return schema.TextEdit{Old: x, New: y}
}

const (
	contextLines = 40 // unchanged lines that an edit may include to be unique
	uniqueEdits  = 64 // edits that are made unique: each needs a search of the whole text
)

// diff lists edits that turn old into new when an edit tool applies them in turn. Such a tool needs a text to replace
// that occurs once. If the removed lines don't, an edit includes lines around them, as a model would. If that fails, or
// there are very many, the edits have only the changed lines.
func diff(old, new string) []schema.TextEdit {
	if old == new {
		return []schema.TextEdit{{Old: old, New: new}}
	}
	a, b := SplitLines(old), SplitLines(new)
	hs := Hunks(a, b)
	es := make([]schema.TextEdit, len(hs))
	if len(hs) > uniqueEdits {
		return Lines(old, new)
	}
	text, from := old, 0
	for i, h := range hs {
		to := len(a)
		if i+1 < len(hs) {
			to = hs[i+1].A0
		}
		e, end := uniqueEdit(a, b, h, from, to, text)
		es[i], from = e, end
		text = strings.Replace(text, e.Old, e.New, 1)
	}
	if Apply(old, es) != new {
		return Lines(old, new)
	}
	return es
}

// uniqueEdit widens a hunk within the lines from and to until its old text occurs once, and returns the line at which
// it ends.
func uniqueEdit(a, b []string, h Hunk, from, to int, text string) (e schema.TextEdit, end int) {
	for n := 0; ; n++ {
		e = textEdit(a, b, h)
		if e.Old != "" && strings.Count(text, e.Old) == 1 || len(a) == 0 {
			return e, h.A1
		}
		up, down := h.A0 > from, h.A1 < to
		switch {
		case n == contextLines || !up && !down:
			return e, h.A1
		case up && (n%2 == 0 || !down):
			h.A0, h.B0 = h.A0-1, h.B0-1
		default:
			h.A1, h.B1 = h.A1+1, h.B1+1
		}
	}
}

// As lists the changes between two texts in the form of a tool of kind k: edits to apply in turn for several, one edit
// for a single one, the changed lines for an event that reports a change.
func As(k schema.Kind, old, new string) []schema.TextEdit {
	switch k {
	case schema.MultiEdit:
		return diff(old, new)
	case schema.Edit:
		if es := Lines(old, new); len(es) > 1 {
			return es
		}
		return diff(old, new)
	}
	return Lines(old, new)
}

// One returns several edits as one, for a tool that takes only one: everything removed and everything added.
func One(es []schema.TextEdit) schema.TextEdit {
	if len(es) == 1 {
		return es[0]
	}
	var old, new []string
	for _, e := range es {
		if e.Old != "" {
			old = append(old, strings.TrimSuffix(e.Old, "\n"))
		}
		if e.New != "" {
			new = append(new, strings.TrimSuffix(e.New, "\n"))
		}
	}
	return schema.TextEdit{Old: strings.Join(old, "\n"), New: strings.Join(new, "\n")}
}

// Apply applies edits to a text, one after the other.
func Apply(text string, es []schema.TextEdit) string {
	for _, e := range es {
		switch {
		case e.Old == "":
			text = e.New
		case e.All:
			text = strings.ReplaceAll(text, e.Old, e.New)
		default:
			text = strings.Replace(text, e.Old, e.New, 1)
		}
	}
	return text
}
