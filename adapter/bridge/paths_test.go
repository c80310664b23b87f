package bridge

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

func TestWholePaths(t *testing.T) {
	both := func(s string) [2]string { return [2]string{s, s} }
	for in, want := range map[string][2]string{ // Cursor's hooks, Claude Code's
		"/w/../etc/x": {"/w/../etc/x", "/etc/x"}, "/w//./x": {"/w//./x", "/w/x"},
		"a.txt": both("/w/a.txt"), "../x/./y": both("/x/y"), "/etc/passwd": both("/etc/passwd"), "~/x": both("~/x"),
		`C:\x`: both(`C:\x`), "C:/x": both("C:/x"), `\\host\x`: both(`\\host\x`), "": both(""),
		"$HOME/x": both("$HOME/x")} {
		for i, name := range []string{"cursor", "claude"} {
			d, _ := adapter.Find(name)
			raw := ordjson.AppendString(nil, in)
			c := &schema.Call{Cwd: "/w", Tool: schema.Tool{Kinds: []schema.Kind{schema.Read},
				Input:  schema.Args{{Role: schema.RolePath, Raw: raw}},
				Output: schema.Args{{Role: schema.RolePath, Raw: raw}}}}
			c = wholePaths(c, d, d, "/h")
			for _, args := range []schema.Args{c.Tool.Input, c.Tool.Output} {
				if got, _ := ordjson.String(args[0].Raw); got != want[i] {
					t.Errorf("%s, %q: %q", name, in, got)
				}
			}
		}
	}
}

