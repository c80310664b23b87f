package inspect

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// guardFile returns a file of an agent with one guard, as the agent itself writes it.
func guardFile(d dialect.Dialect, h schema.Hook) []byte {
	h.Event, h.Native = schema.PreTool, d.Profile().Generic(schema.PreTool)
	h.Handler, h.Command = schema.HandlerCommand, "exit 2"
	pointer := ordjson.Pointer(d.Profile().EventsAt, h.Native)
	value, _ := d.WriteHook(schema.Entry{Native: h.Native, Pointer: pointer, Matcher: h.Matcher}, &h)
	c := convert.Conversion{Entries: []convert.Placed{{Pointer: pointer, Value: value}}}
	return c.Document(d)
}

// checkedText returns the findings of Check in a text.
func checkedText(d dialect.Dialect, text []byte) schema.Diagnostics {
	cfg, ds := d.ParseConfig(text, d.Given("x.json"))
	if cfg == nil {
		cfg = &schema.Config{}
	}
	return Check(d, cfg, text, ds, schema.Places{})
}

// holdFixes applies every edit of a file's findings, and checks that the finding is gone and no other appears. It
// returns the number of edits.
func holdFixes(t *testing.T, name string, d dialect.Dialect, text []byte) (n int) {
	found := checkedText(d, text)
	about := func(ds schema.Diagnostics) (list []string) {
		for _, x := range ds {
			list = append(list, string(x.Code)+" "+x.Message)
		}
		return list
	}
	for _, x := range found {
		if x.Edit == (schema.Change{}) {
			continue
		}
		n++
		after, err := edited(text, x.Edit)
		if err != nil {
			t.Fatalf("%s: %v: %v", name, x, err)
		}
		left := checkedText(d, after)
		now := about(slices.DeleteFunc(slices.Clone(left), func(y schema.Diagnostic) bool {
			lesser := y.Path == x.Path && y.Severity < x.Severity
			skipped := x.Edit.Path == x.Path && strings.HasPrefix(y.Path, x.Path+"/") // before the edit
			return lesser || skipped
		}))
		if slices.Contains(now, string(x.Code)+" "+x.Message) && len(now) >= len(found) {
			t.Errorf("%s: still there: %v", name, x)
		}
		for _, y := range now {
			if !slices.Contains(about(found), y) && x.Edit.Name == "" {
				t.Errorf("%s: the edit of %v brings %s", name, x, y)
			}
		}
	}
	return n
}

// TestFixes checks the edits for all files of the corpus.
func TestFixes(t *testing.T) {
	edits, files := 0, 0
	root := material.Corpus(t)
	for _, dir := range []string{"claude", "cursor", "qoder", "other-dialects"} {
		filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || hookfile.IsMarkdown(path) {
				return nil
			}
			if files++; testing.Short() && files%4 != 0 {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d, err := adapter.Find(strings.TrimSuffix(dir, "-dialects"))
			if err != nil {
				if d, _ = hookfile.OwnerOf(path, nil, text); d == nil {
					return nil
				}
			}
			edits += holdFixes(t, path, d, text)
			return nil
		})
	}
	if edits == 0 {
		t.Error("no file of the corpus has an edit")
	}
}

// TestFixedGuards writes a guard of each agent in ways that keep it from ever running. After its edit, the guard
// answers a call of the agent's own shell command.
func TestFixedGuards(t *testing.T) {
	fixed := map[string]int{}
	for _, d := range adapter.Dialects() {
		own := d.Profile().ToolOfKind(schema.Shell)
		if own == nil || d.Profile().Row(d.Profile().Generic(schema.PreTool)).Match != schema.MatchTool {
			continue
		}
		ways := map[string]string{"letters": swapCase(own.Name), "slashes": "/" + own.Name + "/",
			"rule": "Bash(git push:*)"}
		for _, other := range adapter.Dialects() {
			if tool := other.Profile().ToolOfKind(schema.Shell); tool != nil {
				ways["tool of "+other.Profile().Name] = tool.Name
			}
		}
		ways["flat"] = own.Name
		for way, matcher := range ways {
			text := guardFile(d, schema.Hook{Matcher: matcher, HasMatcher: true})
			if way == "flat" { // a handler instead of its group
				text = regexp.MustCompile(`"hooks":\s*\[\s*\{([^{}]*)\}\s*\]`).ReplaceAll(text, []byte("$1"))
			}
			holdFixes(t, d.Profile().Name+" "+way, d, text)
			out, gone := Fixed(d, d.Given("x.json"), text, schema.Places{})
			if len(gone) == 0 {
				continue
			}
			fixed[strings.Fields(way)[0]]++
			cfg, _ := d.ParseConfig(out, d.Given("x.json"))
			if cfg == nil || !slices.ContainsFunc(cfg.Hooks, func(h schema.Hook) bool {
				return answers(d, &h, own.Name, "git push x")
			}) {
				t.Errorf("%s, %s: the guard is still dead:\n%s", d.Profile().Name, way, out)
			}
		}
	}
	for _, way := range []string{"letters", "slashes", "rule", "tool", "flat"} {
		if fixed[way] == 0 {
			t.Errorf("%s: nothing was fixed: %v", way, fixed)
		}
	}
}

func swapCase(s string) string {
	if lower := strings.ToLower(s); lower != s {
		return lower
	}
	return strings.ToUpper(s)
}
