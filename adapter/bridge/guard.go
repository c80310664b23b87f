package bridge

import (
	"errors"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/schema"
)

// guard makes b deny the calls that rules of the hooks' agent deny without a hook (see dialect.RuleReader), and have no
// opinion of others. A call that can't be judged is denied, as with FailClosed. An unreadable rule denies every call.
func (b *Bridge) guard(rules []string) {
	b.FailClosed = true
	for _, rule := range rules {
		hooks, reason := []schema.Hook(nil), "the permission rule "+rule+" denies this call"
		err := errors.New(b.Hooks.Profile().Title + " has no such rules")
		if reader := b.Hooks.Abilities().Rules; reader != nil {
			hooks, _, err = reader.DenyHooks(rule)
		}
		if err != nil {
			hooks = []schema.Hook{{Event: schema.PreTool, Native: b.Hooks.Profile().Generic(schema.PreTool)}}
			reason = "hookbridge can't judge by the permission rule " + rule + ", so it denies every call: " +
				err.Error()
		}
		for _, h := range hooks {
			h.Handler, h.Command, h.Prompt = schema.HandlerCommand, cmdline.GuardCommand("", rule), reason
			b.Rules = append(b.Rules, h)
		}
	}
	b.Single = &b.Rules[0]
}
