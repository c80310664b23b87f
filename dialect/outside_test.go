package dialect

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
)

// TestOutside compiles a dialect that is part of another module, and so uses
// nothing that only this one may import.
func TestOutside(t *testing.T) {
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = filepath.Join("testdata", "outside")
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestContract keeps the contract small: what can be a field of the Profile is none
// of its methods.
func TestContract(t *testing.T) {
	if n := reflect.TypeFor[Dialect]().NumMethod(); n > 30 {
		t.Errorf("a dialect has %d methods", n)
	}
}
