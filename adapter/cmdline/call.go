// Package cmdline reads and writes the command lines with which agents call hookbridge: the ones that install writes,
// and the ones in which convert wraps a hook.
package cmdline

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Program is the name with which entries start hookbridge.
const Program = "hookbridge"

// Startup is the shortest time in which an entry can start hookbridge and a hook.
const Startup = 50 * time.Millisecond

// A Call is a command that runs hookbridge and does nothing else. Flags
// are as written, without their dashes; a switch has the value "".
type Call struct {
	Flags []Flag
	Env   []string // the assignments before the program
	Path  string   // the path that starts hookbridge; "": PATH
	// Launcher is the first word, as written, of an entry that starts a plugin's launcher. The launcher finds
	// hookbridge and adds --plugin.
	Launcher string
	// ProjectLauncher has the words, as written, of an entry that starts the project's launcher.
	ProjectLauncher string
	// Refusal is the end of an entry, as written, that denies if the launcher fails or can't be started; or it is
	// Operator.
	Refusal string
	Program []string // the hook after --
	Rules   []string // the rules that hookbridge guard denies by; nil: the call is one of hookbridge run
	single  bool     // the call contains its own hook: -c, -- or --inline
}

// A Flag is one flag of a command line.
type Flag struct{ Name, Value string }

// Parse reads the command of one hook. ok is true only for a single call of hookbridge. It is false for another
// program, a compound command, a redirection, a comment, or text that merely mentions hookbridge: all of that belongs
// to the user.
func Parse(command string, args []string) (call Call, ok bool) {
	if !strings.Contains(command, Program) { // nearly every hook
		return call, false
	}
	words := append([]string{command}, args...)
	if args == nil {
		call.Launcher, command = cutLauncher(command)
		call.ProjectLauncher, command = cutProjectLauncher(command)
		if call.Launcher+call.ProjectLauncher != "" {
			command, call.Refusal = cutRefusal(command)
		}
		if words, ok = shell.Words(strings.Trim(command, " \t\r\n")); !ok {
			return call, false
		}
		for len(words) > 0 && shell.IsAssignment(words[0]) {
			call.Env, words = append(call.Env, words[0]), words[1:]
		}
	}

	if len(words) < 2 || !IsProgram(words[0]) || words[1] != "run" && words[1] != GuardWord {
		return call, false
	}
	if words[1] == GuardWord {
		call.Rules = []string{}
	}
	if words[0] != Program {
		call.Path = words[0]
	}
	return call, call.parse(words[2:])
}

