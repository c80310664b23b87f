//go:build linux

package hostile

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPromises checks that every promise of docs/security.md names a test, and that every test named there exists.
func TestPromises(t *testing.T) {
	doc, err := os.ReadFile(root + "/docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := allTests(t)
	promises, named := 0, 0
	inPromises := false
	for i, line := range strings.Split(string(doc), "\n") {
		switch {
		case strings.HasPrefix(line, "| promise |"):
			inPromises = true
			continue
		case !strings.HasPrefix(line, "|"):
			inPromises = false
		case strings.HasPrefix(line, "|---"):
			continue
		}
		if !inPromises {
			continue
		}
		promises++
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		words := strings.Split(cells[len(cells)-1], "`")
		if len(words) < 3 {
			t.Errorf("line %d: a promise without a test: %s", i+1, line)
		}
		for j := 1; j < len(words); j += 2 {
			named++
			if !tests[words[j]] {
				t.Errorf("line %d: there is no test %s", i+1, words[j])
			}
		}
	}
	t.Logf("%d promises name %d tests", promises, named)
	if promises < 20 {
		t.Errorf("%d promises", promises)
	}
}

// allTests lists the tests, fuzz targets and scripts of the module.
func allTests(t *testing.T) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		switch {
		case d.IsDir() && (name == ".git" || name == "node_modules"):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".txtar"):
			tests["TestScripts/"+strings.TrimSuffix(name, ".txtar")] = true
		case strings.HasSuffix(name, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for line := range bytes.Lines(text) {
				if rest, ok := bytes.CutPrefix(line, []byte("func ")); ok &&
					(bytes.HasPrefix(rest, []byte("Test")) || bytes.HasPrefix(rest, []byte("Fuzz"))) {
					word, _, _ := bytes.Cut(rest, []byte("("))
					tests[string(word)] = true
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}
