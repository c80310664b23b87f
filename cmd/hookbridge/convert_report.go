package main

import (
	"fmt"

	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/schema"
)

// report writes what could not be converted.
func report(std stdio, f *convertFlags, c *convert.Conversion) {
	switch {
	case f.judge == "json":
		printJSON(std.out, conversionDocOf(f, c))
	case formatted(std.out, f.judge, c.Diagnostics):
	case f.report == "json":
		printJSON(std.err, conversionDocOf(f, c))
	default:
		printDiagnostics(std.err, "", c.Diagnostics)
		fmt.Fprintf(std.err, "%s read, %s written\n", counted(c.In, "hook"), counted(c.Out, "entry"))
	}
}

// A conversionDoc is what convert reports in JSON.
type conversionDoc struct {
	From        string              `json:"from"`
	To          string              `json:"to"`
	HooksIn     int                 `json:"hooks_in"`
	HooksOut    int                 `json:"hooks_out"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
	Output      jsondoc.Raw         `json:"output,omitempty"` // where it goes nowhere else
}

func conversionDocOf(f *convertFlags, c *convert.Conversion) conversionDoc {
	doc := conversionDoc{From: f.from, To: f.to, HooksIn: c.In, HooksOut: c.Out, Diagnostics: findingDocs(c.Diagnostics)}
	if f.judge == "json" && f.out == "" && f.merge == "" {
		doc.Output = jsondoc.Document(f.document)
	}
	return doc
}
