package bridge

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// laidOut writes files into a folder.
func laidOut(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRootOf: the innermost root counts, and a folder whose name merely begins like a root isn't inside it.
func TestRootOf(t *testing.T) {
	roots := []string{"/w", "/w/a", "/w/a/b", "/x"}
	for path, want := range map[string]string{"": "", "/w": "/w", "/w/f": "/w", "/w/ab": "/w", "/w/a": "/w/a",
		"/w/a/f": "/w/a", "/w/a/b/c": "/w/a/b", "/x/f": "/x", "/xy": "", "/": ""} {
		for range 2 { // whichever comes first
			if got := rootOf(roots, path); got != want {
				t.Errorf("%q lies in %q, want %q", path, got, want)
			}
			slices.Reverse(roots)
		}
	}
}

// TestRoots: in a workspace with several roots, the project is the root whose entry runs. Other roots count if no other
// entry runs their hooks.
func TestRoots(t *testing.T) {
	entry := map[string]string{"b/.cursor/hooks.json": `{"version":1,"hooks":{"preToolUse":[{"command":` +
		`"hookbridge run --host cursor --hooks claude --scope project"}]}}`}
	for _, tt := range []struct {
		name, pwd, path string // names below the workspace
		roots           []string
		files           map[string]string
		trust           bool
		project, others string
	}{
		{"one root", "a", "", []string{"a"}, nil, false, "a", ""},
		{"no entry of a root", "", "", []string{"a", "b"}, nil, false, "a", "b"},
		{"three roots, of which one is named twice", "", "", []string{"a", "b", "b", "c"}, nil, false, "a", "b c"},
		{"another root runs its own", "", "", []string{"a", "b", "c"}, entry, false, "a", "c"},
		{"a root that only pretends to", "", "", []string{"a", "b", "c"}, entry, true, "a", "b c"},
		{"the entry of the second", "b", "", []string{"a", "b"}, nil, false, "b", ""},
		{"the entry of the second, for a file of the first", "b", "a/f", []string{"a", "b"}, nil, false, "b", "a"},
		{"the entry of the second, for its own file", "b", "b/f", []string{"a", "b"}, nil, false, "b", ""},
	} {
		b := newBridge(t, "cursor", "claude", "")
		dir := b.Places.Project
		b.Places.Project, b.Places.Home, b.RequireTrust = "", t.TempDir(), tt.trust
		laidOut(t, dir, tt.files)
		r, c := staged(t, b, strings.Replace(cursorShell, `"tool_name":"Shell","tool_input":{"command":"ls"}`,
			`"tool_name":"Write","tool_input":{"file_path":"x"}`, 1))
		c = c.Clone()
		c.Roots = nil
		for _, root := range tt.roots {
			c.Roots = append(c.Roots, filepath.Join(dir, root))
		}
		c.Project, c.Cwd = c.Roots[0], c.Roots[0]
		c.Tool.Input = c.Tool.Input.Set(schema.RolePath, "", ordjson.AppendString(nil, filepath.Join(dir, tt.path)))
		if tt.pwd != "" {
			r.places.Env = schema.Environ{"PWD=" + filepath.Join(dir, tt.pwd)}
		}

		now, call := resolveRoots(r, c)
		var others []string
		for _, root := range now.from.roots {
			others = append(others, filepath.Base(root))
		}
		if filepath.Base(call.Project) != tt.project || strings.Join(others, " ") != tt.others {
			t.Errorf("%s: the project is %s with %q, want %s with %s", tt.name, call.Project, others, tt.project,
				tt.others)
		}
		if now != r && now.places.Project != call.Project || call.Cwd != call.Project {
			t.Errorf("%s: looks in %q, works in %q", tt.name, now.places.Project, call.Cwd)
		}
	}
}

// TestRootOfHook: a hook belongs to another root if its file is inside that root.
func TestRootOfHook(t *testing.T) {
	c := &schema.Call{Project: "/w/a"}
	for _, tt := range []struct {
		roots []string
		file  string
		scope schema.Scope
		want  string
	}{
		{nil, "/w/b/x", schema.ScopeProject, ""}, {[]string{"/w/b"}, "/w/b/x", schema.ScopeProject, "/w/b"},
		{[]string{"/w/b"}, "/w/a/x", schema.ScopeProject, ""}, {[]string{"/w/b"}, "/w/b/x", schema.ScopeUser, ""},
		{[]string{"/w/a/b"}, "/w/a/b/x", schema.ScopeProject, "/w/a/b"},
	} {
		r := &run{}
		r.from.roots = tt.roots
		h := &schema.Hook{Source: schema.Source{File: tt.file, Scope: tt.scope}}
		if got := rootOfHook(r, c, h); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestLacksFiles: a project's entry fails if no hook file is left, unless hooks from elsewhere have decided.
func TestLacksFiles(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(*decision)
		want bool
	}{
		{"nothing else", func(*decision) {}, true},
		{"there are files", func(d *decision) { d.run.from.files = true }, false},
		{"it has failed already", func(d *decision) { d.ok = false }, false},
		{"no file was looked for", func(d *decision) { d.searchedFiles = false }, false},
		{"a hook asks", func(d *decision) { d.reply.Verdict = schema.Ask }, false},
		{"a hook denies", func(d *decision) { d.reply.Verdict = schema.Deny }, false},
		{"a hook allows", func(d *decision) { d.reply.Verdict = schema.Allow }, true},
		{"one hook", func(d *decision) { d.run.opts.Single = &schema.Hook{} }, false},
		{"a text", func(d *decision) { d.run.opts.Inline = []byte("{}") }, false},
		{"the host's own", func(d *decision) { d.run.opts.Own = &discover.Result{} }, false},
		{"named files", func(d *decision) { d.run.opts.Given = []string{"x"} }, false},
		{"a plugin", func(d *decision) { d.run.opts.Plugin = "x" }, false},
		{"a user's entry", func(d *decision) { d.run.opts.Scope = schema.ScopeUser }, false},
		{"no scope", func(d *decision) { d.run.opts.Scope = schema.ScopeGiven }, false},
	} {
		b := newBridge(t, "cursor", "claude", "")
		b.Scope = schema.ScopeProject
		r, _ := staged(t, b, cursorShell)
		d := decision{run: r, ok: true, searchedFiles: true}
		tt.set(&d)
		was := d.ok
		if got := d.lacksFiles(); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
		if d.checkFiles(); d.ok != (was && !tt.want) || len(r.log.ds) > 0 != tt.want {
			t.Errorf("%s: ok %t with %v", tt.name, d.ok, r.log.ds)
		}
	}
}

// TestProjectGone: a missing project is a failure if its files are searched for.
func TestProjectGone(t *testing.T) {
	for _, tt := range []struct {
		name, project string
		set           func(*Bridge)
		gone          bool
	}{
		{"none is named", "", nil, true}, {"it doesn't exist", "/nowhere/at/all", nil, true},
		{"it is there", "/", nil, false},
		{"another is named", "", func(b *Bridge) { b.Places.Project = "/" }, false},
		{"one hook", "", func(b *Bridge) { b.Single = &schema.Hook{} }, false},
		{"a text", "", func(b *Bridge) { b.Inline = []byte("{}") }, false},
		{"named files", "", func(b *Bridge) { b.Given = []string{"x"} }, false},
	} {
		b := &Bridge{}
		if tt.set != nil {
			tt.set(b)
		}
		if why := projectGone(&run{opts: b}, &schema.Call{Project: tt.project}); (why != "") != tt.gone {
			t.Errorf("%s: %q", tt.name, why)
		}
	}
}

// TestWorktreeOwner: only a folder in the host's own place for worktrees is a worktree.
func TestWorktreeOwner(t *testing.T) {
	b := newBridge(t, "qoder", "cursor", "")
	project := b.Places.Project
	b.Places.Project = ""
	r, c := staged(t, b, claudeShell)
	folder := r.hostRules.Worktrees
	for _, tt := range []struct{ dir, want string }{
		{filepath.Join(project, folder, "x"), project}, {filepath.Join(project, folder, "x", "y"), ""},
		{filepath.Join(project, folder), ""}, {filepath.Join(project, folder) + "/", ""}, {project, ""},
		{filepath.Join(project, "none", folder, "x"), ""},
	} {
		c := c.Clone()
		c.Project = tt.dir
		if got := ownerOfWorktree(r, c); got != tt.want {
			t.Errorf("%s is of %q, want %q", tt.dir, got, tt.want)
		}
		named := *r
		opts := *b
		opts.Places.Project = project
		named.opts = &opts
		if got := ownerOfWorktree(&named, c); got != "" {
			t.Errorf("%s is of %q where --project names one", tt.dir, got)
		}
	}
}

// TestSkippedHooks: each hook that load leaves out has its reason in the trace.
func TestSkippedHooks(t *testing.T) {
	const settings = `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"},` +
		`{"type":"command","command":"hookbridge run --hooks cursor"},` +
		`{"type":"command","command":"hookbridge doctor"}]}]}}`
	for _, tt := range []struct {
		name    string
		set     func(*Bridge)
		hooks   int
		skipped []SkipReason
	}{
		{"a call of hookbridge", func(*Bridge) {}, 2, []SkipReason{SkipBridge}},
		{"a project that isn't trusted", func(b *Bridge) { b.RequireTrust = true }, 0,
			[]SkipReason{SkipUntrusted, SkipUntrusted, SkipUntrusted}},
	} {
		b := newBridge(t, "cursor", "claude", "")
		b.Places.Home, b.Trace = t.TempDir(), true
		laidOut(t, b.Places.Project, map[string]string{".claude/settings.json": settings})
		tt.set(b)
		r, c := staged(t, b, cursorShell)
		got, ok := load(r, c)
		var why []SkipReason
		for _, s := range r.log.trace.Skipped {
			why = append(why, s.Why)
		}
		if !ok || len(got.hooks) != tt.hooks || !slices.Equal(why, tt.skipped) {
			t.Errorf("%s: ok %t with %d hooks, without %v", tt.name, ok, len(got.hooks), why)
		}
	}
}

// TestNothingToTrust: an untrusted project without hooks isn't reported, and the user's hooks run. A project with hooks
// is reported, and so is one whose settings disable the user's.
func TestNothingToTrust(t *testing.T) {
	const hook = `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}`
	for _, tt := range []struct {
		name, project string
		ok            bool // although failures of hookbridge deny
		hooks         int
	}{
		{"no file", "", true, 1}, {"no hooks", `{"env":{"A":"1"}}`, true, 1}, {"a hook", hook, false, 0},
		{"it switches the user's off", `{"disableAllHooks":true}`, true, 1}, {"a broken file", `{"hooks":`, false, 0},
	} {
		b := newBridge(t, "cursor", "claude", "")
		b.RequireTrust, b.FailClosed, b.Places.Home = true, true, t.TempDir()
		laidOut(t, b.Places.Home, map[string]string{".claude/settings.json": hook})
		if tt.project != "" {
			laidOut(t, b.Places.Project, map[string]string{".claude/settings.json": tt.project})
		}
		r, c := staged(t, b, cursorShell)
		got, ok := load(r, c)
		reported := got.run.from.untrusted
		if ok != tt.ok || len(got.hooks) != tt.hooks || !tt.ok && !reported ||
			reported && (tt.project == "" || strings.Contains(tt.project, "env")) {
			t.Errorf("%s: ok %t with %d hooks, %v", tt.name, ok, len(got.hooks), r.log.ds)
		}
	}
}

// TestHooksOfRoots: the hooks of each root of a workspace are loaded; a root with a broken file is a failure if
// failures deny.
func TestHooksOfRoots(t *testing.T) {
	hook := func(command string) string {
		return `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"` + command + `"}]}]}}`
	}
	for _, tt := range []struct {
		name, second string
		closed, ok   bool
		hooks        string
	}{
		{"two roots", hook("b"), true, true, "a user b"}, {"a broken one", `{"hooks":`, false, true, "a user"},
		{"a broken one that denies", `{"hooks":`, true, false, ""},
	} {
		b := newBridge(t, "cursor", "claude", "")
		dir := b.Places.Project
		b.Places.Project, b.Places.Home, b.FailClosed = "", filepath.Join(dir, "home"), tt.closed
		laidOut(t, dir, map[string]string{"a/.claude/settings.json": hook("a"), "b/.claude/settings.json": tt.second,
			"home/.claude/settings.json": hook("user")})
		r, c := staged(t, b, cursorShell)
		c = c.Clone()
		c.Roots = []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}
		c.Project, c.Cwd = c.Roots[0], c.Roots[0]
		got, ok := load(r, c)
		var names []string
		for _, h := range got.hooks {
			names = append(names, h.Command)
		}
		slices.Sort(names)
		want := strings.Fields(tt.hooks)
		if slices.Sort(want); ok != tt.ok || ok && !slices.Equal(names, want) {
			t.Errorf("%s: ok %t with %q, %v", tt.name, ok, names, r.log.ds)
		}
	}
}

// TestRefusals: the answer if hookbridge fails, with and without a report of the reason.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		closed, own, proceed bool
		verdict              schema.Verdict // of earlier hooks
		reported, answers    bool
	}{
		{"a failure", false, false, false, schema.NoOpinion, true, false},
		{"its own failure", false, true, false, schema.NoOpinion, true, true},
		{"its own failure, to proceed", false, true, true, schema.NoOpinion, true, false},
		{"a failure that denies", true, false, false, schema.NoOpinion, true, true},
		{"a failure that denies, without a report", true, false, false, schema.NoOpinion, false, true},
		{"a denial before it", false, false, false, schema.Deny, true, true},
		{"a consent before it", false, false, false, schema.Allow, true, false},
	} {
		b := newBridge(t, "cursor", "claude", "")
		b.FailClosed, b.Proceed = tt.closed, tt.proceed
		r, c := staged(t, b, cursorShell)
		d := decision{run: r, did: done{call: c}, native: c.Native, own: tt.own,
			reply: schema.Reply{Verdict: tt.verdict}}
		rep := &Report{}
		if tt.reported {
			rep.Diagnostics.Add(schema.CodeBridge, "", "why")
		}
		out, rep, err := d.refuse(rep)
		denied := tt.answers && rep.Reply.Verdict == schema.Deny
		if (err == nil) != tt.answers || (len(out) > 0) != tt.answers || denied != tt.answers {
			t.Errorf("%s: %s %+v %v", tt.name, out, rep.Reply, err)
		}
	}
}

