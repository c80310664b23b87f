package matcher

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func bash(line string) Subject {
	return Subject{Names: []string{"Bash"}, Shell: true, Command: line}
}

func file(tool, path string) Subject {
	return Subject{Names: []string{tool}, HasPath: true, Path: path, Project: "/proj/p", Cwd: "/proj/p/pkg", Home: "/home/u"}
}

func TestParseRule(t *testing.T) {
	bad := []string{
		"Bash(git *) || Write(*.ts)", "Bash || Write", "Bash|Write", "Bash, Write", "Bash(git *), Write", "Bash(git *)|Write(x)",
		"Bash(git *) Write(x)", "Bash(git *", "Bash)", "(git *)", "Bash(a) b", "Bash Write", "'Bash'", "Bash(a)||Write)",
	}
	for _, s := range bad {
		r, err := ParseRule(s)
		if err == nil {
			t.Errorf("ParseRule(%q) has no error", s)
		}
		if !r.Match(bash("ls")) || !r.Match(Subject{}) {
			t.Errorf("%q: a rule that cannot be read must match", s)
		}
	}
	for _, s := range []string{"", "*", "Bash", "Bash()", "Bash(*)", "Bash(git *)", "Bash(a || b)", "Bash(echo :))", "Bash(echo (a) b)", `Bash(print\(1\))`, "mcp__a-b__c.d", " Bash "} {
		if _, err := ParseRule(s); err != nil {
			t.Error(err)
		}
	}
}

