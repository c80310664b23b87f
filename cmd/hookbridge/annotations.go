package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// annotate writes findings as GitHub Actions shows them in a pull request.
func annotate(w io.Writer, ds schema.Diagnostics) {
	for _, d := range ds {
		kind := map[schema.Severity]string{schema.Note: "notice", schema.Loss: "warning"}[d.Severity]
		if kind == "" {
			kind = "error"
		}
		text := d.Message
		if d.Fix != "" {
			text += "\nFix: " + d.Fix
		}
		fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", kind, annotation(d.File, true), max(d.Line, 1), max(d.Col, 1),
			annotation(string(d.Code), true), annotation(text, false))
	}
}

// annotation escapes text for a workflow command, in which a property may hold no
// separators.
func annotation(s string, property bool) string {
	s = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
	if property {
		s = strings.NewReplacer(":", "%3A", ",", "%2C").Replace(s)
	}
	return schema.Printable(s)
}
