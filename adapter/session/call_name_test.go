package session

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
)

// TestCallNames checks which payloads are of one call: equal commands in two folders aren't, at any event of the host.
func TestCallNames(t *testing.T) {
	host, _ := adapter.Find("cursor")
	name := func(payload string) string {
		c, ds := host.DecodeCall([]byte(payload), nil)
		if c == nil {
			t.Fatal(ds)
		}
		return new(Memory).Call(c).name
	}
	pre := func(cwd string) string {
		return name(`{"hook_event_name":"preToolUse","conversation_id":"s","generation_id":"g",` +
			`"workspace_roots":["/p"],` +
			`"tool_name":"Shell","tool_input":{"command":"make","cwd":"` + cwd + `"},"cwd":"` + cwd + `"}`)
	}
	gate := func(cwd string) string {
		return name(
			`{"hook_event_name":"beforeShellExecution","conversation_id":"s","generation_id":"g",` +
				`"workspace_roots":["/p"],` +
				`"command":"make","cwd":"` + cwd + `"}`)
	}
	for _, cwd := range []string{"/p/a", "/p/b", ""} {
		if pre(cwd) != gate(cwd) {
			t.Errorf("%q: two names for one act", cwd)
		}
	}
	if pre("/p/a") == pre("/p/b") || gate("/p/a") == gate("/p/b") {
		t.Error("one name for acts in two folders")
	}
	if pre("") != gate("/p") { // the folder is the project's if none is named
		t.Error("two names for one act in the project's folder")
	}
}
