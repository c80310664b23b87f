// Package bridge runs the hooks of one agent for the events of another.
// [Bridge.Run] is the whole of one hook call:
//
//	stdin -> host.DecodeCall -> load -> hooks.Views -> select -> execute
//	      -> hooks.DecodeReply -> hooks.Merge -> fit -> relay -> host.AppendReply -> stdout
//
// No code here depends on two agents. Nothing is dropped silently: a loss is a Diagnostic
// of the [Report].
package bridge

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// A Bridge runs the hooks of one dialect for one event of a host. Everything it
// depends on is given here; it reads no environment, clock or working folder.
type Bridge struct {
	Host   dialect.Dialect   // the agent that calls
	Hooks  dialect.Dialect   // the agent that the hooks were written for
	Others []dialect.Dialect // further agents whose hooks are found and run for the same event
	Places schema.Places

	// Given names the configuration files to use instead of those that the
	// hooks' agent would load.
	Given []string
	// Inline, if not nil, is the text of a configuration to use instead of files;
	// InlineAt says where its text counts as being.
	Inline   []byte
	InlineAt schema.Source
	// Single is the one hook to run instead of configured ones. Its Event may
	// be 0: it then runs at every event.
	Single *schema.Hook

	Timeout time.Duration // upper limit for every hook; 0: none
	cmdline.Policy
	FailClosed bool // the bridge's own failure denies
	// BlockFailures: a hook that fails or times out denies, where a hook can.
	BlockFailures bool
	OwnHooks      bool         // run the hooks even where Host and Hooks are one dialect, in its agent's place
	PinHooks      bool         // tool calls are denied once the hooks have changed during a session
	RequireTrust  bool         // project hooks run only if the project is trusted
	Scope         schema.Scope // whose hooks run of those that are found; ScopeGiven: all
	TrustFile     string       // where trusted projects are recorded
	Evaluator     string       // shell command that answers prompt and agent hooks

	// Own, if not nil, are the host's own hooks as the host has loaded them. The Run then does what the host
	// does with them at this one event, calls of hookbridge among them, and replies what they answer together.
	// Start, if not nil, returns what runs one of them in the place of its program; nil: the program is started.
	Own   *discover.Result
	Start func(h *schema.Hook, spec process.Spec) standIn

	StateDir string // folder for the session files; "": no relay
	TempDir  string // folder for environment files
	Self     string // the program that runs AsyncCommand; "": asynchronous hooks are not listened to
	Now      func() time.Time
	Slow     func() // called once hooks have run for some 10 ms, for each round of them; nil: not

	Trace bool // add a Trace to the Report

	recalled *recalled // shared with the runs for other agents; nil: there are none
}

// A HookRun describes what one hook did.
type HookRun struct {
	Hook   schema.Hook
	View   schema.View
	Stdin  []byte // what it received; shared, must not be changed
	Ran    bool   // false: it could not be started, or cannot run outside its own agent
	Result process.Result
	Reply  schema.Reply
	Async  bool
}

// A Report describes what a Run did and what it could not translate.
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
	if len(b.Others) > 0 {
		return b.runSeveral(ctx, stdin, native)
	}
	d := b.decide(ctx, stdin, native)
	if !d.ok {
		return d.run.fail()
	}
	return d.run.answer(d.reply)
}

// decide runs the hooks of one agent for an event.
func (b *Bridge) decide(ctx context.Context, stdin []byte, native string) decision {
	s := newScene(ctx, b)
	r := &run{stage: stage{scene: s}, native: native}
	no, none := decision{run: r}, decision{run: r, ok: true}
	call, ok := s.decode(stdin, native)
	if call != nil {
		r.stage, r.native = s.about(call), call.Native
	}
	switch {
	case !ok:
		return no
	case !s.foreignHooks() && !s.given():
		s.log.note(schema.CodeOwnImport, s.Host.Profile().Title+" runs its own hooks, so hookbridge has nothing to run")
		return none
	case s.foreignHooks() && s.imported && registration{r.stage}.servedAnyhow():
		s.log.note(schema.CodeAlreadyRun, s.Host.Profile().Title+" has an entry of its own for these hooks, which runs them")
		return none
	case s.foreignHooks() && r.idle():
		s.log.ds.AddSeverity(schema.CodeNoEvent, schema.Note, eventPath,
			s.Host.Profile().Title+" sends "+r.native+" for something else here, so no hook runs").Event = r.native
		return none
	case s.foreignHooks():
		wholePaths(call, s.Host, s.Hooks, s.places.Home)
		s.addServer(call)
	}
	l := &loader{r.stage}
	hooks, ok := l.load()
	if !ok {
		return no
	}
	gone := l.projectGone()
	reply := r.reply(hooks)
	if err := ctx.Err(); err != nil {
		s.log.note(schema.CodeBridge, "hookbridge was terminated before the hooks answered")
		return no
	}
	if gone != "" {
		s.log.note(schema.CodeBridge, gone)
		if reply.Verdict < schema.Ask { // the hooks that are missing may have refused
			return no
		}
	}
	if r.broken || r.starved && b.FailClosed && reply.Verdict != schema.Deny {
		return no
	}
	return decision{r, reply, true}
}

