package trust

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// FuzzScripts checks that the files covered by a project's trust are inside it.
func FuzzScripts(f *testing.F) {
	project := f.TempDir()
	put := func(name string) {
		if err := os.WriteFile(filepath.Join(project, name), nil, 0o600); err != nil {
			f.Fatal(err)
		}
	}
	put("hook.sh")
	put("..hook")
	for _, s := range []string{`"$CLAUDE_PROJECT_DIR"/hook.sh`, "../hook.sh", "sh ./..hook --x=hook.sh",
		"${A:-.}/hook.sh", "/etc/passwd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		n := namedFiles{project: project}
		for _, file := range n.of(&schema.Hook{Command: command}) {
			if rel, err := filepath.Rel(project, file); err != nil || !filepath.IsLocal(rel) {
				t.Fatalf("%q names %q", command, file)
			}
		}
	})
}
