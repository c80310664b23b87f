package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// examples are the folders under examples, with the agent of the hooks, the file that lists them, and the answer each
// agent gets.
var examples = []struct {
	name, hooks, config string
	answers             map[string]string
}{
	{"guard", "claude", ".claude/settings.json", map[string]string{
		"claude": `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
			`"permissionDecisionReason":"rm -rf is not allowed in this repository; name the files."}}`,
		"cursor": `{"permission":"deny","user_message":"rm -rf is not allowed in this repository; name the files.",` +
			`"agent_message":"rm -rf is not allowed in this repository; name the files."}`,
		"qoder": `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
			`"permissionDecisionReason":"rm -rf is not allowed in this repository; name the files."}}`,
	}},
	{"formatter", "cursor", ".cursor/hooks.json", map[string]string{"claude": `{}`, "cursor": `{}`, "qoder": `{}`}},
	{"context", "qoder", ".qoder/settings.json", map[string]string{
		"claude": `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"Error messages name ` +
			`the file. Tests are in the same folder as the code."}}`,
		"cursor": `{"additional_context":"Error messages name the file. Tests are in the same folder as the code."}`,
		"qoder": `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"Error messages name ` +
			`the file. Tests are in the same folder as the code."}}`,
	}},
	{"stop-loop", "claude", ".claude/settings.json", map[string]string{
		"claude": `{"decision":"block","reason":"TODO.md has an open task: write the test"}`,
		"cursor": `{"followup_message":"TODO.md has an open task: write the test"}`,
		"qoder":  `{"decision":"block","reason":"TODO.md has an open task: write the test"}`,
	}},
	{"prompt-policy", "cursor", ".cursor/hooks.json", map[string]string{
		"claude": `{"decision":"block","reason":"The prompt holds an access key. Take it out and send it again."}`,
		"cursor": `{"continue":false,"user_message":"The prompt holds an access key. Take it out and send it again."}`,
		"qoder":  `{"decision":"block","reason":"The prompt holds an access key. Take it out and send it again."}`,
	}},
}

// relayed are the examples under a host that gets their answer later.
var relayed = map[string]bool{"context cursor": true}

// TestExamples runs every example under every agent. Under the agent of the hooks, which needs no bridging, the hook is
// given as a command.
func TestExamples(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples are shell scripts")
	}
	t.Setenv("HOOKBRIDGE_STATE_DIR", filepath.Join(t.TempDir(), "state"))
	t.Setenv("HOME", t.TempDir())
	for _, e := range examples {
		for _, d := range adapter.Dialects() {
			if want, ok := e.answers[d.Profile().Name]; ok {
				t.Run(e.name+"/"+d.Profile().Name, func(t *testing.T) {
					runExample(t, e.name, e.hooks, e.config, d.Profile().Name, want)
				})
			}
		}
	}
}

