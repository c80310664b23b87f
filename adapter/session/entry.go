package session

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Keys of the session's file for one entry, whose name is added. Several entries may run at once, and what one has just
// left must not count as past for another.
const (
	keySeen      = "seen|"
	keyLoop      = "loop|" // the event is added, and the sub-agent
	keyEnv       = "env|"
	keyHooks     = "hooks|" // lastHooks is added for the hooks of the latest change
	keyCommands  = "cmd|"
	keyCompacted = "compacted|"

	lastHooks = "|last"
)

// An Entry is what the session remembers for one entry of the host's hook file.
type Entry struct {
	of   *Memory
	name string
}

// Entry returns what is remembered for an entry. Its name begins with the name of the agent whose hooks it runs and
// "|".
func (m *Memory) Entry(name string) Entry { return Entry{m, name} }

// Start records that the session has started, and reports whether it already had.
func (e Entry) Start() (again bool) {
	seen := Mark{&e.of.file, keySeen + e.name}
	seen.Set()
	return seen.IsSet()
}

// loopKey returns the key for an event that ends a turn of the session, or of a sub-agent.
func (e Entry) loopKey(event, agent string) string { return keyLoop + e.name + "|" + event + agent }

// Loop returns how many times in a row hooks of the event have kept the session, or the sub-agent, going.
func (e Entry) Loop(event, agent string) int64 {
	text, _ := e.of.get(e.loopKey(event, agent))
	n, _ := strconv.ParseInt(text, 10, 64)
	return max(n, 0)
}

// KeepLoop keeps the value that Loop returns.
func (e Entry) KeepLoop(event, agent string, n int64) {
	if key := e.loopKey(event, agent); n > 0 {
		e.of.put(key, strconv.FormatInt(n, 10), turnLife)
	} else {
		e.of.take(key)
	}
}

// KeepEnv keeps the variables that hooks have set, instead of earlier ones. The last of several with one name counts.
func (e Entry) KeepEnv(vars []schema.EnvVar) {
	var o ordjson.Object
	for _, v := range vars {
		o.Take(v.Name)
		o = append(o, ordjson.Member{Name: v.Name, Value: ordjson.AppendString(nil, v.Value)})
	}
	e.of.put(keyEnv+e.name, string(o.Append(nil)), 0)
}

// NextCommand numbers a command that has run, from 0.
func (e Entry) NextCommand() (n int) {
	text, _ := e.of.get(keyCommands + e.name)
	n, _ = strconv.Atoi(text)
	n = max(n, 0)
	e.of.put(keyCommands+e.name, strconv.Itoa(n+1), lifetime)
	return n
}

// Compacted marks a session that was compacted.
func (e Entry) Compacted() Mark { return Mark{&e.of.file, keyCompacted + e.name} }

// Pinned reports whether CompareHooks has kept the hooks of the session's first call.
func (e Entry) Pinned() bool { return Mark{&e.of.file, keyHooks + e.name}.IsSet() }

// CompareHooks compares the marks of the current hooks with those of the session's first call, which it keeps. Unless
// pinned, a change counts once: it then compares with the hooks of the latest change, and keeps the first ones for
// entries that pin them. gone is how many of the earlier hooks are missing.
func (e Entry) CompareHooks(marks []string, pinned bool) (changed bool, gone int) {
	key, now := keyHooks+e.name, joinMarks(marks)
	before, known := e.of.get(key)
	if !known {
		e.of.put(key, now, 0)
		return false, 0
	}
	if !pinned {
		key += lastHooks
		if last, ok := e.of.get(key); ok {
			before = last
		}
	}
	if before == now {
		return false, 0
	}
	if !pinned {
		e.of.put(key, now, 0)
	}
	have := strings.Fields(now)
	for _, mark := range strings.Fields(before) {
		if !slices.Contains(have, mark) {
			gone++
		}
	}
	return true, gone
}

// joinMarks joins all marks in one text, or returns a digest if that is too long.
func joinMarks(marks []string) string {
	var b strings.Builder
	for _, mark := range marks {
		b.WriteString(mark + " ")
	}
	if b.Len() <= MaxText {
		return b.String()
	}
	sum := fnv.New64a()
	sum.Write([]byte(b.String()))
	return strconv.FormatUint(sum.Sum64(), 36)
}
