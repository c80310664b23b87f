// Package schema is the canonical hook model: what every dialect is read into
// and written from, and the diagnostics that report what a translation lost. It
// holds data and the few table helpers that all dialects share; it performs no I/O
// and knows no dialect.
//
// Canonical names are nobody's native names: "pre-tool", not the spelling of
// one agent, so that a reader always sees which world a string belongs to.
package schema
