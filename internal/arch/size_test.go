package arch

import (
	"bufio"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "lower the figures in testdata/sizes.txt, and add those of new packages")

// widest is the longest line that Go code may have, a tab as one column.
const widest = 120

// A size is what a package may have: lines that are too long, which new code must not add to, and kB of
// code without comments, white space and tests.
type size struct{ long, code int }

const sizesFile = "testdata/sizes.txt"

// TestSize holds each package to its figures. They only fall: narrower or smaller code lowers them by
// -update, and a capability that needs more raises its row by hand, where a reviewer sees it.
func TestSize(t *testing.T) {
	got, limits := measured(t), readSizes(t)
	for name, g := range got {
		limit, known := limits[name]
		switch {
		case !known && !*update:
			t.Errorf("%s: no figures in %s; run go test ./internal/arch -run TestSize -update", name, sizesFile)
		case known && g.long > limit.long:
			t.Errorf("%s: %d lines have more than %d columns; at most %d", name, g.long, widest, limit.long)
		case known && g.code > limit.code:
			t.Errorf("%s: %d kB of code; at most %d", name, g.code, limit.code)
		}
		if known {
			got[name] = size{min(g.long, limit.long), min(g.code, limit.code)}
		}
	}
	if *update && !t.Failed() {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(got)) {
			fmt.Fprintf(&b, "%-24s %4d long lines %5d kB\n", name, got[name].long, got[name].code)
		}
		if err := os.WriteFile(sizesFile, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func readSizes(t *testing.T) map[string]size {
	t.Helper()
	file, err := os.Open(sizesFile)
	if err != nil && *update {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list := map[string]size{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var name string
		var s size
		if _, err := fmt.Sscanf(lines.Text(), "%s %d long lines %d kB", &name, &s.long, &s.code); err != nil {
			t.Fatalf("%s: %q: %v", sizesFile, lines.Text(), err)
		}
		list[name] = s
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

func measured(t *testing.T) map[string]size {
	t.Helper()
	bytes, list := map[string]int{}, map[string]size{}
	for _, path := range strings.Fields(goFiles(t)) {
		text, err := os.ReadFile(filepath.Join("../..", path))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "// Code generated ") {
			continue
		}
		name := filepath.ToSlash(filepath.Dir(path))
		s := list[name]
		for line := range strings.Lines(string(text)) {
			if utf8.RuneCountInString(strings.TrimRight(line, "\r\n")) > widest {
				s.long++
			}
		}
		if !strings.HasSuffix(path, "_test.go") {
			bytes[name] += codeBytes(text)
		}
		s.code = (bytes[name] + 1023) / 1024
		list[name] = s
	}
	return list
}

// codeBytes is the length of a file's tokens.
func codeBytes(text []byte) (n int) {
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile("", -1, len(text)), text, nil, 0)
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return n
		case tok == token.SEMICOLON && lit == "\n": // inserted
		case lit != "":
			n += len(lit)
		default:
			n += len(tok.String())
		}
	}
}
