// Package bridge runs the hooks of one agent for the events of another.
// [Bridge.Run] is the whole of one hook call:
//
//	stdin -> host.DecodeCall -> load -> hooks.Views -> select -> execute
//	      -> hooks.DecodeReply -> hooks.Merge -> fit -> relay -> host.AppendReply -> stdout
//
// Nothing here knows two agents. Nothing is dropped silently: a loss is a Diagnostic
// of the [Report].
package bridge
