package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// A continuation is what follows a stop hook that sent the agent back. Not every
// host marks it, and some raise their prompt event for it. Keys of the session's
// file:
//
//	turn|DIALECT    how often in a row, and a digest of the prompt and of the answer
//	going|DIALECT   the message that sent the agent back
//	prefix          a digest of what the host puts before the first prompt
const keyTurn, keyGoing, keyPrefix = "turn|", "going|", "prefix"

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

// continued returns how often in a row the agent was kept working. It recognizes a
// turn by its prompt, which stays the same, and its answer, which grows. ok is false if
// the host sends no prompt at the end of a turn, or if it is another turn. It leaves
// only the new part of the answer in the call.
func (r recaller) continued() (n int, ok bool) {
	value, _ := r.mem.get(keyTurn + r.Hooks.Profile().Name)
	parts := strings.Fields(value)
	answer := r.call.Str(schema.FieldLastMessage)
	if len(parts) != 4 || parts[1] != digest(r.call.Str(schema.FieldPrompt)) {
		return 0, false
	}
	n, _ = strconv.Atoi(parts[0])
	length, _ := strconv.Atoi(parts[2])
	if length > len(answer) || digest(answer[:length]) != parts[3] {
		return 0, false
	}
	r.call.SetStr(schema.FieldLastMessage, strings.TrimPrefix(answer[length:], "\n")) // the last alone
	return n, true
}

// rememberGoing keeps what is needed to know a continuation.
func (r *rememberer) rememberGoing(reply *schema.Reply) {
	turn, going := keyTurn+r.Hooks.Profile().Name, keyGoing+r.Hooks.Profile().Name
	if reply.KeepGoing == "" || len(reply.KeepGoing) > maxText {
		r.mem.take(turn)
		r.mem.take(going)
		return
	}
	n, _ := r.call.Int(schema.FieldLoopCount)
	answer := r.call.Str(schema.FieldLastMessage)
	if told, _ := r.Host.DecodeCall(r.call.Raw, nil); told != nil { // with the earlier text
		answer = told.Str(schema.FieldLastMessage)
	}
	value := strings.Join([]string{strconv.FormatInt(n+1, 10), digest(r.call.Str(schema.FieldPrompt)), strconv.Itoa(len(answer)), digest(answer)}, " ")
	r.mem.put(turn, value, turnLife)
	r.mem.put(going, reply.KeepGoing, turnLife)
}

// isContinuation reports whether a prompt is the message by which a stop hook sent
// the agent back, alone or among those of others.
func (r recaller) isContinuation() bool {
	prompt := "\n" + r.call.Str(schema.FieldPrompt) + "\n"
	return slices.ContainsFunc(r.mem.items, func(it state.Item) bool {
		return strings.HasPrefix(it.Key, keyGoing) && strings.Contains(prompt, "\n"+it.Value+"\n")
	})
}

// rememberPrefix keeps a digest of what the host puts before the first prompt for
// the context of the session's start.
func (r *rememberer) rememberPrefix(reply *schema.Reply) {
	wrap := r.Host.Profile().PromptPrefix
	if wrap == nil || reply.Context == "" || r.call.Event != schema.SessionStart {
		return
	}
	text := wrap(reply.Context)
	r.mem.put(keyPrefix, strconv.Itoa(len(text))+" "+digest(text), turnLife)
}

// cutPrefix takes what the bridge itself has had put before a prompt off it. What it
// does not know stays: a guard must see it.
func (r recaller) cutPrefix() {
	value, _ := r.mem.get(keyPrefix)
	size, sum, _ := strings.Cut(value, " ")
	n, _ := strconv.Atoi(size)
	prompt := r.call.Str(schema.FieldPrompt)
	if n > 0 && n <= len(prompt) && digest(prompt[:n]) == sum {
		r.call.SetStr(schema.FieldPrompt, prompt[n:])
	}
}

// idle reports whether the host raises the call's event although nothing of the kind
// happens to the session.
func (r stage) idle() bool {
	row := r.Host.Profile().Row(r.call.Native)
	return row != nil && (row.InAgents && r.call.Get(schema.FieldAgentID) != nil ||
		len(row.Idle) > 0 && slices.Contains(row.Idle, r.call.Str(row.MatchField)))
}
