package plugin

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/schema"
)

const guards = `{
  "hooks": {
    "PreToolUse": [
      {"matcher": "Bash", "hooks": [{"type": "command", "command": "\"${CLAUDE_PLUGIN_ROOT}/guard.sh\""}]},
      {"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "\"${CLAUDE_PLUGIN_ROOT}/guard.sh\" file"}]}
    ],
    "SessionStart": [{"hooks": [{"type": "command", "command": "echo context"}]}]
  }
}
`

const manifest = `{"name": "guards", "version": "1.2.0"}` + "\n"

// made writes a plugin into a folder whose path has a blank.
func made(t *testing.T, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "a b")
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func usualPlugin(t *testing.T) string {
	return made(t, map[string]string{"hooks/hooks.json": guards, ".claude-plugin/plugin.json": manifest,
		"guard.sh": "#!/bin/sh\nexit 0\n"})
}

// snapshot returns every file of a folder.
func snapshot(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, err := os.ReadFile(file)
			all[file] = string(text)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func open(t *testing.T, root string) *Plugin {
	t.Helper()
	p, ok := Open(root, nil)
	if !ok {
		t.Fatal("no hooks found")
	}
	return p
}

func apply(t *testing.T, p *Plugin, changes []Change) {
	t.Helper()
	for _, c := range changes {
		file := filepath.Join(p.Root, filepath.FromSlash(c.Path))
		if c.After == nil {
			os.Remove(file)
			continue
		}
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, c.After, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// hosts returns the agents that Plan can write for.
func hosts(p *Plugin) []adapter.Dialect { return adapter.Where(p.Writable) }

func planned(t *testing.T, p *Plugin, o Options) Outcome {
	t.Helper()
	out, err := p.Plan(o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPlan: for one host and for all of them, each agent finds only the launcher's entries. A second writing changes
// nothing, and removing it restores every byte.
func TestPlan(t *testing.T) {
	sets := [][]adapter.Dialect{hosts(open(t, usualPlugin(t)))}
	for _, d := range sets[0] {
		sets = append(sets, []adapter.Dialect{d})
	}
	for _, missing := range []string{"closed", "open"} {
		for _, set := range sets {
			root := usualPlugin(t)
			before := snapshot(t, root)
			o := Options{Hosts: set, Missing: missing}
			p := open(t, root)
			apply(t, p, planned(t, p, o).Changes)
			for _, d := range set {
				taken := open(t, root).Take(d)
				if taken.Never != "" || !launched(taken.Hooks) {
					t.Errorf("%s: %s, %d hooks", d.Profile().Name, taken.Never, len(taken.Hooks))
				}
				for _, h := range taken.Hooks {
					call, _ := cmdline.Parse(h.Command, h.Args)
					event, deny := h.Event, call.Text("missing") == "closed"
					if (event == schema.PreTool && d.Profile().Row(h.Native).Blocks&schema.EffectDeny != 0 &&
						missing == "closed") != deny {
						t.Errorf("%s at %s: %s", d.Profile().Name, h.Native, h.Command)
					}
				}
			}
			again := open(t, root)
			if was, ok := again.Written(); !ok || len(was.Hosts) != len(set) || was.Missing != missing {
				t.Errorf("%d hosts: written %v", len(set), was)
			}
			if more := planned(t, again, o).Changes; len(more) > 0 {
				t.Errorf("%s: a second writing changes %s", set[0].Profile().Name, more[0].Path)
			}
			if len(again.Hooks) != 3 {
				t.Errorf("%s: the author has %d hooks", set[0].Profile().Name, len(again.Hooks))
			}
			apply(t, again, again.Bare())
			after := snapshot(t, root)
			for file := range before {
				if after[file] != before[file] {
					t.Errorf("%s: %s has become %q", set[0].Profile().Name, file, after[file])
				}
			}
			if len(after) != len(before) {
				t.Errorf("%s: %d files, then %d", set[0].Profile().Name, len(before), len(after))
			}
		}
	}
}

// TestRespects: what the author states about hooks in a manifest stays, and what can't be written is an error.
func TestRespects(t *testing.T) {
	codex := named(t, "codex")
	root := made(t, map[string]string{"hooks/hooks.json": guards, ".codex-plugin/plugin.json": `{"name":"x",` +
		`"hooks":{}}`})
	p := open(t, root)
	out := planned(t, p, Options{Hosts: codex, Missing: "closed"})
	for _, c := range out.Changes {
		if !slices.Contains([]string{".gitattributes", cmdline.LauncherFile, cmdline.LauncherFile + ".cmd"}, c.Path) {
			t.Errorf("changes %s", c.Path)
		}
	}
	if len(out.Notes) == 0 {
		t.Error("nothing is said")
	}
	root = made(t, map[string]string{"hooks/hooks.json": guards, "hooks/codex.json": "{}"})
	if _, err := open(t, root).Plan(Options{Hosts: codex}); err == nil {
		t.Error("overwrites the author's file")
	}
	root = made(t, map[string]string{"hooks/hooks.json": guards,
		".claude-plugin/plugin.json": `{"name":"x","hooks":"./more.json"}`})
	if _, err := open(t, root).Plan(Options{Hosts: named(t, "gemini")}); err == nil {
		t.Error("moves a file that can't move")
	}
	if _, err := open(t, usualPlugin(t)).Plan(Options{Hosts: named(t, "grok")}); err == nil {
		t.Error("writes for an agent that runs none")
	}
}

func named(t *testing.T, names ...string) (list []adapter.Dialect) {
	t.Helper()
	for _, name := range names {
		d, err := adapter.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, d)
	}
	return list
}

// TestLauncher starts the launcher with sh as an agent does, with hookbridge present, missing, or too old.
func TestLauncher(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("for sh")
	}
	root := usualPlugin(t)
	p := open(t, root)
	apply(t, p, planned(t, p, Options{Hosts: named(t, "codex", "gemini"), Missing: "closed",
		Fetch: "hb@1.0.0"}).Changes)
	bin := func(script string) string {
		dir := t.TempDir()
		if script != "" {
			os.WriteFile(filepath.Join(dir, "hookbridge"), []byte("#!/bin/sh\n"+script+"\n"), 0o755)
		}
		os.WriteFile(filepath.Join(dir, "npm"), []byte("#!/bin/sh\necho \"$@\" >>"+filepath.Join(dir, "fetched")+"\n"),
			0o755)
		return dir
	}
	there, none, old := bin(`cat; echo " $*"; exit 1`), bin(""), bin("exit 64")
	for _, tt := range []struct {
		name, path, args string
		env              []string
		exit             int
		out              string
	}{
		{"there", there, "run --host codex --missing closed", nil, 1, "{} run --host codex --missing closed --plugin " +
			root + "\n"},
		{"missing", none, "run --host codex --missing closed", nil, 0, `"permissionDecision":"deny"`},
		{"missing, other events", none, "run --host codex", nil, 0, ""},
		{"missing, at the start", none, "run --host codex --missing say", nil, 0, "systemMessage"},
		{"too old", old, "run --host codex --missing closed", nil, 0, `"permissionDecision":"deny"`},
		{"too old, other events", old, "run --host codex", nil, 0, ""},
		{"missing, shared", none, "run --missing closed", nil, 2, ""},
		{"missing, in the hooks' own agent", none, "run --missing closed", []string{"CLAUDE_PLUGIN_ROOT=" + root},
			0, ""},
	} {
		cmd := exec.Command("sh", "-c", cmdline.Launcher("${ROOT}")+" "+tt.args)
		cmd.Env = append([]string{"ROOT=" + root, "HOME=" + t.TempDir(), "PATH=" + tt.path + ":/usr/bin:/bin"},
			tt.env...)
		cmd.Stdin = strings.NewReader("{}")
		out, _ := cmd.Output()
		if got := cmd.ProcessState.ExitCode(); got != tt.exit || tt.out == "" && len(out) > 0 ||
			!strings.Contains(string(out), tt.out) {
			t.Errorf("%s: exit %d, %q", tt.name, got, out)
		}
		fetched, _ := os.ReadFile(filepath.Join(tt.path, "fetched"))
		if (len(fetched) > 0) != strings.HasSuffix(tt.args, "say") {
			t.Errorf("%s: fetched %q", tt.name, fetched)
		}
		os.Remove(filepath.Join(tt.path, "fetched"))
	}
}

// TestLint: each code, and no finding for a plugin without mistakes.
func TestLint(t *testing.T) {
	hook := func(event, handler string) string {
		return `{"hooks":{"` + event + `":[{"matcher":"Bash","hooks":[{"type":"command",` + handler + `}]}]}}`
	}
	const claude = ".claude-plugin/plugin.json"
	fine := hook("PreToolUse", `"command":"\"${CLAUDE_PLUGIN_ROOT}/x.sh\""`)
	for _, tt := range []struct {
		name  string
		hosts string
		files map[string]string
		want  []schema.Code
	}{
		{"none", "claude codex copilot qoder", map[string]string{"hooks/hooks.json": fine, claude: manifest}, nil},
		{"unquoted", "claude", map[string]string{"hooks/hooks.json": hook("PreToolUse",
			`"command":"${CLAUDE_PLUGIN_ROOT}/x.sh"`)},
			[]schema.Code{schema.CodePluginQuotes}},
		{"another agent's name", "claude", map[string]string{"hooks/hooks.json": hook("PreToolUse",
			`"command":"\"${PLUGIN_ROOT}/x.sh\""`)},
			[]schema.Code{schema.CodePluginFolder}},
		{"a default", "droid", map[string]string{"hooks/hooks.json": hook("PreToolUse",
			`"command":"\"${CLAUDE_PLUGIN_ROOT:-.}/x.sh\""`)},
			[]schema.Code{schema.CodePluginFolder}},
		{"both names", "droid gemini", map[string]string{"gemini-extension.json": manifest,
			"hooks/hooks.json": hook("SessionStart",
				`"command":"\"${CLAUDE_PLUGIN_ROOT}${extensionPath}/x.sh\""`)}, nil},
		{"a timeout", "gemini", map[string]string{claude: manifest, "gemini-extension.json": manifest,
			"hooks/hooks.json": hook("SessionStart",
				`"command":"echo","timeout":20`)},
			[]schema.Code{schema.CodePluginTimeout}},
		{"too long", "codex", map[string]string{"hooks/hooks.json": hook("SessionEnd",
			`"command":"echo","timeout":20`)},
			[]schema.Code{schema.CodePluginTooLong}},
		{"the usual file", "claude", map[string]string{claude: `{"hooks":"./hooks/hooks.json"}`,
			"hooks/hooks.json": fine},
			[]schema.Code{schema.CodePluginPointer}},
		{"an empty list", "codex", map[string]string{".codex-plugin/plugin.json": `{"hooks":[]}`,
			"hooks/hooks.json": fine},
			[]schema.Code{schema.CodePluginPointer}},
		{"hidden", "qwen", map[string]string{claude: `{"hooks":"./a.json"}`, "a.json": fine,
			"gemini-extension.json": manifest},
			[]schema.Code{schema.CodePluginHidden}},
		{"no script", "claude", map[string]string{"hooks/hooks.json": hook("Stop",
			`"command":"\"${CLAUDE_PLUGIN_ROOT}/gone.sh\""`)},
			[]schema.Code{schema.CodePluginScript}},
		{"versions", "claude", map[string]string{"hooks/hooks.json": fine, claude: manifest,
			".codex-plugin/plugin.json": `{"version":"2"}`},
			[]schema.Code{schema.CodePluginVersion}},
		{"arguments", "codex", map[string]string{"hooks/hooks.json": hook("PreToolUse",
			`"command":"echo","args":["x"]`)},
			[]schema.Code{schema.CodePluginArgs}},
		{"further keys", "codex", map[string]string{"hooks/hooks.json": `{"version":1,` + fine[1:]},
			[]schema.Code{schema.CodePluginRejected}},
		{"an empty matcher", "copilot", map[string]string{claude: manifest, "hooks/hooks.json": strings.Replace(fine,
			`"Bash"`, `""`, 1)},
			[]schema.Code{schema.CodePluginRejected}},
	} {
		tt.files["x.sh"] = "#!/bin/sh\n"
		p := open(t, made(t, tt.files))
		var got []schema.Code
		for _, d := range p.Lint(named(t, strings.Fields(tt.hosts)...)) {
			if !slices.Contains(got, d.Code) {
				got = append(got, d.Code)
			}
			if d.File == "" {
				t.Errorf("%s: %v has no place", tt.name, d)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v", tt.name, p.Lint(named(t, strings.Fields(tt.hosts)...)))
		}
	}
}

// TestOwner checks that a plugin's hooks belong to the agent of its manifest.
func TestOwner(t *testing.T) {
	hooks := `{"hooks":{"PreToolUse":[{"matcher":"x","hooks":[{"type":"command","command":"echo"}]}],"BeforeTool":[` +
		`{"matcher":"x","hooks":[{"type":"command","command":"echo"}]}]}}`
	for _, tt := range []struct{ manifests, want string }{
		{"", "claude"}, {".claude-plugin/plugin.json", "claude"},
		{".factory-plugin/plugin.json", "droid"}, {".codex-plugin/plugin.json", "codex"},
		{".qoder-plugin/plugin.json", "qoder"}, {".codebuddy-plugin/plugin.json", "codebuddy"},
		{"gemini-extension.json", "gemini"}, {".cursor-plugin/plugin.json", "claude"}, // Cursor has neither event
		{".factory-plugin/plugin.json .claude-plugin/plugin.json", "claude"},
		{".qoder-plugin/plugin.json .factory-plugin/plugin.json", "qoder"},
	} {
		files := map[string]string{"hooks/hooks.json": hooks}
		for _, m := range strings.Fields(tt.manifests) {
			files[m] = manifest
		}
		if got := open(t, made(t, files)).Owner.Profile().Name; got != tt.want {
			t.Errorf("%s: %s, want %s", tt.manifests, got, tt.want)
		}
	}
}

// TestCorpus reads real plugins as every agent does, writes for every possible agent, one after the other, and removes
// everything again.
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(material.Corpus(t, "plugins"), "*__*")) // "__" is "/"
	root := t.TempDir()
	var roots []string
	for _, file := range files {
		to := filepath.Join(root, filepath.FromSlash(strings.ReplaceAll(filepath.Base(file), "__", "/")))
		os.MkdirAll(filepath.Dir(to), 0o755)
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(to, text, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(to)
		for _, name := range []string{".claude-plugin", ".codex-plugin", ".cursor-plugin", ".kimi-plugin",
			".qoder-plugin", ".devin-plugin", "hooks", "scripts"} {
			dir = strings.TrimSuffix(dir, string(filepath.Separator)+name)
		}
		dir = strings.TrimSuffix(dir, filepath.FromSlash("/.github/plugin"))
		if !slices.Contains(roots, dir) {
			roots = append(roots, dir)
		}
	}
	for _, dir := range roots {
		p, ok := Open(dir, nil)
		if !ok {
			t.Errorf("%s: no hooks", dir)
			continue
		}
		before := snapshot(t, dir)
		p.Lint(adapter.Dialects())
		for _, d := range adapter.Dialects() {
			p.Take(d)
			p, _ = Open(dir, nil)
			was, _ := p.Written()
			out, err := p.Plan(Options{Hosts: []adapter.Dialect{d}, Missing: "closed"}.Else(was))
			if err == nil {
				apply(t, p, out.Changes)
			} else if p.Writable(d) && bytes.Contains([]byte(err.Error()), []byte("parse")) {
				t.Errorf("%s, %s: %v", dir, d.Profile().Name, err)
			}
		}
		p, _ = Open(dir, nil)
		apply(t, p, p.Bare())
		after := snapshot(t, dir)
		for file := range after {
			if after[file] != before[file] {
				t.Errorf("%s has become another", file)
			}
		}
		if len(after) != len(before) {
			t.Errorf("%s: %d files, then %d", dir, len(before), len(after))
		}
	}
}

// TestOwners: a plugin's hooks belong to the agent of its manifest. After entries for another agent are written, the
// owner still finds its hooks, no agent finds them in addition to its entries, and rereading gives the same plugin.
func TestOwners(t *testing.T) {
	owners := 0
	for _, d := range adapter.WithHooks() {
		native := d.Profile().Generic(schema.PreTool)
		h := &schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand, Command: "./guard.sh"}
		value, _ := d.WriteHook(schema.Entry{Native: native, Exact: true}, h)
		c := convert.Conversion{Entries: []convert.Placed{{Pointer: d.Profile().EventsAt + "/" + native, Value: value}}}
		if d.Profile().EventsAt == "" { // in a plugin the events have their own object
			c.Entries[0].Pointer = "/hooks/" + native
		}
		files := map[string]string{"hooks/hooks.json": string(c.Document(d)), d.Profile().Plugins.Own: manifest}
		if d.Profile().Plugins.Own == "" {
			continue
		}
		if p, ok := Open(made(t, files), d); !ok || p.Files[0] != usual {
			continue
		}
		owners++
		for _, host := range adapter.Dialects() {
			root := made(t, files)
			before, p := snapshot(t, root), open(t, root)
			if p.Owner.Profile().Name != d.Profile().Name {
				t.Fatalf("%s: the hooks are %s's", d.Profile().Name, p.Owner.Profile().Name)
			}
			out, err := p.Plan(Options{Hosts: []adapter.Dialect{host}, Missing: "closed"})
			if err != nil {
				continue
			}
			apply(t, p, out.Changes)
			again := open(t, root)
			if again.now.authors(d) == "" || again.now.authors(host) != "" && again.now.calls(host) {
				t.Errorf("%s for %s: %v", d.Profile().Name, host.Profile().Name, snapshot(t, root))
			}
			more := planned(t, again, Options{Hosts: []adapter.Dialect{host}, Missing: "closed"})
			if more.Changes != nil {
				t.Errorf("%s for %s: changed again: %v", d.Profile().Name, host.Profile().Name, more.Changes)
			}
			apply(t, again, again.Bare())
			if !maps.Equal(snapshot(t, root), before) {
				t.Errorf("%s for %s: not restored", d.Profile().Name, host.Profile().Name)
			}
		}
	}
	if owners < 5 {
		t.Errorf("only %d agents", owners)
	}
}
