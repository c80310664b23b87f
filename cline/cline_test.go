package cline

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

func toolCallOf(tool, input string) []byte {
	return []byte(`{"clineVersion":"","taskId":"t","sessionContext":{"rootSessionId":"s"},"workspaceRoots":["/p"],` +
		`"hookName":"tool_call","tool_call":{"id":"call_1","name":"` + tool + `","input":` + input + `},` +
		`"preToolUse":{"toolName":"` + tool + `","parameters":{}}}`)
}

// TestForms checks that guards see each command and each file in every form that the client's tools accept (program
// 3.0.65).
func TestForms(t *testing.T) {
	for _, row := range []struct{ tool, input, want string }{
		{shellTool, `{"commands":["a"]}`, "a"}, {shellTool, `{"commands":"a"}`, "a"},
		{shellTool, `{"command":"a"}`, "a"},
		{shellTool, `{"cmd":"a"}`, "a"}, {shellTool, `"a"`, "a"}, {shellTool, `["a","b"]`, "a,b"},
		{shellTool, `{"commands":["a","b"]}`, "a,b"}, {shellTool, `{"command":"a","args":["b c"]}`, "a 'b c'"},
		{shellTool, `{"commands":[{"command":"a","args":["-x"]},"b"]}`, "a -x,b"},
		{readTool, `{"files":[{"path":"/a"}]}`, "/a"}, {readTool, `{"files":["/a","/b"]}`, "/a,/b"},
		{readTool, `{"file_paths":["/a"]}`, "/a"}, {readTool, `{"paths":"/a"}`, "/a"},
		{readTool, `{"filePath":"/a","start_line":null}`, "/a"}, {readTool, `[{"file_path":"/a"}]`, "/a"},
		{readTool, `"/a"`, "/a"},
		{readTool, `{"path":"/a","file_path":"/b"}`, "/a,/b"},
		{readTool, `{"file_path":"/b","filePath":"/a"}`, "/b,/a"},
		{readTool, `{"files":[{"path":"/a","file_path":"/b"}]}`, "/a,/b"},
		{readTool, `{"files":[{"path":"/a","files":"x"}]}`, "/a"}, {readTool, `{"files":"/a","path":"/b"}`, "/a,/b"},
		{readTool, `{"files":[{"path":"/a","start_line":1}],"start_line":1,"end_line":2}`, "/a"},
		{readTool, `{"files":["/a"],"paths":["/b"],"file_paths":"/c"}`, "/a,/c,/b"},
		{readTool, `{"files":null,"path":null,"filePath":"/a"}`, "/a"},
		{readTool, `{"path":"/a","filePath":"/a"}`, "/a"},
		{readTool, `{"files":["/a",{"start_line":1}]}`, "/a"},
		{shellTool, `{"command":"rm","args":["-f","v"],"commands":null}`, "rm -f v"},
		{shellTool, `{"commands":["a"],"command":"b","cmd":"c"}`, "a,c,b"},
		{shellTool, `{"commands":[{"command":"a","cmd":"b"}]}`, "a"},
		{fetchTool, `{"requests":[{"url":"u","prompt":"p"}],"prompt":"q"}`, "u"},
		{grepTool, `{"queries":["a","b"]}`, "a,b"}, {grepTool, `"a"`, "a"},
		{fetchTool, `{"requests":[{"url":"u","prompt":"p"}]}`, "u"}, {editTool, `{"path":"/a","new_text":"x"}`, "/a"},
	} {
		c, ds := New().DecodeCall(toolCallOf(row.tool, row.input), nil)
		if c == nil || c.Malformed {
			t.Errorf("%s %s: %v", row.tool, row.input, ds)
			continue
		}
		calls := []*schema.Call{c}
		if parts := New().Split(c); parts != nil {
			calls = parts[0]
		}
		var got []string
		for _, p := range calls {
			for _, r := range []schema.Role{schema.RoleCommand, schema.RolePath, schema.RolePattern, schema.RoleURL} {
				if s := p.Tool.Input.Text(r); s != "" {
					got = append(got, s)
				}
			}
		}
		if strings.Join(got, ",") != row.want {
			t.Errorf("%s %s: %q", row.tool, row.input, got)
		}
	}
}

// TestJoin checks that a rewritten element keeps its place in the list.
func TestJoin(t *testing.T) {
	c, _ := New().DecodeCall(toolCallOf(shellTool, `{"commands":["a","b","a"]}`), nil)
	parts := New().Split(c)[0]
	in, ok := New().Join(c, parts[1], schema.Args{{Role: schema.RoleCommand, Raw: []byte(`"c"`)}})
	r := schema.Reply{Input: in}
	const want = `{"overrideInput":{"commands":["a","c","a"]}}`
	if got := string(New().AppendReply(nil, c, &r)); !ok || got != want {
		t.Errorf("%t %s", ok, got)
	}
}

