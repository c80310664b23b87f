package codex

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// TestPatchesOfTheClient checks which files a patch changes. The rows were run in the real client: Changed is empty if
// it rejected the patch, which hookbridge may read in any way.
func TestPatchesOfTheClient(t *testing.T) {
	src, err := os.ReadFile("testdata/patches.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Name, Patch string
		Changed     []string
	}
	if err := json.Unmarshal(src, &rows); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		files, err := grammar.Read(row.Patch)
		if len(row.Changed) == 0 {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", row.Name, err)
		}
		var changed []string
		for _, p := range family.PatchParts(&schema.Call{}, files) {
			changed = append(changed, p.Tool.Input.Text(schema.RolePath))
		}
		slices.Sort(changed)
		if d := cmp.Diff(row.Changed, slices.Compact(changed)); d != "" {
			t.Errorf("%s: (-client +read)\n%s", row.Name, d)
		}
	}
}
