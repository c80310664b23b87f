package claude

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/wildcard"
	"github.com/hookbridge/hookbridge/schema"
)

func TestParseRule(t *testing.T) {
	for _, s := range []string{
		"Bash(git *) || Write(*.ts)", "Bash || Write", "Bash|Write", "Bash, Write", "Bash(git *), Write",
		"Bash(git *)|Write(x)",
		"Bash(git *) Write(x)", "Bash(git *", "Bash)", "(git *)", "Bash(a) b", "Bash Write", "'Bash'",
		"Bash(a)||Write)", "Bash(a) or Bash(b)", "git commit", "Bash (git *)", " Bash(git *)",
		"Bash(git *) "} {
		holds, err := New().Holds(&schema.Hook{Condition: s}, &schema.Call{Event: schema.PreTool},
			schema.View{Event: "PreToolUse"}, "")
		if err == nil || holds { // observed 2.1.328: the hook never runs
			t.Errorf("%q: %t, %v; a condition that can't be read must not hold, with an error", s, holds, err)
		}
	}
	for _, s := range []string{"*", "Bash", "Bash()", "Bash(*)", "Bash(a || b)", "Bash(echo :))", "Bash(echo (a) b)",
		`Bash(print\(1\))`, "mcp__a-b__c.d"} {
		if _, err := parseRule(s); err != nil {
			t.Error(err)
		}
	}
}

func TestHolds(t *testing.T) {
	const home = "/home/u"
	for _, tt := range []struct {
		tool, input, condition string
		want                   bool
	}{
		{"Bash", `{"command":"ls"}`, "", true},
		{"Bash", `{"command":"ls"}`, "*", false},
		{"Bash", `{"command":"ls"}`, "Bash", true},
		{"Bash", `{"command":"ls"}`, "bash", false},
		{"Bash", `{"command":"ls"}`, "Bash(*)", true},
		{"Bash", `{"command":"ls x"}`, "Bash(ls *)", true},
		{"Bash", `{"command":"ls x"}`, "Bash(rm *)", false},
		{"Bash", `{"command":""}`, "Bash(rm *)", false},
		{"Write", `{"file_path":"/p/src/a.ts","content":""}`, "Write(src/**)", true},
		{"Write", `{"file_path":"/p/src/a.ts","content":""}`, "Edit(src/**)", false},
		{"Grep", `{"pattern":"secret","path":"src"}`, "Grep(secret)", true},
		{"Grep", `{"pattern":"secret","path":"src"}`, "Grep(sec*)", true},
		{"Grep", `{"pattern":"x","path":"/p/src/a.ts"}`, "Grep(src/**)", false},
		{"Glob", `{"pattern":"*.ts","path":"src"}`, "Glob(*.ts)", true},
		{"WebFetch", `{"prompt":"p","url":"https://example.com/x"}`, "WebFetch", true},
		{"WebFetch", `{"prompt":"p","url":"https://example.com/x"}`, "WebFetch(*)", true},
		{"WebFetch", `{"prompt":"p","url":"https://example.com/x"}`, "WebFetch(domain:*)", false},
		{"WebFetch", `{"prompt":"p","url":"https://example.com/x"}`, "WebFetch(*example*)", false},
		{"WebSearch", `{"query":"cats"}`, "WebSearch(cats)", false},
		{"Agent", `{"prompt":"p","subagent_type":"Explore"}`, "Task", true},
		{"Agent", `{"prompt":"p","subagent_type":"Explore"}`, "Task(*)", true},
		{"Agent", `{"prompt":"p","subagent_type":"Explore"}`, "Task(Explore)", false},
		{"Skill", `{"skill":"hello"}`, "Skill(hello)", false},
		{"NotebookEdit", `{"notebook_path":"/p/a.ipynb","new_source":"x"}`, "NotebookEdit(*.ipynb)", true},
		{"NotebookEdit", `{"notebook_path":"/p/a.ipynb","new_source":"x"}`, "Edit(*.ipynb)", false},
		{"mcp__srv__tool", `{}`, "mcp__srv__tool", true},
		{"mcp__srv__tool", `{}`, "mcp__srv__tool(*)", true},
		{"mcp__srv__tool", `{"text":"x"}`, "mcp__srv__tool(x)", false},
		{"mcp__srv__tool", `{}`, "mcp__srv", false},
		{"mcp__srv__tool", `{}`, "mcp__srv__t*", false},
		{"Read", `{"file_path":"/p/a"}`, "Read(./*)", true},
		{"Read", `{"file_path":"/p/a"}`, "Read(.)", false},
		{"Read", `{"file_path":"/p/a"}`, "Read(../p*)", false},
		{"Read", `{"file_path":"/a"}`, "Read(../*)", false},
		{"Read", `{"file_path":"/p/a"}`, "Read(/../*)", false},
		{"Read", `{"file_path":"/p/a"}`, "Read(~/../*)", false},
	} {
		payload := `{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"` + tt.tool + `","tool_input":` + tt.input +
			`}`
		c, _ := New().DecodeCall([]byte(payload), nil)
		got, err := New().Holds(&schema.Hook{Condition: tt.condition}, c, New().Views(c)[0], home)
		if err != nil || got != tt.want {
			t.Errorf("%s on %s: %t %v", tt.condition, payload, got, err)
		}
	}
	if holds, _ := New().Holds(&schema.Hook{Condition: "Bash"}, &schema.Call{Event: schema.Stop}, schema.View{},
		""); holds {
		t.Error("a condition holds on Stop")
	}
}

