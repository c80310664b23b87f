package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/rogpeppe/go-internal/testscript"
)

// serial runs scripts one after the other, because hookbridge in this process needs the working directory and the
// environment for itself.
type serial struct{ *testing.T }

func (s serial) Parallel()     {}
func (s serial) Verbose() bool { return testing.Verbose() }

func (s serial) Run(name string, do func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) { do(serial{t}) })
}

// A call runs hookbridge for a script in this process, which costs a hundredth of starting the program. A script about
// the process itself, a terminal or a shell line uses exec hookbridge.
type call struct {
	names []string // of all variables in the script
	stdin string   // of the next call
	dir   string   // for the output
}

// assigned matches the variables that a script sets, among other words.
var assigned = regexp.MustCompile(`\w+=`)

func newCall(t *testing.T, env *testscript.Env, dir string) *call {
	c := &call{dir: t.TempDir()}
	for _, v := range env.Vars {
		name, _, _ := strings.Cut(v, "=")
		c.names = append(c.names, name)
	}
	script := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
	text, err := os.ReadFile(filepath.Join(dir, script+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "env ") {
			for _, word := range assigned.FindAllString(line, -1) {
				c.names = append(c.names, strings.TrimSuffix(word, "="))
			}
		}
	}
	return c
}

func callOf(ts *testscript.TestScript) *call { return ts.Value("call").(*call) }

// input FILE: sets stdin of the next call.
func input(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: input file")
	}
	callOf(ts).stdin = ts.ReadFile(args[0])
}

// hookbridge ARGUMENT...: calls it in this process. The script fails if the call does, unless it expects that.
func hookbridge(ts *testscript.TestScript, neg bool, args []string) {
	if code := callOf(ts).run(ts, args); (code != cli.OK) != neg {
		ts.Fatalf("exit status %d", code)
	}
}

// run calls hookbridge as main does.
func (c *call) run(ts *testscript.TestScript, args []string) (code int) {
	here, err := os.Getwd()
	ts.Check(err)
	outside := os.Environ()
	out, err := os.Create(filepath.Join(c.dir, "out"))
	ts.Check(err)
	errs, err := os.Create(filepath.Join(c.dir, "errs"))
	ts.Check(err)
	defer func() {
		setEnvironment(outside)
		ts.Check(os.Chdir(here))
		for file, to := range map[*os.File]io.Writer{out: ts.Stdout(), errs: ts.Stderr()} {
			text, err := os.ReadFile(file.Name())
			ts.Check(err)
			to.Write(text)
			file.Close()
		}
	}()

	dir := ts.MkAbs(".")
	ts.Check(os.Chdir(dir))
	var inside []string
	for _, name := range c.names {
		if value := ts.Getenv(name); value != "" {
			inside = append(inside, name+"="+value)
		}
	}
	setEnvironment(append(inside, "PWD="+dir))

	std := standard(args, strings.NewReader(c.stdin), cli.Steady{File: out, Fd: int(out.Fd())},
		cli.Steady{File: errs, Fd: int(errs.Fd())})
	c.stdin = ""
	return recovered(args, std, dispatch)
}

func setEnvironment(vars []string) {
	os.Clearenv()
	for _, v := range vars {
		if name, value, ok := strings.Cut(v, "="); ok && name != "" {
			os.Setenv(name, value)
		}
	}
}
