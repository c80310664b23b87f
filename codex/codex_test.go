package codex

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestConfig checks the effects of mistakes in hooks.json (observed 0.169.0).
func TestConfig(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"right", `{"description":"d","hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}`, "1"},
		{"unknown at the top", `{"version":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]}}`,
			"0 " + string(schema.CodeNewerWord) + " /version"},
		{"a fraction", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":1.5}]}]}}`,
			"0 " + string(schema.CodeNewerWord) + " /hooks/Stop/0/hooks/0/timeout"},
		{"timeout 0", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":0}]}]}}`, "1"},
		{"no type", `{"hooks":{"Stop":[{"hooks":[{"command":"x"}]}]}}`, "0 " + string(schema.CodeNewerWord) +
			" /hooks/Stop/0/hooks/0"},
		{"type http", `{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"http://x"}]}]}}`,
			"0 " + string(schema.CodeNewerWord) + " /hooks/Stop/0/hooks/0/type"},
		{"type prompt", `{"hooks":{"Stop":[{"hooks":[{"type":"prompt","prompt":"x"},{"type":"command",` +
			`"command":"x"}]}]}}`,
			"1 " + string(schema.CodeVoidHook) + " /hooks/Stop/0/hooks/0/type"},
		{"matcher is a number", `{"hooks":{"PreToolUse":[{"matcher":1,"hooks":[]}]}}`,
			"0 " + string(schema.CodeNewerWord) + " /hooks/PreToolUse/0/matcher"},
		{"bad matcher", `{"hooks":{"PreToolUse":[{"matcher":"(?=x)","hooks":[{"type":"command","command":"x"}]},` +
			`{"hooks":[{"type":"command","command":"y"}]}]}}`,
			"1 " + string(schema.CodeVoidHook) + " /hooks/PreToolUse/0/matcher"},
		{"unknown event", `{"hooks":{"Notification":[{"hooks":[{"type":"command","command":"x"}]}]}}`,
			"0 " + string(schema.CodeSkippedEvent) + " /hooks/Notification"},
		{"unknown member", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","if":"Bash(ls)"}]}]}}`,
			"1 " + string(schema.CodeUnknownMember) + " /hooks/Stop/0/hooks/0/if"},
		{"flat entry", `{"hooks":{"Stop":[{"command":"x"}]}}`, "0 " + string(schema.CodeUnknownMember) +
			" /hooks/Stop/0/command " + string(schema.CodeVoidHook) + " /hooks/Stop/0"},
		{"empty command", `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":""}]}]}}`,
			"0 " + string(schema.CodeVoidHook) + " /hooks/Stop/0/hooks/0/command"},
		{"event is an object", `{"hooks":{"Stop":{}}}`, "0 " + string(schema.CodeNewerWord) + " /hooks/Stop"},
	} {
		cfg, ds := New().ParseConfig([]byte(tt.text), schema.Source{File: "hooks.json"})
		got := string(rune('0' + len(cfg.AsKnown().Hooks)))
		for _, d := range ds {
			got += " " + string(d.Code) + " " + d.Path
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestTOML(t *testing.T) {
	text := "model = 'x'\n[features]\nhooks = true\n[hooks.state.\"/x:stop:0:0\"]\ntrusted_hash = 'y'\n" +
		"[[hooks.Stop]]\n[[hooks.Stop.hooks]]\n" +
		"type = 'command'\ncommand = 'x'\ntimeout = 5\n"
	cfg, ds := New().ParseConfig([]byte(text), schema.Source{File: "/h/.codex/config.toml"})
	if len(cfg.Hooks) != 1 || len(ds) != 0 || cfg.Hooks[0].Line != 8 {
		t.Errorf("%+v %v", cfg.Hooks, ds)
	}
	if cfg.DisableAll == nil || *cfg.DisableAll {
		t.Error("the switch isn't read")
	}
	if cfg, _ := New().ParseConfig([]byte(text), schema.Source{}); cfg == nil || len(cfg.Hooks) == 0 {
		t.Error("no hooks in the same text without a name")
	}
	if _, ds := New().ParseConfig([]byte("a = \n"), schema.Source{File: "config.toml"}); ds.Max() != schema.Error {
		t.Errorf("a mistake: %v", ds)
	}
}

// TestManaged checks the effects of an administrator's requirements (documentation of managed configuration, 2026-11;
// that only managed hooks run was observed, 0.169.0).
func TestManaged(t *testing.T) {
	hook := "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = 'command'\ncommand = 'x'\n"
	parse := func(file, text string) *schema.Config {
		cfg, ds := New().ParseConfig([]byte(text), schema.Source{File: file})
		if len(ds) > 0 {
			t.Errorf("%s: %v", text, ds)
		}
		return cfg
	}
	for _, tt := range []struct {
		requirements, user string
		hooks, off         int
	}{
		{"[hooks]\nmanaged_dir = '/opt/hooks'\n" + hook, hook, 2, 0},
		{"allow_managed_hooks_only = true\n[hooks]\nmanaged_dir = '/opt/hooks'\n" + hook, hook, 1, 1},
		{"", "allow_managed_hooks_only = true\n" + hook, 1, 0},
		{"[features]\nhooks = false\n", "[features]\nhooks = true\n" + hook, 0, 1},
		{"[features]\nhooks = true\n" + hook, "[features]\nhooks = false\n" + hook, 2, 0},
	} {
		managed := parse(managedFile, tt.requirements)
		hooks, ds := New().Resolve([]*schema.Config{managed, parse("/h/.codex/config.toml", tt.user)})
		if len(hooks) != tt.hooks || len(ds) != tt.off {
			t.Errorf("%q and %q: %d hooks, %v", tt.requirements, tt.user, len(hooks), ds)
		}
		for i := range hooks {
			state := New().Trust(&hooks[i], schema.Places{Home: "/h"}, os.ReadFile)
			managed := hooks[i].Source.File == managedFile
			if (state == dialect.TrustNotNeeded) != managed {
				t.Errorf("%s: trust %v", hooks[i].Source.File, state)
			}
		}
	}
}

// TestTrust compares the hash with those that the real client stored (observed 0.169.0).
func TestTrust(t *testing.T) {
	text :=
		`{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true","timeout":5,"statusMessage":"x"}]}],
		"UserPromptSubmit":[{"matcher":"*","hooks":[{"type":"command","command":"true","async":true}]}],
		"Stop":[{"hooks":[{"type":"command","command":"changed"}]}], "SessionStart":[{"hooks":[{"type":"command","command":"new"}]}],
		"SubagentStop":[{"hooks":[{"type":"command","command":"off"}]}]}}`
	state := `[hooks.state."/p/.codex/hooks.json:pre_tool_use:0:0"]
trusted_hash = "sha256:e30bb8fd6e18b6e5f2deefa84e125547b9db4870fe2abe23a045bc0b6c080b63"
[hooks.state."/p/.codex/hooks.json:user_prompt_submit:0:0"]
trusted_hash = "sha256:0e1fde880be6cfdeea1e231a1a7bddb3d5a0523c9bb5aa45165008ec62dd19ad"
[hooks.state."/p/.codex/hooks.json:stop:0:0"]
trusted_hash = "sha256:f1460baac25685e53c96e18d468fdaa780b0ac1673f67e6a36b5c2692b23dcf3"
[hooks.state."/p/.codex/hooks.json:subagent_stop:0:0"]
enabled = false
[projects."/q"]
trust_level = "untrusted"
`
	want := map[string]dialect.TrustState{"PreToolUse": dialect.Trusted, "UserPromptSubmit": dialect.Trusted,
		"Stop": dialect.TrustModified, "SessionStart": dialect.Untrusted, "SubagentStop": dialect.TrustOff}
	cfg, _ := New().ParseConfig([]byte(text), schema.Source{File: "/p/.codex/hooks.json"})
	read := func(path string) ([]byte, error) {
		if path != filepath.Join("/h", ".codex", "config.toml") {
			return nil, errors.New("wrong file " + path)
		}
		return []byte(state), nil
	}
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		if got := New().Trust(h, schema.Places{Home: "/h"}, read); got != want[h.Native] {
			t.Errorf("%s: %v, want %v", h.Native, got, want[h.Native])
		}
		h.Source.Scope = schema.ScopeProject
		if got := New().Trust(h, schema.Places{Home: "/h", Project: "/q"}, read); got != dialect.FolderUntrusted {
			t.Errorf("%s in a folder that isn't trusted: %v", h.Native, got)
		}
	}
}

// TestPayloads checks that every document of the real client comes back unchanged.
func TestPayloads(t *testing.T) {
	for _, p := range material.Payloads(t, "codex") {
		name, text := p.Name, p.Text
		c, ds := New().DecodeCall(text, nil)
		if c == nil || len(ds) > 0 {
			t.Errorf("%s: %v", name, ds)
			continue
		}
		if o, _ := ordjson.Parse(text); profile.Recognize(o, nil) == 0 {
			t.Errorf("%s isn't recognized", name)
		}
		v := schema.View{Event: c.Native, Kind: c.Tool.Kind(), Tool: c.Str(schema.FieldToolName)}
		want, _ := ordjson.Parse(text)
		got, err := ordjson.Parse(New().AppendCall(nil, c, v))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(compact(want), compact(got)); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
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

// TestReplies checks how a result is read (observed 0.169.0).
func TestReplies(t *testing.T) {
	specific := func(event, members string) string {
		return `{"hookSpecificOutput":{"hookEventName":"` + event + `",` + members + `}}`
	}
	for _, tt := range []struct {
		name, event, stdout, stderr string
		exit                        int
		want                        string
	}{
		{"nothing", "PreToolUse", "", "", 0, ""},
		{"deny", "PreToolUse", specific("PreToolUse", `"permissionDecision":"deny","permissionDecisionReason":"no"`),
			"", 0, "deny no"},
		{"another event's name", "PreToolUse",
			specific("PostToolUse", `"permissionDecision":"deny","permissionDecisionReason":"no"`), "", 0, "deny no"},
		{"allow and then deny in one object", "PreToolUse",
			specific("PreToolUse", `"permissionDecision":"allow","permissionDecision":"deny",`+
				`"permissionDecisionReason":"no"`), "", 0, "deny no"},
		{"deny without reason", "PreToolUse", specific("PreToolUse", `"permissionDecision":"deny"`), "", 0, "void"},
		{"ask", "PreToolUse", specific("PreToolUse", `"permissionDecision":"ask","permissionDecisionReason":"no"`),
			"", 0, "void"},
		{"bare allow", "PreToolUse", specific("PreToolUse", `"permissionDecision":"allow"`), "", 0, "void"},
		{"rewrite", "PreToolUse", specific("PreToolUse",
			`"permissionDecision":"allow","updatedInput":{"command":"ls"}`), "", 0, "input"},
		{"rewrite without allow", "PreToolUse", specific("PreToolUse", `"updatedInput":{"command":"ls"}`), "", 0,
			"void"},
		{"unknown member", "PreToolUse", `{"terminalSequence":"x"}`, "", 0, "void"},
		{"unknown member inside", "PreToolUse",
			specific("PreToolUse", `"permissionDecision":"deny","permissionDecisionReason":"no","x":1`), "", 0, "void"},
		{"continue false", "PreToolUse", `{"continue":false}`, "", 0, "void"},
		{"block", "PreToolUse", `{"decision":"block","reason":"no"}`, "", 0, "deny no"},
		{"approve", "PreToolUse", `{"decision":"approve"}`, "", 0, "void"},
		{"exit 2", "PreToolUse", "", "no", 2, "deny no"},
		{"exit 2 in silence", "PreToolUse",
			specific("PreToolUse", `"permissionDecision":"deny","permissionDecisionReason":"no"`), " ", 2, "failed"},
		{"exit 1 with a deny", "PreToolUse",
			specific("PreToolUse", `"permissionDecision":"deny","permissionDecisionReason":"no"`), "", 1, "failed"},
		{"text", "PreToolUse", "hello", "", 0, ""},
		{"two documents", "PreToolUse", "{}{}", "", 0, "broken"},
		{"text is context", "UserPromptSubmit", "hello\n", "", 0, "context hello"},
		{"block a prompt", "UserPromptSubmit", `{"decision":"block","reason":"no"}`, "", 0, "deny no"},
		{"exit 2 at the start", "SessionStart", "", "no", 2, "ignored"},
		{"end at the start", "SessionStart", `{"continue":false,"stopReason":"enough"}`, "", 0, "end enough"},
		{"stop", "Stop", `{"decision":"block","reason":"more"}`, "", 0, "go more"},
		{"stop in its own form", "Stop", specific("Stop", `"additionalContext":"x"`), "", 0, "void"},
		{"text at a stop", "Stop", "hello", "", 0, "broken"},
		{"replaced result", "PostToolUse", `{"decision":"block","reason":"hidden"}`, "", 0, `output "hidden"`},
		{"exit 2 after a tool", "PostToolUse", "", "hidden", 2, `output "hidden"`},
		{"no compaction", "PreCompact", `{"continue":false,"stopReason":"no"}`, "", 0, "deny no"},
		{"request", "PermissionRequest", specific("PermissionRequest", `"decision":{"behavior":"allow"}`), "", 0,
			"allow "},
		{"request with a rewrite", "PermissionRequest",
			specific("PermissionRequest", `"decision":{"behavior":"allow","updatedInput":{}}`), "", 0, "void"},
	} {
		v := schema.View{Event: tt.event, Tool: "Bash", Kind: schema.Shell}
		r, ds := New().DecodeReply(&schema.Hook{}, v, &process.Result{Stdout: []byte(tt.stdout),
			Stderr: []byte(tt.stderr), Exit: tt.exit})
		if got := outline(&r, ds); got != tt.want {
			t.Errorf("%s: %q, want %q (%v)", tt.name, got, tt.want, ds)
		}
	}
}

// outline summarizes a reply in a few words.
func outline(r *schema.Reply, ds schema.Diagnostics) string {
	for _, d := range ds {
		switch d.Code {
		case schema.CodeBadSchema:
			return "void"
		case schema.CodeHookFailed:
			return "failed"
		case schema.CodeBadAnswer:
			return "broken"
		case schema.CodeIgnoredEffect:
			return "ignored"
		}
	}
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

// TestAnswers checks that Codex would honor every written answer: its strict reader finds no mistake, and the same
// effects.
func TestAnswers(t *testing.T) {
	for i := range events {
		row := &events[i]
		for _, r := range []schema.Reply{
			{}, {Verdict: schema.Deny}, {Verdict: schema.Deny, Reason: "no", UserReason: "for you"},
			{Verdict: schema.Allow, Reason: "fine"},
			{Verdict: schema.Ask, Reason: "sure?"}, {Context: "c", Notice: "n"}, {Feedback: "f"}, {KeepGoing: "go"},
			{EndTurn: true},
			{EndTurn: true, EndReason: "e"}, {Output: []byte(`{"stdout":"x","stderr":""}`)},
			{Input: schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: []byte(`"ls"`)}},
				InputView: schema.View{Tool: "Bash"}},
		} {
			c := &schema.Call{Native: row.Native, Event: row.Event,
				Tool: schema.Tool{Name: "Bash", Kinds: []schema.Kind{schema.Shell}}}
			out := New().AppendReply(nil, c, &r)
			back, ds := New().DecodeReply(&schema.Hook{}, schema.View{Event: row.Native, Tool: "Bash"},
				&process.Result{Stdout: out})
			if len(ds) > 0 {
				t.Errorf("%s: %+v is answered by %s: %v", row.Native, r, out, ds)
			}
			if refuses := r.Verdict == schema.Deny || r.Verdict == schema.Ask; refuses &&
				row.Honors&schema.EffectDeny != 0 && back.Verdict != schema.Deny {
				t.Errorf("%s: a refusal is lost in %s", row.Native, out)
			}
		}
	}
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct{ tool, command, want string }{
		{"Bash", "ls", "shell"},
		{"Bash", "cat a.txt 'b c'; head -n 3 ../x", "shell | read:/w/a.txt read:/w/b c read:/x"},
		{"Bash", "sed -n 1p secret", "shell | read:/w/secret"},
		{"Bash", "wc -l < in", "shell | read:/w/in"},
		{"Bash", "(cat x)", "shell | read:/w/x"},
		{"Bash", "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: d\n*** End Patch\nEOF", "shell delete:/w/d"},
		{"Bash", "cd sub && apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: d\n*** End Patch\nEOF\ncd /x; " +
			"apply_patch <<'EOF'\n" +
			"*** Begin Patch\n*** Delete File: e\n*** Delete File: /f\n*** End Patch\nEOF",
			"shell delete:/w/sub/d delete:/x/e delete:/f"},
		{"Bash", "bash -lc \"apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: d\n*** End Patch\nEOF\"",
			"shell delete:/w/d"},
		{"apply_patch", "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: /b\n@@\n-1\n+2\n*** Delete File: c\n" +
			"*** End Patch", "write:/w/a edit:/b delete:/w/c"},
		{"apply_patch", "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-1\n+2\n*** End Patch",
			"edit:/w/a write:/w/b"},
		{"Bash", "apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+*** End Patch\n*** Add File: .env\n+x\n*** " +
			"End Patch\nE", "shell write:/w/a write:/w/.env"},
		{"Bash", "cat <<'E' | apply_patch\n*** Begin Patch\n*** Add File: a\n+*** End Patch\n*** Add File: .env\n" +
			"+x\n*** End Patch\nE", "shell write:/w/a write:/w/.env"},
		{"Bash", "cd d && apply_patch '*** Begin Patch\n*** Add File: a\n+x\n *** Add File: .env\n+x\n*** End Patch'",
			"shell write:/w/d/a write:/w/d/.env"},
		{"Bash", "apply_patch <<'E'\n*** Begin Patch\n???\n*** Add File: .env\n+x\n*** End Patch\nE",
			"shell write:/w/.env"},
		{"Bash", "cat <<'E' | apply_patch\n*** Begin Patch\n*** Add File: .env\n+x\nE", "shell write:/w/.env"},
		{"apply_patch", "*** Begin Patch\n???\n*** Add File: .env\n+x\n*** End Patch", "write:/w/.env"},
		{"apply_patch", "nonsense", ""},
	} {
		w := ordjson.NewWriter(nil)
		w.String("command", tt.command)
		text := `{"session_id":"s","turn_id":"t","cwd":"/w","hook_event_name":"PreToolUse","model":"m","tool_name":"` +
			tt.tool + `","tool_input":` + string(w.Bytes()) + `}`
		c, ds := New().DecodeCall([]byte(text), nil)
		if c == nil {
			t.Fatal(ds)
		}
		var alternatives []string
		for _, parts := range New().Split(c) {
			var words []string
			for _, p := range parts {
				word := p.Tool.Kind().String()
				if path := textOf(p); path != "" {
					word += ":" + path
				}
				words = append(words, word)
			}
			alternatives = append(alternatives, strings.Join(words, " "))
		}
		if got := strings.Join(alternatives, " | "); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.tool, tt.command, got, tt.want)
		}
	}
}

