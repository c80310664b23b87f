package main

import (
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

const runUsage = `usage: hookbridge run [FLAG...] [-c COMMAND | -- PROGRAM ARG...]

Reads the payload of a host's hook on stdin, runs the hooks of another agent that
apply, and answers the host in its own words: one JSON object on stdout.

  --host D            the agent that calls: claude, cursor, with a version cursor@2.4
                      (default: seen from the payload)
  --hooks D           the agent that the hooks are written for (default claude)
  --project DIR       root of the project (default: as the payload says)
  --home DIR          home folder with the user's hooks (default $HOME)
  --config FILE       use this file instead of those that the agent would load; may be repeated
  --event NAME        with -c or --: the event that the command is a hook for (default: every event)
  --matcher M         with -c or --: its matcher
  --if RULE, --on-failure block|continue, --async yes|rewake, --shell S, --loop-limit N, --plugin-root DIR, --scope user
                      with -c or --: what the hook's own configuration said, as convert writes it
  --timeout SECONDS   upper limit for every hook
  --ask deny|relay|allow
                      where the host cannot ask the user: deny (default), ask at its gate
                      event, or let the act proceed
  --fail-closed       if the bridge itself fails, deny
  --require-trust     run a project's hooks only after hookbridge trust
  --evaluator COMMAND answers prompt and agent hooks: prompt on stdin, {"ok":bool,"reason":text} on stdout
  --log FILE          append a JSON line a call (no payload text)
  --log-payload       put payload and answer into the log too
  -c COMMAND          the one hook to run, by a shell
  -- PROGRAM ARG...   the one hook to run, without a shell

Exit status: 0 answered, 1 the bridge failed, 64 wrong usage.
`

// errUsage marks a mistake on the command line.
type errUsage struct{ msg string }

func (e errUsage) Error() string { return e.msg }

// runFlags is the command line of run.
type runFlags struct {
	host, hooks, project, home, event, matcher, ask, evaluator, log, shell string
	configs                                                                listFlag
	timeout                                                                float64
	failClosed, requireTrust, logPayload                                   bool
	program                                                                []string

	// What a wrapped hook's own configuration said; see adapter.Wrapping.
	condition, onFailure, async, hookShell, pluginRoot, scope string
	loopLimit                                                 int
	hasLoopLimit                                              bool
}

type listFlag []string

func (l *listFlag) String() string     { return strings.Join(*l, ",") }
func (l *listFlag) Set(s string) error { *l = append(*l, s); return nil }

func parseRun(args []string) (*runFlags, error) {
	f := &runFlags{}
	fs := flag.NewFlagSet("run", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&f.host, "host", "", "")
	fs.StringVar(&f.hooks, "hooks", "claude", "")
	fs.StringVar(&f.project, "project", "", "")
	fs.StringVar(&f.home, "home", "", "")
	fs.Var(&f.configs, "config", "")
	fs.StringVar(&f.event, "event", "", "")
	fs.StringVar(&f.matcher, "matcher", "", "")
	fs.Float64Var(&f.timeout, "timeout", 0, "")
	fs.StringVar(&f.ask, "ask", "deny", "")
	fs.BoolVar(&f.failClosed, "fail-closed", false, "")
	fs.BoolVar(&f.requireTrust, "require-trust", false, "")
	fs.StringVar(&f.evaluator, "evaluator", "", "")
	fs.StringVar(&f.log, "log", "", "")
	fs.BoolVar(&f.logPayload, "log-payload", false, "")
	fs.StringVar(&f.shell, "c", "", "")
	fs.StringVar(&f.condition, "if", "", "")
	fs.StringVar(&f.onFailure, "on-failure", "", "")
	fs.StringVar(&f.async, "async", "", "")
	fs.StringVar(&f.hookShell, "shell", "", "")
	fs.StringVar(&f.pluginRoot, "plugin-root", "", "")
	fs.StringVar(&f.scope, "scope", "", "")
	fs.IntVar(&f.loopLimit, "loop-limit", 0, "")
	// What follows -- is the program; package flag takes the -- away, so that it
	// could not be told from a forgotten one.
	before := args
	for i, a := range args {
		if a == "--" {
			before, f.program = args[:i], args[i+1:]
			if len(f.program) == 0 {
				return nil, errUsage{"-- needs a program"}
			}
			break
		}
	}
	if err := fs.Parse(before); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, errUsage{err.Error()}
	}
	if fs.NArg() > 0 {
		return nil, errUsage{"unexpected argument " + strconv.Quote(fs.Arg(0)) + "; a program goes after --"}
	}
	return f, f.check(fs)
}

func (f *runFlags) check(fs *flag.FlagSet) error {
	set := map[string]bool{}
	fs.Visit(func(fl *flag.Flag) { set[fl.Name] = true })
	single := set["c"] || f.program != nil
	f.hasLoopLimit = set["loop-limit"]
	for _, name := range []string{"matcher", "if", "on-failure", "async", "shell", "plugin-root", "loop-limit", "scope"} {
		if set[name] && !single {
			return errUsage{"--" + name + " goes with -c or --"}
		}
	}
	switch {
	case f.onFailure != "" && f.onFailure != "block" && f.onFailure != "continue":
		return errUsage{"--on-failure is block or continue"}
	case f.scope != "" && f.scope != "user":
		return errUsage{"--scope is user"}
	case f.async != "" && f.async != "yes" && f.async != "rewake":
		return errUsage{"--async is yes or rewake"}
	case set["c"] && f.program != nil:
		return errUsage{"-c and -- exclude each other"}
	case set["c"] && f.shell == "":
		return errUsage{"-c needs a command"}
	case single && len(f.configs) > 0:
		return errUsage{"--config does not go with -c or --"}
	case set["timeout"] && !(f.timeout > 0 && f.timeout <= 1e6):
		return errUsage{"--timeout must be seconds above 0"}
	}
	return nil
}

