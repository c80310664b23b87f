package plugin

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestLauncherStatus starts the launcher with a hookbridge that ends with each status, for each host. One that couldn't
// start, with any status of the shell, counts as missing.
func TestLauncherStatus(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("for sh")
	}
	root := usualPlugin(t)
	p := open(t, root)
	apply(t, p, planned(t, p, Options{Hosts: hosts(p), Missing: "closed"}).Changes)
	dir := t.TempDir()
	started := []string{"exit 0", "exit 1", "exit 2"}
	missing := []string{"exit 3", "exit 64", "exit 126", "exit 127", "kill -9 $$",
		"#!/nonexistent/env node", ""}
	killed := []string{"printf '{}'; kill -9 $$", `echo '{"decision":"allow","permission":"allow"}'; kill -9 $$`,
		`printf '{"decis'; kill -9 $$`, "printf '{}'; exit 3"}
	for _, script := range slices.Concat(started, missing, killed) {
		program := filepath.Join(dir, "hookbridge")
		head := "#!/bin/sh\ncat >/dev/null\n"
		if strings.HasPrefix(script, "#!") || script == "" {
			head = ""
		}
		if err := os.WriteFile(program, []byte(head+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		if script == "" { // no shell runs it
			os.WriteFile(program, []byte("\x7fELF\x02\x01\x01\x00"), 0o755)
		}
		for _, d := range hosts(p) {
			host := " --host " + d.Profile().Name
			if d.Profile().Plugins.Fixed() {
				host = ""
			}
			for _, policy := range []string{" --missing closed", " --missing say", ""} {
				cmd := exec.Command("sh", "-c", cmdline.Launcher("${ROOT}")+" run"+host+policy)
				cmd.Env = []string{"ROOT=" + root, "HOME=" + dir, "PATH=" + dir + ":/usr/bin:/bin"}
				cmd.Stdin = strings.NewReader("{}")
				var errs bytes.Buffer
				cmd.Stderr = &errs
				out, _ := cmd.Output()
				status := cmd.ProcessState.ExitCode()
				row := d.Profile().Row(d.Profile().Generic(schema.PreTool))
				h := &schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand}
				read, _ := d.DecodeReply(h, schema.View{Event: row.Native}, &process.Result{Exit: status, Stdout: out,
					Stderr: errs.Bytes()})
				name := fmt.Sprintf("%q%s%s: exit %d, %q", script, host, policy, status, out)
				switch n := 0; {
				case strings.HasPrefix(script, "exit ") && len(script) == 6 && script[5] < '3':
					fmt.Sscan(script[5:], &n)
					if status != n || len(out) > 0 {
						t.Error(name + ": not its status")
					}
				case policy == " --missing closed" && read.Verdict != schema.Deny:
					t.Errorf("%s: %s: not refused: %+v", name, d.Profile().Name, read)
				case policy != " --missing closed" && status > 1:
					t.Error(name + ": a status that a host may take for a decision")
				}
				voided := status == 2 || slices.Contains(killed, script)
				if _, err := ordjson.Parse(out); len(out) > 0 && err != nil && !voided {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
}

// TestOthersFiles: an author's file under a name of the launcher is neither overwritten nor removed, and neither is one
// that only quotes the launcher.
func TestOthersFiles(t *testing.T) {
	for _, file := range []string{cmdline.LauncherFile, cmdline.LauncherFile + ".cmd"} {
		for _, text := range []string{"#!/bin/sh\necho mine\n", "echo mine\n# " + written + "\n", ""} {
			root := usualPlugin(t)
			p := open(t, root)
			path := filepath.Join(root, filepath.FromSlash(file))
			if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Plan(Options{Hosts: hosts(p), Missing: "closed"}); err == nil {
				t.Errorf("%s: %q would be overwritten", file, text)
			}
			for _, c := range open(t, root).Bare() {
				if c.Path == file {
					t.Errorf("%s: %q would be removed", file, text)
				}
			}
		}
	}
	for _, text := range []string{`{"mine": true}`, `{"hooks": {}, "mine": 1}`, `not JSON`} {
		root := usualPlugin(t)
		p := open(t, root)
		apply(t, p, planned(t, p, Options{Hosts: named(t, "codex"), Missing: "closed"}).Changes)
		file := fileOf(named(t, "codex")[0])
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(file)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, c := range open(t, root).Bare() {
			if c.Path == file {
				t.Errorf("%s: %q would be removed", file, text)
			}
		}
	}
}

// TestPluginUnstarted starts the entries of a plugin in every host if the launcher can't be started. With --missing
// closed the host reads a denial.
func TestPluginUnstarted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("for sh")
	}
	for what, text := range map[string]string{"missing": "", "CRLF": "#!/bin/sh\r\nexit 0\r\n",
		"no interpreter": "#!/nonexistent\n"} {
		root := usualPlugin(t)
		p := open(t, root)
		apply(t, p, planned(t, p, Options{Hosts: hosts(p), Missing: "closed"}).Changes)
		file := filepath.Join(root, filepath.FromSlash(cmdline.LauncherFile))
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		for _, d := range hosts(p) {
			tried := 0
			for _, h := range p.Take(d).Hooks {
				call, ok := cmdline.Parse(h.Command, h.Args)
				if !ok || call.Launcher == "" || call.Value("missing") != "closed" {
					continue
				}
				tried++
				h.Source.Plugin = root
				spec, err := d.Spec(&h, &schema.Call{Dialect: d.Profile().Name, Event: h.Event, Native: h.Native,
					Project: root, Cwd: root}, schema.Places{OS: "linux", Project: root, Home: root,
					Env: schema.Environ{"PATH=/usr/bin:/bin", "HOME=" + root}})
				if err != nil {
					t.Fatal(err)
				}
				spec.Stdin = []byte("{}")
				res := process.RunAll(t.Context(), []process.Spec{spec})[0]
				if read, _ := d.DecodeReply(&h, schema.View{Event: h.Native}, &res); read.Verdict != schema.Deny {
					t.Errorf("%s, launcher %s: not refused: %d %v %s %s", d.Profile().Name, what, res.Exit, res.Err,
						res.Stdout, res.Stderr)
				}
			}
			if tried == 0 {
				t.Errorf("%s: no entry with a launcher", d.Profile().Name)
			}
		}
	}
}

// TestPluginFault: only a plugin's complete launcher has no fault, with any options.
func TestPluginFault(t *testing.T) {
	for _, o := range []Options{{Missing: "closed"}, {Missing: "open"}, {Missing: "open", Fetch: "hookbridge@1.2.3"}} {
		root := usualPlugin(t)
		p := open(t, root)
		o.Hosts = hosts(p)
		apply(t, p, planned(t, p, o).Changes)
		p = open(t, root)
		if file, fault, older := p.Fault(); fault != "" {
			t.Errorf("%+v: %s: %s %t", o, file, fault, older)
		}
		for _, name := range []string{cmdline.LauncherFile, cmdline.LauncherFile + ".cmd"} {
			file := filepath.Join(root, filepath.FromSlash(name))
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.SplitAfter(text, []byte("\n"))
			for what, changed := range map[string][]byte{
				"its first lines alone": slices.Concat(lines[0], lines[1], []byte("exit 0\n")),
				"other options":         bytes.Replace(text, []byte("--missing"), []byte("--fetch x@1 --missing"), 1),
				"one byte":              bytes.Replace(text, []byte("program"), []byte("progra1"), 1),
			} {
				if err := os.WriteFile(file, changed, 0o755); err != nil {
					t.Fatal(err)
				}
				if got, fault, _ := open(t, root).Fault(); fault == "" {
					t.Errorf("%s with %s: no fault in %q", name, what, got)
				}
			}
			if err := os.WriteFile(file, text, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
}
