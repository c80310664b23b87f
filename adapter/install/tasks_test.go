package install

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// A task is a project and the actions in it. By default, do installs twice, reads the status and uninstalls.
type task struct {
	name   string
	files  map[string]string // in the project; in the user's home folder below ../home
	yaml   string            // hookbridge.yaml
	hosts  string            // names, "": those found
	owners string
	set    func(*Job)
	do     []Action

	between func(x *Job, i int)       // edits by hand before the i-th action; nil: none
	after   func(x *Job, w io.Writer) // further output; nil: none
}

const (
	cursorFile = ".cursor/hooks.json"
	claudeFile = ".claude/settings.json"
	codexFile  = ".codex/hooks.json"
	ownFile    = "../home/.claude/settings.json"
)

// chosen is the start of a setting for a hook in hookbridge.yaml.
const chosen = "hooks:\n  - hook: .claude/settings.json\n    command: \"true\"\n"

func user(x *Job)    { x.Scope = schema.ScopeUser }
func managed(x *Job) { x.Scope = schema.ScopeManaged }

func hooksAt(event, matcher string, commands ...string) string {
	var groups []string
	for _, c := range commands {
		groups = append(groups, fmt.Sprintf(`{"matcher":%q,"hooks":[{"type":"command","command":%q}]}`, matcher, c))
	}
	return `{"hooks":{"` + event + `":[` + strings.Join(groups, ",") + `]}}`
}

