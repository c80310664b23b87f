package codebuddy

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestCommandRules has commands with the patterns, separated by two blanks, of rules for Bash. One list is the rules
// for which CodeBuddy Code 2.117.0 ran a hook, the other those for which it didn't.
func TestCommandRules(t *testing.T) {
	for _, tt := range []struct{ line, runs, none string }{
		{"echo a && git push x",
			"git push*  git push:*  echo a && git push x  git push x  GIT push*  git {push,pull}*  git *  *push*  e*x" +
				"  git p*  git p*x  **",
			"Git push:*  git push  git pus? x  a(b"},
		{"(git push y)", "", "git push*  git push:*  (git push y"},
		{"true; (git push y)", "git push*  git push:*", ""},
		{"echo $(git push y)", "", "git push*"},
		{"true; echo $(git push y)", "git push*", ""},
		{"FOO=1 git push y", "FOO=1 git push*", "git push*"},
		{"true; FOO=1 git push y", "FOO=1 git push*", "git push*"},
		{"true; git push > /tmp/out", "git push  git push*", "git push > /tmp/out"},
		{"git push > /tmp/out", "git push*", "git push"},
		{"echo 'a; git push x'", "", "git push*  git push x'"},
		{"true; git   push x", "git push*  git push:*", ""},
		{"git   push x", "git:*", "git push*  git push:*"},
		{"true; git 'push' x", "git push*", "git 'push'*"},
		{"true\ngit push x", "", "git push*  git push:*"},
		{"true & git push x", "", "git push*"},
		{"true; if true; then git push x; fi", "", "git push*"},
		{"git", "git:*  git*", "git *"},
		{"rm -rf /tmp/a/b", "rm -rf *  rm *  rm -rf /tmp/*  rm -rf /tmp/a/*", ""},
		{"rm -rf .git", "rm -rf *  rm *", ""},
		{"! git push x; true", "", "git push*"},
		{"true; sudo git push x", "sudo*", "git push*"},
		{"echo a |& git push x", "git push*", ""},
		{`true; git push "$X" y`, "git push*", ""},
		{"true; { git push x; }", "", "git push*"},
		{"true; git push 'unclosed", "git push*", "ls*"},
		{"./deploy x", "./deploy:*", "./deploy*  ./deploy *  deploy*"},
		{"npm run a:prod", "npm run *:prod  npm run *", ""},
		{"git push o --force", "git push * --force  git push *--force*", ""},
		{"curl https://x.y/z?a=1", "curl https://*  curl *?a=1  curl *  curl https://x.y/z?a=*", ""},
		{"test a", "test [ab]*  test ?*", "test [!b]*  test [c]*"},
		{"rm -rf $HOME/x", `rm -rf $HOME/*  rm -rf \$HOME/*`, ""},
		{`git commit -m "a b"`, `git commit -m "*"  git commit -m *  git commit*`, ""},
		{"a+b c", `a+b*  a\+b*`, "a.b*"},
		{"cat ~/x", "cat ~/x*  cat ~/*", ""},
		{"ls | grep x", "ls | grep*  ls*  grep*", ""},
		{"echo 1 2", "echo {1..3}*  !ls*", "#*  ^echo*  echo*$"},
		{`true; echo "a b" c`, "echo a b c  echo a b *", `echo "a b"*`},
		{`true; echo a\ b`, `echo a b  echo a\ b*`, ""},
		{"true; cat *.txt", "cat", "cat *  cat *.txt"},
		{"true; cat a.txt # git push", "cat a.txt  cat*", "git push*"},
		{"true; ls 2>&1 | git push x", "git push*  ls 2", "ls"},
		{"true; cat <<EOF\ngit push x\nEOF", "cat*", "git push*"},
		{"true; git push x\n", "git push*  git push x", ""},
		{"true; ls\ngit push x", "", "git push*"},
		{"true && `git push x`", "", "git push*"},
		{"  git push x  ", "git push*  git push x", ""},
		{"true;git push x", "git push*", ""},
		{"true||git push x", "git push*", ""},
		{`true; echo "$(git push x)"`, "", "git push*"},
		{"true; while git push x; do :; done", "while*  done*", "git push*"},
		{"git push a\nb", "", "git push*  git*b"},
	} {
		input := `{"command":` + string(ordjson.AppendString(nil, tt.line)) + `}`
		testRules(t, "Bash", input, tt.runs, tt.none)
	}
}

