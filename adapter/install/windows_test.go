package install

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/hookshell"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// windowsEntries returns the entries in a host's file that refuse without hookbridge, as started on Windows.
func windowsEntries(t *testing.T, x *Job, d adapter.Dialect) (specs []process.Spec) {
	t.Helper()
	file := FileOf(d, x.Places, schema.ScopeProject)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := schema.Source{File: file, Scope: schema.ScopeProject}
	cfg, ds := d.ParseConfig(text, at)
	if cfg == nil {
		t.Fatalf("%s: %v", d.Profile().Name, ds)
	}
	places := x.Places
	places.OS, places.Env = "windows", os.Environ()
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		if call, ok := cmdline.Parse(h.Command, h.Args); !ok || call.Value("missing") != "closed" {
			continue
		}
		spec, err := d.Spec(h, &schema.Call{Dialect: d.Profile().Name, Event: h.Event, Native: h.Native,
			Cwd: places.Project, Project: places.Project}, places)
		if err != nil {
			t.Fatal(err)
		}
		specs = append(specs, spec)
	}
	if len(specs) == 0 {
		t.Errorf("%s: no entry refuses without hookbridge: %s", d.Profile().Name, text)
	}
	return specs
}

// closedProject returns the job for a host in a project with a launcher that refuses without hookbridge.
func closedProject(t *testing.T, d adapter.Dialect) *Job {
	files, owner := hooksFor(d)
	x := project(t, files)
	x.Launcher, x.Hosts, x.Owners = launcher.Closed, []adapter.Dialect{d}, []adapter.Dialect{find(t, owner)}
	x.do(t, Install, -1)
	return x
}

// withPrograms lists the hosts and their programs.
func withPrograms(list []adapter.Dialect) (all []adapter.Dialect) {
	for _, d := range list {
		all = append(all, d)
		for _, p := range d.Profile().Programs {
			other, err := adapter.Find(d.Profile().Name + "@" + p.Name)
			if err == nil && other.Profile().Modules == nil && plan.InProjects(other) {
				all = append(all, other)
			}
		}
	}
	return all
}

// refusesStatus reports whether a host refuses a call if its entry exits with a status, or has its own policy.
func refusesStatus(d adapter.Dialect, status int) bool {
	return refused(d, &process.Result{Exit: status, Stderr: []byte("not found")})
}

// TestWindowsEntries checks that a project's entries, written on any system, also refuse on Windows if hookbridge can't
// decide. The host's shell there starts the entry, and any failure of the launcher ends with a status that the host
// reads as a refusal.
func TestWindowsEntries(t *testing.T) {
	for _, d := range withPrograms(launchable()) {
		name := d.Profile().Full()
		x := closedProject(t, d)
		for _, spec := range windowsEntries(t, x, d) {
			shell := strings.TrimSuffix(filepath.Base(spec.Argv[0]), ".exe")
			command, _, _ := strings.Cut(spec.Argv[len(spec.Argv)-1], "\nif ($null -ne") // see dialect.PowerShell
			switch {
			case d.Profile().Starts.Windows == dialect.NotThere: // TestOpenOnWindows
			case slices.Contains([]string{"powershell", "pwsh"}, shell):
				if err := hookshell.PowerShell5(command); err != nil {
					t.Errorf("%s: PowerShell doesn't start %s: %v", name, command, err)
				}
				// without an exit of its own it turns every failure into 1
				if !strings.Contains(command, "; exit (2*!$?)") &&
					!strings.HasSuffix(command, "; exit $((2*!!(0+${hookbridge-1}-!$?)))") && !refusesStatus(d, 1) {
					t.Errorf("%s: a failure proceeds: %s", name, command)
				}
			case shell == "cmd":
				if word, _, _ := strings.Cut(command, " "); strings.Contains(word, "/") && word[0] != '"' {
					t.Errorf("%s: cmd reads an option in %s", name, word)
				}
				// 1 if the file is missing, 9009 if no program has the name
				if !strings.HasSuffix(command, " || exit 2") && !(refusesStatus(d, 1) && refusesStatus(d, 9009)) {
					t.Errorf("%s: a failure proceeds: %s", name, command)
				}
			case slices.Contains([]string{"sh", "bash"}, shell): // TestLauncherUnstarted starts it
			default:
				t.Errorf("%s is started by %s on Windows", name, shell)
			}
		}
	}
}