// TestHoldsAsDocumented has rules for which Claude Code 2.1.332 runs no hook although its documentation of permission
// rules has them. Under another agent they hold as documented.
func TestHoldsAsDocumented(t *testing.T) {
	for _, tt := range []struct {
		tool, input, condition string
		want                   bool
	}{
		{"WebFetch", `{"prompt":"p","url":"https://u:p@EXAMPLE.com.:80/x"}`, "WebFetch(domain:Example.com)", true},
		{"WebFetch", `{"prompt":"p","url":"https://a.example.com/"}`, "WebFetch(domain:*.example.com)", true},
		{"WebFetch", `{"prompt":"p","url":"https://evil.org/?example.com"}`, "WebFetch(domain:example.com)", false},
		{"Agent", `{"prompt":"p","subagent_type":"Explore"}`, "Task(Explore)", true},
		{"Agent", `{"prompt":"p","subagent_type":"Explore"}`, "Agent(Other)", false},
		{"mcp__srv__tool", `{}`, "mcp__srv", true},
		{"mcp__srv__tool", `{}`, "mcp__srv__t*", true},
		{"mcp__srv__tool", `{}`, "mcp__srv2", false},
	} {
		payload := `{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"` + tt.tool + `","tool_input":` + tt.input +
			`}`
		c, _ := New().DecodeCall([]byte(payload), nil)
		h := &schema.Hook{Condition: tt.condition, Native: c.Native}
		v := New().Views(c)[0]
		if got, _ := New().Holds(h, c, v, ""); got {
			t.Errorf("%s holds on %s", tt.condition, payload)
		}
		if may, err := New().MayHold(h, v); may || err == nil {
			t.Errorf("%s may hold: %t, %v", tt.condition, may, err)
		}

		c.Dialect = "another"
		if got, err := New().Holds(h, c, v, ""); err != nil || got != tt.want {
			t.Errorf("under another agent, %s on %s: %t %v", tt.condition, payload, got, err)
		}
	}
}

