package simulate

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// A guardFile is an agent's hook file with a guard, and with placeholders for changes: GUARD is the command.
type guardFile struct{ agent, file, text string }

const (
	nested = `{TOP"hooks":{EVENTS"EVENT":[GROUPS{"matcher":"TOOL","hooks":[HANDLERS{"type":"command",` +
		`"command":"GUARD"FIELDS}]}]}}`
	flat  = `{TOP"hooks":{EVENTS"EVENT":[HANDLERS{"type":"command","command":"GUARD"FIELDS}]}}`
	table = "[[hooks]]\nevent = \"EVENT\"\nmatcher = \"TOOL\"\ncommand = \"GUARD\"\n"
)

func named(form, event, tool string) string {
	return strings.NewReplacer("EVENTS", "EVENTS", "EVENT", event, "TOOL", tool).Replace(form)
}

var guardFiles = []guardFile{
	{"claude", ".claude/settings.json", named(nested, "PreToolUse", "Bash")},
	{"codebuddy", ".codebuddy/settings.json", named(nested, "PreToolUse", "Bash")},
	{"codex", ".codex/hooks.json", named(nested, "PreToolUse", "Bash")},
	{"copilot", ".github/hooks/guard.json", named(flat, "preToolUse", "")},
	{"cursor", ".cursor/hooks.json", named(`{"version":1,`+flat[1:], "preToolUse", "")},
	{"droid", ".factory/settings.json", named(nested, "PreToolUse", "Execute")},
	{"gemini", ".gemini/settings.json", named(nested, "BeforeTool", "run_shell_command")},
	{"grok", ".grok/hooks/guard.json", named(nested, "PreToolUse", "Bash")},
	{"kimi", "../home/.kimi-code/config.toml", named(table, "PreToolUse", "Bash")},
	{"qoder", ".qoder/settings.json", named(nested, "PreToolUse", "Bash")},
	{"qwen", ".qwen/settings.json", named(nested, "PreToolUse", "run_shell_command")},
}

// A wordChange adds an unknown word. voids lists the agents that then run no hook of the file, as of the version in the
// tables; unjudged those where the word may keep a guard from running.
type wordChange struct {
	name, place, text, inTable string
	voids, unjudged            string
	// never lists the agents that then never run the hook, for any call. alone lists the agents that never run it
	// themselves, although it guards under another host.
	never, alone string
}

const every = "claude codebuddy codex copilot cursor droid gemini grok kimi qoder qwen"

var wordChanges = []wordChange{
	{"event", "EVENTS", `"ZNew":[],`, "[[hooks]]\nevent = \"ZNew\"\ncommand = \"true\"\n", "cursor kimi", every, "",
		""},
	{"type", "HANDLERS", `{"type":"znew","command":"true"},`, "[[hooks]]\nevent = \"PreToolUse\"\n" +
		"type = \"znew\"\ncommand = \"true\"\n", "claude codex cursor droid kimi",
		every, "", ""},
	{"top-level field", "TOP", `"znew":{"a":1},`, "", "codex", "codex", "", ""},
	{"field of a handler", "FIELDS", `,"znew":"x"`, "[[hooks]]\nevent = \"PreToolUse\"\nznew = 1\n" +
		"command = \"true\"\n", "kimi", "kimi", "", ""},
	{"value of onFailure", "FIELDS", `,"onFailure":"znew"`, "", "claude", "claude", "", ""},
	{"version", "TOP", `"version":2,`, "", "codex copilot", "codex copilot", "", ""},
	{"matcher", "GROUPS", `{"matcher":"znew(a:*)","hooks":[{"type":"command","command":"true"}]},`, "", "", "", "",
		""},
	{"condition", "FIELDS", `,"if":"znew ~ Bash(a)"`, "", "", "", "qoder", "claude"},
}

// TestUnknownWords checks that an unknown word doesn't disable a guard. Under another agent the guard next to it
// denies, and with --fail-closed a call is denied that the word may concern. Played as its own agent's, the file has
// its meaning in the known version.
func TestUnknownWords(t *testing.T) {
	for _, g := range guardFiles {
		for _, change := range wordChanges {
			text := g.text
			if strings.HasPrefix(text, "[[") {
				text = change.inTable + text
			} else {
				text = strings.Replace(text, change.place, change.text, 1)
			}
			text = strings.NewReplacer("TOP", "", "EVENTS", "", "GROUPS", "", "HANDLERS", "", "FIELDS", "",
				"GUARD", "if grep -q forbidden; then echo no >&2; exit 2; fi").Replace(text)
			if change.name == "version" {
				text = strings.Replace(text, `"version":1,`, "", 1)
			}
			t.Run(g.agent+"/"+change.name, func(t *testing.T) { checkWord(t, g, &change, text) })
		}
	}
}

