package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSurveyLaw generates projects with all kinds of faults. Hooks that doctor calls working must run in the
// simulation. For hooks that don't run there, doctor, test, check --strict and, if something has to be installed,
// status must report it.
func TestSurveyLaw(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are shell commands")
	}
	n := int64(150)
	if testing.Short() {
		n = 3
	}
	for seed := range n {
		p := newProject(t, rand.New(rand.NewSource(seed)), rand.New(rand.NewSource(^seed)))
		label := fmt.Sprintf("seed %d: %s", seed, strings.Join(p.story, ", "))
		p.judge(t, label)
		p.plugin(t, label)
		p.initialized(t, label)
	}
}

// A lawProject is a generated project in which an agent is started.
type lawProject struct {
	dir, start  string
	owner, host adapter.Dialect
	file, text  string // of the owner's hooks
	missing     bool   // the project enables a plugin that isn't installed
	commands    []string
	excluded    string // command of the hook that hookbridge.yaml excludes from agents, or ""
	choice      string // its line that names the agents
	late        string // lines added to hookbridge.yaml after the entries are written
	story       []string
}

// lawMatchers are the kinds of tools that the hooks select.
var lawMatchers = []schema.Kind{schema.Shell, schema.Shell, schema.Write, schema.Read}

// lawConditions are conditions of Claude Code's hooks. Some match calls below, others no call.
var lawConditions = []string{"", "", "", "Bash(ls*)", "Bash(a*) or Bash(b*)", "Bash"}

// newProject generates a project from r, and the choices in hookbridge.yaml from choices.
func newProject(t *testing.T, r, choices *rand.Rand) *lawProject {
	dir := t.TempDir()
	p := &lawProject{dir: dir, start: filepath.Join(dir, "main")}
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "home", ".config"))
	p.write(t, "home/x", "")
	p.write(t, "mark.sh", "#!/bin/sh\necho ran >> \"$1\"\n")
	p.write(t, "main/.git/HEAD", "ref: refs/heads/main\n")
	p.write(t, "main/a.txt", "hello\n")

	hosts := adapter.Where(func(d adapter.Dialect) bool { return p.fileOf(d, p.start) != "" })
	owners := slices.DeleteFunc(slices.Clone(hosts), func(d adapter.Dialect) bool { return d.Profile().HostOnly != "" })
	claude, _ := adapter.Find(adapter.Default)
	if p.owner = claude; r.Intn(2) == 0 {
		p.owner = owners[r.Intn(len(owners))]
	}
	p.host = hosts[r.Intn(len(hosts))]
	p.say(p.owner.Profile().Name + " under " + p.host.Profile().Name)

	text := p.hooks(r)
	p.file, p.text = p.short(p.owner), text
	inSettings := p.owner.Profile().Plugins.Enabled != "" && strings.HasSuffix(p.short(p.owner), "settings.json")
	if p.missing = inSettings && r.Intn(3) == 0; p.missing {
		p.say("a plugin that isn't here")
		text = strings.Replace(text, "{", `{"`+p.owner.Profile().Plugins.Enabled+`":{"gone@market":true},`, 1)
	}
	p.write(t, "main/"+p.file, text)
	p.choose(t, choices)
	p.entries(t, r)
	p.state(t, p.late)
	p.present(t, r)
	p.place(t, r)
	return p
}

func (p *lawProject) say(what string) { p.story = append(p.story, what) }

func (p *lawProject) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// fileOf returns the hook file of an agent in a project, or "" if the agent has no JSON file that lists hooks.
func (p *lawProject) fileOf(d adapter.Dialect, project string) string {
	for _, s := range d.Locate(schema.Places{Project: project, Home: filepath.Join(p.dir, "home")}) {
		if s.Scope != schema.ScopeProject {
			continue
		}
		if s.Folder {
			return filepath.Join(s.File, "own.json")
		}
		return s.File
	}
	return ""
}

func (p *lawProject) short(d adapter.Dialect) string {
	rel, _ := filepath.Rel(filepath.Join(p.dir, "main"), p.fileOf(d, filepath.Join(p.dir, "main")))
	return filepath.ToSlash(rel)
}

