package main

import (
	"fmt"
	"io"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// diagnosticsJSON lists findings in the shape that every command has for them.
func diagnosticsJSON(ds schema.Diagnostics) []byte {
	return arrayOf(ds, func(d schema.Diagnostic) []byte {
		w := ordjson.NewWriter(nil)
		writeDiagnostic(&w, d)
		return w.Bytes()
	})
}

// writeDiagnostic writes the members of one finding.
func writeDiagnostic(w *ordjson.Writer, d schema.Diagnostic) {
	w.String("code", string(d.Code))
	w.String("severity", d.Severity.String())
	w.String("path", d.Path)
	w.Int("line", int64(d.Line))
	w.Int("column", int64(d.Col))
	w.String("file", d.File)
	w.String("event", d.Event)
	w.String("message", d.Message)
	w.String("fix", d.Remedy())
}

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

// judgement writes findings in the format of other tools that --format asks for; ok is
// false where it asks for text or JSON.
func judgement(w io.Writer, format string, ds schema.Diagnostics) (ok bool) {
	switch format {
	case "sarif":
		w.Write(append(sarif(ds), '\n'))
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
