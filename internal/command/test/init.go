package test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/command/story"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

// An observation is what the agents do with one call today.
type observation struct {
	call     string // in the form of a scenario
	name     string
	some     bool // only some agents make it
	outcomes []testResult
}

// A coverage is what observed calls show about a hook.
type coverage struct {
	why       string // why no scenario covers it, or ""
	tried     bool
	triggered bool // it had an effect
}

// An observer makes calls and keeps their outcomes.
type observer struct {
	*tester
	seen    []observation
	hooks   map[string]*coverage // by their places
	reached map[string]bool      // hooks reached by kept calls
}

// init writes a file of scenarios for what each agent does with calls today.
func (t *tester) init(rest []string, std cli.IO) error {
	if len(t.owners) == 0 {
		return common.NoHooks(t.at, "no agent has hooks in this project; --project DIR names another"+ownHint(t.at))
	}

	file := filepath.Join(t.folder(), "hooks.yaml")
	if len(rest) > 0 {
		file = rest[0]
	}
	if hookfile.Exists(file) {
		return errors.New(file + " exists; name another file, or remove it")
	}
	if err := jsonedit.Inside(t.at.Project, cli.Absolute(file)); err != nil {
		return err
	}

	t.progress = cli.StartProgress(&std, "test")
	o := observer{tester: t, hooks: map[string]*coverage{}, reached: map[string]bool{}}
	o.observe()
	t.progress.End()
	if len(o.seen) == 0 {
		return errors.New(o.nothing())
	}

	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = jsonedit.WriteFile(file, nil, []byte(t.scenarios(o.seen)))
	}
	if err != nil {
		return err
	}

	fmt.Fprintf(std.Out, "%s: %s, with what each agent does today. Edit them, then run hookbridge test.\n",
		schema.Printable(cli.Shown(file)), cli.Counted(len(o.seen), "scenario"))
	left, silent := o.left()
	printHooks(std.Out, "Not covered:", left)
	printHooks(std.Out, "Covered, but these guards objected to no call. Add a scenario with one that each refuses:",
		silent)
	return nil
}

// nothing explains why there is no scenario to write.
func (o *observer) nothing() string {
	for _, c := range o.hooks {
		if c.why != "" {
			return "no call can be observed: " + c.why + "; correct that first (hookbridge doctor)"
		}
	}
	return "no call that can be tried here reaches a hook; write scenarios by hand (hookbridge test --help)"
}

func printHooks(w io.Writer, title string, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintln(w, title)
	}
	for _, line := range lines {
		fmt.Fprintf(w, "  %s\n", schema.Printable(line))
	}
}

// own yields the hooks of the project that are in their agents' files.
func (t *tester) own(yield func(adapter.Dialect, *schema.Hook)) {
	for _, d := range t.owners {
		res, _ := survey.LoadScope(d, t.at, schema.ScopeProject)
		for i := range res.Hooks {
			if plan.IsOwn(res.Hooks[i]) {
				yield(d, &res.Hooks[i])
			}
		}
	}
}

// observe makes every call that may reach a hook of the project, under the agents of these hooks. If a call shows
// anything new, it also makes it under all agents; this order saves time, because starting hooks is slow. Then it tries
// unreached hooks under all agents, with their calls and with calls that have a value they need.
func (o *observer) observe() {
	made := map[string]bool{} // true: under all agents
	try := func(call string, hosts []adapter.Dialect) {
		if !made[call] {
			made[call] = true
			o.keep(o.call(call, hosts))
		}
	}

	own := o.itsOwn()
	o.own(func(d adapter.Dialect, h *schema.Hook) {
		for _, call := range callsFor(d, h) {
			if _, known := made[call]; known {
				continue
			}
			made[call] = false
			if len(own) == len(o.hosts) || o.isNew(o.call(call, own)) {
				try(call, o.hosts)
			}
		}
	})
	o.own(func(d adapter.Dialect, h *schema.Hook) {
		if o.of(h).tried {
			return
		}
		for _, call := range callsFor(d, h) {
			try(call, o.hosts)
		}
		for _, call := range wordsFor(d, h) {
			try(call, slices.DeleteFunc(slices.Clone(o.hosts), func(host adapter.Dialect) bool {
				return !sends(host, call)
			}))
		}
	})
}

