package bridge

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// before settles what an earlier event has decided already; done means that no
// hook is asked.
func (r recaller) before() (reply schema.Reply, done bool) {
	r.mem.recall()
	ended, over := r.mem.get(keyEnd)
	turn, reason, _ := strings.Cut(ended, "\x00")
	over = over && (turn == r.call.Str(schema.FieldTurn) || turn == wholeSession)
	switch r.call.Event {
	case schema.PreTool:
		if over {
			if reason == "" {
				reason = "A hook ended this turn."
			}
			r.log.note(schema.CodeEndTurn, "a hook ended this turn")
			return schema.Reply{Verdict: schema.Deny, Reason: reason}, true
		}
	case schema.Stop, schema.StopFailure, schema.PromptSubmit:
		if over && turn == wholeSession && r.call.Event == schema.PromptSubmit {
			r.log.note(schema.CodeEndTurn, "a hook denied this session")
			return schema.Reply{Verdict: schema.Deny, Reason: reason}, true
		}
		if ended != "" && turn != wholeSession && !r.inAgent() { // the session's own next turn
			r.mem.take(keyEnd)
		}
		if r.call.Event == schema.PromptSubmit {
			if r.isContinuation() {
				r.log.note(schema.CodeAlreadyRun, "this prompt is the message of a stop hook, so prompt hooks don't run")
				return schema.Reply{}, true
			}
			r.cutPrefix()
		}
		if over && r.call.Event == schema.Stop {
			r.log.note(schema.CodeEndTurn, "a hook ended this turn, so stop hooks don't run")
			r.mem.commit()
			return schema.Reply{}, true
		}
	case schema.SessionStart:
		r.startSession()
	}
	r.countLoop()
	r.recallSaid()
	r.recallModel()
	r.recallEnv()
	return schema.Reply{}, false
}

// startSession distinguishes a resumed session from a new one where the host doesn't.
func (r recaller) startSession() {
	if !r.mem.remembers() {
		return
	}
	if _, seen := r.mem.get(keySeen + r.entry()); seen && r.call.Get(schema.FieldSource) == nil {
		r.call.SetStr(schema.FieldSource, "resume")
	}
	r.mem.put(keySeen+r.entry(), "1", 0)
	r.mem.file.Sweep(r.now, sessions, 1000)
}

// after writes the relay's file: what ran, what is still to be delivered.
func (r *rememberer) after(reply *schema.Reply, hooks []schema.Hook) {
	if r.call.Event == schema.SessionEnd {
		if r.mem.remembers() {
			if err := r.mem.file.Remove(r.mem.name); err != nil {
				r.mem.stateError(err)
			}
		}
		copier{r.stage}.dropCopies(r.runs)
		return
	}
	if r.mem.remembers() {
		r.rememberRun(reply)
		r.rememberLoop(reply)
		r.rememberOnce()
		r.rememberPrefix(reply)
		r.rememberForPost(hooks)
		r.rememberSaid(hooks)
		r.rememberModel()
		if r.call.Event == schema.Stop || r.call.Event == schema.PromptSubmit {
			r.mem.file.Calls(r.mem.name).Sweep(r.now, turnLife, 1000)
		}
	}
	switch kept := r.mem.commit(); {
	case kept:
	case r.PinHooks && r.call.Event == schema.PreTool:
		reply.Verdict, reply.Reason = schema.Deny, "--pin-hooks can't save the hooks of this session."
	case r.mem.asked != "": // nobody would ask
		reply.Verdict, reply.Reason = schema.Deny, r.mem.asked
		r.log.note(schema.CodeAskDenied, "the question couldn't be saved for the host's later event")
	}
}

// skipRun leaves out the hooks that ran at the other event of the call.
func (r *question) skipRun(picked []pick) []pick {
	exists, later := callEvents{r.stage}.twin()
	if !exists || len(picked) == 0 {
		return picked
	}
	if later {
		if r.call.Event != schema.PreTool && (registration{r.stage}).served((callEvents{r.stage}).genericEvent()) {
			left := "left to " + (callEvents{r.stage}).genericEvent() + ", which the host sends for the same call"
			r.log.note(schema.CodeAlreadyRun, left)
			for i := range picked {
				r.log.skip(&picked[i].hook, SkipRan, left)
			}
			return nil
		}
		return picked
	}
	ran, ok := r.mem.act(r.call, r.call.Tool.Input).take((callEvents{r.stage}).ranKey())
	if !ok {
		return picked
	}
	kept := picked[:0:0]
	for _, p := range picked {
		if slices.Contains(strings.Fields(ran), (callEvents{r.stage}).mark(p)) {
			r.log.hookNote(schema.CodeAlreadyRun, &p.hook, "the hook has already run at another event for this call")
			r.log.skip(&p.hook, SkipRan, "the hook has already run at another event for this call")
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

// callEvents finds the other events that the host sends for the same tool call, and names the call.
type callEvents struct{ stage }

// twin reports whether the host sends a second event for the call, and whether that
// comes later. Before the tool runs, the gate event follows the generic event; after
// it, the gate event comes first.
func (r callEvents) twin() (exists, later bool) {
	row, later := r.twinRow()
	return row != nil, later
}

// twinRow returns the row of that event, nil if there is none.
func (r callEvents) twinRow() (second *schema.EventRow, later bool) {
	own := r.Host.Profile().Row(r.call.Native)
	rows := r.Host.Profile().Events
	for i := range rows {
		row := &rows[i]
		if own == nil || row.Event != own.Event || row.Gate == own.Gate || row.Inline {
			continue
		}
		if own.Gate || len(row.Kinds) > 0 && row.Kinds[0].Base() == r.call.Tool.Kind().Base() {
			return row, own.Gate == (own.Event != schema.PreTool)
		}
	}
	return nil, false
}

func (r callEvents) genericEvent() string {
	return r.Host.Profile().Generic(r.Host.Profile().Row(r.call.Native).Event)
}

func (r callEvents) ranKey() string {
	key := keyRan
	if own := r.Host.Profile().Row(r.call.Native); own != nil { // a hook that ran before the tool didn't run after it
		key += own.Event.String() + "|"
	}
	key += r.Hooks.Profile().Name // bridges of other hooks run beside this one
	if r.Single != nil {
		key += "|" + r.mark(pick{hook: *r.Single})
	}
	return key
}

// entry names the entry of the host's file that this run is of, and the agent whose hooks it runs. Several entries run
// at one event at once: what one has just left must not count as past for another.
func (r stage) entry() string {
	name := r.Hooks.Profile().Name + "|"
	if h := r.Single; h != nil {
		return name + (callEvents{r}).mark(pick{hook: *h}) + "|" + h.Native + "|" + h.Matcher
	}
	return name + strings.Join(r.Given, "|") + strings.TrimPrefix("|"+r.Scope.String(), "|"+schema.ScopeGiven.String())
}

// mark names a hook in a view.
func (r callEvents) mark(p pick) string {
	h := fnv.New64a()
	h.Write([]byte(r.Hooks.Profile().KeyOf(&p.hook) + "\x00" + p.view.Tool + "\x00" + p.view.Server))
	if root := r.rootOfHook(&p.hook); root != "" {
		h.Write([]byte("\x00" + root))
	}
	return strconv.FormatUint(h.Sum64(), 16)
}
