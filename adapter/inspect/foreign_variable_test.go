package inspect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestForeignVariables checks the project's file of every agent: a path that begins with another agent's variable is a
// mistake if this agent doesn't set it. User variables, variables with a default, and those that the program doesn't
// need aren't reported.
func TestForeignVariables(t *testing.T) {
	tried := 0
	for _, d := range adapter.Dialects() {
		dir := t.TempDir()
		p := schema.Places{OS: "linux", Project: dir, Home: t.TempDir(), Env: schema.Environ{"PATH=/bin:/usr/bin"}}
		native := d.Profile().Generic(schema.PreTool)
		if d.Profile().HostOnly != "" || native == "" {
			continue
		}
		for _, s := range d.Locate(p) {
			if s.Folder {
				s.File, s.Folder = filepath.Join(s.File, "guard.json"), false
			}
			if !s.OfProject() || filepath.Ext(s.File) != ".json" {
				continue
			}
			problem := func(command string) string {
				h := schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand, Source: s,
					Command: command}
				why, _ := CommandProblem(d, &h, p)
				return why
			}
			own := ""
			plain := &schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand, Source: s,
				Command: "true x"}
			if spec, err := specIn(d, plain, p); err == nil {
				own = instead(d, p, spec.Env)
			}

			tried++
			for _, name := range []string{"CLAUDE_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_PROJECT_DIR",
				"CODEX_PROJECT_DIR", "QODER_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "PLUGIN_ROOT", "CURSOR_PLUGIN_ROOT"} {
				sets := false
				if spec, err := specIn(d, plain, p); err == nil {
					sets = schema.Environ(spec.Env).Get(name) != ""
				}
				for _, form := range []string{`"$NAME/g.sh"`, "sh $NAME/g.sh", `"${NAME}"/g.sh x`} {
					command := strings.ReplaceAll(form, "NAME", name)
					if why := problem(command); why == "" {
						t.Errorf("%s (sets it: %v): nothing about %s", d.Profile().Name, sets, command)
					}
				}
			}
			for _, command := range []string{"echo $CURSOR_PROJECT_DIR/x", "sh -c 'exit 2' $CURSOR_PROJECT_DIR"} {
				h := *plain
				h.Command = command
				if _, err := specIn(d, &h, p); err != nil {
					continue // the agent doesn't start a command with such a variable
				}
				if why := problem(command); why != "" {
					t.Errorf("%s: %s: %s (%s)", d.Profile().Name, command, why, own)
				}
			}
		}
	}
	if tried < 8 {
		t.Errorf("only %d files were tried", tried)
	}
}

// TestBackslashes: a path whose backslashes the shell removes is reported as written.
func TestBackslashes(t *testing.T) {
	d, _ := adapter.Find("claude")
	p := schema.Places{OS: "linux", Project: t.TempDir(), Home: t.TempDir(), Env: schema.Environ{"PATH=/bin:/usr/bin"}}
	for command, found := range map[string]bool{
		`C:\Users\me\g.py`:  true,
		`.\guard.sh`:        true,
		`sh C:\x\g.sh`:      true,
		`'C:\Users\g.py'`:   false,
		`grep -q 'a\.b' x`:  false,
		`printf a\\nb`:      false,
		`echo "C:\Users\x"`: false,
	} {
		h := schema.Hook{Event: schema.PreTool, Native: "PreToolUse", Handler: schema.HandlerCommand, Command: command}
		if got := backslashed(&h, "/bin/sh") != ""; got != found {
			t.Errorf("%s: found %v", command, got)
		}
		_, _ = CommandProblem(d, &h, p)
	}
}

// TestPluginFolder checks that all of an agent's names for a plugin's folder lead to the plugin's files. The agent may
// replace the name in the text and give the variable another value.
func TestPluginFolder(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "x.sh"), []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := schema.Places{OS: "linux", Project: t.TempDir(), Home: t.TempDir(), Env: schema.Environ{"PATH=/bin:/usr/bin"}}
	tried := 0
	for _, d := range adapter.Dialects() {
		plugins := d.Profile().Plugins
		names := append(slices.Clone(plugins.Replaced), plugins.Root)
		for _, name := range plugins.Vars {
			names = append(names, "$"+name, "${"+name+"}")
		}
		for _, name := range names {
			if name == "" || plugins.Hooks == nil && plugins.Forms == 0 {
				continue
			}
			tried++
			at := schema.Source{File: filepath.Join(root, "hooks.json"), Scope: schema.ScopePlugin, Plugin: root}
			for _, file := range []string{"x.sh", "gone.sh"} {
				h := schema.Hook{Event: schema.PreTool, Native: d.Profile().Generic(schema.PreTool),
					Handler: schema.HandlerCommand, Source: at, Command: "sh " + name + "/" + file}
				why, _ := CommandProblem(d, &h, p)
				if found := strings.Contains(why, filepath.Join(root, file)); (why != "") != found ||
					found != (file == "gone.sh") {
					t.Errorf("%s: %s: %q", d.Profile().Name, h.Command, why)
				}
			}
		}
	}
	if tried < 15 {
		t.Errorf("only %d names tried", tried)
	}
}
