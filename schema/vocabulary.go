package schema

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Vocabulary is how one agent spells the values of a field that takes only a
// few, such as the reasons for which a session ends. Payloads, matchers and
// written configurations all go through it.
type Vocabulary struct {
	Field  Field
	Events []Event // events on which the field holds these words; nil: all
	// Open: other words occur too, such as the names of agents that users define.
	Open  bool
	Words []Word
}

// A Word is one row of a Vocabulary. Of several rows that fit, the first counts.
type Word struct {
	Native    string // "": the agent doesn't say it, but this is what the event means
	Canonical string // "": as Native
	// Nearest are further canonical words for which the agent has no nearer one. It never
	// sends the word in their meaning.
	Nearest []string
	// Means are further canonical words in whose meaning the agent sends the word too: it doesn't
	// say which is meant, so hooks for any of them run.
	Means []string
	// WriteOnly: the agent never sends the word in this meaning. It is the nearest
	// one that it has.
	WriteOnly bool
	Since     string // version that introduced it, "" if always there
	Source    string // "" : as the vocabulary's other words
}

// Meaning is the canonical word.
func (w *Word) Meaning() string { return cmp.Or(w.Canonical, w.Native) }

// In returns the canonical form of a JSON string. Unknown words stay as they are.
func (v *Vocabulary) In(raw []byte) []byte { return v.convert(raw, v.canonical) }

// Out returns the native form of a JSON string. Unknown words stay as they are.
func (v *Vocabulary) Out(raw []byte) []byte { return v.convert(raw, v.Spell) }

func (v *Vocabulary) convert(raw []byte, to func(string) string) []byte {
	if v == nil { // before the text is unquoted: it may be a whole file
		return raw
	}
	s, ok := ordjson.String(raw)
	if !ok {
		return raw
	}
	if t := to(s); t != s {
		return ordjson.AppendString(nil, t)
	}
	return raw
}

func (v *Vocabulary) canonical(s string) string {
	if w := v.sent(s); w != nil {
		return w.Meaning()
	}
	return s
}

// sent is the row of a word that the agent sends, nil if there is none.
func (v *Vocabulary) sent(s string) *Word {
	for i := range v.Words {
		if w := &v.Words[i]; w.Native == s && s != "" && !w.WriteOnly {
			return w
		}
	}
	return nil
}

// word is the row of a JSON string that the agent sends.
func (v *Vocabulary) word(raw []byte) *Word {
	s, _ := ordjson.String(raw)
	return v.sent(s)
}

// Spell returns the agent's word for a canonical one.
func (v *Vocabulary) Spell(s string) string {
	if v == nil {
		return s
	}
	for _, w := range v.Words {
		if w.Native != "" && (w.Meaning() == s || slices.Contains(w.Nearest, s)) {
			return w.Native
		}
	}
	return s
}

// Canonical turns the words of a matcher into canonical ones.
func (v *Vocabulary) Canonical(words []string) []string {
	return v.each(words, func(s string) string { return v.canonical(s) })
}

// SpellAll turns canonical words into those of the agent, each once.
func (v *Vocabulary) SpellAll(words []string) []string { return v.each(words, v.Spell) }

