package adapter

import (
	"context"
	"errors"
	"time"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// AskPolicy says what becomes of a question that the host cannot put to the
// user at the event itself. The zero AskPolicy denies.
type AskPolicy uint8

const (
	AskDeny  AskPolicy = iota // deny with the hook's reason
	AskRelay                  // ask at the host's gate event, deny where there is none
	AskAllow                  // let the act proceed
)

// A Bridge runs the hooks of one dialect for one event of a host. Everything it
// depends on is given here; it reads no environment, clock or working folder.
type Bridge struct {
	Host   Dialect // the agent that calls
	Hooks  Dialect // the agent that the hooks were written for
	Places schema.Places

	// Given names the configuration files to use instead of those that the
	// hooks' agent would load.
	Given []string
	// Single is the one hook to run instead of configured ones. Its Event may
	// be 0: it then runs at every event.
	Single *schema.Hook

	Timeout      time.Duration // upper limit for every hook; 0: none
	Ask          AskPolicy
	FailClosed   bool   // the bridge's own failure denies
	RequireTrust bool   // project hooks run only if the project is trusted
	TrustFile    string // where trusted projects are recorded
	Evaluator    string // shell command that answers prompt and agent hooks
	StateDir     string // folder for the session files; "": no relay
	TempDir      string // folder for environment files
	Self         string // the program that runs AsyncCommand; "": asynchronous hooks are not listened to
	Now          func() time.Time
}

// A HookRun tells what one hook did.
type HookRun struct {
	Hook   schema.Hook
	View   schema.View
	Result process.Result
	Reply  schema.Reply
	Async  bool
}

// A Report tells what a Run did and what could not be carried.
type Report struct {
	Call        *schema.Call
	Runs        []HookRun
	Reply       schema.Reply // merged, after what the host cannot do was replaced
	Diagnostics schema.Diagnostics
}

// ErrBridge is returned when the bridge itself could not do its work; the
// report's diagnostics say why.
var ErrBridge = errors.New("the bridge could not answer")

// Run answers one event. native is the event's name if the caller knows it
// otherwise than from the payload. The answer is exactly one JSON object; it is
// nil only with ErrBridge, which FailClosed turns into a refusal.
func (b *Bridge) Run(ctx context.Context, stdin []byte, native string) ([]byte, *Report, error) {
	own := *b
	r := &run{Bridge: &own, ctx: ctx, now: b.Now()}
	r.store = state.Store{Dir: b.StateDir}
	call, ds := r.Host.DecodeCall(stdin, b.Places.Env)
	if call == nil {
		call, ds = r.otherHost(stdin, ds)
	}
	r.ds = append(r.ds, ds...)
	if call == nil {
		return r.fail(native)
	}
	r.call = call
	if b.Places.Project != "" {
		if call.Cwd == call.Project {
			call.Cwd = b.Places.Project
		}
		call.Project = b.Places.Project
	}
	r.places = b.Places
	r.places.Project = call.Project
	if b.Single == nil && r.Host.Name() == r.Hooks.Name() {
		r.note(schema.CodeOwnImport, r.Host.Name()+" runs its own hooks; nothing to bridge")
		return r.answer(schema.Reply{})
	}
	hooks, ok := r.load()
	if !ok {
		return r.fail(call.Native)
	}
	reply := r.reply(hooks)
	return r.answer(reply)
}

// otherHost takes a payload that the named host never sends: another agent has
// imported the entry that was meant for it, and is answered in its own words.
func (r *run) otherHost(stdin []byte, ds schema.Diagnostics) (*schema.Call, schema.Diagnostics) {
	d := Detect(stdin, r.Places.Env)
	if d == nil || d.Name() == r.Host.Name() {
		return nil, ds
	}
	call, more := d.DecodeCall(stdin, r.Places.Env)
	if call == nil {
		return nil, ds
	}
	r.note(schema.CodeOwnImport, "the entry is for "+r.Host.Name()+", and "+d.Name()+" calls it")
	r.Host = d
	return call, more
}

// run is the state of one Run.
type run struct {
	*Bridge
	ctx    context.Context
	now    time.Time
	call   *schema.Call
	places schema.Places
	store  state.Store
	runs   []HookRun
	ds     schema.Diagnostics
	texts  map[string]string // files read for views, by path
	mem    memory

	rewritten *schema.Call // what the second phase is shown; nil: the call itself
	allowURLs []string     // addresses that HTTP hooks may call; nil: all
}

func (r *run) note(c schema.Code, msg string) *schema.Diagnostic {
	d := r.ds.Add(c, "", msg)
	if r.call != nil {
		d.Event = r.call.Native
	}
	return d
}

// load returns the hooks to choose from; ok is false if the bridge failed.
func (r *run) load() (hooks []schema.Hook, ok bool) {
	if r.Single != nil {
		return []schema.Hook{*r.Single}, true
	}
	res, ds := discover.Load(r.Hooks, r.places, r.Given)
	for _, d := range ds {
		if d.Severity > schema.Note { // notes on the files are for those who edit them, not for every call
			r.ds = append(r.ds, d)
		}
	}
	for _, c := range res.Configs {
		r.allowURLs = append(r.allowURLs, c.AllowURLs...)
		if c.AllowURLs != nil && r.allowURLs == nil {
			r.allowURLs = []string{}
		}
	}
	if r.RequireTrust {
		var blocked bool
		res.Hooks, blocked = r.trusted(res)
		if blocked && r.FailClosed {
			return nil, false
		}
	}
	if res.Failed && (r.FailClosed || len(res.Hooks) == 0) {
		return nil, false
	}
	hooks = res.Hooks[:0:0]
	for i := range res.Hooks {
		if !FindsHooks(res.Hooks[i].Command) {
			hooks = append(hooks, res.Hooks[i])
		}
	}
	return hooks, true
}

// reply runs the hooks that apply and replaces what the host cannot do.
func (r *run) reply(hooks []schema.Hook) schema.Reply {
	if reply, done := r.before(); done {
		return reply
	}
	picked := r.selectHooks(hooks)
	picked = r.skipRun(picked)
	r.execute(r.firstPhase(picked))
	reply := r.merged()
	if gates := r.secondPhase(hooks, picked, &reply); len(gates) > 0 {
		r.execute(gates)
		reply = r.merged()
	}
	r.deliver(&reply)
	r.fit(&reply)
	r.after(&reply, hooks)
	return reply
}

// merged makes one reply of all that ran and was waited for.
func (r *run) merged() schema.Reply {
	var replies []schema.Reply
	for i := range r.runs {
		if !r.runs[i].Async {
			replies = append(replies, r.runs[i].Reply)
		}
	}
	return r.Hooks.Merge(replies)
}

// isGate reports whether a view is of an event that its agent raises after the
// generic one for the same act: before a tool runs such hooks judge what the
// others have made of the call, and are not asked about a refused one.
func (r *run) isGate(v schema.View) bool {
	row := rowOf(r.Hooks, v.Event)
	return row != nil && row.Gate && row.Event == schema.PreTool
}

func (r *run) firstPhase(picked []pick) []pick {
	var out []pick
	for _, p := range picked {
		if !r.isGate(p.view) {
			out = append(out, p)
		}
	}
	return out
}

// secondPhase returns the gate hooks to run after the generic ones; a rewritten
// call selects them anew.
func (r *run) secondPhase(hooks []schema.Hook, picked []pick, reply *schema.Reply) (gates []pick) {
	if reply.Verdict == schema.Deny {
		return nil
	}
	if reply.Input == nil {
		for _, p := range picked {
			if r.isGate(p.view) {
				gates = append(gates, p)
			}
		}
		return gates
	}
	original := r.call
	r.call = original.Clone()
	in := original.Tool.Input
	for _, a := range reply.Input {
		in = replaceArg(in, a)
	}
	r.call.Tool.Input = in
	r.rewritten, r.call = r.call, original
	var views []schema.View
	for _, v := range r.Hooks.Views(r.rewritten) {
		if r.isGate(v) {
			views = append(views, v)
		}
	}
	if len(views) == 0 {
		return nil
	}
	r.call = r.rewritten
	gates = r.pickFrom(r.ofEvent(hooks), views)
	r.call = original
	return gates
}

func (r *run) answer(reply schema.Reply) ([]byte, *Report, error) {
	out := r.Host.AppendReply(nil, r.call, &reply)
	return out, &Report{Call: r.call, Runs: r.runs, Reply: reply, Diagnostics: r.ds}, nil
}

// fail is the bridge's own failure: no answer, or a refusal.
func (r *run) fail(native string) ([]byte, *Report, error) {
	rep := &Report{Call: r.call, Diagnostics: r.ds}
	if !r.FailClosed {
		return nil, rep, ErrBridge
	}
	reason := "hookbridge could not run the hooks that guard this"
	if n := len(r.ds); n > 0 {
		reason += ": " + r.worst().Message
	}
	rep.Reply = schema.Reply{Verdict: schema.Deny, Reason: reason}
	return r.Host.Refuse(nil, native, reason), rep, nil
}

// worst is the first of the gravest findings.
func (r *run) worst() schema.Diagnostic {
	var w schema.Diagnostic
	for _, d := range r.ds {
		if d.Severity > w.Severity {
			w = d
		}
	}
	return w
}
