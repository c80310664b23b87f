package bridge

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// A past is the state that a session's earlier events leave for this one.
type past struct {
	run   *run         // with the session's file, and the variables that hooks have set
	call  *schema.Call // with facts that only earlier events have
	reply schema.Reply
	over  bool // they have decided on the reply: no hook runs
}

// openSession returns the call's session, not yet read.
func openSession(r *run, c *schema.Call) *session.Memory {
	name := ""
	if r.stateDir != "" {
		name = session.Name(c.Str(schema.FieldSession), r.places.Project, r.places.Home)
	}
	return session.Open(state.Store{Dir: r.stateDir}, name, r.now, r.opts.recalled, r.log.stateError)
}

// entry returns the session's memory for this run's entry.
func entry(r *run, c *schema.Call) session.Entry { return r.mem.Entry(entryName(r, c)) }

// recall reads what earlier events of the session left.
func recall(was *run, c *schema.Call) past {
	next := *was
	r := &next
	r.mem = openSession(r, c)
	r.mem.Read()
	end, ended := r.mem.End().Get()
	over := ended && end.Holds(c.Str(schema.FieldTurn))
	switch c.Event {
	case schema.PreTool:
		if over {
			r.log.note(schema.CodeEndTurn, "a hook ended this turn")
			return past{r, c, denial(cmp.Or(end.Reason, "A hook ended this turn.")), true}
		}
	case schema.Stop, schema.StopFailure, schema.PromptSubmit:
		if over && end.Turn == session.WholeSession && c.Event == schema.PromptSubmit {
			r.log.note(schema.CodeEndTurn, "a hook denied this session")
			return past{r, c, denial(end.Reason), true}
		}
		if ended && end.Turn != session.WholeSession && !inAgent(c) { // the session's own next turn
			r.mem.End().Take()
		}
		if c.Event == schema.PromptSubmit {
			own := schema.RowFor(r.rules.Events, c.Event)
			if (own == nil || !own.Continued) && r.mem.SentOn(c.Str(schema.FieldPrompt)) {
				r.log.note(schema.CodeAlreadyRun,
					"this prompt is the message of a stop hook, so prompt hooks don't run")
				return past{run: r, call: c, over: true}
			}
			c = withoutPrefix(r, c)
		}
		if over && c.Event == schema.Stop {
			r.log.note(schema.CodeEndTurn, "a hook ended this turn, so stop hooks don't run")
			r.mem.Commit()
			return past{run: r, call: c, over: true}
		}
	case schema.SessionStart:
		c = startSession(r, c)
	}

	c = withModel(r, withSaid(r, withLoop(r, withElapsed(r, c))))
	r.places.Env = sessionEnv(r)
	return past{run: r, call: c}
}

// withText returns the call with a new text in a field.
func withText(c *schema.Call, f schema.Field, text string) *schema.Call {
	c = c.Clone()
	c.SetStr(f, text)
	return c
}

// inAgent reports whether a sub-agent's turn raised the call.
func inAgent(c *schema.Call) bool { return c.Get(schema.FieldAgentID) != nil }

// idle reports whether the host raises the call's event although it doesn't apply to the session.
func idle(r *run, c *schema.Call) bool {
	row, own := r.hostRules.Row(c.Native), schema.RowFor(r.rules.Events, c.Event)
	return row != nil && (row.InAgents && inAgent(c) && (own == nil || !own.InAgents) ||
		len(row.Idle) > 0 && slices.Contains(row.Idle, c.Str(row.MatchField)))
}

// startSession distinguishes a resumed session from a new one if the host doesn't.
func startSession(r *run, c *schema.Call) *schema.Call {
	if !r.mem.Remembers() {
		return c
	}
	r.mem.Sweep()
	if entry(r, c).Start() && c.Get(schema.FieldSource) == nil {
		return withText(c, schema.FieldSource, "resume")
	}
	return c
}

// relay keeps for later events what this one can't deliver and what they need, and reports hooks that no event runs. It
// changes the reply if something that must be kept can't be.
func relay(r *run, did *done, hooks []schema.Hook, out *fitted) schema.Reply {
	keepForLater(r, did.call, out)
	noteRefused(r, did.call, hooks, &out.reply)
	noteContinued(r, did.call, hooks, &out.reply)
	return rememberCall(r, did, hooks, out)
}