func checkWord(t *testing.T, g guardFile, change *wordChange, text string) {
	in := func(list string) bool { return slices.Contains(strings.Fields(list), g.agent) }
	files := map[string]string{g.file: text}
	forbidden := Action{Event: schema.PreTool, Tool: "shell", Input: []byte(`{"command":"forbidden"}`)}
	own, want := played(t, g.agent, forbidden, files).Decision, schema.Deny.String()
	if in(change.voids) && change.inTable+change.text != "" && (g.agent != "kimi" || change.inTable != "") {
		want = Failed
	}
	if in(change.never) || in(change.alone) {
		want = schema.NoOpinion.String()
	}
	if own != want {
		t.Errorf("its own agent: %s, want %s\n%s", own, want, text)
	}

	host := "cursor"
	if g.agent == host {
		host = "claude"
	}
	for _, closed := range []bool{false, true} {
		for _, command := range []string{"forbidden", "true"} {
			got := ranUnder(t, host, g, text, command, closed)
			guarded := command == "forbidden" && !in(change.never)
			unjudged := closed && in(change.unjudged) && (g.agent != "kimi" || change.inTable != "")
			if want := guarded || unjudged; got != want {
				t.Errorf("%s under %s, --fail-closed %v: denied %v, want %v\n%s", command, host, closed, got, want,
					text)
			}
		}
	}
}

// ranUnder reports whether a command is denied under a host that calls hookbridge.
func ranUnder(t *testing.T, host string, g guardFile, text, command string, closed bool) bool {
	t.Helper()
	dir := t.TempDir()
	places := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		Env: schema.Environ{"PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh"}}
	file := filepath.Join(places.Project, g.file)
	if os.MkdirAll(filepath.Dir(file), 0o755) != nil || os.MkdirAll(places.Project, 0o755) != nil ||
		os.WriteFile(file, []byte(text), 0o644) != nil {
		t.Fatal("can't write " + file)
	}
	h, _ := adapter.Find(host)
	d, _ := adapter.Find(g.agent)
	b := &bridge.Bridge{Host: h, Hooks: d, Places: places, StateDir: filepath.Join(dir, "state"), TempDir: dir,
		Now: time.Now, FailClosed: closed, Policy: cmdline.Policy{}}
	in, err := sample.Payload(h, sample.ForHost(h, sample.Event{Event: h.Profile().Generic(schema.PreTool),
		Tool: "shell", Input: []byte(`{"command":"` + command + `"}`), Project: places.Project, Session: "s"}))
	if err != nil {
		t.Fatal(err)
	}
	_, rep, err := b.Guarded(context.Background(), in, "", nil)
	if err != nil {
		t.Fatal(err, rep.Diagnostics)
	}
	return rep.Reply.Verdict == schema.Deny
}

// TestUnknownDecisions checks that a decision in a word that the hook's agent doesn't have is reported, and denies with
// --fail-closed. Without it the call proceeds as in the client, unless the client denies for such a word.
func TestUnknownDecisions(t *testing.T) {
	const answer = `{"decision":"denied","hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"permissionDecision":"denied"},"permission":"denied","permissionDecision":"denied"}`
	for _, d := range adapter.WithHooks() {
		if readsNone(d, strings.ReplaceAll(answer, "denied", "deny")) {
			continue
		}
		for _, closed := range []bool{false, true} {
			host, _ := adapter.Find("cursor")
			if adapter.SameAgent(host, d) {
				host, _ = adapter.Find("claude")
			}
			dir := t.TempDir()
			native := d.Profile().Generic(schema.PreTool)
			b := &bridge.Bridge{Host: host, Hooks: d, StateDir: dir, TempDir: dir, Now: time.Now, FailClosed: closed,
				Places: schema.Places{OS: "linux", Home: dir, Project: dir,
					Env: schema.Environ{"PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh"}},
				Single: &schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand,
					Command: "echo '" + strings.Replace(answer, "PreToolUse", native, 1) + "'"}}
			in, err := sample.Payload(host, sample.Event{Event: host.Profile().Generic(schema.PreTool),
				Project: dir, Session: "s"})
			if err != nil {
				t.Fatal(err)
			}
			_, rep, err := b.Run(context.Background(), in, "")
			if err != nil {
				t.Fatal(err)
			}
			denied := rep.Reply.Verdict == schema.Deny
			reported := slices.ContainsFunc(rep.Diagnostics, func(x schema.Diagnostic) bool {
				return x.Code == schema.CodeBadAnswer || x.Code == schema.CodeBadSchema
			})
			if !denied && (closed || !reported) {
				t.Errorf("%s, --fail-closed %v: %v", d.Profile().Name, closed, rep.Diagnostics)
			}
		}
	}
}

// readsNone reports whether an agent reads no decision in an answer, with any word: only an exit code decides there.
func readsNone(d adapter.Dialect, answer string) bool {
	native := d.Profile().Generic(schema.PreTool)
	h := schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand}
	reply, _ := d.DecodeReply(&h, schema.View{Event: native}, &process.Result{
		Stdout: []byte(strings.Replace(answer, "PreToolUse", native, 1))})
	return reply.Verdict != schema.Deny
}

// TestMatcherValues checks that a hook for one value of an event is played with that value, for any value.
func TestMatcherValues(t *testing.T) {
	for _, x := range []struct{ event, value string }{
		{"Notification", "permission_prompt"}, {"Notification", "idle_prompt"}, {"ConfigChange", "user_settings"},
		{"SessionStart", "resume"}, {"SubagentStop", "my-reviewer"}, {"SessionEnd", "logout"},
	} {
		file := `{"hooks":{"` + x.event + `":[{"matcher":"` + x.value +
			`","hooks":[{"type":"command","command":"true"}]}]}}`
		out := played(t, "claude", Action{Native: x.event}, map[string]string{".claude/settings.json": file})
		if got, want := raised(out), x.event+"+"; got != want {
			t.Errorf("%s %s: %s, want %s", x.event, x.value, got, want)
		}
	}
}
