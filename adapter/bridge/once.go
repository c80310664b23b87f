package bridge

import (
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

const keyOnce = "once|"

// onceKey names a hook that runs once in a session: agents honor that in skills and
// sub-agents only. It is "" for any other hook.
func onceKey(h *schema.Hook) string {
	if !h.Once || !hookfile.IsMarkdown(h.Source.File) {
		return ""
	}
	return keyOnce + h.Source.File + h.Path + "\x00" + h.Command + h.Prompt
}

// ranOnce reports whether a hook that runs once has run in this session.
func (r selector) ranOnce(h *schema.Hook) bool {
	key := onceKey(h)
	if key == "" {
		return false
	}
	_, known := r.mem.get(key)
	return known
}

// rememberOnce keeps which of such hooks have run. One that failed or decided something
// stays: a guard must not go with its first refusal.
func (r *rememberer) rememberOnce() {
	for i := range r.runs {
		run := &r.runs[i]
		key := onceKey(&run.Hook)
		if key == "" || !run.Ran || run.Result.Err != nil || run.Result.TimedOut || run.Result.Exit != 0 || run.Reply.Verdict >= schema.Ask || run.Reply.KeepGoing != "" {
			continue
		}
		r.mem.later(func(t *state.Tx) { t.Put(key, "1", 0) })
	}
}
