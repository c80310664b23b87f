package bridge

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/hookshell"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestMain puts a program named hookbridge into PATH for entries.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "hookbridge")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, cmdline.Program), nil, 0o755)
	}
	if err != nil {
		panic(err)
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// newBridge returns a bridge for one hook given as a shell command, which runs in the test's process.
func newBridge(t testing.TB, host, hooks, command string) *Bridge {
	t.Helper()
	return bridgeIn(t.TempDir(), host, hooks, command)
}

// bridgeIn is newBridge in a given folder.
func bridgeIn(dir, host, hooks, command string) *Bridge {
	h, _ := adapter.Find(host)
	f, _ := adapter.Find(hooks)
	b := &Bridge{Host: h, Hooks: f, StateDir: filepath.Join(dir, "state"), TempDir: dir, Now: time.Now,
		Start: hookshell.Start,
		Places: schema.Places{OS: "linux", Home: dir, Project: dir,
			Env: schema.Environ{"PATH=" + os.Getenv("PATH"), "PWD=" + dir}}}
	if command != "" {
		b.Single = &schema.Hook{Handler: schema.HandlerCommand, Command: command}
	}
	return b
}

// TestRealPayloads sends every real payload of Cursor through hookbridge with a hook on every event. The answer is
// always one object.
func TestRealPayloads(t *testing.T) {
	for _, p := range material.Payloads(t, "cursor") {
		for _, command := range []string{"cat >/dev/null", "echo no >&2; exit 2",
			`echo '{"systemMessage":"m","continue":false,"stopReason":"s"}'`} {
			b := newBridge(t, "cursor", "claude", command)
			out, rep, err := b.Run(context.Background(), p.Text, "")
			if err != nil {
				t.Errorf("%s: %v %v", p.Name, err, rep.Diagnostics)
				continue
			}
			if _, err := ordjson.Parse(out); err != nil {
				t.Errorf("%s: answer %s: %v", p.Name, out, err)
			}
		}
	}
}

// TestParallelCalls checks that parallel runs on one session lose nothing that they relay.
func TestParallelCalls(t *testing.T) {
	b := newBridge(t, "cursor", "claude",
		`echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"c"}}'`)
	call := func(event, command, rest string) string {
		return fmt.Sprintf(
			`{"conversation_id":"c","generation_id":"g","command":%q,"cwd":"","hook_event_name":%q,`+
				`"cursor_version":"3.15.19","workspace_roots":[]%s}`, command, event, rest)
	}
	const n = 40
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, rep, err := b.Run(context.Background(), []byte(call("beforeShellExecution", "ls "+strconv.Itoa(i), "")),
				"")
			if err != nil || rep.Diagnostics.Max() > schema.Note {
				t.Errorf("%v %v", err, rep.Diagnostics)
			}
		}()
	}
	wg.Wait()
	b.Single.Command = "true"
	for i := range n {
		in := fmt.Sprintf(
			`{"conversation_id":"c","generation_id":"g","tool_name":"Shell","tool_input":{"command":"ls %d"},`+
				`"tool_output":"{}","hook_event_name":"postToolUse","cursor_version":"3.15.19","workspace_roots":[]}`,
			i)
		out, _, err := b.Run(context.Background(), []byte(in), "")
		if err != nil || string(out) != `{"additional_context":"c"}` {
			t.Fatalf("call %d: %s %v", i, out, err)
		}
	}
}

// TestNeverWeaker checks law L2 for every pair and every gate: a hook's denial in its own dialect denies for the host
// too, or an error reports that it can't.
func TestNeverWeaker(t *testing.T) {
	for _, host := range adapter.Dialects() {
		for _, hooks := range adapter.WithHooks() {
			if host.Profile().Name == hooks.Profile().Name {
				continue
			}
			for _, row := range host.Profile().Events {
				in := samplePayload(t, host, row)
				b := newBridge(t, host.Profile().Name, hooks.Profile().Name, refusing(hooks))
				out, rep, err := b.Run(context.Background(), in, "")
				if err != nil {
					t.Errorf("%s %s: %v %v", host.Profile().Name, row.Native, err, rep.Diagnostics)
					continue
				}
				for _, run := range rep.Runs {
					used := run.Reply.Uses()
					if lost := used &^ rep.Reply.Uses() & (schema.EffectDeny | schema.EffectKeepGoing); lost != 0 &&
						rep.Diagnostics.Max() < schema.Weaker {
						t.Errorf("%s hook under %s %s: %s is lost without a word: %s", hooks.Profile().Name,
							host.Profile().Name, row.Native, lost, out)
					}
				}
			}
		}
	}
}

