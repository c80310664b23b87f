package bridge

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/hookshell"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSessionCost checks how much a call reads however long its session is. The session's files stay small even if
// several calls run at once, as sub-agents do, or a turn repeats one command.
func TestSessionCost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	host, _ := adapter.Find("cursor")
	hooks, _ := adapter.Find("claude")
	b := Bridge{Host: host, Hooks: hooks, StateDir: dir, Now: time.Now, TempDir: t.TempDir(), Start: hookshell.Start,
		Places: schema.Places{OS: "linux", Home: "/", Env: schema.Environ{"PATH=/usr/bin:/bin", "PWD=/"}},
		Single: &schema.Hook{Handler: schema.HandlerCommand, Command: "exit 0"}}
	var all sync.WaitGroup
	for agent := range 4 {
		all.Go(func() {
			for i := range 50 {
				for _, command := range []string{"make test", fmt.Sprintf("make %d-%d", agent, i)} {
					src := fmt.Appendf(nil, `{"conversation_id":"s","session_id":"s","generation_id":"g",`+
						`"tool_name":"Shell",`+
						`"tool_input":{"command":%q},"tool_use_id":"%d-%d","hook_event_name":"preToolUse",`+
						`"cursor_version":"3.15.19","workspace_roots":["/"]}`, command, agent, i)
					if _, _, err := b.Run(t.Context(), src, ""); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		files++
		if info.Size() > 4<<10 {
			t.Errorf("%s has %d bytes", path, info.Size())
		}
		return nil
	})
	if err != nil || files < 200 {
		t.Errorf("%d files: %v", files, err)
	}
}
