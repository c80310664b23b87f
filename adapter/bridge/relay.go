package bridge

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// A past is an event as the earlier ones of its session leave it.
type past struct {
	run   *run         // with the session's file, and the variables that hooks have set
	call  *schema.Call // with what only earlier events say
	reply schema.Reply
	over  bool // they have decided on the reply: no hook is asked
}

// openSession is the session's file, not yet read. Project and home are part of the session's name:
// what one project's hooks decided is nothing to another's.
func openSession(r *run, c *schema.Call) *memory {
	m := &memory{log: r.log, now: r.now, file: state.Store{Dir: r.stateDir}, shared: r.opts.recalled}
	if session := c.Str(schema.FieldSession); r.stateDir != "" && session != "" {
		m.name = session + "\x00" + r.places.Project + "\x00" + r.places.Home
	}
	return m
}

// recall reads what earlier events of the session left.
func recall(was *run, c *schema.Call) past {
	next := *was
	r := &next
	r.mem = openSession(r, c)
	r.mem.recall()
	ended, over := r.mem.get(keyEnd)
	turn, reason, _ := strings.Cut(ended, "\x00")
	over = over && (turn == c.Str(schema.FieldTurn) || turn == wholeSession)
	switch c.Event {
	case schema.PreTool:
		if over {
			r.log.note(schema.CodeEndTurn, "a hook ended this turn")
			return past{r, c, denial(cmp.Or(reason, "A hook ended this turn.")), true}
		}
	case schema.Stop, schema.StopFailure, schema.PromptSubmit:
		if over && turn == wholeSession && c.Event == schema.PromptSubmit {
			r.log.note(schema.CodeEndTurn, "a hook denied this session")
			return past{r, c, denial(reason), true}
		}
		if ended != "" && turn != wholeSession && !inAgent(c) { // the session's own next turn
			r.mem.take(keyEnd)
		}
		if c.Event == schema.PromptSubmit {
			if own := schema.RowFor(r.rules.Events, c.Event); isContinuation(r, c) && (own == nil || !own.Continued) {
				r.log.note(schema.CodeAlreadyRun,
					"this prompt is the message of a stop hook, so prompt hooks don't run")
				return past{run: r, call: c, over: true}
			}
			c = withoutPrefix(r, c)
		}
		if over && c.Event == schema.Stop {
			r.log.note(schema.CodeEndTurn, "a hook ended this turn, so stop hooks don't run")
			r.mem.commit()
			return past{run: r, call: c, over: true}
		}
	case schema.SessionStart:
		c = startSession(r, c)
	}
	c = withModel(r, withSaid(r, withLoop(r, withElapsed(r, c))))
	r.places.Env = sessionEnv(r)
	return past{run: r, call: c}
}

// withText is the call with another text as a field.
func withText(c *schema.Call, f schema.Field, text string) *schema.Call {
	c = c.Clone()
	c.SetStr(f, text)
	return c
}

// startSession distinguishes a resumed session from a new one where the host doesn't.
func startSession(r *run, c *schema.Call) *schema.Call {
	if !r.mem.remembers() {
		return c
	}
	key := keySeen + entryName(r, c)
	_, seen := r.mem.get(key)
	r.mem.put(key, "1", 0)
	if r.mem.file.Due(r.now, sessions) {
		r.mem.file.Sweep(r.now, sessions, 4000)
	}
	if seen && c.Get(schema.FieldSource) == nil {
		return withText(c, schema.FieldSource, "resume")
	}
	return c
}

// remember writes the relay's file: what ran, what is still to be delivered. The reply is another
// where that failed and mustn't.
func remember(r *run, did *done, hooks []schema.Hook, reply schema.Reply) schema.Reply {
	c := did.call
	if c.Event == schema.SessionEnd {
		if r.mem.remembers() {
			if err := r.mem.file.Remove(r.mem.name); err != nil {
				r.mem.stateError(err)
			}
		}
		dropCopies(r, did)
		return reply
	}
	if r.mem.remembers() {
		rememberRun(r, did, &reply)
		rememberLoop(r, c, &reply)
		rememberOnce(r, did.runs)
		rememberPrefix(r, c, &reply)
		rememberForPost(r, c, hooks)
		rememberSaid(r, c, hooks)
		rememberModel(r, c)
		rememberBegan(r, c, hooks)
		if c.Event == schema.Stop || c.Event == schema.PromptSubmit {
			r.mem.file.Calls(r.mem.name).Sweep(r.now, turnLife, 1000)
		}
	}
	switch kept := r.mem.commit(); {
	case kept:
	case r.opts.PinHooks && c.Event == schema.PreTool:
		reply.Verdict, reply.Reason = schema.Deny, "--pin-hooks can't save the hooks of this session."
	case r.mem.asked != "": // nobody would ask
		reply.Verdict, reply.Reason = schema.Deny, r.mem.asked
		r.log.note(schema.CodeAskDenied, "the question couldn't be saved for the host's later event")
	}
	return reply
}

// skipRun leaves out the hooks that ran at the other event of the call.
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
	ran, ok := r.mem.act(c).take(ranKey(r, c))
	if !ok {
		return picked
	}
	const why = "the hook has already run at another event for this call"
	kept := picked[:0:0]
	for _, p := range picked {
		if slices.Contains(strings.Fields(ran), markOf(r, c, p)) {
			r.log.hookNote(schema.CodeAlreadyRun, &p.hook, why)
			r.log.skip(&p.hook, SkipRan, why)
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

// otherEventOfCall returns the row of the second event that the host sends for the call, nil if there is none, and
// whether that comes later. Before the tool runs, the gate event follows the generic event; after
// it, the gate event comes first.
func otherEventOfCall(r *run, c *schema.Call) (second *schema.EventRow, later bool) {
	own := r.hostRules.Row(c.Native)
	rows := r.hostRules.Events
	for i := range rows {
		row := &rows[i]
		if own == nil || row.Event != own.Event || row.Gate == own.Gate || row.Inline {
			continue
		}
		if own.Gate || len(row.Kinds) > 0 && row.Kinds[0].Base() == c.Tool.Kind().Base() {
			return row, own.Gate == (own.Event != schema.PreTool)
		}
	}
	return nil, false
}

func genericEvent(r *run, c *schema.Call) string {
	return r.hostRules.Generic(r.hostRules.Row(c.Native).Event)
}

func ranKey(r *run, c *schema.Call) string {
	key := keyRan
	if own := r.hostRules.Row(c.Native); own != nil { // a hook that ran before the tool didn't run after it
		key += own.Event.String() + "|"
	}
	key += r.rules.Name // bridges of other hooks run beside this one
	if r.opts.Single != nil {
		key += "|" + markOf(r, c, pick{hook: *r.opts.Single})
	}
	return key
}

// entryName names the entry of the host's file that this run is of, and the agent whose hooks it runs. Several
// entries run at one event at once: what one has just left must not count as past for another.
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

// markOf names a hook in a view: its agent runs the same command once for each of its events.
func markOf(r *run, c *schema.Call, p pick) string {
	h, v := fnv.New64a(), &p.view
	h.Write([]byte(strings.Join([]string{r.rules.KeyOf(&p.hook), v.Event, v.Tool, v.Server, rootOfHook(r, c, &p.hook)},
		"\x00")))
	return strconv.FormatUint(h.Sum64(), 16)
}
