package cmdline

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// AskPolicy decides what happens to an ask that the host can't honor at the event itself. The zero AskPolicy denies.
type AskPolicy uint8

const (
	AskDeny  AskPolicy = iota // deny with the hook's reason
	AskRelay                  // ask at the host's gate event, deny if there is none
	AskAllow                  // let the call proceed
)

// AllowPolicy decides what happens to an allow that means only "no objection" to the hook's agent, under a host that
// would skip the user's permission prompt for it.
type AllowPolicy uint8

const (
	AllowPass    AllowPolicy = iota // no opinion: the host's own rules decide
	AllowApprove                    // approve, which skips the prompt
)

// A Policy is the user's choice for verdicts that two agents understand differently. The zero Policy is the strict one.
type Policy struct {
	Ask   AskPolicy
	Allow AllowPolicy
}

// PolicyOf returns the policy for values of --ask and --allow. Any other word means the strict one.
func PolicyOf(ask, allow string) (p Policy) {
	switch ask {
	case "relay":
		p.Ask = AskRelay
	case "allow":
		p.Ask = AskAllow
	}
	if allow == "approve" {
		p.Allow = AllowApprove
	}
	return p
}

// Policy returns the policy in the call's flags.
func (c *Call) Policy() Policy { return PolicyOf(c.Text("ask"), c.Text("allow")) }

// Flags returns the flags of run for the policy.
func (p Policy) Flags() (list []Flag) {
	switch p.Ask {
	case AskRelay:
		list = append(list, Flag{"ask", "relay"})
	case AskAllow:
		list = append(list, Flag{"ask", "allow"})
	}
	if p.Allow == AllowApprove {
		list = append(list, Flag{"allow", "approve"})
	}
	return list
}

// A Wrapping is a hook as an argument of hookbridge: the input for writing `hookbridge run -c`, so that the command
// works under another agent as under its own.
type Wrapping struct {
	Host, Hooks string // dialects
	Event       string // native event of Hooks
	Policy      Policy
	Hook        schema.Hook
}

// Wrapped lists the features that fit into hookbridge's command line.
const Wrapped = schema.HookMatcher | schema.HookCondition | schema.HookTimeout | schema.HookFailPolicy |
	schema.HookLoopLimit | schema.HookAsync |
	schema.HookRewake | schema.HookShell | schema.HookArgs

// Command writes the call of hookbridge as a POSIX shell command.
func (w *Wrapping) Command() string {
	h := &w.Hook
	c := Call{Flags: append([]Flag{{"host", w.Host}, {"hooks", w.Hooks}, {"event", w.Event}}, w.Policy.Flags()...)}
	add := func(flag, value string) {
		if value != "" {
			c.Set(flag, value)
		}
	}
	add("matcher", h.Matcher)
	add("if", h.Condition)
	if h.Timeout > 0 {
		add("timeout", strconv.FormatFloat(h.Timeout.Seconds(), 'f', -1, 64))
	}
	switch h.Fail {
	case schema.FailClosed:
		c.Set("on-failure", "block")
		c.Set("fail-closed", "")
	case schema.FailOpen:
		c.Set("on-failure", "continue")
	}

	if h.LoopLimit != nil {
		c.Set("loop-limit", strconv.Itoa(*h.LoopLimit))
	}
	switch {
	case h.Rewake:
		c.Set("async", "rewake")
	case h.Async:
		c.Set("async", "yes")
	}

	add("shell", h.Shell)
	at := w.Source()
	add("plugin-root", at.Plugin)
	if at.Scope == schema.ScopeUser { // its own agent runs it in the user's folder
		c.Set(ScopeFlag, at.Scope.String())
	}
	if h.Args != nil {
		c.Program = append([]string{h.Command}, h.Args...)
	} else {
		c.Set("c", h.Command)
	}

	return c.Command()
}

// Source returns the hook's source, as far as the command line has it.
func (w *Wrapping) Source() (at schema.Source) {
	if at.Plugin = w.Hook.Source.Plugin; at.Plugin != "" {
		at.Scope = schema.ScopePlugin
	}
	if w.Hook.Source.Scope == schema.ScopeUser {
		at.Scope = schema.ScopeUser
	}
	return at
}

// IsOf reports whether the wrapping contains a hook.
func (w *Wrapping) IsOf(h *schema.Hook) bool {
	sameCommand := w.Hook.Command == h.Command && slices.Equal(w.Hook.Args, h.Args)
	sameCalls := w.Event == h.Native && w.Hook.Matcher == h.Matcher && w.Hook.Condition == h.Condition
	return sameCommand && sameCalls
}