// TestTextRules has the same for inputs of other tools.
func TestTextRules(t *testing.T) {
	for _, tt := range []struct{ tool, input, runs, none string }{
		{"Read",
			`{"file_path":"/p/src/Deep/a.ts"}`,
			"*.ts  *.TS  src/**  **/src/**  src/deep/a.ts  *.{ts,js}  src/**/a.ts  *  **/*.ts  *.[t]s  **/deep/*",
			"src/*  /src/**  ./src/**  a.ts  {a,b}.ts  !*.js  !*.ts  ~/x  src  src/  */a.ts  [ab].ts  #a  .  ../*"},
		{"Write", `{"file_path":"src/.env","content":"x"}`, "*.env  .env  .env*  src/.env  src/*  **/.env  *  **", ""},
		{"WebFetch",
			`{"url":"https://example.com/x/y.html","prompt":"p"}`,
			"https://example.com/x/y.html  https://example.com/**  *.html  **/example.com/**  **  *",
			"https://example.com/*  *example*  y.html"},
		{"WebFetch", `{"prompt":"p","url":"https://example.com/x/y.html"}`, "p  *", "https://example.com/x/y.html"},
		{"Grep", `{"pattern":"a/b","path":"src"}`, "a/b  *  a/*", "src  b"},
		{"Glob", `{"pattern":"**/*.ts"}`, "**/*.ts  *.ts", "*.js"},
	} {
		testRules(t, tt.tool, tt.input, tt.runs, tt.none)
	}
}

func testRules(t *testing.T, tool, input, runs, none string) {
	t.Helper()
	payload := `{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"` + tool + `","tool_input":` + input + `}`
	c, _ := New().DecodeCall([]byte(payload), nil)
	v := New().Views(c)[0]
	for want, patterns := range map[bool]string{true: runs, false: none} {
		for _, pattern := range strings.Split(patterns, "  ") {
			if pattern == "" {
				continue
			}
			h := schema.Hook{Condition: tool + "(" + pattern + ")"}
			if got, err := New().Holds(&h, c, v, "/home/u"); got != want || err != nil {
				t.Errorf("%s on %s: %t, %v", h.Condition, input, got, err)
			}
		}
	}
}

// TestForms has conditions that were run in CodeBuddy Code 2.117.0 with the command "git push x": a condition that
// isn't a rule is true.
func TestForms(t *testing.T) {
	const payload = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push x"}}`
	c, _ := New().DecodeCall([]byte(payload), nil)
	v := New().Views(c)[0]
	for condition, want := range map[string]bool{
		"Bash(  git push*  )": true, " Bash": true, "Bash ": true, "Bash(git push*": true, "Bash)": true,
		"_x": false, "1x": true, "Bash()": true, "Bash( )": true, "*": true, "Bash|Write": true, "Write|Edit": true,
		"Bash,Write": true, "Bash(a)(b)": true, "Bash(a) ": false, "Bash\n(a)": true, "Bäsh": true,
		"mcp__a__b": false, "Bash(a\nb)": false,
	} {
		if got, _ := New().Holds(&schema.Hook{Condition: condition}, c, v, "/h"); got != want {
			t.Errorf("%q: %t", condition, got)
		}
	}
	if got, _ := New().Holds(&schema.Hook{Condition: "Write"}, &schema.Call{Event: schema.Stop},
		schema.View{Event: "Stop"}, "/h"); !got {
		t.Error("a condition on Stop doesn't hold")
	}
}

// TestForeignRules checks that under another agent, which may order fields differently, a rule holds for any text, and
// for every command that a line runs.
func TestForeignRules(t *testing.T) {
	for _, tt := range [][3]string{
		{"WebFetch", `{"prompt":"p","url":"https://a.b/c"}`, "WebFetch(https://a.b/c)"},
		{"Bash", `{"command":"if true; then git push x; fi"}`, "Bash(git push*)"},
		{"Bash", `{"command":"(git push x)"}`, "Bash(git push:*)"},
	} {
		payload := `{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"` + tt[0] + `","tool_input":` + tt[1] + `}`
		c, _ := New().DecodeCall([]byte(payload), nil)
		v := New().Views(c)[0]
		if got, _ := New().Holds(&schema.Hook{Condition: tt[2]}, c, v, "/h"); got {
			t.Errorf("%s holds on %s", tt[2], tt[1])
		}
		c.Dialect = "another"
		if got, _ := New().Holds(&schema.Hook{Condition: tt[2]}, c, v, "/h"); !got {
			t.Errorf("under another agent %s doesn't hold on %s", tt[2], tt[1])
		}
	}
}
