package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// The relay remembers, in one small file a session, what one event of the host
// cannot say and a later one can. Keys of the file:
//
//	seen            the session has started before
//	end             the turn that a hook has ended, and why
//	ask|ACT         a question to be put at the act's gate
//	ran|EVENT|DIALECT|ACT   the hooks that ran at the act's first event; one hook
//	                of a command line has |HOOK behind, as others may run beside it
//	ctx|ACT, ctx|   context for the event after the act, or for the next that takes it
//	srv|ACT         the MCP server of the act
//	edits|ACT       the edits that a whole-file write amounts to
//	loop|EVENT      how often in a row stop hooks have sent the agent back
//	env             variables that hooks have set, as a JSON object
//	model           the model, where only the start of the session names it
//	hooks|DIALECT   the hooks that were there at the session's first call
//	said            what the agent said last, for the end of the turn
//	orig|ACT        what the file held before, as a JSON string; null: there was none;
//	                true: it is not known
const (
	keySeen, keyEnd, keyAsk, keyRan, keyContext, keyServer, keyEdits, keyOriginal, keyLoop, keyEnv, keySaid, keyHooks = "seen", "end", "ask|", "ran|", "ctx|", "srv|", "edits|", "orig|", "loop|", "env", "said", "hooks|"

	// wholeSession stands for the turn where a hook refused the session.
	wholeSession = "*"

	actLife  = 5 * time.Minute // between two events of one act
	turnLife = time.Hour       // between events of one turn
	sessions = 7 * 24 * time.Hour
	maxText  = 64 << 10 // bytes of a file or of its edits remembered
)

// memory is what the relay knows of the call, read once.
type memory struct {
	found   bool
	lost    bool   // there may be more than could be read
	asked   string // the reason of a question that a later event is to ask
	items   []state.Item
	changes []func(*state.Tx)
}

func (m *memory) get(key string) (string, bool) {
	for _, it := range m.items {
		if it.Key == key {
			return it.Value, true
		}
	}
	return "", false
}

// has reports whether there is anything with one of the prefixes.
func (m *memory) has(prefixes ...string) bool {
	for _, it := range m.items {
		for _, p := range prefixes {
			if strings.HasPrefix(it.Key, p) {
				return true
			}
		}
	}
	return false
}

// keys lists the different keys with a prefix.
func (m *memory) keys(prefix string) (out []string) {
	for _, it := range m.items {
		if strings.HasPrefix(it.Key, prefix) && !slices.Contains(out, it.Key) {
			out = append(out, it.Key)
		}
	}
	return out
}

// take returns a value and has it removed.
func (m *memory) take(key string) (string, bool) {
	for i, it := range m.items {
		if it.Key == key {
			m.items = append(m.items[:i:i], m.items[i+1:]...)
			m.changes = append(m.changes, func(t *state.Tx) { t.Take(key) })
			return it.Value, true
		}
	}
	return "", false
}

// session names the session's file. Project and home are part of the name: what
// one project's hooks decided is nothing to another's.
func (r *run) session() string {
	return r.call.Str(schema.FieldSession) + "\x00" + r.places.Project + "\x00" + r.places.Home
}

// remembers reports whether there is a relay for this call.
func (r *run) remembers() bool {
	return r.StateDir != "" && r.call.Str(schema.FieldSession) != ""
}

// later has f applied to the session's file when the run is over.
func (r *run) later(f func(*state.Tx)) { r.mem.changes = append(r.mem.changes, f) }

func (r *run) stateError(err error) {
	r.note(schema.CodeState, "session file: "+err.Error())
}

// recall reads the session's file; a session without one costs a failed open.
func (r *run) recall() {
	if !r.remembers() {
		return
	}
	err := r.store.View(r.session(), r.now, func(t *state.Tx) {
		r.mem.items = append([]state.Item(nil), t.All("")...)
		r.mem.found = len(r.mem.items) > 0
		if t.Corrupt {
			r.mem.lost = true
			r.stateError(errors.New("the session file was damaged and was replaced by a new one"))
		}
	})
	if err != nil {
		r.mem.lost = true
		r.stateError(err)
	}
}

