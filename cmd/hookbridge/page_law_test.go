package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/web"
)

// pageHooks are hooks of Claude Code that other agents carry wholly, in part or not at all.
const pageHooks = `{"hooks": {
 "PreToolUse": [{"matcher": "Bash|mcp__hb__.*", "hooks": [{"type": "command", "command": "./g.sh", "timeout": 5},
   {"type": "prompt", "prompt": "ok? $ARGUMENTS"}]},
  {"matcher": "Bash", "hooks": [{"type": "command", "command": "./c.sh", "if": "Bash(a*) or Bash(b*)"}]}],
 "PostToolUse": [{"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "./f.sh", "async": true}]}],
 "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "./p.sh"}]}],
 "Notification": [{"matcher": "permission_prompt", "hooks": [{"type": "command", "command": "./n.sh"}]}],
 "Stop": [{"hooks": [{"type": "http", "url": "http://localhost/x"}]}]}}`

// TestPageConverts holds that the page says of a conversion what the command says: the
// same text and the same findings, for every ordered pair of agents.
func TestPageConverts(t *testing.T) {
	t.Chdir(t.TempDir())
	cells := 0
	owners := adapter.NamesOf(adapter.WithHooks())
	for _, from := range owners {
		text := web.Convert("claude", from, pageHooks).Text
		if from == "claude" {
			text = pageHooks
		}
		for _, to := range adapter.Names() {
			if from == to {
				continue
			}
			var out, errs bytes.Buffer
			dispatch([]string{"convert", "--json", "--from", from, "--to", to, "-"},
				cli.IO{In: strings.NewReader(text), Out: &out, Err: &errs})
			var command struct {
				In          int `json:"hooks_in"`
				Entries     int `json:"hooks_out"`
				Diagnostics []struct {
					Code, Severity, Path string
					Line                 int
				}
			}
			if err := json.Unmarshal(out.Bytes(), &command); err != nil {
				t.Fatalf("%s to %s: %v: %s%s", from, to, err, &out, &errs)
			}

			page := web.Convert(from, to, text)
			var said, shown []string
			for _, d := range command.Diagnostics {
				said = append(said, strings.Join([]string{d.Severity, d.Code, d.Path}, " "))
			}
			for _, f := range page.Findings {
				shown = append(shown, strings.Join([]string{f.Severity, f.Code, f.Path}, " "))
			}
			slices.Sort(said)
			slices.Sort(shown)
			if !slices.Equal(slices.Compact(said), slices.Compact(shown)) || command.In != page.Hooks ||
				command.Entries != page.Entries {
				t.Errorf("%s to %s: the command\n%s\nand the page\n%s", from, to, strings.Join(said, "\n"),
					strings.Join(shown, "\n"))
			}
			cells++
		}
	}
	if want := len(owners) * (len(adapter.Names()) - 1); cells != want {
		t.Errorf("%d pairs, want %d", cells, want)
	}
}