// TestGivenText: a text instead of files is read as if at its source, and a broken one is a failure.
func TestGivenText(t *testing.T) {
	for _, tt := range []struct {
		text          string
		closed, trust bool
		ok            bool
		hooks         int
	}{
		{`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}`, false, false, true, 1},
		{`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}`, false, true, true, 1},
		{`{"hooks":`, false, false, false, 0}, {`{"hooks":`, true, false, false, 0},
		{`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"},{"type":"command"}]}]}}`, true, false,
			true, 1},
	} {
		b := newBridge(t, "cursor", "claude", "")
		b.Inline, b.InlineAt = []byte(tt.text), schema.Source{File: "/p/x", Scope: schema.ScopeProject}
		b.FailClosed, b.RequireTrust = tt.closed, tt.trust
		r, c := staged(t, b, cursorShell)
		got, ok := load(r, c)
		if ok != tt.ok || len(got.hooks) != tt.hooks || tt.hooks > 0 && got.hooks[0].Source.File != "/p/x" {
			t.Errorf("%+v: ok %t, %+v %v", tt, ok, got.hooks, r.log.ds)
		}
	}
}

// TestUnite: an empty list differs from no list.
func TestUnite(t *testing.T) {
	for _, tt := range []struct{ all, more, want []string }{
		{nil, nil, nil}, {nil, []string{}, []string{}}, {[]string{}, nil, []string{}},
		{[]string{"a"}, []string{"b"}, []string{"a", "b"}}, {nil, []string{"b"}, []string{"b"}},
	} {
		if got := unite(tt.all, tt.more); !slices.Equal(got, tt.want) || (got == nil) != (tt.want == nil) {
			t.Errorf("%#v and %#v: %#v", tt.all, tt.more, got)
		}
	}
}