func (v *Vocabulary) each(words []string, to func(string) string) (out []string) {
	if v == nil {
		return words
	}
	for _, w := range words {
		if w = to(w); !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// Vocabularies are all those of one agent.
type Vocabularies []*Vocabulary

// For returns the vocabulary of a field on an event, nil if it takes any value.
func (vs Vocabularies) For(e Event, f Field) *Vocabulary {
	for _, v := range vs {
		if v.Field == f && (v.Events == nil || slices.Contains(v.Events, e)) {
			return v
		}
	}
	return nil
}

// Read makes the values of a call canonical.
func (vs Vocabularies) Read(c *Call) {
	for i := range c.Values {
		x := &c.Values[i]
		if v := vs.For(c.Event, x.Field); v != nil {
			if w := v.word(x.Raw); w != nil && len(w.Means) > 0 {
				c.Meanings = w.Means
			}
			x.Raw = v.In(x.Raw)
		}
	}
}

// Write returns the agent's form of a value of c. A call of the agent itself (own)
// keeps words that only other agents have a meaning for.
func (vs Vocabularies) Write(c *Call, f Field, raw []byte, own bool) []byte {
	v := vs.For(c.Event, f)
	if own {
		return v.convert(raw, v.restore)
	}
	return v.Out(raw)
}

func (v *Vocabulary) restore(s string) string {
	for _, w := range v.Words {
		if w.Meaning() == s && w.Native != "" && !w.WriteOnly {
			return w.Native
		}
	}
	return s
}

// Target is what the agent compares with a matcher of row: the field of c, in
// the agent's own word.
func (vs Vocabularies) Target(c *Call, row *EventRow) string {
	return vs.For(row.Event, row.MatchField).Spell(c.Str(row.MatchField))
}

// Meant are the agent's own words for what else the field may mean, because another agent has one
// word for it.
func (vs Vocabularies) Meant(c *Call, row *EventRow) []string {
	return vs.For(row.Event, row.MatchField).SpellAll(c.Meanings)
}

// A Grammar says how an agent reads a matcher. In every grammar "" matches everything, and
// "*" does unless its comment states otherwise. The zero Grammar is none.
type Grammar uint8

const (
	_ Grammar = iota

	// GrammarNames is the grammar of Claude Code (observed with 2.1.328). A pattern
	// of letters, digits, "_", "-", blanks, "," and "|" alone is a list of
	// exact names; any other is a JavaScript RegExp searched for anywhere in
	// the name. A RegExp with a syntax error never matches.
	GrammarNames

	// GrammarNamesOnly is GrammarNames where only letters, digits, "_" and "|" make
	// a list: the FileChanged and StopFailure events of Claude Code.
	GrammarNamesOnly

	// GrammarRegexp is the grammar of Cursor (observed with its SDK 1.0.32): a
	// JavaScript RegExp searched for anywhere in the name, so that "Write"
	// also matches TodoWrite. A RegExp with a syntax error never matches;
	// Cursor drops the whole file that has one.
	GrammarRegexp

	// GrammarRegexpOrEqual is the grammar of Qoder's tool matchers (qodercli
	// 1.1.52): GrammarRegexp after the pattern is trimmed, and a pattern with a
	// syntax error is compared as text.
	GrammarRegexpOrEqual

	// GrammarValues is the grammar of Qoder's matchers of values such as source,
	// reason and trigger (qodercli 1.1.52): without a metacharacter one exact
	// value, with "|" as the only one a list of exact values, else as
	// GrammarRegexpOrEqual.
	GrammarValues

	// GrammarExact is the grammar of Gemini CLI's matchers of values such as source,
	// reason and trigger (observed with 0.61.0): after trimming one exact value,
	// without lists and expressions.
	GrammarExact

	// GrammarNamesOrLinear is the grammar of Codex (observed with 0.169.0): a pattern
	// of letters, digits, "_" and "|" alone is a list of exact names; any other is an
	// expression without look-around or back-references, searched for anywhere in
	// the name, that runs in linear time. One with a syntax error never matches.
	GrammarNamesOrLinear

	// GrammarAnchored is the grammar of Copilot's own events (observed with 1.0.102): a
	// JavaScript RegExp that must match the whole name. One with a syntax error, "*"
	// too, never matches.
	GrammarAnchored
	// GrammarNamesOrAnchored is the grammar of Copilot's events under Claude Code's
	// names (observed with 1.0.102): after trimming, "*" and "**" match everything; names of letters, digits and
	// "_" separated by "|" are compared with every name of the target; any other pattern is read as
	// GrammarAnchored and compared with the first name only.
	GrammarNamesOrAnchored

	// GrammarAliases is the grammar of Qwen Code (observed with 0.24.4): after trimming, the
	// pattern, or an entry of its list at "|" where it doesn't begin with "^" or "(", may be
	// any name of the target; else it is a JavaScript RegExp searched for in the first name.
	// ".*" matches everything. A RegExp with a syntax error never matches.
	GrammarAliases

	// GrammarSearch is the grammar of Kimi Code (observed with 2.1.0): a JavaScript RegExp
	// searched for anywhere in the name. One with a syntax error, "*" too, never matches.
	GrammarSearch
)
