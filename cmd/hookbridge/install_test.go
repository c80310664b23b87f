package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
)

// TestInstallFolders checks for every host and scope that uninstall restores the files and folders from before the
// first install. It removes what install created and keeps a folder that existed and was empty.
func TestInstallFolders(t *testing.T) {
	for i, host := range adapter.Dialects() {
		if host.Profile().Modules != nil {
			continue
		}
		owner, settings := "claude", ".claude/settings.json"
		text := `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"true"}]}]}}`
		if host.Profile().Name == owner {
			owner, settings = "cursor", ".cursor/hooks.json"
			text = `{"version":1,"hooks":{"preToolUse":[{"command":"true"}]}}`
		}
		for j, scope := range []string{"project", "user"} {
			for depth := range 3 { // how many folders of the host's file exist before
				if testing.Short() && (i+j+depth)%4 != 0 {
					continue
				}
				t.Run(fmt.Sprint(host.Profile().Name, " ", scope, " ", depth), func(t *testing.T) {
					root := t.TempDir()
					project, home := filepath.Join(root, "project"), filepath.Join(root, "home")
					t.Setenv("HOME", home)
					t.Setenv("XDG_CONFIG_HOME", "")
					t.Setenv("HOOKBRIDGE_STATE_DIR", t.TempDir())
					base := project
					if scope == "user" {
						base = home
					}
					for _, dir := range []string{project, home} {
						if err := os.MkdirAll(dir, 0o755); err != nil {
							t.Fatal(err)
						}
					}
					file := filepath.Join(base, settings)
					if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
					installed := install.FileOf(host, schema.Places{Project: project, Home: home},
						map[string]schema.Scope{"project": schema.ScopeProject, "user": schema.ScopeUser}[scope])
					rel, err := filepath.Rel(base, filepath.Dir(installed))
					folders := strings.Split(rel, string(filepath.Separator))
					if err != nil || depth > len(folders) {
						t.Skip("the file isn't that deep")
					}
					if err := os.MkdirAll(filepath.Join(append([]string{base}, folders[:depth]...)...),
						0o755); err != nil {
						t.Fatal(err)
					}
					before := tree(t, root)
					run := func(args ...string) {
						t.Helper()
						args = append(args, "--project", project, "--scope", scope, "--host", host.Profile().Name,
							"--hooks", owner)
						if code, out, errs := output(args...); code != cli.OK {
							t.Fatalf("%q: exit status %d\n%s%s", args, code, out, errs)
						}
					}
					run("install")
					if tree(t, root) == before {
						t.Fatal("install wrote nothing")
					}
					run("install", "--ask", "allow")
					run("install")
					run("uninstall")
					if d := cmp.Diff(before, tree(t, root)); d != "" {
						t.Errorf("after uninstall (-before +after)\n%s", d)
					}
				})
			}
		}
	}
}

// tree lists the contents of a folder, one line for each folder and each file with its text.
func tree(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			fmt.Fprintf(&b, "%s %s\n", path, read(t, path))
		} else {
			fmt.Fprintf(&b, "%s/\n", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
