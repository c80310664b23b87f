package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/watch"
	"github.com/hookbridge/hookbridge/schema"
)

// ownWork is the default of [Bridge.OwnWork]: more than any call needs, and the most that a small hostile file can use.
const ownWork = 3 * time.Second

// answerMargin is how much earlier than its host's limit hookbridge answers.
const answerMargin = 2 * time.Second

// limits returns the limits of hookbridge's own work on one call with the hooks of some agents running at once.
func (b *Bridge) limits(agents int) watch.Limits {
	return watch.Limits{Work: time.Duration(agents) * cmp.Or(b.OwnWork, ownWork), Wall: b.patience("", plan.Wait{})}
}

// processor returns the processor time that hookbridge has used.
func (b *Bridge) processor() time.Duration {
	if b.Time != nil {
		return b.Time.Processor()
	}
	return watch.Processor()
}

// waitFor returns how long the hooks of a call may take.
func waitFor(r *run, c *schema.Call, hooks []schema.Hook) (w plan.Wait) {
	for i := range hooks {
		if h := &hooks[i]; h.Event == 0 || h.Event == c.Event {
			w.Add(r.rules, h, limitOf(r, h))
		}
	}
	return w
}

// patience returns how long the host waits for hookbridge's entry at an event, minus a margin for the answer; 0:
// forever. The entry has the timeout that install and convert write for such hooks, or the host's default if written by
// hand.
func (b *Bridge) patience(event string, hooks plan.Wait) time.Duration {
	if b.Host == nil {
		return hooks.Entry() - answerMargin
	}

	wanted := hooks.Entry()
	if b.Single != nil && b.Single.Handler != schema.HandlerCallback {
		wanted = cmp.Or(hooks.Total(), b.Hooks.Profile().Timeout(b.Single)) + plan.SingleMargin
	}
	entry := schema.Hook{Handler: schema.HandlerCommand}
	if row := b.Host.Profile().Row(event); row != nil {
		entry.Event = row.Event
	}

	usual := b.Host.Profile().Timeout(&entry)
	entry.Timeout = wanted
	granted := b.Host.Profile().Timeout(&entry)
	if usual > 0 && usual >= hooks.Total()+plan.SingleMargin {
		granted = min(granted, usual)
	}
	if granted == 0 {
		return 0
	}
	return max(granted-answerMargin, granted/2)
}

// An outcome is what Run returns.
type outcome struct {
	answer []byte
	rep    *Report
	err    error
}

// A progress records how far the work on a call has come, for the function that answers if it takes too long. A nil
// progress records nothing.
type progress struct {
	call    atomic.Pointer[schema.Call]
	decided atomic.Pointer[schema.Reply] // what hooks have decided so far
	judged  atomic.Bool                  // all hooks have answered
}

func (p *progress) read(c *schema.Call) {
	if p != nil {
		p.call.Store(c)
	}
}

// decide keeps what hooks have decided, even if hookbridge fails later. The strictest of several answers counts.
func (p *progress) decide(reply *schema.Reply) {
	if p == nil {
		return
	}
	if before := p.decided.Load(); before == nil || before.Verdict <= reply.Verdict {
		now := *reply
		p.decided.Store(&now)
	}
}

// judge is decide for the joint answer of all hooks.
func (p *progress) judge(reply *schema.Reply) {
	if p != nil {
		now := *reply
		p.decided.Store(&now)
		p.judged.Store(true)
	}
}

// Guarded is Run, unless an earlier step has failed. It answers in time even if hookbridge's own work fails: a fault
// would end the program with status 2, which hosts read as a decision, and a host without an answer proceeds. The
// answer is what hooks have decided so far. A call that they haven't judged is denied where the event can deny, unless
// Proceed is set. If Host is nil, Guarded sets it to the agent that sent the payload.
func (b *Bridge) Guarded(ctx context.Context, stdin []byte, event string, before error) ([]byte, *Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if b.Host == nil {
		find := func(*watch.Clock) caller { return callerOf(b, stdin, event) }
		found := watch.Apart(b.limits(1), b.Time, find, func(fault error) caller {
			return caller{notOf(b.Hooks), event, &ownFault{fault}}
		})
		b.Host = found.host
		if before == nil {
			event, before = found.event, found.err
		}
	}

	come, done := &progress{}, make(chan struct{})
	work := func(c *watch.Clock) outcome {
		defer close(done)
		if before != nil {
			return b.failed(event, before)
		}
		one := *b
		one.clock, one.progress = c, come
		answer, rep, err := one.Run(ctx, stdin, event)
		return outcome{answer, rep, err}
	}
	late := func(fault error) outcome { return b.late(come, event, fault) }

	agents := 1 + len(b.Others)
	if b.Late == nil {
		out := watch.Apart(b.limits(agents), b.Time, work, late)
		return out.answer, out.rep, out.err
	}
	leave := func(out outcome) {
		cancel() // running hooks end before the program does
		select {
		case <-done:
		case <-time.After(answerMargin / 10):
		}
		b.Late(out.answer, out.rep, out.err)
	}
	out, ok := watch.Do(b.limits(agents), b.Time, work, late, leave)
	if !ok {
		select {} // Late is ending the program
	}
	return out.answer, out.rep, out.err
}

