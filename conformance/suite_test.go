package conformance

import (
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hookbridge/hookbridge/internal/packed"
)

// loaded returns the vectors of the suite; the test fails if a file is wrong.
func loaded(t testing.TB) []Vector {
	t.Helper()
	list, bad := Load(os.DirFS("vectors"), "", Known)
	for _, p := range bad {
		t.Error(p)
	}
	if len(bad) > 0 {
		t.FailNow()
	}
	return list
}

// ownRunner returns a runner for hookbridge itself.
func ownRunner(t testing.TB) *Runner {
	return &Runner{
		Impl:    &Own{OS: runtime.GOOS, TempDir: t.TempDir(), Now: time.Now},
		TempDir: t.TempDir(), Environ: []string{"PATH=" + os.Getenv("PATH")}, OS: runtime.GOOS,
	}
}

// TestSuite runs every vector, and checks the texts of hookbridge's findings.
func TestSuite(t *testing.T) {
	list := loaded(t)
	if len(list) < 600 {
		t.Errorf("%d vectors, want 600 at least", len(list))
	}
	runner := ownRunner(t)
	done := readTexts(t, runner.Impl.(*Own))
	runner.Run(t.Context(), list, func(r Result) {
		if r.Outcome == Failed && !(*update && widen(t, r.Vector)) {
			t.Errorf("%s: %q (why: %s)", r.Vector.ID, r.Wrong, r.Vector.Why)
		}
	})
	done()
}

// TestNothingPasses checks that no vector accepts just any answer: it tries wrong ones, including that of a program
// that does nothing.
func TestNothingPasses(t *testing.T) {
	list := loaded(t)
	for _, wrong := range []Answer{{}, {Output: []byte(`{"nonsense":1}`)},
		{Findings: []Finding{{"HB000", "note", ""}}}} {
		for i := range list {
			if v := &list[i]; len(judge(v, &Request{Input: v.Input}, v.Output, &wrong)) == 0 {
				t.Errorf("%s passes with %s", v.ID, wrong.Append(nil))
			}
		}
	}
}

// TestEmbedded compares the embedded vectors with the folder.
func TestEmbedded(t *testing.T) {
	files := filesBelow(t, "vectors")
	now := packed.Pack(archive, files)
	switch {
	case now == archive && len(files) > 0:
	case !*update:
		t.Fatal("vectors.txt doesn't have the files of vectors/; -update writes it")
	default:
		if err := os.WriteFile("vectors.txt", []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}

	list, bad := Suite(Known)
	if want := loaded(t); len(bad) > 0 || !reflect.DeepEqual(list, want) {
		t.Errorf("%d vectors in the program, %d in the folder; %v", len(list), len(want), bad)
	}
	for _, glob := range []string{"reply/claude-to-cursor/*deny", "reply/cl*deny", "*deny", "*/grok-to-?i*", list[0].ID,
		"no/such"} {
		fits := func(all []Vector) (ids []string) {
			for _, v := range all {
				if Match(glob, v.ID) {
					ids = append(ids, v.ID)
				}
			}
			return ids
		}
		if some, _ := Suite(Known, "none", glob); !slices.Equal(fits(some), fits(list)) || len(some) > len(list) {
			t.Errorf("%s: %d vectors, %d of all", glob, len(fits(some)), len(fits(list)))
		}
	}
}

// TestDocumented checks the vectors and the recipe in docs/ci.md.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(kind string) string {
		_, rest, _ := strings.Cut(string(text), "```"+kind+"\n")
		code, _, _ := strings.Cut(rest, "```")
		return code
	}
	list, bad := Load(fstest.MapFS{"rm.json": {Data: []byte(block("json"))}}, "", Known)
	if len(list) != 3 || len(bad) > 0 {
		t.Errorf("%d vectors, %v", len(list), bad)
	}
	if runtime.GOOS == "windows" {
		return
	}
	check := exec.Command("/bin/sh", "-n")
	check.Stdin = strings.NewReader(block("sh"))
	if out, err := check.CombinedOutput(); err != nil || !strings.Contains(block("sh"), "hookbridge test") {
		t.Errorf("the recipe: %v: %s", err, out)
	}
}
