// Package matcher reads the patterns with which a hook selects events: an agent compares them with a tool's name or a
// similar value.
//
// It runs in every hook call: names, lists and "*" never reach the regular expression engine.
package matcher

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/jsregexp"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// Anywhere is the grammar of a JavaScript RegExp that is searched for anywhere in a name, and of "*" for everything.
var Anywhere = Grammar{All: "*", Expression: schema.JavaScript}

// A Grammar describes how an agent reads a matcher.
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
	exact   []string  // any name of the target may equal one of these, before the rest
	words   []literal // words

	compiled string           // engine: the expression, which is a part of the pattern
	program  *jsregexp.Regexp // engine
	expr     *regexp.Regexp   // linear
	limit    time.Duration
	timedOut atomic.Bool

	fold bool // the pattern is upper case, and so are the names it is compared with

	servers   string // the prefix of MCP tool names, which other patterns don't match
	ofServers bool   // the pattern is for those, without that prefix
}

type kind uint8

const (
	never  kind = iota
	all         // every name
	list        // exact names
	words       // literals, anchored or not
	engine      // an expression to be run
	linear      // an expression for package regexp
	unread      // may be valid, but is nested too deep or too long to read
)

// Compile reads pattern according to g. The Matcher is never nil. An error describes, for the pattern's author, why it
// isn't the expression it looks like; the Matcher then does what agents with that grammar do. With the zero Grammar it
// always matches.
func Compile(g Grammar, pattern string) (*Matcher, error) {
	m := &Matcher{pattern: pattern, limit: timeLimit, servers: g.Servers}
	if g == (Grammar{}) {
		return m, m.cannotRead(errNoGrammar)
	}
	if g.Trim {
		pattern = jsregexp.Trim(pattern)
	}

	if pattern == "" || isOneOf(g.All, pattern) {
		m.kind, m.servers = all, ""
		return m, nil
	}
	if rest, ok := strings.CutPrefix(pattern, g.Servers); ok && g.Servers != "" {
		if m.ofServers, pattern = true, rest; pattern == "" || isOneOf(g.All, pattern) || pattern == "*" {
			m.kind = all
			return m, nil
		}
	}
	if g.Most > 0 && utf8.RuneCountInString(pattern) > g.Most {
		return m, fmt.Errorf("matcher %.200q is longer than the %d characters that are read, so it never matches",
			pattern, g.Most)
	}
	if g.Fold {
		pattern = m.folded(pattern)
		m.pattern = pattern
	}
	if names, ok := listed(g, pattern); ok {
		m.kind, m.names = list, names
		return m, nil
	}

	m.first = g.First
	if g.Entries {
		if pattern = m.entries(pattern); pattern == "" || slices.ContainsFunc(m.exact, func(entry string) bool {
			return isOneOf(g.All, entry)
		}) {
			m.kind = map[bool]kind{true: never, false: all}[pattern == ""]
			return m, nil
		}
	}
	if g.Whole {
		m.pattern = "^(?:" + pattern + ")$"
		pattern = m.pattern
	}
	return m, m.compile(g, pattern)
}

// folded returns an expression for names in upper case that finds what the pattern finds in any case.
func (m *Matcher) folded(pattern string) string {
	m.fold, m.servers = true, strings.ToUpper(m.servers)
	if strings.ContainsAny(pattern, `\[<`) || strings.Contains(pattern, "(?i") {
		return "(?i:" + pattern + ")"
	}
	return strings.ToUpper(pattern)
}

var errNoGrammar = errors.New("the agent has no grammar for matchers")

// isOneOf reports whether pattern is one of texts, which are separated by blanks.
func isOneOf(texts, pattern string) bool {
	return slices.Contains(strings.Fields(texts), pattern)
}

// listed returns the exact names of a pattern that is a list of them.
func listed(g Grammar, pattern string) (names []string, ok bool) {
	switch {
	case g.Expression == schema.NoExpression:
		return []string{pattern}, true
	case g.Values && !strings.ContainsAny(pattern, `\^$.*+?()[]{}`):
		names = strings.Split(pattern, "|")
		for i, n := range names { // observed with Qoder: "resume | startup" matches startup
			names[i] = jsregexp.Trim(n)
		}
		return names, true
	case g.Names != "" && isPlain(pattern, g.Names):
		return splitNames(pattern), true
	}
	return nil, false
}