// late answers a call after a failure of hookbridge's own work, with what the hooks had decided until then.
func (b *Bridge) late(come *progress, event string, fault error) outcome {
	call, reply := come.call.Load(), come.decided.Load()
	if call != nil {
		event = call.Native
	}
	switch {
	case reply != nil && reply.Verdict == schema.Deny:
		return b.denied(event, reply.Reason, fault)
	case reply != nil && reply.Verdict == schema.Ask && b.Ask != cmdline.AskAllow:
		return b.denied(event, cmp.Or(reply.Reason, unasked), fault)
	case reply == nil || !come.judged.Load():
		return b.failed(event, &ownFault{fault})
	}

	said := *reply
	if said.Verdict != schema.Deny { // an allow may count for less in this host
		dropVerdict(&said)
	}
	encode := func(*watch.Clock) outcome {
		rep := &Report{Call: call, Reply: said}
		rep.Diagnostics.Add(schema.CodeBridge, "", fault.Error())
		return outcome{answerLine(b.Host, call, &said), rep, nil}
	}
	return watch.Apart(watch.Limits{Wall: answerMargin / 8}, nil, encode, func(error) outcome {
		return b.failed(event, &ownFault{fault})
	})
}

// Own marks a failure before the call as hookbridge's own.
func Own(fault error) error { return &ownFault{fault} }

// An ownFault is a failure of hookbridge: one of its limits or faults kept it from judging a call.
type ownFault struct{ error }

// refuses reports whether hookbridge denies a call at an event because of a failure: any failure with FailClosed, and
// its own failures if the event can deny. An unknown event counts as one that can.
func (b *Bridge) refuses(event string, own bool) bool {
	if b.Host == nil || b.FailClosed {
		return b.Host != nil
	}
	row := b.Host.Profile().Row(event)
	return own && !b.Proceed && (row == nil || row.Blocks&schema.EffectDeny != 0)
}

// failed returns the outcome of a failure at an event: no answer, or a denial.
func (b *Bridge) failed(event string, fault error) outcome {
	if b.refuses(event, errors.As(fault, new(*ownFault))) {
		return b.denied(event, unjudgedReason+fault.Error(), fault)
	}
	rep := &Report{}
	rep.Diagnostics.Add(schema.CodeBridge, "", fault.Error())
	return outcome{nil, rep, ErrBridge}
}

// unjudgedReason begins the reason of a denial that came from no hook.
const unjudgedReason = "hookbridge couldn't judge this call: "

// denied denies the event for a reason, and reports a failure.
func (b *Bridge) denied(event, reason string, fault error) outcome {
	rep := &Report{Reply: denial(reason)}
	rep.Diagnostics.Add(schema.CodeBridge, "", fault.Error())
	return outcome{b.Host.Refuse(nil, event, reason), rep, nil}
}

// A caller is the agent that sent a payload.
type caller struct {
	host  adapter.Dialect
	event string // the host's name of the event, if known
	err   error  // no agent certainly sends such a payload; host is then the one to deny it for
}

// callerOf finds the agent that sent the payload. If none is certain, the first agent that can decode it is used, or
// else any agent other than the hooks' own; the call is then denied in that agent's format.
func callerOf(b *Bridge, stdin []byte, event string) caller {
	if d := adapter.Detect(stdin, b.Places.Env); d != nil {
		return caller{d, event, nil}
	}
	for _, d := range adapter.Dialects() {
		if c, _ := d.DecodeCall(stdin, b.Places.Env); c != nil {
			const unsure = "no known agent surely sends this payload; name the agent with --host"
			return caller{d, c.Native, errors.New(unsure)}
		}
	}
	return caller{notOf(b.Hooks), event, nil}
}

// notOf returns an agent other than the hooks' own, if there is one.
func notOf(hooks adapter.Dialect) adapter.Dialect {
	return append(adapter.Without(adapter.Dialects(), hooks), hooks)[0]
}

// CheckProject checks that --project names a folder: a wrong name would look like a project without hooks.
func CheckProject(dir string) error {
	if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
		return fmt.Errorf("--project %s isn't a folder", strconv.Quote(dir))
	}
	return nil
}

// Outdated handles a program that is older than the entry requires (see [cmdline.TooOld]). For an entry that denies
// calls without hookbridge it returns an error to answer with. Any other entry runs its hooks, and the user gets a
// notice: a failure would keep an agent working whose turn ends.
func (b *Bridge) Outdated(call *cmdline.Call, version string) error {
	why := cmdline.TooOld(call.Value("requires"), version)
	switch {
	case why == "":
		return nil
	case call.Value("missing") == "closed":
		b.FailClosed = true
		return errors.New(why + ": update hookbridge and start a new session")
	}
	b.Notice = "hookbridge: " + why + ". Its hooks run, but may not do all that they should."
	return nil
}
