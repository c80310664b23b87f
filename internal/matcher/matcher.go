// Package matcher reads the patterns by which a hook selects events: the text that
// an agent compares with a tool's name or a similar value.
//
// It is on the path of every hook call: names, lists and "*" never reach the
// regular expression engine.
package matcher

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/hookbridge/hookbridge/internal/jsregexp"
	"github.com/hookbridge/hookbridge/schema"
)

// The grammars, see schema.Grammar. Compile reads the zero Grammar as Names.
const (
	Names         = schema.GrammarNames
	NamesOnly     = schema.GrammarNamesOnly
	Regexp        = schema.GrammarRegexp
	RegexpOrEqual = schema.GrammarRegexpOrEqual
	Values        = schema.GrammarValues
	Exact         = schema.GrammarExact
	NamesOrLinear = schema.GrammarNamesOrLinear

	Anchored        = schema.GrammarAnchored
	NamesOrAnchored = schema.GrammarNamesOrAnchored
	Aliases         = schema.GrammarAliases
	Search          = schema.GrammarSearch
)

// A Grammar says how an agent reads a matcher.
type Grammar = schema.Grammar

// timeLimit bounds one call of Match.
const timeLimit = time.Second

// A Matcher decides which names an entry of a configuration applies to. It is
// safe for concurrent use.
type Matcher struct {
	kind    kind
	pattern string
	names   []string  // list
	first   bool      // only the first name of the target counts
	exact   []string  // any name of the target may be one of these, before all else
	words   []literal // words

	program  *jsregexp.Regexp // engine
	expr     *regexp.Regexp   // linear
	limit    time.Duration
	timedOut atomic.Bool
}

type kind uint8

const (
	never  kind = iota
	all         // every name
	list        // exact names
	words       // literals, anchored or not
	engine      // an expression to be run
	linear      // an expression for package regexp
	unread      // may be valid, but is nested too deep or too long to be read
)

// Compile reads pattern as g does. The Matcher is never nil. An error says, in
// words meant for the author of the pattern, why it is not the expression it
// looks like; the Matcher then does what agents with that grammar do.
func Compile(g Grammar, pattern string) (*Matcher, error) {
	m := &Matcher{pattern: pattern, limit: timeLimit}
	if g >= RegexpOrEqual && g <= Exact || g == Aliases || g == NamesOrAnchored {
		pattern = jsregexp.Trim(pattern)
	}
	if pattern == "" || pattern == "*" && g != Anchored && g != Search || pattern == "**" && g == NamesOrAnchored {
		m.kind = all
		return m, nil
	}
	switch g {
	case Regexp, RegexpOrEqual, Search:
	case Exact:
		m.kind, m.names = list, []string{pattern}
		return m, nil
	case Values:
		if !strings.ContainsAny(pattern, `\^$.*+?()[]{}`) {
			m.kind, m.names = list, strings.Split(pattern, "|")
			for i, n := range m.names { // observed: "resume | startup" matches startup
				m.names[i] = jsregexp.Trim(n)
			}
			return m, nil
		}
	case NamesOrLinear:
		if isPlain(pattern, "_|") {
			m.kind, m.names = list, splitNames(pattern)
			return m, nil
		}
		return m, m.compileLinear(pattern)
	case Aliases:
		if m.first, m.exact = true, []string{pattern}; pattern[0] != '^' && pattern[0] != '(' {
			for _, entry := range alternatives(pattern) {
				if entry = jsregexp.Trim(entry); entry != "" {
					m.exact = append(m.exact, entry)
				}
			}
			pattern = strings.Join(m.exact[1:], "|")
		}
		switch {
		case slices.Contains(m.exact, "*"), slices.Contains(m.exact, ".*"):
			m.kind = all
			return m, nil
		case pattern == "": // a list of nothing
			return m, nil
		}
	case Anchored, NamesOrAnchored:
		if m.first = g == NamesOrAnchored; m.first && isPlain(pattern, "_|") {
			m.kind, m.names, m.first = list, strings.Split(pattern, "|"), false
			return m, nil
		}
		m.pattern = "^(?:" + pattern + ")$"
		pattern = m.pattern
	case NamesOnly:
		if isPlain(pattern, "_|") {
			m.kind, m.names = list, splitNames(pattern)
			return m, nil
		}
	default:
		if isPlain(pattern, "_|-, ") {
			m.kind, m.names = list, splitNames(pattern)
			return m, nil
		}
	}

	err := m.compileRegexp(pattern)
	switch {
	case err == nil && (g == 0 || g > Search):
		err = fmt.Errorf("matcher: %d is not a grammar", g)
	case err == nil:
	case m.kind == unread:
	case g == RegexpOrEqual || g == Values:
		m.kind, m.names = list, []string{pattern}
		err = fmt.Errorf("%w, so it is compared as plain text", err)
	default:
		err = fmt.Errorf("%w, so it never matches", err)
	}
	return m, err
}

// compileRegexp checks pattern and chooses how to run it.
func (m *Matcher) compileRegexp(pattern string) error {
	if ws, ok := literals(pattern); ok {
		m.kind, m.words = words, ws
		if slices.ContainsFunc(ws, literal.matchesAll) {
			m.kind = all
		}
		return nil
	}
	if len(pattern) > maxPattern {
		return m.cannotRead(errTooLong)
	}
	program, err := jsregexp.Compile(pattern)
	if errors.Is(err, jsregexp.ErrDepth) {
		return m.cannotRead(err)
	}
	if err != nil {
		return fmt.Errorf("matcher %q is not a JavaScript regular expression: %w", m.pattern, err)
	}
	m.kind, m.program = engine, program
	return nil
}

