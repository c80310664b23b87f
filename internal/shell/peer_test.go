package shell

import (
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pieces are what TestPeer makes lines of.
var pieces = []string{
	"ls", "rm x", "b c", "$(rm a)", "`rm a`", `"$(rm a)"`, "'q'", "$X", "${X:-$(rm a)}", "${X[$(rm a)]}",
	"${ rm a; }", "X=1", "X=(a b)", "X=($(rm a))", "X+=(<(rm a))", "a[$(rm a)]=1", "a[1]=$(rm a)", ";", "&&",
	"||", "|", "|&", "&", "\n", "\\\n", "<<E\nrm c\nE\n", "<<'E'\nq $(rm c)\nE\n", "<<E\nq $(rm a)\nE\n",
	"<<-E\n\tq\n\tE\n", "<<< $(rm a)", "> f", "2>&1", "&> f", "<(rm a)", ">(rm a)", "$((1+2))", "$((X[$(rm a)]))",
	"$(( $(rm a) ))", "((1+2))", "(( X=$(rm a) ))", "[[ a =~ (b|c) ]]", "[[ -f $(rm a) ]]", "[[ a && b ]]",
	"[ -f a ]", "case a in a) rm a;; *) ls;; esac", "case $(rm a) in (a|b) ls;; esac",
	"case a in $(rm a)) ls;& b) rm b;;& esac", "if rm a; then ls; fi",
	"if a; then b; elif rm a; then c; else rm b; fi", "while rm a; do ls; done", "until :; do rm a; done",
	"for i in $(rm a); do rm b; done", "for ((i=0;i<3;i++)); do rm a; done", "for i; do rm a; done",
	"select i in a; do rm a; done", "f() { rm a; }", "function g { rm a; }", "function h() ( rm a )", "{ rm a; }",
	"( rm a )", "! rm a", "time rm a", "time -p rm a", "coproc rm a", "coproc N { rm a; }", "sudo rm a",
	"export A=$(rm a)", "declare -a A=($(rm a))", "local B=`rm a`", "# rm c\n", `a\ b`, `"a\"$(rm a)"`, `$'a\'b'`,
	`$"a $(rm a)"`, "{a,$(rm a)}", "~/x", "-x", "--", "then", "do", "else", "in", "fi", "done", "}", ")", "(",
	"{", "#", "# c \\\n", "a#b", "\"a\"#b", "\r\n", "\\", "'", "\"", "$", "`", "$(", "<<E", "<<'E'", "\nE\n",
	"a\n", "E\n", "\\\nE\n",
	"${", "[", "]", "((", "))", "*(", "@(a)", "let x=1", "é", "\\`rm a\\`",
}

// TestPeer checks that Runs finds every program that bash starts for a line. It skips unreadable lines, which match
// every condition and delete something unknown. bash finds no program in its PATH, and reports each.
func TestPeer(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	rc, log := filepath.Join(dir, "rc"), filepath.Join(dir, "log")
	if err := os.WriteFile(rc, []byte(`command_not_found_handle() { printf '%s\0' "$1" >>"$LOG"; return 127; }`),
		0o600); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	lines := 2000
	if testing.Short() {
		lines = 200
	}
	for read := 0; read < lines; {
		line := randomLine(r)
		programs, known := programsOf(line)
		if !known {
			continue
		}
		read++
		// background commands of one line must not write into the log of another
		lineLog := log + strconv.Itoa(read)
		c := exec.Command(bash, "--norc", "--noprofile", "-c", line)
		c.Dir, c.Env = dir, []string{"BASH_ENV=" + rc, "LOG=" + lineLog, "PATH=/nonexistent", "HOME=/nonexistent"}
		_ = c.Run() // most of them fail
		started, _ := os.ReadFile(lineLog)
		for name := range strings.SplitSeq(strings.TrimSuffix(string(started), "\x00"), "\x00") {
			if name = strings.TrimSuffix(name, "\r"); name != "" && !slices.Contains(programs, name) {
				t.Errorf("%q hides %q: %q", line, name, programs)
			}
		}
	}
}

func randomLine(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.Intn(5) {
		b.WriteString(pieces[r.Intn(len(pieces))] + []string{"", " ", " ", "; ", "\n"}[r.Intn(5)])
	}
	return b.String()
}

// programsOf returns the programs of a line; known is false if the line doesn't show all of them.
func programsOf(line string) (programs []string, known bool) {
	runs, ok := Runs(line)
	for _, run := range runs {
		ok = ok && run.Words[0].Fixed() && !run.Words[0].Pattern()
		programs = append(programs, run.Words[0].Text())
	}
	return programs, ok
}
