package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// levels are the words of SARIF for severities.
var levels = [...]string{schema.Note: "note", schema.Loss: "warning", schema.Weaker: "error", schema.Error: "error"}

// sarif is a log of SARIF 2.1.0: one run, a rule for every code found.
func sarif(all schema.Diagnostics) document {
	text := func(s string) document { return document{{"text", s}} }
	var rules []schema.Code
	for _, d := range all {
		if !slices.Contains(rules, d.Code) {
			rules = append(rules, d.Code)
		}
	}
	rule := func(c schema.Code) document {
		info, _ := c.Info()
		a, _ := c.Advice()
		var page any
		if home != "" {
			page = home + "/blob/main/docs/codes.md#" + strings.ToLower(string(c))
		}
		return document{
			{"id", c}, {"shortDescription", text(info.Title)}, {"fullDescription", text(info.Text)},
			{"help", text(a.Do + "\n\nBefore: " + a.Before + "\nAfter: " + a.After)}, // code scanning refuses rules without
			{"helpUri", page}, {"defaultConfiguration", document{{"level", levels[info.Severity]}}},
		}
	}
	result := func(d schema.Diagnostic) document {
		message := d.Message
		if d.Fix != "" {
			message += " (" + d.Fix + ")"
		}
		place := document{
			{"artifactLocation", document{{"uri", fileURI(d.File)}}},
			{"region", document{{"startLine", max(d.Line, 1)}, {"startColumn", max(d.Col, 1)}}},
		}
		return document{
			{"ruleId", d.Code}, {"ruleIndex", slices.Index(rules, d.Code)}, {"level", levels[d.Severity]}, {"message", text(message)},
			{"locations", []document{{{"physicalLocation", place}}}},
		}
	}
	driver := document{
		{"name", "hookbridge"}, {"version", strings.TrimPrefix(versionText(), "v")}, {"informationUri", optional(home)},
		{"rules", each(rules, rule)},
	}
	run := document{{"tool", document{{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", each(all, result)}}
	return document{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", []document{run}}}
}

// fileURI is a path as a URI: relative to where check was called, as the path is.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	var b strings.Builder
	if filepath.IsAbs(path) {
		b.WriteString("file://")
		if path[0] != '/' { // C:/
			b.WriteByte('/')
		}
	}
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("/-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

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
