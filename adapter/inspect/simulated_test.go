package inspect_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// edits lists changes that people make to entries from install.
var edits = []struct {
	name string
	edit func(h *schema.Hook, command string) // changes an entry with this command
}{
	{"as installed", func(*schema.Hook, string) {}},
	{"as installed", func(*schema.Hook, string) {}},
	{"narrow matcher", func(h *schema.Hook, _ string) { h.Matcher, h.HasMatcher = "^Nothing$", true }},
	{"tiny timeout", func(h *schema.Hook, _ string) { h.Timeout = time.Millisecond }},
	{"unknown flag", func(h *schema.Hook, c string) { h.Command = c + " --frobnicate" }},
	{"another program", func(h *schema.Hook, c string) {
		h.Command = strings.Replace(c, cmdline.Program, "/nowhere/"+cmdline.Program, 1)
	}},
	{noProject, func(h *schema.Hook, c string) { h.Command = c + " --project /nowhere" }},
	{"taken out", func(h *schema.Hook, _ string) { h.Command = "true" }},
	{inBackground, func(h *schema.Hook, _ string) { h.Async = true }},
	{"of the user's hooks", func(h *schema.Hook, c string) { h.Command = c + " --scope user" }},
	{"of the project's hooks", func(h *schema.Hook, c string) { h.Command = c + " --scope project" }},
	{anotherHome, func(h *schema.Hook, c string) { h.Command = c + " --home /nowhere" }},
	{"another host", func(h *schema.Hook, c string) { h.Command = c + " --host marten" }},
	{"a newer hookbridge", func(h *schema.Hook, c string) { h.Command = c + " --requires 999.0" }},
	{"once trusted", func(h *schema.Hook, c string) { h.Command = c + " --require-trust" }},
	{"another file", func(h *schema.Hook, c string) { h.Command = c + " --config /nowhere/hooks.json" }},
	{"an unknown mark", func(h *schema.Hook, c string) { h.Command = c + " --" + cmdline.ExcludeFlag + " 0000" }},
}

const (
	noProject    = "a project that isn't there"
	inBackground = "in the background"
	anotherHome  = "another home" // the project's hooks don't need it
)

// TestDoctorAgreesWithSimulation checks doctor in generated projects. A hook that is reached, weaker or pending runs in
// the simulated host for a call that its matcher selects; a hook that never runs doesn't.
func TestDoctorAgreesWithSimulation(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	each := int64(5)
	if testing.Short() {
		each = 1
	}
	for i, from := range adapter.WithHooks() {
		for j, to := range adapter.Dialects() {
			seed := int64(i)<<16 + int64(j)<<8 // one per pair, so a new agent doesn't change other pairs
			if dialect.Related(from, to) || dialect.Related(to, from) || to.Profile().Modules != nil ||
				testing.Short() && (i+j)%7 != 0 {
				continue
			}
			for range each {
				seed++
				agree(t, rand.New(rand.NewSource(seed)), fmt.Sprintf("seed %d: %s under %s", seed, from.Profile().Name,
					to.Profile().Name), from, to)
			}
		}
	}
}

// othersPath returns the machine's PATH without folders that contain hookbridge.
func othersPath() string {
	dirs := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, cmdline.Program))
		return err == nil
	})
	return strings.Join(dirs, string(os.PathListSeparator))
}

