package simulate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// patience is how long a program may take to print its version.
const patience = 5 * time.Second

// A Program is the running hookbridge.
type Program struct {
	File     string // its executable
	Version  string // what its command "version" prints
	Variable string // the environment variable that names the folder of session files
	// Depth is the environment variable that counts hookbridge processes inside each other. With a count that is too
	// high, hookbridge answers with the variable's name before it runs a hook. "": the entries of this program aren't
	// tried.
	Depth string
}

// Probes are the entries that were started, with their results if hookbridge didn't answer. The zero Probes is ready
// for use.
type Probes struct {
	mu   sync.Mutex
	done map[string]*process.Result
}

// unanswered starts an entry once as its host does, launcher included, and without running a hook. It returns the
// entry's result if it isn't hookbridge's answer; nil: hookbridge answers. It ignores that a login shell may set
// another PATH.
func (x *Probes) unanswered(ctx context.Context, p Program, host *dialect.Profile, spec process.Spec) *process.Result {
	if p.Depth == "" {
		return nil
	}
	key := strings.Join(append([]string{host.Full(), spec.Dir}, spec.Argv...), "\x00")
	x.mu.Lock()
	defer x.mu.Unlock()
	if res, known := x.done[key]; known {
		return res
	}

	const tooDeep = "1000"
	spec.Env = schema.Environ(spec.Env).With(nil, schema.EnvVar{Name: p.Depth, Value: tooDeep})
	spec.Timeout = max(spec.Timeout, patience)
	if last := len(spec.Argv) - 1; host.LoginShell && last > 0 {
		spec.Argv = slices.Clone(spec.Argv)
		spec.Argv[last] = "PATH=" + shell.Quote(schema.Environ(spec.Env).Get("PATH")) + "; " + spec.Argv[last]
	}
	res := &process.RunAll(ctx, []process.Spec{spec})[0]
	said := []byte(p.Depth + "=" + tooDeep)
	if bytes.Contains(res.Stdout, said) || bytes.Contains(res.Stderr, said) {
		res = nil
	}
	if x.done == nil {
		x.done = map[string]*process.Result{}
	}
	x.done[key] = res
	return res
}

// runs reports whether an entry starts the running program, or one of the same version. It ignores what the entries of
// a dry host start, and that a host's login shell may set another PATH.
func (h *Host) runs(ctx context.Context, entry *schema.Hook, call *cmdline.Call, spec process.Spec) bool {
	if h.Dry || h.Spawn {
		return h.Dry
	}
	if call.Launcher != "" {
		file := filepath.Join(entry.Source.Plugin, filepath.FromSlash(cmdline.LauncherFile))
		if _, err := os.Stat(file); err != nil {
			return false
		}
	}
	if call.ProjectLauncher != "" && call.LaunchedFile(spec.Dir, schema.Environ(spec.Env).Get) == "" {
		return false
	}

	file := call.Path
	if file == "" {
		file = LookPath(cmdline.Program, schema.Environ(append(slices.Clone(spec.Env), call.Env...)).Get("PATH"))
	}
	there, err := os.Stat(file)
	if file == "" || err != nil {
		return false
	}
	p := h.Program
	if here, err := os.Stat(p.File); err == nil && os.SameFile(here, there) {
		return true
	}
	res := process.RunAll(ctx, []process.Spec{{Argv: []string{file, "version"}, Env: spec.Env, Timeout: patience}})[0]
	return p.Version != "" && res.Exit == 0 && strings.TrimSpace(string(res.Stdout)) == p.Version
}

// LookPath returns the program that a plain command word starts, or "".
func LookPath(name, path string) string {
	if path == "" { // an empty path would be the current folder
		return ""
	}
	return process.Find(name, []string{"PATH=" + path})
}

// faults finds the hooks that can't work: the shell didn't find their program, or one that they call.
func faults(r *Run) (ds schema.Diagnostics) {
	for _, run := range r.Hooks() {
		missing := notFound(&run)
		if missing == "" {
			continue
		}
		d := ds.AddSeverity(schema.CodeNotStarted, schema.Weaker, "",
			"the hook calls a program that isn't found: "+missing)
		d.OfHook(&run.Hook)
	}
	if r.Unanswered {
		d := ds.AddSeverity(schema.CodeNotStarted, schema.Weaker, "",
			fmt.Sprintf("the entry ended with exit code %d, and hookbridge didn't answer by it", r.Result.Exit))
		d.OfHook(&r.Hook)
	}
	return ds
}

// notFound returns what a shell printed about a program that it didn't find, "" if nothing. Scripts continue after it,
// and may end with 0.
func notFound(run *bridge.HookRun) string {
	const startOfStderr = 64 << 10
	text := run.Result.Stderr[:min(len(run.Result.Stderr), startOfStderr)]
	for line := range bytes.Lines(text) {
		line := strings.TrimSpace(string(line))
		ofBash := strings.Contains(line, ": command not found")
		ofEnv := strings.HasPrefix(line, "env: ") && strings.HasSuffix(line, "No such file or directory")
		ofSh := strings.HasSuffix(line, ": not found") && strings.Count(line, ": ") > 1
		if ofBash || ofEnv || ofSh {
			return schema.FirstLine([]byte(line))
		}
	}
	if run.Result.Exit == 127 && run.Result.Err == nil && run.Ran {
		return schema.FailureText(127, "", run.Result.Stderr)
	}
	return ""
}