func TestRuleNames(t *testing.T) {
	tests := []struct{ rule, yes, no string }{
		{"", "Bash Write", ""},
		{"*", "", "Bash Write *"},
		{"Bash", "Bash", "bash BashOutput Write"},
		{"Bash()", "Bash", "Write"},
		{"bash", "bash", "Bash"},
		{"mcp__srv__tool", "mcp__srv__tool", "mcp__srv__tools mcp__srv mcp__srv__tool__x"},
		{"mcp__srv", "mcp__srv__tool mcp__srv__other", "mcp__srv2__tool mcp__sr Bash"},
		{"mcp__srv__*", "mcp__srv__tool", "mcp__srv2__tool mcp__srv"},
		{"mcp__srv__get_*", "mcp__srv__get_x", "mcp__srv__set_x"},
		{"mcp__", "mcp__", "mcp__srv__tool"},
		{"Web*", "Web*", "WebFetch"},
	}
	for _, tt := range tests {
		r, err := ParseRule(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(tt.yes) {
			if !r.Match(Subject{Names: []string{"other", name}}) {
				t.Errorf("%q does not match %s", tt.rule, name)
			}
		}
		for _, name := range strings.Fields(tt.no) {
			if r.Match(Subject{Names: []string{name}}) {
				t.Errorf("%q matches %s", tt.rule, name)
			}
		}
	}
}

func TestRuleShell(t *testing.T) {
	const (
		git  = "Bash(git *)"
		push = "Bash(git push *)"
	)
	tests := []struct {
		rule, line string
		want       bool
	}{
		{git, "git push", true},
		{git, "git", true},
		{git, "  git\tpush  ", true},
		{git, "gitk", false},
		{git, "Git push", false},
		{git, "ls git", false},
		{git, "", false},
		{"Bash(git*)", "gitk", true},
		{"Bash(git:*)", "git push", true},
		{"Bash(git:*)", "git", true},
		{"Bash(git:*)", "gitk", false},
		{"Bash(git push:*)", "git push -f", true},
		{"Bash(git push:*)", "git pushy", false},
		{"Bash(npm test)", "npm test", true},
		{"Bash(npm test)", "npm  test", true},
		{"Bash(npm test)", "npm test x", false},
		{"Bash(a || b)", "a || b", true},
		{"Bash(git * main)", "git push origin main", true},
		{"Bash(git * main)", "git push origin dev", false},
		{"Bash(* --force)", "git push --force", true},
		{"Bash(* --force)", "git push", false},
		{`Bash(echo \*)`, "echo *", true},
		{`Bash(print\(1\))`, "'print(1)'", true},
		{"Bash(ls)", "Ls", false},

		// Subcommands.
		{git, "ls && git push", true},
		{git, "ls || git push", true},
		{git, "ls; git push", true},
		{git, "ls | git push", true},
		{git, "ls |& git push", true},
		{git, "ls & git push", true},
		{git, "ls\ngit push", true},
		{git, "ls\r\ngit push\r\n", true},
		{git, "(git push)", true},
		{git, "( cd x; ( git push ) )", true},
		{git, "{ git push; }", true},
		{git, "! git push", true},
		{git, "if git push; then ls; fi", true},
		{git, "if ls; then git push; fi", true},
		{git, "for i in a b; do git push $i; done", true},
		{git, "while true; do ls; done; git push", true},
		{git, "f() { git push; }; f", true},
		{git, "function f { git push; }", true},
		{git, "echo $(git push)", true},
		{git, `echo "$(git push)"`, true},
		{git, `echo "a $(echo "$(git push)") b"`, true},
		{git, "echo `git push`", true},
		{git, "echo \"`git push`\"", true},
		{git, "echo `echo \\`git push\\``", true},
		{git, "diff <(git push) x", true},
		{git, "ls > >(git push)", true},
		{git, "echo ${x:-$(git push)}", true},
		{git, `echo "${x:-'}" ; git push; echo "'}"`, true},
		{git, "a=(x y); git push", true},
		{git, "a=$(git push)", true},
		{git, "echo $((1 + $(git push)))", true},
		{git, "[[ a < b && -f c ]] && git push", true},
		{git, "[[ $a =~ ^(x|y)$ ]] && ls", false},
		{git, "(( x << 1 )) && git push", true},
		{git, "cat <<EOF\n$(git push)\nEOF\n", true},
		{git, "cat <<EOF\nx\nEOF\ngit push", true},
		{git, "ls # && git push", false},
		{git, "ls # it's\ngit push", true},
		{git, "cat <<'EOF'\n$(git push) it's\nEOF\n", false},
		{git, "cat <<-X\n\tgit push\n\tX\nls", false},
		{git, "cat <<< 'git push'", false},
		{git, "echo 'a; git push'", false},
		{git, `echo "a && git push"`, false},
		{git, `echo a\; git push`, false},
		{git, "echo '$(git push)'", false},
		{git, `echo "\$(git push)"`, false},
		{git, `echo \$\(git push\)`, false},
		{git, "echo $((1 + 2)) ${x} $y", false},
		{git, "git2 push; agit", false},

		// Assignments, redirections, quotes, line ends.
		{git, "FOO=1 git push", true},
		{git, "A=1 B='x y' C=\"$d\" git push", true},
		{git, "A+=1 b[0]=2 git push", true},
		{"Bash(FOO=1 git *)", "FOO=1 git push", true},
		{git, "FOO=git push", false},
		{git, "FOO=git", false},
		{git, ">out git push", true},
		{git, "2>&1 >out git push", true},
		{"Bash(git push)", "git push >out 2>&1", true},
		{"Bash(git push)", "git push &>> out", true},
		{"Bash(git push)", "git push < in", true},
		{"Bash(git push)", "git >out push", true},
		{git, "echo x > git", false},
		{git, "'git' push", true},
		{git, `g"i"t push`, true},
		{git, `\git push`, true},
		{git, "gi\\\nt push", true},
		{git, "git \\\n push", true},
		{git, "time -p git push", true},
		{git, "timeout -s KILL 5 nohup git push", true},
		{git, "nice -n 5 git push", true},
		{git, "stdbuf -oL git push", true},

		// Not seen through.
		{git, "env git push", false},
		{git, `bash -c "git push"`, false},
		{git, "sudo git push", false},
		{git, "/usr/bin/git push", false},

		// Not known: it runs.
		{git, `echo "a`, true},
		{git, "echo 'a", true},
		{git, "echo $(ls", true},
		{git, "echo `ls", true},
		{git, "(ls", true},
		{git, "ls)", true},
		{git, "echo ${x", true},
		{git, "ls \\", true},
		{git, "ls >", true},
		{git, "cat <<EOF\nx", true},
		{git, "[[ a", true},
		{git, "case x in a) ls;; esac", true},
		{git, `echo "$(case x in a) ls;; esac)"`, true},
		{git, "ls " + strings.Repeat("$(", 60) + strings.Repeat(")", 60), true},
		{git, strings.Repeat("nohup ", 20) + "ls", true},
		{git, "$CMD push", true},
		{git, "$(which git) push", true},
		{git, "ls $x", false},
		{git, "ls $(pwd) `pwd`", false},
		{"Bash(git:*)", "ls $x", false},
		{"Bash(git)", "ls $x", false},
		{push, "ls", false},
		{push, "ls $x", true},
		{push, `ls "${x}"`, true},
		{push, "ls $(pwd)", true},
		{push, "ls `pwd`", true},
		{push, "ls $((1))", true},
		{push, `ls $'\x41'`, true},
		{push, "ls $'a'", false},
		{push, "ls '$x'", false},
		{push, `ls \$x "\$x" a$ "$" $`, false},
		{push, "cat <<'EOF'\n$x\nEOF\n", false},
		{push, "cat <<EOF\n$x\nEOF\n", true},
		{"Bash(*push*)", "ls $x", true},
	}
	for _, tt := range tests {
		r, err := ParseRule(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Match(bash(tt.line)); got != tt.want {
			t.Errorf("%s on %q = %t, want %t", tt.rule, tt.line, got, tt.want)
		}
	}
}

func TestSplitCommand(t *testing.T) {
	tests := []struct {
		line string
		want []string // the last form of each subcommand
	}{
		{"a b", []string{"a b"}},
		{`git commit -m "$(cat <<'EOF'
it's (done)
EOF
)" && git push`, []string{"cat", "git commit -m $(cat <<'EOF'\nit's (done)\nEOF\n)", "git push"}},
		{"X=1 a 'b c' 2>/dev/null | d", []string{"a b c", "d"}},
		{"X=1", nil},
		{"# only", nil},
	}
	for _, tt := range tests {
		cmds, _, ok := splitCommand(tt.line)
		var got []string
		for _, c := range cmds {
			got = append(got, c.forms[len(c.forms)-1])
		}
		if !ok || !cmp.Equal(got, tt.want) {
			t.Errorf("%q: %t, %s", tt.line, ok, cmp.Diff(tt.want, got))
		}
	}
}

func TestRuleValue(t *testing.T) {
	tests := []struct {
		rule, value string
		want        bool
	}{
		{"T(domain:example.com)", "https://example.com/x?y", true},
		{"T(domain:Example.com)", "HTTPS://u:p@EXAMPLE.com:8080", true},
		{"T(domain:example.com)", "https://a.example.com", false},
		{"T(domain:example.com)", "https://example.com.evil.org", false},
		{"T(domain:example.com)", "https://evil.org/example.com", false},
		{"T(domain:example.com)", `https://example.com\@evil.org`, true},
		{"T(domain:example.com)", "https://example.com.", true},
		{"T(domain:example.com)", "example.com/x", true},
		{"T(domain:*.example.com)", "https://a.b.example.com", true},
		{"T(domain:*.example.com)", "https://example.com", false},
		{"T(domain:[::1])", "http://[::1]:80/", true},
		{"T(Explore)", "Explore", true},
		{"T(Explore)", "Explorer", false},
		{"T(a*c)", "a\nb/c", true},
		{"T(review *)", "review", true},
		{"T(x)", "", false},
	}
	for _, tt := range tests {
		r, err := ParseRule(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Match(Subject{Names: []string{"T"}, Value: tt.value}); got != tt.want {
			t.Errorf("%s on %q = %t, want %t", tt.rule, tt.value, got, tt.want)
		}
	}
}

// Neither a rule nor a command may take long, whatever it looks like.
func TestRuleTime(t *testing.T) {
	const n = 20000
	deep := file("T", "/"+strings.Repeat("a/", 2000)+"b")
	tests := []struct {
		rule string
		s    Subject
	}{
		{"T(" + strings.Repeat("**/", 200) + "x)", deep},
		{"T(" + strings.Repeat("*a", 200) + "x)", file("T", "/"+strings.Repeat("a", n))},
		{"Bash(" + strings.Repeat("*a", 200) + "x)", bash(strings.Repeat("a", n))},
		{"Bash(x)", bash(strings.Repeat(`$(( "((" ) ) `, n))},
		{"Bash(x)", bash(strings.Repeat(`((a) `, n))},
		{"Bash(x)", bash(strings.Repeat("nohup ", n))},
		{"Bash(x)", bash(strings.Repeat("`", n))},
		{"Bash(x)", bash(strings.Repeat(`"$(`, n))},
		{"Bash(x)", bash(strings.Repeat("${", n))},
		{"Bash(x)", bash(strings.Repeat("<<a ", n))},
	}
	for _, tt := range tests {
		r, err := ParseRule(tt.rule)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		r.Match(tt.s)
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%.40s on %.40s took %v", tt.rule, tt.s.Command+tt.s.Path, d)
		}
	}
}

func FuzzRule(f *testing.F) {
	for _, seed := range [][2]string{
		{"Bash(git *)", "echo \"$(git push)\" `x` <<E\n${a}\nE\n"}, {"Bash(a:*)", "((1))&&[[ a < b ]] || f() { x; }"},
		{"Write(**/**/**)", "/a/b/c"}, {"Write([a-)", "a"}, {"X(domain:*.a)", "http://b.a"}, {"mcp__*", "x"}, {`A(\()`, "$'\\'"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, rule, target string) {
		r, err := ParseRule(rule)
		tool, _, _ := strings.Cut(strings.TrimSpace(rule), "(")
		names := []string{tool}
		start := time.Now()
		got := r.Match(Subject{Names: names, Shell: true, Command: target})
		r.Match(Subject{Names: names, HasPath: true, Path: "/" + target, Project: "/", Cwd: "/a", Home: "/b"})
		r.Match(Subject{Names: names, HasPath: true, Path: target})
		r.Match(Subject{Names: names, Value: target})
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("took %v", d)
		}
		if err != nil && !got {
			t.Error("a rule that cannot be read must match")
		}
	})
}
