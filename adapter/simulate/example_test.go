package simulate_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/schema"
)

// An agent is played with the hooks in its own files: a guard of Cursor's denies a command.
func ExampleSimulate() {
	project, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(project)
	os.Mkdir(filepath.Join(project, ".cursor"), 0o700)
	os.WriteFile(filepath.Join(project, ".cursor", "hooks.json"), []byte(`{"version": 1, "hooks": {
		"beforeShellExecution": [{"command": "echo '{\"permission\": \"deny\"}'"}]}}`), 0o600)

	cursor, _ := adapter.Find("cursor")
	host := &simulate.Host{
		Dialect: cursor,
		Places:  schema.Places{OS: "linux", Project: project, Env: os.Environ()},
		Machine: bridge.Machine{OS: "linux", Dir: project, Env: os.Environ(), Now: time.Now},
	}
	out, err := simulate.Simulate(context.Background(), host, simulate.Action{
		Event: schema.PreTool, Tool: "shell", Input: []byte(`{"command": "rm -rf build"}`)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Decision)
	for _, s := range out.Steps {
		for _, run := range s.Runs {
			fmt.Println(s.Event, "called", len(run.Hooks()), "hook:", s.Reply.Verdict)
		}
	}
	// Output:
	// deny
	// beforeShellExecution called 1 hook: deny
}