func agree(t *testing.T, r *rand.Rand, label string, from, to adapter.Dialect) {
	dir := t.TempDir()
	program := filepath.Join(dir, "bin", cmdline.Program)
	places := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		Env: schema.Environ{"PATH=" + filepath.Dir(program) + string(os.PathListSeparator) + othersPath(),
			"HOME=" + filepath.Join(dir, "home"), "SHELL=/bin/sh"}}
	if r.Intn(8) > 0 {
		write(t, program, "#!/bin/sh\nexit 9\n")
	} else {
		label += ", no program"
	}
	write(t, filepath.Join(places.Project, "example.txt"), "hello\n")
	hooks := randomHooks(r, from)
	at, entriesAt := anyFile(r, from, places), anyFile(r, to, places)
	own := writeHooks(t, from, at, hooks)
	in := convert.Installation{Host: to, Hooks: []dialect.Dialect{from}}
	if entriesAt.Scope != schema.ScopeLocal && r.Intn(2) == 0 {
		in.Scope = entriesAt.Scope
	}
	entries, _ := in.Entries(own)
	edit := edits[r.Intn(len(edits))]
	if r.Intn(3) == 0 && edit.name != noProject { // a converted entry doesn't need a project
		label += ", converted"
		c := convert.Convert(from, to, &schema.Config{Hooks: own}, convert.ConvertOptions{Wrap: convert.WrapAlways})
		entries = c.Entries
	}
	label += fmt.Sprintf(", hooks of %v, entries of %v for %v, %s", at.Scope, entriesAt.Scope, in.Scope, edit.name)
	installed := placeEntries(t, to, entriesAt, entries, edit.edit)
	if len(own) == 0 || !installed {
		return
	}
	if second := otherScope(to, places, entriesAt.Scope); second.File != "" && r.Intn(3) == 0 {
		label += ", beside entries of " + second.Scope.String()
		in.Scope = second.Scope
		more, _ := in.Entries(own)
		placeEntries(t, to, second, more, edits[0].edit)
	}
	host := &simulate.Host{Dialect: to, Places: places, Imports: simulate.ImportsOff,
		Program: simulate.Program{File: program},
		Machine: bridge.Machine{OS: "linux", Env: places.Env, Dir: places.Project, Home: places.Home, TempDir: dir,
			Now: time.Now}}
	for _, f := range inspect.Examine(to, places, inspect.Examined{Hooks: from.Profile().Name,
		Imports: simulate.ImportsOff, Trusted: trust.RecordsIn(places.Env, places.Home)}) {
		if f.Hook == nil {
			continue
		}
		times, out := runs(t, host, f.Hook)
		ran := times > 0
		// the simulation assumes that missing reviews are given, and that no entry leaves a hook to another one before
		// its review
		told := f.Status() >= inspect.Twice || to.Abilities().Trust != nil || edit.name == anotherHome
		if times > 1 && !told {
			t.Errorf("%s: doctor says %s %v of %s %q, which runs %d times for one event\n%s", label, f.Status(),
				f.Problems, f.Hook.Native, f.Hook.Matcher, times, out)
		}
		if row := from.Profile().Row(f.Hook.Native); !ran && f.Status() == inspect.Weaker && row != nil &&
			len(row.Also) > 0 {
			continue // it still runs for a failed call, which isn't simulated here
		}
		// not all calls for such a matcher are simulated
		fewCalls := strings.Contains(label, "converted") && strings.Contains(f.Hook.Matcher, ".*")
		// for an unknown name next to a dead one, doctor reports the worse status
		stricter := f.Status() == inspect.Never && strings.Contains(f.Hook.Matcher, "Nope")
		detached := !ran && edit.name == inBackground && f.Status() != inspect.Never // it runs, but isn't shown
		if fewCalls || stricter || detached {
			continue
		}
		if never := f.Status() == inspect.Never; ran == never {
			t.Errorf("%s: doctor says %s %v of %s %q, the simulation says ran=%v\n%s", label, f.Status(), f.Problems,
				f.Hook.Native, f.Hook.Matcher, ran, out)
		}
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// odd lists matchers that match a tool NAME in some grammars only.
var odd = []string{"NAME|Nope", "^NAME$", ".*NAME.*", "/NAME/", "NAME*", "(NAME|Nope)", "NAME, Nope", "^Nope$",
	"mcp__.*", "MCP:.*", "NAME(git *)", "^(?!NAME).*", ".*Shell|NAME.*", "!NAME"}

// randomHooks returns hooks of a dialect at its usual events; some of their programs don't exist.
func randomHooks(r *rand.Rand, d dialect.Dialect) (hooks []schema.Hook) {
	for i := range 1 + r.Intn(4) {
		events := []schema.Event{schema.PreTool, schema.PreTool, schema.PostTool, schema.PromptSubmit,
			schema.SessionStart, schema.Stop}
		e := events[r.Intn(len(events))]
		row := d.Profile().Row(d.Profile().Generic(e))
		if row == nil {
			continue
		}
		h := schema.Hook{Handler: schema.HandlerCommand, Command: fmt.Sprintf("true %d", i), Native: row.Native,
			Event: e}
		if r.Intn(6) == 0 && d.Profile().Line != dialect.Chains { // a failure there ends the line
			h.Command = fmt.Sprintf("/nowhere/guard %d", i)
		}
		if kinds := []schema.Kind{schema.Shell, schema.Write, schema.Read}; e.IsTool() && r.Intn(3) > 0 {
			if tool := d.Profile().ToolOfKind(kinds[r.Intn(len(kinds))]); tool != nil {
				h.Matcher, h.HasMatcher = tool.Name, true
				if r.Intn(2) == 0 {
					h.Matcher = strings.ReplaceAll(odd[r.Intn(len(odd))], "NAME", tool.Name)
				}
			}
		}
		hooks = append(hooks, h)
	}
	return hooks
}

// anyFile returns the first file that a dialect reads in one scope: the project's, the user's, or the user's in the
// project.
func anyFile(r *rand.Rand, d dialect.Dialect, p schema.Places) schema.Source {
	scopes := []schema.Scope{schema.ScopeProject, schema.ScopeProject, schema.ScopeUser, schema.ScopeLocal}
	for _, i := range r.Perm(len(scopes)) {
		s := lists.Find(d.Locate(p), func(s *schema.Source) bool { return s.Scope == scopes[i] })
		if s == nil {
			continue
		}
		if s.Folder {
			s.File, s.Folder = filepath.Join(s.File, "hooks.json"), false
		}
		return *s
	}
	return schema.Source{}
}

// otherScope returns the first file of the user or of the project that a dialect reads in another scope.
func otherScope(d dialect.Dialect, p schema.Places, not schema.Scope) schema.Source {
	for _, s := range d.Locate(p) {
		if s.Scope != not && !s.Folder && (s.Scope == schema.ScopeUser || s.Scope == schema.ScopeProject) {
			return s
		}
	}
	return schema.Source{}
}

func writeHooks(t *testing.T, d dialect.Dialect, at schema.Source, hooks []schema.Hook) []schema.Hook {
	var c convert.Conversion
	for i := range hooks {
		pointer := d.Profile().EventsAt + "/" + hooks[i].Native
		value, _ := d.WriteHook(schema.Entry{Native: hooks[i].Native, Pointer: pointer, Matcher: hooks[i].Matcher},
			&hooks[i])
		c.Entries = append(c.Entries, convert.Placed{Pointer: pointer, Value: value})
	}
	text := c.Document(d)
	write(t, at.File, string(text))
	cfg, _ := d.ParseConfig(text, at)
	return cfg.Hooks
}

// placeEntries writes the entries of an installation after editing the first.
func placeEntries(t *testing.T, d dialect.Dialect, at schema.Source, entries []convert.Placed,
	edit func(*schema.Hook, string)) bool {
	if len(entries) == 0 {
		return false
	}
	text := (&convert.Conversion{Entries: entries}).Document(d)
	cfg, _ := d.ParseConfig(text, at)
	var c convert.Conversion
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		if i == 0 {
			edit(h, h.Command)
		}
		pointer := d.Profile().EventsAt + "/" + h.Native
		value, _ := d.WriteHook(schema.Entry{Native: h.Native, Pointer: pointer, Matcher: h.Matcher}, h)
		c.Entries = append(c.Entries, convert.Placed{Pointer: pointer, Value: value})
	}
	write(t, at.File, string(c.Document(d)))
	return true
}

