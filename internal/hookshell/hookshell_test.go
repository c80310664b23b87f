package hookshell

import (
	"context"
	"os"
	"runtime"
	"testing"

	"github.com/hookbridge/hookbridge/internal/process"
)

// TestSameAsShell checks that a hook's command ends here as in a real shell.
func TestSameAsShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	for _, command := range []string{"true", "exit 2", "echo no >&2; exit 2", "cat", "cat >seen; cat seen seen",
		"cat >/dev/null; echo '{}'", `case $(cat) in *rm*) echo "no" >&2; exit 2 ;; esac`, "echo \"$NAME in $PWD\"",
		"read -r line; printf '%s' \"${line##*a}\"", "no-such-program", "if grep -q rm; then exit 3; fi", "exit 300",
		"cd / && pwd"} {
		spec := process.Spec{Argv: process.ShellArgv("linux", command), Dir: t.TempDir(), Stdin: []byte("a rm b\n"),
			Env: []string{"PATH=" + os.Getenv("PATH"), "NAME=a b"}}
		want := process.Run(t.Context(), spec)
		run := Start(nil, spec)
		if run == nil {
			t.Fatalf("%s: isn't run here", command)
		}
		got := run(context.Background())
		if got.Exit != want.Exit || string(got.Stdout) != string(want.Stdout) ||
			(len(got.Stderr) > 0) != (len(want.Stderr) > 0) {
			t.Errorf("%s: %d %q %q, want %d %q %q", command, got.Exit, got.Stdout, got.Stderr, want.Exit, want.Stdout,
				want.Stderr)
		}
	}
	for _, argv := range [][]string{{"/bin/cat"}, {"/bin/sh", "script"}, {"/bin/sh", "-c", "if"}} {
		if Start(nil, process.Spec{Argv: argv}) != nil {
			t.Errorf("%q has to be started", argv)
		}
	}
}
