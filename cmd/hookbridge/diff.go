package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// A rewrite is what a dry run would have done to a file.
type rewrite struct {
	before, after []byte // before nil: there was no file
	remove        bool
}

// wouldWrite notes what a dry run doesn't write.
func (t *target) wouldWrite(after []byte, remove bool) *rewrite {
	if remove {
		after = nil
	}
	t.call.pending[t.file] = after
	return &rewrite{before: t.before, after: after, remove: remove}
}

// diff shows the change as git apply and patch -p1 take it in the folder that the
// file's scope belongs to.
func (c *rewrite) diff(file string, p schema.Places) string {
	root := p.Project
	if rel, err := filepath.Rel(root, file); err != nil || !filepath.IsLocal(rel) {
		root = p.Home
	}
	name, err := filepath.Rel(root, file)
	if err != nil {
		name = file
	}
	name = filepath.ToSlash(name)
	from, to := "a/"+name, "b/"+name
	if c.before == nil {
		from = "/dev/null"
	}
	if c.remove {
		to = "/dev/null"
	}
	return unifiedDiff(from, to, string(c.before), string(c.after))
}

// unifiedDiff is the change from one text to another as a unified diff.
func unifiedDiff(from, to, before, after string) string {
	if before == after {
		return ""
	}
	edits := lineEdits(splitLines(before), splitLines(after))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", quotedName(from), quotedName(to))
	for start := 0; start < len(edits); {
		if edits[start].op == ' ' {
			start++
			continue
		}
		end := hunkEnd(edits, start)
		writeHunk(&b, edits, max(start-around, 0), min(end+around, len(edits)))
		start = end
	}
	return b.String()
}

// around is how many equal lines a hunk shows around a change.
const around = 3

// An edit is a line of the one text (-), the other (+), or both.
type edit struct {
	op   byte
	text string
}

// hunkEnd is behind the last change that belongs to the hunk of the one at start.
func hunkEnd(edits []edit, start int) int {
	end := start
	for i := start; i < len(edits) && i <= end+2*around; i++ {
		if edits[i].op != ' ' {
			end = i + 1
		}
	}
	return end
}

func writeHunk(b *strings.Builder, edits []edit, start, end int) {
	fromLine, toLine := 1, 1
	for _, e := range edits[:start] {
		if e.op != '+' {
			fromLine++
		}
		if e.op != '-' {
			toLine++
		}
	}
	from, to := 0, 0
	for _, e := range edits[start:end] {
		if e.op != '+' {
			from++
		}
		if e.op != '-' {
			to++
		}
	}
	if from == 0 { // a hunk without lines names the line before
		fromLine--
	}
	if to == 0 {
		toLine--
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", fromLine, from, toLine, to)
	for _, e := range edits[start:end] {
		b.WriteByte(e.op)
		b.WriteString(e.text)
		if !strings.HasSuffix(e.text, "\n") {
			b.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// splitLines splits a text behind each line end.
func splitLines(text string) []string {
	list := strings.SplitAfter(text, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

// maxCells keeps the comparison of two long stretches from taking long: beyond it
// they are shown as replaced.
const maxCells = 4 << 20

// lineEdits lists the lines of both texts with what becomes of them.
func lineEdits(a, b []string) (out []edit) {
	add := func(op byte, list []string) {
		for _, l := range list {
			out = append(out, edit{op, l})
		}
	}
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	add(' ', a[:head])
	mid, other := a[head:len(a)-tail], b[head:len(b)-tail]
	if len(mid)*len(other) > maxCells {
		add('-', mid)
		add('+', other)
	} else {
		out = append(out, commonLines(mid, other)...)
	}
	add(' ', a[len(a)-tail:])
	return out
}

// commonLines compares by the longest common subsequence.
func commonLines(a, b []string) (out []edit) {
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[(i+1)*width+j] >= longest[i*width+j+1]:
			out = append(out, edit{'-', a[i]})
			i++
		default:
			out = append(out, edit{'+', b[j]})
			j++
		}
	}
	return out
}

// quotedName writes a file's name as both programs read it.
func quotedName(name string) string {
	if strings.ContainsAny(name, "\"\\\n\t") {
		name = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(name)
		return `"` + name + `"`
	}
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}
