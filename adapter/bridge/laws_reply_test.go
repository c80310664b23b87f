package bridge

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// A replyCase is a call of a host in one view for the hooks of a dialect.
type replyCase struct {
	host, hooks dialect.Dialect
	call        *schema.Call
	view        schema.View // the hooks'
}

func (rc *replyCase) String() string {
	return fmt.Sprintf("%s %s hook under %s %s %s", rc.hooks.Profile().Name, rc.view.Event, rc.host.Profile().Name,
		rc.call.Native, rc.call.Tool.Kind())
}

// argValue returns a value that fits the role.
func argValue(r schema.Role) string {
	switch r {
	case schema.RoleEdits:
		return `[{"old":"a","new":"b"}]`
	case schema.RoleTimeout, schema.RoleOffset, schema.RoleLimit, schema.RoleExitCode, schema.RoleLength:
		return "1000"
	case schema.RoleReplaceAll, schema.RoleBackground, schema.RoleInterrupted, schema.RoleIsError:
		return "false"
	case schema.RoleOK:
		return "true"
	case schema.RoleBlocks:
		return `[{"type":"text","text":"t"}]`
	case schema.RoleIgnore:
		return `["x"]`
	}
	return `"/nowhere/x"`
}

// hostCalls returns calls of every event of a dialect, as the agent would send them, read by its dialect. Events about
// a tool have one call for every kind of tool.
func hostCalls(t testing.TB, d dialect.Dialect) (calls []*schema.Call) {
	t.Helper()
	for _, row := range d.Profile().Events {
		tools := []schema.Tool{{}}
		if row.Event.IsTool() {
			tools = []schema.Tool{{Name: "do", Server: "srv", Kinds: []schema.Kind{schema.MCP}},
				{Name: "Unheard", Kinds: []schema.Kind{schema.Other}}}
			for _, tool := range d.Profile().Tools {
				if len(tool.Kinds) > 0 {
					tools = append(tools, schema.Tool{Name: tool.Name, Kinds: tool.Kinds})
				}
			}
		}
		for _, tool := range tools {
			if row.Gate != nil && !schema.KindsMeet(&row, &schema.EventRow{Gate: &schema.Gate{Kinds: tool.Kinds}}) {
				continue
			}
			tool.UseID = "u"
			tool.Input = schema.Args{{Name: "free", Raw: []byte(`"x"`)}}
			for _, tr := range d.Profile().Tools {
				if tr.Name == tool.Name {
					tool.Input = nil
					for _, a := range tr.Input {
						if _, twice := tool.Input.Get(a.Role); !twice {
							tool.Input = append(tool.Input,
								schema.Arg{Role: a.Role, Name: a.Name, Raw: []byte(argValue(a.Role))})
						}
					}
				}
			}
			c := &schema.Call{Dialect: d.Profile().Name, Event: row.Event, Native: row.Native, Gate: row.Gate != nil,
				Inline: row.Inline(), Cwd: "/nowhere", Project: "/nowhere", Tool: tool}
			if !row.Event.IsTool() {
				c.Tool = schema.Tool{}
			}
			c.SetStr(schema.FieldSession, "s")
			for _, v := range d.Views(c) {
				if v.Event != row.Native {
					continue
				}
				c.Dialect = "another" // so that nothing is left out
				payload := d.AppendCall(nil, c, v)
				call, ds := d.DecodeCall(payload, nil)
				if call == nil {
					t.Fatalf("%s %s: %v: %s", d.Profile().Name, row.Native, ds, payload)
				}
				calls = append(calls, call)
				break
			}
		}
	}
	return calls
}

func replyCases(t testing.TB) (cases []replyCase) {
	for _, host := range lawDialects() {
		calls := hostCalls(t, host)
		for _, hooks := range lawOwners() {
			for _, c := range calls {
				for _, v := range hooks.Views(c) {
					cases = append(cases, replyCase{host, hooks, c, v})
				}
			}
		}
	}
	return cases
}

