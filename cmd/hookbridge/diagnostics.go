package main

import (
	"fmt"
	"io"
	"time"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/schema"
)

// findingDocs are findings as documents have them: each says what to do.
func findingDocs(ds schema.Diagnostics) []schema.Diagnostic {
	return each(ds, func(d schema.Diagnostic) schema.Diagnostic {
		d.Fix = d.Remedy()
		return d
	})
}

// printJSON writes a document on a line of its own.
func printJSON(w io.Writer, doc any) { w.Write(append(jsondoc.Marshal(doc), '\n')) }

// array is list, and not nil, which would be null in JSON.
func array[T any](list []T) []T { return append([]T{}, list...) }

// each is what one returns for every element; never nil.
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
