package bridge

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

const (
	cursorShell = `{"conversation_id":"c","generation_id":"g","hook_event_name":"preToolUse",` +
		`"cursor_version":"3.15.19",` +
		`"workspace_roots":[],"tool_name":"Shell","tool_input":{"command":"ls"}}`
	claudeShell = `{"session_id":"s","transcript_path":"","cwd":"/w","permission_mode":"default",` +
		`"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`
	geminiWrite = `{"session_id":"s","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"t",` +
		`"tool_name":"write_file","tool_input":{"file_path":"a","content":"x"}}`
)

// staged returns the input of the stages after decode for a payload of the bridge's host.
func staged(t *testing.T, b *Bridge, payload string) (*run, *schema.Call) {
	t.Helper()
	in := decode(b, []byte(payload), "", b.Now())
	if !in.usable {
		t.Fatalf("%s: %v", payload, in.log.ds)
	}
	r := newRun(t.Context(), b, &in)
	r.mem = &session.Memory{}
	return r, in.call
}

// unchanged reports at the end of a test whether a stage has written to its input.
func unchanged(t *testing.T, r *run, c *schema.Call) {
	t.Helper()
	was, call := *r, *c.Clone()
	call.Tool.Input = slices.Clone(c.Tool.Input)
	t.Cleanup(func() {
		if now := *r; now.from.project != nil || !reflect.DeepEqual(was.places, now.places) ||
			!reflect.DeepEqual(was.from, now.from) || was.host != now.host || was.mem != now.mem {
			t.Error("the stage has changed its run")
		}
		if !reflect.DeepEqual(call, *c) {
			t.Errorf("the stage has changed its call: %+v, was %+v", *c, call)
		}
	})
}

func codesOf(ds schema.Diagnostics) (codes []schema.Code) {
	for _, d := range ds {
		codes = append(codes, d.Code)
	}
	return codes
}

func TestDecode(t *testing.T) {
	for _, tt := range []struct {
		name, host, hooks, payload string
		usable                     bool
		sender                     string // the agent that has sent it
		path                       string // of the call's file
		codes                      []schema.Code
	}{
		{"the host's own", "cursor", "claude", cursorShell, true, "cursor", "", nil},
		{"another agent's", "cursor", "codex", claudeShell, true, "claude", "", []schema.Code{schema.CodeOwnImport}},
		{"a path from the working folder", "gemini", "claude", geminiWrite, true, "gemini", "/w/a", nil},
		{"for hooks of its own", "gemini", "gemini", geminiWrite, true, "gemini", "a", nil},
		{"no JSON", "cursor", "claude", `{"a`, false, "cursor", "", []schema.Code{schema.CodeSyntax}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBridge(t, tt.host, tt.hooks, "")
			b.Places.Project = ""
			in := decode(b, []byte(tt.payload), "", time.Now())
			if in.usable != tt.usable || in.host.Profile().Name != tt.sender || in.imported != (tt.sender != tt.host) {
				t.Errorf("usable %t, of %s, imported %t", in.usable, in.host.Profile().Name, in.imported)
			}
			if got := codesOf(in.log.ds); !slices.Equal(got, tt.codes) {
				t.Errorf("reports %v, want %v", got, tt.codes)
			}
			if tt.path != "" && in.call.Tool.Input.Text(schema.RolePath) != tt.path {
				t.Errorf("the path is %s, want %s", in.call.Tool.Input.Text(schema.RolePath), tt.path)
			}
			if b.Host.Profile().Name != tt.host {
				t.Error("decode has changed the host of hookbridge")
			}
		})
	}
}

func TestLoad(t *testing.T) {
	const settings = `{"env":{"A":"1"},"allowedHttpHookUrls":["http://x/*"],"hooks":{"PreToolUse":[{"hooks":[` +
		`{"type":"command","command":"true"},{"type":"command","command":"hookbridge run --hooks cursor"}]}]}}`
	for _, tt := range []struct {
		name, file string
		set        func(*Bridge)
		ok         bool
		hooks      int
		env        string
		urls       int
	}{
		{"no file", "", nil, true, 0, "", 0},
		{"the project's", settings, nil, true, 1, "1", 1},
		{"a broken file", `{"hooks":`, nil, false, 0, "", 0},
		{"one hook", settings, func(b *Bridge) { b.Single = &schema.Hook{Command: "x"} }, true, 1, "", 0},
		{"a project that isn't trusted", settings, func(b *Bridge) { b.RequireTrust = true }, true, 0, "", 0},
		{"the same, failing closed", settings, func(b *Bridge) { b.RequireTrust, b.FailClosed = true, true },
			false, 0, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBridge(t, "cursor", "claude", "")
			if tt.file != "" {
				file := filepath.Join(b.Places.Project, ".claude", "settings.json")
				if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(tt.file), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			b.Places.Home = t.TempDir()
			if tt.set != nil {
				tt.set(b)
			}
			r, c := staged(t, b, cursorShell)
			unchanged(t, r, c)
			got, ok := load(r, c)
			if ok != tt.ok || len(got.hooks) != tt.hooks {
				t.Fatalf("ok %t with %d hooks, want %t with %d: %v", ok, len(got.hooks), tt.ok, tt.hooks, r.log.ds)
			}
			if ok && (got.run.places.Env.Get("A") != tt.env || len(got.run.from.allowURLs) != tt.urls) {
				t.Errorf("env %q, addresses %q", got.run.places.Env.Get("A"), got.run.from.allowURLs)
			}
		})
	}
}

