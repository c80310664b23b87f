package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// FindingDocs returns findings for JSON documents, each with its fix.
func FindingDocs(ds schema.Diagnostics) []schema.Diagnostic {
	return lists.Map(ds, func(d schema.Diagnostic) schema.Diagnostic {
		d.Fix = d.Remedy()
		return d
	})
}

// PrintJSON writes one indented JSON document and a line break.
func PrintJSON(w io.Writer, doc any) { w.Write(append(jsondoc.Marshal(doc), '\n')) }

// Notes writes notes, one per line.
func Notes(w io.Writer, who string, notes ...string) {
	for _, note := range notes {
		fmt.Fprintln(w, schema.Printable(who+": note: "+Spoken(note)))
	}
}

// Array returns a copy of list that is never nil, because nil would be null in JSON.
func Array[T any](list []T) []T { return append([]T{}, list...) }

// Milliseconds converts a duration for reports.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// PrintDiagnostics writes findings for people, one per line. What a file has several times is at its first line,
// followed by the other lines. Only the place and the severity are colored.
func PrintDiagnostics(w io.Writer, lead string, ds schema.Diagnostics) {
	p := PainterFor(w)
	for _, d := range once(ds) {
		place, rest := d.Parts()
		fmt.Fprintln(w, lead+p.Paint(Strong, Spoken(place))+p.Paint(severityColors[d.Severity], d.Severity.String())+
			Spoken(rest))
	}
}

// once merges findings that differ only in their lines.
func once(ds schema.Diagnostics) (list schema.Diagnostics) {
	type same struct {
		file, message, fix string
		code               schema.Code
		severity           schema.Severity
	}
	first, lines := map[same]int{}, map[int][]string{}
	for _, d := range ds {
		key := same{d.File, d.Message, d.Remedy(), d.Code, d.Severity}
		i, known := first[key]
		switch {
		case !known || d.Line == 0:
			first[key], list = len(list), append(list, d)
		case d.Line != list[i].Line:
			lines[i] = lists.With(lines[i], strconv.Itoa(d.Line))
		}
	}

	const most = 12
	for i, at := range lines {
		word := " (and in line "
		if len(at) > 1 {
			word = " (and in lines "
		}
		if more := len(at) - most; more > 0 {
			at = append(at[:most:most], fmt.Sprintf("and %d more", more))
		}
		list[i].Message += word + strings.Join(at, ", ") + ")"
	}
	return list
}

var severityColors = [...]string{schema.Note: Faint, schema.Loss: Middle, schema.Weaker: Bad, schema.Error: Bad}

// Formatted writes findings in another tool's format that --format chooses. ok is false for text and JSON.
func Formatted(w io.Writer, format string, ds schema.Diagnostics) (ok bool) {
	switch format {
	case "sarif":
		PrintJSON(w, SARIF(ds))
	case "github":
		annotate(w, ds)
	default:
		return false
	}
	return true
}

// A Report is the form in which a command reports findings, chosen by its flags.
type Report struct {
	Format string
	Json   bool
}

// Define declares the flags. The help of the command describes the output of --json.
func (r *Report) Define(fs *Flags) {
	fs.Set.StringVar(&r.Format, "format", "text", "")
	fs.Doc("format", "text|json|github|sarif", "output for people (default), JSON, annotations for GitHub Actions, or "+
		"SARIF 2.1.0 for\ncode scanning")
	fs.Yes(&r.Json, "json")
}

// JSON reports whether the report must be one JSON document.
func (r *Report) JSON() bool { return r.Json || r.Format == "json" }

// The part of SARIF 2.1.0 that is written, with the standard's names.
type (
	SARIFLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
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
		Help    sarifText   `json:"help"` // code scanning rejects rules without it
		HelpURI string      `json:"helpUri,omitempty"`
		Default struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifResult struct {
		RuleID    schema.Code     `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region struct {
				StartLine   int `json:"startLine"`
				StartColumn int `json:"startColumn"`
			} `json:"region"`
		} `json:"physicalLocation"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
)

// levels are SARIF's words for severities.
var levels = [...]string{schema.Note: "note", schema.Loss: "warning", schema.Weaker: "error", schema.Error: "error"}

// SARIF returns a SARIF 2.1.0 log: one run, with a rule for every code found.
func SARIF(all schema.Diagnostics) SARIFLog {
	var rules []schema.Code
	for _, d := range all {
		rules = lists.With(rules, d.Code)
	}
	run := sarifRun{ColumnKind: "unicodeCodePoints"}
	run.Tool.Driver = sarifDriver{"hookbridge", strings.TrimPrefix(VersionText(), "v"), Home,
		lists.Map(rules, sarifRuleOf)}
	run.Results = lists.Map(all, func(d schema.Diagnostic) sarifResult {
		text := d.Message
		if d.Fix != "" {
			text += " (" + d.Fix + ")"
		}
		var at sarifLocation
		at.Physical.Artifact.URI = fileURI(d.File)
		at.Physical.Region.StartLine, at.Physical.Region.StartColumn = max(d.Line, 1), max(d.Col, 1)
		return sarifResult{d.Code, slices.Index(rules, d.Code), levels[d.Severity], sarifText{text},
			[]sarifLocation{at}}
	})
	return SARIFLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

func sarifRuleOf(c schema.Code) sarifRule {
	info, _ := c.Info()
	rule := sarifRule{ID: c, Short: sarifText{info.Title}, Full: sarifText{info.Text},
		Help: sarifText{info.Do + "\n\nBefore: " + info.Before + "\nAfter: " + info.After}}
	rule.Default.Level = levels[info.Severity]
	if Home != "" {
		rule.HelpURI = Home + "/blob/main/docs/codes.md#" + strings.ToLower(string(c))
	}
	return rule
}

// fileURI returns a path as a URI. A relative path stays relative to the folder in which check was called.
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
		if ascii.Word(c) || strings.IndexByte("/-.~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// kinds are the words of GitHub Actions for severities.
var kinds = [...]string{schema.Note: "notice", schema.Loss: "warning", schema.Weaker: "error", schema.Error: "error"}

// annotate writes findings in the form that GitHub Actions shows in a pull request.
func annotate(w io.Writer, ds schema.Diagnostics) {
	for _, d := range ds {
		text := d.Message
		if d.Fix != "" {
			text += "\nFix: " + d.Fix
		}
		fmt.Fprintf(w, "::%s file=%s,line=%d,col=%d,title=%s::%s\n", kinds[d.Severity], annotation(d.File, true),
			max(d.Line, 1), max(d.Col, 1), annotation(string(d.Code), true), annotation(text, false))
	}
}

// annotation escapes text for a workflow command. A property must not contain separators.
func annotation(s string, property bool) string {
	s = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
	if property {
		s = strings.NewReplacer(":", "%3A", ",", "%2C").Replace(s)
	}
	return schema.Printable(s)
}
