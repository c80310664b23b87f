// Package cmdline reads and writes the command lines by which agents call the
// bridge: those that install writes, and those in which convert wraps a hook.
package cmdline

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Program is the name by which entries start the bridge.
const Program = "hookbridge"

// A Call is a command that runs the bridge and does nothing else. Flags
// are as written, without their dashes; a switch has the value "".
type Call struct {
	Flags   []Flag
	Path    string   // by which the entry starts the bridge; "": PATH
	Program []string // the hook behind --
	single  bool     // the call brings its own hook: -c, -- or --inline
}

// A Flag is one flag of a command line.
type Flag struct{ Name, Value string }

// switches are the flags of run that take no separate value. A test of the
// command line keeps the list complete.
var switches = []string{"fail-closed", "pin-hooks", "require-trust", "log-payload", "log-secrets"}

// IsSwitch reports whether a flag of run takes no separate value.
func IsSwitch(name string) bool { return slices.Contains(switches, name) }

// Parse reads the command of one hook. ok is false for anything but a
// single call of the bridge: another program, a compound command, a redirection,
// a comment, or text that merely mentions the bridge. Only such a call belongs to
// the bridge; everything else is the user's.
func Parse(command string, args []string) (call Call, ok bool) {
	if !strings.Contains(command, Program) { // nearly every hook
		return call, false
	}
	words := append([]string{command}, args...)
	if args == nil {
		if words, ok = shell.Words(strings.TrimSpace(command)); !ok {
			return call, false
		}
		for len(words) > 0 && shell.IsAssignment(words[0]) {
			words = words[1:]
		}
	}
	if len(words) < 2 || !isProgram(words[0]) || words[1] != "run" {
		return call, false
	}
	if words[0] != Program {
		call.Path = words[0]
	}
	return call, call.parse(words[2:])
}

