package adapter

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// rememberSaid keeps what the agent said, told by an event of its own, for hooks
// at the end of the turn whose agent tells it there.
func (r *run) rememberSaid(hooks []schema.Hook) {
	text := r.call.Str(schema.FieldText)
	if r.call.Event != schema.AgentResponse || text == "" || !tellsSaid(r.Hooks) {
		return
	}
	for i := range hooks {
		if hooks[i].Event == schema.Stop || hooks[i].Event == 0 {
			if len(text) > maxText {
				r.hookNote(schema.CodeContextCut, &hooks[i], "what the agent said is longer than is remembered; the end of the turn is told its beginning")
				text = strings.ToValidUTF8(text[:maxText], "")
			}
			r.later(func(t *state.Tx) { t.Put(keySaid, text, turnLife) })
			return
		}
	}
}

// recallSaid gives the end of a turn what the agent said last, where the host does
// not say it there.
func (r *run) recallSaid() {
	if r.call.Event != schema.Stop || r.call.Get(schema.FieldLastMessage) != nil || !tellsSaid(r.Hooks) {
		return
	}
	if text, ok := r.mem.take(keySaid); ok {
		r.call.SetStr(schema.FieldLastMessage, text)
	}
}

// tellsSaid reports whether the hooks of d are told at the end of a turn what the
// agent said last.
func tellsSaid(d Dialect) bool {
	for _, row := range d.EventRows() {
		for _, f := range row.Fields {
			if row.Event == schema.Stop && f == schema.FieldLastMessage {
				return true
			}
		}
	}
	return false
}

// saidGate is the host's event that tells what the agent said, for hooks at the
// end of the turn; "" if there is none or it is told at that end itself.
func (in *Installation) saidGate(h *schema.Hook) string {
	if h.Event != schema.Stop || !tellsSaid(in.Hooks) || tellsSaid(in.Host) {
		return ""
	}
	for _, row := range in.Host.EventRows() {
		if row.Event == schema.AgentResponse && !row.Inline {
			return row.Native
		}
	}
	return ""
}
