// Package antigravity is the dialect of Antigravity's command line, as others report it.
//
// Authority: reports up to version 1.2.7, which conformance/facts/antigravity.md lists. The client was never run here:
// it is a binary that needs a login. Checked 2026-11-28.
//
// A file has named sets of events at its top. Payloads don't name their event, so the command of an entry does. Before
// a tool an answer needs a decision: without one the call is denied, as it is if the hook fails.
//
// If reports differ, the stricter one counts. A hook without an opinion is answered by ask, which leaves the call to
// the user's own rules: allow approved calls in 1.2.3, and not in 1.2.7.
//
// Known deviations: there are fields for a new input and changed permissions, but no report describes how they work. An
// answer of a hook with one denies the call, and none is written. No report has arguments of the tools for searches and
// the web, so they have no row. The reply of a hook before a turn is for one request to the model.
package antigravity
