package inspect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Start is an agent's hook that a host runs.
type Start struct {
	Agent adapter.Dialect
	Hook  *schema.Hook
}

// Shared returns, for each hook that a host runs, the indexes of other hooks in the list from another agent's file.
// They start the same project script for the same calls. A guard's decision is the same each time, but other effects
// happen several times.
func Shared(host adapter.Dialect, p schema.Places, starts []Start) [][]int {
	scripts, tools := make([]string, len(starts)), make([][]string, len(starts))
	for i, s := range starts {
		if !cmdline.FindsHooks(s.Hook.Command, s.Hook.Args) {
			scripts[i] = scriptOf(Started(s.Agent, s.Hook, p), p.Project)
		}
		if scripts[i] != "" && s.Hook.Event.IsTool() {
			tools[i] = toolsOf(host, s)
		}
	}

	same := map[string][]int{} // by script
	for i, script := range scripts {
		if script != "" {
			same[script] = append(same[script], i)
		}
	}

	others := make([][]int, len(starts))
	for i, a := range starts {
		for _, j := range same[scripts[i]] {
			b := starts[j]
			if a.Hook.Event != b.Hook.Event || adapter.SameAgent(a.Agent, b.Agent) {
				continue
			}
			oneCall := slices.ContainsFunc(tools[i], func(name string) bool { return slices.Contains(tools[j], name) })
			if oneCall || !a.Hook.Event.IsTool() {
				others[i] = append(others[i], j)
			}
		}
	}
	return others
}

// scriptOf returns a command from the project file that it starts, without the program that reads the file; "" if there
// is no such file, since other commands are too unspecific.
func scriptOf(command, project string) string {
	at := strings.Index(command, project+string(filepath.Separator))
	if project == "" || at < 0 {
		return ""
	}
	return command[at:]
}

// toolsOf returns the host's own tools for which it runs a hook.
func toolsOf(host adapter.Dialect, s Start) (names []string) {
	if !adapter.SameAgent(host, s.Agent) {
		return plan.New(s.Agent, host).Route(s.Hook).ToolsFor()
	}
	m, err := host.Profile().Matcher(s.Hook)
	gate := host.Profile().Row(s.Hook.Native)
	for _, row := range host.Profile().Tools {
		asked := false
		if gate != nil && gate.Gate != nil { // a matcher may apply to the command there
			asked = slices.ContainsFunc(row.Kinds, func(k schema.Kind) bool { return slices.Contains(gate.Kinds(), k) })
		} else {
			asked = err == nil && m.Match(append([]string{row.Name}, row.Aliases...)...)
		}
		if asked {
			names = append(names, row.Name)
		}
	}
	return names
}

// covers reports whether the kept hook can replace another one with the same script. The host must run it for every
// call of the other, and its answer must have the same weight.
func covers(host adapter.Dialect, kept, other Start) bool {
	k, o := kept.Hook, other.Hook
	lesser := k.Async && !o.Async || o.Fail == schema.FailClosed && k.Fail != schema.FailClosed
	if lesser || k.Condition != "" {
		return false
	}

	every := func(h *schema.Hook) bool { return h.Matcher == "" || h.Matcher == "*" }
	switch {
	case !k.Event.IsTool():
		return every(k) || k.Matcher == o.Matcher
	case k.Gate: // a matcher may apply to the command there
		if !every(k) {
			return false
		}
	case every(k):
		return true
	}
	selected := other.Agent.Select(o)
	open := !o.Gate && (selected.All || selected.Search != "" || slices.ContainsFunc(selected.Picks,
		func(p schema.Pick) bool { return p.Kind == schema.MCP || p.Kind == schema.Other }))
	names := toolsOf(host, kept)
	more := slices.ContainsFunc(toolsOf(host, other), func(n string) bool { return !slices.Contains(names, n) })
	return !open && !more
}

// KeepOne describes how to keep only one of several hooks that start the same script. It keeps the host's own, or else
// one that covers the calls of all, or the first. Hooks that run for further calls stay. The text is the same for every
// host that has such a hook of its own.
func KeepOne(host adapter.Dialect, p schema.Places, same []Start) string {
	kept := slices.IndexFunc(same, func(s Start) bool { return adapter.SameAgent(host, s.Agent) })
	if kept < 0 {
		kept = max(0, slices.IndexFunc(same, func(k Start) bool {
			return !slices.ContainsFunc(same, func(o Start) bool { return !covers(host, k, o) })
		}))
	}

	var choices []string
	for i, s := range same {
		if i == kept || s.Hook.Source.Scope != schema.ScopeProject || !covers(host, same[kept], s) {
			continue
		}
		exclude := []adapter.Dialect{host}
		for _, other := range same {
			if !adapter.SameAgent(other.Agent, s.Agent) && !adapter.Has(exclude, other.Agent) {
				exclude = append(exclude, other.Agent)
			}
		}
		var names []string
		for _, d := range exclude {
			names = append(names, d.Profile().Name)
		}
		slices.Sort(names)
		choices = append(choices, "{hook: "+string(ordjson.AppendString(nil, filepath.ToSlash(trust.InProject(p.Project,
			s.Hook.Source.File))))+", command: "+
			string(ordjson.AppendString(nil, s.Hook.Command))+", exclude: ["+strings.Join(names, ", ")+"]}")
	}

	if len(choices) == 0 { // the hooks are the user's, or none covers the calls of the others
		return "keep the hook in one agent's file, with a matcher for the calls of all of them"
	}

	return "to keep one, add to hookbridge.yaml: hooks: [" + strings.Join(choices, ", ") + "], and install again"
}
