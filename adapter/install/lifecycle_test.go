package install

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/schema"
)

// TestLifecycles checks the effects of install, status and uninstall on the files of each host, which are empty, have
// the user's fields, edited entries, or a mistake. It compares the files' contents, the states and the codes.
func TestLifecycles(t *testing.T) {
	var sums golden.Digests
	for i, d := range adapter.Dialects() {
		if golden.LeftOut(i, 3) {
			continue
		}
		out := sums.Of(d.Profile().Name)
		for _, owner := range []string{"claude", "cursor"} {
			for _, scope := range []schema.Scope{schema.ScopeProject, schema.ScopeUser} {
				for _, launcher := range []string{"", "closed"} {
					if owner != d.Profile().Name && (launcher == "" || scope == schema.ScopeProject) {
						lifecycle(t, out, d, owner, scope, launcher)
					}
				}
			}
		}
	}
	sums.Compare(t, "testdata/lifecycles.txt")
}

func lifecycle(t *testing.T, w io.Writer, d adapter.Dialect, owner string, scope schema.Scope, launcher string) {
	fmt.Fprintf(w, "== hooks of %s, %v, launcher %q\n", owner, scope, launcher)
	x := project(t, map[string]string{".cursor/hooks.json": cursorHooks, ".claude/settings.json": claudeHooks,
		"hookbridge.yaml": "agents: [claude]\n"})
	x.Hosts, x.Owners, x.Scope, x.Launcher = []adapter.Dialect{d}, []adapter.Dialect{find(t, owner)}, scope, launcher
	x.Places.OS = "linux"
	root := filepath.Dir(x.Places.Project)
	target := FileOf(d, x.Places, scope)
	if target == "" {
		return
	}
	put := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	step := func(about string, actions ...Action) {
		for _, a := range actions {
			fmt.Fprintf(w, "-- %s, action %d\n", about, a)
			x.act(w, a, root)
		}
	}

	step("nothing there", Status, Uninstall, Install, Install, Status)
	if text, err := os.ReadFile(target); err == nil {
		put(strings.Replace(string(text), "--scope", "--ask allow --scope", 1))
		step("edited", Status, Install, Status)
		put(strings.Replace(string(text), "hookbridge", "/opt/hookbridge", 1))
		step("another program", Status, Install)
	}
	x.Flags.Set("timeout", "9")
	step("with a flag", Status, Install, Status)
	step("taken out", Uninstall, Uninstall, Status)
	if d.Profile().HostOnly == "" {
		put("{\n  // mine\n  \"other\": 1,\n}\n")
		step("a file of the user's", Install, Status, Uninstall)
		put("{}")
		step("an empty file", Install, Uninstall)
		put(`{"hooks":`)
		step("a mistake", Status, Install, Uninstall)
		put(`{"hooks":[]}`)
		step("another form", Status, Install, Uninstall)
	}
}

// act carries out an action and writes its results.
func (x *Job) act(w io.Writer, action Action, root string) {
	x.Action = action
	targets, err := x.Targets()
	var results []Result
	if err == nil {
		results, err = x.Change(targets)
	}
	for _, r := range results {
		fmt.Fprintf(w, "%s %v %s %s %s, %d entries, pending %v, needed %v, %d notes\n", r.Host, r.Hooks, r.Scope,
			strings.ReplaceAll(r.File, root, ""), r.State, r.Entries, r.Pending(), r.Needed(), len(r.Notes))
		fmt.Fprint(w, strings.ReplaceAll(r.Diff, root, ""))
		for _, f := range r.Found {
			fmt.Fprintf(w, "  %s %v %s\n", f.Code, f.Severity, f.Path)
		}
	}
	if err == nil {
		_, err = Write(results)
	}
	fmt.Fprintf(w, "failed %v\n", err != nil)
	filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			text, _ := os.ReadFile(file)
			fmt.Fprintf(w, "%s:\n%s\n", strings.TrimPrefix(file, root), strings.ReplaceAll(string(text), root, ""))
		}
		return nil
	})
}
