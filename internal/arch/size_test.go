package arch

import (
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is the longest line that Go code may have, with a tab as four columns.
const widest = 120

// TestWidth finds lines that are too long. Recorded documents in raw strings of tests, and the output that an example
// expects, keep their lines.
func TestWidth(t *testing.T) {
	for _, path := range strings.Fields(goFiles(t)) {
		text, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		recorded := map[int]bool{}
		if strings.HasSuffix(path, "_test.go") {
			recorded = rawLines(text)
		}
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			line = strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")
			if utf8.RuneCountInString(line) > widest && !recorded[n] && !strings.HasPrefix(line, "    // {") {
				t.Errorf("%s:%d: more than %d columns", path, n, widest)
			}
		}
	}
}

// rawLines returns the numbers of the lines of multi-line raw strings.
func rawLines(text []byte) map[int]bool {
	lines := map[int]bool{}
	tokens(text, func(line int, tok token.Token, lit string) {
		if n := strings.Count(lit, "\n"); tok == token.STRING && n > 0 {
			for i := range n + 1 {
				lines[line+i] = true
			}
		}
	})
	return lines
}

// goFiles lists the Go files under version control.
func goFiles(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("git", "-C", "../..", "ls-files", "*.go").Output()
	if err != nil {
		t.Skip("not a Git work tree: ", err)
	}
	return string(out)
}

// tokens calls see for each token of a file, with its line.
func tokens(text []byte, see func(line int, tok token.Token, lit string)) {
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		see(file.Line(pos), tok, lit)
	}
}
