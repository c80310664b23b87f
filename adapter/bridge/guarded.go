package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/watch"
	"github.com/hookbridge/hookbridge/schema"
)

// ownWork is the default of [Bridge.OwnWork]. Entries give hookbridge more than that beyond the time of
// their hooks, so it answers before any host stops waiting.
const ownWork = plan.SingleMargin * 3 / 5

func (b *Bridge) limit() time.Duration { return cmp.Or(b.OwnWork, ownWork) }

// An outcome is what Run returns.
type outcome struct {
	answer []byte
	rep    *Report
	err    error
}

// Guarded is Run, unless something has failed before. It makes a reported failure of each of hookbridge's own
// faults, and of work of its own that takes longer than OwnWork: left alone, a fault would end the program with
// status 2, which hosts understand as a decision, and a host that gets no answer proceeds. If hooks have denied
// the call by then, it is denied. If Host is nil, Guarded sets it to the agent that the payload is of.
func (b *Bridge) Guarded(ctx context.Context, stdin []byte, event string, before error) ([]byte, *Report, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if b.Host == nil {
		find := func(*watch.Clock) caller { return callerOf(b, stdin, event) }
		found := watch.Apart(b.limit(), find, func(_ *watch.Clock, fault error) caller {
			return caller{notOf(b.Hooks), event, fault}
		})
		b.Host = found.host
		if before == nil {
			event, before = found.event, found.err
		}
	}

	work := func(c *watch.Clock) outcome {
		if before != nil {
			return b.failed(event, before)
		}
		one := *b
		one.clock = c
		answer, rep, err := one.Run(ctx, stdin, event)
		return outcome{answer, rep, err}
	}
	late := func(c *watch.Clock, fault error) outcome {
		if reason, denied := c.Kept(); denied {
			return b.denied(event, reason, fault)
		}
		return b.failed(event, fault)
	}

	if b.Late == nil {
		out := watch.Apart(b.limit(), work, late)
		return out.answer, out.rep, out.err
	}
	out, ok := watch.Do(b.limit(), work, late, func(out outcome) { b.Late(out.answer, out.rep, out.err) })
	if !ok {
		select {} // Late is ending the program
	}
	return out.answer, out.rep, out.err
}

// failed is hookbridge's own failure at an event: no answer, or a refusal.
func (b *Bridge) failed(event string, fault error) outcome {
	if b.FailClosed && b.Host != nil {
		return b.denied(event, fault.Error(), fault)
	}
	rep := &Report{}
	rep.Diagnostics.Add(schema.CodeBridge, "", fault.Error())
	return outcome{nil, rep, ErrBridge}
}

// denied refuses the event for a reason, and reports a failure.
func (b *Bridge) denied(event, reason string, fault error) outcome {
	rep := &Report{Reply: denial(reason)}
	rep.Diagnostics.Add(schema.CodeBridge, "", fault.Error())
	return outcome{b.Host.Refuse(nil, event, reason), rep, nil}
}

// A caller is the agent that a payload is of.
type caller struct {
	host  adapter.Dialect
	event string // the host's name of the event, as far as it is known
	err   error  // no agent surely sends such a payload; host is then the one to refuse it for
}

// callerOf finds the agent that the payload is of. One that no agent surely sends is refused in the format of the
// first agent that can decode it, or else of any agent other than the hooks' own.
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

// CheckProject checks that --project names a folder: with a wrong name no hooks would be found, and that would look
// like a project without hooks.
func CheckProject(dir string) error {
	if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
		return fmt.Errorf("--project %s isn't a folder", strconv.Quote(dir))
	}
	return nil
}

// Outdated takes in that this program is older than the entry requires, as [cmdline.TooOld] says. An entry that refuses
// calls without hookbridge gets a failure to answer with. Any other runs its hooks, and the user gets a notice: a
// failure would keep an agent working whose turn ends.
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
