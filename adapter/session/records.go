package session

import (
	"slices"
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
	keyContext      = "ctx|" // CALL is added for context that waits for the event after that call
	keyModel        = "model"
	keySaid         = "said"
	keyBegan        = "began|" // the id of a sub-agent is added for its beginning
	keyOnce         = "once|"  // the hook is added
	keyNoTranscript = "no-transcript"
)

// WholeSession is the turn of an End that applies to the whole session.
const WholeSession = "*"

// An End is a turn that a hook has ended.
type End struct {
	Turn   string // the agent's name for it; "": it has none
	Reason string // "": the hook gave none
}

// Holds reports whether the turn is over.
func (e End) Holds(turn string) bool { return e.Turn == turn || e.Turn == WholeSession }

// End is the latest End. The part of a damaged value before its reason still ends that turn.
func (m *Memory) End() Record[End] {
	read := func(text string) (e End, _ bool) {
		e.Turn, e.Reason, _ = strings.Cut(text, "\x00")
		return e, true
	}
	return Record[End]{&m.file, keyEnd, 0, form[End]{func(e End) string { return e.Turn + "\x00" + e.Reason }, read}}
}

// KeepEnd keeps an End instead of others. It has no time limit, which a clock that jumps would end, unless the turn has
// no name: the next turn would have none either.
func (m *Memory) KeepEnd(e End) {
	end := m.End()
	if e.Turn == "" {
		end.life = turnLife
	}
	end.Keep(e)
}

// Waits reports whether an ask or context waits for an event.
func (m *Memory) Waits() bool {
	return slices.ContainsFunc(m.items, func(it state.Item) bool {
		return strings.HasPrefix(it.Key, keyAsk) || strings.HasPrefix(it.Key, keyContext)
	})
}

// AddContext keeps a text for the next event that accepts context.
func (m *Memory) AddContext(text string) { m.add(keyContext, text, turnLife) }

// TakeContext removes the texts for the next event that accepts context, the oldest first.
func (m *Memory) TakeContext() []string { return m.takeAll(keyContext) }

// TakeCallsContext removes the texts that wait for the events after calls, the oldest first for each call.
func (m *Memory) TakeCallsContext() (texts []string) {
	for _, key := range m.keys(keyContext) {
		if key != keyContext {
			texts = append(texts, m.takeAll(key)...)
		}
	}
	return texts
}

// AddContext is Memory.AddContext for a session that isn't open, and writes at once.
func AddContext(store state.Store, name string, now time.Time, text string) error {
	return store.Update(name, now, func(t *state.Tx) error {
		t.Add(keyContext, text, turnLife)
		return nil
	})
}

// Model is the session's model, if only the session's start names it.
func (m *Memory) Model() Record[string] { return Record[string]{&m.file, keyModel, 0, textForm} }

// A Said is the agent's last message.
type Said struct {
	Turn string // of the message; "": the agent names none
	Text string
}

// In reports whether it belongs to a turn, as far as agents name turns.
func (s Said) In(turn string) bool { return s.Turn == turn || s.Turn == "" || turn == "" }

// Said is the agent's last message, for the end of the turn, cut to MaxText.
func (m *Memory) Said() Record[Said] {
	return Record[Said]{&m.file, keySaid, turnLife, form[Said]{Said.text, readSaid}}
}

func (s Said) text() string {
	if len(s.Text) > MaxText {
		s.Text = strings.ToValidUTF8(s.Text[:MaxText], "")
	}
	return s.Turn + "\x00" + s.Text
}

func readSaid(text string) (Said, bool) {
	turn, said, ok := strings.Cut(text, "\x00")
	if !ok {
		return Said{}, false
	}
	return Said{turn, said}, true
}

// Began is the time when the session began.
func (m *Memory) Began() Record[time.Time] { return Record[time.Time]{&m.file, keyBegan, 0, timeForm} }

// AgentBegan is the time when a sub-agent began. One without an id has no record.
func (m *Memory) AgentBegan(id string) Record[time.Time] {
	if id == "" {
		return Record[time.Time]{in: &m.file}
	}
	return Record[time.Time]{&m.file, keyBegan + id, turnLife, timeForm}
}

// Ran marks a hook that has run and runs only once in a session.
func (m *Memory) Ran(h *schema.Hook) Mark {
	return Mark{&m.file, keyOnce + h.Source.File + h.Path + "\x00" + h.Command + h.Prompt}
}

// NoTranscript marks a session that was reported to have no transcript.
func (m *Memory) NoTranscript() Mark { return Mark{&m.file, keyNoTranscript} }

// Env returns the variables that an agent's hooks have set in the session, in the order of its entries.
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
