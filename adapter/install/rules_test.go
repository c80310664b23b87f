package install

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// TestApprovable: only an agent whose reviews hookbridge can read and write gets an approval.
func TestApprovable(t *testing.T) {
	for _, d := range adapter.Dialects() {
		x := project(t, nil)
		_, err := x.ApprovalOf(d)
		can := d.Abilities().Approves != nil && d.Abilities().Trust != nil
		if mistake := errors.As(err, new(*cmdline.Mistake)); mistake == can {
			t.Errorf("%s: %v", d.Profile().Name, err)
		}
		if err := (&Approval{Host: d}).Write(); !can && err == nil {
			t.Errorf("%s: a review was written", d.Profile().Name)
		}
	}
	if err := (&Approval{}).Write(); err == nil {
		t.Error("a review of no agent was written")
	}
	x := project(t, nil)
	x.Places.Home, x.Places.Env = "", nil
	if a, err := x.ApprovalOf(find(t, "codex")); err == nil {
		t.Errorf("without a home folder: %+v", a)
	}
}

// TestApproval: a review covers the entries that install wrote and no other hook. Entries that the user has switched
// off stay off.
func TestApproval(t *testing.T) {
	x := project(t, map[string]string{".claude/settings.json": claudeHooks,
		".codex/hooks.json": `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"mine"},` +
			`{"type":"command","command":"hookbridge run --host cursor --hooks claude"},` +
			`{"type":"command","command":"hookbridge doctor"}]}]}}`})
	codex := find(t, "codex")
	x.Hosts, x.Owners = []adapter.Dialect{codex}, []adapter.Dialect{find(t, "claude")}
	x.do(t, Install, -1)

	a, err := x.ApprovalOf(codex)
	if err != nil || len(a.Hooks) == 0 || len(a.Off) != 0 {
		t.Fatalf("%+v %v", a, err)
	}
	for _, h := range a.Hooks {
		call, ok := cmdline.Parse(h.Command, h.Args)
		if !ok || !call.Installed("codex", "claude") {
			t.Errorf("%s isn't hookbridge's to approve", h.Command)
		}
	}

	code := a.Code()
	for _, change := range []func(h *schema.Hook){func(h *schema.Hook) { h.Args = []string{"a"} },
		func(h *schema.Hook) { h.Command += " " }, func(h *schema.Hook) { h.Matcher = "x" },
		func(h *schema.Hook) { h.Native = "Stop" }, func(h *schema.Hook) { h.Path += "0" },
		func(h *schema.Hook) { h.Source.File += "0" }} {
		other := *a
		other.Hooks = slices.Clone(a.Hooks)
		if change(&other.Hooks[0]); other.Code() == code || len(other.Code()) != len(code) {
			t.Errorf("one code for %+v", other.Hooks[0])
		}
	}

	if err := a.Write(); err != nil {
		t.Fatal(err)
	}
	after, err := x.ApprovalOf(codex)
	if err != nil || len(after.Hooks) != 0 || len(after.Off) != 0 || !after.exists {
		t.Errorf("once approved: %+v %v", after, err)
	}

	text, err := os.ReadFile(a.File)
	if err != nil {
		t.Fatal(err)
	}
	off := strings.ReplaceAll(string(text), "trusted_hash", "enabled = false\ntrusted_hash")
	if err := os.WriteFile(a.File, []byte(off), 0o600); err != nil {
		t.Fatal(err)
	}
	if after, err = x.ApprovalOf(codex); err != nil || len(after.Hooks) != 0 || len(after.Off) == 0 {
		t.Errorf("once switched off: %+v %v", after, err)
	}
	if err := os.WriteFile(a.File, []byte("[[[["), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, err = x.ApprovalOf(codex); err == nil && a.Write() == nil {
		t.Error("a file in another form was changed")
	}
}

// converted returns a host's entries for a hook of Claude Code.
func converted(t *testing.T, to string) *convert.Conversion {
	t.Helper()
	at := schema.Source{File: "/p/x", Scope: schema.ScopeProject}
	cfg, _ := find(t, "claude").ParseConfig([]byte(claudeHooks), at)
	c := convert.Convert(find(t, "claude"), find(t, to), cfg, convert.ConvertOptions{})
	if len(c.Entries) == 0 {
		t.Fatal(to, c.Diagnostics)
	}
	return c
}

// TestMerged: entries are added to a file, each once, and an unreadable file is left unchanged.
func TestMerged(t *testing.T) {
	for _, to := range []string{"cursor", "codex", "kimi", "qwen"} {
		x := project(t, nil)
		file := FileOf(find(t, to), x.Places, schema.ScopeProject)
		if file == "" {
			file = FileOf(find(t, to), x.Places, schema.ScopeUser)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		c := converted(t, to)
		before, after, err := Merged(file, c, find(t, to))
		if err != nil || before != nil || len(after) == 0 {
			t.Fatalf("%s: %q to %q, %v", to, before, after, err)
		}
		if err := os.WriteFile(file, after, 0o600); err != nil {
			t.Fatal(err)
		}
		before, again, err := Merged(file, c, find(t, to))
		if err != nil || string(before) != string(after) || string(again) != string(after) {
			t.Errorf("%s: merged twice: %s, %v", to, again, err)
		}
		cfg, _ := find(t, to).ParseConfig(again, schema.Source{File: file, Scope: schema.ScopeProject})
		if cfg == nil || len(cfg.Hooks) != len(c.Entries) {
			t.Errorf("%s: %s", to, again)
		}
		if ds := Unread(find(t, to), c, x.Places, schema.Source{File: file, Scope: schema.ScopeProject}, nil,
			again); to != "kimi" && ds.Max() == schema.Error {
			t.Errorf("%s: %v", to, ds)
		}
		if err := os.WriteFile(file, []byte(`{"hooks":7`), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, after, err = Merged(file, c, find(t, to)); err == nil {
			t.Errorf("%s: merged into a broken file: %s", to, after)
		}
	}
	if _, _, err := Merged(t.TempDir(), converted(t, "cursor"), find(t, "cursor")); err == nil {
		t.Error("merged into a folder")
	}
}

// TestUnread: entries in a file from which the agent wouldn't read them are an error, which names the right file.
func TestUnread(t *testing.T) {
	x := project(t, nil)
	cursor, c := find(t, "cursor"), converted(t, "cursor")
	file := FileOf(cursor, x.Places, schema.ScopeProject)
	at := schema.Source{File: file, Scope: schema.ScopeProject}
	_, good, err := Merged(file, c, cursor)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, before, after string
		at                  string
		failed              bool
		fix                 string
	}{
		{"as merged", "", string(good), file, false, ""},
		{"nothing of it", "", `{"version":1,"hooks":{}}`, file, true, ""},
		{"another event", "", `{"version":1,"hooks":{"stop":[{"command":"true"}]}}`, file, true, ""},
		{"another file", "", `{"version":1}`, filepath.Join(filepath.Dir(file), "other.json"), true, file},
		{"a file that was broken", `{"hooks":`, `{"hooks":`, file, true, ""},
	} {
		at.File = tt.at
		ds := Unread(cursor, c, x.Places, at, []byte(tt.before), []byte(tt.after))
		if (ds.Max() == schema.Error) != tt.failed {
			t.Errorf("%s: %v", tt.name, ds)
		}
		if tt.fix != "" && !strings.HasSuffix(ds[0].Fix, tt.fix) {
			t.Errorf("%s: %s", tt.name, ds[0].Fix)
		}
	}
}

// TestSilenced: a hook of another file is reported if the new text stops the agent from running it.
func TestSilenced(t *testing.T) {
	text := func(command string) []byte { return []byte(strings.ReplaceAll(claudeHooks, `"true"`, `"`+command+`"`)) }
	x := project(t, map[string]string{".claude/settings.local.json": string(text("local"))})
	claude := find(t, "claude")
	file := filepath.Join(x.Places.Project, ".claude", "settings.json")
	for _, tt := range []struct {
		name, before, after string
		silent              bool
	}{
		{"one more", "", string(text("a")), false}, {"another one", string(text("a")), string(text("b")), false},
		{"gone", string(text("a")), "{}", false},
		{"all switched off", string(text("a")), `{"disableAllHooks":true}`, true},
		{"all were switched off", `{"disableAllHooks":true}`, `{"disableAllHooks":true}`, false},
	} {
		var before []byte
		if tt.before != "" {
			before = []byte(tt.before)
		}
		h := silenced(claude, x.Places, file, before, []byte(tt.after))
		if (h != nil) != tt.silent || h != nil && h.Command != "local" {
			t.Errorf("%s: %+v", tt.name, h)
		}
	}
}

// TestAlsoStopped: agents whose import hookbridge.yaml switches off by name count if the hosts are not named.
func TestAlsoStopped(t *testing.T) {
	copilot, cursor := find(t, "copilot"), find(t, "cursor")
	for _, tt := range []struct {
		name string
		set  func(*Job)
		want int
	}{
		{"found hosts", func(*Job) {}, 1}, {"named hosts", func(x *Job) { x.auto = false }, 0},
		{"every owner", func(x *Job) { x.auto, x.EveryOwner = false, true }, 1},
		{"status", func(x *Job) { x.Action = Status }, 0},
		{"a user's file", func(x *Job) { x.Scope = schema.ScopeUser }, 0},
		{"an unknown agent", func(x *Job) { x.File.ImportsOff[0].Name = "none" }, 0},
		{"no agent", func(x *Job) { x.File.ImportsOff = nil }, 0},
		{"a host that was found", func(x *Job) { x.File.ImportsOff[0].Name = "cursor" }, 0},
	} {
		x := &Job{Scope: schema.ScopeProject, auto: true,
			File: &projectfile.File{ImportsOff: []projectfile.Agent{{Name: "copilot"}}}}
		tt.set(x)
		list := x.alsoStopped([]adapter.Dialect{cursor})
		if len(list) != tt.want || tt.want > 0 && !adapter.Has(list, copilot) {
			t.Errorf("%s: %v", tt.name, adapter.NamesOf(list))
		}
	}
}

// TestVoids: a project file is made void, not a user file, one behind a link, or one for an agent without a field.
func TestVoids(t *testing.T) {
	x := project(t, map[string]string{".claude/settings.json": claudeHooks})
	file := filepath.Join(x.Places.Project, ".claude", "settings.json")
	link := filepath.Join(x.Places.Project, ".claude", "link.json")
	if err := os.Symlink(file, link); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name, host, file string
		scope            schema.Scope
		want             bool
	}{
		{"the project's", "copilot", file, schema.ScopeProject, true},
		{"a link", "copilot", link, schema.ScopeProject, false},
		{"another folder's", "copilot", filepath.Join(x.Places.Home, "x"), schema.ScopeProject, false},
		{"a user's entry", "copilot", file, schema.ScopeUser, false},
		{"an agent without the field", "cursor", file, schema.ScopeProject, false},
	} {
		x.Scope = tt.scope
		if got := (imports{x, find(t, tt.host)}).voids(tt.file); got != tt.want {
			t.Errorf("%s: %t", tt.name, got)
		}
	}
}

// TestUnvoided: only the fields that install wrote are removed from a file.
func TestUnvoided(t *testing.T) {
	from := imports{project(t, nil), find(t, "copilot")}
	m := from.host.Profile().VoidMember
	field := func(value string) string { return `"` + m.Name + `":` + value }
	for _, tt := range []struct{ text, want string }{
		{`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a",` + field(string(m.Ours())) + `}]}]}}`,
			`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}`},
		{`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a",` + field("7") + `}]}]}}`, ""},
		{`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a"}]}]}}`, ""},
	} {
		cfg, _ := find(t, "claude").ParseConfig([]byte(tt.text), schema.Source{File: "/p/x"})
		got, err := from.unvoid([]byte(tt.text), cfg.Hooks)
		if want := tt.want; err != nil || string(got) != want && !(want == "" && string(got) == tt.text) {
			t.Errorf("%s: %s, %v", tt.text, got, err)
		}
	}
}

// TestParts: the agents found share their entries, and a module has its own.
func TestParts(t *testing.T) {
	claude, cursor, sdk := find(t, "claude"), find(t, "cursor"), find(t, "qoder-sdk")
	for _, tt := range []struct {
		name, module, before string
		named                []adapter.Dialect
		want                 string
	}{
		{"one", "", "", []adapter.Dialect{claude}, "claude:claude"},
		{"two", "", "", []adapter.Dialect{cursor, claude}, "cursor,claude:claude,cursor"},
		{"a module", "x.mjs", "", []adapter.Dialect{sdk}, "qoder-sdk:qoder-sdk"},
		{"one and callbacks", "", "", []adapter.Dialect{claude, sdk}, "claude:claude qoder-sdk:qoder-sdk"},
		{"one that is there", "", `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command",` +
			`"command":"hookbridge run --host codex --hooks cursor --scope project"}]}]}}`, []adapter.Dialect{claude},
			"claude:claude,cursor"},
	} {
		x := project(t, nil)
		if tt.module != "" {
			x.Flags.Set("module", tt.module)
		}
		host := find(t, "codex")
		target := &Target{job: x, Host: host, file: hostFile{host: host, before: []byte(tt.before)}}
		var got []string
		for _, p := range target.split(tt.named) {
			got = append(got, strings.Join(adapter.NamesOf(p.named), ",")+":"+strings.Join(adapter.NamesOf(p.all), ","))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, text, tt.want)
		}
	}
}

