package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

// uses are the rows of the table in docs/support.md: what people write hooks for, and the answer of such a hook in the
// format of Claude Code.
var uses = []struct{ label, event, tools, answer string }{
	{"block a command, an edit, an MCP call", "pre-tool", "shell write mcp__db__query",
		pre(`"permissionDecision":"deny","permissionDecisionReason":"no"`)},
	{"ask before a command", "pre-tool", "shell", pre(`"permissionDecision":"ask","permissionDecisionReason":"sure?"`)},
	{"rewrite a command", "pre-tool", "shell", pre(`"updatedInput":{"command":"ls -l"}`)},
	{"add context before a command", "pre-tool", "shell", pre(`"additionalContext":"x"`)},
	{"add context after a command", "post-tool", "shell",
		`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x"}}`},
	{"replace the result of a command", "post-tool", "shell",
		post(`{"stdout":"x","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}`)},
	{"replace the result of an MCP call", "post-tool", "mcp__db__query", post(`"x"`)},
	{"block a prompt", "prompt-submit", "", `{"decision":"block","reason":"no"}`},
	{"add context to a prompt", "prompt-submit", "",
		`{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"x"}}`},
	{"add context at session start", "session-start", "",
		`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"x"}}`},
	{"keep the agent working at stop", "stop", "", `{"decision":"block","reason":"run the tests"}`},
	{"keep a subagent working", "subagent-stop", "", `{"decision":"block","reason":"run the tests"}`},
	{"answer a permission prompt", "permission-request", "",
		`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}`},
	{"run on a notification", "notification", "", ``},
}

func pre(members string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PreToolUse",` + members + `}}`
}

func post(output string) string {
	return `{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":` + output + `}}`
}

// aside are findings about the payload or the event, not about the answer.
var aside = []schema.Code{schema.CodeServerUnknown, schema.CodeTranscript, schema.CodeMoreCalls, schema.CodeFewerCalls,
	schema.CodeNotAwaited, schema.CodeMemberLost}

// briefUses and briefHosts are the rows and columns of that table that the README shows.
var (
	briefUses = []string{"block a command, an edit, an MCP call", "ask before a command",
		"add context before a command", "replace the result of a command", "keep the agent working at stop"}
	briefHosts = []string{"claude", "cursor", "codex", "copilot", "gemini", "opencode"}
)

// endsRun are agents in which denying some tools ends more than the call, which is reported. The table shows the result
// for a command.
var endsRun = map[string]string{"cline": "an MCP call"}

// TestReadmeUses fires one event per cell of the table in docs/support.md through hookbridge, and compares that table
// and its part in the README with the results.
func TestReadmeUses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are shell commands")
	}
	t.Setenv("HOOKBRIDGE_STATE_DIR", filepath.Join(t.TempDir(), "state"))
	words := map[[2]string]string{} // by use and agent
	var all []string
	for _, d := range adapter.Dialects() {
		all = append(all, d.Profile().Name)
	}
	for _, u := range uses {
		for _, host := range all {
			var list []string
			for _, tool := range strings.Split(u.tools, " ") {
				list = append(list, outcomeWord(t, host, u.event, tool, u.answer))
			}
			if list = slices.Compact(list); len(list) > 1 && endsRun[host] == "" {
				t.Errorf("%s in %s is several rows: %s", u.label, host, list)
			}
			words[[2]string{u.label, host}] = list[0]
		}
	}

	table := func(labels, hosts []string) string {
		head, line := "| Your hook wants to |", "|---|"
		for _, host := range hosts {
			d, err := adapter.Find(host)
			if err != nil {
				t.Fatal(err)
			}
			head, line = head+" "+d.Profile().Title+" |", line+"---|"
		}
		rows := head + "\n" + line + "\n"
		for _, label := range labels {
			rows += "| " + label + " |"
			for _, host := range hosts {
				rows += " " + words[[2]string{label, host}] + " |"
			}
			rows += "\n"
		}
		return rows
	}
	labels := make([]string, len(uses))
	for i, u := range uses {
		labels[i] = u.label
	}
	holdPart(t, "../../docs/support.md", "uses", table(labels, all))
	holdPart(t, "../../README.md", "uses", table(briefUses, briefHosts))
}

