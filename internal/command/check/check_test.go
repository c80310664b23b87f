package check

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
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

// TestUsersFiles checks for the user's own files of all agents that the owner is detected, and that a relative path in
// them starts from the folder in which the agent starts the hook.
func TestUsersFiles(t *testing.T) {
	p := schema.Places{OS: runtime.GOOS, Home: t.TempDir(), Project: t.TempDir(), Env: os.Environ()}
	t.Setenv("HOME", p.Home)
	t.Setenv("USERPROFILE", p.Home)
	write := func(file, text string) {
		err := os.MkdirAll(filepath.Dir(file), 0o755)
		if err = errors.Join(err, os.WriteFile(file, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	tried := 0
	for _, d := range adapter.WithHooks() {
		for _, at := range d.Locate(schema.Places{Home: p.Home}) {
			native := d.Profile().Generic(schema.PreTool)
			value, _ := d.WriteHook(schema.Entry{Native: native, Pointer: d.Profile().EventsAt + "/" + native},
				&schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand,
					Command: "sh ./guard.sh"})
			entry := convert.Placed{Pointer: d.Profile().EventsAt + "/" + native, Value: value}
			text := (&convert.Conversion{Entries: []convert.Placed{entry}}).Document(d)
			file := at.File
			if at.Folder {
				file = filepath.Join(file, "guard.json")
			}
			if cfg, ds := d.ParseConfig(text, schema.Source{File: file}); at.Scope != schema.ScopeUser || cfg == nil ||
				len(cfg.Hooks) != 1 || len(ds) > 0 {
				continue
			}

			tried++
			write(file, string(text))
			spec, err := d.Spec(&schema.Hook{Handler: schema.HandlerCommand, Command: "sh ./guard.sh", Source: at},
				&schema.Call{Project: p.Project, Cwd: p.Project}, p)
			if err != nil {
				t.Fatal(err)
			}
			guard := filepath.Join(spec.Dir, "guard.sh")
			write(guard, "#!/bin/sh\nexit 2\n")
			c := &fileChecker{places: p}
			c.path(file)
			of := c.files[0].dialect
			if len(c.files) != 1 || of == nil || of.Profile().Name != d.Profile().Name || len(c.files[0].found) > 0 {
				t.Errorf("%s, %s: %v", d.Profile().Name, file, c.files)
			}
			if err := os.Remove(guard); err != nil {
				t.Fatal(err)
			}
		}
	}
	if tried < 8 {
		t.Errorf("only %d files were tried", tried)
	}
}
