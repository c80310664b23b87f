package main

import (
	"fmt"

	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
)

// report writes what could not be converted.
func report(std stdio, f *convertFlags, c *convert.Conversion) {
	switch {
	case f.judge == "json":
		printJSON(std.out, conversionDoc(f, c))
	case formatted(std.out, f.judge, c.Diagnostics):
	case f.report == "json":
		printJSON(std.err, conversionDoc(f, c))
	default:
		printDiagnostics(std.err, "", c.Diagnostics)
		fmt.Fprintf(std.err, "%s read, %s written\n", counted(c.In, "hook"), counted(c.Out, "entry"))
	}
}

func conversionDoc(f *convertFlags, c *convert.Conversion) document {
	var output any // where it goes nowhere else
	if f.judge == "json" && f.out == "" && f.merge == "" {
		output = jsondoc.Document(f.document)
	}
	return document{
		{"from", f.from}, {"to", f.to}, {"hooks_in", c.In}, {"hooks_out", c.Out}, {"diagnostics", findingDocs(c.Diagnostics)}, {"output", output},
	}
}
