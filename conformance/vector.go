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
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/packed"
	"github.com/hookbridge/hookbridge/internal/wildcard"
)

// An Op is what a vector asks of a translator.
type Op string

const (
	OpConfig Op = "config" // a configuration of From becomes one of To
	OpCall   Op = "call"   // what From tells a hook becomes what To tells one
	OpReply  Op = "reply"  // what a hook of From answers becomes an answer for To
	OpRun    Op = "run"    // the host To calls, hooks of From are run, To is answered
)

// ops are in the order of reports.
var ops = []Op{OpConfig, OpCall, OpReply, OpRun}

// Words of Vector.Confirmed, the weakest first.
const (
	ConfirmedNone     = "none"     // argued from the source alone
	ConfirmedReplayed = "replayed" // the input has the fields of one that a real client sent
	ConfirmedLive     = "live"     // a real client took the output and did what it says
)

// A Vector is one fact about one translation. Documents have the fields that say which.
type Vector struct {
	ID        string  `json:"id"`     // op/from-to-to/one-fact
	Why       string  `json:"why"`    // the rule that it checks
	Source    string  `json:"source"` // documentation or observed version that says so
	Confirmed string  `json:"confirmed"`
	Client    string  `json:"client"` // client and version that confirmed it, "" if none
	Op        Op      `json:"-"`      // first part of the ID
	From      string  `json:"from"`   // dialect, with "@version" where it matters, as To
	To        string  `json:"to"`
	Event     string  `json:"-"` // reply: event that was answered; call: event of To to write, "" for the likeliest
	Tool      string  `json:"-"` // reply: tool that the event is about; call: tool of To to write; "" if none
	Options   Options `json:"-"`

	Input     []byte    `json:"-"` // JSON, or any bytes if InputText is set
	InputText bool      `json:"-"`
	Output    []byte    `json:"-"` // JSON, of a call also an array of several; nil: no output may come
	Verdict   string    `json:"-"` // run: instead of an Output, what it decides
	Findings  []Finding `json:"-"`

	// The rest is for OpRun.
	Process     []Process `json:"-"`
	Files       []File    `json:"-"` // of the project; nil: the hooks are those of a project that the caller names
	Home        []File    `json:"-"` // of the user's home
	Environment []Var     `json:"-"` // what the host has set for hookbridge
	Before      [][]byte  `json:"-"` // payloads of earlier events of the same session
	Writes      *string   `json:"-"` // expected content of the host's environment file afterwards

	File string `json:"file"` // file that it was read from
	Line int    `json:"-"`    // 1-based
}

// Options are the switches of hookbridge that a vector depends on. The zero
// value is the default of each.
type Options struct {
	Allow        string `json:"allow,omitempty"` // pass, approve
	Ask          string `json:"ask,omitempty"`   // deny, relay, allow
	Wrap         string `json:"wrap,omitempty"`  // auto, always, never
	FailClosed   bool   `json:"fail_closed,omitempty"`
	RequireTrust bool   `json:"require_trust,omitempty"`
	Evaluator    bool   `json:"evaluator,omitempty"` // the process called evaluator answers prompt and agent hooks
}

// A Finding is a diagnostic as far as vectors know it.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Path     string `json:"path"`
}

func (f Finding) String() string { return strings.TrimRight(f.Severity+" "+f.Code+" "+f.Path, " ") }

// A Process is a fake hook: what it does, and what it must have received.
type Process struct {
	Name   string // {HOOK name} in a file stands for its command
	Exit   int
	Stdout []byte
	Stderr []byte
	// EnvFile is appended to the file in which a hook of its agent sets variables.
	EnvFile string
	Hangs   bool   // never ends by itself
	Stdin   []byte // JSON that one of its runs must have read; nil: not looked at
	Env     []Var  // variables that all of its runs must have had
	Runs    int    // how often it must have been run
}

// A Var is an environment variable; Unset says that there must be none.
type Var struct {
	Name, Value string
	Unset       bool
}

// A File is a file of a project or home: slash-separated path and content.
type File struct{ Path, Text string }

// Pair is "from-to-to" without versions, as in IDs.
func (v *Vector) Pair() string { return plain(v.From) + "-to-" + plain(v.To) }

// plain is a dialect's name without a version.
func plain(dialect string) string {
	name, _, _ := strings.Cut(dialect, "@")
	return name
}

// Match reports whether an ID fits a glob: * stands for any characters, slashes
// among them, and ? for any one.
func Match(glob, id string) bool {
	return wildcard.Stars(glob, len(id), func(p, i int) int {
		if glob[p] == '?' || glob[p] == id[i] {
			return 1
		}
		return 0
	})
}

// archive has the files below vectors/, compressed. TestEmbedded compares and writes it.
//
//go:embed vectors.txt
var archive string

// A Problem is what is wrong with a vector file. Path is a JSON Pointer into it.
type Problem struct {
	File      string
	Line, Col int // 1-based, 0 if the file as a whole is meant
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

// Load reads every .json file below the root of files: one vector, or an array
// of them. known reports whether a dialect, with or without a version, exists. The
// vectors come in the order of their files, without the rejected ones. Files have
// the names that fs.WalkDir gives them, after prefix.
func Load(files fs.FS, prefix string, known func(dialect string) bool) (list []Vector, bad []Problem) {
	c := collection{known: known, first: map[string]string{}}
	refuse := func(path string, err error) error {
		c.bad = append(c.bad, Problem{File: prefix + path, Msg: err.Error()})
		return nil
	}
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return refuse(path, err)
		}
		if d.IsDir() || !strings.HasSuffix(path, ".json") {
			return nil
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return refuse(path, err)
		}
		c.add(prefix+path, text)
		return nil
	})
	if err != nil {
		_ = refuse("", err)
	}
	return c.list, c.bad
}

// Suite returns the vectors that the program has. Problems are as those of Load.
func Suite(known func(dialect string) bool) (list []Vector, bad []Problem) {
	c := collection{known: known, first: map[string]string{}}
	for name, text := range packed.Files(archive) {
		c.add(name, text)
	}
	return c.list, c.bad
}

// A collection has the vectors of several files, whose ids differ.
type collection struct {
	known func(string) bool
	first map[string]string // where each id is
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

func (l *loader) refuse(off int, path, msg string) {
	line, col := ordjson.Position(l.src, off)
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
		l.refuse(0, "", "a vector is an object, a file one vector or an array of them")
		return nil
	}
	value := []byte(strings.TrimSpace(string(l.src[begin:])))
	if value[0] == '{' {
		return l.add(list, ordjson.Member{Value: value, Off: begin}, "")
	}
	elements, _ := ordjson.Elements(value, begin)
	if len(elements) == 0 {
		l.refuse(begin, "", "the file holds no vector")
	}
	for i, m := range elements {
		list = l.add(list, m, "/"+strconv.Itoa(i))
	}
	return list
}

func (l *loader) add(list []Vector, m ordjson.Member, path string) []Vector {
	had := len(l.bad)
	r := reader{l: l}
	r.v.File = l.file
	r.v.Line, _ = ordjson.Position(l.src, m.Off)
	r.vector(m, path)
	if len(l.bad) > had {
		return list
	}
	return append(list, r.v)
}