// TestCommandHolds has lines that were run in Claude Code 2.1.328 with the conditions Bash(rm:*), Bash(rm x) and, for
// lines that it can't decide, Bash(zz yy) and Bash(zzz:*). The client decides the lines in undecided, too.
func TestCommandHolds(t *testing.T) {
	const (
		none = ""
		name = "rm:*"
		same = "rm:*|rm x"
		open = "rm x|zz yy" // with a variable only other names are decided
		both = "rm:*|rm x|zz yy"
		all  = "rm:*|rm x|zz yy|zzz:*" // not parsed
	)
	lines := map[string]string{
		"rm x": same, "rm y": name, "ls": none, "": none, "  rm\tx": same, "'rm' x": same, `r''m "x"`: same,
		`"rm x"`: same, `\rm x`: same,
		"FOO=1 B='x y' rm x": same, "2>&1 rm x": same, "rm x >out 2>&1": same, "! rm x": same, "# c\nrm x": same,
		"rm \\\nx":   same,
		"ls && rm x": same, "ls|rm x": same, "ls;rm x": same, "ls & rm x": same, "ls\nrm x": same,
		"(cd a && rm x)":         same,
		"if true; then rm x; fi": same, "while ls; do rm x; done": same, "for i in a; do rm x; done": same,
		"if rm x":   same,
		"X=$(rm x)": same, "xargs rm x": same,
		"cat <<'E'\nrm x\nE": none, "cat <<'E'\na\nE\nrm x": same, "rm x <<< y": same,
		"for i in $(rm x); do ls; done": same,
		"sudo rm x":                     none, "env rm x": none, "xargs -0 rm x": none, `bash -c "rm x"`: none,
		"echo 'rm x'": none, "ls # rm x": none, "time rm x": none,
		"ls $X": open, "ls $(ls)": open, "ls `ls`": open, "rm $X": both, "ls $(rm x)": both,

		"echo a | xargs rm $X": all, "{fd}>/dev/null ls": all, "time { ls; }": all, "{ls,f}": all,
		"coproc N { ls; }": all, "exec 3>&1 ls a": all,
		`sh -c ls\ f`: all, "bash <<E\nls\nE": all, "{ ls; }": all, "f() { ls; }": all, "case x in a) ls;; esac": all,
		"((1))": all, "cat <(ls)": all,
		"$X a": all, "$(ls) a": all, "ls a$X": all, `ls "$X"`: all, "ls ${X}": all, "ls; ls $X": all, "A=1 ls $X": all,
		"sudo $X": all, "env a $X": all,
		"ls $(ls; ls)": all, "ls $(ls > a)": all, "(ls; ls)": all, "(ls) > a": all, "ls > a b": all, "ls >&-": all,
		"ls > $X": all, "IFS=x ls": all,
		"A=1 B=2": all, "A=(x)": all, "a[0]=1 ls": all, "A=~ ls": all, "ls $'a'": all, "ls =x": all, "ls {a,b}": all,
		"ls a\\ b": all, "ls a\\\nb": all,
		"ls\u00a0a": all, "ls \x01": all, "ls \xff": all, "ls )": all, "ls \"": all, "ls &&": all, "; ls": all,
		"then ls": all, "ls; fi": all,
		"[ $X ]": all, "[[ $X == a ]]": all, "declare -n X=y": all, "unset \"$X\"": all,
		"X=1; ls $X":          all,
		"cat <<'E'; ls\na\nE": all, "if true & then ls; fi": all, "for i in $X; do ls; done": all, "ls a$": all,
		"HOME=x; ls $HOME": all,
		"ls || # c\nls":    all, "( # c\nls)": all, "! cat > f <<'E'\na\nE": all, "ls; # c\nrm x": same,
		"[[ a =~ (b|c) ]] && ls": all, "[[ a =~ b|c ]]": all, "if a; then ls; fi 2>&1": all, "(ls) 2>&1": all,
		"ls 'a' $X": all, `ls \; $X`: all, "ls $((1)) $X": all, `\ls $X`: all, `ls "a" $X`: open, "ls {} * $X $X": open,
	}
	undecided := []string{"[ -f a ] && rm x", "'[' -f a ] && rm x", "[[ -f a ]] && rm x", "export A=$(rm x)",
		"export A=b; ls", "declare A=b", "typeset A", "local A", "readonly A", "unset A", "(unset A)"}
	for _, line := range undecided {
		lines[line] = all
	}
	for line, want := range lines {
		for _, spec := range []string{"rm:*", "rm x", "zz yy", "zzz:*"} {
			if got := commandHolds(line, wildcard.ParseCommand(spec)); got != slices.Contains(strings.Split(want, "|"),
				spec) {
				t.Errorf("%s on %q = %t", spec, line, got)
			}
		}
	}
}

