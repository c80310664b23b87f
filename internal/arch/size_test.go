package arch

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "lower the figures in testdata/sizes.txt, and add those of new packages")

// widest is the longest line that Go code may have, a tab as four columns.
const widest = 120

const sizesFile = "testdata/sizes.txt"

// TestSize holds each package to a figure: kB of code without comments, white space and tests. It only falls:
// smaller code lowers it by -update, and a capability that needs more raises its row by hand, where a reviewer
// sees it.
func TestSize(t *testing.T) {
	got, limits := measured(t), readSizes(t)
	for name, kB := range got {
		limit, known := limits[name]
		switch {
		case !known && !*update:
			t.Errorf("%s: no figure in %s; run go test ./internal/arch -run TestSize -update", name, sizesFile)
		case known && kB > limit:
			t.Errorf("%s: %d kB of code; at most %d", name, kB, limit)
		}
		if known {
			got[name] = min(kB, limit)
		}
	}
	if *update && !t.Failed() {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(got)) {
			fmt.Fprintf(&b, "%-32s %4d kB\n", name, got[name])
		}
		if err := os.WriteFile(sizesFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWidth finds lines that are too long. Recorded documents in raw strings of tests, and the output that an
// example expects, keep their lines.
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

// rawLines are the numbers of the lines that raw strings of several lines are on.
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

func readSizes(t *testing.T) map[string]int {
	t.Helper()
	file, err := os.Open(sizesFile)
	if err != nil && *update {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var name string
		var kB int
		if _, err := fmt.Sscanf(lines.Text(), "%s %d kB", &name, &kB); err != nil {
			t.Fatalf("%s: %q: %v", sizesFile, lines.Text(), err)
		}
		list[name] = kB
	}
	return list
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

// measured is the size of each package in kB, rounded up. The plugin that a package writes counts as its code.
func measured(t *testing.T) map[string]int {
	t.Helper()
	list := map[string]int{}
	for _, path := range strings.Fields(goFiles(t)) {
		text, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.ToSlash(filepath.Dir(path))
		list[name] += 0
		if !strings.HasSuffix(path, "_test.go") && !strings.Contains(string(text), "// Code generated ") {
			list[name] += codeBytes(text)
		}
		if bytes.Contains(text, []byte("//go:embed plugin.js\n")) {
			script, err := os.ReadFile(filepath.Join("../..", name, "plugin.js"))
			if err != nil {
				t.Fatal(err)
			}
			list[name] += scriptBytes(script)
		}
	}
	for name, n := range list {
		list[name] = (n + 1023) / 1024
	}
	return list
}

// codeBytes is the length of a file's tokens.
func codeBytes(text []byte) (n int) {
	tokens(text, func(_ int, tok token.Token, lit string) {
		switch {
		case tok == token.SEMICOLON && lit == "\n": // inserted
		case lit != "":
			n += len(lit)
		default:
			n += len(tok.String())
		}
	})
	return n
}

// scriptParts are what white space in JavaScript is part of, and comments. The scripts have no regular expressions.
var scriptParts = regexp.MustCompile(
	`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|` + "`(?:\\\\.|[^`\\\\])*`" + `|\s+`)

// scriptBytes is the length of a script without comments and white space.
func scriptBytes(text []byte) int {
	return len(scriptParts.ReplaceAllFunc(text, func(part []byte) []byte {
		if strings.ContainsRune("\"'`", rune(part[0])) {
			return part
		}
		return nil
	}))
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
