// Package session is what the calls of hookbridge in one session of an agent leave for each other. Each call is a
// process of its own; what an event can't deliver, a later one of the same session may.
//
// A [Memory] is read once, when a call begins. Its records are as they were then. What they keep is written
// by [Memory.Commit], so that what a call leaves doesn't count as past for itself. A record whose value is damaged is
// absent, unless that would lift a decision.
//
// There is one small file a session. What every tool call leaves is in a file of its own, so that a call costs the same
// however long the session is. Keys and values are part of a format: sessions that an older hookbridge began go on.
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

// A Memory is what a session remembers. The zero value remembers nothing: it has no records, and drops what it is to
// keep. It is for one goroutine.
type Memory struct {
	file
	calls []*Call
}

// Name is the name of a session in a Store. The project and the user's home are part of it: what the hooks of one
// project decided is nothing to another's. It is "", for which nothing is remembered, if the agent names no session.
func Name(id, project, home string) string {
	if id == "" {
		return ""
	}
	return id + "\x00" + project + "\x00" + home
}

// Open returns the Memory of the session that Name has named, not yet read. shared, if not nil, is what several runs
// for one event read in common. note, if not nil, gets each error that keeps the session from being read or written.
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

// Commit writes what is to be kept, and reports whether that is safely done.
func (m *Memory) Commit() bool {
	kept := true
	for _, c := range m.calls {
		kept = c.own.commit() && kept
	}
	return m.commit() && kept
}

// Remembers reports whether there is anything that keeps what the session is to remember.
func (m *Memory) Remembers() bool { return m.name != "" }

// Ready reports whether the session can be written.
func (m *Memory) Ready() bool { return m.Remembers() && m.store.Open() == nil }

// Lost reports whether there may be more than could be read.
func (m *Memory) Lost() bool { return m.lost }

// Found reports whether anything was remembered when the Memory was read.
func (m *Memory) Found() bool { return m.found }

// Name is the session's name in Store; "": nothing is remembered.
func (m *Memory) Name() string { return m.name }

// Store is where the session is.
func (m *Memory) Store() state.Store { return m.store }

// Copies is the name in Store of what keeps the copies of transcripts for hooks of one agent.
func (m *Memory) Copies(agent string) string { return m.name + "\x00transcripts\x00" + agent }

// Forget removes the session, with its calls.
func (m *Memory) Forget() {
	if m.Remembers() {
		m.report(m.store.Remove(m.name))
	}
}

// Sweep removes sessions that nobody has used for long, from time to time.
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

// A file is that of a session or of a call: what it held, read once, and what is to change.
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

// put keeps a value in place of those that the key has. A life of 0 is the session's.
func (f *file) put(key, value string, life time.Duration) {
	f.changes = append(f.changes, func(t *state.Tx) { t.Put(key, value, life) })
}

// add keeps a value with those that the key has.
func (f *file) add(key, value string, life time.Duration) {
	f.changes = append(f.changes, func(t *state.Tx) { t.Add(key, value, life) })
}

// addRecent is add, but of the key's values only the newest are kept, as many as most.
func (f *file) addRecent(key, value string, life time.Duration, most int) {
	f.changes = append(f.changes, func(t *state.Tx) {
		t.Add(key, value, life)
		for range len(t.All(key)) - most {
			t.Take(key)
		}
	})
}

// Call returns what is remembered of a tool call, which its first record reads.
func (m *Memory) Call(c *schema.Call) *Call {
	in := c.Tool.Input
	var first *schema.Arg // an input is never changed in its place
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