// said is the answer of a hook: bytes, which its dialect reads, and effects, which need no decoding.
type said struct {
	stdout, stderr string
	exit           int
	verdict        schema.Verdict
	a, b           string // texts
	flags          uint32
	member         int
	version        string
}

const (
	saysContext = 1 << iota
	saysFeedback
	saysKeepGoing
	saysEndTurn
	saysEnv
	saysNotice
	saysOutput
	saysChange
	saysDrop
	saysAdd
	saysUser
	hasState
	hasEnvFile
	relayAsks
	allowAsks
	approves
)

var versions = []string{"", "1.0.0", "2.4.0", "3.15.19", "2026.09.10-x", "2.0.0", "2.1.328"}

// structured builds a reply from the effects that the hook's event supports.
func (s *said) structured(r *run, rc *replyCase) schema.Reply {
	var out schema.Reply
	row := rc.hooks.Profile().Row(rc.view.Event)
	heard := row.Honors
	if rc.view.Kind == schema.MCP && row.Event == schema.PostTool {
		heard |= schema.EffectOutput
	}
	on := func(flag uint32, f schema.Feature) bool { return s.flags&flag != 0 && heard&f != 0 }
	v := [...]schema.Feature{schema.Allow: schema.EffectAllow, schema.Ask: schema.EffectAsk,
		schema.Defer: schema.EffectDefer, schema.Deny: schema.EffectDeny}
	if heard&v[s.verdict] != 0 {
		out.Verdict = s.verdict
		// has no text there
		if heard&schema.EffectReason != 0 && !(s.verdict == schema.Allow && row.Event == schema.PermissionRequest) {
			out.Reason = s.a
		}
		if on(saysUser, schema.EffectUserReason) {
			out.UserReason = "for the user " + s.b
		}
	}
	if on(saysContext, schema.EffectContext) {
		out.Context = "context " + s.b
	}
	if on(saysFeedback, schema.EffectFeedback) {
		out.Feedback = "feedback " + s.a
	}
	if on(saysKeepGoing, schema.EffectKeepGoing) {
		out.KeepGoing = "go on " + s.a
	}
	if on(saysEndTurn, schema.EffectEndTurn) {
		out.EndTurn, out.EndReason = true, s.b
	}
	if on(saysEnv, schema.EffectEnv) {
		out.Env = []schema.EnvVar{{Name: "A_B", Value: s.a}, {Name: "C", Value: s.b}}
	}
	if on(saysNotice, schema.EffectNotice) {
		out.Notice = "notice " + s.b
	}
	if on(saysOutput, schema.EffectOutput) {
		out.Output = []byte(`[{"type":"text","text":"new"}]`)
	}
	if row.Event == schema.PermissionRequest && out.Verdict != schema.Allow { // a new input goes with an allow
		heard &^= schema.EffectInput
	}
	if heard&schema.EffectInput != 0 && s.flags&(saysChange|saysDrop|saysAdd) != 0 {
		in := append(schema.Args{}, rc.hooks.Shown(fillView(r, rc.call, rc.view), rc.view)...)
		if n := len(in); n > 0 {
			i := s.member % n
			if s.flags&saysChange != 0 {
				in[i].Raw = []byte(`"other"`)
				if ordjson.KindOf(in[i].Raw) != ordjson.StringKind {
					in[i].Raw = []byte("7")
				}
			}
			if s.flags&saysDrop != 0 {
				in = append(in[:i:i], in[i+1:]...)
			}
		}
		if s.flags&saysAdd != 0 {
			in = append(in, schema.Arg{Name: "added", Raw: []byte("1")})
		}
		out.Input, out.InputView = in, rc.view
	}
	return out
}

// knownFaults lists parts of reported faults that aren't fixed yet, with the reason. Remove a line once its fault is
// fixed.
var knownFaults = []string{}

func isKnown(fault string) bool {
	for _, k := range knownFaults {
		if strings.Contains(fault, k) {
			return true
		}
	}
	return false
}

