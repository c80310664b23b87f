package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/launcher"
)

// TestLauncherInside checks that the launcher starts no program that may have come with the repository, whatever
// variable names it, but every program that the user has elsewhere.
func TestLauncherInside(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("for sh")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	write := func(file string, text []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// a checkout with a project below it, which has the launcher, in a home folder that is a checkout too
	home, checkout, project := in("home"), in("home", "repo"), in("home", "repo", "app")
	run := filepath.Join(project, filepath.FromSlash(cmdline.ProjectLauncher))
	write(run, launcher.Project().Shell())
	for _, dir := range []string{home, checkout} {
		write(filepath.Join(dir, ".git", "HEAD"), nil)
	}
	program := []byte("#!/bin/sh\necho started\nexit 0\n")
	for _, dir := range []string{"evil", "go/bin", ".local/bin", "node_modules/.bin", "bin"} {
		for _, of := range []string{project, checkout, home, in("tools")} {
			write(filepath.Join(of, filepath.FromSlash(dir), "hookbridge"), program)
		}
	}
	write(in("tools", "other"), program)
	for link, to := range map[string]string{"linked": project, "home/evil-link": filepath.Join(project, "evil")} {
		if err := os.Symlink(to, in(link)); err != nil {
			t.Fatal(err)
		}
	}

	for _, c := range []struct {
		env     string // in addition, or instead
		dir     string
		started bool
	}{
		{"", project, true}, // from the home folder, outside of any repository
		{"HOOKBRIDGE=" + in("tools", "other"), project, true},
		{"HOOKBRIDGE=" + in("tools", "evil", "hookbridge"), checkout, true},
		{"GOBIN=" + in("tools", "bin"), project, true},
		{"GOPATH=" + in("tools", "go"), project, true},
		{"PATH=" + in("tools", "bin") + ":/usr/bin:/bin", project, true},
		{"PATH=" + project + "/bin:" + in("tools", "bin") + ":/usr/bin:/bin", project, true},
		{"HOOKBRIDGE=" + project + "/evil/hookbridge", project, false},
		{"HOOKBRIDGE=" + checkout + "/evil/hookbridge", project, false},
		{"HOOKBRIDGE=./evil/hookbridge", project, false},
		{"HOOKBRIDGE=evil/hookbridge", project, false},
		{"HOOKBRIDGE=" + in("linked", "evil", "hookbridge"), project, false},
		{"HOOKBRIDGE=" + in("tools", "..", "home", "repo", "app", "evil", "hookbridge"), project, false},
		{"HOOKBRIDGE=/proc/self/cwd/evil/hookbridge", project, false},
		{"HOOKBRIDGE=" + run, project, false},
		{"GOBIN=" + project + "/bin", project, false},
		{"GOBIN=" + in("home", "evil-link"), project, false},
		{"GOBIN=bin", project, false},
		{"GOPATH=" + checkout + "/go", project, false},
		{"HOME=" + project, project, false},
		{"HOME=" + project + "/evil", project, false},
		{"PATH=" + project + "/node_modules/.bin:/usr/bin:/bin", project, false},
		{"PATH=" + checkout + "/bin:/usr/bin:/bin", checkout, false},
		{"PATH=" + in("linked", "bin") + ":/usr/bin:/bin", project, false},
		{"", in("nowhere"), false}, // below
	} {
		env := []string{"PATH=/usr/bin:/bin", "HOME=" + in("empty")}
		if c.env == "" && c.started {
			env[1] = "HOME=" + home
		}
		if c.env != "" {
			env = append(env, c.env)
		}
		dir := c.dir
		if dir == in("nowhere") { // node_modules of the project, without any variable
			dir = project
		}
		for _, sh := range []string{"sh", "bash", "dash"} {
			shell, err := exec.LookPath(sh)
			if err != nil {
				continue
			}
			for _, word := range []string{run, "." + strings.TrimPrefix(run, project)} {
				if word != run && dir != project {
					continue
				}
				cmd := exec.Command(shell, word, "run", "--host", "codex", "--missing", "closed")
				cmd.Dir, cmd.Env = dir, append(env, "PWD="+dir)
				out, _ := cmd.CombinedOutput()
				if started := strings.Contains(string(out), "started"); started != c.started {
					t.Errorf("%s %s with %q in %s: started %t\n%s", sh, word, c.env, dir, started, out)
				}
			}
		}
	}
}
