package install

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/schema"
)

// TestLauncherUnstarted starts the entries of every agent if the launcher itself can't be started: a shell exits with
// 126 or 127. With --missing closed the call is refused.
func TestLauncherUnstarted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("for sh")
	}
	spoil := map[string]func(file string) error{
		"missing":        os.Remove,
		"not executable": func(file string) error { return os.Chmod(file, 0o644) },
		"CRLF": func(file string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return os.WriteFile(file, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), 0o755)
		},
		"no interpreter": func(file string) error { return os.WriteFile(file, []byte("#!/nonexistent\n"), 0o755) },
		"a folder": func(file string) error {
			if err := os.Remove(file); err != nil {
				return err
			}
			return os.Mkdir(file, 0o755)
		},
	}
	for _, d := range launchable() {
		for what, by := range spoil {
			files, owner := hooksFor(d)
			x := project(t, files)
			x.Launcher, x.Hosts, x.Owners = launcher.Closed, []adapter.Dialect{d}, []adapter.Dialect{find(t, owner)}
			x.do(t, Install, -1)
			if err := by(filepath.Join(x.Places.Project, filepath.FromSlash(cmdline.ProjectLauncher))); err != nil {
				t.Fatal(err)
			}
			text, _ := os.ReadFile(FileOf(d, x.Places, schema.ScopeProject))
			own, _ := entries(d, text)
			for _, e := range own {
				if e.Call.Value("missing") != "closed" {
					continue
				}
				res := startEntry(t, d, e.Call, x.Places, x.Places.Project, "#!/bin/sh\nexit 0\n")
				if !refused(d, &res) {
					t.Errorf("%s, launcher %s: not refused: %d %s %s", d.Profile().Name, what, res.Exit, res.Stdout,
						strings.TrimSpace(string(res.Stderr)))
				}
			}
		}
	}
}
