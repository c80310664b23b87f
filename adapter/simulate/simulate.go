// Package simulate plays an agent's actions with its actual files, as its client runs them: which events it raises,
// which of its own entries it calls, and how it treats their answers. Hooks run for real; the tool doesn't.
package simulate

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// A Host is an agent in its places.
type Host struct {
	Dialect dialect.Dialect
	Places  schema.Places
	Given   []string // more files of the host's own
	// Assumed are the calls of hookbridge that the host makes at every event, instead of those in its files; nil: as
	// installed. They run in this process.
	Assumed []cmdline.Call
	Own     *survey.Loaded // the host's own hooks; nil: those in its places
	Machine bridge.Machine // the machine that the host starts its entries on
	Program Program        // the running hookbridge
	Imports Imports        // whether the host runs the hooks in other agents' files
	// Mode is the permission mode in which none of the user's rules allows the call; "": the user's rules allow it.
	Mode string
	// Way is how the host is started; nil: in its terminal.
	Way *dialect.Way
	// Evaluator answers the host's own prompt and agent hooks.
	Evaluator string
	Spawn     bool    // start every entry as a program
	Dry       bool    // start none: hooks end at once without an answer, and an entry for hookbridge counts as this one
	Probes    *Probes // of entries started in earlier plays; nil: of this play alone
	Session   string  // folder of hookbridge's memory of the session's earlier calls; "": this call begins it
}

// Imports states whether a host's import of other agents' files is on, which no file contains. If unknown, the hooks in
// them are played if no setting can disable the import.
type Imports uint8

const (
	ImportsUnknown Imports = iota
	ImportsOn
	ImportsOff
)

// An Action is what an agent does.
type Action struct {
	Event  schema.Event // PreTool is the call of a tool
	Part   schema.Event // only those events of the action; 0: all
	Native string       // only this event of the host; "": all
	Tool   string       // any dialect's name for it, or a canonical kind
	Server string       // the tool's MCP server; "": from its name
	Input  []byte       // of the tool, or fields of the payload; nil: an example
	Output []byte       // of the tool; nil: derived from the input
	// Payload is the payload of the host's one event, instead of one made from the rest.
	Payload []byte
}

// An Outcome is the result of an action.
type Outcome struct {
	Host     string
	Decision string // one of Decisions
	Steps    []Step
	Asked    bool // the host asks its user because of its own rules
	// Unanswered: hookbridge doesn't answer for an entry that the host called. The decision is how the host handles
	// that.
	Unanswered bool
	// MayImport is another agent's file whose hooks the host also runs if its import is on.
	MayImport string
	// Left names the input's arguments that the host's tool doesn't have, and that the call lacks.
	Left schema.Diagnostics
	// Files are the errors in the host's own files that make them unreadable.
	Files schema.Diagnostics
	// Faults are the hooks that can't work with any call.
	Faults schema.Diagnostics
}

// Failed is the decision if hookbridge, or reading the host's files, failed and nothing denied the action.
const Failed = "failed"

// Decisions lists the words for a host's decision on an action, the strictest first.
func Decisions() []string {
	return []string{Failed, schema.Deny.String(), schema.Ask.String(), schema.EffectEndTurn.Name(),
		schema.EffectKeepGoing.Name(), schema.Allow.String(), schema.NoOpinion.String()}
}

// Reply returns what the host honors, of all steps together.
func (o *Outcome) Reply() schema.Reply {
	replies := make([]schema.Reply, len(o.Steps))
	for i := range o.Steps {
		replies[i] = o.Steps[i].Reply
	}
	return schema.MergeRules{Separator: "\n", AllReasons: true}.Merge(replies)
}