// hooks returns a file with one to three guards before a tool, each of which leaves its own mark.
func (p *lawProject) hooks(r *rand.Rand) string {
	profile := p.owner.Profile()
	native := profile.Generic(schema.PreTool)
	var c convert.Conversion
	for i := range 1 + r.Intn(3) {
		h := schema.Hook{Handler: schema.HandlerCommand, Native: native, Event: schema.PreTool,
			Command: fmt.Sprintf("%s/mark.sh %s/ran%d", p.dir, p.dir, i)}
		if tool := profile.ToolOfKind(lawMatchers[r.Intn(len(lawMatchers))]); tool != nil && r.Intn(2) == 0 {
			if h.Matcher, h.HasMatcher = tool.Name, true; r.Intn(5) == 0 { // case-sensitive agents don't run this hook
				h.Matcher = strings.ToLower(tool.Name)
			}
		}
		if text := lawConditions[r.Intn(len(lawConditions))]; text != "" && p.owner.Abilities().Conditions != nil {
			h.Condition, h.HasCondition = text, true
		}
		if r.Intn(6) == 0 && profile.Line != dialect.Chains { // a failure there ends the line
			h.Command = fmt.Sprintf("%s/missing%d.sh", p.dir, i)
		}
		p.commands = append(p.commands, h.Command)
		p.say(fmt.Sprintf("hook %q if %q %s", h.Matcher, h.Condition, filepath.Base(h.Command)))
		pointer := profile.EventsAt + "/" + native
		value, _ := p.owner.WriteHook(schema.Entry{Native: native, Pointer: pointer, Matcher: h.Matcher}, &h)
		c.Entries = append(c.Entries, convert.Placed{Pointer: pointer, Value: value})
	}
	return string(c.Document(p.owner))
}

// state adds lines to hookbridge.yaml.
func (p *lawProject) state(t *testing.T, lines string) {
	if lines == "" {
		return
	}
	text, _ := os.ReadFile(filepath.Join(p.dir, "main/hookbridge.yaml"))
	p.write(t, "main/hookbridge.yaml", string(text)+lines)
}

// choose excludes a hook from the host or another agent in hookbridge.yaml, before or after the entries are written,
// and turns off the imports of agents.
func (p *lawProject) choose(t *testing.T, r *rand.Rand) {
	if off := []string{"", "", "", "off", "{grok: off, copilot: off, cursor: off}"}[r.Intn(5)]; off != "" {
		p.say("imports " + off)
		p.state(t, "imports: "+off+"\n")
	}

	host := p.host.Profile().Name
	command := p.commands[r.Intn(len(p.commands))]
	by := []string{"exclude: [" + host + "]", "agents: [" + host + "]", "exclude: [droid]", "agents: [kimi]"}[r.Intn(4)]
	named := []string{command, command, command, command + " -v"}[r.Intn(4)]
	when := r.Intn(3)
	if when == 0 || dialect.Related(p.owner, p.host) {
		return
	}
	lines := fmt.Sprintf("hooks:\n  - {hook: %s, command: %q, %s}\n", p.file, named, by)
	p.say(fmt.Sprintf("choice of %s (%d): %s", named, when, by))
	if named == command {
		p.excluded, p.choice = command, by
	}
	if when == 1 {
		p.state(t, lines)
	} else {
		p.late = lines
	}
}

