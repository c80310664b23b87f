package bridge

import (
	"context"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestEntries: entries of one event run at once. What one has left in the session's file must not count as past for
// another.
func TestEntries(t *testing.T) {
	for _, tt := range []struct {
		name, host, hooks, event, payload string
		show                              string // the answer of each hook to its stdin $in
		rounds                            []string
	}{
		{"the start of a session, for hosts that don't say whether it is resumed", "cursor", "claude", "SessionStart",
			`{"conversation_id":"c","session_id":"c","hook_event_name":"sessionStart","cursor_version":"3.15.19",` +
				`"workspace_roots":[]}`,
			`{hookSpecificOutput: {additionalContext: .source, hookEventName: "SessionStart"}}`,
			[]string{"startup", "resume"}},
		{"rounds of a stop hook", "claude", "cursor", "stop",
			`{"session_id":"s","transcript_path":"","cwd":"/","hook_event_name":"Stop","stop_hook_active":ACTIVE}`,
			`{followup_message: "round \(.loop_count)"}`, []string{"round 0", "round 1", "round 2"}},
	} {
		b := newBridge(t, tt.host, tt.hooks, "")
		for round, want := range tt.rounds {
			for _, entry := range []string{"one", "two"} {
				b.Single = &schema.Hook{Handler: schema.HandlerCommand, Native: tt.event}
				b.Single.Command = "jq -c '" + tt.show + "' #" + entry
				b.Single.Event = b.Hooks.Profile().Row(tt.event).Event
				payload := strings.Replace(tt.payload, "ACTIVE",
					map[bool]string{true: "true", false: "false"}[round > 0], 1)
				_, rep, err := b.Run(context.Background(), []byte(payload), "")
				if err != nil || len(rep.Runs) != 1 || !strings.Contains(string(rep.Runs[0].Result.Stdout),
					`"`+want+`"`) {
					t.Errorf("%s, round %d, entry %s: %+v instead of %q, %v", tt.name, round, entry, rep.Runs, want,
						err)
				}
			}
		}
	}
}

// TestEntriesEnv: variables from the hooks of one entry don't replace another's.
func TestEntriesEnv(t *testing.T) {
	b := newBridge(t, "claude", "cursor", "")
	common := `{"session_id":"s","transcript_path":"","cwd":"/","permission_mode":"default","hook_event_name":`
	for _, entry := range []string{"A", "B"} {
		b.Single = &schema.Hook{Handler: schema.HandlerCommand, Event: schema.SessionStart, Native: "sessionStart",
			Command: `echo '{"env":{"` + entry + `":"` + entry + `"}}'`}
		if _, rep, err := b.Run(context.Background(), []byte(common+`"SessionStart","source":"startup"}`),
			""); err != nil {
			t.Fatal(err, rep.Diagnostics)
		}
	}
	b.Single.Event, b.Single.Native, b.Single.Command = schema.Stop, "stop", `echo "$A$B" >&2`
	_, rep, err := b.Run(context.Background(), []byte(common+`"Stop","stop_hook_active":false}`), "")
	if err != nil || len(rep.Runs) != 1 || string(rep.Runs[0].Result.Stderr) != "AB\n" {
		t.Errorf("%+v %v", rep.Runs, err)
	}
}