// replyLaw checks laws L1 and L2 for one answer in one case.
func replyLaw(rc *replyCase, s *said, dir string) (faults []string) {
	fault := func(format string, args ...any) {
		if f := rc.String() + ": " + fmt.Sprintf(format, args...); !isKnown(f) {
			faults = append(faults, f)
		}
	}
	c := rc.call.Clone()
	c.Version = s.version
	at := *rc
	at.call, rc = c, &at
	host, err := adapter.Find(strings.TrimSuffix(rc.host.Profile().Name+"@"+s.version, "@"))
	if err != nil { // a version of another agent
		host = rc.host
	}
	b := &Bridge{Host: host, Hooks: rc.hooks, Now: func() time.Time { return time.Unix(1, 0) }}
	b.Places = schema.Places{OS: "linux", Home: "/nowhere/home", Project: "/nowhere"}
	switch {
	case s.flags&allowAsks != 0:
		b.Ask = cmdline.AskAllow
	case s.flags&relayAsks != 0:
		b.Ask = cmdline.AskRelay
	}
	if s.flags&approves != 0 {
		b.Allow = cmdline.AllowApprove
	}
	if s.flags&hasState != 0 {
		b.StateDir = filepath.Join(dir, "state")
	}
	envFile := filepath.Join(dir, "env")
	if file := host.Profile().EnvFile; file.Usable && file.For(c.Event) != "" && s.flags&hasEnvFile != 0 {
		os.Remove(envFile)
		b.Places.Env = schema.Environ{file.For(c.Event) + "=" + envFile}
	}
	r := runOf(b, c)
	r.mem = openSession(r, c)
	row := rc.hooks.Profile().Row(rc.view.Event)
	h := schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand}
	heard, _ := rc.hooks.DecodeReply(&h, rc.view, &process.Result{Exit: s.exit, Stdout: []byte(s.stdout),
		Stderr: []byte(s.stderr)})
	did := done{call: c}
	for _, reply := range []schema.Reply{s.structured(r, rc), heard} {
		did.runs = append(did.runs, HookRun{Hook: h, View: rc.view, Ran: true, Reply: reply})
	}
	before := merge(r.hooks, did.runs)
	after := before
	after.Others = append([]schema.Effect(nil), before.Others...)
	out := fit(settingOf(r, &did, after))
	keepForLater(r, c, &out)
	after = out.reply

	codes := func(list ...schema.Code) bool {
		for _, d := range r.log.ds {
			for _, c := range list {
				if d.Code == c {
					return true
				}
			}
		}
		return false
	}
	for _, d := range r.log.ds {
		if _, known := d.Code.Info(); !known || d.Message == "" {
			fault("a finding without a code or text: %+v", d)
		}
	}
	for _, f := range fitLaw(r, rc, &before, &after, codes) {
		fault("%s\nbefore %s\nafter %s\n%v", f, show(&before), show(&after), r.log.ds)
	}
	if len(before.Env) > 0 && len(b.Places.Env) > 0 && after.Env == nil && !codes(schema.CodeEnvLost) {
		text, _ := os.ReadFile(envFile)
		vars, ds := host.Abilities().EnvFile.ParseEnvFile(string(text), nil)
		for _, v := range lastOf(before.Env) {
			if !hasVar(vars, v) {
				fault("variable %q is not in the host's file %q, which reads %q %v", v, text, vars, ds)
			}
		}
	}
	for _, f := range answerLaw(host, c, &after) {
		fault("%s\nafter %s\n%v", f, show(&after), r.log.ds)
	}
	return faults
}

func show(r *schema.Reply) string {
	in := ""
	for _, a := range r.Input {
		in += fmt.Sprintf(" %s %s=%s", a.Role, a.Name, a.Raw)
	}
	return fmt.Sprintf(
		"%s reason=%q user=%q context=%q feedback=%q go=%q end=%v %q env=%q notice=%q output=%s others=%s input=[%s]",
		r.Verdict, r.Reason, r.UserReason,
		r.Context, r.Feedback, r.KeepGoing, r.EndTurn, r.EndReason, r.Env, r.Notice, r.Output, fmt.Sprint(r.Others), in)
}

