// Package bridge runs the hooks of one agent for the events of another.
// [Bridge.Run] is the whole of one hook call:
//
//	stdin -> decode -> load -> selectHooks -> execute -> merge -> fit -> relay -> encode -> stdout
//
// No code here depends on two agents. Nothing is dropped silently: a loss is a Diagnostic
// of the [Report].
package bridge

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/watch"
	"github.com/hookbridge/hookbridge/schema"
)

// A Bridge runs the hooks of one dialect for one event of a host. Everything it depends on is in its fields; it reads
// no environment, clock or working directory.
type Bridge struct {
	Host   dialect.Dialect   // the agent that calls
	Hooks  dialect.Dialect   // the agent that the hooks were written for
	Others []dialect.Dialect // more agents whose hooks are found and run for the same event
	Places schema.Places

	// Given names the configuration files to use instead of those of the hooks' agent.
	Given []string
	// Plugin is the folder of the plugin whose hooks to use instead of the hooks that are found; "": none. No hooks run
	// if the host is the plugin's own agent, which runs them.
	Plugin string
	// Inline, if not nil, is the text of a configuration to use instead of files; InlineAt is the source that it counts
	// as.
	Inline   []byte
	InlineAt schema.Source
	// Single is the one hook to run instead of the configured ones. If its Event is 0, it runs at every event.
	Single *schema.Hook
	// Rules, if not nil, are the hooks to run instead of all others. Each denies the calls that it matches, with its
	// Prompt as the reason, and starts no program. Single is then the first of them.
	Rules []schema.Hook

	Timeout time.Duration // upper limit for every hook; 0: none
	cmdline.Policy
	FailClosed bool // every failure of hookbridge denies
	Proceed    bool // a limit or fault of hookbridge lets the call proceed; else it denies where the event can
	// BlockFailures makes a hook that fails or times out deny, where a hook can deny.
	BlockFailures bool
	OwnHooks      bool          // run the hooks even if Host and Hooks are one dialect, instead of that agent
	PinHooks      bool          // deny tool calls once the hooks have changed during a session
	RequireTrust  bool          // project hooks run only if the project is trusted
	Scope         schema.Scope  // whose hooks run, among those found; ScopeGiven: all
	Exclude       []string      // marks of the project's hooks that don't run, see package choice
	Trusted       trust.Records // where trusted projects are recorded
	Evaluator     string        // shell command that answers prompt and agent hooks

	// Own, if not nil, are the host's own hooks as the host has loaded them. The Run then does what the host does with
	// them at this one event, calls of hookbridge included, and returns their joint answer. Start, if not nil, returns
	// a function to run instead of a hook's program; nil: the program is started.
	Own   *discover.Result
	Start func(h *schema.Hook, spec process.Spec) standIn
	Dry   bool // start no program: each selected hook ends at once, without an answer

	StateDir string // folder for the session files; "": no relay
	// UsualState replaces a StateDir inside the project, where the project's tools could write; "": StateDir is used
	// anyway.
	UsualState string
	TempDir    string // folder for environment files
	// Self returns the program that runs AsyncCommand; nil or "": the output of asynchronous hooks is ignored.
	Self func() string
	// Now is the clock; nil: a stopped clock, so that no times are reported.
	Now  func() time.Time
	Slow func() // called once hooks have run for some 10 ms, for each round of them; nil: not called
	// OwnWork limits the processor time that hookbridge spends on a call while no hook runs; 0: three seconds. Only
	// Guarded, and a Run for the hooks of several agents, enforce it, and answer in the time that the host grants.
	OwnWork time.Duration
	// Time measures these limits; nil: the system's clock.
	Time watch.Time
	// Late, if not nil, gets the answer from another goroutine when Guarded exceeds a limit, and must end the program;
	// Guarded then doesn't return. If it is nil, Guarded works in a goroutine of its own.
	Late func(answer []byte, rep *Report, err error)

	Trace bool // add a Trace to the Report

	// Notice is shown to the user when a session starts, or to the agent if it shows its user nothing; "": nothing.
	Notice string

	recalled *session.Shared // shared with the runs for other agents; nil: there are none
	clock    *watch.Clock    // of hookbridge's own work; nil: no limit
	outer    *watch.Clock    // of the run for several agents that includes this one; nil: none
	progress *progress       // for the function that answers once a limit is over; nil: none
}

// A HookRun describes what one hook did.
type HookRun struct {
	Hook   schema.Hook
	View   schema.View
	Stdin  []byte // the payload it got; shared, must not be changed
	Ran    bool   // false: it could not be started, or cannot run outside its own agent
	Result process.Result
	Reply  schema.Reply
	Async  bool
}

// A Report describes what a Run did and what it could not translate.
type Report struct {
	Call        *schema.Call
	Runs        []HookRun
	Reply       schema.Reply // merged, with what the host can't do replaced
	Diagnostics schema.Diagnostics
	Printed     []byte // what the callbacks of a module printed, on either stream
	Trace       *Trace // nil unless Bridge.Trace is set
}

