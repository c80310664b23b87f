package bridge

import (
	"strconv"

	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/schema"
)

// withLoop counts how many times in a row stop hooks have kept the agent working, for hosts that only report that they
// did.
func withLoop(r *run, c *schema.Call) *schema.Call {
	if c.Event != schema.Stop && c.Event != schema.SubagentStop || c.Get(schema.FieldLoopCount) != nil {
		return c
	}
	c = c.Clone()
	past, n := entry(r, c), int64(0)
	if c.Get(schema.FieldPrompt) != nil {
		prompt, answer := c.Str(schema.FieldPrompt), c.Str(schema.FieldLastMessage)
		if rounds, last := past.Continued(prompt, answer); rounds > 0 {
			n = rounds
			c.Set(schema.FieldStopActive, []byte("true"))
			c.SetStr(schema.FieldLastMessage, last)
		}
	}
	if c.Bool(schema.FieldStopActive) {
		n = max(n, past.Loop(c.Native, c.Str(schema.FieldAgentID))+1)
	}
	c.Set(schema.FieldLoopCount, strconv.AppendInt(nil, n, 10))
	return c
}

// rememberLoop keeps how many times in a row stop hooks have kept the agent working,
// whichever hook's message it was. It also keeps the data that identifies a continuation.
func rememberLoop(r *run, c *schema.Call, reply *schema.Reply) {
	if c.Event != schema.Stop && c.Event != schema.SubagentStop {
		return
	}
	n, _ := c.Int(schema.FieldLoopCount)
	turn := session.Turn{Message: reply.KeepGoing}
	if turn.Message != "" {
		turn.Rounds, turn.Prompt = n+1, c.Str(schema.FieldPrompt)
		turn.Answer = c.Str(schema.FieldLastMessage)
		if again, _ := r.host.DecodeCall(c.Raw, nil); again != nil { // with the earlier text
			turn.Answer = again.Str(schema.FieldLastMessage)
		}
	}
	next := entry(r, c)
	next.KeepTurn(turn)
	next.KeepLoop(c.Native, c.Str(schema.FieldAgentID), n)
}

// rememberPrefix keeps the text that the host puts before the first prompt for the context of the session's start.
func rememberPrefix(r *run, c *schema.Call, reply *schema.Reply) {
	wraps := r.host.Abilities().Prompts
	if reply.Context != "" && c.Event == schema.SessionStart && wraps != nil {
		r.mem.KeepPrefix(wraps.PromptPrefix(reply.Context))
	}
}

// withoutPrefix removes the prefix that a prompt has because of hookbridge's own context.
func withoutPrefix(r *run, c *schema.Call) *schema.Call {
	prompt := c.Str(schema.FieldPrompt)
	if own := r.mem.WithoutPrefix(prompt); own != prompt {
		return withText(c, schema.FieldPrompt, own)
	}
	return c
}
