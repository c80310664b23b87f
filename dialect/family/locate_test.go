package family

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestLocate checks where rows place an agent's files.
func TestLocate(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "hooks", "team"), 0o755); err != nil {
		t.Fatal(err)
	}
	rows := []FileRow{
		{Scope: schema.ScopeManaged, OS: "linux", Variable: "ELSEWHERE", Path: "/etc/x.json"},
		{Scope: schema.ScopeManaged, Path: "/etc/y.json"},
		{Scope: schema.ScopeUser, Path: "hooks", Folder: true, Deep: true},
		{Scope: schema.ScopeProject, Path: "x.json"},
	}
	env := schema.Environ{"ELSEWHERE=/opt/x.json"}
	for _, tt := range []struct {
		name, user, project string
		p                   schema.Places
		want                string
	}{
		{"all", home, "/p", schema.Places{OS: "linux"}, "/etc/x.json /etc/y.json HOME/hooks HOME/hooks/team /p/x.json"},
		{"a variable", "", "", schema.Places{OS: "linux", Env: env}, "/opt/x.json /etc/y.json"},
		{"files for other machines", "", "", schema.Places{OS: "linux", Env: env, System: "/r"},
			"/r/etc/x.json /r/etc/y.json"},
		{"another system", "", "/p", schema.Places{OS: "darwin"}, "/etc/y.json /p/x.json"},
		{"no managed file", "", "", schema.Places{OS: "windows"}, ""},
	} {
		var got []string
		for _, s := range Locate(rows, tt.user, tt.project, tt.p) {
			got = append(got, strings.Replace(filepath.ToSlash(s.File), filepath.ToSlash(home), "HOME", 1))
		}
		if text := strings.Join(got, " "); text != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, text, tt.want)
		}
	}
}

// TestFolders checks that a folder of hooks counts once, even behind links, and that a link to itself does no harm.
func TestFolders(t *testing.T) {
	top := t.TempDir()
	root, elsewhere := filepath.Join(top, "hooks"), filepath.Join(top, "elsewhere")
	for _, dir := range []string{filepath.Join(root, "a", "b"), filepath.Join(elsewhere, "c")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(top, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"one": elsewhere, "two": elsewhere, "file": filepath.Join(top, "file"),
		"gone": filepath.Join(top, "gone"), "loop": root} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip(err)
		}
	}
	var got []string
	for _, dir := range folders(root) {
		name, _ := filepath.Rel(top, dir)
		got = append(got, filepath.ToSlash(name))
	}
	const want = "hooks hooks/a hooks/loop hooks/one hooks/a/b hooks/loop/a hooks/one/c hooks/loop/a/b"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("%s, want %s", text, want)
	}
}
