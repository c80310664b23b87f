package inspect_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// variants lists hooks with every kind of handler and setting.
var variants = []struct {
	name string
	hook schema.Hook
}{
	{"command", schema.Hook{Handler: schema.HandlerCommand, Command: "true"}},
	{"args", schema.Hook{Handler: schema.HandlerCommand, Command: "true", Args: []string{"a b"}}},
	{"short", schema.Hook{Handler: schema.HandlerCommand, Command: "true", Timeout: 5 * time.Second}},
	{"long", schema.Hook{Handler: schema.HandlerCommand, Command: "true", Timeout: time.Hour}},
	{"async", schema.Hook{Handler: schema.HandlerCommand, Command: "true", Async: true}},
	{"once", schema.Hook{Handler: schema.HandlerCommand, Command: "true", Once: true}},
	{"closed", schema.Hook{Handler: schema.HandlerCommand, Command: "true", Fail: schema.FailClosed}},
	{"condition", schema.Hook{Handler: schema.HandlerCommand, Command: "true", Condition: "Bash(rm:*)",
		HasCondition: true}},
	{"powershell", schema.Hook{Handler: schema.HandlerCommand, Command: "exit 0", Shell: "powershell"}},
	{"env", schema.Hook{Handler: schema.HandlerCommand, Command: "true",
		Env: []schema.EnvVar{{Name: "A", Value: "b"}}}},
	{"http", schema.Hook{Handler: schema.HandlerHTTP, URL: "http://127.0.0.1:1/"}},
	{"prompt", schema.Hook{Handler: schema.HandlerPrompt, Prompt: "fine?"}},
	{"agent", schema.Hook{Handler: schema.HandlerAgent, Prompt: "fine?"}},
	{"mcp-tool", schema.Hook{Handler: schema.HandlerMCPTool, Server: "s", ToolRef: "t"}},
}

// TestCommandsAgree checks that doctor, install and convert report the same about a hook, for every event, kind of
// handler and ordered pair of agents. Each finds the same losses, with the same code and severity. check reports the
// findings of install, and mistakes in the file, which doctor finds too. convert may find more: it copies handlers
// instead of running them, and can't copy settings that hookbridge honors at run time.
func TestCommandsAgree(t *testing.T) {
	for i, from := range adapter.WithHooks() {
		cfg, checked, places := everyHook(t, from)
		if cfg == nil {
			continue
		}
		for j, to := range adapter.Dialects() {
			if testing.Short() && (i+j)%9 != 0 {
				continue
			}
			if dialect.Related(from, to) || dialect.Related(to, from) || from.Profile().Name == to.Profile().Name {
				continue
			}
			in := convert.Installation{Host: to, Hooks: []dialect.Dialect{from}}
			_, installed := in.Entries(cfg.Hooks)
			conversion := convert.Convert(from, to, cfg, convert.ConvertOptions{})
			if to.Profile().Modules != nil {
				conversion = convert.ConvertModule(from, to, cfg, nil, false, in.Policy)
			}
			found := inspect.Examine(to, places, inspect.Examined{Hooks: from.Profile().Name, Assumed: true,
				Imports: simulate.ImportsOff})
			for i := range cfg.Hooks {
				h := &cfg.Hooks[i]
				where := from.Profile().Name + " under " + to.Profile().Name + ": " + h.Native + " " +
					h.Handler.String() + " " + h.Path
				doctor, mistakes := examined(found, h), findings(checked, h)
				for _, f := range mistakes {
					if !slices.Contains(doctor, f) {
						t.Errorf("%s: check %q, doctor %q", where, mistakes, doctor)
					}
				}
				doctor = slices.DeleteFunc(doctor, func(f string) bool { return slices.Contains(mistakes, f) })
				install, convert := findings(installed, h), findings(conversion.Diagnostics, h)
				for _, f := range union(doctor, install) {
					if !slices.Contains(doctor, f) || !slices.Contains(install, f) {
						t.Errorf("%s: doctor %q, install %q", where, doctor, install)
						break
					}
				}
				if h.Handler != schema.HandlerCommand { // convert keeps the handler if the target has it
					kept := slices.ContainsFunc(conversion.Entries, func(e placed) bool {
						return slices.Contains(e.From, h.Path)
					})
					if len(convert) == 0 && !kept {
						t.Errorf("%s: convert drops it without a word", where)
					}
					continue
				}
				for _, f := range doctor {
					if !slices.Contains(convert, f) {
						t.Errorf("%s: doctor %q, convert %q", where, doctor, convert)
					}
				}
				for _, f := range convert {
					own := strings.HasPrefix(f, string(schema.CodeNoFeature)) ||
						strings.HasPrefix(f, string(schema.CodeNoHandler))
					if !own && !slices.Contains(doctor, f) {
						t.Errorf("%s: convert %q, doctor %q", where, convert, doctor)
					}
				}
			}
		}
	}
}