// IsProgram reports whether a word starts hookbridge: by its name, or by an absolute path, of this system or another,
// to a program of that name. An entry with another program isn't hookbridge's.
func IsProgram(word string) bool {
	if word == Program {
		return true
	}
	word = strings.ReplaceAll(word, `\`, "/")
	dir, name := word[:strings.LastIndexByte(word, '/')+1], word[strings.LastIndexByte(word, '/')+1:]
	onDrive := len(dir) > 2 && dir[1] == ':' && dir[2] == '/'
	return (strings.HasPrefix(dir, "/") || onDrive) && strings.TrimSuffix(name, ".exe") == Program
}

// parse reads the flags like package flag.
func (c *Call) parse(words []string) bool {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if c.Rules != nil && !strings.HasPrefix(w, "-") {
			c.Rules = append(c.Rules, w)
			continue
		}
		if w == "--" {
			c.single, c.Program = true, words[i+1:]
			return true
		}
		name := strings.TrimPrefix(strings.TrimPrefix(w, "-"), "-")
		if name == w || name == "" {
			return false
		}
		name, value, has := strings.Cut(name, "=")
		switch row := Row(name); {
		case has || row != nil && row.Kind == Switch:
		case row != nil && row.Alone != "" && (i+1 == len(words) || strings.HasPrefix(words[i+1], "-")):
			value = row.Alone
		case row == nil && (i+1 == len(words) || strings.HasPrefix(words[i+1], "-")): // a switch of another version
		case i+1 == len(words):
			return false
		default:
			i++
			value = words[i]
		}
		c.Set(name, value)
	}

	return true
}

// Read reads the command line of run in the common case: flags of run, each with a valid value. In any other case it
// reads nothing and returns false.
func (c *Call) Read(line []string) bool {
	var read Call
	if !read.parse(line) || read.Program != nil && len(read.Program) == 0 {
		return false
	}
	for i := range read.Flags {
		f := &read.Flags[i]
		row := Row(f.Name)
		if row == nil || !row.Takes(f.Value) || strings.HasPrefix(f.Value, "-") {
			return false
		}
		if row.Kind == Switch && f.Value == "" {
			f.Value = "true"
		}
	}
	if slices.ContainsFunc(line, func(word string) bool { return strings.HasSuffix(word, "=") }) {
		return false
	}
	read.single = read.Has("c") || read.Has("inline") // as when package flag reads the line
	*c = read
	return true
}

// Value returns the last value of a flag as written, "" if the call doesn't have it.
func (c *Call) Value(name string) string {
	for i := len(c.Flags) - 1; i >= 0; i-- {
		if c.Flags[i].Name == name {
			return c.Flags[i].Value
		}
	}
	return ""
}

// Text returns the value of a flag: the last one given, or else the default of its row; "" for a flag without a row.
func (c *Call) Text(name string) string {
	if c.Has(name) {
		return c.Value(name)
	}
	row := Row(name)
	if row == nil {
		return ""
	}
	return row.Default
}

// On reports whether a switch is on.
func (c *Call) On(name string) bool {
	if c.Has(name) && c.Value(name) == "" {
		return true
	}
	on, _ := strconv.ParseBool(c.Text(name))
	return on
}

// Number returns the value of a numeric flag, 0 if it isn't given.
func (c *Call) Number(name string) float64 {
	n, _ := strconv.ParseFloat(c.Text(name), 64)
	return n
}

// All returns the values of a flag that may be repeated.
func (c *Call) All(name string) (values []string) {
	for _, f := range c.Flags {
		if f.Name == name {
			values = append(values, f.Value)
		}
	}
	return values
}

// Has reports whether the call has a flag.
func (c *Call) Has(name string) bool {
	return slices.ContainsFunc(c.Flags, func(f Flag) bool { return f.Name == name })
}

// Set adds a flag to the call. It overrides an earlier one.
func (c *Call) Set(name, value string) {
	c.Flags = append(c.Flags, Flag{name, value})
	c.single = c.single || name == "c" || name == "inline"
}

// Ignored lists the call's flags that run no longer has, and ignores.
func (c *Call) Ignored() (names []string) {
	for _, f := range c.Flags {
		if row := Row(f.Name); row != nil && row.Removed {
			names = append(names, f.Name)
		}
	}
	return names
}

// Unknown lists the call's flags that run never had, and fails on.
func (c *Call) Unknown() (names []string) {
	for _, f := range c.Flags {
		if Row(f.Name) == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// Weaker reports whether the call's answers may be weaker than with the given flags, judging by the flags of both.
func (c *Call) Weaker(own []Flag) bool {
	than := Call{Flags: own}
	return len(c.Unknown()) > 0 || slices.ContainsFunc(flagRows, func(r FlagRow) bool {
		value := c.plain(&r)
		if r.Weakens == "" || value == than.plain(&r) {
			return false
		}
		strictest := r.Strictest != "" && value == r.Strictest
		return !strictest && (r.Weakens == AnyValue || r.Weakens == value)
	})
}

// plain returns the value of a flag in the form used for comparison.
func (c *Call) plain(r *FlagRow) string {
	if r.Kind == Switch {
		return strconv.FormatBool(c.On(r.Name))
	}
	return c.Text(r.Name)
}

// FindsHooks reports whether the call finds its hooks in files or in a module, instead of containing one.
func (c *Call) FindsHooks() bool { return !c.single && c.Rules == nil }

// LooksForHooks reports whether the call finds its hooks, rather than getting them from the command line.
func (c *Call) LooksForHooks() bool {
	given := c.Has("c") || c.Program != nil || c.Rules != nil
	inFile := c.Text("module") != "" || c.Has("config") || c.Has("plugin")
	return !given && !inFile && c.Text("inline") == ""
}

// Owners returns the agents that the hooks are written for, as the call names them.
func (c *Call) Owners() []string {
	if !c.Has("hooks") && c.Text("module") != "" { // the default doesn't apply
		return []string{ModuleDialect()}
	}
	return lists.Map(strings.Split(c.Text("hooks"), ","), strings.TrimSpace)
}

// ModuleDialect returns the name of the dialect whose hooks are in modules.
func ModuleDialect() string {
	for _, name := range adapter.Names() {
		if d, err := adapter.Find(name); err == nil && d.Profile().Modules != nil {
			return name
		}
	}
	return adapter.Default
}

// Reads reports whether the call runs the hooks of a file: one that it names, or any if it names none.
func (c *Call) Reads(project, file string) bool {
	if c.Launcher != "" || c.Has("plugin") {
		return true // only those of a plugin
	}
	return !c.Has("config") || slices.ContainsFunc(c.Flags, func(f Flag) bool {
		return f.Name == "config" && (f.Value == file || filepath.Join(project, f.Value) == file)
	})
}

// RunsHooksOf reports whether the call looks for the hooks of a dialect, in any version that it names.
func (c *Call) RunsHooksOf(hooks string) bool {
	if !c.Has("hooks") && c.Has("module") {
		return c.FindsHooks()
	}
	return c.FindsHooks() && slices.ContainsFunc(c.Owners(), func(o string) bool {
		return dialect.BaseName(o) == dialect.BaseName(hooks)
	})
}

// Installed reports whether install writes such a call into a file of the host for hooks of the given agent. A call
// that names files belongs to the user.
func (c *Call) Installed(host, hooks string) bool {
	to := c.Value("host")
	ofHost := to == "" || dialect.BaseName(to) == dialect.BaseName(host)
	ofUser := c.Value("config") != "" || c.Launcher != "" || c.Has("plugin")
	return c.RunsHooksOf(hooks) && ofHost && !ofUser
}

// FindsHooks reports whether a command is a call of hookbridge that finds its hooks. Such an entry is a bridge to other
// hooks, not a hook of this agent: running it through hookbridge again would never end.
func FindsHooks(command string, args []string) bool {
	call, ok := Parse(command, args)
	return ok && call.FindsHooks()
}

// ScopeFlag is the flag of run for whose hooks an entry runs.
const ScopeFlag = "scope"

// ExcludeFlag is the flag of run that lists hooks of the project that an entry leaves out.
const ExcludeFlag = "exclude"

// Excluded returns the marks of the project's hooks that the call leaves out.
func (c *Call) Excluded() []string {
	if marks := c.Text(ExcludeFlag); marks != "" {
		return strings.Split(marks, ",")
	}
	return nil
}

// Scope returns whose hooks the call runs; ScopeGiven for all.
func (c *Call) Scope() schema.Scope { return ScopeOf(c.Value(ScopeFlag)) }

// ScopeOf returns the scope of that name that entries can have, ScopeGiven for any other name.
func ScopeOf(name string) schema.Scope {
	for _, s := range []schema.Scope{schema.ScopeProject, schema.ScopeUser, schema.ScopeManaged} {
		if s.String() == name {
			return s
		}
	}
	return schema.ScopeGiven
}

// Check reports flags of run that can't be combined. The error is a *Mistake.
func (c *Call) Check() error {
	command, program, module, inline := c.Has("c"), c.Program != nil, c.Has("module"), c.Has("inline")
	single, files, scope := command || program || module, c.Has("config") || c.Has("plugin"), c.Text(ScopeFlag)
	for _, row := range flagRows {
		strict := row.Strictest != "" && c.Text(row.Name) == row.Strictest
		forOneHook := row.Hook && !strict && !(inline && row.Name == "plugin-root")
		if forOneHook && c.Has(row.Name) && !single {
			return &Mistake{Dashed(row.Name) + " needs -c, -- or --module"}
		}
	}

	limit := c.Number("timeout")
	ofProject, namesHooks := scope == "project" || scope == "managed", single || inline || files
	for _, rule := range []struct {
		broken  bool
		mistake string
	}{
		{ofProject && namesHooks,
			"--scope " + scope + " is about hooks that are found; with a hook of the command line the only value of " +
				"--scope is user"},
		{scope == "user" && !single && !inline && files,
			"--scope is about hooks that are found; --config and --plugin name files"},
		{command && program, "use either -c or --"},
		{c.Rules != nil && len(c.Rules) == 0, "a RULE is needed, in quotes"},
		// a converted entry names its event: its agent decides what an empty command does
		{command && c.Text("c") == "" && c.Text("event") == "", "-c needs a command"},
		{module && (command || program), "--module does not go with -c or --"},
		{module && c.Text("module") == "", "--module needs a file"},
		{module && c.On("require-trust"),
			"--require-trust applies to hooks that are found in a project; it doesn't go with --module"},
		{single && files, "--config and --plugin do not go with -c, -- or --module"},
		{inline && (single || files), "--inline does not go with -c, --, --module, --config or --plugin"},
		{c.Has("plugin") && c.Has("config"), "use either --plugin or --config"},
		{c.Has("timeout") && !(limit > 0 && limit <= 1e6), "--timeout takes seconds, more than 0"},
	} {
		if rule.broken {
			return &Mistake{rule.mistake}
		}
	}
	return nil
}
