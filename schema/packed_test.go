package schema

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/packed"
)

// TestPacked compares the program's schemas with the files of json/.
func TestPacked(t *testing.T) {
	names, err := filepath.Glob("json/*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}

	switch now := packed.Pack(documents, files); {
	case now == documents:
	case !*golden.Update:
		t.Error("json.txt doesn't have the files of json/: run this test with -update")
	default:
		if err := os.WriteFile("json.txt", []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