var tasks = []task{
	{name: "hosts that are found", files: map[string]string{claudeFile: claudeHooks, ".cursor/x": "", ".gemini/x": ""}},
	{name: "no host is found", files: map[string]string{claudeFile: claudeHooks}},
	{name: "hosts that hookbridge.yaml names", yaml: "agents: [cursor, codex, claude]\n",
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "hosts of the home folder", files: map[string]string{claudeFile: claudeHooks, "../home/.cursor/x": ""}},
	{name: "several owners", hosts: "gemini", files: map[string]string{claudeFile: claudeHooks,
		cursorFile: cursorHooks}},
	{name: "every owner", hosts: "gemini", set: func(x *Job) { x.EveryOwner = true },
		files: map[string]string{claudeFile: claudeHooks, cursorFile: cursorHooks}},
	{name: "one owner, not the usual", hosts: "gemini", files: map[string]string{cursorFile: cursorHooks}},
	{name: "the host is the owner", hosts: "cursor", owners: "cursor",
		files: map[string]string{cursorFile: cursorHooks}},
	{name: "another version of the owner", hosts: "cursor@2.4", owners: "cursor",
		files: map[string]string{cursorFile: cursorHooks}},
	{name: "no hooks", hosts: "cursor", owners: "claude", files: map[string]string{"x": ""}},
	{name: "hooks of another kind", hosts: "cursor", owners: "claude",
		files: map[string]string{claudeFile: hooksAt("WorktreeCreate", "", "true")}},
	{name: "the user's hooks only", hosts: "cursor", owners: "claude", files: map[string]string{ownFile: claudeHooks}},
	{name: "the user's file", hosts: "cursor", owners: "claude", set: user, yaml: "install: {ask: allow}\n",
		files: map[string]string{ownFile: claudeHooks, claudeFile: claudeHooks}},
	{name: "the user's hooks beside the project's", hosts: "cursor", owners: "claude",
		files: map[string]string{ownFile: claudeHooks, claudeFile: claudeHooks}},
	{name: "no home folder", hosts: "cursor", owners: "claude", set: func(x *Job) { user(x); x.Places.Home = "" },
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "a host without a project's file", hosts: "opencode,pi,letta", owners: "claude",
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "a host of modules", hosts: "qoder-sdk", owners: "claude",
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "an administrator's file", hosts: "cursor,gemini,codex", owners: "claude", set: managed,
		files: map[string]string{"../system/etc/claude-code/managed-settings.json": claudeHooks}},
	{name: "an administrator's file, with a program", hosts: "cursor", owners: "claude",
		set:   func(x *Job) { managed(x); x.Program = "/opt/hookbridge" },
		files: map[string]string{"../system/etc/claude-code/managed-settings.json": claudeHooks}},
	{name: "an administrator's file, nothing there", hosts: "cursor,cline", owners: "claude", set: managed,
		files: map[string]string{"x": ""}},
	{name: "an administrator's hosts that are found", owners: "claude", set: managed,
		files: map[string]string{"../system/etc/claude-code/managed-settings.json": claudeHooks, ".cursor/x": ""}},
	{name: "a fixed program", hosts: "cursor", owners: "claude",
		set:   func(x *Job) { user(x); x.Fixed = "/opt/hookbridge" },
		files: map[string]string{ownFile: claudeHooks}},
	{name: "a program with a space", hosts: "cursor,gemini", owners: "claude",
		set:   func(x *Job) { x.Program = "/my programs/hookbridge" },
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "an import switched off", hosts: "cursor", yaml: "facts: {cursor: {third-party-imports: off}}\n",
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "an import switched on", hosts: "cursor", yaml: "facts: {cursor: {third-party-imports: on}}\n",
		files: map[string]string{claudeFile: claudeHooks, ownFile: claudeHooks}},
	{name: "an import that stops", hosts: "cursor,copilot", yaml: chosen +
		"    exclude: [cursor, copilot]\n", files: map[string]string{claudeFile: claudeHooks}},
	{name: "hooks that are imported", hosts: "copilot", owners: "claude",
		files: map[string]string{claudeFile: claudeHooks, ".claude/settings.local.json": claudeHooks}},
	{name: "hooks that are imported from the home folder", hosts: "copilot,cursor", owners: "claude",
		files: map[string]string{ownFile: claudeHooks}},
	{name: "local hooks", hosts: "cursor", owners: "claude", files: map[string]string{claudeFile: claudeHooks,
		".claude/settings.local.json": hooksAt("Stop", "", "true")}},
	{name: "local hooks only", hosts: "cursor", owners: "claude",
		files: map[string]string{".claude/settings.local.json": claudeHooks}},
	{name: "a repeated command", hosts: "cursor", owners: "claude", files: map[string]string{claudeFile: hooksAt(
		"PreToolUse", "Bash", "hookbridge run --hooks claude", "hookbridge run --hooks claude")}},
	{name: "a broken file of hooks", hosts: "cursor", owners: "claude",
		files: map[string]string{claudeFile: `{"hooks":`}},
	{name: "hooks switched off", hosts: "cursor", owners: "claude",
		files: map[string]string{claudeFile: strings.Replace(claudeHooks, "{", `{"disableAllHooks":true,`, 1)}},
	{name: "hooks that never run", hosts: "cursor", owners: "claude", files: map[string]string{claudeFile: hooksAt(
		"PreToolUse", "Nothing", "true")}},
	{name: "a host switched off", hosts: "claude", owners: "cursor", files: map[string]string{cursorFile: cursorHooks,
		claudeFile: `{"disableAllHooks":true}`}},
	{name: "a checkout", hosts: "opencode,cursor", owners: "claude",
		files: map[string]string{claudeFile: claudeHooks, ".git/HEAD": "x"}},
	{name: "a checkout with attributes", hosts: "opencode,cline", owners: "claude", files: map[string]string{
		claudeFile: claudeHooks, ".git/HEAD": "x", ".gitattributes": "*.js text=auto\n"}},
	{name: "a file for each event", hosts: "cline", owners: "claude", files: map[string]string{".git/HEAD": "x",
		claudeFile: strings.Replace(claudeHooks, `}]}]`, `}]}],"SessionStart":[{"hooks":[{"type":"command",`+
			`"command":"x"}]}]`, 1)}},
	{name: "a checkout above", hosts: "opencode", owners: "claude",
		files: map[string]string{claudeFile: claudeHooks, "../.git/HEAD": "x"}},
	{name: "a launcher", hosts: "cursor,gemini", owners: "claude", set: func(x *Job) { x.Launcher = "closed" },
		files: map[string]string{claudeFile: claudeHooks, ".git/HEAD": "x"}},
	{name: "an open launcher", hosts: "cursor", owners: "claude", set: func(x *Job) { x.Launcher = "open" },
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "a launcher that is edited", hosts: "cursor", owners: "claude", set: func(x *Job) { x.Launcher = "open" },
		files: map[string]string{claudeFile: claudeHooks, ".hookbridge/run": "#!/bin/sh\nmine\n"}},
	{name: "no launcher any more", hosts: "cursor", owners: "claude", yaml: "launcher: closed\n",
		set: func(x *Job) { x.Launcher = NoLauncher }, files: map[string]string{claudeFile: claudeHooks}},
	{name: "a link", hosts: "cursor", owners: "claude", set: func(x *Job) { link(x, cursorFile) },
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "a link out of the project", hosts: "cursor", owners: "claude", set: func(x *Job) { link(x, ".cursor") },
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "a file that can't be read", hosts: "cursor", owners: "claude",
		files: map[string]string{claudeFile: claudeHooks, cursorFile + "/x": ""}},
	{name: "entries of an older form", hosts: "cursor", owners: "claude",
		files: map[string]string{claudeFile: claudeHooks,
			cursorFile: `{"version":1,"hooks":{"preToolUse":[` +
				`{"command":"hookbridge run --host cursor --hooks claude -c x"},` +
				`{"command":"hookbridge run --host cursor --hooks codex --scope project"}],` +
				`"stop":[{"command":"mine"}]}}`}},
	{name: "entries with flags", hosts: "cursor", owners: "claude", files: map[string]string{claudeFile: claudeHooks,
		cursorFile: `{"version":1,"hooks":{"preToolUse":[{"command":"hookbridge run --host cursor --hooks claude ` +
			`--scope project --fail-closed --log /l --timeout 3","failClosed":true}]}}`}},
	{name: "a required version", hosts: "cursor", owners: "claude", set: func(x *Job) { x.Requires = "1.2" },
		files: map[string]string{claudeFile: claudeHooks}},
	{name: "rules that deny", hosts: "cursor", owners: "claude", files: map[string]string{
		claudeFile: `{"permissions":{"deny":["Read(.env)","Bash(rm *)"]},"hooks":{}}`}},
	{name: "excluded hooks", hosts: "cursor,gemini", owners: "claude", yaml: chosen +
		"    agents: [gemini]\n", files: map[string]string{claudeFile: claudeHooks}},
	{name: "another folder", hosts: "codex", owners: "claude",
		set:   func(x *Job) { x.Places.Project = filepath.Join(x.Places.Project, "below") },
		files: map[string]string{".git/HEAD": "x", "below/" + claudeFile: claudeHooks, codexFile: "{}"}},
	{name: "a module of callbacks", hosts: "cursor", owners: "qoder-sdk", files: map[string]string{"x": ""}},
	{name: "uninstall all", do: []Action{Uninstall, Status}, files: map[string]string{claudeFile: claudeHooks,
		cursorFile: `{"version":1,"hooks":{"stop":[{"command":"hookbridge run --host cursor --hooks claude"}]}}`}},
	{name: "uninstall one owner", hosts: "cursor", owners: "codex", do: []Action{Uninstall, Status},
		files: map[string]string{claudeFile: claudeHooks, codexFile: claudeHooks,
			cursorFile: `{"version":1,"hooks":{"stop":[{"command":"hookbridge run --host cursor --hooks claude,` +
				`codex"},` +
				`{"command":"hookbridge run --host cursor --hooks codex"}]}}`}},
}