// TestWindowsOlder: an older hookbridge's entry is recognized, reported as stale and rewritten.
func TestWindowsOlder(t *testing.T) {
	for _, d := range launchable() {
		x := closedProject(t, d)
		file := FileOf(d, x.Places, schema.ScopeProject)
		now, _ := os.ReadFile(file)
		older := string(now)
		for _, pair := range [][2]string{{`\".hookbridge/run\"`, ".hookbridge/run"},
			{"; exit $((2*!!(0+${hookbridge-1}-!$?)))", " || exit 2"}} {
			older = strings.ReplaceAll(older, pair[0], pair[1])
		}
		if i := strings.Index(older, `"commandWindows"`); i >= 0 {
			_, rest, _ := strings.Cut(older[i:], "\n")
			older = older[:i] + strings.TrimLeft(rest, " ")
		}
		if older == string(now) {
			continue
		}
		if err := os.WriteFile(file, []byte(older), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := x.do(t, Status, -1); r[0].State != "stale" {
			t.Errorf("%s: %s is %s", d.Profile().Name, older, r[0].State)
		}
		x.do(t, Install, -1)
		if again, _ := os.ReadFile(file); string(again) != string(now) {
			t.Errorf("%s: written again as %s", d.Profile().Name, again)
		}
		if err := os.WriteFile(file, []byte(older), 0o600); err != nil {
			t.Fatal(err)
		}
		x.do(t, Uninstall, -1)
		if left, _ := os.ReadFile(file); strings.Contains(string(left), "hookbridge") {
			t.Errorf("%s: left %s", d.Profile().Name, left)
		}
	}
}

// TestWindowsUnstarted starts the entries for cmd.exe without the launcher, without hookbridge, and with a hookbridge
// that answers.
func TestWindowsUnstarted(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("for cmd")
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "hookbridge.cmd"), []byte("@echo off\r\necho {}\r\nexit /b 0\r\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	system := os.Getenv("SystemRoot") + `\System32`
	for _, d := range launchable() {
		if starts := d.Profile().Starts.Windows; starts != dialect.Cmd && starts != dialect.OperatorCmd {
			continue
		}
		name := d.Profile().Name
		x := closedProject(t, d)
		run := func(path string) (results []process.Result) {
			for _, spec := range windowsEntries(t, x, d) {
				command := spec.Argv[len(spec.Argv)-1]
				spec.Argv = []string{"cmd.exe", "/d", "/s", "/c", command}
				spec.Env = append(os.Environ(), "PATH="+path, "HOOKBRIDGE=", "USERPROFILE="+bin, "APPDATA="+bin)
				spec.Stdin = []byte("{}")
				results = append(results, process.Run(t.Context(), spec))
			}
			return results
		}
		for _, r := range run(bin + ";" + system) {
			if r.Exit != 0 || strings.TrimSpace(string(r.Stdout)) != "{}" {
				t.Errorf("%s: a hookbridge that answers: %d %s %s", name, r.Exit, r.Stdout, r.Stderr)
			}
		}
		for _, r := range run(system) {
			if !refused(d, &r) {
				t.Errorf("%s: without hookbridge: %d %s %s", name, r.Exit, r.Stdout, r.Stderr)
			}
		}
		twin := filepath.FromSlash(cmdline.ProjectLauncher + ".cmd")
		if err := os.Remove(filepath.Join(x.Places.Project, twin)); err != nil {
			t.Fatal(err)
		}
		for _, r := range run(bin + ";" + system) {
			if !refused(d, &r) {
				t.Errorf("%s: without a launcher: %d %s %s", name, r.Exit, r.Stdout, r.Stderr)
			}
		}
	}
}

// TestWindowsFolders starts a project's launcher in folders whose names have special characters of cmd.
func TestWindowsFolders(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("for cmd")
	}
	bin := filepath.Join(t.TempDir(), "bin (x86) & more")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "hookbridge.cmd"), []byte("@echo off\r\necho {}\r\nexit /b 0\r\n"),
		0o755); err != nil {
		t.Fatal(err)
	}
	x := closedProject(t, find(t, "pi"))
	for _, name := range []string{"a b", "a (b)", "a & b", "a ^ b", "a ! b", "a, b; c", "a = b", "%PATH%",
		"a'b", "a`b"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Rename(x.Places.Project, dir); err != nil {
			t.Fatal(err)
		}
		x.Places.Project = dir
		r := process.Run(t.Context(), process.Spec{Argv: []string{"cmd.exe", "/d", "/s", "/c",
			`".hookbridge/run" run --host pi --missing closed`}, Dir: dir, Stdin: []byte("{}"),
			Env: append(os.Environ(), "PATH="+bin+";"+os.Getenv("SystemRoot")+`\System32`, "HOOKBRIDGE=")})
		if r.Exit != 0 || strings.TrimSpace(string(r.Stdout)) != "{}" {
			t.Errorf("%s: %d %v %s %s", name, r.Exit, r.Err, r.Stdout, r.Stderr)
		}
	}
}

