package dialect

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
)

// TestOutside compiles a dialect in another module, which can't import anything internal to this one.
func TestOutside(t *testing.T) {
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = filepath.Join("testdata", "outside")
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestContract keeps the contract small: anything that can be a field of the Profile isn't a method.
func TestContract(t *testing.T) {
	if n := reflect.TypeFor[Dialect]().NumMethod(); n > 30 {
		t.Errorf("a dialect has %d methods", n)
	}
}
