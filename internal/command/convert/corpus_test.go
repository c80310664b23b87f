package convert

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/internal/tomljson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestCorpusConversion converts every real file to every other dialect. Every hook, and every field of it, must be in
// the result or named by a finding. The result must be valid according to its own dialect's rules.
func TestCorpusConversion(t *testing.T) {
	dir := material.Corpus(t)
	type tally struct{ files, converted, refused, hooks, entries, findings, returned int }
	for _, set := range []struct{ folder, dialect string }{
		{"claude", "claude"}, {"claude-frontmatter", "claude"}, {"claude-manifest", "claude"}, {"cursor", "cursor"},
		{"qoder", "qoder"}, {"gemini", "gemini"}, {"copilot", "copilot"}, {"codex", "codex"},
		{"history", ""},
	} {
		files, err := os.ReadDir(filepath.Join(dir, set.folder))
		if err != nil {
			t.Fatal(err)
		}
		for i, to := range adapter.Dialects() {
			var n tally
			for j, f := range files {
				if testing.Short() && (i+j)%8 != 0 {
					continue
				}
				from := dialectOf(set.dialect, f.Name())
				if from == nil || from.Profile().Name == to.Profile().Name {
					continue
				}
				n.files++
				c, cfg, ds := (&flags{input: filepath.Join(dir, set.folder, f.Name())}).convert(from, to, nil)
				if cfg == nil {
					n.refused++
					if ds.Max() < schema.Error {
						t.Errorf("%s to %s: refused without an error", f.Name(), to.Profile().Name)
					}
					continue
				}
				n.converted++
				n.hooks, n.entries, n.findings = n.hooks+c.In, n.entries+c.Out, n.findings+len(c.Diagnostics)
				account(t, f.Name(), to, cfg, c)
				n.returned += roundTrip(t, f.Name(), from, to, cfg, c)
			}
			if n.files > 0 {
				t.Logf("%-18s to %-6s: %d files, %d converted, %d refused; %d hooks, %d entries, %d findings; %d "+
					"hooks came back the same",
					set.folder, to.Profile().Name, n.files, n.converted, n.refused, n.hooks, n.entries, n.findings,
					n.returned)
			}
		}
	}
}

// TestGalleryConversion checks the same for the examples.
func TestGalleryConversion(t *testing.T) {
	files := 0
	for _, from := range adapter.WithHooks() {
		for _, s := range from.Locate(schema.Places{Project: "p"}) {
			found, _ := filepath.Glob(filepath.Join("../../../examples/*", strings.TrimPrefix(s.File, "p")))
			for _, file := range found {
				files++
				for _, to := range adapter.Dialects() {
					if c, cfg, ds := (&flags{input: file}).convert(from, to, nil); cfg == nil {
						t.Errorf("%s to %s: %v", file, to.Profile().Name, ds)
					} else if to.Profile().Name != from.Profile().Name {
						account(t, strings.ReplaceAll(file, "/", "__"), to, cfg, c)
					}
				}
			}
		}
	}
	if files < 12 {
		t.Errorf("only %d hook files", files)
	}
}

func dialectOf(name, file string) adapter.Dialect {
	if name == "" { // in a mixed folder, the file's own path decides
		switch {
		case strings.Contains(file, ".cursor"):
			name = "cursor"
		case strings.Contains(file, ".qoder"):
			name = "qoder"
		default:
			name = "claude"
		}
	}
	d, _ := adapter.Find(name)
	return d
}

// account checks that nothing disappears.
func account(t *testing.T, file string, to adapter.Dialect, cfg *schema.Config, c *convert.Conversion) {
	t.Helper()
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		found := false
		for _, e := range c.Entries {
			found = found || slices.Contains(e.From, h.Path)
		}
		for _, d := range c.Diagnostics {
			found = found || d.Path == h.Path && d.Severity > schema.Note || d.Path == h.Path &&
				d.Code == schema.CodeAlreadyRun
		}
		if !found {
			t.Errorf("%s to %s: %s is neither in the result nor named", file, to.Profile().Name, h.Path)
		}
	}
	text := c.Document(to)
	if toml, _, err := tomljson.Document(convert.File(to, text)); err == nil {
		text = toml
	}
	if name := to.Profile().Name + "-config"; to.Profile().Modules == nil {
		if err := schematest.Validate(written(t, name), text); err != nil {
			t.Errorf("%s: not valid by %s: %v", file, name, err)
		}
	}
	// the result is JSON
	back, ds := to.ParseConfig(convert.File(to, c.Document(to)), schema.Source{File: strings.TrimSuffix(file, ".toml")})
	for _, d := range ds {
		if d.Severity > schema.Weaker || d.Code == schema.CodeVoidFile || d.Code == schema.CodeVoidHook {
			t.Errorf("%s to %s: what was written is refused: %s", file, to.Profile().Name, d)
		}
	}
	if len(back.Hooks) != c.Out {
		t.Errorf("%s to %s: %d entries written, %d read back", file, to.Profile().Name, c.Out, len(back.Hooks))
	}
}

