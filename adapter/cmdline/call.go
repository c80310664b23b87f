// Package cmdline reads and writes the command lines by which agents call
// hookbridge: those that install writes, and those in which convert wraps a hook.
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

// Program is the name by which entries start hookbridge.
const Program = "hookbridge"

// Startup is the least time in which an entry can start hookbridge and a hook.
const Startup = 50 * time.Millisecond

// A Call is a command that runs hookbridge and does nothing else. Flags
// are as written, without their dashes; a switch has the value "".
type Call struct {
	Flags []Flag
	Env   []string // the assignments before it
	Path  string   // by which the entry starts hookbridge; "": PATH
	// Launcher is the first word, as written, of an entry that starts a plugin's launcher: that
	// looks for hookbridge and adds --plugin.
	Launcher string
	// ProjectLauncher are the words, as written, of an entry that starts the project's launcher.
	ProjectLauncher string
	// Refusal ends an entry, as written, that refuses if the launcher fails, or can't be started; or it is
	// Operator.
	Refusal string
	Program []string // the hook behind --
	Rules   []string // of hookbridge guard, which denies by them; nil: the call is one of hookbridge run
	single  bool     // the call brings its own hook: -c, -- or --inline
}

// A Flag is one flag of a command line.
type Flag struct{ Name, Value string }