// runs returns how often a hook runs at most at one event, for the calls that its matcher selects.
func runs(t *testing.T, host *simulate.Host, h *schema.Hook) (times int, shown string) {
	t.Helper()
	actions := []simulate.Action{{Event: h.Event}}
	// an agent may have one event for both
	if h.Event == schema.Stop && host.Dialect.Profile().Generic(schema.StopFailure) != "" {
		actions = append(actions, simulate.Action{Event: schema.StopFailure})
	}
	if h.Event.IsTool() {
		actions = nil
		for _, k := range []schema.Kind{schema.Shell, schema.Write, schema.Edit, schema.Read} {
			var input []byte
			if k == schema.Read { // Codex reads with a command
				input = []byte(`{"path":"example.txt"}`)
			}
			actions = append(actions, simulate.Action{Event: schema.PreTool, Tool: k.String(), Input: input})
			// for a call that isn't denied
			for _, part := range []schema.Event{schema.PostTool, schema.PostToolFailure} {
				if h.Event == schema.PostTool && host.Dialect.Profile().Generic(part) != "" {
					actions = append(actions, simulate.Action{Event: schema.PreTool, Part: part, Tool: k.String(),
						Input: input})
				}
			}
		}
		tool := "search" // a server's tool may also have the name
		if h.Matcher != "" && strings.Trim(h.Matcher, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == "" {
			tool = h.Matcher
		}
		if host.Dialect.Profile().MCP.Loose { // hooks can't identify the server there, and the hook is for its own
			tool = "search"
		}
		actions = append(actions, simulate.Action{Event: schema.PreTool, Tool: tool, Server: "s", Input: []byte("{}")},
			simulate.Action{Event: schema.PreTool, Tool: "Nope", Input: []byte("{}")})
		if h.Event == schema.PostTool && host.Dialect.Profile().Generic(schema.PostToolFailure) != "" {
			actions = append(actions, simulate.Action{Event: schema.PreTool, Part: schema.PostToolFailure, Tool: tool,
				Server: "s", Input: []byte("{}")})
		}
	}
	return plays(t, host, h, actions)
}

// plays returns how often a hook runs at most at one event of the actions.
func plays(t *testing.T, host *simulate.Host, h *schema.Hook, actions []simulate.Action) (most int, shown string) {
	t.Helper()
	for _, a := range actions {
		out, err := simulate.Simulate(context.Background(), host, a)
		if err != nil {
			t.Fatal(err)
		}
		shown += a.Tool + " " + out.Decision + ": "
		for i := range out.Steps {
			s := &out.Steps[i]
			times := 0
			shown += fmt.Sprint(s.Event, " ", len(s.Runs), " ")
			for _, run := range s.Runs {
				for _, one := range run.Hooks() {
					works := one.Ran && one.Result.Err == nil && !one.Result.TimedOut && one.Result.Exit != 127
					if works && !run.Result.TimedOut && run.Result.Err == nil &&
						one.Hook.Command == h.Command { // a converted hook has another place
						times++
					}
				}
			}
			most = max(most, times)
		}
		for _, x := range out.Diagnostics() {
			shown += "\n  " + x.String()
		}
		shown += "\n"
	}
	return most, shown
}

// TestEntryMatchers compares an entry's matcher, installed or converted, with the calls that the hook's matcher
// selects.
func TestEntryMatchers(t *testing.T) {
	for _, tt := range []struct {
		to, hook, entry string
		want            inspect.HookStatus
	}{
		{"claude", "Shell", "Bash", inspect.Reached}, {"claude", "Shell", "Write", inspect.Never},
		{"claude", "Task", "Agent", inspect.Reached}, {"claude", "^Task$", "Bash", inspect.Never},
		{"claude@2.0.45", "Task", "Task", inspect.Reached}, {"claude@2.0.45", "Task", "Agent", inspect.Never},
		{"qoder", "Shell|Write", "Bash", inspect.Weaker},
	} {
		for _, converted := range []bool{false, true} {
			dir := t.TempDir()
			from, _ := adapter.Find("cursor")
			to, _ := adapter.Find(tt.to)
			places := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"),
				Project: filepath.Join(dir, "project"), Env: schema.Environ{"PATH=" + dir + ":" + othersPath()}}
			write(t, filepath.Join(dir, cmdline.Program), "#!/bin/sh\n")
			own := writeHooks(t, from, schema.Source{File: filepath.Join(places.Project, ".cursor/hooks.json"),
				Scope: schema.ScopeProject}, []schema.Hook{{Handler: schema.HandlerCommand, Command: "true",
				Native: "preToolUse", Matcher: tt.hook, HasMatcher: true}})
			in := convert.Installation{Host: to, Hooks: []dialect.Dialect{from}}
			entries, _ := in.Entries(own)
			if converted {
				entries = convert.Convert(from, to, &schema.Config{Hooks: own},
					convert.ConvertOptions{Wrap: convert.WrapAlways}).Entries
			}
			at := lists.Find(to.Locate(places), func(s *schema.Source) bool { return s.Scope == schema.ScopeProject })
			placeEntries(t, to, *at, entries, func(h *schema.Hook, _ string) {
				h.Matcher, h.HasMatcher = tt.entry, true
			})
			for _, f := range inspect.Examine(to, places, inspect.Examined{Hooks: "cursor",
				Imports: simulate.ImportsOff}) {
				want := tt.want
				if converted && want == inspect.Weaker { // its own matcher also narrows it
					continue
				}
				if f.Hook != nil && f.Status() != want {
					t.Errorf("%+v, converted %v: %s %v", tt, converted, f.Status(), f.Problems)
				}
			}
		}
	}
}