// TestHookMarks: a mark changes with everything that a hook does, and not with its place in the file.
func TestHookMarks(t *testing.T) {
	r, c := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
	base := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand, Command: "true",
		Path: "/hooks/0", Source: schema.Source{File: "/p/x", Scope: schema.ScopeProject}}
	was := hookMarks(r, c, []schema.Hook{base})
	for _, tt := range []struct {
		name   string
		change func(*schema.Hook)
		same   bool
	}{
		{"its place", func(h *schema.Hook) { h.Path = "/hooks/1" }, true},
		{"its event", func(h *schema.Hook) { h.Native = "PostToolUse" }, false},
		{"its matcher", func(h *schema.Hook) { h.Matcher = "Bash" }, false},
		{"its condition", func(h *schema.Hook) { h.Condition = "Bash(ls)" }, false},
		{"its command", func(h *schema.Hook) { h.Command = "false" }, false},
		{"its time limit", func(h *schema.Hook) { h.Timeout = 1 }, false},
		{"what its failure means", func(h *schema.Hook) { h.Fail = schema.FailClosed }, false},
		{"whether it is waited for", func(h *schema.Hook) { h.Async = true }, false},
		{"whether it wakes", func(h *schema.Hook) { h.Rewake = true }, false},
	} {
		h := base
		tt.change(&h)
		if got := hookMarks(r, c, []schema.Hook{h}); slices.Equal(got, was) != tt.same || len(got) != 1 {
			t.Errorf("%s: %v, was %v", tt.name, got, was)
		}
	}
	r.from.roots = []string{"/q"}
	other := base
	other.Source.File = "/q/x"
	if got := hookMarks(r, c, []schema.Hook{base, other}); !slices.Equal(got, was) {
		t.Errorf("with a hook of another root: %v, was %v", got, was)
	}
}

