package convert

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/hookshell"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// writtenCommands are commands of several words, which print their arguments and where they run.
var writtenCommands = []schema.Hook{
	{Command: `printf '[%s]' one two`},
	{Command: `printf '[%s]' "a  b" 'c $d' e\ f "g'h"`},
	{Command: `X=1 Y="2 3" printf '[%s]' "$X"`},
	{Command: `X=1; printf '[%s]' "$X" "$PWD"`},
	{Command: `printf '[%s]' a; printf '[%s]' b | cat`},
	{Command: `if true; then printf '[%s]' 'é "ü" \n'; fi`},
	{Command: `printf '[%s]' "${HOME}" ~ --strict -- -x`},
	{Command: `printf '[%s]' "${HOME}" '${HOME}' "${CLAUDE_PROJECT_DIR}" '${CLAUDE_PROJECT_DIR}'`},
	{Command: "printf '[%s]' a\nprintf '[%s]' b"},
	{Command: `printf "[%s]" "$G"`, Env: schema.Vars("G", "x y")},
	{Command: "printf", Args: []string{"[%s]", "one", "two  three", "$HOME", `"`}},
}

// TestWritten converts a hook of each agent for every other, copied and wrapped, reads the result, and starts it: it
// behaves as under its own agent, or the conversion has reported the loss.
func TestWritten(t *testing.T) {
	project := filepath.Join(t.TempDir(), `it's "$X"`)
	if err := os.Mkdir(project, 0o700); err != nil {
		t.Fatal(err)
	}
	places := schema.Places{OS: "linux", Project: project, Home: filepath.Join(project, "home"),
		Env: schema.Environ{"PATH=/usr/bin:/bin", "HOME=" + filepath.Join(project, "home")}}
	call := &schema.Call{Event: schema.PreTool, Project: project, Cwd: project,
		Tool: schema.Tool{Name: "x", Kinds: []schema.Kind{schema.Shell}}}
	started := 0
	for _, from := range adapter.WithHooks() {
		for i, command := range writtenCommands {
			h, ok := asWritten(from, command)
			if !ok {
				continue
			}
			want, ok := said(from, h, call, places)
			if !ok {
				continue
			}
			for j, to := range adapter.Dialects() {
				if adapter.SameAgent(from, to) || testing.Short() && (i+j)%3 != 0 {
					continue
				}
				for _, wrap := range []WrapPolicy{WrapAuto, WrapNever} {
					c := Convert(from, to, &schema.Config{Hooks: []schema.Hook{h}}, ConvertOptions{Wrap: wrap})
					if c.Diagnostics.Max() >= schema.Loss || len(c.Entries) == 0 {
						continue
					}
					got, n := rerun(t, from, to, c, call, places)
					if started += n; n > 0 && got != want {
						t.Errorf("%s to %s, wrap %d: %q says %q, was %q\n%s", from.Profile().Name, to.Profile().Name,
							wrap, h.Command, got, want, c.Document(to))
					}
				}
			}
		}
	}
	if started < 500 {
		t.Errorf("only %d hooks were started", started)
	}
}

// asWritten returns a hook as its agent reads it from a file; ok is false if the agent's files can't express it.
func asWritten(d dialect.Dialect, h schema.Hook) (schema.Hook, bool) {
	h.Event, h.Native, h.Handler = schema.PreTool, d.Profile().Generic(schema.PreTool), schema.HandlerCommand
	at := d.Profile().EventsAt + "/" + h.Native
	value, feature := d.WriteHook(schema.Entry{Native: h.Native, Pointer: at}, &h)
	c := Conversion{Entries: []Placed{{Pointer: at, Value: value}}}
	cfg, _ := d.ParseConfig(c.Document(d), schema.Source{Scope: schema.ScopeProject, File: "/p/hooks.json"})
	if h.Uses()&^feature != 0 || cfg == nil || len(cfg.Hooks) != 1 {
		return h, false
	}
	return cfg.Hooks[0], true
}