// TestAsInstalled checks that no entry from install gets a finding about the calls that it leaves to another entry.
func TestAsInstalled(t *testing.T) {
	from, _ := adapter.Find("claude")
	for _, to := range adapter.Dialects() {
		if dialect.Related(from, to) || to.Profile().Modules != nil {
			continue
		}
		dir := t.TempDir()
		places := schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
			Env: schema.Environ{"PATH=" + dir + ":" + othersPath()}}
		write(t, filepath.Join(dir, cmdline.Program), "#!/bin/sh\n")
		var hooks []schema.Hook
		for i, matcher := range []string{"Bash|mcp__x__y", "mcp__x__.*", "mcp__(a|b)__.*", "Write|mcp__x__y",
			"New|Bash"} {
			for _, native := range []string{"PreToolUse", "PostToolUse"} {
				hooks = append(hooks, schema.Hook{Handler: schema.HandlerCommand, Command: fmt.Sprintf("true %d", i),
					Native: native, Matcher: matcher, HasMatcher: true})
			}
		}
		at := lists.Find(to.Locate(places), func(s *schema.Source) bool { return s.Scope == schema.ScopeProject })
		if at == nil {
			continue
		}
		entriesAt := *at
		if at.Folder {
			entriesAt.File, entriesAt.Folder = filepath.Join(at.File, "hooks.json"), false
		}
		own := writeHooks(t, from, schema.Source{File: filepath.Join(places.Project, ".claude/settings.json"),
			Scope: schema.ScopeProject}, hooks)
		in := convert.Installation{Host: to, Hooks: []dialect.Dialect{from}}
		entries, _ := in.Entries(own)
		if !placeEntries(t, to, entriesAt, entries, func(*schema.Hook, string) {}) {
			continue
		}
		if beside := to.Abilities().Companion; beside != nil {
			name, text := beside.Companion()
			write(t, filepath.Join(filepath.Dir(entriesAt.File), filepath.FromSlash(name)), string(text))
		}
		for _, f := range inspect.Examine(to, places, inspect.Examined{Hooks: "claude",
			Imports: simulate.ImportsOff}) {
			for _, p := range f.Problems {
				if p.Code == schema.CodeNotCalled {
					t.Errorf("%s, %s(%s): %+v", to.Profile().Name, f.Event, f.Hook.Matcher, p)
				}
			}
		}
	}
}