// TestUnreviewed: the user gets a note about entries that wait for a review, and about hooks that lose theirs.
func TestUnreviewed(t *testing.T) {
	const entry = `{"type":"command","command":"hookbridge run --host codex --hooks claude --scope project"}`
	text := func(handlers string) []byte {
		return []byte(`{"hooks":{"PreToolUse":[{"hooks":[` + handlers + `]}]}}`)
	}
	const mine = `{"type":"command","command":"mine"}`
	for _, tt := range []struct {
		name, host    string
		action        Action
		before, after []byte
		notes         int
	}{
		{"an entry", "codex", Install, text(""), text(entry), 1}, {"no entry", "codex", Install, text(""), text(""), 0},
		{"it is taken out", "codex", Uninstall, text(entry), text(""), 0},
		{"a hook that wasn't reviewed before", "codex", Uninstall, text(mine), text(mine), 0},
		{"a hook that moves", "codex", Uninstall, text(""), text(mine), 2},
		{"both", "codex", Install, text(""), text(mine + "," + entry), 2},
		{"a host without reviews", "cursor", Install, nil, []byte(cursorHooks), 0},
	} {
		x := project(t, nil)
		host := find(t, tt.host)
		file := hostFile{host, FileOf(host, x.Places, x.Scope), tt.before, x.Places, x.Scope}
		if notes := file.unreviewed(tt.after, tt.action); len(notes) != tt.notes {
			t.Errorf("%s: %q", tt.name, notes)
		}
	}
}

