// Package adapter joins the dialects: it runs the hooks of one agent for the
// events of another. There is one way into the canonical model and one way out
// of it for each dialect, and nothing here knows two of them.
//
// [Bridge.Run] is the whole of one hook call:
//
//	stdin -> host.DecodeCall -> views -> select -> process.RunAll
//	      -> hooks.DecodeReply -> hooks.Merge -> fallbacks, relay
//	      -> host.AppendReply -> stdout
//
// [Find] and [Dialects] give the dialects by name. [Convert] makes one dialect's
// configuration of another's, [TranslateCall] and [TranslateReply] rewrite single
// documents, [Matrix] tells what carries, [Check] and [Examine] look at files and
// at how their hooks stand with a host, [Synthesize] makes payloads for a try.
// What cannot carry is never dropped in silence: it is among the Diagnostics that
// come with the result.
package adapter