type placed = convert.Placed

func union(a, b []string) []string { return append(slices.Clone(a), b...) }

// everyHook writes a project with a hook of every event and variant, and reads it back. cfg is nil for an agent without
// hook files; checked has the findings of check in the file.
func everyHook(t *testing.T, d dialect.Dialect) (cfg *schema.Config, checked schema.Diagnostics, places schema.Places) {
	t.Helper()
	dir := t.TempDir()
	places = schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		Env: schema.Environ{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}}
	for _, program := range []string{"pwsh", "powershell"} {
		if err := os.WriteFile(filepath.Join(dir, program), nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	var at schema.Source
	for _, s := range d.Locate(places) {
		if s.Scope == schema.ScopeProject && at.File == "" {
			at = s
		}
	}
	if at.File == "" {
		return nil, nil, places
	}
	if at.Folder {
		at.File, at.Folder = filepath.Join(at.File, "hooks.json"), false
	}
	var c convert.Conversion
	events := 0
	for _, row := range d.Profile().Events {
		if !d.Profile().Has(&row) {
			continue
		}
		events++
		for _, v := range variants {
			h := v.hook
			h.Native, h.Event, h.Gate, h.Inline = row.Native, row.Event, row.Gate != nil, row.Inline()
			if h.Handler == schema.HandlerCommand && h.Args == nil { // equal hooks count as one
				h.Command += " " + v.name
			}
			value, said := d.WriteHook(schema.Entry{Native: row.Native, Pointer: d.Profile().EventsAt + "/" +
				row.Native}, &h)
			if h.Uses()&^said == 0 {
				c.Entries = append(c.Entries, convert.Placed{Pointer: d.Profile().EventsAt + "/" + row.Native,
					Value: value})
			}
		}
	}
	text := c.Document(d)
	if err := os.MkdirAll(filepath.Dir(at.File), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at.File, text, 0o666); err != nil {
		t.Fatal(err)
	}
	cfg, ds := d.ParseConfig(text, at)
	if ds.Max() > schema.Weaker || len(cfg.Hooks) < events {
		t.Fatalf("%s: %d hooks, %v", d.Profile().Name, len(cfg.Hooks), ds.Max())
	}
	return cfg, inspect.Check(d, cfg, text, ds, places), places
}

// examined returns the codes and severities of doctor's findings about a hook.
func examined(found []inspect.Finding, h *schema.Hook) (out []string) {
	for _, f := range found {
		if f.Hook == nil || f.Path != h.Path {
			continue
		}
		for _, p := range f.Problems {
			if p.Severity >= schema.Loss {
				out = append(out, string(p.Code)+" "+p.Severity.String())
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// findings returns the codes and severities of the diagnostics about a hook.
func findings(ds schema.Diagnostics, h *schema.Hook) (out []string) {
	for _, d := range ds {
		of := d.Path == h.Path || strings.HasPrefix(d.Path, h.Path+"/") || d.Path == h.MemberPath("matcher")
		if of && d.Severity >= schema.Loss {
			out = append(out, string(d.Code)+" "+d.Severity.String())
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
