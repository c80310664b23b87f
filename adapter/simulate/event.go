package simulate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// A Step is one event of an action.
type Step struct {
	Event   string
	Why     string // why the host doesn't raise it; "": it does
	Payload []byte
	Call    *schema.Call   // the payload as the host reads it; nil: it can't be read
	Runs    []Run          // the entries that the host called
	Skipped []bridge.Skip  // the entries that it didn't call
	Merged  schema.Reply   // their joint answer
	Reply   schema.Reply   // the part of it that the host honors
	Ignored schema.Feature // the part of it that the host ignores
	found   schema.Diagnostics
	err     error // the payload can't be played
}

// A Run is one entry that the host called.
type Run struct {
	bridge.HookRun
	Inside *Inside            // the entry as hookbridge ran it; nil: a hook of the host's own, or started as a program
	Faults schema.Diagnostics // the hooks that can't work
	// Unanswered: the entry calls hookbridge, but started like the host starts it, it gives another answer, or none.
	Unanswered bool
	quiet      bool // at this event hookbridge gives no answer for no opinion
}

// An Inside is an entry that calls hookbridge.
type Inside struct {
	Bridge *bridge.Bridge
	Report *bridge.Report
	Answer []byte
	Err    error // hookbridge failed
}

// Diagnostics returns the findings of the step and of its entries.
func (s *Step) Diagnostics() (ds schema.Diagnostics) {
	ds = append(ds, s.found...)
	for _, r := range s.Runs {
		if r.Inside != nil {
			ds = append(ds, r.Inside.Report.Diagnostics...)
		}
	}
	return ds
}

// failed reports whether hookbridge failed in the step. refusal is the exit code with which a launcher denies.
func (s *Step) failed(refusal int) bool {
	return s.err != nil || slices.ContainsFunc(s.Runs, func(r Run) bool { return r.failed(refusal) })
}

// failed reports whether the entry calls hookbridge, which failed or didn't understand its command line.
func (r *Run) failed(refusal int) bool {
	if r.Inside != nil {
		return r.Inside.Err != nil && !r.Result.TimedOut && r.Result.Exit != 0
	}
	_, calls := cmdline.Parse(r.Hook.Command, r.Hook.Args)
	silent := r.Result.Exit == 0 && len(bytes.TrimSpace(r.Result.Stdout)) == 0 && !r.quiet
	return calls && r.Ran && !r.Result.TimedOut && (silent || r.Result.Exit != 0 && r.Result.Exit != refusal)
}

// Hooks lists what ran: the host's own hooks, and the hooks of its entries.
func (s *Step) Hooks() (runs []bridge.HookRun) {
	for i := range s.Runs {
		runs = append(runs, s.Runs[i].Hooks()...)
	}
	return runs
}

// Hooks lists what ran for an entry: the hook itself, or those that hookbridge ran.
func (r *Run) Hooks() []bridge.HookRun {
	if r.Inside == nil {
		return []bridge.HookRun{r.HookRun}
	}
	return r.Inside.Report.Runs
}

// event calls the host's entries for one event.
func (p *play) event(native string, payload []byte) Step {
	s := Step{Event: native, Payload: payload}
	e := &entries{play: p}
	own := p.own.Result
	own.Hooks = p.called(&s)
	if p.host.Assumed != nil {
		own.Hooks = slices.DeleteFunc(own.Hooks, func(h schema.Hook) bool {
			return cmdline.FindsHooks(h.Command, h.Args)
		})
		for i := range p.host.Assumed {
			own.Hooks = append(own.Hooks, schema.Hook{Handler: schema.HandlerCommand,
				Command: p.host.Assumed[i].Command(), Path: strconv.Itoa(i)})
		}
	}

	own.Failed = false
	b := &bridge.Bridge{Host: p.host.Dialect, Hooks: p.host.Dialect, Places: p.places(), Own: &own, Start: e.start,
		Trace: true, Evaluator: p.host.Evaluator,
		Now: p.host.Machine.Now, TempDir: p.host.Machine.TempDir}
	if p.host.Program.Variable != "" { // entries that are started remember the session in the same place
		b.Places.Env = b.Places.Env.With(nil, schema.EnvVar{Name: p.host.Program.Variable, Value: p.state})
	}

	_, rep, err := b.Run(p.ctx, payload, native)
	s.err, s.Call, s.found, s.Merged = err, rep.Call, rep.Diagnostics, rep.Reply
	if rep.Trace != nil {
		others := func(x bridge.Skip) bool { return x.Why == bridge.SkipEvent }
		s.Skipped = append(s.Skipped, slices.DeleteFunc(rep.Trace.Skipped, others)...)
	}
	quiet := rep.Call != nil && len(p.host.Dialect.AppendReply(nil, rep.Call, &schema.Reply{})) == 0
	for _, run := range rep.Runs {
		one := Run{HookRun: run, quiet: quiet}
		if ran := e.started(&run.Hook); ran != nil {
			one.Inside, one.Unanswered = ran.Inside, ran.Inside == nil
		}
		p.out.Unanswered = p.out.Unanswered || one.Unanswered
		one.Faults = faults(&one)
		s.Runs, p.out.Faults = append(s.Runs, one), append(p.out.Faults, one.Faults...)
	}
	s.lone(p.profile)
	s.moments(p.profile)

	return s
}

