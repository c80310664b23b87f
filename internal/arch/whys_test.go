package arch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhys applies the rules of prose to the rule in each vector of the conformance suite: sentences of at most 25
// words.
func TestWhys(t *testing.T) {
	files, err := filepath.Glob("../../conformance/vectors/*/*.json")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}

	rules := append(compiledRules(proseRules), compiledRules(userRules)...)
	seen := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var vectors []struct{ ID, Why string }
		if err := json.Unmarshal(text, &vectors); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, v := range vectors {
			if seen[v.Why] {
				continue
			}
			seen[v.Why] = true
			found := prose(rules, v.Why)
			if n := len(strings.Fields(v.Why)); n < 3 || n > 25 {
				found = append(found, fmt.Sprintf("has %d words; write 3 to 25", n))
			}
			if !strings.HasSuffix(v.Why, ".") {
				found = append(found, "isn't a sentence")
			}
			for _, f := range found {
				t.Errorf("%s: %s (%s)", v.ID, f, v.Why)
			}
		}
	}
	t.Logf("%d texts", len(seen))
}
