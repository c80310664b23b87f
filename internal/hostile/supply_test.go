//go:build linux

package hostile

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

const root = "../.."

func sbom(t *testing.T, form, program string) []byte {
	t.Helper()
	cmd := exec.Command("go", "run", "scripts/sbom.go", "-form", form, "-version", "v0", program)
	cmd.Dir = root
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.Bytes())
	}
	return out
}

// TestDependencies checks that docs/dependencies.md lists all linked code with its licenses, that the bill of materials
// matches, and that no license requires more than attribution.
func TestDependencies(t *testing.T) {
	table := string(sbom(t, "table", program))
	doc, err := os.ReadFile(root + "/docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	var bill struct {
		Format     string `json:"bomFormat"`
		Components []struct {
			Name, Version string
			Licenses      []struct{ Expression string }
		}
	}
	if err := json.Unmarshal(sbom(t, "cyclonedx", program), &bill); err != nil || bill.Format != "CycloneDX" {
		t.Fatalf("%v, %q", err, bill.Format)
	}
	for i, line := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
		cells := strings.Split(line, " | ")
		if c := bill.Components[i]; "| "+c.Name != cells[0] || c.Version != cells[1] || c.Licenses[0].Expression+
			" |" != cells[2] {
			t.Errorf("the bill says %v, the table %s", c, line)
		}
		if strings.HasPrefix(line, "| std ") {
			continue // the Go that builds
		}
		if !bytes.Contains(doc, []byte(line+"\n")) {
			t.Errorf("docs/dependencies.md lacks %s", line)
		}
		for _, id := range strings.Split(strings.TrimSuffix(cells[2], " |"), " AND ") {
			if !strings.Contains(" Apache-2.0 MIT BSD-3-Clause ISC ", " "+id+" ") {
				t.Errorf("%s: licence %s", cells[0], id)
			}
		}
	}
	if rows := strings.Count(string(doc), "| v"); rows != strings.Count(table, "| v") {
		t.Errorf("docs/dependencies.md has %d modules, the program %d", rows, strings.Count(table, "| v"))
	}
}

// TestReproducible builds the program here and from a copy elsewhere: the bytes are the same. The long form gives the
// second build an empty cache.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program twice, from nothing")
	}
	copied := t.TempDir()
	list, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Skipf("no list of files: %v", err)
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // removed and not yet committed
		}
		file := filepath.Join(copied, name)
		if err = os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
			err = os.WriteFile(file, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	module := strings.TrimSuffix(reflect.TypeFor[schema.Call]().PkgPath(), "/schema")
	build := func(dir string, env ...string) []byte {
		out := filepath.Join(t.TempDir(), "hookbridge")
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X "+
			module+"/internal/command/cli.version=v0", "-o", out, "./cmd/hookbridge")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), append(env, "CGO_ENABLED=0")...)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var env []string
	if long() {
		cache := t.TempDir()
		env = []string{"GOCACHE=" + cache}
	}
	a, b := build(root), build(copied, env...)
	if !bytes.Equal(a, b) {
		t.Errorf("%d bytes here, %d bytes there, not the same", len(a), len(b))
	}
	if here, _ := filepath.Abs(root); bytes.Contains(a, []byte(here)) {
		t.Error("the program holds the folder it was built in")
	}
}