// Seen in Qoder 1.1.52, Gemini CLI 0.61.0, Grok Build 1.0.41, Kimi Code 2.1.0 and CodeBuddy 2.117.0: the file that the
// tool opened.
func TestFoundPath(t *testing.T) {
	for _, tt := range []struct{ host, tool, in, want string }{
		{"grok", "write", " .env\n", "/w/.env"}, {"grok", "read_file", `'/w/.env'`, "/w/.env"},
		{"grok", "search_replace", `".env"`, "/w/.env"}, {"grok", "grep", " '.env'", ".env"},
		{"grok", "list_dir", "~/x", "/h/x"}, {"grok", "write", "@a", "/w/@a"}, {"grok", "write", `"a`, "/w/a"},
		{"grok", "write", `.env"`, "/w/.env"}, {"grok", "read_file", `" ' .env' "`, "/w/.env"},
		{"grok", "write", "\u0085.env\u2028", "/w/.env"}, {"grok", "write", "\ufeff.env", "/w/\ufeff.env"},
		{"grok", "write", "`a`", "/w/`a`"}, {"grok", "write", `~\a`, `/w/~\a`},
		{"kimi", "Write", `s\.env`, "/w/s/.env"}, {"kimi", "Edit", `/w/s\..\.env`, "/w/.env"},
		{"kimi", "Read", "~/.env", "/h/.env"}, {"kimi", "Write", ".env ", "/w/.env "},
		{"codex", "view_image", ".\ten\rv", "/w/.env"}, {"codex", "view_image", "a ", "/w/a "},
		{"cursor", "Write", "~/.env", "/h/.env"}, {"cursor", "Read", "file:///e/.env", "/e/.env"},
		{"cursor", "Delete", "file://localhost/e/%2eenv", "/e/.env"},
		{"cursor", "Write", "file:/e/x", "/w/file:/e/x"},
		{"cursor", "Write", "FILE:///e/x", "/w/FILE:/e/x"}, {"cursor", "Write", "a%2e", "/w/a%2e"},
		{"cursor", "Write", "~root/x", "/w/~root/x"}, {"cursor", "Write", "@a", "/w/@a"},
		{"codebuddy", "Write", "//e/.env", "/e/.env"}, {"codebuddy", "Write", "///e/.env", "/e/.env"},
		{"codebuddy", "Write", "@.env", "/w/.env"}, {"codebuddy", "Read", "@/e/.env", "/e/.env"},
		{"codebuddy", "Edit", "file:///e/.env", "/e/.env"}, {"codebuddy", "Write", "file:.env", "/w/.env"},
		{"codebuddy", "Write", `s\.env`, "/w/s/.env"}, {"codebuddy", "Write", `/w/s\.env`, `/w/s\.env`},
		{"codebuddy", "Read", "~/.env", "/h/.env"},
		{"codebuddy", "Grep", "@d", "d"},
		{"codebuddy", "Glob", "@d", "@d"},
		{"qoder", "Read", " .env\t", "/w/.env"}, {"qoder", "Read", "\n.env", "/w/.env"},
		{"qoder", "Read", "\u00a0\ufeff\u3000\u2028.env", "/w/.env"},
		{"qoder", "Read", "\u0085.env", "/w/\u0085.env"}, {"qoder", "Read", " /w/.env ", "/w/.env"},
		{"qoder", "Read", " ~/.ssh/id\t", "/h/.ssh/id"},
		{"qoder", "Read", "cafe\u0301", "/w/caf\u00e9"}, {"qoder", "Write", "e\u0301", "/w/e\u0301"},
		{"qoder", "Read", `~\x`, "/h/x"},
		{"qoder", "Read", "~root/x", "/w/~root/x"},
		{"qoder", "Edit", " a ", "/w/a"},
		{"qoder", "Grep", " ~ ", "/h"},
		{"qoder", "Glob", " a ", "a"},
		{"qoder", "Write", " a ", "/w/ a "},
		{"qoder", "NotebookEdit", " a ", "/w/ a "},
		{"codebuddy", "Read", `~\x`, "/w/~/x"}, {"codebuddy", "Write", `@~\x`, "/w/~/x"},
		{"opencode", "write", "~/x", "/w/~/x"}, {"droid", "Create", "~/x", "/w/~/x"},
		{"cline", "editor", "~/x", "/w/~/x"}, {"opencode", "write", "C:x", "/w/C:x"},
		{"pi", "read", "@.env", "/w/.env"}, {"pi", "read", "@@.env", "/w/@.env"},
		{"pi", "write", "@/e/.env", "/e/.env"},
		{"pi", "edit", "~/.env", "/h/.env"}, {"pi", "read", "@~/.env", "/h/.env"},
		{"pi", "write", "~root/x", "/w/~root/x"},
		{"pi", "write", "file:///e/.env", "/e/.env"}, {"pi", "read", "@file:///e/a%20b?q#f", "/e/a b"},
		{"pi", "read", "file:///e/\t.env\n", "/e/.env"}, {"pi", "read", `file:///e\.env`, "/e/.env"},
		{"pi", "write", "a\u00a0\u2009\u202f\u205f\u3000b", "/w/a     b"},
		{"pi", "write", "a\u1680b", "/w/a\u1680b"},
		{"pi", "ls", "@d", "d"}, {"auggie", "view", "~/.env", "/h/.env"}, {"auggie", "save-file", "~x", "/h/x"},
		{"letta", "Read", "~/.env", "/h/.env"}, {"letta", "Write", "$HOME/.env", "/h/.env"},
		{"omp", "read", "~x", "/h/x"}, {"omp", "write", "@x", "/w/@x"}, {"omp", "read", "@x", "/w/@x"},
		{"auggie", "remove-files", "~", "/h"}, {"auggie", "view", "@.env", "/w/@.env"},
		{"gemini", "read_file", "@.env", "/w/.env"}, {"gemini", "read_file", "@@.env", "/w/@.env"},
		{"gemini", "write_file", "@a", "/w/a"},
		{"gemini", "replace", "@/w/a", "/w/w/a"}, {"gemini", "read_file", " .env", "/w/ .env"},
		{"gemini", "list_directory", "@d", "@d"},
		{"gemini", "read_file", "a%2eenv", "/w/a.env"}, {"gemini", "write_file", "w%2Eenv", "/w/w.env"},
		{"gemini", "replace", "@%2eenv", "/w/.env"},
		{"gemini", "read_file", "a\x00.env", "/w/a.env"}, {"gemini", "read_file", "a%2eenv%", "/w/a%2eenv%"},
		{"gemini", "read_file", "a%252e", "/w/a%2e"},
		{"gemini", "write_file", "a%ff", "/w/a%ff"}, {"gemini", "write_file", "d%2f..%2f.env", "/w/.env"},
		{"commandcode", "WRITE", "~/.env", "/h/.env"}, {"commandcode", "READ", "[a b](/e/.env)", "/e/.env"},
		{"commandcode", "EDIT", " [](/e/.env)\n", "/e/.env"}, {"commandcode", "WRITE", "[a](/e/x", "/w/[a](/e/x"},
		{"commandcode", "WRITE", "[a]()", "/w/[a]()"}, {"commandcode", "WRITE", "[a]](/e/x)", "/w/[a]](/e/x)"},
		{"commandcode", "WRITE", "[a](/e/x)y)", "/w/[a](/e/x)y)"},
		{"commandcode", "WRITE", "a](/e/x)", "/w/a](/e/x)"},
		{"gemini", "glob", "d%2ex", "d.x"},
		{"gemini", "grep_search", "d%2ex", "d.x"}, {"gemini", "list_directory", "d%2ex", "d%2ex"},
	} {
		host, _ := adapter.Find(tt.host)
		hooks, _ := adapter.Find("claude")
		kinds := []schema.Kind{schema.Other}
		for _, row := range host.Profile().Tools {
			if row.Name == tt.tool {
				kinds = row.Kinds
			}
		}
		c := &schema.Call{Cwd: "/w", Tool: schema.Tool{Name: tt.tool, Kinds: kinds,
			Input: schema.Args{{Role: schema.RolePath, Raw: ordjson.AppendString(nil, tt.in)}}}}
		c = wholePaths(c, host, hooks, "/h")
		if got, _ := ordjson.String(c.Tool.Input[0].Raw); got != tt.want {
			t.Errorf("%s %s %q: %q, want %q", tt.host, tt.tool, tt.in, got, tt.want)
		}
	}
}

