// Package conformance defines the result of every translation between the dialects
// in vectors that don't depend on Go. Each is a small JSON file under vectors/ with
// an input, the expected output and findings, and the source of that expectation.
// Run tests an implementation with them: hookbridge itself (Own), or a program in
// any language (Program). README.md describes how to write either; live/ has the
// scenarios that run in the real clients.
package conformance

import (
	"strings"

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
	ConfirmedReplayed = "replayed" // the input has the members of one that a real client sent
	ConfirmedLive     = "live"     // a real client took the output and did what it says
)

// A Vector is one fact about one translation. Documents have the members that say which.
type Vector struct {
	ID        string  `json:"id"`     // op/from-to-to/one-fact
	Why       string  `json:"why"`    // what goes wrong where this does not hold
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
	Environment []Var     `json:"-"` // what the host has set for the bridge
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

// A Process is a fake hook: what it does, and what it must have been told.
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
