package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// The relay keeps one small file per session. An event of the host that can't deliver
// something leaves it there for a later event. Keys of the file (ACT names a tool call):
//
//	seen|ENTRY      the session has started before (ENTRY names the host's entry: several may run at once)
//	end             the turn that a hook has ended, and why
//	ask|ACT         a question for the call's gate event
//	ctx|ACT, ctx|   context for the event after the call, or for the next that accepts it
//	loop|ENTRY|EVENT   the round, where stop hooks have sent the agent back
//	env|ENTRY       variables that hooks have set, as a JSON object
//	cmd|ENTRY       how many commands have run, for hooks that read their numbers
//	model           the model, where only the start of the session names it
//	hooks|ENTRY     the hooks that were there at the session's first call
//	said            what the agent said last, for the end of the turn
//	began|, began|AGENT   when the session or a sub-agent began
//	compacted|ENTRY the session has been compacted
//
// What every call leaves is in a file of its own, so that a call costs the same however long the session is:
//
//	ran|EVENT|DIALECT   the hooks that ran at the call's first event; |HOOK is
//	                added for the hook of an entry that runs only one
//	began|          when the call was allowed
//	srv             the MCP server of the call
//	edits           the edits that a whole-file write amounts to
//	orig            what the file held before, as a JSON string; null: there was none;
//	                true: it is not known
const (
	keySeen, keyEnd, keyAsk, keyRan, keyContext       = "seen|", "end", "ask|", "ran|", "ctx|"
	keyServer, keyEdits, keyOriginal, keyLoop, keyEnv = "srv", "edits", "orig", "loop|", "env|"
	keySaid, keyHooks, keyCommands                    = "said", "hooks|", "cmd|"

	// wholeSession is the turn's name where a hook refused the session.
	wholeSession = "*"

	actLife  = 5 * time.Minute // between two events of one tool call
	turnLife = time.Hour       // between events of one turn
	sessions = 7 * 24 * time.Hour
	maxText  = 64 << 10 // bytes of a file or of its edits remembered
	maxEqual = 32       // calls of a turn with the same input that run at once
)

// A memory is the file of the session or of a call: what it held, read once, and what is to change.
type memory struct {
	log   *log
	now   time.Time
	file  state.Store
	name  string // of the session; "": nothing is remembered
	calls []*namedCall
	// shared is what the runs for several agents read, nil if there is one.
	shared *recalled

	found   bool
	lost    bool   // there may be more than could be read
	asked   string // the reason of a question that a later event is to ask
	items   []state.Item
	changes []func(*state.Tx)
}

func (m *memory) get(key string) (string, bool) {
	if it := lists.Find(m.items, func(it *state.Item) bool { return it.Key == key }); it != nil {
		return it.Value, true
	}
	return "", false
}

func (m *memory) has(prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return len(m.keys(p)) > 0 })
}

func (m *memory) keys(prefix string) (out []string) {
	for _, it := range m.items {
		if strings.HasPrefix(it.Key, prefix) && !slices.Contains(out, it.Key) {
			out = append(out, it.Key)
		}
	}
	return out
}

func (m *memory) take(key string) (string, bool) {
	for i, it := range m.items {
		if it.Key == key && m.shared.delivers(it) {
			m.items = append(m.items[:i:i], m.items[i+1:]...)
			m.changes = append(m.changes, func(t *state.Tx) { t.Take(key) })
			return it.Value, true
		}
	}
	return "", false
}

// remembers reports whether there is a relay for this call.
func (m *memory) remembers() bool { return m.name != "" }

// put has a value kept when the run is over, in place of those that the key has.
func (m *memory) put(key, value string, life time.Duration) {
	m.changes = append(m.changes, func(t *state.Tx) { t.Put(key, value, life) })
}

// add has a value kept beside those that the key has.
func (m *memory) add(key, value string, life time.Duration) {
	m.changes = append(m.changes, func(t *state.Tx) { t.Add(key, value, life) })
}