// rememberCall keeps what ran, and writes the session's file. If a required write fails, it changes the reply.
func rememberCall(r *run, did *done, hooks []schema.Hook, out *fitted) schema.Reply {
	c, reply := did.call, out.reply
	if c.Event == schema.SessionEnd {
		r.mem.Forget()
		dropCopies(r, did)
		return reply
	}

	if r.mem.Remembers() {
		rememberRun(r, did, &reply)
		rememberLoop(r, c, &reply)
		rememberOnce(r, did.runs)
		rememberPrefix(r, c, &reply)
		rememberForPost(r, asItRuns(r, c, &reply), hooks)
		rememberSaid(r, c, hooks)
		rememberModel(r, c)
		rememberBegan(r, asItRuns(r, c, &reply), hooks)
		if c.Event == schema.Stop || c.Event == schema.PromptSubmit {
			r.mem.SweepCalls()
		}
	}

	switch kept := r.mem.Commit(); {
	case kept:
	case r.opts.PinHooks && c.Event == schema.PreTool:
		reply.Verdict, reply.Reason = schema.Deny, "--pin-hooks can't save the hooks of this session."
	case out.ask: // the user would never be asked
		reply.Verdict, reply.Reason = schema.Deny, cmp.Or(out.reason, unasked)
		r.log.note(schema.CodeAskDenied, "the question couldn't be saved for the host's later event")
	}

	return reply
}

// skipRun removes the hooks that ran at the call's other event.
func skipRun(r *run, c *schema.Call, picked []pick) []pick {
	second, later := otherEventOfCall(r, c)
	if second == nil || len(picked) == 0 {
		return picked
	}

	if later {
		if c.Event != schema.PreTool && servedAt(r, c, genericEvent(r, c)) {
			left := "left to " + genericEvent(r, c) + ", which the host sends for the same call"
			r.log.note(schema.CodeAlreadyRun, left)
			for i := range picked {
				r.log.skip(&picked[i].hook, SkipRan, left)
			}
			return nil
		}
		return picked
	}

	ran, ok := r.mem.Call(c).TakeRan(runner(r, c))
	if !ok {
		return picked
	}

	const why = "the hook has already run at another event for this call"
	kept := picked[:0:0]
	for _, p := range picked {
		if slices.Contains(ran, markOf(r, c, p)) {
			r.log.hookNote(schema.CodeAlreadyRun, &p.hook, why)
			r.log.skip(&p.hook, SkipRan, why)
			continue
		}
		kept = append(kept, p)
	}

	return kept
}

// otherEventOfCall returns the row of the second event that the host sends for the call, or nil, and whether it comes
// later. Before the tool runs, the gate event follows the generic event; after it, the gate event comes first.
func otherEventOfCall(r *run, c *schema.Call) (second *schema.EventRow, later bool) {
	own := r.hostRules.Row(c.Native)
	rows := r.hostRules.Events
	for i := range rows {
		row := &rows[i]
		if own == nil || row.Event != own.Event || (row.Gate == nil) == (own.Gate == nil) || row.Inline() {
			continue
		}
		if own.Gate != nil || row.Gate != nil && row.Kinds()[0].Base() == c.Tool.Kind().Base() {
			return row, (own.Gate != nil) == (own.Event != schema.PreTool)
		}
	}
	return nil, false
}

func genericEvent(r *run, c *schema.Call) string {
	return r.hostRules.Generic(r.hostRules.Row(c.Native).Event)
}

// runner identifies this run of a call's hooks among those of other entries.
func runner(r *run, c *schema.Call) session.Runner {
	by := session.Runner{Agent: r.rules.Name}
	if own := r.hostRules.Row(c.Native); own != nil {
		by.Event = own.Event.String()
	}
	if r.opts.Single != nil {
		by.Hook = markOf(r, c, pick{hook: *r.opts.Single})
	}
	return by
}

// entryName identifies the host's entry that started this run, and the agent whose hooks it runs. Several entries run
// at one event at once: state that one has just left must not count as past for another.
func entryName(r *run, c *schema.Call) string {
	name := r.rules.Name + "|"
	if h := r.opts.Single; h != nil {
		return name + markOf(r, c, pick{hook: *h}) + "|" + h.Native + "|" + h.Matcher
	}
	if r.opts.Inline != nil {
		h := fnv.New64a()
		h.Write(r.opts.Inline)
		return name + strconv.FormatUint(h.Sum64(), 16)
	}
	return name + r.opts.Plugin + strings.Join(r.opts.Given, "|") + strings.TrimPrefix("|"+r.opts.Scope.String(),
		"|"+schema.ScopeGiven.String())
}

// markOf identifies a hook in a view: its agent runs the same command once for each of its events.
func markOf(r *run, c *schema.Call, p pick) string {
	h, v := fnv.New64a(), &p.view
	h.Write([]byte(strings.Join([]string{r.rules.KeyOf(&p.hook), v.Event, v.Tool, v.Server, rootOfHook(r, c, &p.hook)},
		"\x00")))
	return strconv.FormatUint(h.Sum64(), 16)
}