var askPolicies = []struct {
	name   string
	policy adapter.AskPolicy
}{{"deny", adapter.AskDeny}, {"relay", adapter.AskRelay}, {"allow", adapter.AskAllow}}

// bridge turns the flags into a Bridge; Host is nil if it is to be detected.
func (f *runFlags) bridge() (*adapter.Bridge, error) {
	b := &adapter.Bridge{
		Given: f.configs, FailClosed: f.failClosed, RequireTrust: f.requireTrust, Evaluator: f.evaluator,
		Timeout: time.Duration(f.timeout * float64(time.Second)), Now: time.Now, TempDir: os.TempDir(),
	}
	var ok bool
	if b.Hooks, ok = adapter.Find(f.hooks); !ok {
		return nil, unknownDialect("--hooks", f.hooks)
	}
	if f.host != "" {
		if b.Host, ok = adapter.Find(f.host); !ok {
			return nil, unknownDialect("--host", f.host)
		}
	}
	ok = false
	for _, p := range askPolicies {
		if p.name == f.ask {
			b.Ask, ok = p.policy, true
		}
	}
	if !ok {
		return nil, errUsage{"--ask is deny, relay or allow, not " + strconv.Quote(f.ask)}
	}
	if err := f.single(b); err != nil {
		return nil, err
	}
	return b, f.places(b)
}

func unknownDialect(flag, name string) error {
	var names []string
	for _, d := range adapter.Dialects() {
		names = append(names, d.Name())
	}
	return errUsage{flag + " " + strconv.Quote(name) + ": known are " + strings.Join(names, ", ")}
}

// single makes the one hook of -c or --.
func (f *runFlags) single(b *adapter.Bridge) error {
	if f.shell == "" && f.program == nil {
		return nil
	}
	h := &schema.Hook{Handler: schema.HandlerCommand, Command: f.shell, Matcher: f.matcher, HasMatcher: f.matcher != ""}
	if f.program != nil {
		h.Command, h.Args = f.program[0], append([]string{}, f.program[1:]...)
	}
	if f.timeout > 0 {
		h.Timeout = time.Duration(f.timeout * float64(time.Second))
	}
	h.Condition, h.HasCondition, h.Shell = f.condition, f.condition != "", f.hookShell
	h.Async, h.Rewake = f.async == "yes", f.async == "rewake"
	switch f.onFailure {
	case "block":
		h.Fail = schema.FailClosed
	case "continue":
		h.Fail = schema.FailOpen
	}
	if f.hasLoopLimit {
		h.LoopLimit = &f.loopLimit
	}
	if f.pluginRoot != "" {
		h.Source = schema.Source{Scope: schema.ScopePlugin, Plugin: f.pluginRoot}
	}
	if f.scope == "user" {
		h.Source.Scope = schema.ScopeUser
	}
	b.Single = h
	if f.event == "" {
		return nil
	}
	if row := eventNamed(b.Hooks, f.event); row != nil {
		h.Native, h.Event = row.Native, row.Event
		return nil
	}
	return errUsage{"--event " + strconv.Quote(f.event) + ": " + b.Hooks.Name() + " has no such event"}
}

// eventNamed finds the event that the user means: by the hooks' own name, by the
// canonical one, or by the name that another dialect has for it.
func eventNamed(d adapter.Dialect, name string) *schema.EventRow {
	rows := d.EventRows()
	for i := range rows {
		if rows[i].Native == name {
			return &rows[i]
		}
	}
	event := schema.ParseEvent(name)
	for _, other := range adapter.Dialects() {
		for _, row := range other.EventRows() {
			if row.Native == name && event == 0 {
				event = row.Event
			}
		}
	}
	for i := range rows {
		if rows[i].Event == event && !rows[i].Gate {
			return &rows[i]
		}
	}
	return nil
}

// places fills in the folders and the environment: the only place that reads
// them.
func (f *runFlags) places(b *adapter.Bridge) error {
	env := schema.Environ(os.Environ())
	home := f.home
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	var err error
	if home != "" {
		if home, err = filepath.Abs(home); err != nil {
			return err
		}
	}
	project := f.project
	if project != "" {
		if project, err = filepath.Abs(project); err != nil {
			return err
		}
	}
	for i, file := range b.Given { // a plugin's folder is told from its file's
		if b.Given[i], err = filepath.Abs(file); err != nil {
			return err
		}
	}
	if env.Get("PWD") == "" {
		if wd, err := os.Getwd(); err == nil {
			env = append(env, "PWD="+wd)
		}
	}
	b.Places = schema.Places{OS: runtime.GOOS, Home: home, Project: project, Env: env}
	b.StateDir = stateDir(env)
	b.TrustFile = trustFile(env, home)
	b.Self, _ = os.Executable()
	return nil
}

// stateDir is where the session files lie: a folder of this user's that the
// system empties by itself.
func stateDir(env schema.Environ) string {
	if dir := env.Get("HOOKBRIDGE_STATE_DIR"); dir != "" {
		return dir
	}
	if dir := env.Get("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "hookbridge")
	}
	return filepath.Join(os.TempDir(), "hookbridge-"+strconv.Itoa(os.Getuid()))
}

func trustFile(env schema.Environ, home string) string {
	if dir := env.Get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "hookbridge", "trusted")
	}
	return filepath.Join(home, ".config", "hookbridge", "trusted")
}
