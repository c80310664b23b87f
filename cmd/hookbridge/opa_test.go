package main

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestOPAExample queries a real Open Policy Agent under three hosts. One policy decides for all of them, and a missing
// or undefined answer denies.
func TestOPAExample(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hook is a shell script")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the hook needs curl")
	}
	t.Setenv("HOOKBRIDGE_STATE_DIR", filepath.Join(t.TempDir(), "state"))
	t.Setenv("HOME", t.TempDir())
	hosts := []string{"cursor", "codex", "copilot"}
	hold := func(call, command, want string) {
		t.Helper()
		for _, host := range hosts {
			_, out, errs := output("fire", "--project", "../../examples/opa", "--host", host, "--hooks", "claude",
				"--event", "pre-tool", "--tool", "shell", "--input", `{"command":"`+command+`"}`, "--expect", want)
			if errs != "" {
				t.Errorf("%s under %s: %s%s", call, host, out, errs)
			}
		}
	}
	t.Setenv("OPA_URL", "http://127.0.0.1:1")
	hold("no server", "ls", "deny")

	opa := opaProgram(t)
	if out, err := exec.Command(opa, "test", "../../examples/opa/policy").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("OPA_URL", serveOPA(t, opa))
	hold("no policy", "ls", "deny")
	t.Setenv("OPA_URL", serveOPA(t, opa, "../../examples/opa/policy/guard.rego"))
	hold("a forbidden command", "rm -rf build", "deny")
	hold("another command", "ls", "none")
}

// opaProgram returns OPA from PATH, or builds it from its module in the folder that HOOKBRIDGE_OPA names.
func opaProgram(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("opa"); err == nil {
		return path
	}
	dir := os.Getenv("HOOKBRIDGE_OPA")
	if dir == "" {
		t.Skip("no opa in PATH, and HOOKBRIDGE_OPA names no folder to build it in: scripts/opa.sh")
	}
	out, err := exec.Command("../../scripts/opa.sh", dir).Output()
	if err != nil {
		t.Skip("OPA can't be built here: ", err)
	}
	return strings.TrimSpace(string(out))
}

// serveOPA starts a server on a free port and returns its address.
func serveOPA(t *testing.T, opa string, policies ...string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	cmd := exec.CommandContext(t.Context(), opa, append([]string{"run", "--server", "--addr", addr}, policies...)...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		if r, err := http.Get("http://" + addr + "/health"); err == nil {
			r.Body.Close()
			return "http://" + addr
		}
		select {
		case err := <-ended:
			t.Fatalf("the server ended: %v", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
