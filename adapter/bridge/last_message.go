package bridge

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// rememberSaid keeps what the agent said, told by an event of its own, for hooks
// at the end of the turn whose agent tells it there.
func (r *rememberer) rememberSaid(hooks []schema.Hook) {
	text := r.call.Str(schema.FieldText)
	if r.call.Event != schema.AgentResponse || text == "" || !r.Hooks.Profile().Sends(schema.Stop, schema.FieldLastMessage) {
		return
	}
	for i := range hooks {
		if hooks[i].Event == schema.Stop || hooks[i].Event == 0 {
			if len(text) > maxText {
				r.log.hookNote(schema.CodeContextCut, &hooks[i], "the agent's message is longer than the limit; stop hooks get its beginning")
				text = strings.ToValidUTF8(text[:maxText], "")
			}
			value := r.call.Str(schema.FieldTurn) + "\x00" + text
			r.mem.later(func(t *state.Tx) { t.Put(keySaid, value, turnLife) })
			return
		}
	}
}

// recallSaid gives the end of a turn what the agent said last, where the host does
// not say it there.
func (r recaller) recallSaid() {
	if r.call.Event != schema.Stop || r.call.Get(schema.FieldLastMessage) != nil || !r.Hooks.Profile().Sends(schema.Stop, schema.FieldLastMessage) {
		return
	}
	value, ok := r.mem.get(keySaid)
	turn, text, whole := strings.Cut(value, "\x00")
	if now := r.call.Str(schema.FieldTurn); ok && whole && (turn == now || turn == "" || now == "") {
		r.call.SetStr(schema.FieldLastMessage, text)
	}
}
