// Package hookshell runs the shell commands of hooks in the process of a test, where only what a hook answers matters:
// a process for each would take most of the test's time.
package hookshell

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// Start is what runs a spec in the place of its program; nil if that isn't a shell with a command.
// It fits bridge.Bridge.Start.
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

// builtin are the programs that nearly every hook of a test calls.
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