func runExample(t *testing.T, name, hooks, config, host, want string) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("../../examples", name))); err != nil {
		t.Fatal(err)
	}
	text := read(t, filepath.Join(dir, config))
	if err := schematest.ValidFor(hooks+"-config", text); err != nil {
		t.Errorf("%s: %v", config, err)
	}
	payload := read(t, filepath.Join(dir, host+"-payload.json"))
	if err := schematest.ValidFor(host+"-payload", payload); err != nil {
		t.Errorf("%s: %v", host, err)
	}
	args := []string{"run", "--host", host, "--hooks", hooks, "--project", dir}
	if host == hooks {
		own, _ := adapter.Find(hooks)
		cfg, _ := own.ParseConfig(text, schema.Source{})
		args = append(args, "--event", cfg.Hooks[0].Native, "-c", cfg.Hooks[0].Command)
	}
	var out, errs bytes.Buffer
	in := bytes.NewReader(bytes.ReplaceAll(payload, []byte("/home/you/project"), []byte(dir)))
	if code := dispatch(args, cli.IO{In: in, Out: &out, Err: &errs}); code != cli.OK ||
		strings.Contains(errs.String(), "HB") &&
			!relayed[name+" "+host] {
		t.Fatalf("exit status %d: %s", code, &errs)
	}
	if got := strings.TrimSpace(out.String()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if err := schematest.ValidFor(host+"-answer", out.Bytes()); err != nil {
		t.Errorf("the answer: %v", err)
	}
	if name == "formatter" {
		if got := string(read(t, filepath.Join(dir, "notes.txt"))); got != "one\ntwo\nthree\n" {
			t.Errorf("formatted: %q", got)
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestExamplesConvert checks that every example converts to a valid file of each other agent, with every hook in it.
func TestExamplesConvert(t *testing.T) {
	for _, e := range examples {
		for host := range e.answers {
			if host == e.hooks {
				continue
			}
			var out, errs bytes.Buffer
			file := filepath.Join("../../examples", e.name, e.config)
			code := dispatch([]string{"convert", "--from", e.hooks, "--to", host, "--report", "json", file},
				cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs})
			if code != cli.OK || !strings.Contains(errs.String(), `"hooks_in":1,`) ||
				strings.Contains(errs.String(), `"hooks_out":0`) {
				t.Errorf("%s for %s: exit status %d: %s", e.name, host, code, &errs)
			}
			if err := schematest.ValidFor(host+"-config", out.Bytes()); err != nil {
				t.Errorf("%s for %s: %v", e.name, host, err)
			}
		}
	}
}

// TestExampleVectors checks the vectors of every example, with which one command shows the example under all three
// agents, and runs that command.
func TestExampleVectors(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples are shell scripts")
	}
	t.Setenv("HOME", t.TempDir())
	for _, e := range examples {
		folder := filepath.Join("../../examples", e.name)
		want := []byte("[\n")
		for i, host := range []string{"claude", "cursor", "qoder"} {
			if i > 0 {
				want = append(want, ",\n"...)
			}
			w := ordjson.NewWriter(want)
			w.String("id", "run/"+e.hooks+"-to-"+host+"/"+e.name)
			w.String("why", "what examples/"+e.name+" does, it does under "+host)
			w.String("source", "the hook itself")
			w.String("confirmed", "none")
			w.String("from", e.hooks)
			w.String("to", host)
			w.Raw("input", bytes.TrimSpace(read(t, filepath.Join(folder, host+"-payload.json"))))
			w.Raw("output", []byte(e.answers[host]))
			findings := "[]"
			if relayed[e.name+" "+host] {
				findings = `[{"code":"HB206","severity":"note","path":""}]`
			}
			w.Raw("diagnostics", []byte(findings))
			want = w.Bytes()
		}
		want = append(want, "\n]\n"...)
		file := filepath.Join(folder, "vectors", "all.json")
		if have, _ := os.ReadFile(file); !bytes.Equal(have, want) {
			if !*update {
				t.Errorf("%s is out of date: go test ./cmd/hookbridge -run TestExampleVectors -update", file)
			}
			os.MkdirAll(filepath.Dir(file), 0o755)
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var out, errs bytes.Buffer
		code := dispatch([]string{"conformance", "--vectors", filepath.Dir(file), "--project", folder},
			cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs})
		if code != cli.OK || !strings.Contains(out.String(), "3 vectors, 3 passed") {
			t.Errorf("%s: exit status %d: %s%s", e.name, code, &out, &errs)
		}
	}
}

// TestGallery runs the scenarios of every example under every agent with hook files. Scenarios that a host can't send
// are skipped, but under the example's own agent all must run.
func TestGallery(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 150 hooks")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the examples are shell scripts")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	var hosts []string
	for _, d := range adapter.Dialects() {
		if d.Profile().Modules == nil {
			hosts = append(hosts, d.Profile().Name)
		}
	}
	folders, err := filepath.Glob("../../examples/*/hook-tests")
	if err != nil || len(folders) < 10 {
		t.Fatalf("%d examples: %v", len(folders), err)
	}
	files, err := filepath.Glob("../../examples/*/hook-tests/*.yaml")
	if err != nil || len(files) < len(folders) {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		json, err := frontmatter.Document(read(t, file))
		if err == nil {
			err = schematest.ValidFor("scenarios", json)
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	readme := string(read(t, "../../examples/README.md"))
	for _, tests := range folders {
		name := filepath.Base(filepath.Dir(tests))
		if !strings.Contains(readme, "["+name+"]("+name+")") {
			t.Errorf("examples/README.md lacks %s", name)
		}
		dir := t.TempDir() // a hook may change its project
		if err := os.CopyFS(dir, os.DirFS(filepath.Dir(tests))); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		args := []string{"test", "--assume-installed", "--project", dir, "--host", strings.Join(hosts, ",")}
		if code := dispatch(args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}); code != cli.OK {
			t.Errorf("%s: exit status %d\n%s%s", name, code, &out, &errs)
		}
	}
}
