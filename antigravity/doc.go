// Package antigravity is the dialect of Antigravity's command line, as others report it.
//
// Authority: reports up to version 1.2.7, which conformance/facts/antigravity.md lists. Nobody ran the client here: it
// comes as a binary with a login. Checked 2026-11-28.
//
// A file has named sets of events at its top. Payloads name no event, so the command of an entry does. Before a tool an
// answer needs a decision: without one the call is refused, as it is if the hook fails.
//
// Where reports differ, the stricter one holds. A hook without an opinion is answered by ask, which leaves the call to
// the user's own rules: allow approved calls in 1.2.3, and not in 1.2.7.
//
// Known deviations: a new input and changed permissions have fields of which no report says how they work. A hook's own
// answer with one refuses the call, and none is written. Searches and the web are tools without arguments in any
// report, so they have no row. The reply of a hook before a turn is for one request to the model.
package antigravity
