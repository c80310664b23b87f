package web

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

const everyGuard = `{"hooks": {
  "PreToolUse": [{"hooks": [{"type": "command", "command": "./guard.sh"}]}],
  "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "./guard.sh"}]}],
  "Stop": [{"hooks": [{"type": "command", "command": "./guard.sh"}]}]}}`

const asks = `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask",
  "permissionDecisionReason": "sure?"}}`

// TestJudgment checks that the page's texts about a denial and a question match hookbridge's treatment of a hook's
// answer, in every agent.
func TestJudgment(t *testing.T) {
	hooks, err := adapter.Find("claude")
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, line := range []string{`shell "rm -rf /"`, "read a.txt", "write a.txt hi", "mcp db query", "prompt hi",
		"stop"} {
		call, err := scenario.ParseLine(line)
		if err != nil {
			t.Fatal(err)
		}
		if call.Event == "" {
			call.Event = schema.PreTool.String()
		}
		for _, host := range adapter.Dialects() {
			row := adapter.EventNamed(host, call.Event)
			if row == nil {
				continue
			}
			event := sample.ForHost(host, sample.Event{Event: row.Native, Tool: call.Tool, Server: call.Server,
				Input: call.Input, Output: call.Output, Project: "/project", Session: "page"})
			reply := func(answer process.Result) schema.Reply {
				report, err := played(host, hooks, everyGuard, event,
					func(*schema.Hook, process.Spec) func(context.Context) process.Result {
						return func(context.Context) process.Result { return answer }
					})
				if err != nil || len(report.Runs) == 0 {
					t.Fatalf("%s in %s: %v, %+v", line, host.Profile().Name, err, report)
				}
				return report.Reply
			}
			page, err := outcomeOf(host, hooks, everyGuard, call)
			if err != nil {
				t.Fatal(err)
			}
			denied := reply(process.Result{Exit: 2, Stderr: []byte("no")})
			blocks := denied.Verdict == schema.Deny
			goes := denied.KeepGoing != ""
			if blocks != strings.Contains(page.Denial, "deny blocks") ||
				goes != strings.Contains(page.Denial, "working") {
				t.Errorf("%s in %s: %+v, and the page says %q", line, host.Profile().Name, denied, page.Denial)
			}
			if call.Event == schema.PreTool.String() {
				asked := reply(process.Result{Stdout: []byte(asks)}).Verdict == schema.Ask
				if asked != strings.Contains(page.Denial, "ask asks") {
					t.Errorf("%s in %s: asks: %t, and the page says %q", line, host.Profile().Name, asked, page.Denial)
				}
			}
			judged++
		}
	}
	if judged < 5*len(adapter.Dialects()) {
		t.Errorf("%d answers", judged)
	}
}

// TestLeft checks that the page names the arguments that an agent's tool doesn't have.
func TestLeft(t *testing.T) {
	out := CallOf("claude", everyGuard, `shell {"command": "ls", "description": "list"}`)
	if out.Error != "" {
		t.Fatal(out.Error)
	}
	if !slices.ContainsFunc(out.Agents, func(a Outcome) bool { return slices.Contains(a.Left, "description") }) ||
		slices.ContainsFunc(out.Agents, func(a Outcome) bool { return a.Title == "Claude Code" && len(a.Left) > 0 }) {
		t.Errorf("%+v", out.Agents)
	}
}
