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

// laws are the tests that hold for every registered dialect, and of those with a
// part for each pair the parts with the otter. What asks for vectors and schemas of
// a dialect is not among them.
const laws = "Law|NeverNarrow|Allow|Vocabular|SameTranslations|Tables|Counts|Tools|Native|Imports|Matrix/otter"

// TestOtter registers a further dialect for real: the packages are built with one
// more package and one more line in the registry, and then the command line and
// every law are tried with it.
func TestOtter(t *testing.T) {
	if _, err := adapter.Find("otter"); err == nil {
		runScripts(t, "testdata/otter")
		return
	}
	if testing.Short() {
		t.Skip("builds the program anew")
	}
	overlay := registered(t, "otter", filepath.Join("..", "..", "dialect", "testdata", "outside"))
	for _, args := range [][]string{
		{"-run", "^TestOtter$", "."},
		{"-run", laws, "../../adapter/...", "../../internal/arch"},
	} {
		cmd := exec.Command("go", append([]string{"test", "-vet=off", "-overlay", overlay}, args...)...)
		cmd.Env = append(os.Environ(), "HOOKBRIDGE_DIALECTS=otter,claude,cursor") // of those that have no part for each pair
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(cmd.Args[1:], " "), err, out)
		}
	}
}

// registered returns an overlay for the go command in which the package of dir is
// part of this module, and the registry lists its dialect.
func registered(t *testing.T, name, dir string) (overlay string) {
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
		{"\t{\"claude\", func() Dialect { return claude.New() }},\n", "\t{\"" + name + "\", func() Dialect { return " + name + ".Dialect{} }},\n"},
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
