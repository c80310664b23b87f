package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/material"
)

// TestCorpusInstall installs hookbridge into real files and uninstalls it. Each file must come back byte for byte, or
// be rejected and stay untouched.
func TestCorpusInstall(t *testing.T) {
	dir := material.Corpus(t)
	for _, set := range []struct{ folder, host, hooks, target, source, text string }{
		{"cursor", "cursor", "claude", ".cursor/hooks.json", ".claude/settings.json",
			`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}],` +
				`"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}`},
		{"claude", "claude", "cursor", ".claude/settings.json", ".cursor/hooks.json",
			`{"version":1,"hooks":{"preToolUse":[{"command":"true"}],"stop":[{"command":"true"}]}}`},
		{"qoder", "qoder", "claude", ".qoder/settings.json", ".claude/settings.json",
			`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}`},
		{"gemini", "gemini", "claude", ".gemini/settings.json", ".claude/settings.json",
			`{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"true"}]}]}}`},
	} {
		files, err := os.ReadDir(filepath.Join(dir, set.folder))
		if err != nil {
			t.Fatal(err)
		}
		same, refused := 0, 0
		for i, f := range files {
			if testing.Short() && i%16 != 0 {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, set.folder, f.Name()))
			if err != nil || !strings.HasSuffix(f.Name(), ".json") {
				continue
			}
			project := t.TempDir()
			for name, content := range map[string]string{set.target: string(text), set.source: set.text} {
				file := filepath.Join(project, filepath.FromSlash(name))
				os.MkdirAll(filepath.Dir(file), 0o755)
				if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			args := []string{"--host", set.host, "--hooks", set.hooks, "--project", project, "--home",
				project + "/home"}
			quiet := cli.IO{In: nil, Out: io.Discard, Err: io.Discard}
			installed := cli.Named(commands(), "install").Call(args, quiet) == cli.OK
			target := filepath.Join(project, filepath.FromSlash(set.target))
			if installed && cli.Named(commands(), "uninstall").Call(args, quiet) != cli.OK {
				t.Errorf("%s: installed and cannot be uninstalled", f.Name())
			}
			after, _ := os.ReadFile(target)
			switch {
			case string(after) != string(text):
				t.Errorf("%s: the file came back changed (installed: %v)", f.Name(), installed)
			case installed:
				same++
			default:
				refused++
			}
		}
		t.Logf("%s: %d files came back byte for byte, %d were refused and not touched", set.folder, same, refused)
	}
}
