// Package cmdline reads and writes the command lines by which agents call the
// bridge: those that install writes, and those in which convert wraps a hook.
package cmdline

import (
	"path/filepath"
	"slices"
	"strings"

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
