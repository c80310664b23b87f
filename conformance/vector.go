// Package conformance defines the result of every translation between the dialects
// in vectors that don't depend on Go. The files under vectors/ have them as JSON, one file
// for each op and pair of dialects. A vector is an input, the expected output and findings,
// and the source of that expectation.
// Run tests an implementation with them: hookbridge itself (Own), or a program in
// any language (Program). README.md describes how to write either; live/ has the
// scenarios that run in the real clients.
package conformance

import (
	"bytes"
	_ "embed"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/packed"
	"github.com/hookbridge/hookbridge/internal/wildcard"
)

// An Op is the kind of translation in a vector.
type Op string

const (
	OpConfig Op = "config" // a configuration of From becomes one of To
	OpCall   Op = "call"   // a payload of From becomes one of To
	OpReply  Op = "reply"  // an answer of a hook of From becomes an answer for To
	OpRun    Op = "run"    // the host To calls, hooks of From run, To gets an answer
)

// ops are in the order of reports.
var ops = []Op{OpConfig, OpCall, OpReply, OpRun}

// Words of Vector.Confirmed, the weakest first.
const (
	ConfirmedNone     = "none"     // argued from the source alone
	ConfirmedReplayed = "replayed" // the input has the fields of one that a real client sent
	ConfirmedLive     = "live"     // a real client accepted the output and applied it
)

// A Vector is one fact about one translation. vector.schema.json defines the same for other programs; a test compares
// the two.
type Vector struct {
	ID        string `json:"id"`     // op/from-to-to/one-fact
	Why       string `json:"why"`    // the rule that it checks
	Source    string `json:"source"` // the documentation or the observed version for it
	Confirmed string `json:"confirmed"`
	Client    string `json:"client,omitempty"` // client and version that confirmed it, "" if none
	Op        Op     `json:"-"`                // first part of the ID
	From      string `json:"from"`             // dialect, with "@version" if it matters, like To
	To        string `json:"to"`
	// Event is, for a reply, the event that was answered, and for a call, the event of To to write, "" for the
	// likeliest. Tool is the same for the tool.
	Event   string  `json:"event,omitempty"`
	Tool    string  `json:"tool,omitempty"`
	Options Options `json:"options"`

	Input     []byte    `json:"-"` // JSON, or any bytes if InputText is set
	InputText bool      `json:"-"`
	Output    []byte    `json:"-"`                 // JSON, an array for several calls; nil: no output allowed
	Verdict   string    `json:"verdict,omitempty"` // run: the decision, instead of an Output
	Findings  []Finding `json:"diagnostics"`

	// The rest is for OpRun. A variable without a value must not be set.
	Process     []Process              `json:"process,omitempty"`
	Files       map[string]jsondoc.Raw `json:"files,omitempty"`       // of the project; nil: the caller provides one
	Home        map[string]jsondoc.Raw `json:"home,omitempty"`        // of the user's home
	Environment map[string]*string     `json:"environment,omitempty"` // set by the host for hookbridge
	Before      []jsondoc.Raw          `json:"before,omitempty"`      // payloads of earlier events of the session
	Writes      *string                `json:"writes,omitempty"`      // final content of the host's environment file

	File string `json:"-"` // file that it was read from
	Line int    `json:"-"` // 1-based
}

// A given is the input of a translation in a document: as JSON, or as a text.
type given struct {
	JSON jsondoc.Raw `json:"input,omitempty"`
	Text *string     `json:"input_text,omitempty"`
}

func givenAs(input []byte, isText bool) given {
	if text := string(input); isText {
		return given{Text: &text}
	}
	return given{JSON: ordjson.AppendCompact(nil, input)}
}

func (g given) input() (input []byte, isText bool) {
	if g.Text != nil {
		return []byte(*g.Text), true
	}
	return g.JSON, false
}

// Options are the switches of hookbridge that a vector depends on. The zero value is the default of each.
type Options struct {
	Allow        string `json:"allow,omitempty"` // pass, approve
	Ask          string `json:"ask,omitempty"`   // deny, relay, allow
	Wrap         string `json:"wrap,omitempty"`  // auto, always, never
	FailClosed   bool   `json:"fail_closed,omitempty"`
	RequireTrust bool   `json:"require_trust,omitempty"`
	Evaluator    bool   `json:"evaluator,omitempty"` // the process named evaluator answers prompt and agent hooks
}

// A Finding is the part of a diagnostic that vectors use.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Path     string `json:"path"`
}

func (f Finding) String() string { return strings.TrimRight(f.Severity+" "+f.Code+" "+f.Path, " ") }

// A Process is a fake hook: its behavior, and its expected input.
type Process struct {
	Name   string      `json:"name"` // {HOOK name} in a file is replaced by its command
	Exit   int         `json:"exit,omitempty"`
	Stdout jsondoc.Raw `json:"stdout,omitempty"`
	Stderr *string     `json:"stderr,omitempty"`
	// EnvFile is appended to the file in which a hook of its agent sets variables.
	EnvFile string             `json:"env_file,omitempty"`
	Hangs   bool               `json:"hangs,omitempty"`       // never ends on its own
	Stdin   jsondoc.Raw        `json:"stdin,omitempty"`       // input that one of its runs must have read
	Env     map[string]*string `json:"environment,omitempty"` // variables that all of its runs must have had
	Runs    *int               `json:"runs,omitempty"`        // how often it must have run; nil: once
}

func (p *Process) runs() int {
	if p.Runs == nil {
		return 1
	}
	return *p.Runs
}