// link makes a name in the project a symbolic link to something outside.
func link(x *Job, name string) {
	outside := filepath.Join(filepath.Dir(x.Places.Project), "outside")
	file := filepath.Join(x.Places.Project, name)
	if filepath.Ext(name) == "" {
		os.Mkdir(outside, 0o755)
	} else {
		os.WriteFile(outside, []byte("{}"), 0o644)
		os.MkdirAll(filepath.Dir(file), 0o755)
	}
	os.Symlink(outside, file)
}

// TestTasks checks the states, the changes and the final files of install, status and uninstall.
func TestTasks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the file has the paths of another system")
	}
	var all strings.Builder
	for _, k := range tasks {
		fmt.Fprintf(&all, "== %s\n%s", k.name, k.done(t))
	}
	golden.Parts(t, "testdata/tasks.txt", all.String())
}

// shortened returns the changed lines of a diff, or a checksum if they are many or repeated.
func shortened(diff string) string {
	var changed []string
	for line := range strings.Lines(diff) {
		if line[0] == '+' || line[0] == '-' {
			changed = append(changed, line)
		}
	}
	if len(changed) <= 6 {
		return strings.Join(changed, "")
	}
	sum := fnv.New64a()
	sum.Write([]byte(testFolder.ReplaceAllString(diff, "")))
	return fmt.Sprintf("%d lines change, %016x\n", len(changed), sum.Sum64())
}