// TestAnswers checks the effects of answers (each row observed 3.0.65).
func TestAnswers(t *testing.T) {
	for _, row := range []struct {
		tool, out string
		exit      int
		verdict   schema.Verdict
		end       bool
		context   string
	}{
		{shellTool, `{"cancel":true,"errorMessage":"no"}`, 0, schema.Deny, true, ""},
		{shellTool, `{"cancel":true}`, 1, schema.Deny, true, ""}, {shellTool, ``, 2, schema.NoOpinion, false, ""},
		{shellTool, `{"cancel":"true","errorMessage":"no"}`, 0, schema.NoOpinion, false, "no"},
		{shellTool, "log\n" + `{"cancel":true}`, 0, schema.NoOpinion, false, ""},
		{shellTool, `{"cancel":true}{"cancel":true}`, 0, schema.NoOpinion, false, ""},
		{shellTool, "x\nHOOK_CONTROL\t" + `{"cancel":true}` + "\n", 0, schema.Deny, true, ""},
		{shellTool, `{"context":"a","contextModification":"b"}`, 0, schema.NoOpinion, false, "a"},
		{readTool, `{"overrideInput":{},"contextModification":"why"}`, 0, schema.Deny, false, ""},
		{"hb__echo", `{"overrideInput":{}}`, 0, schema.NoOpinion, false, ""},
		{agentTool, `{"overrideInput":{"task":"x"}}`, 0, schema.NoOpinion, false, ""},
		{shellTool, `{"overrideInput":` + string(voidFormOf(shellTool).input("call_1")) + `}`, 0, schema.Deny,
			false, ""},
		{shellTool, `{"overrideInput":{"commands":["ls"]}}`, 0, schema.NoOpinion, false, ""},
		{shellTool, `{"hookSpecificOutput":{"permissionDecision":"deny"}}`, 0, schema.NoOpinion, false, ""},
	} {
		v := schema.View{Event: "PreToolUse", Tool: row.tool, Kind: schema.Shell}
		if strings.Contains(row.tool, "__") {
			v.Kind = schema.MCP
		}
		h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse"}
		r, _ := New().DecodeReply(&h, v, &process.Result{Exit: row.exit, Stdout: []byte(row.out)})
		if r.Verdict != row.verdict || r.EndTurn != row.end || r.Context != row.context {
			t.Errorf("%s %s: %v %t %q", row.tool, row.out, r.Verdict, r.EndTurn, r.Context)
		}
	}
}

// TestRefusals checks that only the call is denied if the client checks its input. Everything else is canceled. That
// includes calls that aren't known to be denied by a void input and calls of the VS Code extension, which doesn't
// support a new input.
func TestRefusals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file could be at the path of a denied read")
	}
	for _, row := range []struct{ tool, id, want string }{
		{shellTool, "call_1", `{"overrideInput":{"commands":["echo 'a hook refused this call (call_1)' >&2; ` +
			`exit 1"]},"contextModification":"no"}`},
		{readTool, "call_1", `{"overrideInput":{"files":[{"path":"/dev/null/a hook refused this call (call_1)"}]},` +
			`"contextModification":"no"}`},
		{editTool, "call_1", `{"overrideInput":{"path":"/dev/null/a hook refused this call (call_1)",` +
			`"old_text":"-","new_text":"-"},"contextModification":"no"}`},
		{grepTool, "call_1", `{"overrideInput":{"queries":["(a hook refused this call (call_1)"]},` +
			`"contextModification":"no"}`},
		{fetchTool, "call_1", `{"overrideInput":{"requests":[{"url":"about:a hook refused this call (call_1)",` +
			`"prompt":"none"}]},"contextModification":"no"}`},
		{patchTool, "call_1", `{"cancel":true,"errorMessage":"no"}`},
		{"hb__echo", "call_1", `{"cancel":true,"errorMessage":"no"}`},
		{"unheard", "call_1", `{"cancel":true,"errorMessage":"no"}`},
		{shellTool, "", `{"cancel":true,"errorMessage":"no"}`},
		{shellTool, "x'; rm", `{"cancel":true,"errorMessage":"no"}`},
	} {
		text := strings.Replace(string(toolCallOf(row.tool, `{}`)), "call_1", row.id, 1)
		c, _ := New().DecodeCall([]byte(text), nil)
		r := schema.Reply{Verdict: schema.Deny, Reason: "no"}
		if got := string(New().AppendReply(nil, c, &r)); got != row.want {
			t.Errorf("%s %s: %s", row.tool, row.id, got)
		}
		soft := strings.Contains(row.want, "overrideInput")
		shown := soft || row.id == ""
		if New().Honors(c, &r)&schema.EffectReason != 0 != shown || New().DenialEnds(c, &r) == "" != soft {
			t.Errorf("%s %s: what it ends isn't reported", row.tool, row.id)
		}
	}
}