// isProgram reports whether a word starts the bridge: by its name, or by an
// absolute path to a program of that name.
func isProgram(word string) bool {
	if word == Program {
		return true
	}
	word = strings.ReplaceAll(word, `\`, "/")
	dir, name := word[:strings.LastIndexByte(word, '/')+1], word[strings.LastIndexByte(word, '/')+1:]
	absolute := filepath.IsAbs(dir) || len(dir) > 2 && dir[1] == ':' && dir[2] == '/'
	return absolute && strings.TrimSuffix(name, ".exe") == Program
}

// parse reads the flags as package flag does.
func (c *Call) parse(words []string) bool {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "--" {
			c.single, c.Program = true, words[i+1:]
			return true
		}
		name := strings.TrimPrefix(strings.TrimPrefix(w, "-"), "-")
		if name == w || name == "" {
			return false
		}
		name, value, has := strings.Cut(name, "=")
		if !has && !IsSwitch(name) {
			if i++; i >= len(words) {
				return false
			}
			value = words[i]
		}
		c.single = c.single || name == "c" || name == "inline"
		c.Flags = append(c.Flags, Flag{name, value})
	}
	return true
}

// Value is the value of a flag, "" if the call does not have it.
func (c *Call) Value(name string) string {
	for i := len(c.Flags) - 1; i >= 0; i-- {
		if c.Flags[i].Name == name {
			return c.Flags[i].Value
		}
	}
	return ""
}

// Has reports whether the call has a flag.
func (c *Call) Has(name string) bool {
	return slices.ContainsFunc(c.Flags, func(f Flag) bool { return f.Name == name })
}

// FindsHooks reports whether the call looks for its hooks in files or in a
// module, instead of bringing one along.
func (c *Call) FindsHooks() bool { return !c.single }

// Reads reports whether the call runs the hooks of a file: one that it names, or any
// if it names none.
func (c *Call) Reads(project, file string) bool {
	return !c.Has("config") || slices.ContainsFunc(c.Flags, func(f Flag) bool {
		return f.Name == "config" && (f.Value == file || filepath.Join(project, f.Value) == file)
	})
}

// RunsHooksOf reports whether the call looks for the hooks of a dialect, in
// whichever version of it the call names.
func (c *Call) RunsHooksOf(hooks string) bool {
	have := c.Value("hooks")
	if have == "" && c.Value("module") == "" {
		have = adapter.Dialects()[0].Profile().Name // the default of run
	}
	return c.FindsHooks() && (have == "" || dialect.BaseName(have) == dialect.BaseName(hooks))
}

// Installed reports whether install writes such a call into a file of the host
// for hooks of the given agent. A call with files of its own is the user's.
func (c *Call) Installed(host, hooks string) bool {
	to := c.Value("host")
	return c.RunsHooksOf(hooks) && c.Value("config") == "" && (to == "" || dialect.BaseName(to) == dialect.BaseName(host))
}

// FindsHooks reports whether a command is a call of the bridge that finds its
// hooks itself. Such an entry is a bridge to other hooks, not a hook of this
// agent: bridged again it would lead in circles.
func FindsHooks(command string) bool {
	call, ok := Parse(command, nil)
	return ok && call.FindsHooks()
}

// ScopeFlag is the flag of run that says whose hooks an entry runs.
const ScopeFlag = "scope"

// Scope is whose hooks the call runs: ScopeProject, ScopeUser, or ScopeGiven for all.
func (c *Call) Scope() schema.Scope {
	switch c.Value(ScopeFlag) {
	case schema.ScopeProject.String():
		return schema.ScopeProject
	case schema.ScopeUser.String():
		return schema.ScopeUser
	}
	return schema.ScopeGiven
}

// AskPolicy decides what happens to an ask that the host can't honor at the event
// itself. The zero AskPolicy denies.
type AskPolicy uint8

const (
	AskDeny  AskPolicy = iota // deny with the hook's reason
	AskRelay                  // ask at the host's gate event, deny where there is none
	AskAllow                  // let the call proceed
)

// AllowPolicy says what becomes of an allow by which the hook's agent understands
// no objection, under a host that would skip the user's permission prompt for it.
type AllowPolicy uint8

const (
	AllowPass    AllowPolicy = iota // no opinion: the host's own rules decide
	AllowApprove                    // approve, which skips the prompt
)

// A Policy is what the user chose for verdicts that two agents understand
// differently. The zero Policy is the strict one.
type Policy struct {
	Ask   AskPolicy
	Allow AllowPolicy
}

// PolicyOf is the policy that the values of --ask and --allow state. A word that is
// none of theirs states the strict one.
func PolicyOf(ask, allow string) (p Policy) {
	p.set("--ask", ask)
	p.set("--allow", allow)
	return p
}

// Flags are the arguments of the bridge that state the policy.
func (p Policy) Flags() (args []string) {
	switch p.Ask {
	case AskRelay:
		args = append(args, "--ask", "relay")
	case AskAllow:
		args = append(args, "--ask", "allow")
	}
	if p.Allow == AllowApprove {
		args = append(args, "--allow", "approve")
	}
	return args
}

// set reads one of those arguments back; false if it is none.
func (p *Policy) set(flag, value string) bool {
	switch flag + " " + value {
	case "--ask relay":
		p.Ask = AskRelay
	case "--ask allow":
		p.Ask = AskAllow
	case "--allow approve":
		p.Allow = AllowApprove
	default:
		return false
	}
	return true
}

// A Wrapping is a hook as an argument of the bridge: what `hookbridge run -c`
// is written so that the command works under another agent as under its own.
type Wrapping struct {
	Host, Hooks string // dialects
	Event       string // native event of Hooks
	Policy      Policy
	Hook        schema.Hook
}

// Wrapped are the features that the command line of the bridge carries.
const Wrapped = schema.HookMatcher | schema.HookCondition | schema.HookTimeout | schema.HookFailPolicy | schema.HookLoopLimit | schema.HookAsync |
	schema.HookRewake | schema.HookShell | schema.HookArgs

// Command writes the call of the bridge as a POSIX shell command.
func (w *Wrapping) Command() string {
	h := &w.Hook
	args := []string{"hookbridge", "run", "--host", w.Host, "--hooks", w.Hooks, "--event", w.Event}
	add := func(flag, value string) {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	args = append(args, w.Policy.Flags()...)
	add("--matcher", h.Matcher)
	add("--if", h.Condition)
	if h.Timeout > 0 {
		add("--timeout", strconv.FormatFloat(h.Timeout.Seconds(), 'f', -1, 64))
	}
	switch h.Fail {
	case schema.FailClosed:
		args = append(args, "--on-failure", "block", "--fail-closed")
	case schema.FailOpen:
		args = append(args, "--on-failure", "continue")
	}
	if h.LoopLimit != nil {
		add("--loop-limit", strconv.Itoa(*h.LoopLimit))
	}
	switch {
	case h.Rewake:
		add("--async", "rewake")
	case h.Async:
		add("--async", "yes")
	}
	add("--shell", h.Shell)
	at := w.Source()
	add("--plugin-root", at.Plugin)
	if at.Scope == schema.ScopeUser { // its own agent runs it in the user's folder
		add("--scope", at.Scope.String())
	}
	if h.Args != nil {
		args = append(append(args, "--", h.Command), h.Args...)
	} else {
		args = append(args, "-c", h.Command)
	}
	for i, a := range args {
		args[i] = shell.Quote(a)
	}
	return strings.Join(args, " ")
}

// Source is what the command line says about the hook's source.
func (w *Wrapping) Source() (at schema.Source) {
	if at.Plugin = w.Hook.Source.Plugin; at.Plugin != "" {
		at.Scope = schema.ScopePlugin
	}
	if w.Hook.Source.Scope == schema.ScopeUser {
		at.Scope = schema.ScopeUser
	}
	return at
}

// IsOf reports whether the wrapping is of a hook.
func (w *Wrapping) IsOf(h *schema.Hook) bool {
	return w.Event == h.Native && w.Hook.Command == h.Command && slices.Equal(w.Hook.Args, h.Args) && w.Hook.Matcher == h.Matcher &&
		w.Hook.Condition == h.Condition
}

// Unwrap reads such a command back; ok is false for any other command.
func Unwrap(command string) (w Wrapping, ok bool) {
	args, ok := shell.Words(command)
	if !ok || len(args) < 4 || args[0] != "hookbridge" || args[1] != "run" {
		return w, false
	}
	h := &w.Hook
	h.Handler = schema.HandlerCommand
	given := false // a command, which may be empty
	for i := 2; i < len(args); i++ {
		switch args[i] {
		case "--":
			if i+1 >= len(args) {
				return w, false
			}
			h.Command, h.Args = args[i+1], append([]string{}, args[i+2:]...)
			return w, w.Hooks != ""
		case "--fail-closed":
			continue
		}
		if i+1 >= len(args) || !w.set(args[i], args[i+1]) {
			return w, false
		}
		given = given || args[i] == "-c"
		i++
	}
	return w, w.Hooks != "" && given
}

// set takes one flag; false if it is none of those that Command writes.
func (w *Wrapping) set(flag, value string) bool {
	h := &w.Hook
	switch flag {
	case "--host":
		w.Host = value
	case "--hooks":
		w.Hooks = value
	case "--event":
		w.Event = value
	case "--ask", "--allow":
		return w.Policy.set(flag, value)
	case "--matcher":
		h.Matcher, h.HasMatcher = value, true
	case "--if":
		h.Condition, h.HasCondition = value, true
	case "--timeout":
		f, err := strconv.ParseFloat(value, 64)
		h.Timeout = time.Duration(f * float64(time.Second))
		return err == nil
	case "--on-failure":
		if h.Fail = schema.FailOpen; value == "block" {
			h.Fail = schema.FailClosed
		}
	case "--loop-limit":
		n, err := strconv.Atoi(value)
		h.LoopLimit = &n
		return err == nil
	case "--async":
		h.Async, h.Rewake = value != "rewake", value == "rewake"
	case "--shell":
		h.Shell = value
	case "--plugin-root":
		h.Source.Plugin = value
	case "--scope":
		h.Source.Scope = schema.ScopeUser
	case "-c":
		h.Command = value
	default:
		return false
	}
	return true
}