func lastOf(vars []schema.EnvVar) (out []schema.EnvVar) {
	for i, v := range vars {
		last := true
		for _, w := range vars[i+1:] {
			last = last && w.Name != v.Name
		}
		if last {
			out = append(out, v)
		}
	}
	return out
}

func hasVar(vars []schema.EnvVar, v schema.EnvVar) bool {
	for _, w := range lastOf(vars) {
		if w == v {
			return true
		}
	}
	return false
}

func within(text string, in ...string) bool {
	for _, s := range in {
		if strings.Contains(s, text) {
			return true
		}
	}
	return false
}

// fitLaw compares a reply with its fitted form for the host.
func fitLaw(r *run, rc *replyCase, before, after *schema.Reply, codes func(...schema.Code) bool) (faults []string) {
	fault := func(bad bool, what string) {
		if bad {
			faults = append(faults, what)
		}
	}
	switch before.Verdict {
	case schema.Deny:
		fault(after.Verdict != schema.Deny && !codes(schema.CodeDenyLost), "a denial is lost")
	case schema.Ask, schema.Defer:
		fault(after.Verdict < schema.Ask && !codes(schema.CodeDenyLost, schema.CodeAskAllowed, schema.CodeAskRelayed),
			"a question is lost")
		fault(codes(schema.CodeAskAllowed) && r.opts.Ask != cmdline.AskAllow,
			"a question is allowed though nobody wished it")
	case schema.Allow:
		host, hooks := r.host.Profile().Row(rc.call.Native), r.hooks.Profile().Row(rc.view.Event)
		skips := r.host.Profile().Name != r.hooks.Profile().Name && host.Allow != schema.AllowPasses &&
			hooks.Allow != schema.AllowApproves
		fault(after.Verdict == schema.Allow && skips && r.opts.Allow != cmdline.AllowApprove,
			"no objection has become an approval")
		// the rest of the reply can't be done, nor denied
		denied := codes(schema.CodeDenyLost) && (before.Input != nil || before.EndTurn)
		fault(after.Verdict == schema.NoOpinion && !codes(schema.CodeAllowPassed) && !denied, "an allowance is lost")
		if after.Verdict == schema.NoOpinion { // its text goes with it
			before = &schema.Reply{Verdict: schema.NoOpinion, Input: before.Input, Context: before.Context,
				Feedback: before.Feedback, KeepGoing: before.KeepGoing,
				Env: before.Env, Notice: before.Notice, Output: before.Output, EndTurn: before.EndTurn,
				Others: before.Others}
		}
	}
	if before.Verdict != schema.NoOpinion && after.Verdict != schema.NoOpinion {
		fault(!within(before.Reason, after.Reason, after.UserReason) && !codes(schema.CodeEffectLost),
			"the reason is lost")
		fault(!within(before.UserReason, after.Reason, after.UserReason) && !codes(schema.CodeEffectLost),
			"the reason for the user is lost")
	}
	if before.Input != nil && before.Verdict != schema.Deny && after.Verdict != schema.Deny &&
		!codes(schema.CodeDenyLost) {
		faults = append(faults, inputLaw(r, rc, before, after)...)
	}
	moved := codes(schema.CodeContextCut, schema.CodeRelayed, schema.CodeContextLost)
	refusal := ""
	if after.Verdict == schema.Deny { // what the agent reads instead of a result
		refusal = after.Reason
	}
	result, _ := ordjson.String(after.Output) // where the host drops context next to a replaced result
	fault(!within(before.Context, after.Context, refusal, result) && !moved, "context is lost")
	fault(!within(before.Feedback, after.Feedback, after.Context, refusal, result) && !moved, "feedback is lost")
	fault(before.KeepGoing != after.KeepGoing && !codes(schema.CodeKeepGoLost, schema.CodeIgnoredEffect),
		"the wish to go on is lost")
	fault(len(before.Env) != len(after.Env) && !codes(schema.CodeEnvLost) && len(r.opts.Places.Env) == 0,
		"environment is lost")
	fault(before.Notice != after.Notice && !codes(schema.CodeNoticeLost), "a notice is lost")
	old, isText := ordjson.String(before.Output)
	joined := isText && before.Context+before.Feedback != "" && strings.HasPrefix(result, old)
	fault(string(before.Output) != string(after.Output) && !joined && !codes(schema.CodeOutputKept), "a result is lost")
	if before.EndTurn && !after.EndTurn {
		ends := false
		switch rc.call.Event {
		case schema.Stop, schema.SubagentStop, schema.StopFailure, schema.SessionEnd: // ends anyway
			ends = true
		case schema.PromptSubmit: // a denied prompt begins no turn
			ends = after.Verdict == schema.Deny
		}
		fault(!ends && !codes(schema.CodeEndTurn, schema.CodeDenyLost), "the end of the turn is lost")
	}
	for _, o := range before.Others {
		_, ok := after.Other(o.Feature)
		fault(!ok && o.Feature&schema.SilentEffects == 0 && !codes(schema.CodeEffectLost), o.Feature.Name()+" is lost")
	}
	ignored := ignored(r.host, rc.call, after) & after.Uses()
	fault(ignored&schema.EffectDeny != 0 && !codes(schema.CodeDenyLost),
		"a program ignores the deny, and nothing says so")
	fault(ignored&schema.EffectContext != 0 && !codes(schema.CodeRelayed, schema.CodeContextLost),
		"a program ignores the context, and nothing says so")
	fault(ignored&schema.EffectEnv != 0 && !codes(schema.CodeEnvLost),
		"a program ignores the environment, and nothing says so")
	honoured := r.host.Honors(rc.call, after) | ignored | schema.EffectReason | schema.EffectUserReason
	if codes(schema.CodeAskUncertain) { // --ask relay takes the risk
		honoured |= schema.EffectAsk
	}
	fault(after.Uses()&^honoured != 0, "the host ignores "+(after.Uses()&^honoured).String())
	return faults
}