// rerun reads a conversion's result and starts its one hook, either by its new agent or as hookbridge would. n is 0 if
// the hook isn't in the target's files.
func rerun(t *testing.T, from, to dialect.Dialect, c *Conversion, call *schema.Call, p schema.Places) (out string,
	n int) {

	cfg, _ := to.ParseConfig(c.Document(to), schema.Source{Scope: schema.ScopeProject, File: "/p/hooks.json"})
	if cfg == nil || len(cfg.Hooks) == 0 {
		t.Errorf("%s to %s: what was written isn't read:\n%s", from.Profile().Name, to.Profile().Name, c.Document(to))
		return "", 0
	}
	i := slices.IndexFunc(cfg.Hooks, func(h schema.Hook) bool { return h.Event == schema.PreTool })
	if i < 0 {
		return "", 0
	}
	d, h := to, cfg.Hooks[i]
	if of := cmdline.Unwrap(started(to, h, call, p)); len(of) == 1 {
		p.Env = p.Env.With(nil, h.Env...) // the entry's variables go to hookbridge, which passes them on
		d, h = from, of[0].Hook
	}
	out, ok := said(d, h, call, p)
	if !ok {
		return "", 0
	}
	return out, 1
}

// started returns the command of an entry as its agent starts it, with the agent's variables filled in.
func started(d dialect.Dialect, h schema.Hook, call *schema.Call, p schema.Places) (command string, args []string) {
	spec, err := d.Spec(&h, call, p)
	switch argv := spec.Argv; {
	case err != nil:
		return h.Command, h.Args
	case len(argv) == 3 && strings.HasPrefix(argv[1], "-") && h.Args == nil:
		return argv[2], nil
	default:
		return argv[0], argv[1:]
	}
}

// said returns the output of a hook started as its agent does; ok is false if it can't be started here.
func said(d dialect.Dialect, h schema.Hook, call *schema.Call, p schema.Places) (out string, ok bool) {
	c := *call
	c.Dialect, c.Native = d.Profile().Name, d.Profile().Generic(schema.PreTool)
	spec, err := d.Spec(&h, &c, p)
	if err != nil {
		return "", false
	}
	spec.Dir = p.Project
	if start := hookshell.Start(&h, spec); start != nil {
		res := start(context.Background())
		return string(res.Stdout), res.Err == nil
	}
	res := process.Run(context.Background(), spec)
	return string(res.Stdout), res.Err == nil
}

// TestLeftOut: a conversion reports exactly the fields that are missing from its output.
func TestLeftOut(t *testing.T) {
	found := 0
	for _, from := range adapter.WithHooks() {
		for _, one := range []schema.Hook{{Args: []string{"a b"}}, {Env: schema.Vars("G", "x y")}, {Async: true},
			{Fail: schema.FailClosed}, {Timeout: 7 * time.Second}} {
			one.Command = "printf"
			h, ok := asWritten(from, one)
			if !ok || h.Uses() == 0 {
				continue
			}
			for _, to := range adapter.Dialects() {
				if adapter.SameAgent(from, to) {
					continue
				}
				c := Convert(from, to, &schema.Config{Hooks: []schema.Hook{h}}, ConvertOptions{Wrap: WrapNever})
				at := schema.Source{Scope: schema.ScopeProject, File: "/p/hooks.json"}
				cfg, _ := to.ParseConfig(c.Document(to), at)
				if cfg == nil || len(cfg.Hooks) == 0 {
					continue
				}
				said := strings.Contains(cfg.Hooks[0].Command, "a b") && one.Args != nil // as words for a shell
				h.Uses().Each(func(f schema.Feature) {
					found++
					member := h.MemberPath(from.Profile().MemberName(f))
					reported := slices.ContainsFunc(c.Diagnostics, func(d schema.Diagnostic) bool {
						return d.Path == member
					})
					if is := cfg.Hooks[0].Uses()&f != 0 || said; is == reported {
						t.Errorf("%s to %s: %s written %t, reported %t\n%s", from.Profile().Name, to.Profile().Name,
							f.Name(), is, reported, c.Document(to))
					}
				})
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d fields", found)
	}
}