// commit writes what changed, and reports whether that is safely done.
func (r *run) commit() bool {
	if len(r.mem.changes) == 0 || !r.remembers() {
		return true
	}
	err := r.store.Update(r.session(), r.now, func(t *state.Tx) error {
		for _, f := range r.mem.changes {
			f(t)
		}
		return nil
	})
	if err != nil {
		r.stateError(err)
	}
	return err == nil
}

// before settles what an earlier event has decided already; done means that no
// hook is asked.
func (r *run) before() (reply schema.Reply, done bool) {
	r.recall()
	ended, over := r.mem.get(keyEnd)
	turn, reason, _ := strings.Cut(ended, "\x00")
	over = over && (turn == r.call.Str(schema.FieldTurn) || turn == wholeSession)
	switch r.call.Event {
	case schema.PreTool:
		if over {
			if reason == "" {
				reason = "A hook ended this turn."
			}
			r.note(schema.CodeEndTurn, "a hook ended this turn")
			return schema.Reply{Verdict: schema.Deny, Reason: reason}, true
		}
	case schema.Stop, schema.StopFailure, schema.PromptSubmit:
		if over && turn == wholeSession && r.call.Event == schema.PromptSubmit {
			r.note(schema.CodeEndTurn, "a hook denied this session")
			return schema.Reply{Verdict: schema.Deny, Reason: reason}, true
		}
		if ended != "" && turn != wholeSession {
			r.mem.take(keyEnd)
		}
		if r.call.Event == schema.PromptSubmit {
			if r.isContinuation() {
				r.note(schema.CodeAlreadyRun, "this prompt is the message of a stop hook, so prompt hooks don't run")
				return schema.Reply{}, true
			}
			r.cutPrefix()
		}
		if over && r.call.Event == schema.Stop {
			r.note(schema.CodeEndTurn, "a hook ended this turn, so stop hooks don't run")
			r.commit()
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

// startSession tells a resumed session from a new one where the host does not.
func (r *run) startSession() {
	if !r.remembers() {
		return
	}
	if r.mem.found && r.call.Get(schema.FieldSource) == nil {
		r.call.SetStr(schema.FieldSource, "resume")
	}
	r.later(func(t *state.Tx) { t.Put(keySeen, "1", 0) })
	r.store.Sweep(r.now, sessions, 1000)
}

// after writes the relay's file: what ran, what is still to be delivered.
func (r *run) after(reply *schema.Reply, hooks []schema.Hook) {
	if r.call.Event == schema.SessionEnd {
		if r.remembers() && r.mem.found {
			if err := r.store.Remove(r.session()); err != nil {
				r.stateError(err)
			}
		}
		r.dropCopies()
		return
	}
	if r.remembers() {
		r.rememberRun(reply)
		r.rememberLoop(reply)
		r.rememberPrefix(reply)
		r.rememberForPost(hooks)
		r.rememberSaid(hooks)
		r.rememberModel()
	}
	switch kept := r.commit(); {
	case kept:
	case r.PinHooks && r.call.Event == schema.PreTool:
		reply.Verdict, reply.Reason = schema.Deny, "--pin-hooks can't save the hooks of this session."
	case r.mem.asked != "": // nobody would ask
		reply.Verdict, reply.Reason = schema.Deny, r.mem.asked
		r.note(schema.CodeAskDenied, "the question couldn't be saved for the host's later event")
	}
}

// twin reports whether the host raises a second event for the call's act, and
// whether that comes later: a gate comes after the generic event before the
// act, and before it after the act.
func (r *run) twin() (exists, later bool) {
	row, later := r.twinRow()
	return row != nil, later
}

// twinRow returns the row of that event, nil if there is none.
func (r *run) twinRow() (second *schema.EventRow, later bool) {
	own := r.Host.Profile().Row(r.call.Native)
	rows := r.Host.Profile().Events
	for i := range rows {
		row := &rows[i]
		if own == nil || row.Event != own.Event || row.Gate == own.Gate || row.Inline {
			continue
		}
		if own.Gate || len(row.Kinds) > 0 && row.Kinds[0].Act() == r.call.Tool.Kind().Act() {
			return row, own.Gate == (own.Event != schema.PreTool)
		}
	}
	return nil, false
}

// skipRun leaves out the hooks that ran at the act's other event.
func (r *run) skipRun(picked []pick) []pick {
	exists, later := r.twin()
	if !exists || len(picked) == 0 {
		return picked
	}
	if later {
		if r.call.Event != schema.PreTool && r.served(r.genericEvent()) {
			r.note(schema.CodeAlreadyRun, "left to "+r.genericEvent()+", which the host sends for the same call")
			for i := range picked {
				r.skip(&picked[i].hook, SkipRan, "left to "+r.genericEvent()+", which the host sends for the same call")
			}
			return nil
		}
		return picked
	}
	ran, ok := r.mem.take(r.ranKey(r.call.Tool.Input))
	if !ok {
		return picked
	}
	kept := picked[:0:0]
	for _, p := range picked {
		if slices.Contains(strings.Fields(ran), r.mark(p)) {
			r.hookNote(schema.CodeAlreadyRun, &p.hook, "already run at the host's other event for this call")
			r.skip(&p.hook, SkipRan, "already run at the host's other event for this call")
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

func (r *run) genericEvent() string {
	return r.Host.Profile().Generic(r.Host.Profile().Row(r.call.Native).Event)
}

// act names the act that the call is about, the same at all its events. A name
// costs a look at the whole input, which may be large: it is found once.
func (r *run) act(in schema.Args) string {
	var first *schema.Arg // an input is never changed in its place
	if len(in) > 0 {
		first = &in[0]
	}
	for _, a := range r.acts {
		if a.first == first && a.n == len(in) {
			return a.name
		}
	}
	name := r.actName(in)
	r.acts = append(r.acts, namedAct{first, len(in), name})
	return name
}

// A namedAct is an input that a name was found for.
type namedAct struct {
	first *schema.Arg
	n     int
	name  string
}

func (r *run) actName(in schema.Args) string {
	t := &r.call.Tool
	h := sha256.New()
	kind := t.Kind().Act()
	h.Write([]byte(r.call.Str(schema.FieldTurn) + "\x00" + kind.String() + "\x00"))
	switch kind {
	case schema.Shell:
		raw, _ := in.Get(schema.RoleCommand)
		ordjson.WriteCanonical(h, raw)
		h.Write([]byte("\x00" + r.call.Cwd))
	case schema.Read, schema.Write:
		raw, _ := in.Get(schema.RolePath)
		ordjson.WriteCanonical(h, raw)
	default:
		h.Write([]byte(t.Name))
		var parts []string
		for _, a := range in {
			parts = append(parts, a.Name+"\x00"+string(ordjson.AppendCompact(nil, a.Raw)))
		}
		sort.Strings(parts)
		for _, p := range parts {
			h.Write([]byte(p + "\x00"))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func (r *run) ranKey(in schema.Args) string {
	key := keyRan
	if own := r.Host.Profile().Row(r.call.Native); own != nil { // what ran before the act did not run after it
		key += own.Event.String() + "|"
	}
	key += r.Hooks.Profile().Name + "|" + r.act(in) // bridges of other hooks run beside this one
	if r.Single != nil {
		key += "|" + r.mark(pick{hook: *r.Single})
	}
	return key
}

// mark names a hook in a view.
func (r *run) mark(p pick) string {
	h := fnv.New64a()
	h.Write([]byte(r.Hooks.Profile().KeyOf(&p.hook) + "\x00" + p.view.Tool + "\x00" + p.view.Server))
	if root := r.rootOfHook(&p.hook); root != "" {
		h.Write([]byte("\x00" + root))
	}
	return strconv.FormatUint(h.Sum64(), 16)
}