func TestSelect(t *testing.T) {
	unknown := strings.Replace(cursorShell, `"Shell"`, `"other_tool"`, 1)
	server := strings.Replace(cursorShell, `"Shell","tool_input":{"command":"ls"}`, `"MCP:do","tool_input":{}`, 1)
	for _, tt := range []struct {
		name, payload string
		matchers      []string // one hook each
		picked        string
		kinds         int // of the call's tool then
	}{
		{"all that match", cursorShell, []string{"Bash", "Write", "", "B.*"}, "0 2 3", 1},
		{"none", cursorShell, []string{"Write"}, "", 1},
		{"an unknown tool with a command", unknown, []string{"Bash", "Write", "other_tool"}, "0 2", 2},
		{"a server that isn't named", server, []string{"mcp__a__do", "mcp__b__.*", "mcp__a__other"}, "0 1", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, c := staged(t, newBridge(t, "cursor", "claude", ""), tt.payload)
			unchanged(t, r, c)
			var hooks []schema.Hook
			for i, m := range tt.matchers {
				hooks = append(hooks, schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Matcher: m,
					HasMatcher: true, Handler: schema.HandlerCommand, Command: string(rune('0' + i))})
			}
			picked, now := selectHooks(r, c, hooks)
			var names []string
			for _, p := range picked {
				names = append(names, p.hook.Command)
			}
			if got := strings.Join(names, " "); got != tt.picked || len(now.Tool.Kinds) != tt.kinds {
				t.Errorf("picks %q of a tool of kinds %v, want %q of %d", got, now.Tool.Kinds, tt.picked, tt.kinds)
			}
		})
	}
}

// TestPickFor: choosing a view doesn't change the hook; a hook without an event gets the view's.
func TestPickFor(t *testing.T) {
	for _, tt := range []struct {
		name, native, matcher string
		picks                 bool
	}{
		{"of the event", "PreToolUse", "Bash", true},
		{"of no event", "", "", true},
		{"of no event, for another tool", "", "Write", false},
		{"of another event", "Stop", "", false},
	} {
		r, c := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
		h := schema.Hook{Native: tt.native, Matcher: tt.matcher, HasMatcher: tt.matcher != ""}
		was := h
		p, ok := pickFor(r, c, &h, r.hooks.Views(c))
		if ok != tt.picks || !reflect.DeepEqual(h, was) {
			t.Errorf("%s: picked %t, and the hook is %+v, was %+v", tt.name, ok, h, was)
		}
		if ok && (p.hook.Native != "PreToolUse" || p.view.Event != "PreToolUse" || p.hook.Matcher != tt.matcher) {
			t.Errorf("%s: picked %+v", tt.name, p)
		}
	}
}

func TestExecute(t *testing.T) {
	rewrite := `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"pwd"}}}'`
	seesIt := `grep -q '"command":"pwd"' && exit 2; exit 0`
	hook := func(command string) schema.Hook {
		return schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand,
			Command: command}
	}
	model := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerPrompt, Prompt: "ok?"}
	late := hook("true")
	late.Async = true
	for _, tt := range []struct {
		name       string
		hooks      []schema.Hook
		sequential bool
		says       string // the verdicts
		codes      []schema.Code
	}{
		{"at once", []schema.Hook{hook(rewrite), hook(seesIt)}, false, "none none", nil},
		{"one after the other", []schema.Hook{hook(rewrite), hook(seesIt)}, true, "none deny", nil},
		{"a refusal", []schema.Hook{hook("exit 2")}, false, "deny", nil},
		{"no evaluator", []schema.Hook{model}, false, "none", []schema.Code{schema.CodeNoEvaluator}},
		{"in the background", []schema.Hook{late}, false, "none", []schema.Code{schema.CodeDetached}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, c := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
			unchanged(t, r, c)
			var picked []pick
			for _, h := range tt.hooks {
				h.Sequential = tt.sequential
				picked = append(picked, pick{h, r.hooks.Views(c)[0]})
			}
			did, now := execute(r, c, picked)
			var says []string
			for _, one := range did.runs {
				says = append(says, one.Reply.Verdict.String())
			}
			if got := strings.Join(says, " "); got != tt.says || !slices.Equal(codesOf(r.log.ds), tt.codes) {
				t.Errorf("%s %v, want %s %v", got, r.log.ds, tt.says, tt.codes)
			}
			if changed := now != c; changed != tt.sequential {
				t.Errorf("the call has changed: %t", changed)
			}
		})
	}
}