// inputLaw builds the host's new input, shows it to the hook again and compares it with the hook's rewrite.
func inputLaw(r *run, rc *replyCase, before, after *schema.Reply) (faults []string) {
	shown := rc.hooks.Shown(fillView(r, rc.call, rc.view), rc.view)
	want := before.Input
	if rc.hooks.Profile().PatchesInput {
		want = shown
		want = want.With(before.Input...)
	}
	c := rc.call.Clone()
	if _, whole := r.host.Replaces(c); after.Input != nil && whole {
		c.Tool.Input, c.Tool.Whole = after.Input, nil
	} else {
		c.Tool.Input = c.Tool.Input.With(after.Input...)
	}
	next := *r
	next.files = &files{}
	got := rc.hooks.Shown(fillView(&next, c, rc.view), rc.view)
	own := rc.hooks.Profile().Tool(rc.view.Tool)
	for _, a := range want {
		_, came := shown.Find(a)
		reported := slices.ContainsFunc(r.log.ds, func(d schema.Diagnostic) bool {
			return d.Code == schema.CodeIgnoredEffect
		})
		if a.Role == schema.Rest && (!came || reported) && own.Drops(a.Name) { // so does the hook's agent
			continue
		}
		if s, ok := got.Find(a); !cosmetic.Has(a.Role) && (!ok || !sameValue(s.Raw, a.Raw, false)) {
			faults = append(faults, fmt.Sprintf("the hook wanted %s %s=%s, the host does %s", a.Role, a.Name, a.Raw,
				s.Raw))
		}
	}
	for _, a := range got {
		if _, ok := want.Find(a); !ok && Essential.Has(a.Role) {
			faults = append(faults, fmt.Sprintf("the hook took %s %s away, the host does %s", a.Role, a.Name, a.Raw))
		}
	}
	return faults
}

