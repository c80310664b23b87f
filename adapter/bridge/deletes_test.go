package bridge

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// shellCall returns a shell command as a host sends it before or after it runs.
func shellCall(t testing.TB, host, command, project string, e schema.Event) []byte {
	t.Helper()
	d, _ := adapter.Find(host)
	w := ordjson.NewWriter(nil)
	w.String("command", command)
	in, err := sample.Payload(d, sample.Event{Event: d.Profile().Generic(e), Input: w.Bytes(), Project: project,
		Session: "s"})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// TestDeleteViews checks that a guard on deletions gets the commands with which the model deletes files in agents
// without a deletion tool.
func TestDeleteViews(t *testing.T) {
	project := t.TempDir()
	for _, name := range []string{"a.log", "b.log", "c.txt"} {
		os.WriteFile(filepath.Join(project, name), nil, 0o644)
	}
	hooks := `{"version":1,"hooks":{"preToolUse":[{"matcher":"Delete","command":"cat >>seen; exit 2"}],` +
		`"postToolUse":[{"matcher":"^Delete$","command":"cat >>seen"}]}}`
	os.MkdirAll(filepath.Join(project, ".cursor"), 0o755)
	if err := os.WriteFile(filepath.Join(project, ".cursor", "hooks.json"), []byte(hooks), 0o644); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string][]string{
		"ls": nil, "echo rm": nil, "rm c.txt": {"c.txt"}, "cd sub && sudo rm -rf x ../y": {"sub/x", "y"},
		"git rm c.txt": {"c.txt"},
		"rm *.log":     {"a.log", "b.log"}, "rm '*.log'": {"*.log"}, "ls | xargs rm": {"."},
		"find sub -delete": {"sub"}} {
		for _, host := range []string{"claude", "qoder", "gemini"} {
			for _, event := range []schema.Event{schema.PreTool, schema.PostTool} {
				os.Remove(filepath.Join(project, "seen"))
				b := newBridge(t, host, "cursor", "")
				b.Places.Project = project
				out, rep, err := b.Run(context.Background(), shellCall(t, host, command, project, event), "")
				if err != nil {
					t.Fatal(err, rep.Diagnostics)
				}
				if denied := strings.Contains(string(out), `"deny"`); denied != (len(want) > 0 &&
					event == schema.PreTool) {
					t.Errorf("%s, %v, %s: %s", host, event, command, out)
				}
				seen, _ := os.ReadFile(filepath.Join(project, "seen"))
				var got []string
				for line := range strings.Lines(string(seen)) {
					o, _ := ordjson.Parse([]byte(line))
					raw, _ := o.Get("tool_input")
					in, _ := ordjson.Members(raw, 0)
					raw, _ = in.Get("file_path")
					path, _ := ordjson.String(raw)
					rel, _ := filepath.Rel(project, path)
					got = append(got, rel)
				}
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Errorf("%s, %v, %s: shown %q, want %q", host, event, command, got, want)
				}
			}
		}
	}
}

// TestDeleteOrCommand checks that a hook for both gets the command and the deletion. A host with its own deletion tool
// shows no command, and a rewritten deletion is denied.
func TestDeleteOrCommand(t *testing.T) {
	for _, tt := range []struct {
		host, hooks, matcher, command string
		runs                          int
		denied                        bool
	}{
		{"claude", "cursor", "", "true", 2, false},
		{"claude", "cursor", "Shell|Delete", "true", 2, false},
		{"claude", "cursor", "Shell|Delete", "if grep -q '\"Delete\"'; then exit 2; fi", 2, true},
		{"claude", "cursor", "Delete", `echo '{"updated_input":{"file_path":"/x"}}'`, 1, true},
		{"claude", "cursor", "Delete", `echo '{"permission":"allow"}'`, 1, false},
		{"claude", "codex", "apply_patch", "echo no >&2; exit 2", 1, true},
		{"cursor", "codex", "apply_patch", "exit 2", 0, false},
		{"cursor", "claude", "Write", "exit 2", 0, false},
		{"qoder", "claude", "Bash", "true", 1, false},
	} {
		b := newBridge(t, tt.host, tt.hooks, tt.command)
		b.Single.Matcher, b.Single.HasMatcher = tt.matcher, tt.matcher != ""
		b.Single.Event, b.Single.Native = schema.PreTool, b.Hooks.Profile().Generic(schema.PreTool)
		out, rep, err := b.Run(context.Background(), shellCall(t, tt.host, "rm a", b.Places.Project, schema.PreTool),
			"")
		if err != nil || len(rep.Runs) != tt.runs || strings.Contains(string(out), `"deny"`) != tt.denied {
			t.Errorf("%+v: %d runs, %s %v %v", tt, len(rep.Runs), out, err, rep.Diagnostics)
		}
	}
}

// TestDeleteRegistration checks that hookbridge is called for the commands.
func TestDeleteRegistration(t *testing.T) {
	hooks, _ := adapter.Find("cursor")
	for host, want := range map[string]string{"claude": "Bash", "qoder": "Bash", "gemini": "run_shell_command",
		"codex": "Bash"} {
		d, _ := adapter.Find(host)
		h := schema.Hook{Event: schema.PreTool, Native: "preToolUse", Handler: schema.HandlerCommand, Command: "x",
			Matcher: "Delete", HasMatcher: true}
		becomes := plan.New(hooks, d).Outcome(&h, true)
		entries := becomes.Entries()
		if len(entries) == 0 || !strings.Contains(entries[0].Matcher, want) {
			t.Errorf("%s: %+v", host, entries)
		}
		if len(becomes.Found) > 0 {
			t.Errorf("%s: %v", host, becomes.Found)
		}
	}
}