// TestPinned: the results of changed hooks, at the start of a session and later.
func TestPinned(t *testing.T) {
	one := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand, Command: "true"}
	two := one
	two.Command = "false"
	start := `{"conversation_id":"c","session_id":"c","hook_event_name":"sessionStart","cursor_version":"3.15.19",` +
		`"workspace_roots":[]}`
	for _, tt := range []struct {
		name, payload string
		pins, memory  bool
		before, now   []schema.Hook
		denies        bool
		severity      schema.Severity // 0: nothing is reported
	}{
		{"no memory", cursorShell, false, false, nil, []schema.Hook{one}, false, 0},
		{"no memory for pins", cursorShell, true, false, nil, []schema.Hook{one}, true, 0},
		{"nothing to compare", cursorShell, false, true, nil, []schema.Hook{one}, false, 0},
		{"pins without a start", cursorShell, true, true, nil, []schema.Hook{one}, false, schema.Weaker},
		{"pins at the start", start, true, true, nil, []schema.Hook{one}, false, 0},
		{"the same", cursorShell, true, true, []schema.Hook{one}, []schema.Hook{one}, false, 0},
		{"one more", cursorShell, false, true, []schema.Hook{one}, []schema.Hook{one, two}, false, schema.Note},
		{"one more than pinned", cursorShell, true, true, []schema.Hook{one}, []schema.Hook{one, two}, true,
			schema.Note},
		{"one is gone", cursorShell, false, true, []schema.Hook{one, two}, []schema.Hook{one}, false, schema.Weaker},
		{"a pinned one is gone", cursorShell, true, true, []schema.Hook{one, two}, []schema.Hook{one}, true,
			schema.Weaker},
	} {
		b := newBridge(t, "cursor", "claude", "")
		b.PinHooks = tt.pins
		if !tt.memory {
			b.StateDir = ""
		}
		r, c := staged(t, b, tt.payload)
		open := func() {
			r.mem = openSession(r, c)
			r.mem.Read()
		}
		open()
		if tt.before != nil {
			entry(r, c).CompareHooks(hookMarks(r, c, tt.before), tt.pins)
			if !r.mem.Commit() {
				t.Fatal(r.log.ds)
			}
			open()
		}
		why := checkPinned(r, c, tt.now)
		severity := schema.Severity(0)
		if len(r.log.ds) > 0 {
			severity = r.log.ds[0].Severity
		}
		if (why != "") != tt.denies || severity != tt.severity || len(r.log.ds) > 1 {
			t.Errorf("%s: %q, reports %v", tt.name, why, r.log.ds)
		}
		for _, set := range []func(*Bridge){func(b *Bridge) { b.Single = &schema.Hook{} },
			func(b *Bridge) { b.Inline = []byte("{}") }} { // no files that could change
			given := *b
			set(&given)
			r.opts = &given
			if why := checkPinned(r, c, tt.now); why != "" {
				t.Errorf("%s, given: %q", tt.name, why)
			}
		}
	}
}

