package common

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// A HookTable prints findings as a table with a row for each hook, below its file, and a column for each agent. If the
// columns don't fit next to the labels, the cells contain marks. Agents that still don't fit follow in more tables.
type HookTable struct {
	Group func(*inspect.Finding) string // the heading of a row; nil: no headings
	Label func(*inspect.Finding) string
	Key   func(*inspect.Finding) string // equal for findings in one row
	Word  func(*inspect.Finding) string // for the cell of a row and an agent
	Mark  func(*inspect.Finding) string // replaces the word; nil: no marks
}

const (
	labelWidth = 28 // at least
	columnGap  = "  "
)

type hookRow struct {
	group, label string
	cells        map[string]*inspect.Finding // by agent: the worst finding
}

// Print writes the table.
func (t HookTable) Print(w io.Writer, p cli.Painter, found []inspect.Finding) {
	rows, hosts := t.rows(found)
	room := cli.Columns(w) - labelWidth - len(columnGap)
	widths := t.widths(rows, hosts)
	list := blocks(hosts, widths, room)
	marked := len(list) > 1 && t.Mark != nil
	if word := t.Word; marked {
		defer func() { printLegend(w, word, found) }()
		t.Word = t.Mark
		widths = t.widths(rows, hosts)
		list = blocks(hosts, widths, room)
	}

	for i, some := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		t.printBlock(w, p, rows, some, widths)
	}
}

// printLegend writes the words of the cells, the best first.
func printLegend(w io.Writer, word func(*inspect.Finding) string, found []inspect.Finding) {
	var words []string
	for i := range found {
		words = lists.With(words, word(&found[i]))
	}
	cli.PrintWrapped(w, columnGap, strings.Join(words, ", "))
}

// widths returns the widths of the columns.
func (t HookTable) widths(rows []*hookRow, hosts []string) map[string]int {
	widths := map[string]int{}
	for _, h := range hosts {
		widths[h] = len(h)
		for _, r := range rows {
			if f := r.cells[h]; f != nil {
				widths[h] = max(widths[h], cli.Width(t.Word(f)))
			}
		}
	}
	return widths
}

// rows returns the rows of the table, in the order of the findings, with the rows of a file together.
func (t HookTable) rows(found []inspect.Finding) (rows []*hookRow, hosts []string) {
	byKey := map[string]*hookRow{}
	var groups []string
	for i := range found {
		f := &found[i]
		row := byKey[t.Key(f)]
		if row == nil {
			row = &hookRow{label: shortLabel(schema.Printable(t.Label(f))), cells: map[string]*inspect.Finding{}}
			if t.Group != nil {
				row.group = t.Group(f)
			}
			byKey[t.Key(f)], rows = row, append(rows, row)
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

// shortLabel cuts a label that is longer than a few lines, such as one with a whole script, and words that are longer
// than a line, such as the address of an http hook.
func shortLabel(label string) string {
	words := strings.Split(label, " ")
	for i, word := range words {
		words[i] = withoutMiddle(word, 50)
	}
	return withoutMiddle(strings.Join(words, " "), 160)
}

// withoutMiddle shortens a text to at most so many letters. It keeps the end, where commands often differ, such as in
// the name of a script.
func withoutMiddle(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	head := most * 2 / 5
	return string(letters[:head]) + "…" + string(letters[len(letters)-(most-head-1):])
}

// blocks groups the agents whose columns fit next to each other, at least one per group.
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

func (t HookTable) printBlock(w io.Writer, p cli.Painter, rows []*hookRow, hosts []string, widths map[string]int) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *hookRow) bool {
		return !slices.ContainsFunc(hosts, func(h string) bool { return r.cells[h] != nil })
	})
	room := cli.Columns(w) - len(columnGap)
	for _, h := range hosts {
		room -= widths[h] + len(columnGap)
	}
	label := 0
	for _, r := range rows {
		for _, line := range cli.Wrapped(r.label, room) {
			label = min(max(label, cli.Width(line)), room)
		}
	}

	cells := func(text func(h string) string, color func(h string) string) string {
		line, pad := "", 0
		for _, h := range hosts {
			line += strings.Repeat(" ", pad) + columnGap + p.Paint(color(h), text(h))
			pad = widths[h] - cli.Width(text(h))
		}
		return line
	}
	head := cells(func(h string) string { return h }, func(string) string { return cli.Strong })
	fmt.Fprintf(w, "%s%*s%s\n", columnGap, label, "", head)
	group := ""
	for _, r := range rows {
		if r.group != group {
			group = r.group
			fmt.Fprintf(w, "%s\n", schema.Printable(group))
		}
		statuses := cells(func(h string) string {
			if f := r.cells[h]; f != nil {
				return t.Word(f)
			}
			return ""
		}, func(h string) string {
			if f := r.cells[h]; f != nil {
				return StatusColor(f.Status())
			}
			return cli.Faint
		})
		// The statuses are on the first line of the label with room for them.
		for _, line := range append(cli.Wrapped(r.label, label), "") {
			if pad := label - cli.Width(line); pad >= 0 && statuses != "" {
				line, statuses = line+strings.Repeat(" ", pad)+statuses, ""
			}
			if line != "" {
				fmt.Fprintln(w, strings.TrimRight(columnGap+line, " "))
			}
		}
	}
}

// ShortCommand returns the subject of a finding, shortened for a table: for a command, its program without the
// project's variable and folders.
func ShortCommand(f *inspect.Finding) string {
	command := CommandOf(f)
	program, rest, _ := strings.Cut(command, " ")
	i := strings.LastIndexByte(program, '/')
	quoted := strings.Count(program, `"`)%2 != 0 || strings.Count(program, "'")%2 != 0 // the name goes on
	if i < 0 || quoted || strings.Contains(program, "://") {
		return command
	}
	return strings.TrimSpace(strings.Trim(program[i+1:], `"'`) + " " + rest)
}
