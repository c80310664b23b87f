package survey_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/schema"
)

// ForEntry finds the files that an agent itself would load.
func ExampleForEntry() {
	project, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(project)
	os.Mkdir(filepath.Join(project, ".cursor"), 0o700)
	os.WriteFile(filepath.Join(project, ".cursor", "hooks.json"), []byte(`{"version": 1, "hooks": {
		"stop": [{"command": "./tests.sh"}]}}`), 0o600)

	cursor, _ := adapter.Find("cursor")
	found, ds := survey.ForEntry(cursor, schema.Places{OS: "linux", Project: project}, nil)
	for _, h := range found.Hooks {
		fmt.Println(h.Native, h.Command, filepath.Base(h.Source.File))
	}
	fmt.Println(len(ds), "findings")
	// Output:
	// stop ./tests.sh hooks.json
	// 0 findings
}