// ErrBridge is returned when hookbridge failed; the report's diagnostics contain the reason.
var ErrBridge = errors.New("hookbridge failed")

// Run answers one event. native is the event's name if the caller has it from another source than the payload. The
// answer is exactly one JSON object. It is nil only with ErrBridge, which FailClosed turns into a denial if there is a
// Host.
func (b *Bridge) Run(ctx context.Context, stdin []byte, native string) ([]byte, *Report, error) {
	if err := b.incomplete(); err != nil {
		out := b.failed(native, err)
		return out.answer, out.rep, out.err
	}
	if len(b.Others) > 0 {
		return b.runSeveral(ctx, stdin, native)
	}
	d := b.decide(ctx, stdin, native)
	d.checkFiles()
	if !d.ok {
		return d.refuse(d.report())
	}
	out, rep := d.encode(&d.reply), d.report()
	rep.Reply, rep.Runs = d.reply, d.did.runs
	return out, rep, nil
}

// incomplete returns an error for a missing field of b, nil if it is complete.
func (b *Bridge) incomplete() error {
	switch {
	case b.Host == nil:
		return errors.New("Bridge.Host is nil: no agent to answer")
	case b.Hooks == nil || slices.ContainsFunc(b.Others, func(d dialect.Dialect) bool { return d == nil }):
		return errors.New("Bridge.Hooks or one of Bridge.Others is nil: no agent whose hooks to run")
	}
	return nil
}

func (b *Bridge) now() (t time.Time) {
	if b.Now != nil {
		t = b.Now()
	}
	return t
}

// decide runs the stages of one call for the hooks of one agent: decode, load, and the stages of answer. It leaves
// encode to its callers, which may join several decisions.
func (b *Bridge) decide(ctx context.Context, stdin []byte, native string) decision {
	in := decode(b, stdin, native, b.now())
	r := newRun(ctx, b, &in)
	no := decision{run: r, did: done{call: in.call}, native: native}
	if in.call == nil {
		return no
	}

	no.native = in.call.Native
	b.progress.read(in.call)
	switch {
	case !in.usable:
		return no
	case !hasWork(r, &in):
		no.ok = true
		return no
	}

	found, ok := load(r, in.call)
	if !ok {
		no.own = found.run.from.partial
		return no
	}

	granted := b.patience(no.native, waitFor(found.run, found.call, found.hooks))
	b.clock.Grant(granted)
	b.outer.Grant(granted)

	gone := projectGone(r, found.call)
	d := decision{run: found.run, native: no.native, ok: true, searchedFiles: true}
	d.reply, d.did = answer(found.run, found.call, found.hooks)
	no.did = d.did
	if err := ctx.Err(); err != nil {
		r.log.note(schema.CodeBridge, "hookbridge was terminated before the hooks answered")
		return no
	}

	if gone != "" {
		r.log.note(schema.CodeBridge, gone)
	}
	denied := d.reply.Verdict == schema.Deny
	why := ""
	if b.FailClosed && !denied {
		why = unjudged(found.run, found.call, found.hooks, in.blind || d.did.blind)
	}

	switch missing := found.run.from.partial || d.did.exhausted; {
	case gone != "" && d.reply.Verdict < schema.Ask: // the missing hooks may have denied the call
		return no
	case why != "":
		r.log.note(schema.CodeBridge, why+", so the call can't be judged")
		return no
	case missing && !denied && b.refuses(d.native, true):
		no.own = true
		return no
	case d.did.broken:
		return no
	}
	return d
}

// hasWork reports whether hooks may run for the call. If not, it notes the reason.
func hasWork(r *run, in *decoded) bool {
	title, foreign := r.hostRules.Title, r.foreignHooks()
	switch {
	case !foreign && !hooksAreNamed(r):
		r.log.note(schema.CodeOwnImport, title+" runs its own hooks, so hookbridge has nothing to run")
	case foreign && in.imported && servedAnyhow(r, in.call):
		r.log.note(schema.CodeAlreadyRun, title+" runs these hooks through its own entry")
	case foreign && idle(r, in.call):
		r.log.noteAs(schema.Note, schema.CodeNoEvent, title+" sends "+in.call.Native+
			" for another purpose here, so no hook runs").Path = eventPath
	default:
		return true
	}
	return false
}

// answer runs the stages of a call from select to relay, with what earlier events have left for it.
func answer(r *run, c *schema.Call, hooks []schema.Hook) (schema.Reply, done) {
	past := recall(r, c)
	r, c = past.run, past.call
	if past.over {
		for i := range hooks {
			r.log.skip(&hooks[i], SkipEnded, "an earlier hook ended the turn")
		}
		return past.reply, done{call: c}
	}

	reply, did := ask(r, c, hooks) // select, execute and merge
	r.opts.progress.judge(&reply)
	if r.log.trace != nil {
		r.log.trace.Merged = reply
	}
	if r.opts.Own != nil { // the caller plays the host and evaluates the answer
		return reply, did
	}

	out := fit(settingOf(r, &did, applyKept(r, did.call, reply)))
	return relay(r, &did, hooks, &out), did
}