// outcomeWord returns the word for the effect of one hook's answer under a host.
func outcomeWord(t *testing.T, host, event, tool, answer string) string {
	t.Helper()
	hooks := "claude"
	if host == hooks { // the answers are the same in Qoder's format
		hooks = "qoder"
	}
	args := []string{"fire", "--json", "--project", t.TempDir(), "--host", host, "--hooks", hooks, "--event", event,
		"-c", "printf %s '" + answer + "'"}
	if tool != "" {
		args = append(args, "--tool", tool)
	}
	_, out, errs := output(args...)
	if strings.Contains(errs, "doesn't know the event") {
		return inspect.Never.String()
	}
	var story struct {
		Ran         []any
		Diagnostics []struct{ Code schema.Code }
	}
	if err := json.Unmarshal([]byte(out), &story); err != nil || len(story.Ran) == 0 {
		t.Fatalf("%s %s: %v %s%s", host, event, err, out, errs)
	}
	reported := fmt.Sprint(story.Diagnostics)
	for _, code := range aside {
		reported = strings.ReplaceAll(reported, string(code), "")
	}
	for _, o := range inspect.Outcomes {
		for _, code := range o.Codes {
			if strings.Contains(reported, string(code)) {
				return o.Word
			}
		}
	}
	if strings.Contains(reported, "HB") {
		t.Errorf("%s %s %s: no word for %s", host, event, answer, reported)
	}
	return inspect.Works
}

// TestReadmeLive compares the suite's table of live runs, and the README's totals, with the pages under conformance
// that the comparisons write.
func TestReadmeLive(t *testing.T) {
	pages, err := filepath.Glob("../../conformance/LIVE*.md")
	if err != nil || len(pages) < 3 {
		t.Fatal(pages, err)
	}
	table := "| Claude Code hooks in | compared | same | declared difference | open |\n|---|---|---|---|---|\n"
	var rows, all, same, open int
	for _, page := range pages {
		for _, section := range strings.Split(string(read(t, page)), "\n## ")[1:] {
			heading, lines, _ := strings.Cut(section, "\n")
			own, rest, ok := strings.Cut(heading, " hooks ")
			_, host, ok2 := strings.Cut(rest, ", through hookbridge, in ")
			if !ok || !ok2 {
				continue
			}
			equal, differs := strings.Count(lines, "| same |\n"), strings.Count(lines, "| differs")
			n := equal + differs + strings.Count(lines, "| difference: ") // what runs on one side only isn't compared
			rows, all, same, open = rows+1, all+n, same+equal, open+differs
			if strings.HasPrefix(own, "Claude") {
				table += fmt.Sprintf("| [%s](%s) | %d | %d | %d | %d |\n",
					program(host), filepath.Base(page), n, equal, n-equal-differs, differs)
			}
		}
	}
	table += fmt.Sprintf("| all %d directions | %d | %d | %d | %d |\n", rows, all, same, all-same-open, open)
	holdPart(t, "../../conformance/README.md", "live", table)
	holdPart(t, "../../README.md", "totals", fmt.Sprintf("The same hooks run in their own client and through "+
		"hookbridge in another, both real command-line clients or SDKs with a scripted model: of\n%d results in "+
		"%d directions, %d are the "+
		"same, %d differ for a\n[declared reason](conformance/README.md#compared-with-the-real-clients), and %d are "+
		"open.\n", all, rows, same, all-same-open, open))
}

// TestReadmePeers compares the suite's lines on other tools with the page that the live run wrote.
func TestReadmePeers(t *testing.T) {
	var lines string
	last := ""
	for line := range strings.Lines(string(read(t, "../../conformance/PEERS.md"))) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) != 6 || cells[0] == "agent" || strings.HasPrefix(cells[0], "-") {
			continue
		}
		switch result := fmt.Sprintf("%s %s equal, %s open", cells[1], cells[3], cells[5]); cells[0] {
		case last:
			lines = strings.TrimSuffix(lines, "\n") + "; " + result + "\n"
		default:
			lines += "- " + cells[0] + ", " + cells[2] + " scenarios: " + result + "\n"
		}
		last = cells[0]
	}
	holdPart(t, "../../conformance/README.md", "peers", lines)
}

// program returns the name of the agent that a live page ran. For Cursor that is the SDK, not the editor in the table
// of uses.
func program(name string) string {
	for _, d := range adapter.Dialects() {
		if title := d.Profile().Title; strings.HasPrefix(name, title) && title != "Cursor" {
			return title
		}
	}
	if strings.HasPrefix(name, "Cursor") {
		return "Cursor SDK"
	}
	return name
}
