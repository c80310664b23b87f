package jsonedit

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/internal/material"
)

// TestCorpus inserts a hook into published files, and removes it again.
func TestCorpus(t *testing.T) {
	corpus := material.Corpus(t)
	done, refused := 0, 0
	for _, dir := range []string{"claude", "cursor", "qoder"} {
		files, _ := filepath.Glob(filepath.Join(corpus, dir, "*.json"))
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{"/hooks/PreToolUse", "/hooks/preToolUse", "/hooks/stop", "/a/b/c"} {
				got, err := Insert(src, path, []byte(hook))
				if err != nil {
					t.Logf("%s: %v", filepath.Base(file), err)
					refused++
					continue
				}
				done++
				checkInsert(t, src, path, []byte(hook), got)
			}
		}
	}
	if done+refused == 0 {
		t.Skip("no corpus")
	}
	t.Logf("%d insertions, %d refused", done, refused)
}
