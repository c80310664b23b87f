// Package adapter joins the dialects: it runs the hooks of one agent for the
// events of another. There is one way into the canonical model and one way out
// of it for each dialect, and nothing here knows two of them.
//
// [Bridge.Run] is the whole of one hook call:
//
//	stdin -> host.DecodeCall -> views -> select -> process.RunAll
//	      -> hooks.DecodeReply -> hooks.Merge -> fallbacks, relay
//	      -> host.AppendReply -> stdout
package adapter
