package session

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// Keys of the session's file that concern it as a whole.
const (
	keyEnd          = "end"
	keyAsk          = "ask|" // CALL is added
	keyContext      = "ctx|" // CALL is added for what waits for the event after that call
	keyModel        = "model"
	keySaid         = "said"
	keyBegan        = "began|" // the id of a sub-agent is added for its beginning
	keyOnce         = "once|"  // the hook is added
	keyNoTranscript = "no-transcript"
)

// set is the value of a key that is there or not.
const set = "1"

// WholeSession is the turn of an End that holds for the whole session.
const WholeSession = "*"

// An End is a turn that a hook has ended.
type End struct {
	Turn   string // the agent's name of it; "": it names none
	Reason string // "": the hook gave none
}

// Holds reports whether the turn is over.
func (e End) Holds(turn string) bool { return e.Turn == turn || e.Turn == WholeSession }

// End returns the latest End. What a damaged value has before its reason still ends that turn.
func (m *Memory) End() (e End, ok bool) {
	value, ok := m.get(keyEnd)
	e.Turn, e.Reason, _ = strings.Cut(value, "\x00")
	return e, ok
}

// KeepEnd keeps an End in place of others: without a time limit, which a clock that jumps would end, unless the turn
// has no name, which the next turn would lack too.
func (m *Memory) KeepEnd(e End) {
	life := time.Duration(0)
	if e.Turn == "" {
		life = turnLife
	}
	m.put(keyEnd, e.Turn+"\x00"+e.Reason, life)
}

// DropEnd forgets the End.
func (m *Memory) DropEnd() { m.take(keyEnd) }

// Waits reports whether a question or context waits for an event.
func (m *Memory) Waits() bool {
	return slices.ContainsFunc(m.items, func(it state.Item) bool {
		return strings.HasPrefix(it.Key, keyAsk) || strings.HasPrefix(it.Key, keyContext)
	})
}

// AddContext keeps a text for the next event that accepts context.
func (m *Memory) AddContext(text string) { m.add(keyContext, text, turnLife) }

// TakeContext removes the texts for the next event that accepts context, the oldest first.
func (m *Memory) TakeContext() []string { return m.takeAll(keyContext) }

// TakeCallsContext removes the texts that wait for the events after calls, the oldest first for each of them.
func (m *Memory) TakeCallsContext() (texts []string) {
	for _, key := range m.keys(keyContext) {
		if key != keyContext {
			texts = append(texts, m.takeAll(key)...)
		}
	}
	return texts
}

// AddContext is Memory.AddContext for a session that isn't open, at once.
func AddContext(store state.Store, name string, now time.Time, text string) error {
	return store.Update(name, now, func(t *state.Tx) error {
		t.Add(keyContext, text, turnLife)
		return nil
	})
}

// Model is the session's model, where only its start names it.
func (m *Memory) Model() (name string, ok bool) { return m.get(keyModel) }

// KeepModel keeps the session's model; "" changes nothing.
func (m *Memory) KeepModel(name string) {
	if known, _ := m.get(keyModel); name != "" && name != known {
		m.put(keyModel, name, 0)
	}
}

// A Said is what the agent said last.
type Said struct {
	Turn string // in which it did; "": the agent names none
	Text string
}

// In reports whether it is of a turn, as far as agents name them.
func (s Said) In(turn string) bool { return s.Turn == turn || s.Turn == "" || turn == "" }

// Said returns what the agent said last.
func (m *Memory) Said() (s Said, ok bool) {
	value, _ := m.get(keySaid)
	s.Turn, s.Text, ok = strings.Cut(value, "\x00")
	if !ok {
		return Said{}, false
	}
	return s, true
}

// KeepSaid keeps what the agent said, for the end of the turn: of a longer text, what fits in MaxText.
func (m *Memory) KeepSaid(s Said) {
	if len(s.Text) > MaxText {
		s.Text = strings.ToValidUTF8(s.Text[:MaxText], "")
	}
	m.put(keySaid, s.Turn+"\x00"+s.Text, turnLife)
}

// Began is when the session began.
func (m *Memory) Began() (at time.Time, ok bool) { return m.began(keyBegan) }

// KeepBegan keeps when the session began.
func (m *Memory) KeepBegan(at time.Time) { m.putTime(keyBegan, at, 0) }

// AgentBegan is when a sub-agent began. One without an id has no record.
func (m *Memory) AgentBegan(id string) (at time.Time, ok bool) {
	if id == "" {
		return at, false
	}
	return m.began(keyBegan + id)
}

// KeepAgentBegan keeps when a sub-agent began.
func (m *Memory) KeepAgentBegan(id string, at time.Time) {
	if id != "" {
		m.putTime(keyBegan+id, at, turnLife)
	}
}

func (f *file) began(key string) (at time.Time, ok bool) {
	value, ok := f.get(key)
	ms, err := strconv.ParseInt(value, 10, 64)
	if !ok || err != nil {
		return at, false
	}
	return time.UnixMilli(ms), true
}

func (f *file) putTime(key string, at time.Time, life time.Duration) {
	f.put(key, strconv.FormatInt(at.UnixMilli(), 10), life)
}

func onceKey(h *schema.Hook) string {
	return keyOnce + h.Source.File + h.Path + "\x00" + h.Command + h.Prompt
}

// RanOnce reports whether KeepOnce has kept that the hook ran.
func (m *Memory) RanOnce(h *schema.Hook) bool { return len(m.items) > 0 && m.has(onceKey(h)) }

// KeepOnce keeps that a hook has run, which is to run once in a session.
func (m *Memory) KeepOnce(h *schema.Hook) { m.put(onceKey(h), set, 0) }

// NoTranscript reports whether KeepNoTranscript has kept that the lack of a transcript was reported.
func (m *Memory) NoTranscript() bool { return m.has(keyNoTranscript) }

// KeepNoTranscript keeps that the session was reported to have no transcript.
func (m *Memory) KeepNoTranscript() { m.put(keyNoTranscript, set, 0) }

// Env is what the hooks of an agent have set in the session, in the order of its entries.
func (m *Memory) Env(agent string) (vars []schema.EnvVar) {
	for _, key := range m.keys(keyEnv + agent + "|") {
		text, _ := m.get(key)
		o, _ := ordjson.Parse([]byte(text))
		for _, v := range o {
			if s, ok := ordjson.String(v.Value); ok {
				vars = append(vars, schema.EnvVar{Name: v.Name, Value: s})
			}
		}
	}
	return vars
}
