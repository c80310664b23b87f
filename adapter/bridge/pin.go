package bridge

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// keyLast marks the hooks of the latest change, beside those of the first call.
const keyLast = "|last"

// checkPinned compares the hooks with those of the session's earlier calls and
// reports a change once: agents read their hook files when a session starts, and
// the bridge reads them at each call. With PinHooks the first hooks stay the
// measure and why is the reason to deny; else it is "". Without PinHooks nothing is
// remembered of a session that has no other memory.
func (r pinner) checkPinned(hooks []schema.Hook) (why string) {
	switch {
	case r.Single != nil || r.Inline != nil:
		return ""
	case !r.mem.remembers() || r.mem.lost:
		if r.PinHooks {
			return "--pin-hooks can't check whether the hooks changed, because the session file can't be read."
		}
		return ""
	case !r.PinHooks && (r.log.untrusted() || !r.mem.found && r.call.Event != schema.SessionStart):
		return ""
	}
	key := keyHooks + r.Hooks.Profile().Name + "|" + strings.Join(r.Given, "|") + strings.TrimPrefix("|"+r.Scope.String(), "|"+schema.ScopeGiven.String())
	now := r.hookMarks(hooks)
	before, known := r.mem.get(key)
	if !known {
		r.mem.put(key, now, 0)
		return ""
	}
	if !r.PinHooks { // a change counts once; the first hooks stay known to entries that pin them
		key += keyLast
		if last, changed := r.mem.get(key); changed {
			before = last
		}
	}
	if before == now {
		return ""
	}
	if !r.PinHooks {
		r.mem.put(key, now, 0)
	}
	message, severity := "the hook files changed after this session's first call; the changes apply from now on", schema.Note
	if n := missing(before, now); n > 0 {
		message, severity = "the hook files changed after this session's first call: "+strconv.Itoa(n)+
			" of its hooks are gone or different", schema.Weaker
	}
	r.log.ds.AddSeverity(schema.CodeHooksChanged, severity, "", message).Event = r.call.Native
	if r.PinHooks {
		return "The hook files changed during this session. --pin-hooks denies every tool call until a new session starts."
	}
	return ""
}

// hookMarks names each hook of the project and of the user by a hash.
func (r pinner) hookMarks(hooks []schema.Hook) string {
	var b strings.Builder
	for i := range hooks {
		h := hooks[i]
		if r.rootOfHook(&h) != "" { // counts at some calls only
			continue
		}
		h.Path = "" // its place in the file may move
		sum := fnv.New64a()
		for _, s := range []string{h.Native, h.Matcher, h.Condition, r.Hooks.Profile().KeyOf(&h), h.Timeout.String(), strconv.Itoa(int(h.Fail)), strconv.FormatBool(h.Async || h.Rewake)} {
			sum.Write([]byte(s + "\x00"))
		}
		b.WriteString(strconv.FormatUint(sum.Sum64(), 36) + " ")
	}
	if b.Len() > maxText {
		sum := fnv.New64a()
		sum.Write([]byte(b.String()))
		return strconv.FormatUint(sum.Sum64(), 36)
	}
	return b.String()
}

// missing counts the marks of before that now lacks.
func missing(before, now string) (n int) {
	have := strings.Fields(now)
	return len(slices.DeleteFunc(strings.Fields(before), func(m string) bool { return slices.Contains(have, m) }))
}
