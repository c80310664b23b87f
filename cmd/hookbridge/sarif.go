package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// checkJSON is what check found as one object.
func checkJSON(files []checkedFile) []byte {
	w := ordjson.NewWriter(nil)
	w.Raw("files", arrayOf(files, func(f checkedFile) []byte {
		o := ordjson.NewWriter(nil)
		o.String("file", f.name)
		if f.dialect != nil {
			o.String("dialect", f.dialect.Profile().Name)
		}
		o.Int("hooks", int64(f.hooks))
		return o.Bytes()
	}))
	w.Raw("diagnostics", diagnosticsJSON(allFound(files)))
	return w.Bytes()
}

// levels are the words of SARIF for severities.
var levels = [...]string{schema.Note: "note", schema.Loss: "warning", schema.Weaker: "error", schema.Error: "error"}

// sarif writes a log of SARIF 2.1.0: one run, a rule for every code found.
func sarif(all schema.Diagnostics) []byte {
	var rules []schema.Code
	for _, d := range all {
		if ruleIndex(rules, d.Code) < 0 {
			rules = append(rules, d.Code)
		}
	}
	driver := ordjson.NewWriter(nil)
	driver.String("name", "hookbridge")
	driver.String("version", strings.TrimPrefix(versionText(), "v"))
	if home != "" {
		driver.String("informationUri", home)
	}
	driver.Raw("rules", arrayOf(rules, ruleJSON))
	tool := ordjson.NewWriter(nil)
	tool.Raw("driver", driver.Bytes())
	run := ordjson.NewWriter(nil)
	run.Raw("tool", tool.Bytes())
	run.String("columnKind", "unicodeCodePoints")
	run.Raw("results", arrayOf(all, func(d schema.Diagnostic) []byte { return resultJSON(d, ruleIndex(rules, d.Code)) }))
	log := ordjson.NewWriter(nil)
	log.String("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
	log.String("version", "2.1.0")
	log.Raw("runs", append(append([]byte{'['}, run.Bytes()...), ']'))
	return log.Bytes()
}

func ruleIndex(rules []schema.Code, c schema.Code) int {
	for i, r := range rules {
		if r == c {
			return i
		}
	}
	return -1
}

func textJSON(s string) []byte {
	w := ordjson.NewWriter(nil)
	w.String("text", s)
	return w.Bytes()
}

func ruleJSON(c schema.Code) []byte {
	info, _ := c.Info()
	w := ordjson.NewWriter(nil)
	w.String("id", string(c))
	w.Raw("shortDescription", textJSON(info.Title))
	w.Raw("fullDescription", textJSON(info.Text))
	a, _ := c.Advice()
	w.Raw("help", textJSON(a.Do+"\n\nBefore: "+a.Before+"\nAfter: "+a.After)) // code scanning refuses rules without
	if home != "" {
		w.String("helpUri", home+"/blob/main/docs/codes.md#"+strings.ToLower(string(c)))
	}
	level := ordjson.NewWriter(nil)
	level.String("level", levels[info.Severity])
	w.Raw("defaultConfiguration", level.Bytes())
	return w.Bytes()
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

func resultJSON(d schema.Diagnostic, rule int) []byte {
	text := d.Message
	if d.Fix != "" {
		text += " (" + d.Fix + ")"
	}
	region := ordjson.NewWriter(nil)
	region.Int("startLine", int64(max(d.Line, 1)))
	region.Int("startColumn", int64(max(d.Col, 1)))
	file := ordjson.NewWriter(nil)
	file.String("uri", fileURI(d.File))
	place := ordjson.NewWriter(nil)
	place.Raw("artifactLocation", file.Bytes())
	place.Raw("region", region.Bytes())
	location := ordjson.NewWriter(nil)
	location.Raw("physicalLocation", place.Bytes())
	w := ordjson.NewWriter(nil)
	w.String("ruleId", string(d.Code))
	w.Int("ruleIndex", int64(rule))
	w.String("level", levels[d.Severity])
	w.Raw("message", textJSON(text))
	w.Raw("locations", append(append([]byte{'['}, location.Bytes()...), ']'))
	return w.Bytes()
}