// TestStartsSession: the start after a compaction isn't the start of a session.
func TestStartsSession(t *testing.T) {
	for _, tt := range []struct {
		event  schema.Event
		source string
		want   bool
	}{{schema.SessionStart, "startup", true}, {schema.SessionStart, "", true}, {schema.SessionStart, "compact", false},
		{schema.PreTool, "startup", false}} {
		c := &schema.Call{Event: tt.event}
		c.SetStr(schema.FieldSource, tt.source)
		if got := startsSession(c); got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}

// TestRunsTheSame: whether an entry runs the hooks that this call does.
func TestRunsTheSame(t *testing.T) {
	for _, tt := range []struct {
		name, command string
		set           func(*Bridge)
		want          bool
	}{
		{"hooks that are found", "hookbridge run --hooks claude", nil, true},
		{"those of another agent", "hookbridge run --hooks codex", nil, false},
		{"one hook, where they are found", "hookbridge run --hooks claude -c true", nil, false},
		{"the same text", "hookbridge run --hooks claude --inline '{}'", func(b *Bridge) { b.Inline = []byte("{}") },
			true},
		{"another text", "hookbridge run --hooks claude --inline '{}'", func(b *Bridge) { b.Inline = []byte("[]") },
			false},
		{"the same command", "hookbridge run --hooks claude -c true", func(b *Bridge) {
			b.Single = &schema.Hook{Command: "true"}
		}, true},
		{"another command", "hookbridge run --hooks claude -c true", func(b *Bridge) {
			b.Single = &schema.Hook{Command: "false"}
		}, false},
		{"the command for another agent", "hookbridge run --hooks codex -c true", func(b *Bridge) {
			b.Single = &schema.Hook{Command: "true"}
		}, false},
		{"the same program", "hookbridge run --hooks claude -- prog a b", func(b *Bridge) {
			b.Single = &schema.Hook{Command: "prog", Args: []string{"a", "b"}}
		}, true},
		{"another argument", "hookbridge run --hooks claude -- prog a c", func(b *Bridge) {
			b.Single = &schema.Hook{Command: "prog", Args: []string{"a", "b"}}
		}, false},
		{"another program", "hookbridge run --hooks claude -- other a b", func(b *Bridge) {
			b.Single = &schema.Hook{Command: "prog", Args: []string{"a", "b"}}
		}, false},
		{"a command for a program", "hookbridge run --hooks claude -c prog", func(b *Bridge) {
			b.Single = &schema.Hook{Command: "prog", Args: []string{}}
		}, false},
	} {
		b := newBridge(t, "cursor", "claude", "")
		r, _ := staged(t, b, cursorShell)
		if tt.set != nil {
			tt.set(b)
		}
		call, ok := cmdline.Parse(tt.command, nil)
		if !ok {
			t.Fatal(tt.command)
		}
		if got := runsTheSame(r, &call); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// TestReaches: an entry counts for the calls that its matcher accepts.
func TestReaches(t *testing.T) {
	r, c := staged(t, newBridge(t, "claude", "cursor", ""), claudeShell)
	for _, tt := range []struct {
		native, matcher string
		want            bool
	}{{"PreToolUse", "", true}, {"PreToolUse", "Bash", true}, {"PreToolUse", "Write", false},
		{"PostToolUse", "Bash", false}} {
		h := &schema.Hook{Native: tt.native, Matcher: tt.matcher, HasMatcher: tt.matcher != ""}
		if got := reaches(r, c, h); got != tt.want {
			t.Errorf("%+v: %t", tt, got)
		}
	}
}

// TestLaunchedPlugin: the hooks of a plugin run once if the plugin is also installed in the host under its name.
func TestLaunchedPlugin(t *testing.T) {
	for _, tt := range []struct {
		name, plugin string
		set          func(*Bridge)
	}{
		{"no plugin", "", nil}, {"a plugin without a manifest", "plugin", nil},
		{"a plugin that isn't installed in the host", "named", nil},
		{"this entry is the plugin's", "plugin", func(b *Bridge) { b.Plugin = "x" }},
		{"one hook", "plugin", func(b *Bridge) { b.Single = &schema.Hook{} }},
	} {
		b := newBridge(t, "cursor", "claude", "")
		if tt.set != nil {
			tt.set(b)
		}
		laidOut(t, b.Places.Project, map[string]string{"named/.claude-plugin/plugin.json": `{"name":"x"}`,
			".cursor/hooks.json": `{"version":1,"hooks":{"preToolUse":[{"command":` +
				`"hookbridge run --host cursor --hooks claude"}]}}`})
		r, c := staged(t, b, cursorShell)
		h := &schema.Hook{}
		if tt.plugin != "" {
			h.Source.Plugin = filepath.Join(b.Places.Project, tt.plugin)
		}
		if launches(r, c, h) {
			t.Errorf("%s: the host launches it", tt.name)
		}
	}
}

// TestDeniedEvent: if a host has no event for denied calls, the hooks that don't run then are reported.
func TestDeniedEvent(t *testing.T) {
	const failed = "postToolUseFailure"
	for _, tt := range []struct {
		name, host, hooks, payload, native, matcher string
		verdict                                     schema.Verdict
		want                                        int
	}{
		{"a denial", "claude", "cursor", claudeShell, failed, "", schema.Deny, 1},
		{"a denial that it matches", "claude", "cursor", claudeShell, failed, "Shell", schema.Deny, 1},
		{"a denial of another tool", "claude", "cursor", claudeShell, failed, "Write", schema.Deny, 0},
		{"a question", "claude", "cursor", claudeShell, failed, "", schema.Ask, 0},
		{"a hook of another event", "claude", "cursor", claudeShell, "preToolUse", "", schema.Deny, 0},
		{"a host that has such an event", "cursor", "cursor", cursorShell, failed, "", schema.Deny, 0},
		{"hooks whose agent has none", "claude", "codex", claudeShell, "PostToolUse", "", schema.Deny, 0},
	} {
		r, c := staged(t, newBridge(t, tt.host, tt.hooks, ""), tt.payload)
		unchanged(t, r, c)
		h := schema.Hook{Native: tt.native, Matcher: tt.matcher, HasMatcher: tt.matcher != "",
			Handler: schema.HandlerCommand, Command: "true"}
		noteRefused(r, c, []schema.Hook{h}, &schema.Reply{Verdict: tt.verdict})
		if got := codesOf(r.log.ds); len(got) != tt.want || tt.want > 0 && got[0] != schema.CodeNoEvent {
			t.Errorf("%s: %v", tt.name, r.log.ds)
		}
	}
}