// encode writes a reply in the host's format.
func (d *decision) encode(reply *schema.Reply) []byte {
	host, call := d.run.host, d.did.call
	out := answerLine(host, call, reply)
	if text := d.run.opts.Notice; text != "" && call.Event == schema.SessionStart {
		told := *reply
		told.Notice = schema.JoinText(told.Notice, text)
		shown := answerLine(host, call, &told)
		if string(shown) == string(out) {
			told.Context = schema.JoinText(told.Context, text)
			shown = answerLine(host, call, &told)
		}
		out = shown
	}
	return out
}

// answerLine returns a reply in a host's format, in one line if it is an object. A host that takes all text as context
// gets the hook's text unchanged.
func answerLine(host dialect.Dialect, c *schema.Call, r *schema.Reply) []byte {
	out := host.AppendReply(nil, c, r)
	if string(out) == r.Context {
		return out
	}
	return oneLine(out)
}

func (d *decision) report() *Report {
	l := d.run.log
	return &Report{Call: d.did.call, Diagnostics: l.ds, Printed: d.did.printed, Trace: l.finish(d.did.runs)}
}

// refuse returns the result of a failure of hookbridge: no answer, or a denial. An earlier denial by hooks stays.
func (d *decision) refuse(rep *Report) ([]byte, *Report, error) {
	if d.reply.Verdict == schema.Deny {
		rep.Reply = denial(d.reply.Reason)
		return d.run.host.Refuse(nil, d.native, d.reply.Reason), rep, nil
	}
	if !d.run.opts.refuses(d.native, d.own) {
		return nil, rep, ErrBridge
	}
	reason := "hookbridge failed and couldn't run the hooks for this call"
	if len(rep.Diagnostics) > 0 {
		reason += ": " + rep.Diagnostics.Worst().Message
	}
	rep.Reply = denial(reason)
	return d.run.host.Refuse(nil, d.native, reason), rep, nil
}

// A run holds what the stages of one event share. Stages don't change its fields: a stage with new facts returns
// another run.
type run struct {
	ctx    context.Context
	opts   *Bridge         // the caller's settings
	host   dialect.Dialect // the agent that calls
	hooks  dialect.Dialect // the agent whose hooks run
	now    time.Time
	places schema.Places
	from   origin

	stateDir string // folder for the session files

	hostRules, rules *dialect.Profile // of host and hooks

	log      *log // what is reported
	files    *files
	mem      *session.Memory // the session's file; nil before recall
	patience *matcher.Patience
	seen     schema.Kind // hooks have seen the call as a tool of this kind, and don't see it again; 0: none
}

// An origin is where the hooks were found.
type origin struct {
	roots     []string                // other roots of the workspace whose hooks count
	project   func(*schema.Hook) bool // reports whether a hook belongs to the project; set with the Scope
	files     bool                    // a hook file of the project, or of an administrator, was found
	partial   bool                    // parts of the project's files weren't read, so hooks may be missing
	untrusted bool                    // hooks of the project were left out because it isn't trusted
	unknown   []schema.UnknownWord    // words of the hook files that are in no table
	allowURLs []string                // addresses that HTTP hooks may call; nil: all
	allowEnv  []string                // variables that HTTP hooks may send; nil: all
}

// newRun returns what the stages after decode share.
func newRun(ctx context.Context, b *Bridge, in *decoded) *run {
	var one struct { // a single allocation
		run      run
		files    files
		patience matcher.Patience
	}
	r := &one.run
	*r = run{ctx: ctx, opts: b, host: in.host, hooks: in.hooks, now: in.now, places: b.Places,
		hostRules: in.host.Profile(), rules: in.hooks.Profile(),
		log: in.log, files: &one.files, patience: &one.patience}
	if b.Trace {
		r.log.trace = &Trace{}
	}
	r.stateDir = b.StateDir
	if in.call != nil {
		r.places.Project = in.call.Project
		if b.UsualState != "" && b.StateDir != b.UsualState && groundOf(r, in.call).Owns(b.StateDir) {
			r.stateDir = b.UsualState
		}
	}
	return r
}

// hooksAreNamed reports whether the hooks differ from the hooks that the host found itself. Hooks of the host's own
// agent must be named, unless the run replaces the host.
func hooksAreNamed(r *run) bool {
	named := r.opts.named() || r.opts.Inline != nil
	return r.opts.Single != nil || r.opts.Own != nil || r.opts.OwnHooks || named &&
		adapter.OtherVersion(r.host, r.hooks)
}

// named reports whether hookbridge was given the hooks' files, so that it searches for none.
func (b *Bridge) named() bool { return len(b.Given) > 0 || b.Plugin != "" }

// foreignHooks reports whether the hooks belong to another agent than the host.
func (r *run) foreignHooks() bool { return r.hostRules.Name != r.rules.Name }
