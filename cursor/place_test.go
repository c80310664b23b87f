package cursor

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/schema"
)

func TestVersions(t *testing.T) {
	for _, row := range []struct {
		version string
		program string
		old     bool
		asks    bool
		stops   bool
	}{
		{"", "", false, true, false},
		{"next", "", false, true, false},
		{"1.0.0", sdk, false, false, true},
		{"1.0.32", sdk, false, false, true},
		{"1.7.40", editor, true, true, true},
		{"2.3.9", editor, true, true, true},
		{"2.4", editor, true, false, true},
		{"2.5.0-pre.31.patch.0", editor, false, false, false},
		{"3.2.16", editor, false, false, false},
		{"3.15.19", editor, false, true, false},
		{"2026.09.10-fd3934a", cli, false, true, false},
		{"editor", editor, false, true, false},
		{"cli", cli, false, true, false},
		{"sdk", sdk, false, false, true},
	} {
		program, _ := programOf(row.version)
		same(t, row.version, []any{program, oldWords(row.version), asks(row.version), stopsSession(row.version)},
			[]any{row.program, row.old, row.asks, row.stops})
	}
}

// at returns the dialect at a version or program.
func at(version string) Dialect {
	d, _ := Dialect{}.At(version)
	return d.(Dialect)
}

// TestPrograms checks that a program's name selects its behavior, and that payloads name its version.
func TestPrograms(t *testing.T) {
	for _, row := range []struct {
		program, native, seen, version string
		ignores                        schema.Feature
		has                            bool
	}{
		{"editor", "sessionStart", "", "3.15.19", schema.EffectContext, true},
		{"editor", "sessionStart", "3.7.21", "3.7.21", schema.EffectContext, true},
		{"editor", "beforeTabFileRead", "1.0.0", "3.15.19", 0, true},
		{"cli", "sessionStart", "", "2026.09.10-fd3934a", 0, true},
		{"cli", "beforeTabFileRead", "", "2026.09.10-fd3934a", 0, false},
		{"sdk", "sessionStart", "3.15.19", "1.0.0", schema.EffectContext | schema.EffectEnv, true},
		{"sdk", "beforeSubmitPrompt", "", "1.0.0", schema.EffectDeny | schema.EffectReason | schema.EffectUserReason |
			schema.EffectContext, true},
		{"sdk", "workspaceOpen", "", "1.0.0", 0, false},
		{"", "beforeSubmitPrompt", "", "", 0, true},
	} {
		d, r := at(row.program), rowOf(row.native)
		c, _ := d.DecodeCall([]byte(`{"hook_event_name":"`+row.native+`","cursor_version":"`+row.seen+`"}`), nil)
		got := r.Honors &^ d.Honors(c, &schema.Reply{}) &^ schema.EffectEndTurn
		same(t, row.program+" "+row.native, []any{c.Version, got, d.Profile().Has(r)},
			[]any{row.version, row.ignores, row.has})
	}
}

func TestLocate(t *testing.T) {
	for _, row := range []struct {
		p    schema.Places
		want []schema.Source
	}{
		{schema.Places{OS: "linux", Home: "/h", Project: "/p"}, []schema.Source{
			{File: "/etc/cursor/hooks.json", Scope: schema.ScopeManaged},
			{File: "/h/.cursor/managed/active-team-hooks/hooks.json", Scope: schema.ScopeTeam},
			{File: "/p/.cursor/hooks.json", Scope: schema.ScopeProject, NoLinks: "/p"},
			{File: "/h/.cursor/hooks.json", Scope: schema.ScopeUser}}},
		{schema.Places{OS: "darwin"}, []schema.Source{{File: "/Library/Application Support/Cursor/hooks.json",
			Scope: schema.ScopeManaged}}},
		{schema.Places{OS: "windows"},
			[]schema.Source{{File: `C:\ProgramData\Cursor\hooks.json`, Scope: schema.ScopeManaged}}},
	} {
		got := Dialect{}.Locate(row.p)
		for i := range got {
			got[i].File = filepath.ToSlash(got[i].File)
		}
		for i := range row.want {
			row.want[i].File = filepath.ToSlash(row.want[i].File)
		}
		same(t, row.p.OS, got, row.want)
	}
}

