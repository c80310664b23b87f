package schema

import (
	"slices"
	"strconv"
	"strings"
)

// Severity ranks a Diagnostic. The zero Severity is invalid.
type Severity uint8

const (
	_      Severity = iota
	Note            // nothing is lost
	Loss            // information was dropped
	Weaker          // a guard or a decision no longer holds
	Error           // there is no result
)

var severityNames = [...]string{"severity(invalid)", "note", "loss", "weaker", "error"}

// String returns the word for reports.
func (s Severity) String() string { return NameOfValue(severityNames[:], s) }

// NameOfValue returns the name of a value of an enumeration, or the zero value's name if it has none; "" without names.
func NameOfValue[T ~uint8](names []string, v T) string {
	if len(names) == 0 {
		return ""
	}
	if int(v) >= len(names) {
		v = 0
	}
	return names[v]
}

// MarshalText writes the same word into a document.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Diagnostic is one finding about one place in the input. Compare diagnostics by Code, Severity and Path; Message and
// Fix are for people and may change.
type Diagnostic struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Path     string   `json:"path"`   // JSON Pointer into the input; "" is the whole input
	Line     int      `json:"line"`   // 1-based, 0 if unknown
	Col      int      `json:"column"` // 1-based, in characters, 0 if unknown
	File     string   `json:"file"`   // file of the finding, "" for stdin or none
	Event    string   `json:"event"`  // native event of the finding, "" if none
	Message  string   `json:"message"`
	Fix      string   `json:"fix"` // what to do in this case, "" for the code's Remedy
	Edit     Change   `json:"-"`   // a tested change of the file that removes the finding; zero: none
}

// A Change changes a value in a JSON file. The zero Change changes nothing.
type Change struct {
	Path  string // JSON Pointer of the changed or renamed value
	Value string // the new value, as JSON; "" with a Name
	Name  string // the field's new name; "": unchanged
}

// Remedy returns what to do: the Fix, or else the text of the code.
func (d Diagnostic) Remedy() string {
	if d.Fix != "" {
		return d.Fix
	}
	info, _ := d.Code.Info()
	return info.Do
}

// String returns one line: FILE:LINE:COLUMN: SEVERITY CODE: MESSAGE (FIX). If the line is unknown, the JSON Pointer
// follows the code.
func (d Diagnostic) String() string {
	place, rest := d.Parts()
	return place + d.Severity.String() + rest
}

// Parts returns the text before and after the severity in String.
func (d Diagnostic) Parts() (place, rest string) {
	if d.File != "" {
		place = d.File + ":"
		if d.Line > 0 {
			place += strconv.Itoa(d.Line) + ":" + strconv.Itoa(max(d.Col, 1)) + ":"
		}
		place += " "
	}
	rest = " " + string(d.Code)
	if d.Path != "" && (d.File == "" || d.Line == 0) {
		rest += " " + d.Path
	}
	rest += ": "
	if d.File == "" && d.Line > 0 && d.Code == CodeSyntax { // in a text without a name
		rest += strconv.Itoa(d.Line) + ":" + strconv.Itoa(d.Col) + ": "
	}
	rest += d.Message
	if d.Fix != "" {
		rest += " (" + d.Fix + ")"
	}
	return Printable(place), Printable(rest)
}

// Printable makes s safe for a terminal and one line of a log: line breaks become " | ", other Unprintable characters
// "?".
func Printable(s string) string {
	if strings.IndexFunc(s, Unprintable) < 0 {
		return s
	}
	s = strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", " | ")
	return strings.Map(func(r rune) rune {
		if Unprintable(r) {
			return '?'
		}
		return r
	}, s)
}

// Unprintable reports whether a character could mislead a terminal or its reader: control characters, characters that
// reorder the text around them, and invisible ones.
func Unprintable(r rune) bool {
	if r < 0x7f {
		return r < 0x20
	}
	return slices.ContainsFunc(unprintable[:], func(u [2]rune) bool { return r >= u[0] && r <= u[1] })
}

// unprintable are the ranges above ASCII (Unicode 16: categories Cc, Cf, Zl and Zp, and fillers that show nothing).
var unprintable = [...][2]rune{
	{0x7f, 0x9f}, {0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c}, {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},
	{0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
	{0xfff9, 0xfffb},
	{0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
}

// Diagnostics is a list of findings in source order. It is not an error: a
// translation that loses something still yields output.
type Diagnostics []Diagnostic

// Add appends a finding with the code's default severity.
func (ds *Diagnostics) Add(c Code, path, message string) *Diagnostic {
	return ds.AddSeverity(c, c.Severity(), path, message)
}

// AddSeverity appends a finding whose severity depends on the case.
func (ds *Diagnostics) AddSeverity(c Code, s Severity, path, message string) *Diagnostic {
	*ds = append(*ds, Diagnostic{Code: c, Severity: s, Path: path, Message: message})
	return &(*ds)[len(*ds)-1]
}

// Max returns the worst severity in the list, 0 if it is empty.
func (ds Diagnostics) Max() (m Severity) {
	for i := range ds {
		m = max(m, ds[i].Severity)
	}
	return m
}

// Place names the file of the last finding and returns ds.
func (ds *Diagnostics) Place(file string) *Diagnostics {
	if n := len(*ds); n > 0 {
		(*ds)[n-1].File = file
	}
	return ds
}

// Worst returns the first finding of the worst severity, nil if there is none.
func (ds Diagnostics) Worst() *Diagnostic {
	var worst *Diagnostic
	for i := range ds {
		if worst == nil || ds[i].Severity > worst.Severity {
			worst = &ds[i]
		}
	}
	return worst
}

// OfHook sets the finding's place to that of a hook.
func (d *Diagnostic) OfHook(h *Hook) {
	d.File, d.Path, d.Line, d.Col = h.Source.File, h.Path, h.Line, h.Col
	if d.Event == "" {
		d.Event = h.Native
	}
}

// An returns a word with its article, as it is pronounced: "an object", "a string", "an http".
func An(word string) string {
	if word != "" && strings.Contains("aeiouAEIOU", word[:1]) || strings.HasPrefix(word, "http") ||
		strings.HasPrefix(word, "mcp") {
		return "an " + word
	}
	return "a " + word
}
