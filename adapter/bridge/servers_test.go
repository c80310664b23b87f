package bridge

import (
	"context"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// TestServersLaw holds that a guard on the tools of an MCP server runs under every host, whatever the
// server and the tool are called: by the name that its own agent gives the tool, by an expression for
// all tools of the server, and by one for the end of the name, which hosts may cut off. A guard on
// another server doesn't run.
func TestServersLaw(t *testing.T) {
	long := "read_the_documentation_of_a_very_long_tool_that_has_a_name_of_85_characters_in_all_xy"
	for _, host := range adapter.Dialects() {
		for _, hooks := range adapter.WithHooks() {
			from, to := hooks.Profile(), host.Profile()
			if from.Name == to.Name || from.MCP.Between == "" {
				continue
			}
			for _, name := range [][2]string{{"brave-search", "do-it"}, {"my_srv", "do_it"}, {"hb", long}} {
				if host.Profile().MCP.Loose && strings.ContainsAny(name[0], "-_") {
					continue // a server of OpenCode is known by its configuration
				}
				server, tool := from.MCP.Word(name[0]), from.MCP.Word(name[1])
				start := from.MCP.Prefix + server + from.MCP.Between
				runs := map[string]bool{from.MCP.Join(server, tool): true}
				if name[1] != long {
					runs["^"+matcher.Escape(start)+".*"] = true
				} else if to.MCP.Between != "" { // else the host doesn't name the server
					runs["^"+matcher.Escape(from.MCP.Prefix+"other"+from.MCP.Between)+".*"] = false
				}
				if name[1] == long && from.MCP.Sure() > len(start+tool) {
					runs["^"+matcher.Escape(start)+".*xy$"] = true
				}
				for expression, runs := range runs {
					b := newBridge(t, to.Name, from.Name, "true")
					b.Single.Matcher, b.Single.HasMatcher = expression, true
					b.Single.Event, b.Single.Native = schema.PreTool, from.Generic(schema.PreTool)
					payload, err := sample.Payload(host, sample.Event{Event: to.Generic(schema.PreTool),
						Tool: "mcp__" + name[0] + "__" + name[1], Project: b.Places.Project, Session: "s"})
					if err != nil {
						t.Fatal(err)
					}
					_, rep, err := b.Run(context.Background(), payload, "")
					if err != nil || (len(rep.Runs) > 0) != runs {
						t.Errorf("%s under %s, %s: ran %d times, %v\n%s", from.Name, to.Name, expression,
							len(rep.Runs), err, payload)
					}
				}
			}
		}
	}
}

// TestShortenedNames holds how agents shorten a name that is too long (observed in the real clients).
func TestShortenedNames(t *testing.T) {
	const tool = "read_the_documentation_of_a_very_long_tool_that_has_a_name_of_85_characters_in_all_xy"
	for agent, want := range map[string]string{
		"claude":  "mcp__docs__" + tool,
		"copilot": "docs-read_the_documentation_of_a_very_long_tool_that_has_a_name_",
		"droid":   "docs___read_the_documentation_of_a_very_long_tool_that__ec10e4f3",
		"kimi":    "mcp__docs__read_the_documentation_of_a_very_long_tool_t_367d4e0c",
		"qwen":    "mcp__docs__read_the_documentation_of_a_very_long_tool_t_0f4a32k",
	} {
		d, _ := adapter.Find(agent)
		if got := d.Profile().MCP.Join("docs", tool); got != want {
			t.Errorf("%s: %s, want %s", agent, got, want)
		}
	}
}
