package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// A checkDoc is what check found in JSON.
type checkDoc struct {
	Files       []fileDoc    `json:"files"`
	Diagnostics []findingDoc `json:"diagnostics"`
}

type fileDoc struct {
	File    string `json:"file"`
	Dialect string `json:"dialect,omitempty"`
	Hooks   int    `json:"hooks"`
}

func checkDocOf(files []checkedFile) checkDoc {
	return checkDoc{each(files, func(f checkedFile) fileDoc {
		doc := fileDoc{File: f.name, Hooks: f.hooks}
		if f.dialect != nil {
			doc.Dialect = f.dialect.Profile().Name
		}
		return doc
	}), findingDocs(allFound(files))}
}

// The part of SARIF 2.1.0 that is written, by the standard's names.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version"`
		InformationURI string      `json:"informationUri,omitempty"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      schema.Code `json:"id"`
		Short   sarifText   `json:"shortDescription"`
		Full    sarifText   `json:"fullDescription"`
		Help    sarifText   `json:"help"` // code scanning refuses rules without
		HelpURI string      `json:"helpUri,omitempty"`
		Default sarifLevel  `json:"defaultConfiguration"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifResult struct {
		RuleID    schema.Code     `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPlace `json:"physicalLocation"`
	}
	sarifPlace struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
)

// levels are the words of SARIF for severities.
var levels = [...]string{schema.Note: "note", schema.Loss: "warning", schema.Weaker: "error", schema.Error: "error"}

// sarif is a log of SARIF 2.1.0: one run, a rule for every code found.
func sarif(all schema.Diagnostics) sarifLog {
	var rules []schema.Code
	for _, d := range all {
		if ruleIndex(rules, d.Code) < 0 {
			rules = append(rules, d.Code)
		}
	}
	driver := sarifDriver{"hookbridge", strings.TrimPrefix(versionText(), "v"), home, each(rules, sarifRuleOf)}
	results := each(all, func(d schema.Diagnostic) sarifResult { return sarifResultOf(d, ruleIndex(rules, d.Code)) })
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{{sarifTool{driver}, "unicodeCodePoints", results}}}
}

func ruleIndex(rules []schema.Code, c schema.Code) int {
	for i, r := range rules {
		if r == c {
			return i
		}
	}
	return -1
}

func sarifRuleOf(c schema.Code) sarifRule {
	info, _ := c.Info()
	a, _ := c.Advice()
	rule := sarifRule{ID: c, Short: sarifText{info.Title}, Full: sarifText{info.Text}, Default: sarifLevel{levels[info.Severity]},
		Help: sarifText{a.Do + "\n\nBefore: " + a.Before + "\nAfter: " + a.After}}
	if home != "" {
		rule.HelpURI = home + "/blob/main/docs/codes.md#" + strings.ToLower(string(c))
	}
	return rule
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

func sarifResultOf(d schema.Diagnostic, rule int) sarifResult {
	text := d.Message
	if d.Fix != "" {
		text += " (" + d.Fix + ")"
	}
	place := sarifPlace{sarifArtifact{fileURI(d.File)}, sarifRegion{max(d.Line, 1), max(d.Col, 1)}}
	return sarifResult{d.Code, rule, levels[d.Severity], sarifText{text}, []sarifLocation{{place}}}
}