// TestPathHolds has paths that were run in Claude Code 2.1.328, for the project /r/p, which is also the working folder.
func TestPathHolds(t *testing.T) {
	at := places{project: "/r/p", cwd: "/r/p", home: "/r/home"}
	for _, tt := range []struct {
		spec, path string
		want       bool
	}{
		{".env", "/r/p/sub/.env", true}, {"./.env", "/r/p/sub/.env", true}, {"/.env", "/r/p/.env", true},
		{"/.env", "/r/p/sub/.env", false},
		{".ENV", "/r/p/.env", true}, {"SRC/**", "/r/p/src/a.ts", true}, {"src/**", "/r/p/x/src/a.ts", false},
		{"./*.ts", "/r/p/src/a.ts", true},
		{"/r/p/src/a.ts", "/r/p/src/a.ts", true}, {"/r/p/SRC/a.ts", "/r/p/src/a.ts", true},
		{"/r/p/src/**", "/r/p/src/a.ts", false},
		{"//r/p/src/**", "/r/p/src/a.ts", true}, {"/etc/passwd", "/etc/passwd", true},
		{"/etc/**", "/etc/x/passwd", false}, {"//etc/**", "/etc/passwd", true},
		{".env", "/etc/.env", false}, {"**/.env", "/etc/.env", true}, {"*.ts", "/tmp/a.ts", true},
		{"src/**", "/tmp/src/a.ts", false}, {"**", "/etc/passwd", true},
		{"/**", "/r/q", false}, {"~/.ssh/**", "/r/home/.ssh/id", true}, {"~/.ssh/**", "/r/p/.ssh/id", false},
		{"~/.env", "~/.env", true},
		{".env", " .env", true}, {".env", ".env\t", true}, {".env", "\t/r/p/.env", true}, {".env", "~/.env", false},
		{"src/a.ts", "src/../src/a.ts", true},
		{"/src/**", "/r/p/src/../x", false}, {"!x", "/r/p/x", false}, {"../o/**", "/r/o/x", true},
		{"../o/**", "/o/x", false}, {"/src/**", `C:\r\p\src\a`, false}} {
		if got := pathHolds(tt.spec, tt.path, at); got != tt.want {
			t.Errorf("%s on %q = %t", tt.spec, tt.path, got)
		}
	}
	if !pathHolds("/src/**", "/x", places{}) || !pathHolds("x", "a", places{}) {
		t.Error("a pattern of an unknown project must match")
	}
	if !pathHolds("/src/**", `C:\p\src\a.ts`, places{project: `c:\p`}) {
		t.Error("a Windows path does not match")
	}
}

// FuzzHolds checks that no condition and no command crash the reader.
func FuzzHolds(f *testing.F) {
	for _, seed := range [][2]string{{"Bash(git *)", "echo \"$(git push)\" `x` <<E\n${a}\nE\n"},
		{"Bash(a:*)", "((1))&&[[ a < b ]] || f() { x; }"}, {`Bash(\()`, "$'\\'"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, condition, command string) {
		input, _ := json.Marshal(map[string]string{"command": command})
		c, _ := New().DecodeCall([]byte(`{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":`+
			string(input)+`}`), nil)
		if got, err := New().Holds(&schema.Hook{Condition: condition}, c, New().Views(c)[0], "/h"); err != nil && got {
			t.Error("a condition that can't be read holds")
		}
		pathHolds(condition, command, places{"/p", "/p", "/h"})
	})
}