// answerLaw writes a reply as the host's answer and reads it back as the host does: no effect is lost or added.
func answerLaw(host dialect.Dialect, c *schema.Call, r *schema.Reply) (faults []string) {
	out := host.AppendReply(nil, c, r)
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Sprintf(format, args...)+" in the answer "+string(out))
	}
	// no answer means no opinion, and a host that takes all text as context gets only text
	text := host.Profile().Row(c.Native).Text != 0 && string(out) == r.Context
	if _, err := ordjson.Parse(out); err != nil && !text && (len(out) > 0 || r.Uses() != 0) {
		fault("%v", err)
		return faults
	}
	var own schema.View
	for _, v := range host.Views(c) {
		if v.Event == c.Native {
			own = v
			break
		}
	}
	if own.Event == "" {
		fault("%s does not show its own call", host.Profile().Name)
		return faults
	}
	h := schema.Hook{Event: c.Event, Native: c.Native, Handler: schema.HandlerCommand}
	if _, path := r.Other(schema.EffectWorktree); path || c.Event == schema.WorktreeCreate {
		// a command answers with a line of text, which the command line of hookbridge writes
		h.Handler = schema.HandlerHTTP
	}
	back, ds := host.DecodeReply(&h, own, &process.Result{Stdout: out})
	if ds.Max() > schema.Note || len(back.Extra) > 0 {
		fault("the host does not take all: %v %v", ds, back.Extra)
	}
	// an agent may not run the call at which the turn ends
	ends := r.EndTurn && back.EndTurn && back.Verdict == schema.Deny
	// for some hosts a denial also ends the turn, and is reported so
	denials := host.Abilities().Denials
	denialEnds := denials != nil && r.Verdict == schema.Deny && denials.DenialEnds(c, r) != ""
	// one text may be both the reason of a denial and the context
	contexts := []string{back.Context}
	if r.Verdict == schema.Deny {
		contexts = append(contexts, back.Reason)
	}
	if back.Verdict != r.Verdict && !ends {
		fault("the verdict %s became %s", r.Verdict, back.Verdict)
	}
	for _, x := range []struct {
		name, text string
		in         []string
	}{
		{"reason", r.Reason, []string{back.Reason, back.UserReason}},
		{"reason for the user", r.UserReason, []string{back.Reason, back.UserReason, back.Notice}},
		{"notice", r.Notice, []string{back.Notice, back.Reason, back.UserReason}},
		{"context", r.Context, contexts},
		{"feedback", r.Feedback, []string{back.Feedback, back.Context}},
		{"message to go on", r.KeepGoing, []string{back.KeepGoing}},
		{"reason of the end", r.EndReason, []string{back.EndReason}},
	} {
		if ends && strings.HasPrefix(x.name, "reason") {
			continue
		}
		if x.name == "reason" && back.UserReason == "" && r.UserReason != "" &&
			within(strings.TrimSpace(r.UserReason), back.Reason) {
			continue // the host takes one message here: only the user gets a denied prompt's reason
		}
		// Agents replace a blank reason with one of their own.
		if asJSON := strings.TrimSpace(strings.ToValidUTF8(x.text, "\ufffd")); !within(asJSON, x.in...) {
			fault("the %s %q is lost", x.name, x.text)
		}
	}
	if r.EndTurn != back.EndTurn && !(denialEnds && back.EndTurn) {
		fault("the end of the turn is %v", back.EndTurn)
	}
	for _, v := range lastOf(r.Env) {
		if !hasVar(back.Env, v) {
			fault("variable %q is lost", v)
		}
	}
	// A host may turn an object into text: the object's JSON, or that of its only block.
	asText, _ := ordjson.String(back.Output)
	if r.Output != nil && asText != blockText(r.Output) && asText != string(ordjson.AppendCompact(nil, r.Output)) &&
		(back.Output == nil || !bytes.Contains(ordjson.AppendCompact(nil, back.Output),
			ordjson.AppendCompact(nil, r.Output))) {
		fault("the result %s became %s", r.Output, back.Output)
	}
	for _, o := range r.Others {
		if o.Feature&schema.SilentEffects != 0 {
			continue // applies only to one agent's terminal
		}
		if o.Feature == schema.EffectPermissions && r.Verdict != schema.Allow || o.Feature == schema.EffectInterrupt &&
			r.Verdict != schema.Deny {
			continue // goes with the other verdict, of another hook
		}
		if raw, ok := back.Other(o.Feature); !ok || !sameValue(raw, o.Raw, false) {
			fault("%s %s became %s", o.Feature.Name(), o.Raw, raw)
		}
	}
	for _, a := range r.Input {
		b, ok := back.Input.Find(a)
		// for a tool that the hook's agent doesn't have: by its name
		for i := 0; !ok && a.Role == schema.Rest && i < len(back.Input); i++ {
			b = back.Input[i]
			ok = b.Name == a.Name
		}
		if !ok || !sameValue(a.Raw, b.Raw, false) {
			fault("new input %s %s=%s became %s", a.Role, a.Name, a.Raw, b.Raw)
		}
	}
	may := r.Uses() | schema.EffectReason | schema.EffectUserReason
	if r.Feedback != "" {
		may |= schema.EffectContext
	}
	if r.UserReason != "" || r.Verdict == schema.Ask { // an agent may show the reason of an ask nowhere else
		may |= schema.EffectNotice
	}
	if ends {
		may |= schema.EffectDeny
	}
	if denialEnds {
		may |= schema.EffectEndTurn
	}
	if row := host.Profile().Row(c.Native); r.EndTurn && row.EndDenies { // or hide the result of that call
		may |= row.Blocks
	}
	if more := back.Uses() &^ may; more != 0 {
		fault("%s comes from nowhere", more)
	}
	return faults
}

