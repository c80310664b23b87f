package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/hookshell"
	"github.com/rogpeppe/go-internal/testscript"
)

// programs are what this binary does under other names: hookbridge, and hooks and servers that misbehave on demand.
var programs = map[string]func(){
	"hookbridge": main,
	"fake-hook":  fakeHook,
	"fake-http":  fakeHTTP,
	"edit-guard": editGuard,
}

// TestMain puts the programs into the PATH of the scripts.
func TestMain(m *testing.M) {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	run := programs[name]
	if len(os.Args) > 1 && os.Args[1] == bridge.AsyncCommand { // hookbridge starts itself by its own file
		run = main
	}
	switch name { // where TestWindowsGuard has put it
	case "bash", "sh":
		os.Exit(hookshell.Main(os.Args[1:]))
	case "powershell", "pwsh":
		os.Exit(hookshell.PowerShellMain(os.Args[1:]))
	}
	if run != nil {
		os.Args[0] = name
		run()
		os.Exit(0)
	}
	os.Exit(withPrograms(m))
}

// executable is the file that tests start as hookbridge.
var executable string

func withPrograms(m *testing.M) int {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	executable = self
	dir, err := os.MkdirTemp("", "hookbridge-programs-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for name := range programs {
		file := filepath.Join(dir, name)
		if runtime.GOOS == "windows" {
			file += ".exe"
		}
		if name == "hookbridge" && built(file) {
			executable = file
			continue
		}
		if os.Link(self, file) != nil && linkOrCopy(self, file) != nil {
			panic("can't link " + self + " to " + file)
		}
	}
	os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return m.Run()
}

// built builds hookbridge, if Go is available. The result starts in a third of the time that the test binary takes.
func built(file string) bool {
	return exec.Command("go", "build", "-buildvcs=false", "-ldflags=-w", "-o", file, ".").Run() == nil
}

// linkOrCopy links to a file, or copies it on Windows, where links need a special privilege.
func linkOrCopy(from, to string) error {
	if runtime.GOOS != "windows" {
		return os.Symlink(from, to)
	}
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o700)
}

// fakeHook does what its arguments specify, in order: out=TEXT, err=TEXT, exit=N, sleep=DURATION, save=FILE (stdin to
// FILE), append=FILE (a line to FILE), env=NAME (its value to stdout), cwd (to stdout), noread, flood.
func fakeHook() {
	exit := 0
	read := true
	for _, a := range os.Args[1:] {
		if a == "noread" {
			read = false
		}
	}
	var stdin []byte
	if read {
		stdin, _ = io.ReadAll(os.Stdin)
	}
	for _, a := range os.Args[1:] {
		name, value, _ := strings.Cut(a, "=")
		switch name {
		case "out":
			fmt.Print(value)
		case "err":
			fmt.Fprint(os.Stderr, value)
		case "exit":
			fmt.Sscan(value, &exit)
		case "sleep":
			d, _ := time.ParseDuration(value)
			time.Sleep(d)
		case "save":
			os.WriteFile(value, stdin, 0o600)
		case "append":
			f, _ := os.OpenFile(value, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			fmt.Fprintln(f, "ran")
			f.Close()
		case "env":
			fmt.Print(os.Getenv(value))
		case "cwd":
			dir, _ := os.Getwd()
			fmt.Print(dir)
		case "flood":
			for range 4000 {
				fmt.Print(strings.Repeat("x", 8192))
			}
		case "fork": // a child that keeps the streams open and does what the other arguments specify
			p, err := os.StartProcess(os.Args[0], append([]string{os.Args[0]}, os.Args[2:]...),
				&os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
			if err == nil {
				_, err = p.Wait()
			}
			if err != nil {
				fmt.Fprint(os.Stderr, err)
			}
		}
	}
	os.Exit(exit)
}

// fakeHTTP is an HTTP hook. It writes its address to the file named first, and the requests to the file named second.
// It answers one request for each further argument, "STATUS BODY".
func fakeHTTP() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	log, _ := os.Create(os.Args[2])
	left := os.Args[3:]
	done := make(chan bool)
	handler := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(log, "%s %s auth=%q body=%s\n", r.Method, r.URL.Path, r.Header.Get("Authorization"), body)
		status, text, _ := strings.Cut(left[0], " ")
		code := 200
		fmt.Sscan(status, &code)
		if code == 302 {
			w.Header().Set("Location", "/elsewhere")
		}
		if text == "gzip" { // although not requested, as some servers do
			w.Header().Set("Content-Encoding", "gzip")
			w.WriteHeader(code)
			z := gzip.NewWriter(w)
			io.WriteString(z, `{"decision":"block","reason":"zipped"}`)
			z.Close()
		} else {
			w.WriteHeader(code)
			io.WriteString(w, text)
		}
		if left = left[1:]; len(left) == 0 {
			close(done)
		}
	}
	server := &http.Server{Handler: http.HandlerFunc(handler)}
	go server.Serve(l)
	// The configuration that calls this hook, written atomically.
	settings := fmt.Sprintf(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"http","url":"http://%s/hook","timeout":5,`+
		`"headers":{"Authorization":"Bearer $TOKEN-$SECRET-"},"allowedEnvVars":["TOKEN"]}]}]}}`, l.Addr())
	os.WriteFile(os.Args[1]+".tmp", []byte(settings), 0o600)
	os.Rename(os.Args[1]+".tmp", os.Args[1])
	select {
	case <-done:
	case <-time.After(time.Minute):
	}
	server.Shutdown(context.Background()) // sends the last answer completely
}

func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

func runScripts(t *testing.T, dir string) {
	testscript.RunT(serial{t}, testscript.Params{
		Dir:                dir,
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			env.Setenv("HOME", home)
			env.Setenv("COLUMNS", "1000")                            // width.txtar tests line breaks
			env.Setenv("HOOKBRIDGE_STATE_DIR", env.WorkDir+"-state") // scripts are projects themselves
			env.Values["call"] = newCall(t, env, dir)
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"hookbridge": hookbridge, "input": input,
			"lines": lines, "status": status, "await": await, "quick": quick,
			"valid": valid,
		},
	})
}

// lines FILE N: the file has N lines; a missing file has none.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: lines file n")
	}
	text, _ := os.ReadFile(ts.MkAbs(args[0]))
	if n := fmt.Sprint(bytes.Count(text, []byte("\n"))); (n == args[1]) == neg {
		ts.Fatalf("%s has %s lines", args[0], n)
	}
}

// status N COMMAND...: the command ends with that exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	got := 0
	if args[1] == "hookbridge" {
		got = callOf(ts).run(ts, args[2:])
	} else if err := ts.Exec(args[1], args[2:]...); err != nil {
		_, err := fmt.Sscanf(err.Error(), "exit status %d", &got)
		ts.Check(err)
	}
	if (fmt.Sprint(got) == args[0]) == neg {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// await FILE: waits until the file exists.
func await(ts *testscript.TestScript, neg bool, args []string) {
	for range 6000 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s does not appear", args[0])
}

// quick DURATION COMMAND...: the command ends well within the time. The time is far above what the command needs and
// far below what it must not wait for.
func quick(ts *testscript.TestScript, neg bool, args []string) {
	limit, err := time.ParseDuration(args[0])
	ts.Check(err)
	start := time.Now()
	if args[1] == "hookbridge" {
		hookbridge(ts, false, args[2:])
	} else {
		ts.Check(ts.Exec(args[1], args[2:]...))
	}
	if d := time.Since(start); d > limit {
		ts.Fatalf("took %v", d)
	}
}
