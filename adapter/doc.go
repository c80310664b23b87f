// Package adapter lists the dialects and finds them by name or by a payload.
//
// What is done with them is in the packages below this one: bridge.Bridge runs
// the hooks of one agent for the events of another, package convert writes them into
// another agent's files, package inspect says how they do there, package plan where
// they would run, package trust which projects may run any, and package cmdline reads
// and writes the command lines by which agents call the bridge.
package adapter