// blockText returns the text of an array with one content block, else a text that no result has.
func blockText(raw []byte) string {
	list, err := ordjson.Elements(raw, 0)
	if err != nil || len(list) != 1 {
		return "\x00"
	}
	o, _ := ordjson.Members(list[0].Value, 0)
	value, _ := o.Get("text")
	s, _ := ordjson.String(value)
	return s
}

// replySeeds are answers in the formats of the dialects; in other dialects they are foreign answers.
var replySeeds = []struct {
	stdout, stderr string
	exit           int
}{
	{"", "", 0}, {"", "no", 2}, {"out", "", 2}, {"plain text", "", 0}, {"", "failed", 1}, {"{", "", 0},
	{`{"decision":"block","reason":"r"}`, "", 0},
	{`{"continue":false,"stopReason":"s","systemMessage":"m","suppressOutput":true}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",` +
		`"permissionDecisionReason":"sure?","updatedInput":{"command":"x"},"additionalContext":"c"}}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"defer"}}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"c","updatedToolOutput":{"a":1}},` +
		`"decision":"block","reason":"r"}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"c","watchPaths":["/a"],` +
		`"sessionTitle":"t","initialUserMessage":"i","reloadSkills":true}}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"c","sessionTitle":"t",` +
		`"suppressOriginalPrompt":true}}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"m",` +
		`"interrupt":true}}}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow",` +
		`"updatedPermissions":[]}}}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"PermissionDenied","retry":true}}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":{"a":1}}}`, "", 0},
	{`{"hookSpecificOutput":{"hookEventName":"MessageDisplay","displayContent":"d"}}`, "", 0},
	{`{"permission":"deny","user_message":"u","agent_message":"a","updated_input":{"command":"y"}}`, "", 0},
	{`{"permission":"ask","user_message":"u","additional_context":"c"}`, "", 0},
	{`{"permission":"allow","updated_input":{"file_path":"/b"}}`, "", 0},
	{`{"continue":false,"user_message":"u","env":{"A":"b","a-b":"c"},"additional_context":"c"}`, "", 0},
	{`{"followup_message":"f","pluginPaths":["/p"]}`, "", 0},
	{`{"decision":"deny","reason":"r","systemMessage":"m"}`, "", 0},
	{`{"decision":"ask","reason":"r"}`, "", 3},
	{"", `{"decision":"block","reason":"on stderr"}`, 1},
	{`{"hookSpecificOutput":{"tool_input":{"command":"z"},"additionalContext":"c"}}`, "", 0},
	{`{"hookSpecificOutput":{"clearContext":true,"tailToolCallRequest":{"name":"glob","args":{}}},` +
		`"decision":"block","reason":"r"}`, "", 0},
	{`{"updated_mcp_tool_output":{"content":[]},"additional_context":"c"}`, "", 0},
}

