package schema

// A Grammar says how an agent reads a matcher. In every grammar "" and "*"
// match everything. The zero Grammar is none.
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
	// names (observed with 1.0.102): "*" and "**" match everything; names separated by
	// "|" are compared with every name of the target; any other pattern is read as
	// GrammarAnchored and compared with the first name only.
	GrammarNamesOrAnchored
)
