package inspect

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/grok"
	"github.com/hookbridge/hookbridge/schema"
)

// TestBareFile: a command without blanks is looked up where Grok does, in the folder of the hook file.
func TestBareFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "g.sh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	places := schema.Places{Project: t.TempDir(), Env: schema.Environ{"PATH=" + os.Getenv("PATH")}}
	for command, want := range map[string]bool{"g.sh": false, "./g.sh": false, "sh": true, "./g.sh x": true} {
		h := &schema.Hook{Handler: schema.HandlerCommand, Native: "PreToolUse", Event: schema.PreTool, Command: command}
		h.Source.File = filepath.Join(dir, "a.json")
		if problem, _ := CommandProblem(grok.New(), h, places); (problem != "") != want {
			t.Errorf("%s: %q", command, problem)
		}
	}
}