func TestMerge(t *testing.T) {
	deny, allow := schema.Reply{Verdict: schema.Deny, Reason: "no"}, schema.Reply{Verdict: schema.Allow, Reason: "yes"}
	b := newBridge(t, "cursor", "claude", "")
	for _, tt := range []struct {
		name   string
		merged schema.Reply
		want   schema.Reply
	}{
		{"the strictest", merge(b.Hooks, []HookRun{{Reply: allow}, {Reply: deny}}), deny},
		{"but for one that nobody waits for", merge(b.Hooks, []HookRun{{Reply: allow}, {Reply: deny, Async: true}}),
			allow},
		{"a gate that refuses, in its words", mergeGates(b.Hooks, allow, []HookRun{{Reply: deny}}), deny},
		{"a gate that doesn't", mergeGates(b.Hooks, deny, []HookRun{{Reply: allow}}), deny},
		{"several agents", strictestOf(b.Hooks, allow, deny), deny},
	} {
		if tt.merged.Verdict != tt.want.Verdict || tt.merged.Reason != tt.want.Reason {
			t.Errorf("%s: %s %q", tt.name, tt.merged.Verdict, tt.merged.Reason)
		}
	}
}

func strictestOf(hooks dialect.Dialect, replies ...schema.Reply) schema.Reply {
	var all []decision
	for _, reply := range replies {
		all = append(all, decision{run: &run{hooks: hooks}, reply: reply, ok: true})
	}
	merged, _ := strictest(all, &Report{})
	return merged
}

func endOf(turn string) func(*session.Memory) {
	return func(m *session.Memory) { m.KeepEnd(session.End{Turn: turn, Reason: "why"}) }
}

// TestRelay: what one event leaves, a later one gets.
func TestRelay(t *testing.T) {
	stop := `{"conversation_id":"c","generation_id":"g","status":"completed","hook_event_name":"stop",` +
		`"cursor_version":"3.15.19","workspace_roots":[]}`
	for _, tt := range []struct {
		name, payload string
		keep          func(*session.Memory)
		verdict       schema.Verdict
		over          bool
		field         schema.Field // that the call then has
		left          bool         // the record is still there
	}{
		{"nothing", cursorShell, func(*session.Memory) {}, schema.NoOpinion, false, 0, false},
		{"the end of this turn", cursorShell, endOf("g"), schema.Deny, true, 0, true},
		{"the end of another turn", cursorShell, endOf("f"), schema.NoOpinion, false, 0, true},
		{"the end of this turn, at its stop", stop, endOf("g"), schema.NoOpinion, true, 0, false},
		{"the model", cursorShell, func(m *session.Memory) { m.Model().Keep("m") }, schema.NoOpinion, false,
			schema.FieldModel, true},
		{"the last message", stop, func(m *session.Memory) { m.Said().Keep(session.Said{Turn: "g", Text: "done"}) },
			schema.NoOpinion, false, schema.FieldLastMessage, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, c := staged(t, newBridge(t, "cursor", "claude", ""), tt.payload)
			unchanged(t, r, c)
			m := openSession(r, c)
			tt.keep(m)
			if !m.Commit() {
				t.Fatal(r.log.ds)
			}
			got := recall(r, c)
			if got.over != tt.over || got.reply.Verdict != tt.verdict {
				t.Errorf("over %t with %s", got.over, got.reply.Verdict)
			}
			if tt.field != 0 && (got.call.Get(tt.field) == nil || c.Get(tt.field) != nil) {
				t.Errorf("the call's field is %s, was %s", got.call.Get(tt.field), c.Get(tt.field))
			}
			rememberCall(got.run, &done{call: got.call}, nil, &fitted{reply: got.reply})
			m = openSession(r, c)
			if m.Read(); m.Found() != tt.left {
				t.Errorf("it is still there: %t", m.Found())
			}
		})
	}
}

func TestEncode(t *testing.T) {
	for _, tt := range []struct {
		host, payload string
		reply         schema.Reply
		verdict       schema.Verdict
	}{
		{"cursor", cursorShell, schema.Reply{}, schema.NoOpinion},
		{"cursor", cursorShell, denial("two\nlines"), schema.Deny},
		{"claude", claudeShell, denial("no"), schema.Deny},
		{"gemini", geminiWrite, schema.Reply{Context: "c"}, schema.NoOpinion},
	} {
		r, c := staged(t, newBridge(t, tt.host, "codex", ""), tt.payload)
		d := decision{run: r, did: done{call: c}}
		out := d.encode(&tt.reply)
		h := schema.Hook{Event: c.Event, Native: c.Native, Handler: schema.HandlerCommand}
		back, ds := r.host.DecodeReply(&h, schema.View{Event: c.Native, Kind: c.Tool.Kind()},
			&process.Result{Stdout: out})
		if back.Verdict != tt.verdict || back.Reason != tt.reply.Reason || len(ds) > 0 ||
			bytes.IndexByte(out, '\n') >= 0 {
			t.Errorf("%s: %s is read as %s %q %v", tt.host, out, back.Verdict, back.Reason, ds)
		}
	}
}
