package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
)

// laws matches the tests that apply to every registered dialect. For tests with a part for each pair, a name follows,
// and only its parts run. Tests that need vectors and schemas of a dialect are left out.
const laws = "Law|Allow|Vocabular|SameTranslations|Tables|Counts|Tools|Native|Imports|(NeverNarrow|Matrix)/"

// TestOtter registers an additional dialect for real: it builds the packages with one more package and one more line in
// the registry, then tries the command line and every law with it.
func TestOtter(t *testing.T) {
	if _, err := adapter.Find("otter"); err == nil {
		runScripts(t, "testdata/otter")
		return
	}
	if testing.Short() {
		t.Skip("builds the program anew")
	}
	t.Parallel()
	testRegistered(t, "otter", "otter.Dialect{}", "outside", "^TestOtter$")
}

// TestMarten does the same with a dialect derived from another one: Claude Code under other names, in 80 lines at most.
func TestMarten(t *testing.T) {
	if _, err := adapter.Find("marten"); err == nil {
		runScripts(t, "testdata/marten")
		return
	}
	if testing.Short() {
		t.Skip("builds the program anew")
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "dialect", "testdata", "derived", "marten.go"))
	if n := strings.Count(string(text), "\n"); err != nil || n > 80 {
		t.Errorf("the derived dialect has %d lines, error %v", n, err)
	}
	t.Parallel()
	testRegistered(t, "marten", "marten.New()", "derived", "^TestMarten$")
}

// testRegistered runs the scripts of an additional dialect, and every law with it. The laws run without recorded
// payloads, because those come from other agents.
func testRegistered(t *testing.T, name, value, dir, scripts string) {
	overlay := registered(t, name, value, filepath.Join("..", "..", "dialect", "testdata", dir))
	for _, args := range [][]string{
		{"-run", scripts, "."},
		{"-run", laws + name, "../../adapter/...", "../../internal/arch"},
	} {
		cmd := exec.Command("go", append([]string{"test", "-vet=off"}, args...)...)
		// the laws without a part for each pair; the program that the tests build also has the dialect
		cmd.Env = append(os.Environ(), "HOOKBRIDGE_DIALECTS="+name+",claude,cursor",
			"GOFLAGS="+os.Getenv("GOFLAGS")+" -overlay="+overlay,
			"HOOKBRIDGE_SHARED="+filepath.Dir(overlay))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(cmd.Args[1:], " "), err, out)
		}
	}
}

// registered returns an overlay for the go command. With it, the package in dir is part of this module and the registry
// lists its dialect.
func registered(t *testing.T, name, value, dir string) (overlay string) {
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	must(err)
	registry := filepath.Join(root, "adapter", "registry.go")
	source, err := os.ReadFile(registry)
	must(err)
	text := string(source)
	for _, x := range []struct{ before, line string }{
		{"\t\"github.com/hookbridge/hookbridge/schema\"\n", "\t\"github.com/hookbridge/hookbridge/" + name + "\"\n"},
		{"\t{\"claude\", func() Dialect { return claude.New() }},\n", "\t{\"" + name + "\", func() Dialect { return " +
			value + " }},\n"},
	} {
		if strings.Count(text, x.before) != 1 {
			t.Fatalf("the registry has no line %q", x.before)
		}
		text = strings.Replace(text, x.before, x.before+x.line, 1)
	}
	replaced := filepath.Join(t.TempDir(), "registry.go")
	must(os.WriteFile(replaced, []byte(text), 0o600))
	replace := map[string]string{registry: replaced}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	must(err)
	for _, f := range files {
		f, err := filepath.Abs(f)
		must(err)
		replace[filepath.Join(root, name, filepath.Base(f))] = f
	}
	overlay = filepath.Join(t.TempDir(), "overlay.json")
	must(os.WriteFile(overlay, jsondoc.Marshal(map[string]any{"Replace": replace}), 0o600))
	return overlay
}
