// Package conformance is the command conformance.
package conformance

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/conformance"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/process"
)

//go:embed conformance.txt
var help string

// Command is the command conformance.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct {
	impl, vectors, project, junit string
	globs, skips                  cli.ListFlag
	timeout                       float64
	list, json, serve             bool
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Many(&f.globs, "run")
	fs.Yes(&f.list, "list")
	fs.Text(&f.impl, "impl", "")
	fs.Set.Float64Var(&f.timeout, "timeout", conformance.DefaultLimit.Seconds(), "")
	fs.Doc("timeout", "", "")
	fs.Many(&f.skips, "skip")
	fs.Text(&f.vectors, "vectors", "")
	fs.Text(&f.project, "project", ".")
	fs.Yes(&f.json, "json")
	fs.Text(&f.junit, "junit", "")
	fs.Yes(&f.serve, "serve")
}

func (f *flags) finish(fs *cli.Flags) (skips []conformance.Skip, err error) {
	switch {
	case !(f.timeout > 0 && f.timeout <= 3600):
		return nil, cli.Usage("--timeout takes seconds, more than 0 and at most 3600")
	case fs.Given("impl") && len(strings.Fields(f.impl)) == 0:
		return nil, cli.Usage("--impl needs a command")
	case fs.Given("vectors") && f.vectors == "":
		return nil, cli.Usage("--vectors needs a folder")
	case fs.Given("junit") && f.junit == "":
		return nil, cli.Usage("--junit needs a file")
	case f.serve && fs.Set.NFlag() > 1:
		return nil, cli.Usage("--serve takes no other flag")
	}
	for _, s := range f.skips {
		glob, reason, _ := strings.Cut(s, "=")
		if glob == "" || strings.TrimSpace(reason) == "" {
			return nil, cli.Usage(fmt.Sprintf("--skip %q: must be GLOB=REASON; a skip needs a reason", s))
		}
		skips = append(skips, conformance.Skip{Glob: glob, Reason: reason})
	}
	return skips, nil
}

func (f *flags) Run(fs *cli.Flags, _ []string, std cli.IO) (int, error) {
	skips, err := f.finish(fs)
	if err != nil {
		return 0, err
	}
	own := &conformance.Own{OS: runtime.GOOS, TempDir: os.TempDir(), Now: time.Now, Self: common.Self}
	if f.serve {
		err = conformance.Serve(context.Background(), own, std.In, std.Out)
	} else {
		err = f.check(own, skips, std)
	}
	if err != nil && !errors.Is(err, errFailed) {
		fmt.Fprintf(std.Err, "hookbridge conformance: %v\n", err)
	}
	return cli.FailIf(err != nil), nil
}

// errFailed means that the report has the details.
var errFailed = errors.New("a vector failed")

func (f *flags) check(own *conformance.Own, skips []conformance.Skip, std cli.IO) error {
	vectors, err := f.load(std.Err)
	if err != nil {
		return err
	}
	if f.list {
		return listVectors(vectors, f.json, std.Out)
	}

	for _, s := range skips {
		if !slices.ContainsFunc(vectors, func(v conformance.Vector) bool { return conformance.Match(s.Glob, v.ID) }) {
			fmt.Fprintf(std.Err, "hookbridge conformance: warning: --skip %q matches none of these vectors\n", s.Glob)
		}
	}

	runner := conformance.Runner{Impl: own, Skips: skips, TempDir: os.TempDir(), Environ: programEnviron(),
		OS: runtime.GOOS}
	if runner.Project, err = filepath.Abs(f.project); err != nil {
		return err
	}

	report := conformance.Report{Name: "hookbridge"}
	if f.impl != "" {
		report.Name = f.impl
		p := &conformance.Program{Argv: process.ShellArgv(runtime.GOOS, f.impl), Env: os.Environ(),
			Limit: time.Duration(f.timeout * float64(time.Second))}
		defer p.Close()
		runner.Impl = p
	}

	ctx, listen := cli.UntilAsked()
	listen()
	p := cli.StartProgress(&std, "conformance")
	ended := runner.Run(ctx, vectors, func(r conformance.Result) {
		p.At(r.Vector.ID)
		report.Add(r)
	})
	p.End()
	if f.json {
		_, err = std.Out.Write(append(report.JSON(), '\n'))
	} else {
		report.Text(std.Out)
	}

	if err == nil && f.junit != "" {
		err = cli.WriteReport(f.junit, report.JUnit())
	}

	all := report.All()
	switch {
	case err != nil:
		return err
	case ended != nil:
		return ended
	case all.Failed > 0:
		return errFailed
	case all.Passed == 0:
		return errors.New("every vector was skipped, so nothing was tested")
	}

	return nil
}

// load reads the requested vectors. If one file is invalid, it runs nothing, because the results of that file are
// unknown.
func (f *flags) load(warn io.Writer) ([]conformance.Vector, error) {
	var all []conformance.Vector
	var bad []conformance.Problem
	if f.vectors == "" {
		all, bad = conformance.Suite(conformance.Known, f.globs...)
	} else {
		if info, err := os.Stat(f.vectors); err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, errors.New(f.vectors + " isn't a folder")
		}
		prefix := strings.TrimSuffix(f.vectors, "/") + "/"
		all, bad = conformance.Load(os.DirFS(f.vectors), prefix, conformance.Known)
	}

	for _, p := range bad {
		fmt.Fprintln(warn, p)
	}
	if len(bad) > 0 {
		return nil, fmt.Errorf("the vector files have %d errors; nothing was run", len(bad))
	}
	if len(all) == 0 && f.vectors != "" {
		return nil, errors.New(f.vectors + " has no vectors")
	}
	if len(f.globs) == 0 {
		return all, nil
	}
	all = slices.DeleteFunc(all, func(v conformance.Vector) bool {
		return !slices.ContainsFunc(f.globs, func(g string) bool { return conformance.Match(g, v.ID) })
	})
	if len(all) == 0 {
		return nil, fmt.Errorf("no vector matches %s", strings.Join(f.globs, " or "))
	}
	return all, nil
}

func listVectors(vectors []conformance.Vector, asJSON bool, w io.Writer) error {
	if !asJSON {
		for _, v := range vectors {
			fmt.Fprintln(w, v.ID)
		}
		return nil
	}
	type listed struct {
		ID        string `json:"id"`
		Why       string `json:"why"`
		Source    string `json:"source"`
		Confirmed string `json:"confirmed"`
		Client    string `json:"client"`
		From      string `json:"from"`
		To        string `json:"to"`
		File      string `json:"file"`
	}
	cli.PrintJSON(w, map[string]any{"vectors": lists.Map(vectors, func(v conformance.Vector) listed {
		return listed{v.ID, v.Why, v.Source, v.Confirmed, v.Client, v.From, v.To, v.File}
	})})
	return nil
}

// programEnviron returns the part of this process's environment that any program needs and that decides no hook.
func programEnviron() (env []string) {
	for _, name := range []string{"PATH", "TMPDIR", "LANG", "SystemRoot"} {
		if v := os.Getenv(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return env
}