// withProgram returns empty places with a hookbridge in PATH.
func withProgram(t *testing.T) schema.Places {
	dir := t.TempDir()
	write(t, filepath.Join(dir, cmdline.Program), "#!/bin/sh\n")
	return schema.Places{OS: "linux", Home: filepath.Join(dir, "home"), Project: filepath.Join(dir, "project"),
		Env: schema.Environ{"PATH=" + dir + ":" + othersPath()}}
}

// TestEntryOfOthers checks that an entry which runs only other hooks doesn't count as one that runs this hook.
func TestEntryOfOthers(t *testing.T) {
	from, _ := adapter.Find("claude")
	to, _ := adapter.Find("cursor")
	places := withProgram(t)
	guard := schema.Hook{Handler: schema.HandlerCommand, Command: "true user", Native: "PreToolUse"}
	after := schema.Hook{Handler: schema.HandlerCommand, Command: "true project", Native: "PostToolUse"}
	writeHooks(t, from, schema.Source{File: filepath.Join(places.Home, ".claude/settings.json"),
		Scope: schema.ScopeUser}, []schema.Hook{guard})
	writeHooks(t, from, schema.Source{File: filepath.Join(places.Project, ".claude/settings.json"),
		Scope: schema.ScopeProject}, []schema.Hook{after})
	for flags, never := range map[string]bool{"": false, " --home /nowhere": true} {
		entry := schema.Hook{Handler: schema.HandlerCommand,
			Command: "hookbridge run --host cursor --hooks claude" + flags, Native: "preToolUse"}
		writeHooks(t, to, schema.Source{File: filepath.Join(places.Project, ".cursor/hooks.json"),
			Scope: schema.ScopeProject}, []schema.Hook{entry})
		found := false
		for _, f := range inspect.Examine(to, places, inspect.Examined{Hooks: "claude", UserToo: true,
			Imports: simulate.ImportsOff}) {
			if f.Hook == nil || f.Hook.Command != guard.Command {
				continue
			}
			found = true
			if got := f.Status() == inspect.Never; got != never {
				t.Errorf("%q: %s %v", flags, f.Status(), f.Problems)
			}
		}
		if !found {
			t.Errorf("%q: the user's hook isn't examined", flags)
		}
	}
}

