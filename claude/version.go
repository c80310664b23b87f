package claude

import (
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// honoredSince lists the version that began to honor an effect on an event (probes of
// 15 builds from 1.0.60 to 2.1.328 and the changelog). Events of 0 mean all.
var honoredSince = []struct {
	event  schema.Event
	effect schema.Feature
	since  string
}{
	{schema.PreTool, schema.EffectInput, "2.0.10"},
	{schema.PreTool, schema.EffectContext, "2.1.9"},
	{schema.PreTool, schema.EffectDefer, "2.1.89"},
	{schema.PreTool, schema.EffectAllow | schema.EffectAsk, "1.0.59"},
	{schema.PostTool, schema.EffectOutput, "2.1.121"},
	{schema.PostTool, schema.EffectClassifier, "2.1.236"},
	{schema.PreCompact, schema.EffectDeny | schema.EffectReason, "2.1.105"},
	{0, schema.EffectNotice, "1.0.64"},
}

// tooNew returns the effects that version doesn't honor yet on the event; an unknown
// version counts as the newest.
func tooNew(version string, e schema.Event) (f schema.Feature) {
	for _, h := range honoredSince {
		if (h.event == 0 || h.event == e) && !dialect.Since(version, h.since) {
			f |= h.effect
		}
	}
	return f
}

// versionIn reads the version from the environment that the client gives its
// hooks: AI_AGENT=claude-code_2-1-328_harness (observed 2.1.328).
func versionIn(env schema.Environ) string {
	rest, ok := strings.CutPrefix(env.Get("AI_AGENT"), "claude-code_")
	if !ok {
		return ""
	}
	v, _, _ := strings.Cut(rest, "_")
	return strings.ReplaceAll(v, "-", ".")
}
