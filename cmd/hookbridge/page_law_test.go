package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/web"
)

// pageHooks are hooks of Claude Code. Each of the other agents supports some of them fully, in part or not at all.
const pageHooks = `{"hooks": {
 "PreToolUse": [{"matcher": "Bash|mcp__hb__.*", "hooks": [{"type": "command", "command": "./g.sh", "timeout": 5},
   {"type": "prompt", "prompt": "ok? $ARGUMENTS"}]},
  {"matcher": "Bash", "hooks": [{"type": "command", "command": "./c.sh", "if": "Bash(a*) or Bash(b*)"}]}],
 "PostToolUse": [{"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "./f.sh", "async": true}]}],
 "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "./p.sh"}]}],
 "Notification": [{"matcher": "permission_prompt", "hooks": [{"type": "command", "command": "./n.sh"}]}],
 "Stop": [{"hooks": [{"type": "http", "url": "http://localhost/x"}]}]}}`

// pageTexts are files of other forms, including some without hooks to convert.
var pageTexts = []struct{ name, from, text string }{
	{"comments", "claude", "{\n// why\n\"hooks\": {\"Stop\": [" + pageStop + ",]}}"},
	{"switched off", "claude", `{"disableAllHooks": true, "hooks": {"Stop": [` + pageStop + `]}}`},
	{"other settings", "claude", `{"model": "x", "permissions": {"deny": ["Bash(rm:*)"]}, "hooks": {"Stop": [` +
		pageStop + `]}}`},
	{"no hooks", "claude", `{"hooks": {}}`},
	{"no hooks, switched off", "claude", `{"disableAllHooks": true}`},
	{"no JSON", "claude", `{"hooks": `},
	{"a list", "claude", `[]`},
	{"an unknown event", "cursor", `{"version": 1, "hooks": {"noSuchEvent": [{"command": "./s.sh"}]}}`},
	{"the same hook twice", "cursor",
		`{"version": 1, "hooks": {"stop": [{"command": "./s.sh"}, {"command": "./s.sh"}]}}`},
	{"TOML", "codex", "[[hooks.PreToolUse]]\nmatcher = \"^Bash$\"\n[[hooks.PreToolUse.hooks]]\n" +
		"type = \"command\"\ncommand = \"./g.sh\"\n"},
	{"TOML with a mistake", "codex", "[[hooks.PreToolUse]\n"},
}

// pageStop is a group of one hook.
const pageStop = `{"hooks": [{"type": "command", "command": "./s.sh"}]}`

// TestPageReads checks the same for files of other forms, and that the page has a result if the command has one.
func TestPageReads(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, test := range pageTexts {
		for _, to := range adapter.Names() {
			if test.from != to {
				samePage(t, test.name, test.from, to, test.text)
			}
		}
	}
}

// TestPageConverts checks that the page and the command convert alike, with the same text and the same findings, for
// every ordered pair of agents.
func TestPageConverts(t *testing.T) {
	t.Chdir(t.TempDir())
	cells := 0
	owners := adapter.NamesOf(adapter.WithHooks())
	for i, from := range owners {
		text := web.Convert("claude", from, pageHooks).Text
		if from == "claude" {
			text = pageHooks
		}
		for j, to := range adapter.Names() {
			if from == to || testing.Short() && (i+j)%4 != 0 {
				continue
			}
			samePage(t, "all kinds", from, to, text)
			cells++
		}
	}
	if want := len(owners) * (len(adapter.Names()) - 1); cells != want && !testing.Short() {
		t.Errorf("%d pairs, want %d", cells, want)
	}
}

// samePage compares the results of a conversion by the command and by the page.
func samePage(t *testing.T, name, from, to, text string) {
	t.Helper()
	var out, errs bytes.Buffer
	code := dispatch([]string{"convert", "--json", "--from", from, "--to", to, "-"},
		cli.IO{In: strings.NewReader(text), Out: &out, Err: &errs})
	var command struct {
		In          int    `json:"hooks_in"`
		Entries     int    `json:"hooks_out"`
		Document    string `json:"document"`
		Diagnostics []struct {
			Code, Severity, Path string
			Line                 int
		}
	}
	if err := json.Unmarshal(out.Bytes(), &command); err != nil {
		t.Fatalf("%s: %s to %s: %v: %s%s", name, from, to, err, &out, &errs)
	}

	page := web.Convert(from, to, text)
	var said, shown []string
	for _, d := range command.Diagnostics {
		said = append(said, strings.Join([]string{d.Severity, d.Code, d.Path, strconv.Itoa(d.Line)}, " "))
	}
	for _, f := range page.Findings {
		shown = append(shown, strings.Join([]string{f.Severity, f.Code, f.Path, strconv.Itoa(f.Line)}, " "))
	}
	slices.Sort(said)
	slices.Sort(shown)
	said, shown = slices.Compact(said), slices.Compact(shown)
	if !slices.Equal(said, shown) || command.In != page.Hooks || command.Entries != page.Entries ||
		(page.Text == "") != (code == 1) {
		t.Errorf("%s: %s to %s: the command, which ends with %d\n%d of %d: %s\nand the page, with %d bytes\n"+
			"%d of %d: %s", name, from, to, code, command.Entries, command.In, strings.Join(said, "\n"), len(page.Text),
			page.Entries, page.Hooks, strings.Join(shown, "\n"))
	}
}