// TestReplyLaw checks the laws in every case for the seeds and for single and combined effects.
func TestReplyLaw(t *testing.T) {
	if testing.Short() {
		t.Skip("runs thousands of hooks")
	}
	cases := replyCases(t)
	dir := t.TempDir()
	n, pairs := 0, map[string]int{}
	seen := map[string]bool{}
	for i := range cases {
		rc := &cases[i]
		var answers []said
		for _, s := range replySeeds {
			answers = append(answers, said{stdout: s.stdout, stderr: s.stderr, exit: s.exit},
				said{stdout: s.stdout, stderr: s.stderr, exit: s.exit, flags: hasState | hasEnvFile | relayAsks})
		}
		for flag := uint32(0); flag <= saysUser; flag = max(1, flag*2) {
			for v := schema.NoOpinion; v <= schema.Deny; v++ {
				answers = append(answers, said{verdict: v, a: "a", b: "b", flags: flag, member: i})
			}
		}
		for v := schema.NoOpinion; v <= schema.Deny; v++ {
			for _, extra := range []uint32{0, hasState, hasState | relayAsks, allowAsks, approves, hasEnvFile} {
				answers = append(answers, said{verdict: v, a: "a", b: "b", flags: (saysUser*2-1)&^saysEndTurn | extra,
					member: i, version: versions[(i+int(v))%len(versions)]})
				answers = append(answers, said{verdict: v, a: "a", b: "b", flags: saysEndTurn | saysContext |
					saysNotice |
					saysEnv | extra, member: i})
			}
		}
		for j := range answers {
			n++
			pairs[rc.hooks.Profile().Name+" under "+rc.host.Profile().Name]++
			for _, f := range replyLaw(rc, &answers[j], dir) {
				first, _, _ := strings.Cut(f, "\n")
				if !seen[first] {
					seen[first] = true
					t.Errorf("%+v\n%s", answers[j], f)
				}
			}
		}
	}
	t.Logf("%d cases, %d answers: %v", len(cases), n, pairs)
}

// FuzzReplyLaw checks the same for any answer of a hook.
func FuzzReplyLaw(f *testing.F) {
	cases := replyCases(f)
	dir := f.TempDir()
	for i, s := range replySeeds {
		for n := 97 * i; n < len(cases); n += 97 * len(replySeeds) {
			f.Add(uint16(n+i), s.stdout, s.stderr, uint8(s.exit), uint8(n%5), "a", "b", uint32(n*7919), uint8(n),
				uint8(n))
		}
	}
	f.Fuzz(func(t *testing.T, n uint16, stdout, stderr string, exit, verdict uint8, a, b string, flags uint32, member,
		version uint8) {
		s := said{stdout: stdout, stderr: stderr, exit: int(exit & 3), verdict: schema.Verdict(verdict % 5),
			flags: flags, member: int(member),
			a: strings.ToValidUTF8(a, "?"), b: strings.ToValidUTF8(b, "?"),
			version: versions[int(version)%len(versions)]}
		rc := cases[int(n)%len(cases)]
		if faults := replyLaw(&rc, &s, dir); len(faults) > 0 {
			t.Fatal(strings.Join(faults, "\n"))
		}
	})
}
