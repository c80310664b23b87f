package session

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Keys of a call's file.
const (
	keyRan       = "ran|" // the Runner is added
	keyCallBegan = "began|"
	keyServer    = "srv"
	keyEdits     = "edits"
	keyOriginal  = "orig"

	maxEqual = 32 // calls of a turn with the same input that run at once
)

// A Call is what the session remembers of one tool call, from one of its events to the next.
type Call struct {
	session *Memory
	first   *schema.Arg // with n, identifies its input
	n       int
	name    string

	opened bool
	own    file
}

// file returns the call's own file, which is read on first use.
func (c *Call) file() *file {
	if c.opened {
		return &c.own
	}
	m := c.session
	c.opened, c.own = true, file{now: m.now, note: m.note}
	if m.Remembers() {
		c.own.store, c.own.name = m.store.Calls(m.name), c.name
		c.own.read()
	}
	return &c.own
}

// Known reports whether an earlier event of the call has left anything.
func (c *Call) Known() bool { return len(c.file().items) > 0 }

// Ask is a question for the call's event at which the host asks. It has no time limit, because a clock that jumps must
// not let the call through.
func (c *Call) Ask() Record[string] {
	return Record[string]{&c.session.file, keyAsk + c.name, 0, textForm}
}

// AddContext keeps a text for the event after the call.
func (c *Call) AddContext(text string) { c.session.add(keyContext+c.name, text, turnLife) }

// TakeContext removes the texts for the event after the call, the oldest first.
func (c *Call) TakeContext() []string { return c.session.takeAll(keyContext + c.name) }

// A Runner is what runs hooks at the first of two events of a call: an entry, of which several may run at once.
type Runner struct {
	Event string // the kind of both events: a hook that ran before the tool didn't run after it; "": unknown
	Agent string // the agent whose hooks it runs
	Hook  string // the mark of the only hook that it runs; "": it runs all
}

func (r Runner) key() string {
	key := keyRan
	if r.Event != "" {
		key += r.Event + "|"
	}
	if key += r.Agent; r.Hook != "" {
		key += "|" + r.Hook
	}
	return key
}

// TakeRan removes the marks of the hooks that ran at the call's first event. The oldest of several equal calls counts.
func (c *Call) TakeRan(by Runner) (marks []string, ok bool) {
	value, ok := c.file().take(by.key())
	return strings.Fields(value), ok
}

// KeepRan keeps the marks of the hooks that ran. A forgotten one runs again at the call's second event.
func (c *Call) KeepRan(by Runner, marks []string) {
	c.file().addRecent(by.key(), strings.Join(marks, " "), callLife, maxEqual)
}

// Began is the time when the call was allowed.
func (c *Call) Began() Record[time.Time] {
	return Record[time.Time]{c.file(), keyCallBegan, turnLife, timeForm}
}

// Server is the MCP server of the call.
func (c *Call) Server() Record[string] {
	return Record[string]{c.file(), keyServer, turnLife, textForm}
}

// Edits returns the edits that a write of a whole file amounts to.
func (c *Call) Edits() (es []schema.TextEdit, ok bool) {
	text, ok := c.file().get(keyEdits)
	return schema.CanonicalEdits.Decode([]byte(text)), ok
}

// KeepEdits keeps the edits that a write of a whole file amounts to, if they fit in MaxText.
func (c *Call) KeepEdits(es []schema.TextEdit) {
	if text := schema.CanonicalEdits.Append(nil, es); len(text) <= MaxText {
		c.file().put(keyEdits, string(text), turnLife)
	}
}

// An Original is a file as it was before the call.
type Original struct {
	Text    string // if it existed and is known
	Existed bool
	Known   bool // Text is known, if the file existed
}

// What is kept of an Original without a text.
const (
	noFile      = "null"
	unknownFile = "true"
)

// JSON returns the text as a JSON string, null if there was no file, and nil if it is unknown.
func (o Original) JSON() []byte {
	switch {
	case !o.Existed:
		return []byte(noFile)
	case !o.Known:
		return nil
	}
	return ordjson.AppendString(nil, o.Text)
}

// Original is the file as it was before the call. A text longer than MaxText counts as unknown.
func (c *Call) Original() Record[Original] {
	return Record[Original]{c.file(), keyOriginal, turnLife, form[Original]{Original.text, readOriginal}}
}

func (o Original) text() string {
	text := string(o.JSON())
	if text == "" || o.Existed && len(o.Text) > MaxText {
		return unknownFile
	}
	return text
}

func readOriginal(value string) (Original, bool) {
	switch value {
	case noFile:
		return Original{Known: true}, true
	case unknownFile:
		return Original{Existed: true}, true
	}
	text, ok := ordjson.String([]byte(value))
	if !ok {
		return Original{}, false
	}
	return Original{text, true, true}, true
}

// callName returns a name that is the same at all events of a call. It uses only what every event has.
func callName(c *schema.Call) string {
	t := &c.Tool
	h := sha256.New()
	kind := t.Kind().Base()
	h.Write([]byte(c.Str(schema.FieldTurn) + "\x00" + kind.String() + "\x00"))
	switch kind {
	case schema.Shell:
		raw, _ := t.Input.Get(schema.RoleCommand)
		ordjson.WriteCanonical(h, raw)
		h.Write([]byte("\x00" + c.Cwd))
	case schema.Read, schema.Write:
		raw, _ := t.Input.Get(schema.RolePath)
		ordjson.WriteCanonical(h, raw)
	default:
		h.Write([]byte(t.Name))
		var parts []string
		for _, a := range t.Input {
			parts = append(parts, a.Name+"\x00"+string(ordjson.AppendCompact(nil, a.Raw)))
		}
		sort.Strings(parts)
		for _, p := range parts {
			h.Write([]byte(p + "\x00"))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