// TestBashInput checks that a hook gets only the command, as from Codex, which shows a description only when it asks.
func TestBashInput(t *testing.T) {
	for native, want := range map[string]string{
		"PreToolUse": `{"command":"ls"}`, "PostToolUse": `{"command":"ls"}`,
		"PermissionRequest": `{"command":"ls","description":"List"}`,
	} {
		row := New().Profile().Row(native)
		c := schema.Call{Dialect: "claude", Event: row.Event, Tool: schema.Tool{Name: "Bash",
			Kinds: []schema.Kind{schema.Shell}, Input: schema.Args{{Role: schema.RoleCommand, Raw: []byte(`"ls"`)},
				{Role: schema.RoleDescription, Raw: []byte(`"List"`)}, {Name: "mode", Raw: []byte(`"sync"`)}}}}
		o, err := ordjson.Parse(New().AppendCall(nil, &c, New().Views(&c)[0]))
		if err != nil {
			t.Fatal(err)
		}
		if raw, _ := o.Get("tool_input"); !strings.HasPrefix(string(raw), strings.TrimSuffix(want, "}")) ||
			native != "PermissionRequest" && string(raw) != want {
			t.Errorf("%s: %s", native, raw)
		}
	}
}

func textOf(c *schema.Call) string { return c.Tool.Input.Text(schema.RolePath) }