func TestServers(t *testing.T) {
	files := map[string]string{
		"/p/.cursor/mcp.json": `{"mcpServers":{"py":{"command":"python3","args":["/x/mcp.py"]},` +
			`"web":{"url":"http://a"},"rel":{"command":"bin/srv"}}}`,
		"/h/.cursor/mcp.json": `{"mcpServers":{"web":{"url":"http://b"}}}`,
	}
	read := func(name string) ([]byte, error) {
		text, ok := files[filepath.ToSlash(name)]
		if !ok {
			return nil, errors.New("no such file")
		}
		return []byte(text), nil
	}
	all := Dialect{}.Servers(schema.Places{Project: "/p", Home: "/h"}, read)
	same(t, "servers", all, []schema.Server{{Name: "py", Command: "python3", Args: []string{"/x/mcp.py"}},
		{Name: "web", URL: "http://a"}, {Name: "rel", Command: "bin/srv"}, {Name: "web", URL: "http://b"}})
	home := Dialect{}.Servers(schema.Places{Project: "/none", Home: "/h"}, read)
	for _, row := range []struct {
		members string
		servers []schema.Server
		server  string
		among   string
	}{
		{`"mcp_server_name":"said"`, all, "said", ""},
		{`"command":"python3 /x/mcp.py"`, all, "py", ""},
		{`"command":"/p/bin/srv"`, all, "rel", ""},
		{`"command":"dir/"`, all, "", "py web rel"},
		{`"url":"http://b"`, all, "web", ""},
		{`"mcp_server_url":"http://a"`, all, "web", ""},
		{`"url":"http://c"`, all, "", "py web rel"},
		{`"tool_input":"{}"`, all, "", "py web rel"},
		{`"tool_input":"{}"`, home, "", "web"},
		{`"url":"http://b"`, append(all, schema.Server{Name: "shadow", URL: "http://b"}), "", "web shadow"},
		{`"url":"http://c"`, home, "", "web"}, // not the known one
		{`"tool_input":"{}"`, nil, "", ""},
	} {
		c, _ := Dialect{}.DecodeCall([]byte(`{"hook_event_name":"beforeMCPExecution","tool_name":"t",`+row.members+`}`),
			nil)
		Dialect{}.NameServer(c, row.servers)
		same(t, row.members, []string{c.Tool.Server, strings.Join(c.Tool.Servers, " ")},
			[]string{row.server, row.among})
	}
}

func TestSpec(t *testing.T) {
	env := schema.Environ{"SHELL=/bin/bash", "CURSOR_CODE_REMOTE=true", "CURSOR_PROJECT_DIR=/old", "A=1"}
	c := &schema.Call{Dialect: name, Version: "3.1.0", Project: "/p"}
	c.SetStr(schema.FieldUser, "u@x")
	c.SetStr(schema.FieldTranscript, "/t")
	const vars = "SHELL=/bin/bash A=1 CURSOR_PROJECT_DIR=/p CURSOR_VERSION=3.1.0 CLAUDE_PROJECT_DIR=/p " +
		"CURSOR_USER_EMAIL=u@x CURSOR_TRANSCRIPT_PATH=/t"
	const plugin = vars + " CURSOR_PLUGIN_ROOT=/g CLAUDE_PLUGIN_ROOT=/g"
	for _, row := range []struct {
		native, os string
		at         schema.Source
		argv, dir  string
		env        string
	}{
		{"stop", "linux", schema.Source{Scope: schema.ScopeProject}, "/bin/bash -lc cmd", "/p", vars},
		{"stop", "linux", schema.Source{Scope: schema.ScopeUser}, "/bin/bash -lc cmd", "/h/.cursor", vars},
		{"stop", "linux", schema.Source{Scope: schema.ScopeManaged, File: "/etc/cursor/hooks.json"},
			"/bin/bash -lc cmd", "/etc/cursor", vars},
		{"stop", "linux", schema.Source{}, "/bin/bash -lc cmd", "/p", vars},
		{"preToolUse", "linux", schema.Source{Scope: schema.ScopePlugin, Plugin: "/g"}, "/bin/bash -lc cmd", "/g",
			plugin},
		{"stop", "linux", schema.Source{Scope: schema.ScopePlugin, Plugin: "/g"}, "/bin/bash -lc cmd", "/p", plugin},
		{"stop", "windows", schema.Source{}, "powershell -NoProfile -NonInteractive -ExecutionPolicy Bypass " +
			"-Command cmd\nif ($null -ne $LASTEXITCODE) { exit $LASTEXITCODE }", "/p", vars},
	} {
		s, err := Dialect{}.Spec(&schema.Hook{Native: row.native, Command: "cmd", Source: row.at}, c,
			schema.Places{OS: row.os, Home: "/h", Env: env})
		same(t, row.dir, []any{strings.Join(s.Argv, " "), filepath.ToSlash(s.Dir), strings.Join(s.Env, " "), err},
			[]any{row.argv, row.dir, row.env, nil})
	}
	c.Dialect = "other"
	s, _ := Dialect{}.Spec(&schema.Hook{Command: "cmd"}, c, schema.Places{OS: "linux"})
	same(t, "no shell", s.Argv[0], "/bin/sh")
	same(t, "version for another host", schema.Environ(s.Env).Get("CURSOR_VERSION"), "3.15.19")
	same(t, "timeout", Dialect{}.Profile().Timeout(&schema.Hook{}), time.Minute)
	same(t, "own timeout", Dialect{}.Profile().Timeout(&schema.Hook{Timeout: time.Second}), time.Second)
}