// TestLocalHooks: the user gets a note about their own hooks in the project that the shared entries don't run, and
// about no others.
func TestLocalHooks(t *testing.T) {
	const stop = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}`
	const call = `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"hookbridge run --hooks cursor"}]}]}}`
	other := strings.Replace(claudeHooks, `"true"`, `"false"`, 1)
	for _, tt := range []struct {
		name, local string
		action      Action
		told        bool
	}{
		{"of another event", stop, Install, true}, {"of an event with an entry", other, Install, false},
		{"none", "{}", Install, false}, {"calls of hookbridge", call, Install, false},
		{"of another event, for status", stop, Status, false},
	} {
		notes := func(local string) int {
			x := project(t, map[string]string{".claude/settings.json": claudeHooks,
				".claude/settings.local.json": local})
			x.Hosts, x.Owners = []adapter.Dialect{find(t, "qwen")}, []adapter.Dialect{find(t, "claude")}
			x.Action = tt.action
			targets, err := x.Targets()
			if err != nil || len(targets) != 1 {
				t.Fatal(tt.name, targets, err)
			}
			return len(targets[0].Notes)
		}
		if more := notes(tt.local) - notes("{}"); more != map[bool]int{true: 1}[tt.told] {
			t.Errorf("%s: %d notes more", tt.name, more)
		}
	}
}

// TestSkippedCode: install reports the host's own hooks in code that the host skips, but not code that parses or that
// belongs to another agent.
func TestSkippedCode(t *testing.T) {
	const broken, whole = `export default (pi) => { pi.on(1 }`, `export default (pi) => { pi.on(1) }`
	for _, d := range adapter.Dialects() {
		if d.Abilities().Code == nil {
			continue
		}
		inProject, inHome := d.Abilities().Code.CodeFiles()
		for i, pattern := range slices.Concat(inProject, inHome) {
			for _, row := range []struct {
				host, code string
				noted      bool
			}{{d.Profile().Name, broken, true}, {d.Profile().Name, whole, false}, {"cursor", broken, false}} {
				file := strings.Replace(pattern, "*", "mine.js", 1)
				if i >= len(inProject) {
					file = "../home/" + file
				}
				x := project(t, map[string]string{".claude/settings.json": claudeHooks, file: row.code})
				x.Hosts = []adapter.Dialect{find(t, row.host)}
				noted := false
				for _, r := range x.do(t, Install, -1) {
					noted = noted || strings.Contains(strings.Join(r.Notes, "\n"), "mine.js")
				}
				if noted != row.noted {
					t.Errorf("%s in %s: noted %v", file, row.host, noted)
				}
			}
		}
	}
}
