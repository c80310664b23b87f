package adapter

import (
	"errors"
	"fmt"
	"hash/fnv"
	"sort"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/discover"
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
//	ran|ACT|HOOK    a hook that ran at the act's first event
//	ctx|ACT, ctx|   context for the event after the act, or for the next that takes it
//	srv|ACT         the MCP server of the act
//	edits|ACT       the edits that a whole-file write amounts to
//	loop|EVENT      how often in a row stop hooks have sent the agent back
//	env             variables that hooks have set, as a JSON object
//	orig|ACT        what the file held before, as a JSON string; null: there was none
const (
	keySeen, keyEnd, keyAsk, keyRan, keyContext, keyServer, keyEdits, keyOriginal, keyLoop, keyEnv = "seen", "end", "ask|", "ran|", "ctx|", "srv|", "edits|", "orig|", "loop|", "env"

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
	r.note(schema.CodeState, "session memory: "+err.Error())
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
			r.stateError(errors.New("the file was damaged and starts anew"))
		}
	})
	if err != nil {
		r.stateError(err)
	}
}

// commit writes what changed.
func (r *run) commit() {
	if len(r.mem.changes) == 0 || !r.remembers() {
		return
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
				reason = "A hook has ended this turn."
			}
			r.note(schema.CodeEndTurn, "a hook has ended this turn")
			return schema.Reply{Verdict: schema.Deny, Reason: reason}, true
		}
	case schema.Stop, schema.StopFailure, schema.PromptSubmit:
		if over && turn == wholeSession && r.call.Event == schema.PromptSubmit {
			r.note(schema.CodeEndTurn, "a hook has refused this session")
			return schema.Reply{Verdict: schema.Deny, Reason: reason}, true
		}
		if ended != "" && turn != wholeSession {
			r.mem.take(keyEnd)
		}
		if over && r.call.Event == schema.Stop {
			r.note(schema.CodeEndTurn, "a hook has ended this turn; stop hooks are not asked")
			r.commit()
			return schema.Reply{}, true
		}
	case schema.SessionStart:
		r.startSession()
	}
	r.countLoop()
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
		return
	}
	if r.remembers() {
		r.rememberRun(reply)
		r.rememberLoop(reply)
		r.rememberForPost(hooks)
	}
	r.commit()
}

// twin reports whether the host raises a second event for the call's act, and
// whether that comes later: a gate comes after the generic event before the
// act, and before it after the act.
func (r *run) twin() (exists, later bool) {
	own := rowOf(r.Host, r.call.Native)
	rows := r.Host.EventRows()
	for i := range rows {
		row := &rows[i]
		if own == nil || row.Event != own.Event || row.Gate == own.Gate || row.Inline {
			continue
		}
		if own.Gate || len(row.Kinds) > 0 && actKind(row.Kinds[0]) == actKind(r.call.Tool.Kind()) {
			return true, own.Gate == (own.Event != schema.PreTool)
		}
	}
	return false, false
}

// skipRun leaves out the hooks that ran at the act's other event.
func (r *run) skipRun(picked []pick) []pick {
	exists, later := r.twin()
	if !exists || len(picked) == 0 {
		return picked
	}
	if later {
		if r.call.Event != schema.PreTool && r.served(r.genericEvent()) {
			r.note(schema.CodeAlreadyRun, "left to "+r.genericEvent()+", which the host raises for the same act")
			return nil
		}
		return picked
	}
	kept := picked[:0:0]
	for _, p := range picked {
		if _, ran := r.mem.take(r.ranKey(p, r.call.Tool.Input)); ran {
			r.hookNote(schema.CodeAlreadyRun, &p.hook, "already run for this act at the host's other event")
			continue
		}
		kept = append(kept, p)
	}
	return kept
}

func (r *run) genericEvent() string {
	own := rowOf(r.Host, r.call.Native)
	for _, row := range r.Host.EventRows() {
		if row.Event == own.Event && !row.Gate {
			return row.Native
		}
	}
	return ""
}

// canReach reports whether the bridge is called at the host's event native, as
// far as the host's configuration tells.
func (r *run) canReach(native string) bool {
	listed, known := r.bridged(native)
	return listed || !known
}

// served reports whether the host's configuration calls the bridge at native.
func (r *run) served(native string) bool {
	listed, _ := r.bridged(native)
	return listed
}

// bridged looks for calls of the bridge in the host's own configuration.
func (r *run) bridged(native string) (listed, known bool) {
	res, _ := discover.Load(r.Host, r.places, nil)
	for i := range res.Hooks {
		h := &res.Hooks[i]
		if !strings.Contains(h.Command, "hookbridge") {
			continue
		}
		known = true
		listed = listed || h.Native == native
	}
	return listed, known
}

// act names the act that the call is about, the same at all its events.
func (r *run) act(in schema.Args) string {
	t := &r.call.Tool
	h := fnv.New128a()
	kind := actKind(t.Kind())
	fmt.Fprintf(h, "%s\x00%s\x00", r.call.Str(schema.FieldTurn), kind)
	switch kind {
	case schema.Shell:
		h.Write(text(in, schema.RoleCommand))
	case schema.Read, schema.Write:
		h.Write(text(in, schema.RolePath))
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
	return fmt.Sprintf("%x", h.Sum(nil))
}

func text(as schema.Args, role schema.Role) []byte {
	raw, _ := as.Get(role)
	s, _ := ordjson.String(raw)
	return []byte(s)
}

// actKind unites the kinds that one act may be shown as.
func actKind(k schema.Kind) schema.Kind {
	switch k {
	case schema.Edit, schema.MultiEdit, schema.Notebook:
		return schema.Write
	}
	return k
}

// ranKey names a hook in a view for an act.
func (r *run) ranKey(p pick, in schema.Args) string {
	h := fnv.New64a()
	h.Write([]byte(r.Hooks.Key(&p.hook) + "\x00" + p.view.Tool + "\x00" + p.view.Server))
	return fmt.Sprintf("%s%s|%x", keyRan, r.act(in), h.Sum64())
}
