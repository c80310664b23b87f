package claude

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/schema"
)

// honoredSince lists the version that began to honor an effect on an event (probes of
// 15 builds from 1.0.60 to 2.1.328 and the changelog).
var honoredSince = []family.EffectSince{
	{Event: schema.PreTool, Effect: schema.EffectInput, Since: "2.0.10"},
	{Event: schema.PreTool, Effect: schema.EffectContext, Since: "2.1.9"},
	{Event: schema.PreTool, Effect: schema.EffectDefer, Since: "2.1.89"},
	{Event: schema.PreTool, Effect: schema.EffectAllow | schema.EffectAsk, Since: "1.0.59"},
	{Event: schema.PostTool, Effect: schema.EffectOutput, Since: "2.1.121"},
	{Event: schema.PostTool, Effect: schema.EffectClassifier, Since: "2.1.236"},
	{Event: schema.PreCompact, Effect: schema.EffectDeny | schema.EffectReason, Since: "2.1.105"},
	{Effect: schema.EffectNotice, Since: "1.0.64"},
	{Event: schema.PreTool, Effect: schema.EffectUserReason, Since: "1.0.64"}, // goes into the same message
	{Event: schema.PreSkillCommand, Effect: schema.EffectUserReason, Since: "1.0.64"},
}

// versionIn reads the version from the environment that the client gives its
// hooks: AI_AGENT=claude-code_2-1-328_harness (observed 2.1.328).
func versionIn(env schema.Environ) string {
	rest, ok := strings.CutPrefix(env.Get(agentVariable), "claude-code_")
	if !ok {
		return ""
	}
	v, _, _ := strings.Cut(rest, "_")
	return strings.ReplaceAll(v, "-", ".")
}
