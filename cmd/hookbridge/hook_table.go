package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// A hookTable prints findings as a table: a row for each hook, below the file that has
// it, and a column for each agent. Agents that don't fit beside the labels follow in
// further tables.
type hookTable struct {
	group func(*inspect.Finding) string // the heading of a row; nil: there are none
	label func(*inspect.Finding) string
	key   func(*inspect.Finding) string // equal for findings of one row
	word  func(*inspect.Finding) string // in the cell of a row and an agent
}

// pageWidth is what tables, remarks and findings are fitted to.
const pageWidth = 100

const (
	labelWidth = 34 // at least
	columnGap  = "  "
)

type hookRow struct {
	group, label string
	cells        map[string]*inspect.Finding // by agent: the worst
}

func (t *hookTable) print(w io.Writer, p painter, found []inspect.Finding) {
	rows, hosts := t.rows(found)
	widths := map[string]int{}
	for _, h := range hosts {
		widths[h] = len(h)
		for _, r := range rows {
			if f := r.cells[h]; f != nil {
				widths[h] = max(widths[h], len(t.word(f)))
			}
		}
	}

	for i, some := range blocks(hosts, widths, pageWidth-labelWidth-len(columnGap)) {
		if i > 0 {
			fmt.Fprintln(w)
		}
		t.printBlock(w, p, rows, some, widths)
	}
}

// rows are the table's, in the order of the findings, those of a file together.
func (t *hookTable) rows(found []inspect.Finding) (rows []*hookRow, hosts []string) {
	byKey := map[string]*hookRow{}
	var groups []string
	for i := range found {
		f := &found[i]
		row := byKey[t.key(f)]
		if row == nil {
			row = &hookRow{label: t.label(f), cells: map[string]*inspect.Finding{}}
			if t.group != nil {
				row.group = t.group(f)
			}
			byKey[t.key(f)], rows = row, append(rows, row)
			groups = lists.With(groups, row.group)
		}
		hosts = lists.With(hosts, f.Host)
		if old := row.cells[f.Host]; old == nil || old.Status() < f.Status() {
			row.cells[f.Host] = f
		}
	}
	slices.SortStableFunc(rows, func(a, b *hookRow) int {
		return slices.Index(groups, a.group) - slices.Index(groups, b.group)
	})
	return rows, hosts
}

// blocks are the agents whose columns fit beside each other, at least one in each.
func blocks(hosts []string, widths map[string]int, room int) (list [][]string) {
	left := 0
	for _, h := range hosts {
		need := widths[h] + len(columnGap)
		if len(list) == 0 || left < need {
			list, left = append(list, nil), room
		}
		list[len(list)-1] = append(list[len(list)-1], h)
		left -= need
	}
	return list
}

func (t *hookTable) printBlock(w io.Writer, p painter, rows []*hookRow, hosts []string, widths map[string]int) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *hookRow) bool {
		return !slices.ContainsFunc(hosts, func(h string) bool { return r.cells[h] != nil })
	})
	room := pageWidth - len(columnGap)
	for _, h := range hosts {
		room -= widths[h] + len(columnGap)
	}
	label := 0
	for _, r := range rows {
		label = min(max(label, width(schema.Printable(r.label))), room)
	}

	cells := func(text func(h string) string, color func(h string) string) string {
		line, pad := "", 0
		for _, h := range hosts {
			line += strings.Repeat(" ", pad) + columnGap + p.paint(color(h), text(h))
			pad = widths[h] - len(text(h))
		}
		return line
	}
	head := cells(func(h string) string { return h }, func(string) string { return strong })
	fmt.Fprintf(w, "%s%*s%s\n", columnGap, label, "", head)
	group := ""
	for _, r := range rows {
		if r.group != group {
			group = r.group
			fmt.Fprintf(w, "%s\n", schema.Printable(group))
		}
		text := shortened(schema.Printable(r.label), label)
		statuses := cells(func(h string) string {
			if f := r.cells[h]; f != nil {
				return t.word(f)
			}
			return ""
		}, func(h string) string {
			if f := r.cells[h]; f != nil {
				return statusColor(f.Status())
			}
			return faint
		})
		line := columnGap + text + strings.Repeat(" ", label-width(text)) + statuses
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// shortened cuts a text at its end.
func shortened(s string, n int) string {
	if width(s) <= n {
		return s
	}
	r := []rune(s)
	for len(r) > 0 && width(string(r)) > n-3 {
		r = r[:len(r)-1]
	}
	return string(r) + "..."
}

// shortCommand is what a finding is about, as far as a table has room for it: a command's
// program without the project's variable and its folders.
func shortCommand(f *inspect.Finding) string {
	command := commandOf(f)
	program, rest, _ := strings.Cut(command, " ")
	i := strings.LastIndexByte(program, '/')
	quoted := strings.Count(program, `"`)%2 != 0 || strings.Count(program, "'")%2 != 0 // the name goes on
	if i < 0 || quoted || strings.Contains(program, "://") {
		return command
	}
	return strings.TrimSpace(strings.Trim(program[i+1:], `"'`) + " " + rest)
}

// printWrapped writes a text in lines that fit the page, each after the indent.
// A text that starts with a command isn't broken, so that it can be copied.
func printWrapped(w io.Writer, indent, text string) {
	text = schema.Printable(text)
	if strings.HasPrefix(strings.TrimPrefix(text, "fix: "), "hookbridge ") {
		fmt.Fprintln(w, indent+text)
		return
	}
	for _, line := range wrapped(text, pageWidth-len(indent)) {
		fmt.Fprintln(w, indent+line)
	}
}

// printListed writes a text as an element of a list.
func printListed(w io.Writer, text string) {
	for i, line := range wrapped(schema.Printable(text), pageWidth-len("  - ")) {
		lead := "  - "
		if i > 0 {
			lead = "    "
		}
		fmt.Fprintln(w, lead+line)
	}
}

// wrapped breaks a text between its words into lines of at most that many columns.
func wrapped(text string, most int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && width(line)+1+width(word) > most {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
