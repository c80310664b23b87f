package check

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/schematest"
	"github.com/hookbridge/hookbridge/schema"
)

// TestCheckCorpus checks every hook file of the corpus. Each finding must have a code and a place in its file, and
// every form of the report must be one document.
func TestCheckCorpus(t *testing.T) {
	root := material.Corpus(t)
	c := &fileChecker{places: schema.Places{OS: "linux", Home: t.TempDir(), Project: t.TempDir()}}
	for _, dir := range []string{"claude", "cursor", "qoder", "claude-frontmatter", "claude-manifest",
		"other-dialects"} {
		filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				c.path(path)
			}
			return nil
		})
	}
	if len(c.files) < 300 {
		t.Fatalf("%d files", len(c.files))
	}
	for _, f := range c.files {
		for _, d := range f.found {
			if !slices.Contains(d.Code.Severities(), d.Severity) {
				t.Errorf("%s: %s is never %s: %s", f.name, d.Code, d.Severity, d.Message)
			}
			if _, known := d.Code.Info(); !known || d.Severity == 0 || d.File == "" || d.Line < 0 || d.Message == "" {
				t.Errorf("%s: %+v", f.name, d)
			}
		}
	}
	var all schema.Diagnostics
	for _, f := range c.files {
		all = append(all, f.found...)
	}
	report := Doc{Files: lists.Map(c.files, checked.doc), Diagnostics: cli.FindingDocs(all)}
	for _, doc := range []any{report, cli.SARIF(all)} {
		schematest.SameAsStandard(t, doc)
	}
}

// TestOwnerOf checks how a file's agent is recognized.
func TestOwnerOf(t *testing.T) {
	const hook = `{"hooks":{"PreToolUse":[{"matcher":"TOOL","hooks":[{"type":"command","command":"x"}]}]}}`
	for _, c := range []struct {
		path   string
		events []string
		want   string
		tool   string
	}{
		{"/p/.claude/settings.json", nil, "claude", ""},
		{"/p/.cursor/hooks.json", []string{"PreToolUse"}, "cursor", ""},
		{"/p/.claude-plugin/plugin.json", nil, "claude", ""},
		{`C:\p\.qoder\settings.json`, nil, "qoder", ""},
		{"/home/u/.claude/x/.cursor/hooks.json", nil, "cursor", ""},
		{"/p/hooks.json", []string{"preToolUse", "stop"}, "cursor", ""},
		{"/p/hooks.json", []string{"PreToolUse"}, "claude", ""},
		{"/p/hooks.json", []string{"Lunch"}, "", ""},
		{"-", nil, "", ""},
		{"/p/config/factory/settings.json", []string{"PreToolUse"}, "droid", ""},
		{"/p/dot_qwen/settings.json", []string{"PreToolUse"}, "qwen", ""},
		{"/p/home/codex/hooks.json", []string{"PreToolUse"}, "codex", ""},
		{"/p/codex.txt", []string{"PreToolUse"}, "claude", ""},
		{"-", []string{"PreToolUse"}, "droid", "Execute"},
		{"-", []string{"PreToolUse"}, "auggie", "launch-process"},
		{"-", []string{"PreToolUse"}, "claude", "Bash"},
	} {
		got, text := "", []byte(strings.ReplaceAll(hook, "TOOL", c.tool))
		if d, _ := hookfile.OwnerOf(c.path, c.events, text); d != nil {
			got = d.Profile().Name
		}
		if got != c.want {
			t.Errorf("%s %v: %q, want %q", c.path, c.events, got, c.want)
		}
	}
}
