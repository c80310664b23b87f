package convert

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestLater: if an agent takes no context when a session starts, an entry at a later event delivers the context of such
// a hook.
func TestLater(t *testing.T) {
	for host, want := range map[string]string{"cursor": "beforeSubmitPrompt", "kimi": "UserPromptSubmit", "codex": "",
		"gemini": ""} {
		from, _ := adapter.Find("claude")
		to, err := adapter.Find(host)
		if err != nil {
			t.Fatal(err)
		}
		in := Installation{Host: to, Hooks: []dialect.Dialect{from}}
		h := schema.Hook{Handler: schema.HandlerCommand, Event: schema.SessionStart, Native: "SessionStart",
			Command: "echo"}
		entries, _ := in.Entries([]schema.Hook{h})
		var more []string
		for _, e := range entries {
			if name := e.Pointer[strings.LastIndex(e.Pointer, "/")+1:]; !strings.EqualFold(name, "sessionStart") {
				more = append(more, name)
			}
		}
		if got := strings.Join(more, " "); got != want {
			t.Errorf("%s: also at %q, want %q", host, got, want)
		}
	}
}
