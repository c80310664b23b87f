package hookfile

import (
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// LeftBehind reports the settings of a source that conversions don't translate: everything except hooks, a switch, and
// limits on what hooks may do. Without hooks to convert, losing a switch doesn't matter.
func LeftBehind(cfg *schema.Config, hooks bool) (ds schema.Diagnostics) {
	add := func(code schema.Code, s schema.Severity, path, msg string) {
		ds.AddSeverity(code, s, path, msg).File = cfg.Source.File
	}
	for _, part := range []struct {
		at      string
		members ordjson.Object
	}{{cfg.Base, cfg.Extra}, {cfg.Outer, cfg.Around}} {
		for _, m := range part.members {
			if m.Name != "$schema" && m.Name != "description" {
				add(schema.CodeMemberLost, schema.CodeMemberLost.Severity(), ordjson.Pointer(part.at, m.Name),
					"this setting isn't about hooks and isn't converted")
			}
		}
	}

	switch off := cfg.DisableAll != nil && *cfg.DisableAll; {
	case off && hooks:
		add(schema.CodeDisabled, schema.Loss, cfg.Switch,
			"a setting switches these hooks off; it isn't converted, so the converted hooks run")
	case off:
		add(schema.CodeMemberLost, schema.Note, cfg.Switch, "a setting switches hooks off; it isn't converted")
	}

	if len(cfg.Disabled) > 0 {
		add(schema.CodeDisabled, schema.Loss, cfg.Switch, "a setting switches off the hooks named "+
			strings.Join(cfg.Disabled, ", ")+"; it isn't converted, so the converted hooks run")
	}
	for _, m := range cfg.Guards {
		add(schema.CodeMemberLost, schema.Weaker, ordjson.Pointer(cfg.Base, m.Name),
			"this setting limits what hooks may do; it isn't converted")
	}

	return ds
}
