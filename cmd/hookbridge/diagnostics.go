package main

import (
	"fmt"
	"io"
	"time"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/schema"
)

// A findingDoc is a finding in JSON, the same in every command.
type findingDoc struct {
	Code     schema.Code `json:"code"`
	Severity string      `json:"severity"`
	Path     string      `json:"path"`
	Line     int         `json:"line"`
	Column   int         `json:"column"`
	File     string      `json:"file"`
	Event    string      `json:"event"`
	Message  string      `json:"message"`
	Fix      string      `json:"fix"`
}

func findingDocOf(d schema.Diagnostic) findingDoc {
	return findingDoc{d.Code, d.Severity.String(), d.Path, d.Line, d.Col, d.File, d.Event, d.Message, d.Remedy()}
}

func findingDocs(ds schema.Diagnostics) []findingDoc { return each(ds, findingDocOf) }

// each is what one returns for every element; never nil, which would be null in JSON.
func each[T, U any](list []T, one func(T) U) []U {
	out := make([]U, 0, len(list))
	for _, x := range list {
		out = append(out, one(x))
	}
	return out
}

// array is list, and not nil.
func array[T any](list []T) []T { return append([]T{}, list...) }

// printJSON writes a document on a line of its own.
func printJSON(w io.Writer, doc any) { w.Write(append(jsondoc.Marshal(doc), '\n')) }

// milliseconds is how a document tells a time.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// printDiagnostics writes findings for people, one a line. Only the severity is
// colored.
func printDiagnostics(w io.Writer, lead string, ds schema.Diagnostics) {
	p := painterFor(w)
	for _, d := range ds {
		place, rest := d.Parts()
		fmt.Fprintln(w, lead+p.paint(strong, place)+p.paint(severityColor(d.Severity), d.Severity.String())+rest)
	}
}

func severityColor(s schema.Severity) string {
	switch s {
	case schema.Note:
		return faint
	case schema.Loss:
		return middle
	}
	return bad
}

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