// textOf returns the text of a field that may be omitted.
func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// content returns the content of a file or the output of a hook: a text, or JSON unchanged.
func content(value jsondoc.Raw) string {
	if text, ok := ordjson.String(value); ok {
		return text
	}
	return string(value)
}

// Pair returns "from-to-to" without versions, as in IDs.
func (v *Vector) Pair() string { return plain(v.From) + "-to-" + plain(v.To) }

// plain returns a dialect's name without a version.
func plain(dialect string) string {
	name, _, _ := strings.Cut(dialect, "@")
	return name
}

// Match reports whether an ID fits a glob: * matches any characters, including slashes, and ? any single one.
func Match(glob, id string) bool {
	return wildcard.Stars(glob, len(id), func(p, i int) int {
		if glob[p] == '?' || glob[p] == id[i] {
			return 1
		}
		return 0
	})
}

// archive contains the files below vectors/, compressed. TestEmbedded compares and writes it.
//
//go:embed vectors.txt
var archive string

// A Problem is a mistake in a vector file. Path is a JSON Pointer into it.
type Problem struct {
	File      string
	Line, Col int // 1-based, 0 for the file as a whole
	Path      string
	Msg       string
}

func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
	}
	if p.Path != "" {
		s += ": " + p.Path
	}
	return s + ": " + p.Msg
}

// Load reads every .json file below the root of files: one vector, or an array of them. known reports whether a
// dialect, with or without a version, exists. The vectors are in the order of their files, without the rejected ones.
// Files have the names of fs.WalkDir, after prefix.
func Load(files fs.FS, prefix string, known func(dialect string) bool) (list []Vector, bad []Problem) {
	c := collection{known: known, first: map[string]string{}}
	_ = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		var text []byte
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".json") {
			text, err = fs.ReadFile(files, path)
		} else if err == nil {
			return nil
		}
		if err != nil {
			c.bad = append(c.bad, Problem{File: prefix + path, Msg: err.Error()})
			return nil
		}
		c.add(prefix+path, text)
		return nil
	})
	return c.list, c.bad
}

// Suite returns the embedded vectors. Problems are as for Load. Given globs, it leaves out files in which no id can
// match.
func Suite(known func(dialect string) bool, globs ...string) (list []Vector, bad []Problem) {
	c := collection{known: known, first: map[string]string{}}
	for name, text := range packed.Files(archive) {
		if len(globs) == 0 || slices.ContainsFunc(globs, func(g string) bool { return mayFit(g, name) }) {
			c.add(name, text)
		}
	}
	return c.list, c.bad
}

// mayFit reports whether a glob can match an id in a file of the suite: the ids begin with the file's name.
func mayFit(glob, file string) bool {
	ids := strings.TrimSuffix(file, ".json") + "/"
	if wild := strings.IndexAny(glob, "*?"); wild >= 0 {
		glob = glob[:wild]
	}
	shorter := min(len(glob), len(ids))
	return glob[:shorter] == ids[:shorter]
}

// A collection contains the vectors of several files, whose ids differ.
type collection struct {
	known func(string) bool
	first map[string]string // the place of each id
	list  []Vector
	bad   []Problem
}

func (c *collection) add(file string, text []byte) {
	l := &loader{file: file, src: text, known: c.known}
	for _, v := range l.vectors() {
		if at, twice := c.first[v.ID]; twice {
			l.bad = append(l.bad, Problem{File: v.File, Line: v.Line, Col: 1, Path: "/id",
				Msg: "the id " + strconv.Quote(v.ID) + " is taken by " + at})
			continue
		}
		c.first[v.ID] = v.File + ":" + strconv.Itoa(v.Line)
		c.list = append(c.list, v)
	}
	c.bad = append(c.bad, l.bad...)
}

type loader struct {
	file  string
	src   []byte
	known func(string) bool
	bad   []Problem
}

// refuse reports a mistake at a JSON Pointer of the file, or at the innermost value around it.
func (l *loader) refuse(path, msg string) {
	line, col := ordjson.Position(l.src, ordjson.Offset(l.src, path))
	l.bad = append(l.bad, Problem{l.file, line, col, path, msg})
}

func (l *loader) vectors() (list []Vector) {
	if err := ordjson.Check(l.src); err != nil {
		p := Problem{File: l.file, Msg: err.Error()}
		if se, ok := err.(*ordjson.SyntaxError); ok {
			p.Line, p.Col, p.Msg = se.Line, se.Col, se.Msg
		}
		l.bad = append(l.bad, p)
		return nil
	}
	begin := bytes.IndexAny(l.src, "{[")
	if begin < 0 {
		l.refuse("", "a vector is an object, a file one vector or an array of them")
		return nil
	}
	value := bytes.TrimSpace(l.src[begin:])
	if value[0] == '{' {
		return l.add(list, ordjson.Member{Value: value, Off: begin}, "")
	}
	elements, _ := ordjson.Elements(value, begin)
	if len(elements) == 0 {
		l.refuse("", "the file holds no vector")
	}
	for i, m := range elements {
		list = l.add(list, m, "/"+strconv.Itoa(i))
	}
	return list
}

func (l *loader) add(list []Vector, m ordjson.Member, path string) []Vector {
	v, bad := readVector(m.Value, l.known)
	for _, b := range bad {
		l.refuse(path+b.Path, b.Msg)
	}
	if len(bad) > 0 {
		return list
	}
	v.File = l.file
	v.Line, _ = ordjson.Position(l.src, m.Off)
	return append(list, v)
}
