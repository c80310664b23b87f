// Package session keeps what the calls of hookbridge in one session of an agent leave for each other. Each call is a
// separate process; what an event can't deliver, a later one of the same session may.
//
// A [Memory] is read once, when a call begins, and its records keep their values of that time. [Memory.Commit] writes
// the changes, so that what a call leaves doesn't count as past for the call itself. A record with a damaged value is
// absent, unless that would lift a decision.
//
// A session has one small file. What a tool call leaves is in a separate file, so that a call costs the same however
// long the session is. Keys and values are part of a format: sessions that an older hookbridge began go on.
package session

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	callLife = 5 * time.Minute // between two events of one tool call
	turnLife = time.Hour       // between events of one turn
	lifetime = 7 * 24 * time.Hour

	// MaxText is how many bytes of a text, of a file or of its edits are remembered.
	MaxText = 64 << 10
)

// A Memory is what a session remembers. The zero value remembers nothing: it has no records, and drops all changes. It
// isn't safe for concurrent use.
type Memory struct {
	file
	calls []*Call
}

// Name returns the name of a session in a Store. It includes the project and the user's home, because the decisions of
// one project's hooks don't apply to another. It is "", for which nothing is remembered, if the agent names no session.
func Name(id, project, home string) string {
	if id == "" {
		return ""
	}
	return id + "\x00" + project + "\x00" + home
}

// Open returns the Memory of the session with that Name, not yet read. shared, if not nil, is what several runs for one
// event read in common. note, if not nil, gets each error of reading or writing the session.
func Open(store state.Store, name string, now time.Time, shared *Shared, note func(error)) *Memory {
	return &Memory{file: file{store: store, name: name, now: now, shared: shared, note: note}}
}

// Read reads the session's file. A session without one costs a failed open.
func (m *Memory) Read() {
	switch {
	case !m.Remembers():
	case m.shared != nil:
		m.shared.read(&m.file)
	default:
		m.read()
	}
}

// Commit writes the changes, and reports whether they are safely written.
func (m *Memory) Commit() bool {
	kept := true
	for _, c := range m.calls {
		kept = c.own.commit() && kept
	}
	return m.commit() && kept
}

// Remembers reports whether the session can remember anything.
func (m *Memory) Remembers() bool { return m.name != "" }

// Ready reports whether the session can be written.
func (m *Memory) Ready() bool { return m.Remembers() && m.store.Open() == nil }

// Lost reports whether there may be more than could be read.
func (m *Memory) Lost() bool { return m.lost }

// Found reports whether the Memory had any content when it was read.
func (m *Memory) Found() bool { return m.found }

// Name returns the session's name in Store; "": nothing is remembered.
func (m *Memory) Name() string { return m.name }

// Store returns the store that contains the session.
func (m *Memory) Store() state.Store { return m.store }

// Copies returns the name in Store for the copies of transcripts for one agent's hooks.
func (m *Memory) Copies(agent string) string { return m.name + "\x00transcripts\x00" + agent }

// Forget removes the session, with its calls.
func (m *Memory) Forget() {
	if m.Remembers() {
		m.report(m.store.Remove(m.name))
	}
}

// Sweep occasionally removes sessions that have been unused for long.
func (m *Memory) Sweep() {
	if m.Remembers() && m.store.Due(m.now, lifetime) {
		m.store.Sweep(m.now, lifetime, 4000)
	}
}

// SweepCalls removes what calls of earlier turns have left.
func (m *Memory) SweepCalls() {
	if m.Remembers() {
		m.store.Calls(m.name).Sweep(m.now, turnLife, 1000)
	}
}

// A file is the file of a session or of a call: its content, read once, and the changes.
type file struct {
	store  state.Store
	name   string // "": nothing is remembered
	now    time.Time
	shared *Shared
	note   func(error)

	found, lost bool
	items       []state.Item
	changes     []func(*state.Tx)
}

func (f *file) report(err error) {
	if err != nil && f.note != nil {
		f.note(err)
	}
}

func (f *file) read() {
	err := f.store.View(f.name, f.now, func(t *state.Tx) {
		f.items = t.All("")
		f.found = len(f.items) > 0
		if t.Corrupt {
			f.lost = true
			f.report(errors.New("the session file was damaged and was replaced by a new one"))
		}
	})
	if err != nil {
		f.lost = true
		f.report(err)
	}
}

func (f *file) commit() bool {
	if len(f.changes) == 0 || f.name == "" {
		return true
	}
	err := f.store.Update(f.name, f.now, func(t *state.Tx) error {
		for _, change := range f.changes {
			change(t)
		}
		return nil
	})
	f.report(err)
	return err == nil
}

func (f *file) get(key string) (value string, ok bool) {
	if it := lists.Find(f.items, func(it *state.Item) bool { return it.Key == key }); it != nil {
		return it.Value, true
	}
	return "", false
}

// keys lists the keys that begin with prefix.
func (f *file) keys(prefix string) (keys []string) {
	for i := range f.items {
		if key := f.items[i].Key; strings.HasPrefix(key, prefix) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// take removes the oldest value of a key.
func (f *file) take(key string) (value string, ok bool) {
	for i, it := range f.items {
		if it.Key == key && f.shared.delivers(it) {
			f.items = append(f.items[:i:i], f.items[i+1:]...)
			f.changes = append(f.changes, func(t *state.Tx) { t.Take(key) })
			return it.Value, true
		}
	}
	return "", false
}

// takeAll removes the values of a key, the oldest first.
func (f *file) takeAll(key string) (values []string) {
	for value, ok := f.take(key); ok; value, ok = f.take(key) {
		values = append(values, value)
	}
	return values
}

// put replaces the values of a key. A life of 0 is the session's.
func (f *file) put(key, value string, life time.Duration) {
	f.changes = append(f.changes, func(t *state.Tx) { t.Put(key, value, life) })
}

// add adds a value to those of a key.
func (f *file) add(key, value string, life time.Duration) {
	f.changes = append(f.changes, func(t *state.Tx) { t.Add(key, value, life) })
}

// addRecent is add, but keeps only the newest values of the key, at most as many as most.
func (f *file) addRecent(key, value string, life time.Duration, most int) {
	f.changes = append(f.changes, func(t *state.Tx) {
		t.Add(key, value, life)
		for range len(t.All(key)) - most {
			t.Take(key)
		}
	})
}

// Call returns what is remembered of a tool call. Its first record reads it.
func (m *Memory) Call(c *schema.Call) *Call {
	in := c.Tool.Input
	var first *schema.Arg // an input is never changed in place
	if len(in) > 0 {
		first = &in[0]
	}
	for _, known := range m.calls {
		if known.first == first && known.n == len(in) {
			return known
		}
	}
	call := &Call{session: m, first: first, n: len(in), name: callName(c)}
	m.calls = append(m.calls, call)
	return call
}
