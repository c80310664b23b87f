package main

import (
	"fmt"
	"io"
	"time"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A document is a JSON object that a command prints: its members in their order, and
// without those whose value is nil. The schemas named *-report state what is in them.
type document []member

type member struct {
	name  string
	value any
}

// appendJSON appends a document, or any value in one. A list that is nil is empty, a
// set of features the list of their names.
func appendJSON(dst []byte, value any) []byte {
	switch v := value.(type) {
	case document:
		dst = append(dst, '{')
		for _, m := range v {
			if m.value == nil {
				continue
			}
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = appendJSON(append(ordjson.AppendString(dst, m.name), ':'), m.value)
		}
		return append(dst, '}')
	case []document:
		dst = append(dst, '[')
		for i, d := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, d)
		}
		return append(dst, ']')
	case schema.Feature:
		return appendJSON(dst, names(v))
	case []string:
		if v == nil {
			return append(dst, "[]"...)
		}
	case fmt.Stringer:
		return ordjson.AppendString(dst, v.String())
	}
	return append(dst, jsondoc.Marshal(value)...)
}

// printJSON writes a value on a line of its own.
func printJSON(w io.Writer, value any) { w.Write(append(appendJSON(nil, value), '\n')) }

// optional is text as a member that is left out where it is empty.
func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// findingDoc is a finding in JSON, the same in every command.
func findingDoc(d schema.Diagnostic) document {
	return document{
		{"code", d.Code}, {"severity", d.Severity}, {"path", d.Path}, {"line", d.Line}, {"column", d.Col}, {"file", d.File},
		{"event", d.Event}, {"message", d.Message}, {"fix", d.Remedy()},
	}
}

func findingDocs(ds schema.Diagnostics) []document { return each(ds, findingDoc) }

// each is what one returns for every element.
func each[T, U any](list []T, one func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, x := range list {
		out = append(out, one(x))
	}
	return out
}

// milliseconds is a time as documents have it.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// printDiagnostics writes findings for people, one a line. Only the severity is
// colored.
func printDiagnostics(w io.Writer, lead string, ds schema.Diagnostics) {
	p := painterFor(w)
	for _, d := range ds {
		place, rest := d.Parts()
		fmt.Fprintln(w, lead+p.paint(strong, place)+p.paint(severityColors[d.Severity], d.Severity.String())+rest)
	}
}

var severityColors = [...]string{schema.Note: faint, schema.Loss: middle, schema.Weaker: bad, schema.Error: bad}

// formatted writes findings in the format of other tools that --format asks for; ok is
// false where it asks for text or JSON.
func formatted(w io.Writer, format string, ds schema.Diagnostics) (ok bool) {
	switch format {
	case "sarif":
		printJSON(w, sarif(ds))
	case "github":
		annotate(w, ds)
	default:
		return false
	}
	return true
}

// judgeFormats are the values of --format of every command that judges files.
const (
	judgeFormats     = "text|json|github|sarif"
	judgeFormatsHelp = "output for people (default), JSON, annotations for GitHub Actions, or SARIF 2.1.0 for\ncode scanning"
)