var testFolder = regexp.MustCompile(`/[^ "]*/Test\w+?\d+/\d+`)

func (k *task) done(t *testing.T) string {
	t.Helper()
	x := project(t, k.files)
	root := filepath.Dir(x.Places.Project)
	x.Places.OS, x.Places.System = "linux", filepath.Join(root, "system")
	if k.yaml != "" {
		f, err := projectfile.Parse(filepath.Join(x.Places.Project, projectfile.Name), []byte(k.yaml))
		if err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		x.File = f
	}
	for _, list := range []struct {
		names string
		to    *[]adapter.Dialect
	}{{k.hosts, &x.Hosts}, {k.owners, &x.Owners}} {
		for _, name := range strings.FieldsFunc(list.names, func(r rune) bool { return r == ',' }) {
			*list.to = append(*list.to, find(t, name))
		}
	}
	if k.set != nil {
		k.set(x)
	}

	var out strings.Builder
	do := k.do
	if do == nil {
		do = []Action{Install, Install, Status, Uninstall}
	}
	for i, a := range do {
		if k.between != nil {
			k.between(x, i)
		}
		fmt.Fprintf(&out, "-- %s\n", [...]string{"install", "uninstall", "status"}[a])
		x.Action, x.Skipped = a, nil
		targets, err := x.Targets()
		var results []Result
		if err == nil {
			results, err = x.Change(targets)
		}
		for _, r := range results {
			fmt.Fprintf(&out, "%s %v %s %s %s, %d entries, pending %v, needed %v, %d notes\n", r.Host, r.Hooks,
				r.Scope, r.File, r.State, r.Entries, r.Pending(), r.Needed(), len(r.Notes))
			for _, f := range r.Found {
				fmt.Fprintf(&out, "  %s %v %s\n", f.Code, f.Severity, f.Path)
			}
			out.WriteString(shortened(r.Diff))
		}
		if err == nil {
			_, err = Write(results)
		}
		fmt.Fprintf(&out, "failed %v, %d skipped\n", err != nil, len(x.Skipped))
	}
	if k.after != nil {
		k.after(x, &out)
	}
	for _, o := range x.ProjectHooks() {
		fmt.Fprintf(&out, "hooks of %s: %d in %v\n", o.Agent, o.Count, o.Files)
	}
	candidates, err := x.Candidates(x.ProjectHooks())
	for _, c := range candidates {
		if c.Found != "" {
			fmt.Fprintf(&out, "candidate %s %s %v %v\n", c.Agent, c.Found, c.Chosen, err)
		}
	}
	filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			text, _ := os.ReadFile(file)
			name, _ := filepath.Rel(x.Places.Project, file)
			if filepath.Dir(name) != ".hookbridge" && string(text) != cmp.Or(k.files[name], "-") {
				fmt.Fprintf(&out, "left %s %d\n", file, len(text))
			}
		}
		return nil
	})
	return strings.NewReplacer(x.Places.Project, "$P", root, "$T").Replace(out.String())
}