// maxPattern is how long an expression may be. A program takes 400 times its length: a
// repository must not use up the memory that the user's guards need.
const maxPattern = 64 << 10

var errTooLong = errors.New("it is longer than 64 KiB")

// cannotRead makes m match always: a guard must not be skipped for its matcher.
func (m *Matcher) cannotRead(why error) error {
	m.kind = unread
	return fmt.Errorf("matcher %.200q cannot be read: %w, so it always matches", m.pattern, why)
}

// Unread reports whether m matches always because its pattern could not be read, though
// agents may.
func (m *Matcher) Unread() bool { return m.kind == unread }

// compileLinear reads an expression for the engine that needs no time limit.
func (m *Matcher) compileLinear(pattern string) (err error) {
	if ws, ok := literals(pattern); ok {
		m.kind, m.words = words, ws
		return nil
	}
	if len(pattern) > maxPattern {
		return m.cannotRead(errTooLong)
	}
	m.kind = linear
	if m.expr, err = regexp.Compile(pattern); err != nil {
		m.kind = never
		return fmt.Errorf("matcher %q is not a regular expression without look-around: %w, so it never matches",
			m.pattern, err)
	}
	return nil
}

// Match reports whether m matches any of names, the spellings the target of an
// event goes by. An event without a target has no names, and agents ignore the
// matcher there: the answer is true.
//
// An expression that runs out of time or space counts as a match, because a
// guard must not be skipped for being slow; TimedOut tells.
func (m *Matcher) Match(names ...string) bool {
	if len(names) == 0 {
		return true
	}
	if m.named(names) {
		return true
	}
	if m.first {
		names = names[:1]
	}
	switch m.kind {
	case all:
		return true
	case list:
		for _, n := range names {
			if slices.Contains(m.names, n) {
				return true
			}
		}
	case words:
		for _, n := range names {
			for _, w := range m.words {
				if w.matches(n) {
					return true
				}
			}
		}
	case engine:
		return m.search(names, m.limit)
	case linear:
		return slices.ContainsFunc(names, m.expr.MatchString)
	case unread:
		m.timedOut.Store(true)
		return true
	}
	return false
}

// named reports whether one of names is written out in the pattern.
func (m *Matcher) named(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(m.exact, n) })
}

// A Patience is the time that the matchers of one call may take together, twice
// what one may: many slow ones must not make a host tire of the call, which would
// be a call without guards. The zero Patience has all of it. It is for one caller
// at a time.
type Patience struct{ spent time.Duration }

// Match is m.Match within what is left of the time; without any left m counts as
// timed out.
func (p *Patience) Match(m *Matcher, names ...string) bool {
	if m.kind != engine || len(names) == 0 || m.named(names) {
		return m.Match(names...)
	}
	if m.first {
		names = names[:1]
	}
	start := time.Now()
	ok := m.search(names, min(m.limit, 2*timeLimit-p.spent))
	p.spent += time.Since(start)
	return ok
}

// search runs the expression, with one time limit for all names.
func (m *Matcher) search(names []string, limit time.Duration) bool {
	deadline := time.Now().Add(limit)
	for _, n := range names {
		found, sure := m.program.Search(n, deadline)
		if !sure {
			m.timedOut.Store(true)
		}
		if found || !sure {
			return true
		}
	}
	return false
}

// TimedOut reports whether a call of Match gave up on the expression, by its
// time limit of one second or for want of space, and answered true.
func (m *Matcher) TimedOut() bool { return m.timedOut.Load() }

// All reports whether m is known to match every name.
func (m *Matcher) All() bool { return m.kind == all }

// Plain returns the names m matches if it matches those and no others, however
// the pattern is spelt: "Edit|Write" among Names, "^(?:Edit|Write)$" in any
// grammar. A matcher of everything is not plain.
func (m *Matcher) Plain() ([]string, bool) {
	switch m.kind {
	case list:
		return slices.Clone(m.names), true
	case words:
		names := make([]string, 0, len(m.words))
		for _, w := range m.words {
			if !w.head || !w.tail {
				return nil, false
			}
			names = append(names, w.text)
		}
		return names, true
	}
	return nil, false
}

// Contains returns the texts m looks for if it matches the names that contain
// one of them and no others, as "Edit|Write" does for Cursor.
func (m *Matcher) Contains() ([]string, bool) {
	if m.kind != words {
		return nil, false
	}
	texts := make([]string, 0, len(m.words))
	for _, w := range m.words {
		if w.head || w.tail {
			return nil, false
		}
		texts = append(texts, w.text)
	}
	return texts, true
}

// isPlain reports whether s has only ASCII letters, digits and bytes of extra.
func isPlain(s, extra string) bool {
	for i := range len(s) {
		if !isAlnum(s[i]) && strings.IndexByte(extra, s[i]) < 0 {
			return false
		}
	}
	return true
}

func isAlnum(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' }

// splitNames splits a list at "|" and ",", trims it, and leaves out empty
// members.
func splitNames(s string) []string {
	names := strings.FieldsFunc(s, func(r rune) bool { return r == '|' || r == ',' })
	for i, n := range names {
		names[i] = strings.Trim(n, " ")
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}
