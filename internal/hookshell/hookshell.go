// Package hookshell runs the shell commands of hooks in the process of a test, if only a hook's answer matters: a
// process for each would take most of the test's time.
package hookshell

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Start returns a function that runs a spec instead of its program; nil if that isn't a shell with a command. It has
// the signature of bridge.Bridge.Start.
func Start(_ *schema.Hook, spec process.Spec) func(context.Context) process.Result {
	if len(spec.Argv) < 3 || !isShell(spec.Argv[0]) || spec.Argv[1] != "-c" && spec.Argv[1] != "-lc" {
		return nil
	}
	script, err := syntax.NewParser().Parse(strings.NewReader(spec.Argv[2]), "")
	if err != nil {
		return nil
	}
	return func(ctx context.Context) process.Result { return run(ctx, script, spec) }
}

func isShell(program string) bool {
	return slices.Contains([]string{"sh", "bash"}, program[strings.LastIndexByte(program, '/')+1:])
}

func run(ctx context.Context, script *syntax.File, spec process.Spec) process.Result {
	if spec.Timeout > 0 {
		limited, stop := context.WithTimeout(ctx, spec.Timeout)
		defer stop()
		ctx = limited
	}
	for _, folder := range spec.Folders {
		os.MkdirAll(folder, 0o777)
	}

	res := process.Result{Start: time.Now()}
	in, write, err := os.Pipe()
	if err != nil {
		return process.Result{Exit: -1, Err: err}
	}
	defer in.Close() // which ends the writing of what the hook doesn't read
	go func() {
		write.Write(spec.Stdin)
		write.Close()
	}()

	var out, errs bytes.Buffer
	shell, err := interp.New(interp.StdIO(in, &out, &errs), interp.Dir(spec.Dir),
		interp.Env(expand.ListEnviron(spec.Env...)), interp.ExecHandlers(builtin),
		interp.Params(append([]string{"--"}, spec.Argv[min(4, len(spec.Argv)):]...)...))
	if err == nil {
		err = shell.Run(ctx, script)
	}

	var status interp.ExitStatus
	switch {
	case ctx.Err() != nil:
		res.Exit, res.TimedOut = -1, true
	case errors.As(err, &status):
		res.Exit = int(status)
	case err != nil:
		res.Exit, res.Err = -1, err
	}
	res.Stdout, res.Stderr, res.End = out.Bytes(), errs.Bytes(), time.Now()
	return res
}

// Main is a shell for machines without one: bash for Windows, as far as hooks of tests need it. It runs "-c COMMAND" or
// a script with its arguments, and the scripts that those start, and returns the exit code.
func Main(args []string) int {
	text, name := "", "bash"
	switch {
	case len(args) > 1 && strings.HasPrefix(args[0], "-") && strings.HasSuffix(args[0], "c"):
		text, args = args[1], args[min(len(args), 3):]
	case len(args) > 0:
		b, err := os.ReadFile(args[0])
		if err != nil {
			return 127
		}
		text, name, args = string(b), args[0], args[1:]
	}
	script, err := syntax.NewParser().Parse(strings.NewReader(text), name)
	if err != nil {
		return 2
	}

	scripts := func(next interp.ExecHandlerFunc) interp.ExecHandlerFunc {
		return func(ctx context.Context, words []string) error {
			at := interp.HandlerCtx(ctx)
			file := words[0]
			if !filepath.IsAbs(file) {
				file = filepath.Join(at.Dir, file)
			}
			text, err := os.ReadFile(file)
			if err != nil || !strings.ContainsAny(words[0], `/\`) || !bytes.HasPrefix(text, []byte("#!")) {
				return next(ctx, words)
			}
			inner, err := syntax.NewParser().Parse(bytes.NewReader(text), file)
			if err != nil {
				return interp.ExitStatus(2)
			}
			params := interp.Params(append([]string{"--"}, words[1:]...)...)
			shell, err := interp.New(interp.StdIO(at.Stdin, at.Stdout, at.Stderr), interp.Dir(at.Dir),
				interp.Env(at.Env), interp.ExecHandlers(builtin), params)
			if err == nil {
				err = shell.Run(ctx, inner)
			}
			return err
		}
	}
	shell, err := interp.New(interp.StdIO(os.Stdin, os.Stdout, os.Stderr), interp.ExecHandlers(builtin, scripts),
		interp.Params(append([]string{"--"}, args...)...))
	if err == nil {
		err = shell.Run(context.Background(), script)
	}
	var status interp.ExitStatus
	switch {
	case errors.As(err, &status):
		return int(status)
	case err != nil:
		return 126
	}
	return 0
}

// builtin implements the programs that nearly every test hook calls.
func builtin(next interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		if args[0] != "cat" || len(args) > 1 {
			return next(ctx, args)
		}
		at := interp.HandlerCtx(ctx)
		_, err := io.Copy(at.Stdout, at.Stdin)
		return err
	}
}