// Later returns the context that hookbridge keeps for a later event of the session.
func (o *Outcome) Later() (context string) {
	for i := range o.Steps {
		for _, r := range o.Steps[i].Runs {
			if r.Inside == nil || r.Inside.Report.Trace == nil {
				continue
			}
			relayed := func(d schema.Diagnostic) bool { return d.Code == schema.CodeRelayed }
			if slices.ContainsFunc(r.Inside.Report.Diagnostics, relayed) {
				context = schema.JoinText(context, r.Inside.Report.Trace.Merged.Context)
			}
		}
	}
	return context
}

// Diagnostics returns the findings of all steps.
func (o *Outcome) Diagnostics() (ds schema.Diagnostics) {
	ds = slices.Concat(o.Files, o.Left)
	for i := range o.Steps {
		ds = append(ds, o.Steps[i].Diagnostics()...)
	}
	return append(ds, o.Faults...)
}

// Simulate plays one action. The error is a mistake in the action.
func Simulate(ctx context.Context, host *Host, action Action) (*Outcome, error) {
	if host.Dialect == nil {
		return nil, errors.New("Host.Dialect is nil: no agent to play")
	}
	p := &play{ctx: ctx, host: host, profile: host.Dialect.Profile(), action: action,
		out: &Outcome{Host: host.Dialect.Profile().Name}}
	if p.probes = host.Probes; p.probes == nil {
		p.probes = new(Probes)
	}
	if p.state = host.Session; p.state == "" && !host.Dry {
		var err error
		if p.state, err = os.MkdirTemp(host.Machine.TempDir, "hookbridge-session-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(p.state)
	}
	p.load()
	if err := p.run(); err != nil {
		return nil, err
	}
	p.decide()
	return p.out, nil
}

// A play is one action on its way through the events of the host.
type play struct {
	ctx     context.Context
	host    *Host
	profile *dialect.Profile
	action  Action
	own     survey.Loaded
	state   string // folder of the session's memory
	probes  *Probes
	sample  sample.Event
	others  map[string][]schema.Hook // of other agents, by their names, as far as they were read
	out     *Outcome

	refused, ended, asked, allowed bool
}

func (p *play) load() {
	if p.host.Own != nil {
		p.own = *p.host.Own
		return
	}
	p.own = survey.Load(p.host.Dialect, p.host.Places, p.host.Given)
	// install makes such a host skip the files
	if p.host.Imports != ImportsOff && (p.host.Assumed == nil || p.profile.VoidMember.Name == "") {
		hooks, always := survey.Imported(p.host.Dialect, p.own.Places)
		if always || p.host.Imports == ImportsOn {
			p.own.Hooks = append(p.own.Hooks, hooks...)
		} else if len(hooks) > 0 {
			p.out.MayImport = hooks[0].Source.File
		}
	}
	for _, d := range p.own.Found {
		if d.Severity == schema.Error || d.Code.RejectsFile() || survey.Edited(p.host.Dialect, d) {
			p.out.Files = append(p.out.Files, d)
		}
	}
}

// places returns the places in the host's payloads. If the host loads only a repository's root, that is the project.
// With assumed entries the project is the folder where the host looks.
func (p *play) places() schema.Places {
	if p.host.Assumed == nil {
		return p.own.Started(p.host.Dialect, p.host.Places)
	}
	return p.host.Places
}

// run raises the events of the action, until the host denies it.
func (p *play) run() error {
	if p.action.Payload != nil {
		p.step(p.action.Native, p.action.Payload)
		return nil
	}
	events, err := p.events()
	if err != nil {
		return err
	}

	for _, native := range events {
		switch {
		case native == dialect.ToolRuns:
			p.out.Asked = !p.asked && p.asks()
			p.asked = p.asked || p.out.Asked
		case p.refused || p.ended:
			continue
		case p.host.Way.On(native, p.host.Mode).Never:
			p.out.Steps = append(p.out.Steps, Step{Event: native, Why: "`" + p.host.Way.Command + "` never does"})
		case p.unasked(native) != "":
			p.out.Steps = append(p.out.Steps, Step{Event: native, Why: p.unasked(native)})
		default:
			if err := p.raise(native); err != nil {
				return err
			}
		}
	}

	wholeCall := p.action.Event == schema.PreTool && p.action.Part == 0 && p.action.Native == ""
	if refusal := p.profile.Refusal(); p.refused && refusal != "" && wholeCall {
		return p.raise(refusal)
	}

	return nil
}

// events lists the events to raise.
func (p *play) events() ([]string, error) {
	first := p.action.Native
	if first == "" {
		first = p.profile.Generic(p.action.Event)
	}
	if p.action.Part != 0 && p.action.Native == "" {
		first = p.profile.Generic(p.action.Part)
	}

	p.sample = sample.ForHost(p.host.Dialect, sample.Event{Event: first, Tool: p.action.Tool, Server: p.action.Server,
		Input: p.action.Input, Output: p.action.Output,
		Project: p.places().Project, Session: "simulated", Version: p.profile.Version, Mode: p.host.Mode})
	for _, name := range p.sample.Left {
		p.out.Left.AddSeverity(schema.CodeMemberLost, schema.Note, schema.PointerTo("/tool_input", name),
			p.profile.TitleChecked()+" doesn't know this argument of the tool; the call is played without it")
	}
	if p.action.Native != "" {
		return []string{p.action.Native}, nil
	}

	kind, err := sample.Kind(p.host.Dialect, p.sample)
	if err != nil {
		return nil, err
	}
	events := slices.DeleteFunc(p.profile.Raised(p.action.Event, kind), func(native string) bool {
		row := p.profile.Row(native)
		if row == nil {
			return false
		}
		otherPart := p.action.Part != 0 && row.Event != p.action.Part
		return otherPart || p.profile.Program != nil && p.profile.Program.On(native).Never
	})
	if p.action.Part != 0 && !slices.ContainsFunc(events, func(native string) bool {
		return native != dialect.ToolRuns
	}) {
		events = []string{first} // a usual call doesn't raise it
	}

	return events, nil
}

// unasked returns why the host doesn't raise a permission event, "" if it does. Which calls the host's own rules allow
// is unknown here.
func (p *play) unasked(native string) string {
	row := p.profile.Row(native)
	kind, _ := sample.Kind(p.host.Dialect, p.sample)
	switch {
	case row == nil || row.Event != schema.PermissionRequest || p.action.Native != "":
		return ""
	case p.allowed:
		return "a hook has allowed the call"
	case slices.Contains(row.Never, kind):
		return p.profile.TitleChecked() + " doesn't raise it for this tool"
	case row.Asked && !p.asked && !p.asks() && p.action.Part != schema.PermissionRequest:
		return "no hook asks; " + p.profile.Title + " raises it where its own rules ask the user"
	}
	return ""
}

// asks reports whether the host's mode asks the user about a call that no hook has decided.
func (p *play) asks() bool {
	kind, _ := sample.Kind(p.host.Dialect, p.sample)
	return !p.allowed && !p.refused && p.profile.Asks(p.host.Mode, kind)
}

// raise plays one event with a payload of the call as rewritten by the hooks so far.
func (p *play) raise(native string) error {
	event := p.sample
	event.Event = native
	row := p.profile.Row(native)
	event.Refused, event.Word = p.refused, p.word(native)
	if row != nil && !row.Event.IsTool() && p.action.Event.IsTool() { // of several calls
		event.Tool, event.Server, event.Input, event.Output, event.Args = "", "", nil, nil, nil
	}
	payload, err := sample.Payload(p.host.Dialect, event)
	if err != nil {
		return err
	}
	p.step(native, payload)
	return nil
}

// step plays one event and the host's reaction.
func (p *play) step(native string, payload []byte) {
	s := p.event(native, payload)
	if s.Call != nil {
		p.apply(&s)
	}
	p.out.Steps = append(p.out.Steps, s)
}

// apply applies the entries' answer as the host does.
func (p *play) apply(s *Step) {
	r := s.Merged
	s.Ignored = r.Uses() &^ p.host.Dialect.Honors(s.Call, &r)
	r.Drop(s.Ignored)
	p.startedSo(s, &r)
	if r.Input != nil && p.short(s.Call, r.Input) {
		r = schema.Reply{Verdict: schema.Deny, Reason: p.profile.Title +
			" refuses an input without what the tool needs"}
	}

	s.Reply = r
	row := p.profile.Row(s.Call.Native)
	switch {
	case r.Verdict == schema.Deny:
		p.refused = true
	case r.Verdict == schema.Ask:
		p.asked = true
	case r.Verdict == schema.Allow && row != nil && row.Event == schema.PermissionRequest:
		p.asked, p.allowed = false, true
	case r.Verdict == schema.Allow:
		p.allowed = true
	}

	if r.EndTurn {
		p.ended = true
		p.refused = p.refused || row != nil && row.EndDenies && row.Event == schema.PreTool
	}
	if r.Input != nil && !p.refused {
		p.sample.Args, p.sample.Input = p.rewritten(s.Call, &r), nil
	}
}

// startedSo removes from an answer what the host ignores because of how it is started.
func (p *play) startedSo(s *Step, r *schema.Reply) {
	less := p.host.Way.On(s.Call.Native, p.host.Mode)
	ignored := r.Uses() & less.Effects
	switch asks := ignored&schema.EffectAsk != 0; {
	case asks && less.Refuses:
		r.Verdict = schema.Deny
	case asks:
		r.Verdict, r.Reason = schema.Allow, ""
	}
	s.Ignored |= ignored
	r.Drop(ignored &^ schema.EffectAsk)
}

// short reports whether a new input lacks what the tool needs and had: a host that uses the whole new input rejects
// such a call.
func (p *play) short(c *schema.Call, in schema.Args) bool {
	_, whole := p.host.Dialect.Replaces(c)
	return whole && slices.ContainsFunc(c.Tool.Input, func(a schema.Arg) bool {
		has := func(b schema.Arg) bool { return a.Role == b.Role }
		return bridge.Essential.Has(a.Role) && !slices.ContainsFunc(in, has)
	})
}

// rewritten returns the input that the tool runs with.
func (p *play) rewritten(c *schema.Call, r *schema.Reply) schema.Args {
	roles, whole := p.host.Dialect.Replaces(c)
	if whole {
		return r.Input
	}
	return c.Tool.Input.With(slices.DeleteFunc(slices.Clone(r.Input), func(a schema.Arg) bool {
		return !roles.Has(a.Role)
	})...)
}

// decide finds the word for the result of the action.
func (p *play) decide() {
	decision := schema.NoOpinion.String()
	failed := len(p.out.Files) > 0
	for i := range p.out.Steps {
		s := &p.out.Steps[i]
		failed = failed || s.failed(p.profile.RefusalStatus)
		if word := wordOf(&s.Reply); slices.Index(Decisions(), word) < slices.Index(Decisions(), decision) {
			decision = word
		}
	}
	if p.out.Asked && slices.Index(Decisions(), schema.Ask.String()) < slices.Index(Decisions(), decision) {
		decision = schema.Ask.String()
	}
	if decision == schema.Ask.String() && p.allowed && !p.asked { // a hook answered instead of the user
		decision = schema.Allow.String()
	}
	if failed && decision != schema.Deny.String() {
		decision = Failed
	}
	p.out.Decision = decision
}

// wordOf returns one word for how the host treats a reply.
func wordOf(r *schema.Reply) string {
	switch {
	case r.Verdict != schema.NoOpinion:
		return r.Verdict.String()
	case r.EndTurn:
		return schema.EffectEndTurn.Name()
	case r.KeepGoing != "":
		return schema.EffectKeepGoing.Name()
	}
	return schema.NoOpinion.String()
}