// itsOwn returns the agents of the hooks, or all hosts if one of these agents isn't a host.
func (o *observer) itsOwn() []adapter.Dialect {
	own := slices.DeleteFunc(slices.Clone(o.hosts), func(d adapter.Dialect) bool {
		return !slices.ContainsFunc(o.owners, func(owner adapter.Dialect) bool {
			return owner.Profile().Name == d.Profile().Name
		})
	})
	if len(own) < len(o.owners) {
		return o.hosts
	}
	return own
}

// isNew reports whether a hook answered a call, or the call reached a hook that no kept call of its tool or event has
// reached.
func (o *observer) isNew(seen *observation) bool {
	return seen != nil && (seen.answered() || slices.ContainsFunc(seen.reached(), func(key string) bool {
		return !o.reached[key]
	}))
}

// keep keeps a call if it shows anything new.
func (o *observer) keep(seen *observation) {
	if !o.isNew(seen) {
		return
	}
	for _, key := range seen.reached() {
		o.reached[key] = true
	}
	o.seen = append(o.seen, *seen)
}

// reached returns the hooks that a call of a tool or event reaches, as keys.
func (o *observation) reached() (keys []string) {
	what, _, _ := strings.Cut(o.name, " ")
	for i := range o.outcomes {
		for _, run := range o.outcomes[i].hooks() {
			keys = append(keys, what+"\x00"+placeKey(&run.Hook))
		}
	}
	return keys
}

func placeKey(h *schema.Hook) string { return h.Source.File + "\x00" + h.Path }

// left names the hooks without a scenario, with the reason, and the other guards without an effect.
func (o *observer) left() (left, silent []string) {
	at := &story.Story{At: o.at}
	o.own(func(d adapter.Dialect, h *schema.Hook) {
		switch c := o.of(h); {
		case !c.tried:
			left = append(left, at.Named(h)+": no call that can be tried here reaches it")
		case c.why != "":
			left = append(left, at.Named(h)+": "+c.why)
		case !c.triggered && plan.GuardSeverity(d, h) == schema.Weaker:
			silent = append(silent, at.Named(h))
		}
	})
	return left, silent
}

func (o *observer) of(h *schema.Hook) *coverage {
	key := placeKey(h)
	if o.hooks[key] == nil {
		o.hooks[key] = &coverage{}
	}
	return o.hooks[key]
}

// call makes one call under agents. It returns nil if no hook of the project ran or the outcome can't be put into a
// scenario.
func (o *observer) call(call string, hosts []adapter.Dialect) *observation {
	o.progress.At(call)
	line := yamlText(call)
	if strings.HasPrefix(call, "{") {
		line = call
	}
	list, err := scenario.Parse("", []byte("- call: "+line+"\n  expect: none\n"))
	if err != nil {
		return nil
	}
	seen := &observation{call: line, name: call, some: len(hosts) < len(o.hosts)}
	if line == call {
		seen.name = list[0].Call.String()
	}
	failed := ""
	for _, host := range hosts {
		r := o.under(host, &list[0], scenario.Expect{})
		if r.show.Out == nil {
			continue
		}
		seen.outcomes = append(seen.outcomes, r)
		if r.outcome == simulate.Failed {
			failed = host.Profile().Title + " gets no answer"
		}
		for _, d := range r.show.Out.Faults {
			failed = d.Message
		}
	}

	ran := false
	for i := range seen.outcomes {
		for _, run := range seen.outcomes[i].hooks() {
			ran = true
			c := o.of(&run.Hook)
			switch {
			case failed == "":
				c.why = ""
			case !c.tried || c.why != "":
				c.why = "for " + call + ", " + failed
			}
			c.tried = true
			c.triggered = c.triggered || run.Reply.Uses() != 0
		}
	}
	if !ran || failed != "" {
		return nil
	}
	return seen
}

// hooks returns the hooks of the project that ran.
func (r *testResult) hooks() (runs []bridge.HookRun) {
	for i := range r.show.Out.Steps {
		runs = append(runs, r.show.Out.Steps[i].Hooks()...)
	}
	return runs
}