// A run leads one call through the stages.
type run struct {
	stage
	done
	native string // the host's name of the event, as far as it is known
}

// decode reads the payload. The call is nil if it is none; ok is false if the bridge
// can't go on with it.
func (s *scene) decode(stdin []byte, native string) (call *schema.Call, ok bool) {
	call, ds := s.decodeHost(stdin, native)
	if s.Own == nil && (call == nil || len(call.Extra) > 0) {
		call, ds = s.otherHost(stdin, call, ds)
	}
	s.log.ds = append(s.log.ds, ds...)
	if call == nil {
		return nil, false
	}
	s.log.event = call.Native
	shape, usable := schema.CheckInput(call)
	s.log.ds = append(s.log.ds, shape...)
	if call.Malformed || !usable || s.FailClosed && ds.Max() == schema.Error {
		return call, false
	}
	if s.Places.Project != "" {
		if call.Cwd == call.Project {
			call.Cwd = s.Places.Project
		}
		call.Project = s.Places.Project
	}
	if s.foreignHooks() && call.Get(schema.FieldTime) == nil && s.Hooks.Profile().Fields.Of(schema.FieldTime) != nil {
		call.SetStr(schema.FieldTime, s.now.UTC().Format(schema.TranscriptTime))
	}
	for _, text := range []string{call.Str(schema.FieldSession), call.Project, call.Cwd} {
		if !schema.FitsInEnv(text) {
			s.log.note(schema.CodeMemberLost, "an environment variable can't hold this value; hooks get it on stdin only")
		}
	}
	return call, true
}

// sendsTool reports whether payloads of the agent name a tool as a call does.
func sendsTool(d dialect.Dialect, c *schema.Call) bool {
	row := d.Profile().Tool(c.Tool.Name)
	return row != nil && row.Name == c.Tool.Name
}

// decodeHost reads the payload as one of the named host, whose entry names the event
// where payloads don't.
func (s *scene) decodeHost(stdin []byte, native string) (*schema.Call, schema.Diagnostics) {
	if d := dialect.Ability[dialect.Unnamed](s.Host); d != nil && native != "" && s.Single == nil {
		return d.DecodeNamed(stdin, native, s.Places.Env)
	}
	return s.Host.DecodeCall(stdin, s.Places.Env)
}

// otherHost handles a payload that the named host never sends: another agent has
// imported the entry, and gets an answer in its own format. A payload that could be
// read names an event that both have: then only its members decide, because variables
// may come from whatever started the agent.
func (s *scene) otherHost(stdin []byte, read *schema.Call, ds schema.Diagnostics) (*schema.Call, schema.Diagnostics) {
	env := s.Places.Env
	var o ordjson.Object
	if read != nil {
		env = nil
		if o, _ = ordjson.Parse(stdin); s.Host.Profile().Claims(o) {
			return read, ds
		}
	}
	d := adapter.Detect(stdin, env)
	if d == nil || d.Profile().Name == s.Host.Profile().Name || read != nil && !d.Profile().Claims(o) {
		return read, ds
	}
	// That no hook runs, because the other agent runs it, isn't decided by members alone.
	sure := read == nil || slices.ContainsFunc(s.Places.Env, func(v string) bool {
		name, value, _ := strings.Cut(v, "=")
		return value != "" && d.Profile().HostVariables.Has(name)
	})
	if !sure && d.Profile().Name == s.Hooks.Profile().Name {
		return read, ds
	}
	call, more := d.DecodeCall(stdin, s.Places.Env)
	if call == nil || read != nil && sendsTool(s.Host, read) && !sendsTool(d, call) {
		return read, ds // a member of another agent's payloads doesn't outweigh a tool that only the named host has
	}
	s.log.note(schema.CodeOwnImport, d.Profile().Title+" also loaded the entry of "+s.Host.Profile().Title+"; skipped here")
	s.Host, s.imported = d, true
	return call, more
}