// Parse reads the command of one hook. ok is false for anything but a
// single call of hookbridge: another program, a compound command, a redirection,
// a comment, or text that merely mentions hookbridge. Only such a call belongs to
// hookbridge; everything else is the user's.
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
// to a program of that name.
// An entry that starts another one isn't known as hookbridge's.
func IsProgram(word string) bool {
	if word == Program {
		return true
	}
	word = strings.ReplaceAll(word, `\`, "/")
	dir, name := word[:strings.LastIndexByte(word, '/')+1], word[strings.LastIndexByte(word, '/')+1:]
	onDrive := len(dir) > 2 && dir[1] == ':' && dir[2] == '/'
	return (strings.HasPrefix(dir, "/") || onDrive) && strings.TrimSuffix(name, ".exe") == Program
}

// parse reads the flags as package flag does.
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

// Read reads the command line of run if nothing on it needs a closer look, which is nearly always: flags of run, each
// with a value that it takes. Otherwise it reads nothing and returns false.
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

// Value is the last value of a flag as written, "" if the call does not have it.
func (c *Call) Value(name string) string {
	for i := len(c.Flags) - 1; i >= 0; i-- {
		if c.Flags[i].Name == name {
			return c.Flags[i].Value
		}
	}
	return ""
}

// Text is the value of a flag: the last one given, or else the default of its row; "" for a flag without a row.
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

// Number is the value of a flag that takes one, 0 if it is not given.
func (c *Call) Number(name string) float64 {
	n, _ := strconv.ParseFloat(c.Text(name), 64)
	return n
}

// All are the values of a flag that may be repeated.
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

// Set gives the call one more flag, which counts instead of an earlier one.
func (c *Call) Set(name, value string) {
	c.Flags = append(c.Flags, Flag{name, value})
	c.single = c.single || name == "c" || name == "inline"
}

// Ignored lists the flags of the call that run has no longer, and ignores.
func (c *Call) Ignored() (names []string) {
	for _, f := range c.Flags {
		if row := Row(f.Name); row != nil && row.Removed {
			names = append(names, f.Name)
		}
	}
	return names
}

// Unknown lists the flags of the call that run never had: it fails on them.
func (c *Call) Unknown() (names []string) {
	for _, f := range c.Flags {
		if Row(f.Name) == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// Weaker reports whether the call may answer more weakly than one with the given
// flags, by the flags that either has.
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

// plain is the value of a flag in the one form that it is compared in.
func (c *Call) plain(r *FlagRow) string {
	if r.Kind == Switch {
		return strconv.FormatBool(c.On(r.Name))
	}
	return c.Text(r.Name)
}

// FindsHooks reports whether the call looks for its hooks in files or in a
// module, instead of bringing one along.
func (c *Call) FindsHooks() bool { return !c.single && c.Rules == nil }

// LooksForHooks reports whether the hooks are those that are found, not such as the
// command line gives.
func (c *Call) LooksForHooks() bool {
	given := c.Has("c") || c.Program != nil || c.Rules != nil
	inFile := c.Text("module") != "" || c.Has("config") || c.Has("plugin")
	return !given && !inFile && c.Text("inline") == ""
}

// Owners are the agents that the hooks are written for, as the call names them.
func (c *Call) Owners() []string {
	if !c.Has("hooks") && c.Text("module") != "" { // the default says nothing
		return []string{ModuleDialect()}
	}
	return lists.Map(strings.Split(c.Text("hooks"), ","), strings.TrimSpace)
}

// ModuleDialect is the name of the dialect whose hooks are in modules.
func ModuleDialect() string {
	for _, name := range adapter.Names() {
		if d, err := adapter.Find(name); err == nil && d.Profile().Modules != nil {
			return name
		}
	}
	return adapter.Default
}

// Reads reports whether the call runs the hooks of a file: one that it names, or any
// if it names none.
func (c *Call) Reads(project, file string) bool {
	if c.Launcher != "" || c.Has("plugin") {
		return true // only those of a plugin
	}
	return !c.Has("config") || slices.ContainsFunc(c.Flags, func(f Flag) bool {
		return f.Name == "config" && (f.Value == file || filepath.Join(project, f.Value) == file)
	})
}

// RunsHooksOf reports whether the call looks for the hooks of a dialect, in
// whichever version of it the call names.
func (c *Call) RunsHooksOf(hooks string) bool {
	if !c.Has("hooks") && c.Has("module") {
		return c.FindsHooks()
	}
	return c.FindsHooks() && slices.ContainsFunc(c.Owners(), func(o string) bool {
		return dialect.BaseName(o) == dialect.BaseName(hooks)
	})
}

// Installed reports whether install writes such a call into a file of the host
// for hooks of the given agent. A call with files of its own is the user's.
func (c *Call) Installed(host, hooks string) bool {
	to := c.Value("host")
	ofHost := to == "" || dialect.BaseName(to) == dialect.BaseName(host)
	ofUser := c.Value("config") != "" || c.Launcher != "" || c.Has("plugin")
	return c.RunsHooksOf(hooks) && ofHost && !ofUser
}

// FindsHooks reports whether a command is a call of hookbridge that finds its
// hooks itself. Such an entry is a bridge to other hooks, not a hook of this
// agent: bridged again it would lead in circles.
func FindsHooks(command string, args []string) bool {
	call, ok := Parse(command, args)
	return ok && call.FindsHooks()
}

// ScopeFlag is the flag of run that says whose hooks an entry runs.
const ScopeFlag = "scope"

// ExcludeFlag is the flag of run that lists hooks of the project that an entry leaves out.
const ExcludeFlag = "exclude"

// Excluded are the marks of the hooks of the project that the call leaves out.
func (c *Call) Excluded() []string {
	if marks := c.Text(ExcludeFlag); marks != "" {
		return strings.Split(marks, ",")
	}
	return nil
}

// Scope is whose hooks the call runs; ScopeGiven for all.
func (c *Call) Scope() schema.Scope { return ScopeOf(c.Value(ScopeFlag)) }

// ScopeOf is the scope of that name that entries can have, ScopeGiven if it is none.
func ScopeOf(name string) schema.Scope {
	for _, s := range []schema.Scope{schema.ScopeProject, schema.ScopeUser, schema.ScopeManaged} {
		if s.String() == name {
			return s
		}
	}
	return schema.ScopeGiven
}

// Check reports what doesn't go together on the command line of run. The error is a
// *Mistake.
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
		// a converted entry names its event: its agent says what an empty command does
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
