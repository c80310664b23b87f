package main

import (
	"cmp"
	"flag"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

type runFlags struct {
	host, hooks, project, home, event, matcher, ask, allow, evaluator, log, shell string
	configs                                                                       listFlag
	timeout                                                                       float64
	failClosed, requireTrust, logPayload, logSecrets                              bool
	program                                                                       []string
	pinHooks                                                                      bool
	rooted                                                                        bool // the project is looked for where none is named
	module, inline                                                                string
	args                                                                          []string // what the log records as the arguments of run

	// What a wrapped hook's own configuration said; see adapter.Wrapping.
	condition, onFailure, async, hookShell, pluginRoot, scope string
	loopLimit                                                 int
	hasLoopLimit, hasCommand                                  bool
}

type listFlag []string

func (l *listFlag) String() string     { return strings.Join(*l, ",") }
func (l *listFlag) Set(s string) error { *l = append(*l, s); return nil }

func (f *runFlags) define(fs *flags) {
	f.defineBridge(fs)
	fs.text(&f.event, "event", "", "E", "with -c or --: the event that the command is a hook for (default: every event);\nelse the host's event, where its payloads don't name it")
	f.defineHook(fs)
	fs.text(&f.log, "log", "", "FILE", "append one JSON line per call, for hookbridge log and hookbridge replay")
	fs.set.BoolVar(&f.logPayload, "log-payload", true, "")
	fs.doc("log-payload", "", "also log payload and answer, which replay needs (default); switch off with\n--log-payload=false")
	fs.yes(&f.logSecrets, "log-secrets", "don't hide tokens and passwords in the log and on stderr")
}

// defineBridge declares the flags that say which hooks run, and how.
func (f *runFlags) defineBridge(fs *flags) {
	fs.text(&f.host, "host", "", "D", "the agent that calls (default: detected from the payload)")
	fs.text(&f.hooks, "hooks", adapter.Default, "D", "the agent that the hooks are written for (default "+adapter.Default+")")
	fs.text(&f.project, "project", "", "DIR", "root of the project (default: from the payload)")
	fs.text(&f.home, "home", "", "DIR", "home folder with the user's hooks (default $HOME)")
	fs.many(&f.configs, "config", "FILE", "use this hook file instead of the ones that the agent would load; may be repeated")
	fs.text(&f.inline, "inline", "", "JSON", "use this text instead of hook files, in the format of the agent's file")
	fs.number(&f.timeout, "timeout", 0, "SECONDS", "upper time limit for each hook")
	fs.text(&f.ask, "ask", "deny", "deny|relay|allow", "if the host can't ask the user: deny (default), ask at another event\nof the same call, or let the call proceed")
	f.defineAllow(fs, allowHelp)
	fs.yes(&f.failClosed, "fail-closed", "deny if hookbridge itself fails")
	fs.yes(&f.pinHooks, "pin-hooks", "deny tool calls once the hook files have changed during a session")
	fs.yes(&f.requireTrust, "require-trust", "run a project's hooks only if hookbridge trust recorded them")
	fs.text(&f.evaluator, "evaluator", "", "COMMAND", "program for prompt and agent hooks: gets the prompt on stdin, prints\n{\"ok\":bool,\"reason\":text}")
}

// defineAllow declares --allow, for every command that translates answers.
func (f *runFlags) defineAllow(fs *flags, help string) {
	fs.text(&f.allow, "allow", "pass", "pass|approve", help)
}

const allowHelp = "how to translate an allow that means only \"no objection\" to the hooks' agent, but skips\nthe prompt of the host: pass (default) gives no opinion, approve skips the prompt"

// definePlaces declares the folders of commands that have no payload to read them from.
func (f *runFlags) definePlaces(fs *flags) {
	f.rooted, f.hooks = true, adapter.Default
	fs.text(&f.project, "project", "", "DIR", "root of the project (default: the nearest folder from here upward with a hook file of any\nagent, else the root of the Git repository)")
	fs.text(&f.home, "home", "", "DIR", "home folder with the user's hooks (default $HOME)")
}

// defineHook declares the flags that give one hook instead of configured ones:
// what its own configuration said, as convert writes it.
func (f *runFlags) defineHook(fs *flags) {
	fs.program = &f.program
	fs.text(&f.shell, "c", "", "COMMAND", "run this one hook with a shell; put a program without a shell after --")
	fs.text(&f.module, "module", "", "FILE", "with --hooks qoder-sdk: run the callbacks that this module exports, with node; a relative\nFILE is looked up in the project, then in the current folder")
	fs.text(&f.matcher, "matcher", "", "M", "with -c, -- or --module: the hook's matcher")
	fs.text(&f.condition, "if", "", "RULE", "the hook's condition")
	fs.text(&f.onFailure, "on-failure", "", "block|continue", "what a failure of the hook means")
	fs.text(&f.async, "async", "", "yes|rewake", "run the hook in the background")
	fs.text(&f.hookShell, "shell", "", "SHELL", "the shell that its configuration names")
	fs.text(&f.pluginRoot, "plugin-root", "", "DIR", "the plugin that the hook belongs to")
	fs.text(&f.scope, "scope", "", "project|user", "run only the project's hooks, or only the others; each leaves to the other's entry what\nthat runs. With -c: the hook is from the user's own file")
	fs.whole(&f.loopLimit, "loop-limit", 0, "N", "how often in a row the hook may keep the agent working")
}

func parseRun(args []string) (*runFlags, error) {
	f, fs := &runFlags{}, newFlags("run")
	f.define(fs)
	rest, err := fs.parse(args)
	if err == nil {
		err = f.settle(fs, rest)
	}
	return f, err
}

func (f *runFlags) settle(fs *flags, rest []string) error {
	err := f.check(fs)
	if err == nil && len(rest) > 0 {
		err = errUsage{"unexpected argument " + strconv.Quote(rest[0]) + "; put a program after --"}
	}
	if f.log != "" {
		f.args = f.recordedArgs(fs)
	}
	return err
}

// recordedArgs is the command line by which the same can be run again from any
// folder; what it says of the log is left out.
func (f *runFlags) recordedArgs(fs *flags) (args []string) {
	fs.set.Visit(func(fl *flag.Flag) {
		value := fl.Value.String()
		switch fl.Name {
		case "log", "log-payload", "log-secrets", "config":
			return
		case "project", "home", "plugin-root":
			value = absolute(value)
		}
		args = append(args, flagDoc{name: fl.Name}.dashed()+"="+value)
	})
	for _, file := range f.configs {
		args = append(args, "--config="+absolute(file))
	}
	if f.program != nil {
		args = append(append(args, "--"), f.program...)
	}
	return args
}

func (f *runFlags) check(fs *flags) error {
	set := map[string]bool{}
	fs.set.Visit(func(fl *flag.Flag) { set[fl.Name] = true })
	single := set["c"] || f.program != nil || set["module"]
	f.hasLoopLimit, f.hasCommand = set["loop-limit"], set["c"]
	for _, name := range []string{"matcher", "if", "on-failure", "async", "shell", "plugin-root", "loop-limit"} {
		if set[name] && !single && !(set["inline"] && name == "plugin-root") {
			return errUsage{"--" + name + " needs -c, -- or --module"}
		}
	}
	files := len(f.configs) > 0
	for _, rule := range []struct {
		broken  bool
		mistake string
	}{
		{f.scope == "project" && (single || set["inline"] || files),
			"--scope project is about hooks that are found; with a hook of the command line the only value of --scope is user"},
		{f.scope == "user" && !single && !set["inline"] && files, "--scope is about hooks that are found; --config names files"},
		{set["c"] && f.program != nil, "use either -c or --"},
		// a converted entry names its event: its agent says what an empty command does
		{set["c"] && f.shell == "" && f.event == "", "-c needs a command"},
		{set["module"] && (set["c"] || f.program != nil), "--module does not go with -c or --"},
		{set["module"] && f.module == "", "--module needs a file"},
		{set["module"] && f.requireTrust, "--require-trust applies to hooks that are found in a project; it doesn't go with --module"},
		{single && files, "--config does not go with -c, -- or --module"},
		{set["inline"] && (single || files), "--inline does not go with -c, --, --module or --config"},
		{set["timeout"] && !(f.timeout > 0 && f.timeout <= 1e6), "--timeout takes seconds, more than 0"},
	} {
		if rule.broken {
			return errUsage{rule.mistake}
		}
	}
	return nil
}

// ready is the bridge for commands other than run: whatever is wrong with its places is
// a mistake on the command line.
func (f *runFlags) ready() (*bridge.Bridge, error) {
	err := projectIsThere(f.project)
	if err != nil {
		return nil, err
	}
	b, err := f.bridge()
	if err != nil {
		return nil, errUsage{err.Error()}
	}
	return b, nil
}

// bridge turns the flags into a Bridge; Host is nil if it is to be detected.
func (f *runFlags) bridge() (*bridge.Bridge, error) {
	b := &bridge.Bridge{
		Given: f.configs, Policy: cmdline.PolicyOf(f.ask, f.allow), FailClosed: f.failClosed, RequireTrust: f.requireTrust, PinHooks: f.pinHooks, Evaluator: f.evaluator,
		Timeout: time.Duration(f.timeout * float64(time.Second)), Now: time.Now, TempDir: os.TempDir(),
	}
	if f.module != "" && f.hooks == adapter.Default { // the default says nothing
		f.hooks = moduleDialect(f.hooks)
	}
	var err error
	if b.Hooks, err = findDialect("--hooks", f.hooks); err != nil {
		return nil, err
	}
	for i, file := range b.Given {
		if b.Hooks.Given(file).Plugin != "" { // its hooks run in other folders
			b.Given[i] = absolute(file)
		}
	}
	if f.host != "" {
		if b.Host, err = findDialect("--host", f.host); err != nil {
			return nil, err
		}
	}
	switch {
	case !f.looksForHooks():
	case f.scope == "project":
		b.Scope = schema.ScopeProject
	case f.scope == "user":
		b.Scope = schema.ScopeUser
	}
	if f.inline != "" {
		b.Inline = []byte(f.inline)
		b.InlineAt = f.source()
	}
	if err := f.single(b); err != nil {
		return nil, err
	}
	return b, f.places(b)
}

func (f *runFlags) single(b *bridge.Bridge) error {
	if !f.hasCommand && f.program == nil && f.module == "" {
		return nil
	}
	h := &schema.Hook{Handler: schema.HandlerCommand, Command: f.shell, Matcher: f.matcher, HasMatcher: f.matcher != ""}
	if f.module != "" {
		if !b.Hooks.Profile().IsModule(f.module) {
			return errUsage{"--module " + strconv.Quote(f.module) + " isn't a module of callbacks for --hooks " + b.Hooks.Profile().Name +
				"; it needs --hooks qoder-sdk and a .mjs, .js, .cjs, .ts, .mts or .cts file"}
		}
		h.Handler, h.Command = schema.HandlerCallback, f.module
	}
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
	h.Source = f.source()
	b.Single = h
	if f.event == "" {
		return nil
	}
	if row := eventNamed(b.Hooks, f.event); row != nil {
		h.Native, h.Event = row.Native, row.Event
		return nil
	}
	return noEvent("--event", f.event, b.Hooks)
}

// noEvent says that a dialect has no event of that name, and which was meant.
func noEvent(flag, name string, d adapter.Dialect) error {
	if eventOf(name) != 0 {
		return errUsage{flag + " " + strconv.Quote(name) + ": " + d.Profile().Title + " has no such event, so hooks on it never run there; see hookbridge explain " + name}
	}
	var known []string
	for _, row := range d.Profile().Events {
		known = append(known, row.Native, row.Event.String())
	}
	return errUsage{flag + " " + strconv.Quote(name) + ": " + d.Profile().Title + " has no such event" + suggest.Question(name, known)}
}

// moduleDialect is the dialect whose hooks are in modules, or else the given one.
func moduleDialect(given string) string {
	for _, name := range adapter.Names() {
		if d, err := adapter.Find(name); err == nil && d.Profile().Modules != nil {
			return name
		}
	}
	return given
}

// source is the source that hooks of the command line count as.
func (f *runFlags) source() (s schema.Source) {
	if f.pluginRoot != "" {
		s = schema.Source{Scope: schema.ScopePlugin, Plugin: absolute(f.pluginRoot)}
	}
	if f.scope == "user" {
		s.Scope = schema.ScopeUser
	}
	return s
}

// eventNamed finds the event that the user means: by the hooks' own name, by the
// canonical one, or by the name that another dialect has for it.
func eventNamed(d adapter.Dialect, name string) *schema.EventRow {
	p := d.Profile()
	return cmp.Or(p.Row(name), p.Row(p.Generic(cmp.Or(schema.ParseEvent(name), eventOf(name)))))
}

// looksForHooks reports whether the hooks are those that are found, not such as
// the command line gives.
func (f *runFlags) looksForHooks() bool {
	return !f.hasCommand && f.program == nil && f.module == "" && f.inline == "" && len(f.configs) == 0
}
