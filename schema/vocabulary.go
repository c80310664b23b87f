package schema

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Vocabulary is an agent's spelling of a field that has only a few values, such as the reasons for the end of a
// session. Payloads, matchers and written configurations all use it.
type Vocabulary struct {
	Field  Field
	Events []Event // events on which the field holds these words; nil: all
	// Open: other words occur too, such as the names of user-defined agents.
	Open  bool
	Words []Word
}

// A Word is one row of a Vocabulary. Of several rows that fit, the first counts.
type Word struct {
	Native    string // "": the agent doesn't send it, but the event has this meaning
	Canonical string // "": the same as Native
	// Nearest are further canonical words for which this is the agent's nearest word. It never sends the word in their
	// meaning.
	Nearest []string
	// Means are further canonical words in whose meaning the agent sends the word too. It doesn't distinguish them, so
	// hooks for any of them run.
	Means []string
	// WriteOnly: the agent never sends the word in this meaning, but has no nearer word for it.
	WriteOnly bool
	Since     string // version that introduced it, "" if it was always there
	Source    string // "" : the same as for the vocabulary's other words
}

// Meaning returns the canonical word.
func (w *Word) Meaning() string { return cmp.Or(w.Canonical, w.Native) }

// In returns the canonical form of a JSON string. Unknown words stay as they are.
func (v *Vocabulary) In(raw []byte) []byte { return v.convert(raw, v.canonical) }

// Out returns the native form of a JSON string. Unknown words stay as they are.
func (v *Vocabulary) Out(raw []byte) []byte { return v.convert(raw, v.Spell) }

func (v *Vocabulary) convert(raw []byte, to func(string) string) []byte {
	if v == nil { // before the text, which may be a whole file, is unquoted
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

// sent returns the row of a word that the agent sends, nil if there is none.
func (v *Vocabulary) sent(s string) *Word {
	for i := range v.Words {
		if w := &v.Words[i]; w.Native == s && s != "" && !w.WriteOnly {
			return w
		}
	}
	return nil
}

// word returns the row of a JSON string that the agent sends, nil if there is none.
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

// Canonical converts the words of a matcher to canonical ones.
func (v *Vocabulary) Canonical(words []string) []string {
	return v.each(words, func(s string) string { return v.canonical(s) })
}

// SpellAll converts canonical words to the agent's, each once.
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

// Vocabularies are all vocabularies of one agent.
type Vocabularies []*Vocabulary

// For returns the vocabulary of a field on an event, nil if every value is allowed.
func (vs Vocabularies) For(e Event, f Field) *Vocabulary {
	for _, v := range vs {
		if v.Field == f && (v.Events == nil || slices.Contains(v.Events, e)) {
			return v
		}
	}
	return nil
}

// Read converts the values of a call to canonical ones.
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

// Write returns the agent's form of a value of c. A call of the agent itself (own) keeps words that only other agents
// interpret.
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

// Target returns the value that the agent compares with a matcher of row: the field of c, in the agent's spelling.
func (vs Vocabularies) Target(c *Call, row *EventRow) string {
	return vs.For(row.Event, row.MatchField).Spell(c.Str(row.MatchField))
}

// Meant lists the agent's words for the other possible meanings of the field, because another agent uses one word for
// all of them.
func (vs Vocabularies) Meant(c *Call, row *EventRow) []string {
	return vs.For(row.Event, row.MatchField).SpellAll(c.Meanings)
}

// A Grammar is how an agent reads a matcher: the text that it compares with a tool's name or a similar value. In every
// grammar, the empty text matches everything. The zero Grammar isn't valid.
type Grammar struct {
	// Trim: blanks around the text are ignored.
	Trim bool
	// All are the texts that match everything, separated by blanks: "*", "* **".
	All string
	// Names are the bytes, besides letters and digits, in a list of exact names; "": there are no such lists. The names
	// are separated by "|" and ",".
	Names string
	// Values: a text without operators of an expression is a list of exact values, separated by "|".
	Values bool
	// Entries: the text, and each part of it between "|", may also be any exact name of the target.
	Entries bool
	// Expression is how any other text is read.
	Expression Expression
	// Whole: an expression must match the whole name; otherwise it may match any part.
	Whole bool
	// First: an expression is compared with the first name of the target only.
	First bool
	// Equal: an expression with a syntax error is compared as text; else it never matches.
	Equal bool
	// Fold: case is ignored in the text and in the name.
	Fold bool
	// Most is the longest text that the agent accepts, in characters: a longer one matches nothing. 0: no limit.
	Most int
	// Servers is a prefix of the texts for tools of MCP servers, and of the names of such tools as targets. Names with
	// and without it never match each other. "": there is no prefix.
	Servers string
}

// An Expression is a kind of regular expression.
type Expression uint8

const (
	NoExpression Expression = iota // the text is one exact value
	JavaScript                     // a JavaScript RegExp without flags
	Linear                         // an expression without look-around and back-references, which runs in linear time
)