// lone keeps those of several hooks' decisions and contexts that the host uses. If that depends on which hook ends
// first or last, which is unknown here, the strictest counts.
func (s *Step) lone(host *dialect.Profile) {
	if s.Call == nil || len(s.Runs) < 2 {
		return
	}
	for _, row := range host.Lone {
		if row.On != s.Call.Event || row.Pick > dialect.PickFirst {
			continue
		}
		if one := s.picked(&row, func(r *schema.Reply) bool { return r.Verdict != schema.NoOpinion }); one != nil &&
			row.Effects&schema.EffectDeny != 0 && !s.holds(&row, host.RefusalStatus) {
			s.Merged.Verdict, s.Merged.Reason, s.Merged.UserReason = one.Verdict, one.Reason, one.UserReason
		}
		// where hooks replace results, only a new result drops the contexts
		at := host.Row(s.Event)
		joins := at != nil && at.Honors&schema.EffectOutput != 0
		if one := s.picked(&row, func(r *schema.Reply) bool { return r.Context != "" }); one != nil &&
			row.Effects&schema.EffectContext != 0 && !joins {
			s.Merged.Context = one.Context
		}
	}
}

// picked returns the matching answer that a row picks, nil if fewer than two match.
func (s *Step) picked(row *dialect.LoneRow, fits func(*schema.Reply) bool) (one *schema.Reply) {
	n := 0
	for i := range s.Runs {
		if r := &s.Runs[i].Reply; fits(r) {
			if n++; one == nil || row.Pick == dialect.PickLast {
				one = r
			}
		}
	}
	if n < 2 {
		return nil
	}
	return one
}

// holds reports whether a hook denied with the exit code whose denial no other answer lifts.
func (s *Step) holds(row *dialect.LoneRow, status int) bool {
	return slices.ContainsFunc(s.Runs, func(r Run) bool {
		return row.Status && r.Result.Exit == status && r.Reply.Verdict == schema.Deny
	})
}

// moments adds findings from the host's row of an event that called entries, which their answers don't show.
func (s *Step) moments(host *dialect.Profile) {
	row := host.Row(s.Event)
	if row == nil || len(s.Runs) == 0 {
		return
	}
	for _, f := range append(plan.Moments(host, row, nil), plan.Shown(host, row)...) {
		s.found.AddSeverity(f.Code, f.Severity, "", f.Message)
	}
}

// called leaves out the entries that the host doesn't call because of its own record of reviews.
func (p *play) called(s *Step) (hooks []schema.Hook) {
	for _, h := range p.own.Hooks {
		if why := p.host.Unreviewed(&h); why != "" {
			s.Skipped = append(s.Skipped, bridge.Skip{Hook: h, Why: bridge.SkipUntrusted, Detail: why})
			continue
		}
		if p.host.Dry { // none is left in the background
			h.Async, h.Rewake = false, false
		}
		if longest := p.profile.LongestTimeout; longest > 0 && h.Timeout > longest { // the host ends it at once
			h.Timeout = time.Nanosecond
		}
		hooks = append(hooks, h)
	}
	return hooks
}

// Unreviewed returns why the host doesn't call one of its own entries, according to its record of reviews; "" if it
// may.
func (h *Host) Unreviewed(entry *schema.Hook) string {
	if h.Dialect == nil {
		return ""
	}
	keeper := h.Dialect.Abilities().Trust
	if keeper == nil {
		return ""
	}
	switch keeper.Trust(entry, h.Places, discover.Read) {
	case dialect.TrustModified, dialect.TrustOff, dialect.FolderUntrusted:
		return "its user has not approved it: " + keeper.Review()
	}
	return ""
}

// entries are the entries of one event that call hookbridge.
type entries struct {
	*play
	mu  sync.Mutex
	ran []started
}

