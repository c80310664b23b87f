package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// undated matches a sentence about what an agent lacks, without the version for which the tables state that.
var undated = regexp.MustCompile(`(Title|title)\s*\+\s*" (has no (known |such )?(event|tool|counterpart)|` +
	`has none like|never sends|doesn't know)`)

// TestChecked checks that a diagnostic about something missing from the tables names the version that was examined.
func TestChecked(t *testing.T) {
	if !undated.MatchString(`to.Title + " has no event " + name`) || undated.MatchString(
		`to.TitleChecked() + " has no event " + name`) {
		t.Fatal("the expression is wrong")
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.Contains(path, "testdata") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, at := range undated.FindAllIndex(text, -1) {
			t.Errorf("%s:%d: use TitleChecked", path, 1+strings.Count(string(text[:at[0]]), "\n"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
