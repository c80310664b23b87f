package copilot

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestConfig checks the effect of a mistake, by the kind of file (observed 1.0.102).
func TestConfig(t *testing.T) {
	const hooks, inline = "/p/.github/hooks/a.json", "/p/.github/copilot/settings.json"
	void, gone := string(schema.CodeVoidFile), string(schema.CodeVoidHook)
	newer, newerPart := string(schema.CodeNewerWord), string(schema.CodeNewerPart)
	for _, tt := range []struct{ name, file, text, want string }{
		{"flat", hooks, `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"x","timeoutSec":1.5}]}}`, "1"},
		{"no version", hooks, `{"hooks":{"agentStop":[{"bash":"x"}]}}`, "1"},
		{"group", hooks, `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"x"},{"command":"y"}]}]}}`,
			"2"},
		{"version 2", hooks, `{"version":2,"hooks":{"agentStop":[{"bash":"x"}]}}`,
			"0 " + string(schema.CodeNewerWord) + " /version"},
		{"version 2 in settings", inline, `{"version":2,"hooks":{"agentStop":[{"bash":"x"}]}}`, "1"},
		{"another file", hooks, `{"status_bar":{"enabled":true}}`, "0 " + string(schema.CodeUnknownMember) + " "},
		{"version alone", hooks, `{"version":1}`, "0 " + string(schema.CodeVoidFile) + " "},
		{"no hooks", hooks, `{"agentStop":[{"bash":"x"}]}`, "0 " + string(schema.CodeVoidHook) + " /agentStop " +
			void + " "},
		{"empty matcher", hooks, `{"hooks":{"preToolUse":[{"matcher":"","bash":"x"},{"bash":"y"}]}}`,
			"1 " + gone + " /hooks/preToolUse/0/matcher"},
		{"matcher null", hooks, `{"hooks":{"preToolUse":[{"matcher":null,"bash":"x"},{"bash":"y"}]}}`,
			"1 " + gone + " /hooks/preToolUse/0/matcher"},
		{"matcher list of a group", hooks, `{"hooks":{"PreToolUse":[{"matcher":["x"],"hooks":[{"bash":"x"}]}]}}`, "1"},
		{"matcher null where none counts", hooks, `{"hooks":{"Stop":[{"matcher":null,"bash":"x"}]}}`, "1"},
		{"matcher null of an agent", hooks, `{"hooks":{"subagentStart":[{"matcher":null,"bash":"x"}]}}`,
			"0 " + gone + " /hooks/subagentStart/0/matcher"},
		{"empty matcher where none counts", hooks, `{"hooks":{"userPromptSubmitted":[{"matcher":"","bash":"x"}],` +
			`"Stop":[{"matcher":"*","hooks":[{"bash":"y"}]}]}}`, "2"},
		{"no expression where none counts", inline, `{"hooks":{"agentStop":[{"matcher":"[","bash":"x"}]}}`,
			"1 " + string(schema.CodeIgnoredMatcher) + " /hooks/agentStop/0/matcher"},
		{"empty matcher in settings", inline, `{"hooks":{"preToolUse":[{"matcher":"","bash":"x"},{"bash":"y"}]}}`,
			"0 " + newer + " /hooks/preToolUse/0/matcher"},
		{"empty matcher of nothing", inline, `{"hooks":{"Stop":[{"matcher":"","hooks":[]},{"hooks":[{"bash":"y"}]}]}}`,
			"1"},
		{"prompt", hooks, `{"hooks":{"sessionStart":[{"type":"prompt","prompt":"x"}]}}`,
			"0 " + string(schema.CodeNoHandler) + " /hooks/sessionStart/0"},
		{"prompt in settings", inline, `{"hooks":{"Stop":[{"hooks":[{"type":"prompt","prompt":"x"},` +
			`{"command":"y"}]}]}}`, "0 " + newer + " /hooks/Stop/0/hooks/0"},
		{"timeout 0", hooks, `{"hooks":{"agentStop":[{"bash":"x","timeoutSec":0}]}}`,
			"0 " + newerPart + " /hooks/agentStop/0/timeoutSec"},
		{"timeout 0 in settings", inline, `{"hooks":{"Stop":[{"hooks":[{"command":"x","timeoutSec":0}]},` +
			`{"hooks":[{"command":"y"}]}]}}`,
			"0 " + newer + " /hooks/Stop/0/hooks/0/timeoutSec"},
		{"star", hooks, `{"hooks":{"preToolUse":[{"matcher":"*","bash":"x"}],"PreToolUse":[{"matcher":"*",` +
			`"bash":"x"}]}}`, "1 " + gone + " /hooks/preToolUse/0/matcher"},
		{"ignored", hooks, `{"hooks":{"PreToolUse":[{"command":"x","if":"Bash(ls)"}]}}`,
			"1 " + string(schema.CodeUnknownMember) + " /hooks/PreToolUse/0/if"},
		{"no matcher there", hooks, `{"hooks":{"agentStop":[{"matcher":"x","bash":"x"}]}}`,
			"1 " + string(schema.CodeIgnoredMatcher) + " /hooks/agentStop/0/matcher"},
		{"unknown event", hooks, `{"hooks":{"AgentStop":[{"bash":"x"}]}}`, "0 " + string(schema.CodeSkippedEvent) +
			" /hooks/AgentStop"},
		{"exec beside bash", hooks, `{"hooks":{"agentStop":[{"bash":"x","exec":"y"}]}}`,
			"0 " + gone + " /hooks/agentStop/0"},
		{"exec", hooks, `{"hooks":{"agentStop":[{"exec":"y","args":["a"]}]}}`, "1"},
		{"comments", hooks, "{\"hooks\":{} // x\n}", "0 " + string(schema.CodeSyntax) + " "},
		{"another agent's", "/p/.claude/settings.json",
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}`, "0"},
	} {
		cfg, ds := New().ParseConfig([]byte(tt.text), schema.Source{File: tt.file, Scope: schema.ScopeProject})
		got := string(rune('0' + len(cfg.AsKnown().Hooks)))
		for _, d := range ds {
			got += " " + string(d.Code) + " " + d.Path
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestImported checks that a file counts as imported unless an entry voids it.
func TestImported(t *testing.T) {
	file := filepath.Join("/p", ".claude", "settings.json")
	for _, tt := range []struct {
		text         string
		line, vscode bool
	}{
		{`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}`, true, true},
		{`{"hooks":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":"x"}]}]}}`, true, true},
		{`{"hooks":{"PreToolUse":[{"matcher":"","hooks":[{"type":"command","command":"x"}]}]}}`, false, true},
		{`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeoutSec":0}]}]}}`, false, false},
		{`{"hooks":{"Stop":[{"hooks":[{"type":"prompt","prompt":"x"},{"type":"command","command":"x"}]}]}}`, false,
			true},
		{`{"permissions":{}}`, false, false},
	} {
		read := func(path string) ([]byte, error) {
			if path != file {
				return nil, os.ErrNotExist
			}
			return []byte(tt.text), nil
		}
		p := schema.Places{Project: "/p", Home: "/h"}
		if got := len(New().Imported(p, read)) > 0; got != tt.line {
			t.Errorf("%s: imported %v", tt.text, got)
		}
		if got := len(inCode().Imported(p, read)) > 0; got != tt.vscode {
			t.Errorf("%s: imported by VS Code %v", tt.text, got)
		}
	}
}