// TestInstalledPlugins checks where the user's enabled plugins are, and their data, as in the real client (0.169.0).
func TestInstalledPlugins(t *testing.T) {
	home := t.TempDir()
	for _, version := range []string{"1.9.0", "1.10.0"} {
		root := filepath.Join(home, ".codex", "plugins", "cache", "mk", "demo", version)
		if err := os.MkdirAll(root, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	user := func(text string) []*schema.Config {
		cfg, _ := New().ParseConfig([]byte(text), schema.Source{File: filepath.Join(home, ".codex", "config.toml"),
			Scope: schema.ScopeUser})
		return []*schema.Config{cfg}
	}
	none := func(string) ([]byte, error) { return nil, os.ErrNotExist }
	got := New().Plugins(schema.Places{Home: home},
		user("[plugins.\"demo@mk\"]\nenabled = true\n[plugins.\"gone@mk\"]\nenabled = true\n[plugins.\"../x@mk\"]\n"+
			"enabled = true\n"), none)
	root := filepath.Join(home, ".codex", "plugins", "cache", "mk", "demo", "1.10.0")
	if len(got) != 1 || got[0].Plugin != root || got[0].File != filepath.Join(root, "hooks", "hooks.json") {
		t.Errorf("%+v", got)
	}
	if got := New().Plugins(schema.Places{Home: home}, user("[plugins.\"demo@mk\"]\nenabled = false\n"),
		none); got != nil {
		t.Errorf("switched off: %+v", got)
	}
	s, err := New().Spec(&schema.Hook{Handler: schema.HandlerCommand, Command: "x",
		Source: schema.Source{Plugin: root}}, &schema.Call{}, schema.Places{Home: home})
	if want := "PLUGIN_DATA=" + filepath.Join(home, ".codex", "plugins", "data", "demo-mk"); err != nil ||
		!slices.Contains(s.Env, want) {
		t.Errorf("%v %q lacks %s", err, s.Env, want)
	}
}