// reply runs the hooks that apply and replaces what the host cannot do.
func (r *run) reply(hooks []schema.Hook) schema.Reply {
	r.recollect()
	if reply, over := (recaller{r.stage}).before(); over {
		for i := range hooks {
			r.log.skip(&hooks[i], SkipEnded, "an earlier hook ended the turn")
		}
		return reply
	}
	q := &question{stage: r.stage}
	reply := q.ask(hooks)
	r.done = q.done
	if r.log.trace != nil {
		r.log.trace.Merged = reply
	}
	if r.Own != nil { // who plays the host knows what it makes of the answer
		return reply
	}
	after := &rememberer{r.stage, r.done}
	after.deliver(&reply)
	r.fit(&reply)
	after.noteRefused(hooks, &reply)
	after.after(&reply, hooks)
	return reply
}

func (r *run) answer(reply schema.Reply) ([]byte, *Report, error) {
	out := oneLine(r.Host.AppendReply(nil, r.call, &reply))
	rep := r.report()
	rep.Reply, rep.Runs = reply, r.runs
	return out, rep, nil
}

func (r *run) report() *Report {
	return &Report{Call: r.call, Diagnostics: r.log.ds, Printed: r.printed, Trace: r.log.finish(r.runs)}
}

// fail is hookbridge's own failure: no answer, or a refusal.
func (r *run) fail() ([]byte, *Report, error) { return r.refuse(r.report()) }

// refuse is fail with a report of more than this run.
func (r *run) refuse(rep *Report) ([]byte, *Report, error) {
	if !r.FailClosed {
		return nil, rep, ErrBridge
	}
	reason := "hookbridge failed and couldn't run the hooks for this call"
	if len(rep.Diagnostics) > 0 {
		reason += ": " + rep.Diagnostics.Worst().Message
	}
	rep.Reply = schema.Reply{Verdict: schema.Deny, Reason: reason}
	return r.Host.Refuse(nil, r.native, reason), rep, nil
}

// A scene is what the stages of one Run share. Once the hooks are loaded nothing in
// it changes but what is noted, remembered and read.
type scene struct {
	*Bridge
	ctx    context.Context
	now    time.Time
	places schema.Places
	log    *log
	files  *files
	mem    *memory

	roots     []string                // other roots of the workspace whose hooks count
	worktree  string                  // the worktree of the project that the session has moved to
	project   func(*schema.Hook) bool // whether a hook is the project's; set with the Scope
	allowURLs []string                // addresses that HTTP hooks may call; nil: all
	allowEnv  []string                // variables that HTTP hooks may send; nil: all
	patience  matcher.Patience
	copied    bool // hooks were given the copy of a transcript
	imported  bool // another agent than the one the entry is for has called it
}

// given reports whether the hooks are others than those that the host itself has found: of
// its own agent these can only be named, unless the run is in the host's place.
func (s *scene) given() bool {
	named := len(s.Given) > 0 || s.Inline != nil
	return s.Single != nil || s.Own != nil || s.OwnHooks || named && adapter.OtherVersion(s.Host, s.Hooks)
}

func (s *scene) foreignHooks() bool { return s.Host.Profile().Name != s.Hooks.Profile().Name }

// A stage works on one call: the host's, or a part of it.
type stage struct {
	*scene
	call *schema.Call
}

// newScene begins a Run. The call is not known yet.
func newScene(ctx context.Context, b *Bridge) *scene {
	own := *b
	own.Hooks = adapter.AsWritten(b.Hooks, b.Host)
	s := &scene{Bridge: &own, ctx: ctx, now: b.Now(), places: b.Places, log: &log{}, files: &files{}}
	if b.Trace {
		s.log.trace = &Trace{}
	}
	s.mem = &memory{log: s.log, now: s.now}
	return s
}

// about returns the first stage, of the call that the host has made.
func (s *scene) about(c *schema.Call) stage {
	s.log.event = c.Native
	s.places.Project = c.Project
	return stage{s, c}
}

// recollect opens the session's memory. Project and home are part of the session's
// name: what one project's hooks decided is nothing to another's.
func (s stage) recollect() {
	s.mem = &memory{log: s.log, now: s.now, file: state.Store{Dir: s.StateDir}, shared: s.recalled}
	if session := s.call.Str(schema.FieldSession); s.StateDir != "" && session != "" {
		s.mem.name = session + "\x00" + s.places.Project + "\x00" + s.places.Home
	}
}

// Each stage has methods of its own over what all of them share.
type (
	registration struct{ stage } // what the host's own configuration calls the bridge for
	selector     struct{ stage } // which hooks apply, and what they are shown
	viewer       struct{ stage } // the call as a hook in a view sees it
	copier       struct{ stage } // transcripts
	recaller     struct{ stage } // what earlier events of the session left
	facts        struct{ stage } // what a transcript adds to the call
	pinner       struct{ stage } // whether the hooks have changed
)

// A rememberer keeps what later events of the session need.
type rememberer struct {
	stage
	done
}
