package qoder

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// A surface is one of the programs that read the same settings and differ in
// events, tools and answers.
type surface uint8

const (
	cli surface = 1 << iota
	ide
	work
	sdk
)

// surfaceNames are the values of Dialect.Version that are no version.
var surfaceNames = []struct {
	Name string
	On   surface
}{{"cli", cli}, {"ide", ide}, {"qoderwork", work}, {"sdk", sdk}}

// surface tells the program that d speaks of: a version is one of the CLI.
func (d Dialect) surface() surface {
	for _, s := range surfaceNames {
		if s.Name == d.Version {
			return s.On
		}
	}
	return cli
}

// of is the dialect of a call: where d does not say which surface, a call of
// Qoder's own may.
func (d Dialect) of(c *schema.Call) Dialect {
	if d.Version == "" && c.Dialect == "qoder" {
		return Dialect{Version: c.Version}
	}
	return d
}

// known lists the events that a surface has beside the CLI, which has all: the
// IDE and QoderWork as their later documentation has them (July 2026: fewer, and
// Stop of the IDE could not block), the SDK as its types have them.
var known = []struct {
	Native string
	On     surface
}{
	{"SessionStart", ide | work | sdk},
	{"UserPromptSubmit", ide | work | sdk},
	{"PreToolUse", ide | work | sdk},
	{"PermissionRequest", ide | work | sdk},
	{"PostToolUse", ide | work | sdk},
	{"PostToolUseFailure", ide | work | sdk},
	{"SubagentStart", ide | work | sdk},
	{"SubagentStop", ide | work | sdk},
	{"Stop", ide | work | sdk},
	{"SessionEnd", ide | work | sdk},
	{"PreCompact", ide | work | sdk},
	{"Notification", ide | work},
	{"PostCompact", sdk},
	{"CwdChanged", sdk},
	{"InstructionsLoaded", sdk},
	{"FileChanged", sdk},
	{"PermissionDenied", sdk},
	{"WorktreeCreate", sdk},
	{"WorktreeRemove", sdk},
}

func has(on surface, native string) bool {
	for _, k := range known {
		if k.Native == native {
			return k.On&on != 0
		}
	}
	return false
}

// ideBlocks are the events that the IDE lets a hook block (docs 2026-07).
var ideBlocks = []schema.Event{schema.PromptSubmit, schema.PreTool, schema.PermissionRequest, schema.Stop}

// narrow leaves of a row what the surface documents.
func (on surface) narrow(row schema.EventRow) schema.EventRow {
	switch on {
	case ide:
		row.Source = "docs 2026-07"
		if row.Event == schema.PermissionRequest { // answered like PreToolUse
			row.Blocks = schema.EffectDeny
			row.Honours = schema.EffectAllow | schema.EffectAsk | refuse | common
		}
		if row.Event == schema.PreTool {
			row.Honours &^= schema.EffectEndTurn
		}
		if !slices.Contains(ideBlocks, row.Event) && row.Event != schema.PostTool {
			row.Honours &^= row.Blocks
			row.Blocks = 0
		}
		row.Honours &^= schema.EffectEnv
	case work: // exit statuses are all that is documented
		row.Source = "docs 2026-07"
		row.Text, row.Honours = 0, row.Blocks
		if row.Blocks == schema.EffectDeny {
			row.Honours |= schema.EffectReason
		}
	case sdk:
		row.Source = "types 1.0.39"
		row.Honours &^= schema.EffectEnv
	}
	return row
}