// entries keeps the parts of a pattern that may be literal names, and returns the expression that they make together;
// "" for none.
func (m *Matcher) entries(pattern string) (expression string) {
	m.exact = []string{pattern}
	if pattern[0] == '^' || pattern[0] == '(' {
		return pattern
	}
	for _, entry := range alternatives(pattern) {
		if entry = jsregexp.Trim(entry); entry != "" {
			m.exact = append(m.exact, entry)
		}
	}
	return strings.Join(m.exact[1:], "|")
}

// compile reads an expression; one with a syntax error is compared as text, or never matches.
func (m *Matcher) compile(g Grammar, pattern string) error {
	if g.Expression == schema.Linear {
		return m.compileLinear(pattern)
	}
	err := m.compileRegexp(pattern)
	switch {
	case err == nil, m.kind == unread:
		return err
	case g.Equal:
		m.kind, m.names = list, []string{pattern}
		return fmt.Errorf("%w, so it is compared as plain text", err)
	}
	return fmt.Errorf("%w, so it never matches", err)
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
	m.kind, m.compiled, m.program = engine, pattern, program
	return nil
}

// maxPattern is the longest expression. A program takes 400 times its length: a repository must not use up the memory
// that the user's guards need.
const maxPattern = 64 << 10

var errTooLong = errors.New("it is longer than 64 KiB")

// cannotRead makes m always match: a guard must not be skipped because of its matcher.
func (m *Matcher) cannotRead(why error) error {
	m.kind = unread
	return fmt.Errorf("matcher %.200q cannot be read: %w, so it always matches", m.pattern, why)
}

// Unread reports whether m always matches because its pattern could not be read, though agents may read it.
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

// Match reports whether m matches any of names, the spellings of an event's target. An event without a target has no
// names, and agents ignore the matcher there: the result is true.
//
// An expression that runs out of time or space counts as a match, because a guard must not be skipped for being slow;
// see TimedOut.
func (m *Matcher) Match(names ...string) bool {
	if len(names) == 0 {
		return true
	}
	if names = m.comparable(names); len(names) == 0 {
		return false
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

// comparable returns the names that the pattern is compared with: those of MCP tools or the others, if these are
// different.
func (m *Matcher) comparable(names []string) (out []string) {
	if m.fold {
		names = lists.Map(names, strings.ToUpper)
	}
	if m.servers == "" {
		return names
	}
	for _, n := range names {
		if rest, ok := strings.CutPrefix(n, m.servers); ok == m.ofServers {
			out = append(out, rest)
		}
	}
	return out
}

// named reports whether the pattern contains one of names literally.
func (m *Matcher) named(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(m.exact, n) })
}

// A Patience is the total time for the matchers of one call, twice that of a single one: many slow ones must not make a
// host time out, because the call would then run without guards. The zero Patience has the full time. It isn't safe for
// concurrent use.
type Patience struct{ spent time.Duration }

// Match is m.Match within the remaining time; if none remains, m counts as timed out.
func (p *Patience) Match(m *Matcher, names ...string) bool {
	compared := m.comparable(names)
	if m.kind != engine || len(compared) == 0 || m.named(compared) {
		return m.Match(names...)
	}
	if names = compared; m.first {
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

// TimedOut reports whether a call of Match gave up on the expression and returned true. The cause is its time limit of
// one second or lack of space.
func (m *Matcher) TimedOut() bool { return m.timedOut.Load() }

// All reports whether m certainly matches every name.
func (m *Matcher) All() bool { return m.kind == all && !m.ofServers }

// Plain returns the names that m matches if it matches only those, however the pattern is written: "Edit|Write" among
// Names, "^(?:Edit|Write)$" in any grammar. A matcher of everything is not plain.
func (m *Matcher) Plain() ([]string, bool) {
	switch {
	case m.ofServers:
	case m.kind == list:
		return slices.Clone(m.names), true
	case m.kind == words:
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

// Lists reports whether the pattern is a list of exact names, not an expression.
func (m *Matcher) Lists() bool { return m.kind == list }

// Contains returns texts if m matches exactly the names that contain one of them, as "Edit|Write" does in Cursor.
func (m *Matcher) Contains() ([]string, bool) {
	if m.kind != words || m.ofServers {
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

// splitNames splits a list at "|" and ",", trims it, and leaves out empty names.
func splitNames(s string) []string {
	names := strings.FieldsFunc(s, func(r rune) bool { return r == '|' || r == ',' })
	for i, n := range names {
		names[i] = strings.Trim(n, " ")
	}
	return slices.DeleteFunc(names, func(n string) bool { return n == "" })
}