// addRecent is add, but the key has only as many values, of which the oldest go.
func (m *memory) addRecent(key, value string, life time.Duration, most int) {
	m.changes = append(m.changes, func(t *state.Tx) {
		t.Add(key, value, life)
		for range len(t.All(key)) - most {
			t.Take(key)
		}
	})
}

func (m *memory) stateError(err error) {
	m.log.note(schema.CodeState, "can't use the session file, so nothing reaches later events: "+
		strings.TrimPrefix(err.Error(), "state: "))
}

// recall reads the session's file; a session without one costs a failed open.
func (m *memory) recall() {
	switch {
	case !m.remembers():
	case m.shared != nil:
		m.shared.recall(m, m.read)
	default:
		m.read()
	}
}

func (m *memory) read() {
	err := m.file.View(m.name, m.now, func(t *state.Tx) {
		m.items = append([]state.Item(nil), t.All("")...)
		m.found = len(m.items) > 0
		if t.Corrupt {
			m.lost = true
			m.stateError(errors.New("the session file was damaged and was replaced by a new one"))
		}
	})
	if err != nil {
		m.lost = true
		m.stateError(err)
	}
}

// commit writes what changed, and reports whether that is safely done.
func (m *memory) commit() bool {
	kept := true
	for _, a := range m.calls {
		kept = (a.mem == nil || a.mem.commit()) && kept
	}
	if len(m.changes) == 0 || !m.remembers() {
		return kept
	}
	err := m.file.Update(m.name, m.now, func(t *state.Tx) error {
		for _, f := range m.changes {
			f(t)
		}
		return nil
	})
	if err != nil {
		m.stateError(err)
	}
	return err == nil && kept
}

// callKey is the key of the tool call, the same at all its events.
func (m *memory) callKey(c *schema.Call) string { return m.named(c).name }

// act is what is remembered of the tool call.
func (m *memory) act(c *schema.Call) *memory {
	a := m.named(c)
	if a.mem == nil {
		a.mem = &memory{log: m.log, now: m.now}
		if m.remembers() {
			a.mem.file, a.mem.name = m.file.Calls(m.name), a.name
			a.mem.recall()
		}
	}
	return a.mem
}

// named finds the name of a call once, because that reads the whole input, which may be large.
func (m *memory) named(c *schema.Call) *namedCall {
	in := c.Tool.Input
	var first *schema.Arg // an input is never changed in its place
	if len(in) > 0 {
		first = &in[0]
	}
	for _, a := range m.calls {
		if a.first == first && a.n == len(in) {
			return a
		}
	}
	m.calls = append(m.calls, &namedCall{first, len(in), callName(c), nil})
	return m.calls[len(m.calls)-1]
}

// A namedCall is an input that a name was found for.
type namedCall struct {
	first *schema.Arg
	n     int
	name  string
	mem   *memory // nil: not asked for
}

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

const keyOnce = "once|"

// onceKey names a hook that runs once in a session: agents honor that in skills and
// sub-agents only. It is "" for any other hook.
func onceKey(h *schema.Hook) string {
	if !h.Once || !hookfile.IsMarkdown(h.Source.File) {
		return ""
	}
	return keyOnce + h.Source.File + h.Path + "\x00" + h.Command + h.Prompt
}

func ranOnce(r *run, h *schema.Hook) bool {
	_, known := r.mem.get(onceKey(h)) // nothing has the key ""
	return known
}

// rememberOnce keeps which of such hooks have run. One that failed or decided something
// stays: a guard must not go with its first refusal.
func rememberOnce(r *run, runs []HookRun) {
	for i := range runs {
		run := &runs[i]
		key := onceKey(&run.Hook)
		if key == "" || !run.Ran || run.Result.Err != nil || run.Result.TimedOut || run.Result.Exit != 0 ||
			run.Reply.Verdict >= schema.Ask || run.Reply.KeepGoing != "" {
			continue
		}
		r.mem.put(key, "1", 0)
	}
}

