// Package plan works out, from the dialects' tables, where the hooks of one agent
// run under another: which events need an entry, which tools and values a matcher
// still meets there, and what never occurs.
package plan
