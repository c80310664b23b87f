package cmdline

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// A Wrapping is a hook as an argument of the bridge: what `hookbridge run -c`
// is told so that the command works under another agent as under its own.
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