var compiled sync.Map

// written returns the compiled JSON Schema of the result.
func written(t *testing.T, name string) *jsonschema.Schema {
	if s, ok := compiled.Load(name); ok {
		return s.(*jsonschema.Schema)
	}
	text, err := schema.Document(name, "")
	if err != nil {
		t.Fatal(err)
	}
	s := schematest.Compile(t, text, "")
	compiled.Store(name, s)
	return s
}

// roundTrip converts back and checks that every hook without a finding comes back unchanged.
func roundTrip(t *testing.T, file string, from, to adapter.Dialect, cfg *schema.Config, c *convert.Conversion) (
	same int) {
	t.Helper()
	there, _ := to.ParseConfig(c.Document(to), schema.Source{File: file})
	again := convert.Convert(to, from, there, convert.ConvertOptions{})
	// the result is JSON
	back, _ := from.ParseConfig(again.Document(from), schema.Source{File: strings.TrimSuffix(file, ".toml")})
	have := map[string]int{}
	for i := range back.Hooks {
		have[identity(from, &back.Hooks[i])]++
	}
next:
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		for _, d := range c.Diagnostics {
			inGroup := slices.ContainsFunc(h.Group.Members, func(m string) bool { return d.Path == h.MemberPath(m) })
			if strings.HasPrefix(d.Path, h.Path) || inGroup {
				continue next
			}
		}
		if have[identity(from, h)] == 0 {
			t.Errorf("%s to %s and back: %s is not what it was: %s", file, to.Profile().Name, h.Path, identity(from, h))
			continue
		}
		same++
	}
	return same
}

// identity describes what a hook does, regardless of its file.
func identity(d adapter.Dialect, h *schema.Hook) string {
	loop := 0
	if h.LoopLimit != nil {
		loop = *h.LoopLimit
	}
	what := h.Matcher
	// a list of names in any spelling
	if m, err := matcher.Compile(d.Profile().GrammarOf(h.Native), h.Matcher); err == nil {
		if names, ok := m.Plain(); ok {
			slices.Sort(names)
			if slices.Contains(names, "Edit") { // guards of edits may also be called for several edits at once
				names = slices.DeleteFunc(names, func(n string) bool { return n == "MultiEdit" })
			}
			if slices.Contains(names, "Bash") { // guards of commands may also be called for the other shell
				names = slices.DeleteFunc(names, func(n string) bool { return n == "PowerShell" })
			}
			what = strings.Join(slices.Compact(names), "|")
		}
	}
	return fmt.Sprint(h.Native, "|", what, "|", h.Handler, "|", h.Command, "|", h.Args, "|", h.URL, "|", h.Prompt,
		"|", h.Condition, "|", h.Async, h.Rewake, h.Fail == schema.FailClosed, loop, d.Profile().Timeout(h), h.Shell)
}

// TestCorpusRefused: check rejects files of agents that hookbridge only knows by name. So does convert, unless the
// events belong to the agent that the user names.
func TestCorpusRefused(t *testing.T) {
	dir := filepath.Join(material.Corpus(t), "other-dialects")
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	named, refused := 0, 0
	for _, f := range files {
		for _, from := range adapter.WithHooks() {
			_, cfg, ds := (&flags{input: filepath.Join(dir, f.Name())}).convert(from, otherThan(from), nil)
			said := slices.ContainsFunc(ds, func(d schema.Diagnostic) bool { return d.Code == schema.CodeShape })
			switch text, _ := os.ReadFile(filepath.Join(dir, f.Name())); {
			case cfg != nil && len(cfg.Hooks) > 0 && !said &&
				hookfile.OtherAgent(strings.ReplaceAll(f.Name(), "__", "/"), text) == "":
				t.Logf("%s is read as %s", f.Name(), from.Profile().Name)
			case said, cfg != nil:
				named++
			default:
				refused++
			}
		}
	}
	t.Logf("%d files: %d times refused by name, %d times otherwise", len(files), named, refused)
	if named < 2*len(files) {
		t.Errorf("only %d of %d readings are refused by name", named, 3*len(files))
	}
}

func otherThan(d adapter.Dialect) adapter.Dialect {
	for _, o := range adapter.Dialects() {
		if o.Profile().Name != d.Profile().Name {
			return o
		}
	}
	return nil
}