// entries installs hookbridge for the host, and changes the entries as people do.
func (p *lawProject) entries(t *testing.T, r *rand.Rand) {
	t.Chdir(p.start)
	if dialect.Related(p.owner, p.host) {
		return
	}
	ways := []string{"installed", "installed", "missing", "edited", "taken out", "user", "user, trusted", "off",
		"of another checkout", "of a program that is gone"}
	way := ways[r.Intn(len(ways))]
	p.say("entries " + way)
	name, scope := p.host.Profile().Name, "project"
	if strings.HasPrefix(way, "user") {
		scope = "user"
	}
	if way == "missing" {
		return
	}
	p.command("install", "--host", name, "--hooks", p.owner.Profile().Name, "--scope", scope)
	if way == "user, trusted" {
		p.command("trust", "--allow-unresolved", ".")
	}
	file := p.installed()
	text, err := os.ReadFile(file)
	if err != nil {
		return // there was nothing to install
	}
	switch way {
	case "edited":
		text = bytes.ReplaceAll(text, []byte(`--scope project`), []byte(`--scope project --frobnicate`))
	case "of another checkout":
		p.write(t, "other/.git/HEAD", "ref: refs/heads/main\n")
		text = bytes.ReplaceAll(text, []byte("--scope project"), []byte("--scope project --project "+p.dir+"/other"))
	case "of a program that is gone":
		text = bytes.ReplaceAll(text, []byte("hookbridge run"), []byte("/gone/hookbridge run"))
	case "taken out":
		text = bytes.ReplaceAll(text, []byte("hookbridge run"), []byte("true run"))
	case "off":
		text = bytes.Replace(text, []byte("{"), []byte(`{"disableAllHooks": true,`), 1)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// installed returns the file with the project's entries in the host.
func (p *lawProject) installed() string {
	var found string
	filepath.WalkDir(p.start, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		if text, _ := os.ReadFile(path); bytes.Contains(text, []byte("hookbridge run")) {
			found = path
		}
		return nil
	})
	return found
}

// present makes the host one of the project's agents by other means than its hook file.
func (p *lawProject) present(t *testing.T, r *rand.Rand) {
	switch r.Intn(4) {
	case 0:
		p.say("stated")
		p.state(t, fmt.Sprintf("agents: [%s, %s]\n", p.owner.Profile().Name, p.host.Profile().Name))
	case 1:
		p.say("folder")
		p.write(t, "main/"+filepath.ToSlash(filepath.Dir(p.short(p.host)))+"/notes.txt", "")
	case 2:
		for _, marker := range p.host.Profile().Markers {
			p.say("marker")
			p.write(t, "main/"+marker, "read me\n")
		}
	}
	if r.Intn(4) == 0 {
		p.write(t, "main/GEMINI.md", "read me\n")
	}
	p.write(t, "main/hook-tests/a.yaml", "- name: ls\n  call: shell \"ls\"\n  expect: none\n")
}

// place starts the agent in a linked worktree or in a folder with a project of its own.
func (p *lawProject) place(t *testing.T, r *rand.Rand) {
	copied := func(to string) {
		if err := os.CopyFS(filepath.Join(p.dir, to), os.DirFS(filepath.Join(p.dir, "main"))); err != nil {
			t.Fatal(err)
		}
		os.RemoveAll(filepath.Join(p.dir, to, ".git"))
	}
	switch r.Intn(5) {
	case 0:
		p.say("linked worktree")
		copied("wt")
		p.write(t, "main/.git/worktrees/wt/commondir", "../..\n")
		p.write(t, "wt/.git", "gitdir: "+filepath.Join(p.dir, "main/.git/worktrees/wt")+"\n")
		if p.start = filepath.Join(p.dir, "wt"); r.Intn(2) == 0 {
			p.say("nothing in the primary checkout")
			for _, e := range must(os.ReadDir(filepath.Join(p.dir, "main"))) {
				if e.Name() != ".git" {
					os.RemoveAll(filepath.Join(p.dir, "main", e.Name()))
				}
			}
		}
	case 1:
		p.say("project in a folder of the repository")
		copied("repo/sub")
		p.write(t, "repo/.git/HEAD", "ref: refs/heads/main\n")
		p.start = filepath.Join(p.dir, "repo/sub")
	}
}

// excludes reports whether hookbridge.yaml excludes a hook from a host.
func (p *lawProject) excludes(host, command string) bool {
	named := strings.Contains(p.choice, "["+host+"]")
	return command == p.excluded && host != p.owner.Profile().Name && named == strings.HasPrefix(p.choice, "exclude")
}

func must[T any](x T, _ error) T { return x }

// command runs a command of hookbridge where the agent is started.
func (p *lawProject) command(name string, args ...string) (code int, out, err string) {
	var stdout, stderr bytes.Buffer
	code = cli.Named(commands(), name).Call(args, cli.IO{In: strings.NewReader(""), Out: &stdout,
		Err: io.Writer(&stderr)})
	return code, stdout.String(), stderr.String()
}

// judge compares what the commands report with what runs.
func (p *lawProject) judge(t *testing.T, label string) {
	t.Chdir(p.start)
	doctorCode, text, _ := p.command("doctor", "--json")
	_, table, doctorErr := p.command("doctor")
	var doc []struct {
		Host, File, Handler, Command, Status string
		Code                                 schema.Code
		Fails                                bool
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%s: %v in %s", label, err, text)
	}
	testCode, tested, testErr := p.command("test")
	checkCode, checked, checkErr := p.command("check", "--strict")
	_, status, statusErr := p.command("status")
	said := fmt.Sprintf("%s\ndoctor %d %s\ntest %d %s%s\ncheck %d %s%s\nstatus %s%s", label, doctorCode, table,
		testCode, tested, testErr, checkCode, checked, checkErr, status, statusErr)

	inTwoFiles := func(host, command string) bool { // in a worktree and in its primary checkout
		files := map[string]bool{}
		for _, f := range doc {
			if f.Host == host && f.Command == command {
				files[f.File] = true
			}
		}
		return len(files) > 1
	}
	fails := false
	for _, f := range doc {
		fails = fails || f.Fails
		ours := f.Handler == "command" && strings.Contains(f.Command, p.dir)
		if !ours || !strings.HasPrefix(f.File, ".") { // only the hooks of the project
			continue
		}
		ran, times := p.runs(t, f.Host, f.Command)
		works := slices.Contains([]string{"reached", "pending", "twice"}, f.Status)
		excluded := p.excludes(f.Host, f.Command)
		switch {
		case excluded && f.Status == "pending" && f.Code == schema.CodeForeignImport: // if the host imports the file
		case excluded && works:
			t.Errorf("doctor says %s of %s under %s, from which it is excluded\n%s", f.Status, f.Command, f.Host, said)
		case f.Status == "reached" && times > 1, f.Status == "twice" && times == 1:
			t.Errorf("doctor says %s of %s under %s, and a call runs it %d times\n%s", f.Status, f.Command, f.Host,
				times, said)
		case works && !ran:
			t.Errorf("doctor says %s of %s under %s, and it doesn't run\n%s", f.Status, f.Command, f.Host, said)
		case f.Status == "excluded" && (ran || !excluded):
			t.Errorf("doctor says excluded of %s under %s, where it runs: %t\n%s", f.Command, f.Host, ran, said)
		case f.Status == "never" && ran && !inTwoFiles(f.Host, f.Command):
			t.Errorf("doctor says never of %s under %s, and it runs\n%s", f.Command, f.Host, said)
		case ran || !f.Fails:
		case testCode == 0 || checkCode == 0 || doctorCode == 0:
			t.Errorf("%s doesn't run under %s, and not every command fails\n%s", f.Command, f.Host, said)
		case !slices.ContainsFunc([]string{"absent", "edited", "stale", "note: "}, func(word string) bool {
			return strings.Contains(status+statusErr, word)
		}):
			t.Errorf("status says nothing of %s under %s\n%s", f.Command, f.Host, said)
		}
	}
	for _, text := range []string{doctorErr, checkErr, statusErr} {
		if p.missing && !strings.Contains(text, "gone@market") {
			t.Errorf("the plugin isn't named in %q\n%s", text, said)
		}
	}
	if fails != (doctorCode == cli.Failed) {
		t.Errorf("doctor: exit code %d\n%s", doctorCode, said)
	}
}

// initialized checks that init predicts what doctor reports after init has written its entries, and that the prediction
// is right.
func (p *lawProject) initialized(t *testing.T, label string) {
	_, text, _ := p.command("init", "--dry-run", "--json")
	var plan struct {
		Outlook []struct{ Host, Command, Outlook string }
		Hosts   []struct {
			Agent  string
			Chosen bool
		}
	}
	if err := json.Unmarshal([]byte(text), &plan); err != nil {
		t.Fatalf("%s: %v in %s", label, err, text)
	}
	_, wrote, failed := p.command("init", "--yes")
	label = fmt.Sprintf("%s, after init\n%s%s", label, wrote, failed)
	p.judge(t, label)

	if slices.Contains(p.story, "entries of another checkout") { // install keeps the flag; init ignores it
		return
	}
	_, text, _ = p.command("doctor", "--json")
	for _, o := range plan.Outlook {
		if !strings.Contains(o.Command, p.dir) {
			continue
		}
		row := fmt.Sprintf(`"command":%q,"status":`, o.Command)
		never := func(found string) bool { return found == "never" }
		var found []string
		for _, one := range strings.Split(text, `{"host":`)[1:] {
			if _, status, ok := strings.Cut(one, row); ok && strings.HasPrefix(one, fmt.Sprintf("%q", o.Host)) {
				found = append(found, strings.Split(status, `"`)[1])
			}
		}
		switch {
		case len(found) == 0:
			t.Errorf("doctor says nothing of %s in %s\n%s", o.Command, o.Host, label)
		case never(o.Outlook) != slices.ContainsFunc(found, never):
			t.Errorf("init says %s of %s in %s, doctor %v\n%s", o.Outlook, o.Command, o.Host, found, label)
		}
	}
}

// plugin checks that plugin check has a finding for everything that plugin reports as not working in the agents a
// plugin is for.
func (p *lawProject) plugin(t *testing.T, label string) {
	rules := &p.owner.Profile().Plugins
	if len(rules.Manifests) == 0 || len(rules.Hooks) == 0 || !strings.Contains(p.text, `"hooks"`) {
		return
	}
	p.write(t, "plug/"+rules.Manifests[0], `{"name": "plug", "version": "1.0.0", "description": "x"}`)
	p.write(t, "plug/"+rules.Hooks[0], p.text)
	dir := filepath.Join(p.dir, "plug")
	code, checked, stderr := p.command("plugin", "check", dir)
	if code == cli.WrongUsage {
		t.Fatalf("%s: plugin check: %s", label, stderr)
	}
	_, text, _ := p.command("plugin", "show", "--json", dir, "--host", p.owner.Profile().Name)
	var doc []struct {
		Host, Command, Does string
		Problems            []string
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%s: plugin: %v in %s", label, err, text)
	}
	for _, h := range doc {
		if h.Does != "never" && h.Does != "weaker" {
			continue
		}
		hasCode := func(problem string) bool {
			code, _, _ := strings.Cut(problem, ":")
			return strings.Contains(checked, code)
		}
		if !slices.ContainsFunc(h.Problems, hasCode) {
			t.Errorf("%s: plugin says %s of %s in %s (%q), plugin check %d\n%s", label, h.Does, h.Command, h.Host,
				h.Problems, code, checked)
		}
	}
}

// lawCalls are the calls that a hook may select.
var lawCalls = []string{`shell "git status"`, `shell "ls"`, `write new.txt hi`, `read a.txt`, `edit a.txt hello bye`}

// runs reports whether a hook leaves its mark in the simulation of one of the calls, or of a call of a tool that its
// matcher may name. times counts the marks for a command that is one call in every agent.
func (p *lawProject) runs(t *testing.T, host, command string) (ran bool, times int) {
	_, mark, marks := strings.Cut(command, "/mark.sh ")
	var calls [][]string
	for _, call := range lawCalls {
		calls = append(calls, []string{call})
	}
	for _, k := range lawMatchers {
		if tool := p.owner.Profile().ToolOfKind(k); tool != nil {
			calls = append(calls, []string{"--event", "pre-tool", "--tool", tool.Name, "--input", `{"path":"a.txt"}`})
		}
	}
	for _, call := range calls {
		if !marks {
			return false, 0
		}
		os.Remove(mark)
		code, out, stderr := p.command("fire", append([]string{"--host", host}, call...)...)
		if code == cli.WrongUsage {
			t.Fatalf("fire: %s%s", out, stderr)
		}
		if text, err := os.ReadFile(mark); err == nil {
			if ran = true; call[0] == lawCalls[0] {
				times = bytes.Count(text, []byte("ran"))
			}
		}
	}
	return ran, times
}
