package bridge

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// TestServersLaw checks that a guard on the tools of an MCP server runs under every host, for any names of server and
// tool. The guard matches its own agent's name of the tool, all tools of the server, or the end of the name, which
// hosts may cut off. A guard on another server doesn't run.
func TestServersLaw(t *testing.T) {
	long := "read_the_documentation_of_a_very_long_tool_that_has_a_name_of_85_characters_in_all_xy"
	for _, host := range adapter.Dialects() {
		for _, hooks := range adapter.WithHooks() {
			from, to := hooks.Profile(), host.Profile()
			unmatched := from.Row(from.Generic(schema.PreTool)).Match == schema.MatchNothing
			if from.Name == to.Name || from.MCP.Between == "" || unmatched {
				continue
			}
			for _, name := range [][2]string{{"brave-search", "do-it"}, {"my_srv", "do_it"}, {"hb", long}} {
				if host.Profile().MCP.Loose && strings.ContainsAny(name[0], "-_") {
					continue // OpenCode finds a server in its configuration
				}
				server, tool := from.MCP.Word(name[0]), from.MCP.Word(name[1])
				if from.Grammar.Fold { // names in capitals, with "_" for all but letters and digits
					server, tool = strings.ReplaceAll(server, "-", "_"), strings.ReplaceAll(tool, "-", "_")
				}
				start, mark := from.MCP.Prefix+server+from.MCP.Between, from.Grammar.Servers
				of := func(server string) string { // an expression for all tools of a server
					if from.MCP.ServerLast {
						return mark + matcher.Escape(from.MCP.Between+server) + "$"
					}
					return "^" + matcher.Escape(from.MCP.Prefix+server+from.MCP.Between) + ".*"
				}
				runs := map[string]bool{mark + from.MCP.Join(server, tool): true}
				if name[1] != long {
					runs[of(server)] = true
				} else if to.MCP.Between != "" && !from.MCP.ServerLast && // else it may be any server's
					(from.MCP.Prefix != "" || !host.Profile().MCP.Loose) {
					runs[of("other")] = false
				}
				if name[1] == long && !from.MCP.ServerLast && from.MCP.Sure() > len(start+tool) {
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

// TestSmallNames checks that guards run for MCP tools of Oh My Pi, with or without a configured server. It writes names
// in lowercase, with one "_" after the server's and not twice (observed 18.2.3).
func TestSmallNames(t *testing.T) {
	for _, tt := range []struct {
		matcher, tool string
		runs          bool
	}{
		{"mcp__hb__echo", "mcp__hb_echo", true}, {"mcp__hb__.*", "mcp__hb_echo", true},
		{"mcp__hb__hb_echo", "mcp__hb_echo", true}, {"mcp__My-Srv__doIt", "mcp__my_srv_doit", true},
		{"mcp__my-srv__.*", "mcp__my_srv_doit", true}, {"mcp__hb__[Ee]cho", "mcp__hb_echo", true},
		{"mcp__other__echo", "mcp__hb_echo", false}, {"mcp__hb__fail", "mcp__hb_echo", false},
		{"mcp__docs__" + strings.Repeat("x", 80), "mcp__docs_" + strings.Repeat("x", 45) + "_2l9xk3w0", true},
		{"Bash", "mcp__hb_bash", false},
	} {
		b := newBridge(t, "omp", "claude", "true")
		b.Single.Matcher, b.Single.HasMatcher = tt.matcher, true
		b.Single.Event, b.Single.Native = schema.PreTool, "PreToolUse"
		_, rep, err := b.Run(context.Background(), []byte(`{"protocol":1,"session_id":"s","cwd":"/p",`+
			`"omp_mode":"json","hook_event_name":"PreToolUse","tool_name":"`+tt.tool+
			`","tool_input":{},"tool_use_id":"c"}`), "")
		if err != nil || (len(rep.Runs) > 0) != tt.runs {
			t.Errorf("%s at %s ran %d times, %v", tt.matcher, tt.tool, len(rep.Runs), err)
		}
	}
}

// TestShortenedNames checks how agents shorten a long name (observed in the real clients).
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

// TestOddNames checks how agents write characters other than letters and digits (each row seen in the real client).
func TestOddNames(t *testing.T) {
	for _, tt := range [][4]string{ // server, tool, under Droid, under Kimi Code
		{"my.srv", "a.b", "my-srv___a_b", "mcp__my_srv__a_b"},
		{"my srv", "a b", "my-srv___a_b", "mcp__my_srv__a_b"},
		{"my/srv", "a/b", "my-srv___a_b", "mcp__my_srv__a_b"},
		{"my:srv", "a:b", "my-srv___a_b", "mcp__my_srv__a_b"},
		{"my. srv", "a..b", "my-srv___a__b", "mcp__my_srv__a_b"},
		{"my@srv", "a@b", "my-srv___a_b", "mcp__my_srv__a_b"},
		{"my!srv", "a!b", "mysrv___a_b", "mcp__my_srv__a_b"},
		{"my\u00fcsrv", "a\u00fcb", "mysrv___a_b", "mcp__my_srv__a_b"},
		{"my__srv", "a__b", "my__srv___a__b", "mcp__my_srv__a_b"},
		{"my--srv", "a-b", "my-srv___a-b", "mcp__my--srv__a-b"},
		{"-s-", "1ab", "s___1ab", "mcp__-s-__1ab"},
		{"_s", "_x", "_s____x", "mcp___s___x"},
		{"s_", "x_", "s____x_", "mcp__s___x_"},
		{"My", "Echo", "My___Echo", "mcp__My__Echo"},
		{"1srv", "echo", "1srv___echo", "mcp__1srv__echo"},
		{strings.Repeat("x", 31) + "-y", "echo", strings.Repeat("x", 31) + "___echo",
			"mcp__" + strings.Repeat("x", 31) + "-y__echo"},
		{strings.Repeat("x", 40), "echo", strings.Repeat("x", 32) + "___echo",
			"mcp__" + strings.Repeat("x", 40) + "__echo"},
	} {
		for i, agent := range []string{"droid", "kimi"} {
			d, _ := adapter.Find(agent)
			if got := d.Profile().MCP.Join(tt[0], tt[1]); got != tt[2+i] {
				t.Errorf("%s: %s of %s is %s, want %s", agent, tt[1], tt[0], got, tt[2+i])
			}
		}
	}
}

// TestCutServers checks that guards get a call of a server whose name the host has cut off (names as the real clients
// sent them). Guards on other servers don't run.
func TestCutServers(t *testing.T) {
	server := func(n int) string { return "L" + strings.Repeat("s", n-1) }
	cut := func(n, to int) string { return server(n)[:to] }
	for _, tt := range []struct{ host, tool, server string }{
		{"copilot", server(48) + "-delete_everythi", server(48)},
		{"copilot", server(63) + "-", server(63)},
		{"copilot", server(64), server(64)},
		{"copilot", cut(80, 64), server(80)},
		{"copilot", "my-" + cut(80, 61), "my-" + server(80)},
		{"copilot", "my-" + cut(60, 60) + "-", "my-" + server(60)},
		{"kimi", "mcp__" + server(48) + "__-1842d439", server(48)},
		{"kimi", "mcp__" + server(49) + "_-2e3a3c9b", server(49)},
		{"kimi", "mcp__" + server(50) + "_7b5c3ca8", server(50)},
		{"kimi", "mcp__" + cut(80, 50) + "_554a4867", server(80)},
		{"kimi", "mcp__my_srv__echo", "my__srv"},
		{"qwen", "mcp__" + server(48) + "___1sarxdz", server(48)},
		{"qwen", "mcp__" + server(49) + "__1m7cxgl", server(49)},
		{"qwen", "mcp__" + server(50) + "_0y87maw", server(50)},
		{"qwen", "mcp__" + cut(80, 50) + "_0nnxtuv", server(80)},
		{"droid", server(32) + "___echo", server(32)},
		{"droid", cut(33, 32) + "___echo", server(33)},
		{"droid", cut(80, 32) + "___delete_everything", server(80)},
		{"droid", "my-srv___echo", "my_srv"}, // my.srv, as Claude Code writes it
	} {
		for guard, runs := range map[string]bool{
			"mcp__" + tt.server + "__.*": true, "mcp__" + tt.server + "_.*": true, "mcp__.*": true,
			"mcp__other" + tt.server + "__.*": false, "mcp__other__.*": false,
		} {
			b := newBridge(t, tt.host, "claude", "true")
			b.Single.Matcher, b.Single.HasMatcher = guard, true
			b.Single.Event, b.Single.Native = schema.PreTool, "PreToolUse"
			payload := `{"session_id":"s","cwd":"` + b.Places.Project + `","hook_event_name":"PreToolUse",` +
				`"tool_name":"` + tt.tool + `","tool_input":{}}`
			_, rep, err := b.Run(context.Background(), []byte(payload), "")
			if err != nil || (len(rep.Runs) > 0) != runs {
				t.Errorf("%s, %s: %s ran %d times, %v", tt.host, tt.tool, guard, len(rep.Runs), err)
			}
		}
	}
}

// TestServerPlaces checks that Cursor's hooks get an MCP server's address or command from the configuration of every
// host that has one. A project that may not be trusted doesn't count.
func TestServerPlaces(t *testing.T) {
	const byJSON = `{"mcpServers":{"s1":{"command":"run","args":["x"]},"s2":{"url":"http://h/"}}}`
	const byTOML = "[mcp_servers.s1]\ncommand = \"run\"\nargs = [\"x\"]\n[mcp_servers.s2]\nurl = \"http://h/\"\n"
	for _, tt := range []struct{ host, tool, project, user string }{
		{"claude", "mcp__s%__do", ".mcp.json", ".claude.json"},
		{"codex", "mcp__s%__do", ".codex/config.toml", ".codex/config.toml"},
		{"qwen", "mcp__s%__do", ".qwen/settings.json", ".qwen/settings.json"},
		{"qwen", "mcp__s%__do", ".mcp.json", ".qwen/settings.json"},
		{"grok", "s%__do", ".grok/config.toml", ".grok/config.toml"},
		{"grok", "s%__do", ".mcp.json", ".claude.json"},
		{"kimi", "mcp__s%__do", ".kimi-code/mcp.json", ".kimi-code/mcp.json"},
		{"kimi", "mcp__s%__do", ".mcp.json", ".kimi-code/mcp.json"},
		{"droid", "s%___do", ".factory/mcp.json", ".factory/mcp.json"},
		{"qoder", "mcp__s%__do", ".mcp.json", ".qoder/settings.json"},
		{"codebuddy", "mcp__s%__do", ".mcp.json", ".codebuddy/.mcp.json"},
		{"copilot", "s%-do", ".mcp.json", ".copilot/mcp-config.json"},
	} {
		for n, want := range map[string]string{"1": `"command":"run x"`, "2": `"url":"http://h/"`} {
			for _, at := range []struct {
				file  string
				user  bool
				trust bool
				want  bool
			}{{tt.user, true, true, true}, {tt.project, false, false, true}, {tt.project, false, true, false}} {
				host, _ := adapter.Find(tt.host)
				b := newBridge(t, tt.host, "cursor", "cat >seen")
				b.Single.Event, b.Single.Native = schema.PreTool, "beforeMCPExecution"
				b.RequireTrust = at.trust
				b.Places.Project = t.TempDir()
				t.Chdir(b.Places.Project)
				root, text := b.Places.Project, byJSON
				if at.user {
					root = b.Places.Home
				}
				if filepath.Ext(at.file) == ".toml" {
					text = byTOML
				}
				file := filepath.Join(root, at.file)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				payload, err := sample.Payload(host, sample.Event{Event: host.Profile().Generic(schema.PreTool),
					Tool: strings.ReplaceAll(tt.tool, "%", n), Project: b.Places.Project, Session: "s"})
				if err != nil {
					t.Fatal(err)
				}
				_, rep, err := b.Run(context.Background(), payload, "")
				seen, _ := os.ReadFile(filepath.Join(b.Places.Project, "seen"))
				if len(seen) == 0 {
					t.Fatalf("%s: no hook ran: %v, %v\n%s", tt.host, rep, err, payload)
				}
				if got := strings.Contains(string(seen), want); got != at.want {
					t.Errorf("%s, %s, trust %v: %s has no %s", tt.host, at.file, at.trust, seen, want)
				}
			}
		}
	}
}