// answered reports whether a hook had an effect under an agent.
func (o *observation) answered() bool {
	return slices.ContainsFunc(o.outcomes, func(r testResult) bool {
		return slices.ContainsFunc(r.hooks(), func(run bridge.HookRun) bool { return run.Reply.Uses() != 0 })
	})
}

// scenarios writes the observations: the answer of most agents, and the answers of the others.
func (t *tester) scenarios(seen []observation) string {
	var b strings.Builder
	b.WriteString(cli.SchemaLine("scenarios") +
		"# What the agents of this project make of calls, as they are installed.\n" +
		"# Edit what should be different. See hookbridge test --help for the format.\n")
	for _, o := range seen {
		answers := t.answers(o.outcomes)
		if o.some {
			o.forSome(&b, answers)
			continue
		}
		most := answers[0]
		count := map[scenario.Expect]int{}
		for _, a := range answers {
			if count[a]++; count[a] > count[most] {
				most = a
			}
		}
		o.write(&b, most)
		differ := ""
		for i, a := range answers {
			if a != most {
				differ += "    " + o.outcomes[i].host + ": " + expectText(a, most) + "\n"
			}
		}
		if differ != "" {
			b.WriteString("  agents:\n" + differ)
		}
	}

	return b.String()
}

// write writes a scenario with one answer.
func (o *observation) write(b *strings.Builder, a scenario.Expect) {
	fmt.Fprintf(b, "\n- name: %s\n  call: %s\n  expect: %s\n", yamlText(o.name+": "+a.Decision), o.call, a.Decision)
	if a.Reason != "" {
		fmt.Fprintf(b, "  reason: %s\n", yamlText(a.Reason))
	}
	if a.Context != "" {
		fmt.Fprintf(b, "  context: %s\n", yamlText(a.Context))
	}
}

// forSome writes a scenario for each answer to a call that only some agents make.
func (o *observation) forSome(b *strings.Builder, answers []scenario.Expect) {
	for i, a := range answers {
		if slices.Index(answers, a) < i {
			continue
		}
		var names []string
		for j := range answers {
			if answers[j] == a {
				names = append(names, o.outcomes[j].host)
			}
		}
		o.write(b, a)
		fmt.Fprintf(b, "  agents: [%s]\n", strings.Join(names, ", "))
	}
}

// expectText returns an answer that differs from that of most agents.
func expectText(a, most scenario.Expect) string {
	text := "decision: " + a.Decision
	if a.Reason != most.Reason {
		text += ", reason: " + yamlText(a.Reason)
	}
	if a.Context != most.Context {
		text += ", context: " + yamlText(a.Context)
	}
	if text == "decision: "+a.Decision {
		return a.Decision
	}
	return "{" + text + "}"
}

// answers returns the outcomes in the form of scenarios.
func (t *tester) answers(outcomes []testResult) []scenario.Expect {
	var reasons, contexts []string
	for i := range outcomes {
		reason, context := texts(outcomes[i].show.Out)
		reasons, contexts = append(reasons, reason), append(contexts, context)
	}
	reason, context := t.partOf(reasons), t.partOf(contexts)
	out := make([]scenario.Expect, len(outcomes))
	for i := range outcomes {
		out[i].Decision = outcomes[i].outcome
		if reasons[i] != "" {
			out[i].Reason = reason
		}
		if contexts[i] != "" {
			out[i].Context = context
		}
	}
	return out
}

// anyText is a pattern that matches every text.
const anyText = "/./"

// partOf returns a line that texts of several agents share and that the next run probably repeats. It has no digits,
// such as those of a date, and no path of this machine.
func (t *tester) partOf(texts []string) string {
	texts = slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
	if len(texts) == 0 {
		return ""
	}
	for line := range strings.Lines(texts[0]) {
		line = strings.TrimSpace(line)
		everywhere := !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(text, line) })
		lasting := !strings.ContainsAny(line, "0123456789") && !strings.Contains(line, t.at.Project)
		if len(line) > 2 && line[0] != '/' && everywhere && lasting {
			return line
		}
	}
	return anyText
}

// yamlText writes text as a quoted YAML string. JSON's form is valid YAML too.
func yamlText(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r == '\'' || r < ' ' || r > '~' }) {
		return string(ordjson.AppendString(nil, s))
	}
	return "'" + s + "'"
}