type started struct {
	hook    schema.Hook
	*Inside // nil: hookbridge doesn't answer for the entry
}

// started returns the result of an entry, nil if it was started as a program.
func (e *entries) started(h *schema.Hook) *started {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, s := range e.ran {
		if s.hook.SamePlace(h) && s.hook.Command == h.Command {
			e.ran = slices.Delete(e.ran, i, i+1)
			return &s
		}
	}
	return nil
}

func (e *entries) add(h *schema.Hook, in *Inside) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ran = append(e.ran, started{*h, in})
}

// start returns a function that runs an entry in this process. It is nil for a hook of the host's own, and for an entry
// that must be started: its program is missing, or is another one. A dry host starts nothing.
func (e *entries) start(h *schema.Hook, spec process.Spec) func(context.Context) process.Result {
	inside := e.inside(h, spec)
	if inside == nil && e.host.Dry {
		return func(context.Context) process.Result { return process.Result{} }
	}
	return inside
}

func (e *entries) inside(h *schema.Hook, spec process.Spec) func(context.Context) process.Result {
	call, ok := cmdline.Parse(h.Command, h.Args)
	assumed := e.host.Assumed != nil && h.Source.File == ""
	if !ok || !assumed && !e.host.runs(e.ctx, h, &call, spec) {
		return nil
	}
	if call.Launcher != "" {
		call.Set("plugin", h.Source.Plugin) // as the launcher does
	}

	return func(ctx context.Context) process.Result {
		if !assumed {
			if res := e.probes.unanswered(ctx, e.host.Program, e.profile, spec); res != nil {
				e.add(h, nil)
				return *res
			}
		}
		res, in := e.bridged(ctx, &call, spec)
		if in != nil {
			e.add(h, in)
		}
		return res
	}
}

// bridged runs an entry that calls hookbridge like its program does.
func (e *entries) bridged(ctx context.Context, call *cmdline.Call, spec process.Spec) (process.Result, *Inside) {
	res := process.Result{Start: e.host.Machine.Now(), Exit: 1}
	end := func(in *Inside) (process.Result, *Inside) {
		res.End = e.host.Machine.Now()
		return res, in
	}
	if spec.Timeout > 0 && spec.Timeout < cmdline.Startup {
		res.Exit, res.TimedOut = -1, true
		return end(nil)
	}

	if spec.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, spec.Timeout)
		defer stop()
	}

	b, err := e.bridge(call, spec)
	if err != nil {
		res.Exit, res.Stderr = usage, []byte("hookbridge run: "+err.Error()+"\nsee hookbridge run --help\n")
		return end(nil)
	}

	in := &Inside{Bridge: b}
	var before error
	if call.LooksForHooks() {
		before = bridge.CheckProject(call.Text("project"))
	}
	before = cmp.Or(before, b.Outdated(call, e.host.Program.Version))
	in.Answer, in.Report, in.Err = b.Guarded(ctx, spec.Stdin, call.Text("event"), before)
	ending := b.End(bytes.Clone(in.Answer), in.Report, in.Err)
	res.Exit, res.Stdout, res.Stderr = ending.Exit, ending.Stdout, ending.Reason
	if ending.Reason == nil {
		for _, d := range in.Report.Diagnostics {
			res.Stderr = append(res.Stderr, "hookbridge: "+d.String()+"\n"...)
		}
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		res.Exit, res.Stdout, res.TimedOut = -1, nil, true
	}
	return end(in)
}

// bridge returns a Bridge for a command line, as in the program.
func (e *entries) bridge(call *cmdline.Call, spec process.Spec) (*bridge.Bridge, error) {
	if unknown := call.Unknown(); len(unknown) > 0 {
		return nil, errors.New("unknown flag " + cmdline.Dashed(unknown[0]))
	}
	if err := call.Check(); err != nil {
		return nil, err
	}
	m := e.host.Machine
	m.Env, m.Dir, m.Home = append(slices.Clone(spec.Env), call.Env...), spec.Dir, e.host.Places.Home
	m.StateDir, m.UsualState = e.state, ""
	b, err := bridge.New(call, m)
	if err != nil {
		return nil, err
	}
	b.Trace, b.Dry = true, e.host.Dry
	if b.Host == nil {
		if b.Host = adapter.Detect(spec.Stdin, b.Places.Env); b.Host == nil {
			b.Host = e.host.Dialect
		}
	}
	return b, nil
}

// usage is the exit code of a mistake on the command line.
const usage = 64
