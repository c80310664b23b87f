package shell

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
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
	"if a; then b; elif rm a; then c; else rm b; fi", "while rm a; do ls; done", "until a; do rm a; done",
	"for i in $(rm a); do rm b; done", "for ((i=0;i<3;i++)); do rm a; done", "for i; do rm a; done",
	"select i in a; do rm a; done", "f() { rm a; }", "function g { rm a; }", "function h() ( rm a )", "{ rm a; }",
	"( rm a )", "! rm a", "time rm a", "time -p rm a", "coproc rm a", "coproc N { rm a; }", "sudo rm a",
	"export A=$(rm a)", "declare -a A=($(rm a))", "local B=`rm a`", "# rm c\n", `a\ b`, `"a\"$(rm a)"`, `$'a\'b'`,
	`$"a $(rm a)"`, "{a,$(rm a)}", "~/x", "-x", "--", "then", "do", "else", "in", "fi", "done", "}", ")", "(",
	"{",
}

// TestPeer holds that no program hides from Runs that the parser of shfmt finds in a line. A line
// that can't be read is no matter: it matches every condition and deletes something unknown.
func TestPeer(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	read := 0
	for range 60000 {
		var b strings.Builder
		for range 1 + r.Intn(4) {
			b.WriteString(pieces[r.Intn(len(pieces))] + []string{"", " ", " ", "; "}[r.Intn(4)])
		}
		line := b.String()
		if r.Intn(3) == 0 { // in the middle of something
			i := r.Intn(len(line))
			line = line[:i] + pieces[r.Intn(len(pieces))] + line[i:]
		}
		f, err := syntax.NewParser().Parse(strings.NewReader(line), "")
		runs, ok := Runs(line)
		if err != nil || !ok {
			continue
		}
		read++
		var found []string
		for _, run := range runs {
			found = append(found, textOf(run.Words))
		}
		syntax.Walk(f, func(n syntax.Node) bool {
			call, ok := n.(*syntax.CallExpr)
			odd := func(w *syntax.Word) bool { return w.Lit() == "" || strings.Contains(w.Lit(), `\`) }
			if !ok || len(call.Args) == 0 || slices.ContainsFunc(call.Args, odd) {
				return true
			}
			var words []string
			for _, w := range call.Args {
				words = append(words, w.Lit())
			}
			mixed := strings.Contains(line, "coproc") && len(call.Assigns) > 0 // it loses their order
			if s := strings.Join(words, " "); !mixed && !slices.Contains(found, s) {
				t.Errorf("%q hides %q: %q", line, s, found)
			}
			return true
		})
	}
	if read < 10000 {
		t.Errorf("only %d lines were read by both", read)
	}
}

func textOf(words []Word) string {
	var list []string
	for _, w := range words {
		list = append(list, w.Text())
	}
	return strings.Join(list, " ")
}
