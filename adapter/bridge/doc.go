// Package bridge runs the hooks of one agent for the events of another.
// [Bridge.Run] is the whole of one hook call:
//
//	stdin -> host.DecodeCall -> load -> hooks.Views -> select -> execute
//	      -> hooks.DecodeReply -> hooks.Merge -> fit -> relay -> host.AppendReply -> stdout
//
// Nothing here knows two agents. What can't be carried is never dropped silently: it
// is among the Diagnostics of the [Report].
package bridge