// TestWindowsHosts: a launcher accepts the whole name of a host anywhere in the words, and its versions.
func TestWindowsHosts(t *testing.T) {
	if runtime.GOOS != "windows" {
		t.Skip("for cmd")
	}
	x := closedProject(t, find(t, "cursor"))
	for words, answers := range map[string]bool{
		"--host cursor --missing closed": true, "--missing closed --host cursor": true,
		"--host cursor@2.4 --missing closed": true, "--missing closed --host cursor@2.4": true,
		"--host cursors --missing closed": false, "--missing closed --host cursors": false,
		"--host cursor-x --missing closed": false,
	} {
		r := process.Run(t.Context(), process.Spec{Argv: []string{"cmd.exe", "/d", "/s", "/c",
			`".hookbridge/run" run ` + words}, Dir: x.Places.Project, Stdin: []byte("{}"),
			Env: append(os.Environ(), "PATH="+os.Getenv("SystemRoot")+`\System32`, "HOOKBRIDGE=",
				"USERPROFILE="+t.TempDir(), "APPDATA="+t.TempDir())})
		if answered := len(r.Stdout) > 0; answered != answers || !answers && r.Exit == 0 {
			t.Errorf("%s: %d %v %s %s", words, r.Exit, r.Err, r.Stdout, r.Stderr)
		}
	}
}

// TestWindowsModes: on Windows, where files have no modes, install reports how Git records the launcher as executable
// for other systems, and writes it once.
func TestWindowsModes(t *testing.T) {
	d := find(t, "cursor")
	files, owner := hooksFor(d)
	x := project(t, files)
	x.Launcher, x.Hosts, x.Owners = launcher.Closed, []adapter.Dialect{d}, []adapter.Dialect{find(t, owner)}
	x.Places.OS = "windows"
	said := func() (states []string, notes int) {
		for _, r := range x.do(t, Install, -1) {
			if strings.HasPrefix(filepath.Base(r.File), "run") {
				states = append(states, r.State)
				notes += len(r.Notes)
			}
			if err := os.Chmod(r.File, 0o644); err != nil { // as on Windows
				t.Fatal(err)
			}
		}
		return states, notes
	}
	if states, notes := said(); !slices.Equal(states, []string{"written", "written"}) || notes != 1 {
		t.Errorf("%q with %d notes", states, notes)
	}
	if states, notes := said(); !slices.Equal(states, []string{"current", "current"}) || notes != 0 {
		t.Errorf("again: %q with %d notes", states, notes)
	}
}

// TestOpenOnWindows: install reports a host on which no form of an entry refuses on Windows.
func TestOpenOnWindows(t *testing.T) {
	for _, d := range launchable() {
		files, owner := hooksFor(d)
		x := project(t, files)
		x.Launcher, x.Hosts, x.Owners = launcher.Closed, []adapter.Dialect{d}, []adapter.Dialect{find(t, owner)}
		said := slices.ContainsFunc(x.do(t, Install, -1), func(r Result) bool {
			return slices.ContainsFunc(r.Found, func(f schema.Diagnostic) bool {
				return f.Code == schema.CodeNotCalled && f.Severity == schema.Loss
			})
		})
		if open := d.Profile().Starts.Windows == dialect.NotThere; said != open {
			t.Errorf("%s: said %t", d.Profile().Name, said)
		}
	}
}