// TestScript checks that an executable has its entries, and that files are distinguished by their names.
func TestScript(t *testing.T) {
	const document = `{"hooks":{"PreToolUse":[{"command":"a 'b c' | d"},{"command":"e","failClosed":true}],` +
		`"PostToolUse":[{"command":"x;y"}]}}`
	text := New().WriteEntries([]byte(document))
	back, ok := New().ReadEntries(text)
	if !ok || !ordjson.Equal(back, []byte(document)) {
		t.Errorf("%t %s\n%s", ok, back, text)
	}
	names := New().Copies(t.TempDir(), text)
	if want := []string{"PreToolUse", "PreToolUse.sh", "PostToolUse"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	for file, want := range map[string]string{"/p/.clinerules/hooks/PreToolUse": "a 'b c' | d",
		"/p/.clinerules/hooks/PreToolUse.sh": "e", "/p/.clinerules/hooks/PreToolUse.py": "",
		"/p/.cline/hooks/posttooluse.py": "x;y", "": "a 'b c' | d e x;y"} {
		cfg, ds := New().ParseConfig(text, schema.Source{File: file})
		got := strings.Join(lists.Map(cfg.Hooks, func(h schema.Hook) string { return h.Command }), " ")
		if got != want || len(ds) > 0 {
			t.Errorf("%s: %q %v", file, got, ds)
		}
	}
	for what, edited := range map[string]string{"more": string(text) + "# mine\n",
		"an end": strings.Replace(string(text), "case ", "exit 0\ncase ", 1), "less": mark + "\n",
		"other ends of lines": strings.ReplaceAll(string(text), "\n", "\r\n")} {
		cfg, ds := New().ParseConfig([]byte(edited), schema.Source{File: "PreToolUse"})
		if len(ds) != 1 || ds[0].Code != schema.CodeRefusedFile || len(cfg.Hooks) > 0 {
			t.Errorf("%s: %v %v", what, cfg.Hooks, ds)
		}
	}
	if _, ds := New().ParseConfig([]byte("#!/bin/sh\n# mine\n"), schema.Source{File: "PreToolUse"}); len(ds) > 0 {
		t.Errorf("a file of the user's: %v", ds)
	}
}

// TestFiles checks how executables are found and started (observed 3.0.65), and the name of hookbridge's file.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	hooks := filepath.Join(dir, ".clinerules", "hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string][2]string{
		"PreToolUse": {"#!/usr/bin/env python3\n", "python3"}, "pretooluse.SH": {"echo", "bash"},
		"PostToolUse.js": {"", "node"}, "TASKSTART.py": {"#!/bin/sh -e\n", "sh -e"}, "PreToolUse.txt": {"", ""},
		"PreToolUse_x.sh": {"", ""},
	} {
		file := filepath.Join(hooks, name)
		if err := os.WriteFile(file, []byte(row[0]), 0o644); err != nil {
			t.Fatal(err)
		}
		located := slices.ContainsFunc(New().Locate(schema.Places{Project: dir}), func(s schema.Source) bool {
			return s.File == file
		})
		if located != (row[1] != "") {
			t.Errorf("%s: located %t", name, located)
		}
		if !located {
			continue
		}
		cfg, _ := New().ParseConfig([]byte(row[0]), schema.Source{File: file, Scope: schema.ScopeProject})
		if want := row[1] + " .clinerules/hooks/" + name; len(cfg.Hooks) != 1 || cfg.Hooks[0].Command != want {
			t.Errorf("%s: %v", name, cfg.Hooks)
		}
	}
	if got := ownName(hooks, "PreToolUse"); got != "PreToolUse.sh" {
		t.Errorf("hookbridge's file is %s", got)
	}
}

// TestRefusedResult checks that the result of a call that a hook denied doesn't count as a call that ran (observed
// 3.0.65).
func TestRefusedResult(t *testing.T) {
	for _, row := range []struct {
		tool, input, output string
		want                schema.Event
	}{
		{shellTool, string(voidFormOf(shellTool).input("call_1")), `[{"success":false,"error":"x"}]`,
			schema.PermissionDenied},
		{readTool, `{}`, `{"error":"✖ Invalid input"}`, schema.PermissionDenied},
		{readTool, string(voidFormOf(readTool).input("call_1")), `[{"success":false,"error":"x"}]`,
			schema.PermissionDenied},
		{editTool, string(voidFormOf(editTool).input("call_1")), `{"success":false,"error":"x"}`,
			schema.PermissionDenied},
		{"hb__echo", `{}`, `{"content":[]}`, schema.PostTool},
		{shellTool, `{"commands":["false"]}`, `[{"success":false,"error":"x"}]`, schema.PostToolFailure},
		{readTool, `{"files":[{"path":"/a"}]}`, `[{"result":"1 | x","success":true}]`, schema.PostTool},
	} {
		payload := `{"clineVersion":"","taskId":"t","workspaceRoots":["/p"],"hookName":"tool_result","tool_result":` +
			`{"id":"call_1","name":"` + row.tool + `","input":` + row.input + `,"output":` + row.output + `}}`
		if c, _ := New().DecodeCall([]byte(payload), nil); c.Event != row.want {
			t.Errorf("%s: %v, want %v", payload, c.Event, row.want)
		}
	}
}