// TestSwitch checks that a project's settings turn off every hook, and a file only its own.
func TestSwitch(t *testing.T) {
	hooks := `"hooks":{"agentStop":[{"bash":"x"}]}`
	for _, tt := range []struct {
		file string
		want int
	}{{"/p/.claude/settings.json", 0}, {"/p/.github/copilot/settings.json", 0}, {"/p/.github/hooks/b.json", 1},
		{"/h/.copilot/settings.json", 1}} {
		scope := schema.ScopeProject
		if strings.HasPrefix(tt.file, "/h") {
			scope = schema.ScopeUser
		}
		a, _ := New().ParseConfig([]byte(`{`+hooks+`}`), schema.Source{File: "/p/.github/hooks/a.json",
			Scope: schema.ScopeProject})
		b, _ := New().ParseConfig([]byte(`{"disableAllHooks":true,`+hooks+`}`),
			schema.Source{File: tt.file, Scope: scope})
		if got, _ := New().Resolve([]*schema.Config{a, b}); len(got) != tt.want {
			t.Errorf("%s: %d hooks are left", tt.file, len(got))
		}
	}
}

// TestSwitches checks that a project's Copilot settings come after Claude Code's, and local ones after the others.
// Settings with a mistake don't count (each observed 1.0.102).
func TestSwitches(t *testing.T) {
	const (
		off  = `{"disableAllHooks":true}`
		on   = `{"disableAllHooks":false}`
		void = `{"disableAllHooks":true,"hooks":{"PreToolUse":[{"matcher":"","hooks":[{"type":"command",` +
			`"command":"true"}]}]}}`
	)
	own, local, foreign, foreignLocal := ".github/copilot/settings.json", ".github/copilot/settings.local.json",
		".claude/settings.json", ".claude/settings.local.json"
	for _, tt := range []struct {
		files map[string]string
		runs  bool
	}{
		{map[string]string{own: off}, false}, {map[string]string{own: off, local: on}, true},
		{map[string]string{local: off}, false},
		{map[string]string{foreign: off}, false}, {map[string]string{foreign: off, foreignLocal: on}, true},
		{map[string]string{foreign: off, own: on}, true}, {map[string]string{foreign: on, own: off}, false},
		{map[string]string{foreignLocal: on, local: off}, false},
		{map[string]string{own: void}, true}, {map[string]string{foreign: void}, true},
		{map[string]string{foreignLocal: void}, true}} {
		dir := t.TempDir()
		tt.files[".github/hooks/a.json"] = `{"version":1,"hooks":{"agentStop":[{"type":"command","bash":"x"}]}}`
		for name, text := range tt.files {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		res, _ := discover.Load(New(), schema.Places{Project: dir}, nil)
		stop := slices.ContainsFunc(res.Hooks, func(h schema.Hook) bool { return h.Event == schema.Stop })
		if stop != tt.runs {
			t.Errorf("%v: the hook runs: %v", tt.files, stop)
		}
	}
}

func TestTrust(t *testing.T) {
	read := func(string) ([]byte, error) { return []byte(`{"trustedFolders":["/a"]}`), nil }
	for _, tt := range []struct {
		project string
		scope   schema.Scope
		want    dialect.TrustState
	}{
		{"/a", schema.ScopeProject, dialect.Trusted}, {"/a/b", schema.ScopeLocal, dialect.Trusted},
		{"/ab", schema.ScopeProject, dialect.Untrusted},
		{"/ab", schema.ScopeUser, dialect.TrustNotNeeded},
	} {
		h := &schema.Hook{Source: schema.Source{Scope: tt.scope}}
		if got := New().Trust(h, schema.Places{Home: "/h", Project: tt.project}, read); got != tt.want {
			t.Errorf("%s: %v", tt.project, got)
		}
	}
}

// TestPayloads checks that every document of the real client comes back unchanged, with the event in its name.
func TestPayloads(t *testing.T) {
	for _, p := range material.Payloads(t, "copilot") {
		name, text := p.Name, p.Text
		event := strings.FieldsFunc(path.Base(name), func(r rune) bool { return r == '-' || r == '.' })[0]
		for _, native := range []string{"", event} { // with and without the name from the command
			c, ds := New().DecodeNamed(text, native, nil)
			if c == nil || len(ds) > 0 || c.Malformed {
				t.Errorf("%s: %v", name, ds)
				continue
			}
			if !samePair(c.Native, event) || native != "" && c.Native != event {
				t.Errorf("%s: read as %s", name, c.Native)
			}
			vs := New().Views(c)
			if len(vs) == 0 {
				t.Errorf("%s has no view", name)
				continue
			}
			want, _ := ordjson.Parse(text)
			if sure := New().Profile().Recognize(want, nil); sure < 8 && !strings.HasPrefix(event, "SessionEnd") {
				t.Errorf("%s isn't recognized: %d", name, sure)
			}
			got, err := ordjson.Parse(New().AppendCall(nil, c, vs[0]))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(compact(want), compact(got)); d != "" {
				t.Errorf("%s (-want +got)\n%s", name, d)
			}
		}
	}
}

func compact(o ordjson.Object) map[string]string {
	out := map[string]string{}
	for _, m := range o {
		out[m.Name] = string(ordjson.AppendCompact(nil, m.Value))
	}
	return out
}

// TestCalls checks how payloads are interpreted.
func TestCalls(t *testing.T) {
	const head = `{"sessionId":"s","timestamp":1,"cwd":"/w",`
	for _, tt := range []struct{ name, text, want string }{
		{"shell", head + `"toolName":"bash","toolArgs":{"command":"ls"}}`, "pre-tool shell bash command=ls"},
		{"a failed command", head + `"toolName":"bash","toolArgs":{"command":"x"},` +
			`"toolResult":{"resultType":"success","textResultForLlm":"bad\n<shellId: 1 completed with exit code 3>"}}`,
			"post-tool-failure shell bash command=x"},
		{"an input in a text", head + `"toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}`,
			"pre-tool shell bash command=ls"},
		{"under Claude Code's name", `{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"/w",` +
			`"tool_name":"Write","tool_input":{"path":"/a","file_text":"x"}}`,
			"pre-tool write create path=/a content=x"},
		{"a patch", head + `"toolName":"apply_patch","toolArgs":"*** Begin Patch\n*** Delete File: a\n*** End ` +
			`Patch\n"}`,
			"pre-tool delete apply_patch command=*** Begin Patch\n*** Delete File: a\n*** End Patch\n"},
		{"no patch", head + `"toolName":"apply_patch","toolArgs":"nonsense"}`, "malformed"},
		{"an MCP tool", head + `"toolName":"hb-echo","toolArgs":{}}`, "pre-tool mcp hb echo"},
		{"an MCP tool of unclear server", head + `"toolName":"my-hb-echo","toolArgs":{}}`, "pre-tool mcp my-hb-echo"},
		{"a request", head + `"hookName":"permissionRequest","toolName":"hb/echo","toolInput":{},` +
			`"permissionSuggestions":[]}`, "permission-request mcp hb echo"},
		{"a request to edit", head + `"hookName":"permissionRequest","toolName":"edit",` +
			`"toolInput":{"file_path":"/a","diff":"\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-hello\n` +
			`+bye\n \n"}}`,
			"permission-request edit edit path=/a old-text=hello new-text=bye"},
		{"a request to create", head + `"hookName":"permissionRequest","toolName":"edit",` +
			`"toolInput":{"file_path":"/a","diff":"\ndiff --git a/a b/a\n--- a/dev/null\n+++ b/a\n@@ -1,0 +1,1 @@\n` +
			`+x\n"}}`,
			"permission-request write edit path=/a content=x\n"},
		{"in VS Code", `{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"/w",` +
			`"tool_name":"create_file","tool_input":{"filePath":"/a","content":"x"},"tool_use_id":"u"}`,
			"pre-tool write create_file path=/a content=x"},
	} {
		c, ds := New().DecodeCall([]byte(tt.text), nil)
		if c == nil {
			t.Errorf("%s: %v", tt.name, ds)
			continue
		}
		got := c.Event.String() + " " + c.Tool.Kind().String()
		for _, s := range []string{c.Tool.Server, c.Tool.Name} {
			if s != "" {
				got += " " + s
			}
		}
		for _, a := range c.Tool.Input {
			if a.Role != schema.Rest {
				s, _ := ordjson.String(a.Raw)
				got += " " + a.Role.String() + "=" + s
			}
		}
		if c.Malformed {
			got = "malformed"
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestReplies checks how a result is read (observed 1.0.102).
func TestReplies(t *testing.T) {
	code := inCode()
	specific := func(event, members string) string {
		return `{"hookSpecificOutput":{"hookEventName":"` + event + `",` + members + `}}`
	}
	deny := `"permissionDecision":"deny","permissionDecisionReason":"no"`
	for _, tt := range []struct {
		name, event, stdout, stderr string
		exit                        int
		want                        string
	}{
		{"nothing", "preToolUse", "", "", 0, ""},
		{"deny", "preToolUse", "{" + deny + "}", "", 0, "deny no"},
		{"specific in its own form", "preToolUse", specific("PreToolUse", deny), "", 0, ""},
		{"specific", "PreToolUse", specific("PreToolUse", deny), "", 0, "deny no"},
		{"another event's name", "PreToolUse", specific("Stop", deny), "", 0, "deny no"},
		{"unknown word", "preToolUse", `{"permissionDecision":"DENY"}`, "", 0, ""},
		{"block", "preToolUse", `{"decision":"block","reason":"no"}`, "", 0, ""},
		{"exit 2", "preToolUse", "", "no", 2, "deny hook exited with code 2"},
		{"exit 2 with a reason", "preToolUse", "{" + deny + "}", "", 2, "deny no"},
		{"exit 2 with a reason alone", "preToolUse", `{"permissionDecisionReason":"no"}`, "", 2, "deny no"},
		{"exit 2 that asks", "preToolUse", `{"permissionDecision":"ask","permissionDecisionReason":"no"}`, "", 2,
			"deny no"},
		{"exit 2 reads flat members", "PreToolUse",
			`{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}`, "", 2,
			"deny hook exited with code 2"},
		{"exit 2 on a request", "permissionRequest", `{"behavior":"allow","message":"no"}`, "", 2, "deny no"},
		{"exit 2 allows", "preToolUse", `{"permissionDecision":"allow"}`, "", 2, "deny hook exited with code 2"},
		{"exit 2 with a reason for nothing", "preToolUse", `{"permissionDecisionReason":"why"}`, "", 2, "deny why"},
		{"handled", "userPromptSubmitted", `{"handled":true,"responseContent":"42"}`, "", 0, "deny 42"},
		{"handled by nothing", "userPromptSubmitted", `{"handled":true}`, "", 0, ""},
		{"not handled", "userPromptSubmitted", `{"handled":false,"responseContent":"42"}`, "", 0, ""},
		{"exit 2 allows for a reason", "preToolUse", `{"permissionDecision":"allow","permissionDecisionReason":"why"}`,
			"", 2, "deny why"},
		{"request exit 2", "permissionRequest", `{"behavior":"allow","message":"why"}`, "", 2, "deny why"},
		{"crash", "preToolUse", `{"permissionDecision":"allow"}`, "", 1, "deny hook errored"},
		{"crash after", "postToolUse", `{"additionalContext":"c"}`, "", 1, ""},
		{"log line before", "preToolUse", "log\n{" + deny + "}", "", 0, ""},
		{"progress before", "preToolUse", "{\"type\":\"progress\",\"message\":\"m\"}\n{" + deny + "}", "", 0,
			"deny no"},
		{"progress of a program", "exec preToolUse", "{\"type\":\"progress\",\"message\":\"m\"}\n{" + deny + "}",
			"", 0, ""},
		{"progress without a message", "preToolUse", `{"type":"progress",` + deny + `}`, "", 0, "deny no"},
		{"ask", "preToolUse", `{"permissionDecision":"ask","permissionDecisionReason":"sure?"}`, "", 0, "ask sure?"},
		{"rewrite", "preToolUse", `{"modifiedArgs":{"command":"ls"}}`, "", 0, "input"},
		{"rewrite in Claude Code's word", "preToolUse", `{"updatedInput":{"command":"ls"}}`, "", 0, ""},
		{"rewrite under its name", "PreToolUse", specific("PreToolUse", `"updatedInput":{"command":"ls"}`), "", 0,
			"input"},
		{"exit 2 at a stop", "agentStop", `{"decision":"block","reason":"more"}`, "x", 2, "go more"},
		{"exit 2 at a stop alone", "agentStop", "", "x", 2, ""},
		{"block without reason", "agentStop", `{"decision":"block"}`, "", 0, ""},
		{"prompt blocked without reason", "UserPromptSubmit", `{"decision":"block"}`, "", 0, ""},
		{"prompt blocked with an empty reason", "userPromptSubmitted", `{"decision":"block","reason":""}`, "", 0,
			"deny "},
		{"prompt blocked with a number", "userPromptSubmitted", `{"decision":"block","reason":7}`, "", 0, ""},
		{"stop blocked with an empty reason", "agentStop", `{"decision":"block","reason":""}`, "", 0, ""},
		{"stop blocked with a number", "agentStop", `{"decision":"block","reason":7}`, "", 0, ""},
		{"result hidden without reason", "postToolUse", `{"decision":"block"}`, "", 0, ""},
		{"result hidden with an empty reason", "postToolUse", `{"decision":"block","reason":""}`, "", 0,
			`output "Tool result blocked: "`},
		{"block a prompt", "userPromptSubmitted", `{"decision":"block","reason":"no"}`, "", 0, "deny no"},
		{"exit 2 on a prompt", "UserPromptSubmit", "", "no", 2, ""},
		{"replaced result", "postToolUse", `{"modifiedResult":{"resultType":"success","textResultForLlm":"x"}}`,
			"", 0, `output "x"`},
		{"hidden result", "PostToolUse", `{"decision":"block","reason":"r"}`, "", 0, `output "Tool result blocked: r"`},
		{"exit 2 after a failure", "postToolUseFailure", "", "hint", 2, "context hint"},
		{"request", "permissionRequest", `{"behavior":"deny","message":"no","interrupt":true}`, "", 0, "deny no"},
		{"request that crashes", "PermissionRequest", "", "", 3, "deny hook errored"},
		{"request answered by a text", "permissionRequest", "no", "", 0, "deny hook errored"},
		{"request with a log line", "PermissionRequest", "log\n{\"behavior\":\"allow\"}", "", 0, "deny hook errored"},
		{"request with two answers", "permissionRequest", `{"a":1} {"b":2}`, "", 0, "deny hook errored"},
		{"request answered by a list", "permissionRequest", "[]", "", 0, ""},
		{"request with progress", "permissionRequest", `{"type":"progress","message":"m"}`, "", 0, ""},
		{"gate", "preMcpToolCall", "{" + deny + "}", "", 1, ""},
		{"VS Code exit 2", "vscode PreToolUse", "", "no", 2, "deny no"},
		{"VS Code crash", "vscode PreToolUse", "", "no", 1, ""},
		{"VS Code flat", "vscode PreToolUse", "{" + deny + "}", "", 0, ""},
		{"VS Code stop", "vscode Stop", specific("Stop", `"decision":"block","reason":"more"`), "", 0, "go more"},
		{"VS Code flat stop", "vscode Stop", `{"decision":"block","reason":"more"}`, "", 0, ""},
		{"VS Code end", "vscode PostToolUse", `{"continue":false,"stopReason":"enough"}`, "", 0, "end enough"},
	} {
		d, event := New(), tt.event
		if rest, ok := strings.CutPrefix(event, "vscode "); ok {
			d, event = code, rest
		}
		var h schema.Hook
		if rest, ok := strings.CutPrefix(event, "exec "); ok {
			h.Args, event = []string{}, rest
		}
		v := schema.View{Event: event, Tool: "bash", Kind: schema.Shell}
		r, ds := d.DecodeReply(&h, v, &process.Result{Stdout: []byte(tt.stdout), Stderr: []byte(tt.stderr),
			Exit: tt.exit})
		if got := outline(&r); got != tt.want {
			t.Errorf("%s: %q, want %q (%v)", tt.name, got, tt.want, ds)
		}
	}
}

// outline summarizes a reply in a few words.
func outline(r *schema.Reply) string {
	switch {
	case r.Verdict != schema.NoOpinion:
		return r.Verdict.String() + " " + r.Reason
	case r.Input != nil:
		return "input"
	case r.Output != nil:
		return "output " + string(r.Output)
	case r.EndTurn:
		return "end " + r.EndReason
	case r.KeepGoing != "":
		return "go " + r.KeepGoing
	case r.Context != "":
		return "context " + r.Context
	}
	return ""
}

// TestSplit checks the files of a patch, and the readings of an MCP tool's name.
func TestSplit(t *testing.T) {
	for _, tt := range []struct{ tool, args, want string }{
		{"apply_patch", `"*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: /c\n*** End Patch"`,
			"write:/w/a delete:/c"},
		{"grep", `{"pattern":"x","paths":["/a","/b"]}`, "grep:/a grep:/b"},
		{"grep", `{"pattern":"x","paths":"/a"}`, ""},
		{"grep", `{"pattern":"x","paths":"/a /b"}`, "grep:/a /b grep:/a grep:/b"},
		{"glob", `{"pattern":"*.go","paths":"/a /b"}`, "glob:/a /b glob:/a glob:/b"},
		{"view", `{"path":"/a /b"}`, ""},
		{"my-hb-echo", `{}`, "my hb-echo | my-hb echo"},
		{"hb-echo", `{}`, ""},
		{"multi_replace_string_in_file", `{"explanation":"e","replacements":[{"filePath":"/a","oldString":"x",` +
			`"newString":"y"},{"filePath":"/b","oldString":"x","newString":"y"}]}`,
			"edit:/a edit:/b"},
		{"fetch_webpage", `{"urls":["https://a","https://b"],"query":"q"}`, "fetch:https://a fetch:https://b"},
	} {
		c, ds := New().DecodeCall([]byte(`{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"`+tt.tool+
			`","toolArgs":`+tt.args+`}`), nil)
		if c == nil {
			t.Fatal(ds)
		}
		var alternatives []string
		for _, parts := range New().Split(c) {
			var list []string
			for _, p := range parts {
				if p.Tool.Kind() == schema.MCP {
					list = append(list, p.Tool.Server+" "+p.Tool.Name)
				} else {
					list = append(list, p.Tool.Kind().String()+":"+p.Tool.Input.Text(schema.RolePath)+
						p.Tool.Input.Text(schema.RoleURL))
				}
			}
			alternatives = append(alternatives, strings.Join(list, " "))
		}
		if got := strings.Join(alternatives, " | "); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.tool, tt.args, got, tt.want)
		}
	}
}

// TestRequestedAgent checks that no request is invented for a sub-agent, for which Copilot raises none (observed
// 1.0.102).
func TestRequestedAgent(t *testing.T) {
	c := &schema.Call{Dialect: "claude", Event: schema.PreTool,
		Tool: schema.Tool{Name: "Agent", Kinds: []schema.Kind{schema.Agent}}}
	for _, v := range New().Views(c) {
		if pairOf(v.Event).Event == schema.PermissionRequest {
			t.Errorf("%+v", v)
		}
	}
	c.Tool = schema.Tool{Name: "WebFetch", Kinds: []schema.Kind{schema.Fetch},
		Input: schema.Args{{Role: schema.RoleURL, Name: "address", Raw: []byte(`"https://a"`)}}}
	in := New().appendInput(nil, c, schema.View{Event: "permissionRequest", Kind: schema.Fetch, Tool: "web_fetch"})
	if string(in) != `{"url":"https://a"}` {
		t.Errorf("%s", in)
	}
}

// TestOldMatchers checks that a hook sees every tool in a version that doesn't read its matcher.
func TestOldMatchers(t *testing.T) {
	c := &schema.Call{Dialect: "claude", Event: schema.PreTool,
		Tool: schema.Tool{Name: "Bash", Kinds: []schema.Kind{schema.Shell}}}
	for version, all := range map[string]bool{"1.0.35": true, "1.0.36": false, "": false, "vscode": true} {
		at, err := New().At(version)
		if err != nil {
			t.Fatal(err)
		}
		d := at.(Dialect)
		h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Matcher: "Read", HasMatcher: true}
		if got := d.Select(&h).All; got != all {
			t.Errorf("%s: selects all: %t", version, got)
		}
		for _, v := range d.Views(c) {
			if isPascal(v.Event) && (len(v.Target) == 0) != all && v.Kind == schema.Shell &&
				d.Row(v.Event).Event == schema.PreTool {
				t.Errorf("%s: %+v", version, v)
			}
		}
	}
}

// TestInstalledPlugins checks where the plugins are that `copilot plugin install` registered, with the files of the
// real client (1.0.102).
func TestInstalledPlugins(t *testing.T) {
	files := map[string]string{
		"/h/.copilot/config.json": "// This file is managed automatically.\n" +
			`{"installedPlugins":[{"name":"demo","cache_path":"/h/.copilot/installed-plugins/_direct/plug","enabled":true},
			{"name":"off","cache_path":"/h/off","enabled":false}]}`,
		"/h/.copilot/settings.json": `{"extraKnownMarketplaces":{"mk":{"source":{"` +
			`source":"directory","path":"/mk"}}},"enabledPlugins":{"live@mk":true,"both@mk":true,"no@mk":false,` +
			`"gone@other":true}}`,
		"/mk/.claude-plugin/marketplace.json": `{"name":"mk","plugins":[{"name":"live",` +
			`"source":"./live"},{"name":"both","source":"./both"},{"name":"no","source":"./no"}]}`,
		"/h/.copilot/installed-plugins/_direct/plug/plugin.json":      `{"name":"demo"}`,
		"/h/.copilot/installed-plugins/_direct/plug/hooks/hooks.json": `{"hooks":{}}`,
		"/mk/live/plugin.json":                `{"name":"live","hooks":"more.json"}`,
		"/mk/live/more.json":                  `{}`,
		"/mk/both/hooks/copilot.json":         `{}`,
		"/mk/both/.github/plugin/plugin.json": `{"name":"both","hooks":"hooks/copilot.json"}`,
		"/mk/both/.claude-plugin/plugin.json": `{"name":"both","hooks":"hooks/claude.json"}`,
	}
	read := func(name string) ([]byte, error) {
		if text, ok := files[filepath.ToSlash(name)]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of POSIX")
	}
	var got []string
	for _, s := range New().Plugins(schema.Places{Home: "/h"}, nil, read) {
		got = append(got, s.Plugin+" "+s.File)
	}
	want := []string{"/h/.copilot/installed-plugins/_direct/plug " +
		"/h/.copilot/installed-plugins/_direct/plug/hooks/hooks.json", "/mk/live /mk/live/more.json",
		"/mk/both /mk/both/hooks/copilot.json"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPluginVariables checks a plugin hook's variables for its folders (observed 1.0.102).
func TestPluginVariables(t *testing.T) {
	for root, data := range map[string]string{
		"/h/.copilot/installed-plugins/mk/demo": "/h/.copilot/plugin-data/mk/demo",
		"/elsewhere/demo":                       "/h/.copilot/plugin-data/_direct/demo",
	} {
		at := schema.Source{Scope: schema.ScopePlugin, Plugin: root, File: root + "/hooks/hooks.json"}
		h := &schema.Hook{Handler: schema.HandlerCommand, Command: "x", Source: at}
		s, err := New().Spec(h, &schema.Call{Project: "/p"}, schema.Places{Home: "/h"})
		if err != nil || !slices.Equal(s.Folders, []string{data}) {
			t.Errorf("%s: %v, makes %q", root, err, s.Folders)
		}
		for name, want := range map[string]string{"COPILOT_PLUGIN_DATA": data, "CLAUDE_PLUGIN_DATA": data,
			"COPILOT_HOOK_DIR": root + "/hooks"} {
			if got := schema.Environ(s.Env).Get(name); got != want {
				t.Errorf("%s: %s = %q", root, name, got)
			}
		}
	}
}

// TestPluginTexts checks that a plugin's folders are filled into its hook's texts under two of their names (observed
// 1.0.102).
func TestPluginTexts(t *testing.T) {
	const all = "${PLUGIN_ROOT} ${CLAUDE_PLUGIN_ROOT} ${COPILOT_PLUGIN_ROOT} $PLUGIN_ROOT ${CLAUDE_PLUGIN_DATA} " +
		"${PLUGIN_DATA}"
	const filled = "/r/g /r/g ${COPILOT_PLUGIN_ROOT} $PLUGIN_ROOT /h/.copilot/plugin-data/_direct/g ${PLUGIN_DATA}"
	for plugin, want := range map[string]string{"/r/g": filled, "": all} {
		h := &schema.Hook{Handler: schema.HandlerCommand, Command: all, Env: schema.Vars("G", all),
			Source: schema.Source{Plugin: plugin},
			Extra:  ordjson.Object{{Name: "cwd", Value: []byte(`"${PLUGIN_ROOT}/hooks"`)}}}
		s, err := New().Spec(h, &schema.Call{Project: "/p"}, schema.Places{Home: "/h"})
		if err != nil {
			t.Fatal(err)
		}
		dir := "/p/${PLUGIN_ROOT}/hooks"
		if plugin != "" {
			dir = plugin + "/hooks"
		}
		got := []string{s.Argv[len(s.Argv)-1], schema.Environ(s.Env).Get("G"), filepath.ToSlash(s.Dir)}
		if !slices.Equal(got, []string{want, want, dir}) {
			t.Errorf("in the plugin %q: %q", plugin, got)
		}
		if h.Command != all || h.Env[0].Value != all {
			t.Errorf("in the plugin %q: the hook itself has changed: %+v", plugin, h)
		}
	}
}

// TestFolders checks that hook files count in subfolders, the user's too (observed 1.0.102), and behind symbolic links,
// which may form loops.
func TestFolders(t *testing.T) {
	root := t.TempDir()
	home, project := filepath.Join(root, "h"), filepath.Join(root, "p")
	for _, dir := range []string{"h/.copilot/hooks/sub/deep", "p/.github/hooks", "real"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"p/.github/hooks/linked": "real", "real/back": "p/.github/hooks"} {
		if err := os.Symlink(filepath.Join(root, target), filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	var got []string
	for _, s := range New().Locate(schema.Places{OS: "linux", Home: home, Project: project}) {
		if rel, err := filepath.Rel(root, s.File); s.Folder && err == nil && s.Scope != schema.ScopeManaged {
			got = append(got, filepath.ToSlash(rel))
		}
	}
	want := []string{"h/.copilot/hooks", "h/.copilot/hooks/sub", "h/.copilot/hooks/sub/deep", "p/.github/hooks",
		"p/.github/hooks/linked",
		"p/.github/hooks/linked/back", "p/.github/hooks/linked/back/linked"}
	for _, dir := range want[:5] {
		if !slices.Contains(got, dir) {
			t.Errorf("%s isn't in %q", dir, got)
		}
	}
	if len(got) > len(want) {
		t.Errorf("a loop: %q", got)
	}
}
