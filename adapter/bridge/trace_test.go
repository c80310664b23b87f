package bridge

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/schema"
)

// TestTrace checks that a trace changes no answer, and that every hook either runs or has a reason.
func TestTrace(t *testing.T) {
	project := t.TempDir()
	os.Mkdir(filepath.Join(project, ".claude"), 0o700)
	os.WriteFile(filepath.Join(project, ".claude", "settings.json"), []byte(`{"hooks":{
"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"echo no >&2; exit 2"},{"type":"command","command":"echo no >&2; exit 2"},
 {"type":"command","command":"true","if":"Bash(git *)"},{"type":"mcp_tool","server":"s","tool":"t"}]},
 {"matcher":"Write","hooks":[{"type":"command","command":"true"}]}],
"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}`), 0o600)
	hooks, _ := adapter.Find("claude")
	for _, host := range []string{"cursor", "qoder"} {
		d, _ := adapter.Find(host)
		for _, row := range d.Profile().Events {
			payload, err := sample.Payload(d, sample.Event{Event: row.Native, Project: project, Session: "s"})
			if err != nil {
				t.Fatal(err)
			}
			b := &Bridge{Host: d, Hooks: hooks, Now: time.Now,
				Places: schema.Places{OS: "linux", Project: project, Env: os.Environ()}}
			plain, rep, err := b.Run(context.Background(), payload, "")
			if err != nil || rep.Trace != nil {
				t.Fatalf("%s: %v, trace %v", row.Native, err, rep.Trace)
			}
			b.Trace = true
			traced, told, err := b.Run(context.Background(), payload, "")
			if err != nil || string(plain) != string(traced) || len(rep.Runs) != len(told.Runs) ||
				len(rep.Diagnostics) != len(told.Diagnostics) {
				t.Errorf("%s: %s, looked on: %s %v", row.Native, plain, traced, err)
			}
			if n := len(told.Runs) + len(told.Trace.Skipped); n != 6 {
				t.Errorf("%s: %d of 6 hooks are told of", row.Native, n)
			}
			for _, s := range told.Trace.Skipped {
				if s.Why == 0 || s.Detail == "" {
					t.Errorf("%s: no reason for %+v", row.Native, s)
				}
			}
		}
	}
}
