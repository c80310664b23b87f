package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// nfpmConfig returns the configuration that goreleaser passes to nfpm for a package of this system, with placeholders
// for the files that packaging/prepare.sh creates.
func nfpmConfig(t *testing.T, program string) []byte {
	t.Helper()
	var release struct {
		Nfpms []map[string]any
	}
	yamlFile(t, ".goreleaser.yaml", &release)
	c := release.Nfpms[0]
	contents := []any{map[string]any{"src": program, "dst": c["bindir"].(string) + "/hookbridge",
		"file_info": map[string]any{"mode": 0o755}}}
	made := t.TempDir()
	for _, item := range c["contents"].([]any) {
		entry := item.(map[string]any)
		src := filepath.Join("../..", entry["src"].(string))
		if name, ok := strings.CutPrefix(entry["src"].(string), "build/"); ok {
			stem, _, _ := strings.Cut(name, ".")
			if !strings.Contains(string(read(t, "../../packaging/prepare.sh")), "build/"+stem) {
				t.Errorf("prepare.sh doesn't make %s", name)
			}
			src = filepath.Join(made, name)
			if err := os.WriteFile(src, []byte("x\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		entry["src"] = src
		contents = append(contents, entry)
	}

	c["name"], c["arch"], c["platform"], c["version"] = c["package_name"], runtime.GOARCH, "linux", "1.2.3"
	c["contents"] = contents
	for _, key := range []string{"id", "ids", "package_name", "file_name_template", "formats", "bindir"} {
		delete(c, key)
	}
	text, err := yaml.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestLinuxPackages installs the packages into folders of their own, runs the program, and checks that removing them
// leaves nothing. The Alpine package is only unpacked, because other systems don't have apk. The variable NFPM names
// the program nfpm, if it isn't in PATH.
func TestLinuxPackages(t *testing.T) {
	nfpm := os.Getenv("NFPM")
	if nfpm == "" {
		nfpm = "nfpm"
	}
	needs(t, nfpm)
	if runtime.GOOS != "linux" {
		t.Skip("packages for Linux")
	}
	work := t.TempDir()
	run := func(name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(name, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v: %s", name, args, err, out)
		}
		return string(out)
	}
	program := filepath.Join(work, "hookbridge")
	run("go", "build", "-o", program, ".")
	config := filepath.Join(work, "nfpm.yaml")
	if err := os.WriteFile(config, nfpmConfig(t, program), 0o644); err != nil {
		t.Fatal(err)
	}

	for format, commands := range map[string]func(*testing.T, string, string) ([]string, []string){"deb": debian,
		"rpm": rpm, "apk": alpine, "archlinux": arch} {
		t.Run(format, func(t *testing.T) {
			file := filepath.Join(work, "hookbridge."+format)
			run(nfpm, "package", "--config", config, "--packager", format, "--target", file)
			root := t.TempDir()
			install, remove := commands(t, root, file)

			run(install[0], install[1:]...)
			out := run(filepath.Join(root, "usr/bin/hookbridge"), "version")
			if !strings.HasPrefix(out, "hookbridge ") {
				t.Error(out)
			}
			for _, name := range []string{"share/man/man1/hookbridge.1", "share/doc/hookbridge/copyright",
				"share/bash-completion/completions/hookbridge", "share/zsh/vendor-completions/_hookbridge",
				"share/fish/vendor_completions.d/hookbridge.fish", "share/doc/hookbridge/THIRD_PARTY_LICENSES"} {
				if _, err := os.Stat(filepath.Join(root, "usr", name)); err != nil {
					t.Error(err)
				}
			}

			if remove == nil {
				return
			}
			run(remove[0], remove[1:]...)
			_ = filepath.WalkDir(filepath.Join(root, "usr"), func(path string, e os.DirEntry, err error) error {
				if err == nil && !e.IsDir() && !strings.HasPrefix(path, filepath.Join(root, "usr/lib/sysimage")) {
					t.Errorf("%s is left", path)
				}
				return nil
			})
		})
	}
}

// debian returns the commands that install a package into a folder and purge it.
func debian(t *testing.T, root, file string) (install, remove []string) {
	needs(t, "dpkg")
	for _, dir := range []string{"info", "updates"} {
		if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dpkg := []string{"dpkg", "--force-not-root", "--force-bad-path", "--root=" + root}
	return append(dpkg[:len(dpkg):len(dpkg)], "--install", file), append(dpkg, "--purge", "hookbridge")
}

// rpm returns the commands that install a package into a folder and erase it.
func rpm(t *testing.T, root, file string) (install, remove []string) {
	needs(t, "rpm")
	command := []string{"rpm", "--root", root, "--nodeps", "--noplugins"}
	return append(command[:len(command):len(command)], "--nosignature", "--install", file),
		append(command, "--erase", "hookbridge")
}

// alpine returns the command that unpacks a package into a folder.
func alpine(t *testing.T, root, file string) (install, remove []string) {
	needs(t, "tar")
	return []string{"tar", "-xzf", file, "-C", root}, nil
}

// arch returns the commands that install a package into a folder and remove it.
func arch(t *testing.T, root, file string) (install, remove []string) {
	needs(t, "pacman")
	if err := os.MkdirAll(filepath.Join(root, "var/lib/pacman"), 0o755); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "pacman.conf")
	if err := os.WriteFile(config, []byte("[options]\nArchitecture = auto\nSigLevel = Never\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	command := []string{"pacman", "--root", root, "--dbpath", filepath.Join(root, "var/lib/pacman"), "--config", config,
		"--noconfirm", "--noscriptlet"}
	return append(command[:len(command):len(command)], "--nodeps", "--upgrade", file),
		append(command, "--nodeps", "--nodeps", "--remove", "hookbridge")
}