// Unwrap reads such a command back, or one with several hooks as text; nil for any other command.
func Unwrap(command string, args []string) []Wrapping {
	c, ok := Parse(command, args)
	foreign := func(f Flag) bool { row := Row(f.Name); return row == nil || !row.Wraps || !row.Takes(f.Value) }
	elsewhere := c.Path != "" || c.ProjectLauncher != "" || c.Env != nil
	if !ok || elsewhere || slices.ContainsFunc(c.Flags, foreign) {
		return nil
	}
	return c.Wrapped()
}

// Wrapped returns the hooks that a call contains, regardless of its other flags; nil if it finds its hooks.
func (c *Call) Wrapped() []Wrapping {
	if !c.Has("hooks") || !c.Has("c") && !c.Has("inline") && len(c.Program) == 0 {
		return nil
	}
	w := Wrapping{Host: c.Text("host"), Hooks: c.Text("hooks"), Policy: c.Policy()}
	if !c.Has("inline") {
		w.Event, w.Hook = c.Text("event"), c.Hook()
		return []Wrapping{w}
	}
	d, err := adapter.Find(w.Hooks)
	if err != nil {
		return nil
	}
	cfg, _ := d.ParseConfig([]byte(c.Text("inline")), c.Source())
	return lists.Map(cfg.Hooks, func(h schema.Hook) Wrapping {
		one := w
		one.Event, one.Hook = h.Native, h
		return one
	})
}

// Hook returns the hook that the call contains with -c or --, as its flags describe it.
func (c *Call) Hook() schema.Hook {
	h := schema.Hook{Handler: schema.HandlerCommand, Command: c.Text("c"), Matcher: c.Text("matcher"),
		Condition: c.Text("if"),
		Shell:     c.Text("shell"), Async: c.Text("async") == "yes", Rewake: c.Text("async") == "rewake",
		Source: c.Source()}
	h.HasMatcher, h.HasCondition = h.Matcher != "", h.Condition != ""
	if len(c.Program) > 0 {
		h.Command, h.Args = c.Program[0], append([]string{}, c.Program[1:]...)
	}
	if limit := c.Number("timeout"); limit > 0 {
		h.Timeout = time.Duration(limit * float64(time.Second))
	}
	switch c.Text("on-failure") {
	case "block":
		h.Fail = schema.FailClosed
	case "continue":
		h.Fail = schema.FailOpen
	}
	if c.Has("loop-limit") {
		n := int(c.Number("loop-limit"))
		h.LoopLimit = &n
	}
	return h
}

// Source returns the source that hooks of the command line count as.
func (c *Call) Source() (at schema.Source) {
	if root := c.Text("plugin-root"); root != "" {
		at = schema.Source{Scope: schema.ScopePlugin, Plugin: root}
	}
	if c.Scope() == schema.ScopeUser {
		at.Scope = schema.ScopeUser
	}
	return at
}

// Words returns the arguments of run for the call.
func (c *Call) Words() (words []string) {
	for _, f := range c.Flags {
		row := Row(f.Name)
		switch bare := row == nil || row.Kind == Switch; {
		case !bare:
			words = append(words, Dashed(f.Name), f.Value)
		case f.Value != "":
			words = append(words, Dashed(f.Name)+"="+f.Value)
		default:
			words = append(words, Dashed(f.Name))
		}
	}
	if c.Program != nil {
		words = append(append(words, "--"), c.Program...)
	}
	return words
}

// run returns hookbridge's command and its arguments.
func (c *Call) run() []string {
	if c.Rules != nil {
		return append(append([]string{GuardWord}, c.Words()...), c.Rules...)
	}
	return append([]string{"run"}, c.Words()...)
}

// Command writes the call as a POSIX shell command.
func (c *Call) Command() string {
	line := strings.Join(lists.Map(c.run(), shell.Quote), " ")
	if d, err := adapter.Find(c.Text("host")); err == nil { // each $ is in a quoted word
		if begins := d.Profile().FillsText; begins != "" {
			line = strings.ReplaceAll(line, begins, "$''"+begins[1:])
		}
	}
	line += c.Refusal
	word, _ := ProgramWord(cmp.Or(c.Path, Program))
	return cmp.Or(c.Launcher, c.ProjectLauncher, word) + " " + line
}

// ProgramWord returns the word with which a command starts a program. On Windows bash, PowerShell or cmd.exe may read
// the command, and they share no quotes. A path of plain characters gets doubled backslashes, which all three read as
// the same file. ok is false for any other Windows path, whose word only bash reads.
func ProgramWord(path string) (word string, ok bool) {
	if len(path) < 3 || path[1] != ':' || path[2] != '\\' {
		return shell.Quote(path), true
	}
	if strings.ContainsFunc(path[3:], func(r rune) bool {
		return !shell.IsName("_"+string(r)) && !strings.ContainsRune(`\.-`, r)
	}) {
		return shell.Quote(path), false
	}
	return strings.ReplaceAll(path, `\`, `\\`), true
}
