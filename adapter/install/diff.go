package install

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/edits"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/schema"
)

// A rewrite is a pending change of a file.
type rewrite struct {
	before, after []byte // before nil: there was no file
	remove        bool
	write         func() error
}

// pending has the texts after the changes that a job has found so far, by file.
type pending map[string][]byte

// rewrite records a change, in the file's copies too, so that later steps read the new text.
func (p pending) rewrite(f *hostFile, after []byte, remove bool, write func() error) *rewrite {
	if remove {
		after = nil
	}
	for _, name := range copyNames(f.host, f.path, f.before) {
		p[filepath.Join(filepath.Dir(f.path), name)] = nil
	}
	for _, name := range copyNames(f.host, f.path, after) {
		p[filepath.Join(filepath.Dir(f.path), name)] = after
	}
	p[f.path] = after
	return &rewrite{f.before, after, remove, write}
}

// removal removes a file, and the folders below root that it leaves empty.
func removal(file, root string, before []byte) *rewrite {
	return &rewrite{before: before, remove: true, write: func() error {
		err := os.Remove(file)
		jsonedit.RemoveFolders(file, root, "")
		return err
	}}
}

// text returns the text of a file after the changes; nil if there is no file.
func (p pending) text(file string) []byte {
	text, changed := p[file]
	if !changed {
		text, _ = discover.Read(file)
	}
	return text
}

// diff shows the change in the form that git apply and patch -p1 read in the root folder of the file's scope.
func (c *rewrite) diff(file string, p schema.Places) string {
	name, err := filepath.Rel(rootOf(file, p), file)
	if err != nil {
		name = file
	}
	after := c.after
	if !c.remove && after == nil {
		after = []byte{}
	}
	return Diff(filepath.ToSlash(name), c.before, after)
}

// Diff shows the change of a file; nil means no file.
func Diff(name string, before, after []byte) string {
	from, to := "a/"+name, "b/"+name
	if before == nil {
		from = "/dev/null"
	}
	if after == nil {
		to = "/dev/null"
	}
	return unifiedDiff(from, to, string(before), string(after))
}

func unifiedDiff(from, to, before, after string) string {
	if before == after {
		return ""
	}
	a, b := edits.SplitLines(before), edits.SplitLines(after)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", quotedName(from), quotedName(to))
	for list := edits.Hunks(a, b); len(list) > 0; {
		n := 1 // changes whose context lines would meet are one hunk
		for n < len(list) && list[n].A0-list[n-1].A1 <= 2*around {
			n++
		}
		writeHunk(&out, a, b, list[:n])
		list = list[n:]
	}
	return out.String()
}

// around is the number of equal lines shown around a change.
const around = 3

// writeHunk writes changes that are shown as one hunk.
func writeHunk(out *strings.Builder, a, b []string, list []edits.Hunk) {
	first, last := list[0], list[len(list)-1]
	lead, tail := min(around, first.A0), min(around, len(a)-last.A1)
	place := func(start, end int) string {
		n := end - start
		if n > 0 { // a hunk without lines names the line before
			start++
		}
		return fmt.Sprintf("%d,%d", start, n)
	}

	fmt.Fprintf(out, "@@ -%s +%s @@\n", place(first.A0-lead, last.A1+tail), place(first.B0-lead, last.B1+tail))
	write := func(op byte, lines []string) {
		for _, l := range lines {
			out.WriteByte(op)
			out.WriteString(l)
			if !strings.HasSuffix(l, "\n") {
				out.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}

	at := first.A0 - lead
	for _, h := range list {
		write(' ', a[at:h.A0])
		write('-', a[h.A0:h.A1])
		write('+', b[h.B0:h.B1])
		at = h.A1
	}

	write(' ', a[at:at+tail])
}

// quotedName writes a file's name in the form that git and patch read.
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