// samplePayload returns a plain payload of an event, made by the dialect itself.
func samplePayload(t *testing.T, d dialect.Dialect, row schema.EventRow) []byte {
	t.Helper()
	c := &schema.Call{Dialect: d.Profile().Name, Event: row.Event, Native: row.Native, Gate: row.Gate != nil,
		Inline: row.Inline(), Cwd: "/w", Project: "/w"}
	c.SetStr(schema.FieldSession, "s-"+row.Native)
	if row.Event.IsTool() {
		kind := schema.Shell
		if row.Gate != nil {
			kind = row.Kinds()[0]
		}
		c.Tool.Kinds = []schema.Kind{kind}
		c.Tool.Name, c.Tool.Server, c.Tool.UseID = "t", "srv", "u1"
		for _, tool := range d.Profile().Tools {
			if len(tool.Kinds) > 0 && tool.Kinds[0] == kind {
				c.Tool.Name = tool.Name
				for _, a := range tool.Input {
					if a.Role != schema.RoleEdits && a.Role != schema.RoleTimeout {
						c.Tool.Input = append(c.Tool.Input,
							schema.Arg{Role: a.Role, Name: a.Name, Raw: []byte(`"/w/x"`)})
					}
				}
				break
			}
		}
	}
	for _, v := range d.Views(c) {
		if v.Event == row.Native {
			return d.AppendCall(nil, c, v)
		}
	}
	t.Fatalf("%s has no view of its own event %s", d.Profile().Name, row.Native)
	return nil
}

// answers makes the hook of a bridge end with res; no program is started.
func answers(b *Bridge, res process.Result) {
	b.Start = func(*schema.Hook, process.Spec) standIn {
		return func(context.Context) process.Result { return res }
	}
}

// FuzzRun passes any payload and any answer to the whole bridge: it never panics, and an answer is one object.
func FuzzRun(f *testing.F) {
	hosts, owners := adapter.Dialects(), adapter.WithHooks()
	for i, p := range []string{
		`{"conversation_id":"c","tool_name":"Shell","tool_input":{"command":"ls"},` +
			`"hook_event_name":"preToolUse","cursor_version":"3"}`,
		`{"conversation_id":"c","status":"completed","loop_count":1,"hook_event_name":"stop","cursor_version":"3"}`,
		`{"session_id":"c","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Write",` +
			`"tool_input":{"file_path":"x","content":"y"}}`,
		`{"hook_event_name":"afterFileEdit","file_path":"x","edits":[{"old_string":"a","new_string":"b"}]}`,
	} {
		for host := range hosts {
			f.Add(uint8(host), uint8(host+i), []byte(p), []string{`{"decision":"block"}`, "a }"}[host%2], "x", i)
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, host, own uint8, in []byte, stdout, stderr string, exit int) {
		b := bridgeIn(dir, hosts[int(host)%len(hosts)].Profile().Name, owners[int(own)%len(owners)].Profile().Name, "x")
		if b.StateDir = ""; exit&4 != 0 {
			b.StateDir = t.TempDir()
		}
		answers(b, process.Result{Stdout: []byte(stdout), Stderr: []byte(stderr), Exit: exit & 3})
		out, rep, err := b.Run(context.Background(), in, "")
		if err != nil {
			if rep.Diagnostics.Max() < schema.Error {
				t.Fatalf("%v without an error: %v", err, rep.Diagnostics)
			}
			return
		}
		if _, err := ordjson.Parse(out); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
	})
}

// TestEvaluatorOnWindows checks that cmd.exe, which starts an evaluator there, never runs a program of the project
// instead.
func TestEvaluatorOnWindows(t *testing.T) {
	for os, want := range map[string]string{"windows": "1", "linux": ""} {
		b := newBridge(t, "cursor", "claude", "")
		b.Evaluator, b.Places.OS = "judge", os
		b.Single = &schema.Hook{Handler: schema.HandlerPrompt, Prompt: "is it right?"}
		var env []string
		b.Start = func(_ *schema.Hook, spec process.Spec) standIn {
			env = spec.Env
			return func(context.Context) process.Result { return process.Result{Stdout: []byte(`{"ok":true}`)} }
		}
		if _, _, err := b.Run(context.Background(), []byte(`{"hook_event_name":"preToolUse","conversation_id":"c",`+
			`"cursor_version":"3","tool_name":"Shell","tool_input":{"command":"ls"}}`), ""); err != nil {
			t.Fatal(err)
		}
		if got := schema.Environ(env).Get("NoDefaultCurrentDirectoryInExePath"); got != want || len(env) == 0 {
			t.Errorf("%s: %q in %d variables", os, got, len(env))
		}
	}
}