// A continuation is what follows a stop hook that sent the agent back. Not every
// host marks it, and some raise their prompt event for it. Keys of the session's
// file:
//
//	turn|ENTRY      how often in a row, and a digest of the prompt and of the answer
//	going|ENTRY     the message that sent the agent back
//	prefix          a digest of what the host puts before the first prompt
const keyTurn, keyGoing, keyPrefix = "turn|", "going|", "prefix"

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// continued returns how often in a row the agent was kept working, and the new part of its answer.
// It recognizes a turn by its prompt, which stays the same, and its answer, which grows. The number is
// 0 if the host sends no prompt at the end of a turn, or if it is another turn.
func continued(r *run, c *schema.Call) (n int, last string) {
	value, _ := r.mem.get(keyTurn + entryName(r, c))
	parts := strings.Fields(value)
	answer := c.Str(schema.FieldLastMessage)
	if len(parts) != 4 || parts[1] != digest(c.Str(schema.FieldPrompt)) {
		return 0, ""
	}
	n, _ = strconv.Atoi(parts[0])
	length, _ := strconv.Atoi(parts[2])
	if length > len(answer) || digest(answer[:length]) != parts[3] {
		return 0, ""
	}
	return n, strings.TrimPrefix(answer[length:], "\n")
}

// rememberGoing keeps what is needed to know a continuation.
func rememberGoing(r *run, c *schema.Call, reply *schema.Reply) {
	turn, going := keyTurn+entryName(r, c), keyGoing+entryName(r, c)
	if reply.KeepGoing == "" || len(reply.KeepGoing) > maxText {
		r.mem.take(turn)
		r.mem.take(going)
		return
	}
	n, _ := c.Int(schema.FieldLoopCount)
	answer := c.Str(schema.FieldLastMessage)
	if again, _ := r.host.DecodeCall(c.Raw, nil); again != nil { // with the earlier text
		answer = again.Str(schema.FieldLastMessage)
	}
	value := strings.Join([]string{strconv.FormatInt(n+1, 10), digest(c.Str(schema.FieldPrompt)),
		strconv.Itoa(len(answer)), digest(answer)}, " ")
	r.mem.put(turn, value, turnLife)
	r.mem.put(going, reply.KeepGoing, turnLife)
}

// isContinuation reports whether a prompt is the message by which a stop hook sent
// the agent back, alone or among those of others.
func isContinuation(r *run, c *schema.Call) bool {
	prompt := "\n" + c.Str(schema.FieldPrompt) + "\n"
	return slices.ContainsFunc(r.mem.items, func(it state.Item) bool {
		return strings.HasPrefix(it.Key, keyGoing) && strings.Contains(prompt, "\n"+it.Value+"\n")
	})
}

// rememberPrefix keeps a digest of what the host puts before the first prompt for
// the context of the session's start.
func rememberPrefix(r *run, c *schema.Call, reply *schema.Reply) {
	if reply.Context == "" || c.Event != schema.SessionStart {
		return
	}
	if wraps := r.host.Abilities().Prompts; wraps != nil {
		text := wraps.PromptPrefix(reply.Context)
		r.mem.put(keyPrefix, strconv.Itoa(len(text))+" "+digest(text), turnLife)
	}
}

// withoutPrefix takes what hookbridge itself has had put before a prompt off it. What it
// does not know stays: a guard must see it.
func withoutPrefix(r *run, c *schema.Call) *schema.Call {
	value, _ := r.mem.get(keyPrefix)
	size, sum, _ := strings.Cut(value, " ")
	n, _ := strconv.Atoi(size)
	prompt := c.Str(schema.FieldPrompt)
	if n > 0 && n <= len(prompt) && digest(prompt[:n]) == sum {
		return withText(c, schema.FieldPrompt, prompt[n:])
	}
	return c
}

// inAgent reports whether a sub-agent's turn raised the call.
func inAgent(c *schema.Call) bool { return c.Get(schema.FieldAgentID) != nil }

// idle reports whether the host raises the call's event although nothing of the kind
// happens to the session.
func idle(r *run, c *schema.Call) bool {
	row, own := r.hostRules.Row(c.Native), schema.RowFor(r.rules.Events, c.Event)
	return row != nil && (row.InAgents && inAgent(c) && (own == nil || !own.InAgents) ||
		len(row.Idle) > 0 && slices.Contains(row.Idle, c.Str(row.MatchField)))
}
