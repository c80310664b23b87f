package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

const matrixUsage = `usage: hookbridge matrix [--from D] [--to D] [--format table|markdown|json]

Tells what carries when hooks written for one agent (--from, default claude) run
under another (--to, default cursor), event by event, from the program's own tables.
`

func matrixCommand(args []string, std stdio) int {
	fs := flag.NewFlagSet("matrix", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	from := fs.String("from", "claude", "")
	to := fs.String("to", "cursor", "")
	format := fs.String("format", "table", "")
	err := fs.Parse(args)
	if err == flag.ErrHelp {
		io.WriteString(std.out, matrixUsage)
		return exitOK
	}
	hooks, ok1 := adapter.Find(*from)
	host, ok2 := adapter.Find(*to)
	print, ok3 := matrixFormats()[*format]
	if err != nil || fs.NArg() > 0 || !ok1 || !ok2 || !ok3 {
		io.WriteString(std.err, matrixUsage)
		return exitUsage
	}
	print(std.out, adapter.Matrix(hooks, host))
	return exitOK
}

func matrixFormats() map[string]func(io.Writer, []adapter.Carry) {
	return map[string]func(io.Writer, []adapter.Carry){"table": matrixTable, "markdown": matrixMarkdown, "json": matrixJSON}
}

func matrixTable(w io.Writer, rows []adapter.Carry) {
	for _, r := range rows {
		fmt.Fprintf(w, "%-22s %-44s %-40s %s\n", r.From, or(strings.Join(r.To, " "), "-"), or(r.Carried.String(), "-"), or(r.Lost.String(), "-"))
	}
}

// matrixMarkdown puts the events without a counterpart into one line.
func matrixMarkdown(w io.Writer, rows []adapter.Carry) {
	fmt.Fprintln(w, "| hook event | raised by | carried | no channel of its own |")
	fmt.Fprintln(w, "|---|---|---|---|")
	var none []string
	for _, r := range rows {
		if len(r.To) == 0 {
			none = append(none, r.From)
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", r.From, strings.Join(r.To, ", "), or(spaced(r.Carried.String()), "runs, no effects"), or(spaced(r.Lost.String()), "-"))
	}
	if len(none) > 0 {
		fmt.Fprintf(w, "\nWithout a counterpart, never run: %s.\n", strings.Join(none, ", "))
	}
}

func spaced(s string) string { return strings.ReplaceAll(s, ",", ", ") }

func matrixJSON(w io.Writer, rows []adapter.Carry) {
	out := []byte("[")
	for i, r := range rows {
		if i > 0 {
			out = append(out, ',')
		}
		o := ordjson.NewWriter(append(out, '\n'))
		o.String("event", r.Event.String())
		o.String("from", r.From)
		o.Raw("to", stringsJSON(r.To))
		o.Raw("carried", stringsJSON(split(r.Carried.String())))
		o.Raw("lost", stringsJSON(split(r.Lost.String())))
		out = o.Bytes()
	}
	w.Write(append(out, "\n]\n"...))
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

func stringsJSON(list []string) []byte {
	out := []byte{'['}
	for i, s := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = ordjson.AppendString(out, s)
	}
	return append(out, ']')
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