// TestEntryBeside: if a project's entry can't run a hook but the user's does, there is a note about the project's
// entry.
func TestEntryBeside(t *testing.T) {
	from, _ := adapter.Find("cursor")
	to, _ := adapter.Find("claude")
	places := withProgram(t)
	writeHooks(t, from, schema.Source{File: filepath.Join(places.Project, ".cursor/hooks.json"),
		Scope: schema.ScopeProject}, []schema.Hook{{Handler: schema.HandlerCommand, Command: "true",
		Native: "preToolUse"}})
	for _, scope := range []schema.Scope{schema.ScopeUser, schema.ScopeProject} {
		folder := map[schema.Scope]string{schema.ScopeUser: places.Home, schema.ScopeProject: places.Project}[scope]
		entry := schema.Hook{Handler: schema.HandlerCommand, Async: scope == schema.ScopeProject,
			Command: "hookbridge run --host claude --hooks cursor --scope " + scope.String()}
		writeHooks(t, to, schema.Source{File: filepath.Join(folder, ".claude/settings.json"), Scope: scope},
			lists.Map([]string{"PreToolUse", "PreSkillShellCommand"}, func(native string) schema.Hook {
				entry.Native = native
				return entry
			}))
	}
	noted := false
	for _, f := range inspect.Examine(to, places, inspect.Examined{Hooks: "cursor", Imports: simulate.ImportsOff}) {
		if f.Hook == nil {
			continue
		}
		noted = slices.ContainsFunc(f.Problems, func(p inspect.Problem) bool {
			return p.Status == inspect.Reached && p.Code == schema.CodeNotCalled && p.Severity == schema.Note
		})
		if f.Status() != inspect.Reached {
			t.Errorf("%s %v", f.Status(), f.Problems)
		}
	}
	if !noted {
		t.Error("nothing says that the project's entry doesn't run it")
	}
}
