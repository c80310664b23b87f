package inspect

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestCommandsStart checks for all agents that a command has a problem exactly if its script doesn't run. It starts the
// command as the agent does, with or without a shell.
func TestCommandsStart(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	project, home := t.TempDir(), t.TempDir()
	mark := filepath.Join(project, "mark")
	for name, mode := range map[string]os.FileMode{"guard.sh": 0o755, "plain.sh": 0o644, "sub/guard.sh": 0o755} {
		file := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("#!/bin/sh\necho ran > '"+mark+"'\n"), mode); err != nil {
			t.Fatal(err)
		}
	}

	p := schema.Places{OS: "linux", Project: project, Home: home,
		Env: schema.Environ{"PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh", "HOME=" + home}}
	ranAs := func(spec dialect.Spec) bool {
		_ = os.Remove(mark)
		spec.Timeout = time.Minute
		process.RunAll(context.Background(), []process.Spec{spec})
		_, err := os.Stat(mark)
		return err == nil
	}

	tried := 0
	for _, d := range adapter.WithHooks() {
		native := d.Profile().Generic(schema.PreTool)
		hook := func(command string, args ...string) schema.Hook {
			return schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand, Command: command,
				Args:   args,
				Source: schema.Source{File: filepath.Join(project, "hooks.json"), Scope: schema.ScopeProject}}
		}
		hooks := []schema.Hook{}
		for _, command := range []string{"./guard.sh", "sh ./guard.sh", "sh guard.sh", "sh plain.sh", "./plain.sh x",
			"./none.sh", "sh ./none.sh", "no-such-program x", "A=1 ./guard.sh", "exec ./guard.sh", ". ./guard.sh",
			"source ./guard.sh", "source ./none; ./guard.sh x", "pushd sub && ./guard.sh",
			"cd sub && ./guard.sh", "cd sub; ./guard.sh x",
			"cd sub && cd .. && sh plain.sh", "cd none && ./guard.sh", "cd sub && ./plain.sh", "./guard.sh 'x",
			`./guard.sh "x`, "./guard.sh `true", "if true; then ./guard.sh x", "if true; then ./guard.sh x; fi", "",
			" ",
			"./guard.sh <<E\nx", `sh ./guard.sh "a b"`} {
			hooks = append(hooks, hook(command))
		}
		plain := hook("true x")
		spec, err := specIn(d, &plain, p)
		if err != nil {
			continue
		}
		if _, said := d.WriteHook(schema.Entry{Native: native}, &schema.Hook{Handler: schema.HandlerCommand,
			Command: "true", Args: []string{"x"}}); said&schema.HookArgs != 0 {
			hooks = append(hooks, hook("sh", "./guard.sh"), hook("sh", "./none.sh"), hook("./guard.sh", "x"),
				hook("exit", "2"), hook("sh ./guard.sh", "x"))
			for _, v := range spec.Env {
				if name, value, _ := strings.Cut(v, "="); value == project {
					hooks = append(hooks, hook("sh", "$"+name+"/guard.sh"), hook("sh", "${"+name+"}/guard.sh"),
						hook("${"+name+"}/guard.sh", "x"))
				}
			}
		}

		for i := range hooks {
			h := &hooks[i]
			spec, err := specIn(d, h, p)
			ran := err == nil && ranAs(spec)
			problem, _ := CommandProblem(d, h, p)
			if tried++; ran != (problem == "") {
				t.Errorf("%s, %q %q: ran %t, problem %q", d.Profile().Name, h.Command, h.Args, ran, problem)
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d commands were tried", tried)
	}
}
