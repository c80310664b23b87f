package bridge

import (
	"context"
	"errors"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// A Bridge runs the hooks of one dialect for one event of a host. Everything it
// depends on is given here; it reads no environment, clock or working folder.
type Bridge struct {
	Host   dialect.Dialect // the agent that calls
	Hooks  dialect.Dialect // the agent that the hooks were written for
	Places schema.Places

	// Given names the configuration files to use instead of those that the
	// hooks' agent would load.
	Given []string
	// Inline, if not nil, is the text of a configuration to use instead of files;
	// InlineAt says where it counts as standing.
	Inline   []byte
	InlineAt schema.Source
	// Single is the one hook to run instead of configured ones. Its Event may
	// be 0: it then runs at every event.
	Single *schema.Hook

	Timeout time.Duration // upper limit for every hook; 0: none
	cmdline.Policy
	FailClosed   bool         // the bridge's own failure denies
	OwnHooks     bool         // run the hooks even where Host and Hooks are one dialect, in its agent's place
	PinHooks     bool         // tool calls are denied once the hooks have changed during a session
	RequireTrust bool         // project hooks run only if the project is trusted
	Scope        schema.Scope // whose hooks run of those that are found: ScopeProject, ScopeUser, or ScopeGiven for all
	TrustFile    string       // where trusted projects are recorded
	Evaluator    string       // shell command that answers prompt and agent hooks
	StateDir     string       // folder for the session files; "": no relay
	TempDir      string       // folder for environment files
	Self         string       // the program that runs AsyncCommand; "": asynchronous hooks are not listened to
	Now          func() time.Time
	Slow         func() // called once hooks have run for some 10 ms, for each round of them; nil: not

	Trace bool // the Report tells how the answer came about
}

// A HookRun tells what one hook did.
type HookRun struct {
	Hook   schema.Hook
	View   schema.View
	Stdin  []byte // what it was told; shared, must not be changed
	Ran    bool   // false: it could not be started, or cannot run outside its own agent
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
	Printed     []byte // what the callbacks of a module printed, on either stream
	Trace       *Trace // nil unless the Bridge asks for it
}

// ErrBridge is returned when the bridge itself could not do its work; the
// report's diagnostics say why.
var ErrBridge = errors.New("hookbridge failed")

// Run answers one event. native is the event's name if the caller knows it
// otherwise than from the payload. The answer is exactly one JSON object; it is
// nil only with ErrBridge, which FailClosed turns into a refusal.
func (b *Bridge) Run(ctx context.Context, stdin []byte, native string) ([]byte, *Report, error) {
	own := *b
	r := &run{Bridge: &own, ctx: ctx, now: b.Now()}
	r.store = state.Store{Dir: b.StateDir}
	if b.Trace {
		r.trace = &Trace{}
	}
	call, ds := r.Host.DecodeCall(stdin, b.Places.Env)
	if call == nil {
		call, ds = r.otherHost(stdin, ds)
	}
	r.ds = append(r.ds, ds...)
	if call == nil {
		return r.fail(native)
	}
	r.call = call
	shape, usable := schema.CheckInput(call)
	r.ds = append(r.ds, shape...)
	if call.Malformed || !usable || b.FailClosed && ds.Max() == schema.Error {
		return r.fail(call.Native)
	}
	if b.Places.Project != "" {
		if call.Cwd == call.Project {
			call.Cwd = b.Places.Project
		}
		call.Project = b.Places.Project
	}
	for _, s := range []string{call.Str(schema.FieldSession), call.Project, call.Cwd} {
		if !schema.Passable(s) {
			r.note(schema.CodeMemberLost, "an environment variable can't hold this value; hooks get it on stdin only")
		}
	}
	r.places = b.Places
	r.places.Project = call.Project
	if b.Single == nil && !b.OwnHooks && r.Host.Profile().Name == r.Hooks.Profile().Name {
		r.note(schema.CodeOwnImport, r.Host.Profile().Name+" runs its own hooks, so hookbridge has nothing to run")
		return r.answer(schema.Reply{})
	}
	if r.Host.Profile().Name != r.Hooks.Profile().Name && r.idle() {
		r.ds.AddSeverity(schema.CodeNoEvent, schema.Note, eventPath,
			r.Host.Profile().Name+" raises "+call.Native+" for something else here, so no hook runs").Event = call.Native
		return r.answer(schema.Reply{})
	}
	if r.Host.Profile().Name != r.Hooks.Profile().Name {
		wholePaths(call, r.Host, r.Hooks, r.places.Home)
	}
	r.settleWorktree()
	r.settleRoots()
	hooks, ok := r.load()
	if !ok {
		return r.fail(call.Native)
	}
	gone := r.projectGone()
	reply := r.reply(hooks)
	if err := ctx.Err(); err != nil {
		r.note(schema.CodeBridge, "hookbridge was terminated before the hooks answered")
		return r.fail(call.Native)
	}
	if gone != "" {
		r.note(schema.CodeBridge, gone)
		if reply.Verdict < schema.Ask { // the hooks that are missing may have refused
			return r.fail(call.Native)
		}
	}
	if r.broken || r.starved && r.FailClosed && reply.Verdict != schema.Deny {
		return r.fail(call.Native)
	}
	return r.answer(reply)
}

// otherHost takes a payload that the named host never sends: another agent has
// imported the entry that was meant for it, and is answered in its own words.
func (r *run) otherHost(stdin []byte, ds schema.Diagnostics) (*schema.Call, schema.Diagnostics) {
	d := adapter.Detect(stdin, r.Places.Env)
	if d == nil || d.Profile().Name == r.Host.Profile().Name {
		return nil, ds
	}
	call, more := d.DecodeCall(stdin, r.Places.Env)
	if call == nil {
		return nil, ds
	}
	r.note(schema.CodeOwnImport, "the entry is for "+r.Host.Profile().Name+", and "+d.Profile().Name+" calls it")
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
	texts  map[string]fileText // files read for views, by path
	mem    memory
	acts   []namedAct // inputs of the call and their names
	trace  *Trace     // nil: nobody asks

	roots    []string // other roots of the workspace whose hooks count
	worktree string   // the worktree of the project that the session has moved to

	patience  matcher.Patience
	starved   bool                    // the system had no means left to start a hook with
	rewritten *schema.Call            // what the second phase is shown; nil: the call itself
	allowURLs []string                // addresses that HTTP hooks may call; nil: all
	allowEnv  []string                // variables that HTTP hooks may send; nil: all
	project   func(*schema.Hook) bool // tells the project's hooks; set with the Scope
	broken    bool                    // a module of callbacks could not be used
	printed   []byte                  // what callbacks printed
	joined    schema.Args             // input of the whole call, of which hooks rewrote parts; nil: none
	copied    bool                    // hooks were given the copy of a transcript
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
	if hooks, ok = r.loadProject(); !ok {
		return nil, false
	}
	for _, root := range r.roots {
		more, ok := r.loadRoot(root)
		if !ok {
			return nil, false
		}
		hooks = append(hooks, more...)
	}
	if r.worktree == "" {
		return hooks, true
	}
	return r.addWorktree(hooks)
}

// loadProject returns the hooks of the project and of the user.
func (r *run) loadProject() (hooks []schema.Hook, ok bool) {
	res, ds := r.found()
	for _, d := range ds {
		if d.Severity > schema.Note { // notes on the files are for those who edit them, not for every call
			r.ds = append(r.ds, d)
		}
	}
	r.traceLoad(&res)
	if r.Scope != schema.ScopeGiven {
		r.project = plan.ProjectHooks(r.Hooks, r.places, res.Configs)
	}
	if r.RequireTrust && r.Inline == nil { // a given text is of no project
		all := res.Hooks
		ok := r.trusted(&res)
		r.traceUntrusted(all, res.Hooks)
		if !ok && r.FailClosed {
			return nil, false
		}
	}
	for _, c := range res.Configs {
		r.allowURLs = unite(r.allowURLs, c.AllowURLs)
		r.allowEnv = unite(r.allowEnv, c.AllowEnv)
		if len(c.Env) > 0 {
			r.places.Env = r.places.Env.With(nil, c.Env...)
		}
	}
	if res.Failed && (r.FailClosed || len(res.Hooks) == 0) {
		return nil, false
	}
	hooks = res.Hooks[:0:0]
	for i := range res.Hooks {
		if call, ok := cmdline.Parse(res.Hooks[i].Command, res.Hooks[i].Args); ok && call.FindsHooks() {
			r.skip(&res.Hooks[i], SkipBridge, "it is another call of hookbridge")
			continue
		}
		hooks = append(hooks, res.Hooks[i])
	}
	return hooks, true
}

// unite adds one source's list to that of the others; nil is a source that has
// none and not an empty list.
func unite(all, more []string) []string {
	if all == nil && more != nil {
		return append([]string{}, more...)
	}
	return append(all, more...)
}

// found reads the configuration that the hooks come from.
func (r *run) found() (res discover.Result, ds schema.Diagnostics) {
	if r.Inline == nil {
		return hookfile.Load(r.Hooks, r.places, r.Given)
	}
	cfg, ds := r.Hooks.ParseConfig(r.Inline, r.InlineAt)
	res.Configs, res.Texts, res.Failed = []*schema.Config{cfg}, [][]byte{r.Inline}, ds.Max() == schema.Error
	hooks, more := r.Hooks.Resolve(res.Configs)
	res.Hooks = hooks
	return res, append(ds, more...)
}

// reply runs the hooks that apply and replaces what the host cannot do.
func (r *run) reply(hooks []schema.Hook) schema.Reply {
	if reply, done := r.before(); done {
		for i := range hooks {
			r.skip(&hooks[i], SkipEnded, "an earlier hook ended the turn")
		}
		return reply
	}
	reply := r.ask(hooks)
	if r.trace != nil {
		r.trace.Merged = reply
	}
	r.deliver(&reply)
	r.fit(&reply)
	r.noteRefused(hooks, &reply)
	r.after(&reply, hooks)
	return reply
}

// askOne runs the hooks that apply to the call as it is shown to them, the gates
// among them after the others, and merges what they answer.
func (r *run) askOne(hooks []schema.Hook) schema.Reply {
	start := len(r.runs)
	r.addFacts(hooks)
	if why := r.checkPinned(hooks); why != "" && r.call.Event == schema.PreTool {
		for i := range hooks {
			r.skip(&hooks[i], SkipEnded, why)
		}
		return schema.Reply{Verdict: schema.Deny, Reason: why}
	}
	picked := r.selectHooks(hooks)
	picked = r.skipRun(picked)
	r.copyTranscripts(picked)
	r.execute(r.firstPhase(picked))
	reply := r.mergeRuns(r.runs[start:])
	if gates := r.secondPhase(hooks, picked, &reply); len(gates) > 0 {
		n := len(r.runs)
		r.execute(gates)
		reply = r.mergeGates(reply, n)
	}
	return reply
}

// merged makes one reply of all that ran and was waited for.
func (r *run) merged() schema.Reply { return r.mergeRuns(r.runs) }

func (r *run) mergeRuns(runs []HookRun) schema.Reply {
	var replies []schema.Reply
	for i := range runs {
		if !runs[i].Async {
			replies = append(replies, runs[i].Reply)
		}
	}
	return r.Hooks.Merge(replies)
}

// mergeGates adds the answer of the gate hooks, which ran from the n-th on, to
// that of the others. A verdict that the gate alone has come to is explained by
// its own words: its agent asks there anew.
func (r *run) mergeGates(first schema.Reply, n int) schema.Reply {
	gate := r.mergeRuns(r.runs[n:])
	if gate.Verdict > first.Verdict {
		first.Reason, first.UserReason = "", ""
	}
	return r.Hooks.Merge([]schema.Reply{first, gate})
}

// isGate reports whether a view is of an event that its agent raises after the
// generic one for the same act: before a tool runs such hooks judge what the
// others have made of the call, and are not asked about a refused one.
func (r *run) isGate(v schema.View) bool {
	row := r.Hooks.Profile().Row(v.Event)
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
		for i := range picked {
			if r.isGate(picked[i].view) {
				r.skip(&picked[i].hook, SkipRefused, "an earlier hook denied the call")
			}
		}
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
	r.rewrite(reply)
	original := r.call
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

// rewrite keeps the call as a reply has made it, for the hooks that come after.
// Where several do so one after the other, each changes what the last has made.
func (r *run) rewrite(reply *schema.Reply) {
	c := r.call.Clone()
	if r.rewritten != nil {
		c = r.rewritten.Clone()
	}
	for _, a := range reply.Input {
		c.Tool.Input = replaceArg(c.Tool.Input, a)
	}
	if reply.Prompt != "" {
		c.SetStr(schema.FieldPrompt, reply.Prompt)
	}
	r.rewritten = c
}

func (r *run) answer(reply schema.Reply) ([]byte, *Report, error) {
	out := r.Host.AppendReply(nil, r.call, &reply)
	return out, &Report{Call: r.call, Runs: r.runs, Reply: reply, Diagnostics: r.ds, Printed: r.printed, Trace: r.finishTrace()}, nil
}

// fail is the bridge's own failure: no answer, or a refusal.
func (r *run) fail(native string) ([]byte, *Report, error) {
	rep := &Report{Call: r.call, Diagnostics: r.ds, Printed: r.printed, Trace: r.finishTrace()}
	if !r.FailClosed {
		return nil, rep, ErrBridge
	}
	reason := "hookbridge failed and couldn't run the hooks for this call"
	if n := len(r.ds); n > 0 {
		reason += ": " + r.ds.Worst().Message
	}
	rep.Reply = schema.Reply{Verdict: schema.Deny, Reason: reason}
	return r.Host.Refuse(nil, native, reason), rep, nil
}