// TestFoundFile checks that a guard gets the file that the client finds instead of a missing one (Pi 1.5.2, Cline
// 3.0.65, Grok Build 1.0.41, Droid 0.225.2).
func TestFoundFile(t *testing.T) {
	const quote, time, form, blank = "d\u2019e", "at 9\u202fAM.txt", "cafe\u0301", "my\u00a0key"
	dir := t.TempDir()
	for _, name := range []string{quote, time, form, blank, "cafe\u0300",
		"\u1112\u1161\u11ab", "both", "e\u0301\u2019"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hooks, _ := adapter.Find("claude")
	for _, tt := range []struct{ host, tool, in, want string }{
		{"pi", "read", "d'e", quote}, {"pi", "read", "at 9 AM.txt", time}, {"pi", "read", "caf\u00e9", form},
		{"pi", "read", "\ud55c", "\u1112\u1161\u11ab"}, {"pi", "read", "\u00e9'", "e\u0301\u2019"},
		{"pi", "read", "both", "both"}, {"pi", "read", "my key", "my key"}, {"pi", "write", "d'e", "d'e"},
		{"pi", "edit", "caf\u00e9", "caf\u00e9"}, {"pi", "read", "caf\u00eb\u0301", "caf\u00eb\u0301"},
		{"cline", "read_files", "my key", blank}, {"cline", "read_files", "my\u2003key", blank},
		{"cline", "read_files", "d'e", quote}, {"cline", "editor", "d'e", "d'e"},
		{"grok", "read_file", "my\u202fkey", blank}, {"grok", "read_file", "at 9 AM.txt", time},
		{"grok", "search_replace", "my key", blank}, {"grok", "write", "my key", "my key"},
		{"droid", "Read", "at 9 AM.txt", time}, {"droid", "Create", "at 9 AM.txt", "at 9 AM.txt"},
		{"cursor", "Read", "my key", "my key"}, {"commandcode", "READ", "at 9 AM.txt", time},
		{"commandcode", "READ", "\u00e9'", "e\u0301\u2019"}, {"commandcode", "WRITE", "d'e", "d'e"},
	} {
		host, _ := adapter.Find(tt.host)
		c := &schema.Call{Cwd: dir, Tool: schema.Tool{Name: tt.tool, Kinds: host.Profile().Tool(tt.tool).Kinds,
			Input: schema.Args{{Role: schema.RolePath, Raw: ordjson.AppendString(nil, tt.in)}}}}
		got := wholePaths(c, host, hooks, "/h").Tool.Input.Text(schema.RolePath)
		if want := filepath.ToSlash(filepath.Join(dir, tt.want)); got != want {
			t.Errorf("%s %s %q: %q, want %q", tt.host, tt.tool, tt.in, got, want)
		}
	}
}

// TestMisnamedFile checks that a guard gets each file that Gemini CLI's replace may use for a relative path that
// doesn't exist (0.61.0: the only one in the project that ends with it).
func TestMisnamedFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"s/key", "new.txt", "t/deep/other", ".git/key"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for in, want := range map[string]string{"key": "s/key,key", "deep/other": "t/deep/other,deep/other",
		"new.txt": "new.txt", "nothing": "nothing", filepath.ToSlash(dir) + "/key": "key"} {
		host, _ := adapter.Find("gemini")
		b, shown := denyingGuard(t, host, "Edit")
		b.Places.Project = dir
		payload := `{"session_id":"s","cwd":` + string(ordjson.AppendString(nil, filepath.ToSlash(dir))) +
			`,"hook_event_name":"BeforeTool","timestamp":"t","tool_name":"replace","tool_input":{"file_path":` +
			string(ordjson.AppendString(nil, in)) + `,"old_string":"a","new_string":"b"}}`
		if _, rep, err := b.Run(context.Background(), []byte(payload), ""); err != nil {
			t.Fatal(err, rep.Diagnostics)
		}
		var got []string
		for _, stdin := range *shown {
			o, _ := ordjson.Parse([]byte(stdin))
			args, _ := o.Members("tool_input")
			got = append(got, strings.TrimPrefix(args.Str("file_path"), filepath.ToSlash(dir)+"/"))
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

// TestMatchedFiles checks that a guard gets each file that matches a path with wildcards (Command Code 1.64.0).
func TestMatchedFiles(t *testing.T) {
	dir := t.TempDir()
	laidOut(t, dir, map[string]string{"s/key": "", "s/kez": "", "s/deep/key": "", ".env": "", ".git/key": "", "a": ""})
	for _, tt := range []struct {
		host, tool, field, value string // in value, D is the folder
		want                     string // the files below it
	}{
		{"commandcode", "read_file", "file_path", `"D/s/ke*"`, "s/ke* s/key s/kez"},
		{"commandcode", "read_file", "file_path", `"D/s/ke[xy]"`, "s/ke[xy] s/key"},
		{"commandcode", "read_file", "file_path", `"D/**/key"`, "**/key s/deep/key s/key"},
		{"commandcode", "read_file", "path", `"D/{a,s/k?z}"`, "a s/kez {a,s/k?z}"},
		{"commandcode", "read_file", "files", `["a","s/ke*"]`, "a s/ke* s/key s/kez"},
		{"commandcode", "read_file", "file_path", `"D/none*"`, "none*"},
		{"commandcode", "read_file", "file_path", `"D/a"`, "a"},
		{"commandcode", "write_file", "file_path", `"D/s/ke*"`, "s/ke*"},
	} {
		b := newBridge(t, tt.host, "claude", "")
		b.Places.Project = ""
		display := map[string]string{"read_file": "READ", "write_file": "WRITE"}[tt.tool]
		r, c := staged(t, b, `{"session_id":"s","cwd":"`+dir+`","hook_event_name":"PreToolUse","tool_use_id":"u",`+
			`"tool_name":"`+tt.tool+`","tool_display_name":"`+display+`","tool_input":{"`+tt.field+`":`+
			strings.ReplaceAll(tt.value, "D", dir)+`}}`)
		readings, _, _ := alternatives(r, r.host.Abilities(), c)
		if readings == nil {
			readings = [][]*schema.Call{{c}}
		}
		var got []string
		for _, parts := range readings {
			for _, p := range parts {
				got = append(got, strings.TrimPrefix(targetPath(p), dir+"/"))
			}
		}
		if slices.Sort(got); strings.Join(got, " ") != tt.want {
			t.Errorf("%s %s: %q, want %s", tt.tool, tt.value, got, tt.want)
		}
	}
}

// TestReplacedLines: lines that an edit has replaced and hooks don't get are reported once, but not before the call,
// nor for an edit with the text.
func TestReplacedLines(t *testing.T) {
	dir := t.TempDir()
	laidOut(t, dir, map[string]string{"a": "x\n"})
	for _, tt := range []struct {
		event, input string
		lost         bool
	}{
		{"PreToolUse", `{"path":"a","input":"[a#0000]\nPUT 1:\n+y"}`, false},
		{"PostToolUse", `{"path":"a","input":"[a#0000]\nPUT 1:\n+y"}`, true},
		{"PostToolUse", `{"path":"a","old_string":"x","new_string":"y"}`, false},
	} {
		b := newBridge(t, "omp", "claude", "")
		b.Places.Project = ""
		r, c := staged(t, b, `{"protocol":1,"session_id":"s","cwd":"`+dir+`","omp_mode":"json",`+
			`"hook_event_name":"`+tt.event+`","tool_name":"edit","tool_input":`+tt.input+`,"tool_use_id":"c"}`)
		alternatives(r, r.host.Abilities(), c)
		found := slices.DeleteFunc(slices.Clone(r.log.ds), func(d schema.Diagnostic) bool {
			return d.Code != schema.CodeOddInput
		})
		if tt.lost != (len(found) == 1) || len(found) > 1 || tt.lost && found[0].Severity != schema.Loss {
			t.Errorf("%s %s: %v", tt.event, tt.input, r.log.ds)
		}
	}
}

// TestEachReading checks which files and texts guards get for Oh My Pi's calls (each row played, 18.2.3).
func TestEachReading(t *testing.T) {
	dir := t.TempDir()
	laidOut(t, dir, map[string]string{"s/key": "one\ntwo\nthree\n", "s/my key": "", "lit:1": "", "a": "x\n",
		"p.zip": "", "s/f.py": "def f():\n    pass\nx = 1\n"})
	edit := func(lines ...string) string {
		return string(ordjson.AppendTexts(nil, "input", strings.Join(lines, "\n")))
	}
	path := func(path string) string { return string(ordjson.AppendTexts(nil, "path", path, "content", "")) }
	for _, tt := range []struct{ tool, input, want string }{
		{"read", path("s/key:1-2"), "s/key"},
		{"read", path("lit:1"), "lit, lit:1"},
		{"read", path(`s\key`), `s/key, s\key`},
		{"read", path("key"), "key, s/key"},
		{"read", path("a;s/key"), "a, a;s/key, s/key"},
		{"read", path("a,"), "a, a,"},
		{"read", path(`s/my\ key`), "s/my key"}, {"read", path("p.zip:in/a"), "p.zip, p.zip:in/a"},
		{"read", path("FILE://" + dir + "/a"), "a"},
		{"read", path("@" + dir + "/a"), "a"},
		{"read", path(":./a"), "a"},
		{"read", path("@a"), "@a"}, {"read", path("a "), "a, a "}, {"read", path("s/my\u00a0key"), "s/my key"},
		{"write", path("s/key "), "s/key "},
		{"write", path("s/key\u3000"), "s/key "},
		{"write", path("a\u0085"), "a\u0085"},
		{"write", path("[a]"), "a"}, {"write", path("[a#00fF] "), "a"}, {"write", path("[a#b]"), "[a#b]"},
		{"write", path(`["a","b"]`), `"a","b"`}, {"write", path("@/x"), "/x"}, {"write", path("@x"), "@x"},
		{"write", path("new.tar.gz:b"), "new.tar.gz"},
		{"write", path("c.db:t:1"), "c.db"},
		{"write", path("b:1"), "b:1"},
		{"write", path("a:1"), "a, a:1"}, {"write", path("b/../x"), "x"},

		{"edit", edit("[a#0000]", "PUT 1.=1:", "+y"), "a x>y"},
		{"edit", edit("[a#0000]  ", "PUT 1:", "bare"), "a x>bare"},
		{"edit", edit("[s/key#0000]", "PUT 2.=3:", "+new", "+lines"), "s/key two|three>new|lines"},
		{"edit", edit("[s/key#0000]", "PUT 2-3:", "+new"), "s/key two|three>new"},
		{"edit", edit("[s/key#0000]", "CUT 2"), "s/key two>"},
		{"edit", edit("[s/key#0000]", "PUT <2:", "+n"), "s/key two>n|two"},
		{"edit", edit("[s/key#0000]", "PUT >$:", "+n"), "s/key three>three|n"},
		{"edit", edit("[s/f.py#0000]", "PUT 1*:", "+n"), "s/f.py def f():|    pass|x = 1>n"},
		{"edit", edit("[s/key#0000]", "PUT what:", "+n"), "s/key one|two|three>n"},
		{"edit", edit("[s/key#0000]", "CUT 1 @r", "[a#0000]", "PUT >1 @r"), "a x>x|one, s/key one>"},
		{"edit", edit("[no/key#0000]", "PUT 1:", "+y"), "s/key one>y"},
		{"edit", edit("[[a]#0000]", "PUT 1:", "+y"), "a x>y"},
		{"edit", edit("[@"+dir+"/a#0000]", "PUT 1:", "+y"), "a x>y"},
		{"edit", edit("[~/b#0000]", "REM"), "/h/b delete"},
		{"edit", edit("[*** Update File: a#0000]", "PUT 1:", "+y"), "a x>y"},
		{"edit", edit("[ 'a' #0000]", "REM"), "a delete"}, {"edit", edit("[a]", "MV [~/b]"), "/h/b write x, a x>x"},
		{"edit", edit("[s/key#0000]", "PUT 2:", "+y", "MV b"), "b write one|y|three, s/key two>y"},
		{"edit", edit("[gone#0000]", "PUT 1:", "+y"), "gone >y"},
		{"edit", `{"_input":"[a#0000]\nPUT 1:\n+y"}`, "a x>y"},
		{"edit", edit("*** Begin Patch", "*** Update File: a", "*** Move to: b", "@@", "-x", "+y", "*** End Patch"),
			"a x>y, b write y"},
		{"edit", edit(`<SM:EDIT path="a">`, "<SM:FIND>", "x", "</SM:FIND>", "<SM:PUT>", "y", "</SM:PUT>", "</SM:EDIT>"),
			"a x>y"},
		{"edit", `{"path":"a","edits":[{"op":"update","rename":"b","diff":"@@\n-x\n+y"}]}`, "a x>y, b write y"},
		{"edit", `{"path":"a","edits":[{"op":"delete"}]}`, "a delete"},
		{"edit", `{"path":"a","old_string":"x","new_string":"y"}`, "a x>y"},
	} {
		b := newBridge(t, "omp", "claude", "")
		b.Places.Project, b.Places.Home = "", "/h"
		r, c := staged(t, b, `{"protocol":1,"session_id":"s","cwd":"`+dir+`","omp_mode":"json",`+
			`"hook_event_name":"PreToolUse",`+
			`"tool_name":"`+tt.tool+`","tool_input":`+tt.input+`,"tool_use_id":"c"}`)
		readings, _, _ := alternatives(r, r.host.Abilities(), c)
		if readings == nil {
			readings = [][]*schema.Call{{c}}
		}
		var got []string
		for _, p := range slices.Concat(readings...) {
			p, _ = shownPart(r, p)
			shown := strings.TrimPrefix(targetPath(p), dir+"/")
			in := p.Tool.Input
			switch lines := strings.NewReplacer("\n", "|"); {
			case tt.tool != "edit":
			case p.Tool.Kind() == schema.Edit:
				shown += " " + lines.Replace(in.Text(schema.RoleOldText)+">"+in.Text(schema.RoleNewText))
			case p.Tool.Kind() == schema.Write:
				shown += " write " + lines.Replace(strings.TrimSuffix(in.Text(schema.RoleContent), "\n"))
			default:
				shown += " " + p.Tool.Kind().String()
			}
			got = append(got, shown)
		}
		if slices.Sort(got); strings.Join(got, ", ") != tt.want {
			t.Errorf("%s %s: %q, want %s", tt.tool, tt.input, got, tt.want)
		}
	}
}

// TestPathBehindLinks checks that a guard gets the file that each client opens for a path with ".." after a link (Grok
// Build 1.0.41: as the system has it; Copilot 1.0.102: absolute paths alone; Pi 1.5.2: never).
func TestPathBehindLinks(t *testing.T) {
	dir, _ := filepath.EvalSymlinks(t.TempDir())
	if err := os.MkdirAll(filepath.Join(dir, "else", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("else", "sub"), filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	hooks, _ := adapter.Find("claude")
	whole := filepath.ToSlash(dir) + "/link/../key"
	for _, tt := range []struct{ host, tool, in, want string }{
		{"grok", "write", "link/../key", "else/key"}, {"grok", "read_file", whole, "else/key"},
		{"grok", "write", "link/no/../key", "link/key"}, {"grok", "write", "no/../key", "key"},
		{"copilot", "create", whole, "else/key"}, {"copilot", "create", "link/../key", "key"},
		{"pi", "read", "link/../key", "key"}, {"pi", "write", whole, "key"},
		{"commandcode", "READ", whole, "else/key"}, {"commandcode", "WRITE", whole, "key"},
	} {
		host, _ := adapter.Find(tt.host)
		c := &schema.Call{Cwd: filepath.ToSlash(dir), Tool: schema.Tool{Name: tt.tool,
			Kinds: host.Profile().Tool(tt.tool).Kinds,
			Input: schema.Args{{Role: schema.RolePath, Raw: ordjson.AppendString(nil, tt.in)}}}}
		got := wholePaths(c, host, hooks, "/h").Tool.Input.Text(schema.RolePath)
		if want := filepath.ToSlash(dir) + "/" + tt.want; got != want {
			t.Errorf("%s %s %q: %q, want %q", tt.host, tt.tool, tt.in, got, want)
		}
	}
}

// TestPatchPaths checks that a guard gets the file that the client writes for a path of a patch (each row observed:
// OpenCode 1.18.33, Kilo 7.7.9, Copilot 1.0.102).
func TestPatchPaths(t *testing.T) {
	script := func(text string) string {
		return `{"session_id":"s","cwd":"/w","worktree":"/w","hook_event_name":"PreToolUse","protocol":1,` +
			`"tool_name":"apply_patch","tool_input":{"patchText":` + string(ordjson.AppendString(nil, text)) + `}}`
	}
	written := func(text string) string {
		return `{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"apply_patch","toolArgs":` +
			string(ordjson.AppendString(nil, text)) + `}`
	}
	same := []string{"n\t4", `"n5"`, "'n6'", "~/n11", "file:n12", "%6e14", "n15%20x", "n19\u200b", `\n20`, `sub\n22`,
		"@n23", "a/n24", "`n26`", "<n27>", "$HOME/n28", "n29#x", "n34\u0085", "N36", "n37.", "n46 => x", "/w/n31"}
	for _, tt := range []struct {
		host    string
		payload func(string) string
		folder  string // before each path: Copilot's were absolute
		files   map[string]string
	}{
		{"opencode", script, "", trimmedBoth}, {"kilo", script, "", trimmedBoth},
		{"copilot", written, "/w/", trimmedEnd},
	} {
		host, _ := adapter.Find(tt.host)
		hooks, _ := adapter.Find("claude")
		try := func(in, want string) {
			if !strings.HasPrefix(in, "/") {
				in = tt.folder + in
			}
			text := "*** Begin Patch\n*** Add File: " + in + "\n+x\n*** End Patch\n"
			c, _ := host.DecodeCall([]byte(tt.payload(text)), nil)
			got := ""
			for _, parts := range host.Abilities().Splits.Split(c) {
				for _, part := range parts {
					got = wholePaths(part, host, hooks, "/h").Tool.Input.Text(schema.RolePath)
				}
			}
			if path.Clean(got) != path.Join("/w", strings.TrimPrefix(want, "/w")) {
				t.Errorf("%s %q: %q, want %q", tt.host, in, got, want)
			}
		}
		for _, in := range same {
			try(in, in)
		}
		for in, want := range tt.files {
			try(in, want)
		}
	}
}

var (
	trimmedBoth = map[string]string{" n1": "n1", "n2 ": "n2", "\tn3": "n3", ".//n8": "n8", "sub/../n9": "n9",
		"n16\r": "n16", "n17\u00a0": "n17", "\ufeffn18": "n18", "//w/n32": "n32", "\vn33": "n33", "n35\u2028": "n35",
		"\u3000n39": "n39", "  \t n41 \t ": "n41"}
	trimmedEnd = map[string]string{" n1": " n1", "n2 ": "n2", "\tn3": "\tn3", ".//n8": "n8", "sub/../n9": "n9",
		"n16\r": "n16", "n17\u00a0": "n17", "\ufeffn18": "\ufeffn18", "//w/n32": "n32", "\vn33": "\vn33",
		"n35\u2028": "n35", "\u3000n39": "\u3000n39", "  \t n41 \t ": "  \t n41"}
)

// TestToolFolder checks that hooks get a command's folder as an absolute path.
func TestToolFolder(t *testing.T) {
	for host, in := range map[string]string{
		"gemini": `{"session_id":"s","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"t",` +
			`"tool_name":"run_shell_command","tool_input":{"command":"ls","dir_path":"sub"}}`,
		"cursor": `{"conversation_id":"c","generation_id":"g","tool_name":"Shell","tool_input":{"command":"ls",` +
			`"cwd":"sub"},"tool_use_id":"u",` +
			`"hook_event_name":"preToolUse","cursor_version":"3.15.19","workspace_roots":["/w"]}`,
	} {
		for _, hooks := range []string{"claude", "copilot", "cursor", "gemini"} {
			if hooks == host {
				continue
			}
			b := newBridge(t, host, hooks, `grep -q '"cwd":"/w/sub"' || echo relative >&2; exit 2`)
			b.Places.Project = ""
			if hooks == "cursor" || hooks == "gemini" {
				b = newBridge(t, host, hooks, `if grep -q '"\(cwd\|dir_path\)":"sub"'; then exit 1; fi; echo whole `+
					`>&2; exit 2`)
				b.Places.Project = ""
			}
			out, rep, err := b.Run(context.Background(), []byte(in), "")
			if !strings.Contains(string(out), `"deny"`) || strings.Contains(string(out), "relative") || err != nil {
				t.Errorf("%s hook under %s: %s %v %v", hooks, host, out, err, rep.Diagnostics)
			}
		}
	}
}
