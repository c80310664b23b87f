package qoder

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
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

// programs are the values of Dialect.Version that name a program. Early is the IDE as
// documented in July 2026, before it got further events. Their limits are in known and
// narrow.
var programs = []dialect.Program{
	{Name: "cli", Version: checkedVersion}, {Name: "ide"}, {Name: earlyIDE}, {Name: "qoderwork"},
	{Name: sdkVersion, FullName: sdkName}}

const earlyIDE = "ide-2026-07"

// sdkVersion is the version that means the Agent SDK, and sdkName the name
// by which users call that dialect.
const (
	sdkVersion = "sdk"
	sdkName    = "qoder-sdk"
)

// surfaceOf is the program that a version speaks of: a number is one of the CLI.
func surfaceOf(version string) surface {
	switch version {
	case "ide", earlyIDE:
		return ide
	case "qoderwork":
		return work
	case sdkVersion:
		return sdk
	}
	return cli
}

// of is the dialect of a call: where d does not say which program, a call of Qoder's
// own may.
func (d Dialect) of(c *schema.Call) Dialect {
	if d.Data.Version == "" && d.Data.Program == nil && c.Dialect == profile.Name && surfaceOf(c.Version) == ide {
		return asOf("ide")
	}
	return d
}

// A listing is a page or a type of the vendor that lists the events of a surface.
type listing uint8

const (
	early   listing = 1 << iota // docs.qoder.com/extensions/hooks, July 2026: the five events of the IDE
	page                        // docs.qoder.com/en/cli/sdk/hooks: the fifteen of the Agent SDK
	typings                     // types of qoder-agent-sdk 1.0.39: HookEvent
)

// known lists the events that a surface has beside the CLI, which has all: the
// IDE and QoderWork as their later documentation has them. The Agent SDK asks
// for callbacks by any name, and the CLI behind it calls them (observed with
// SDK 1.0.39 for Notification, which has no type): In lists what is written.
var known = []struct {
	Native string
	On     surface
	In     listing
}{
	{"SessionStart", ide | work, page | typings},
	{"UserPromptSubmit", ide | work, early | page | typings},
	{"PreToolUse", ide | work, early | page | typings},
	{"PermissionRequest", ide | work, page | typings},
	{"PostToolUse", ide | work, early | page | typings},
	{"PostToolUseFailure", ide | work, early | page | typings},
	{"SubagentStart", ide | work, page | typings},
	{"SubagentStop", ide | work, page | typings},
	{"Stop", ide | work, early | page | typings},
	{"SessionEnd", ide | work, page | typings},
	{"PreCompact", ide | work, page | typings},
	{"Notification", ide | work, 0},
	{"PostCompact", 0, page | typings},
	{"CwdChanged", 0, page | typings},
	{"InstructionsLoaded", 0, page | typings},
	{"FileChanged", 0, page | typings},
	{"PermissionDenied", 0, typings},
	{"WorktreeCreate", 0, typings},
	{"WorktreeRemove", 0, typings},
}

func (d Dialect) has(native string) bool {
	if d.on == cli || d.on == sdk {
		return true
	}
	on, in := knownOn(native)
	return on&d.on != 0 && (!d.early || in&early != 0)
}

func writtenIn(native string, in listing) bool {
	_, listings := knownOn(native)
	return listings&in != 0
}

func knownOn(native string) (on surface, in listing) {
	for _, k := range known {
		if k.Native == native {
			return k.On, k.In
		}
	}
	return 0, 0
}

// ideBlocks are the events that the IDE lets a hook block (docs 2026-07).
var ideBlocks = []schema.Event{schema.PromptSubmit, schema.PreTool, schema.PermissionRequest, schema.Stop}

func (d Dialect) narrow(row schema.EventRow) schema.EventRow {
	switch d.on {
	case ide:
		row.Source = "docs 2026-07"
		if d.early && row.Event == schema.Stop { // not yet blockable
			row.Honors &^= row.Blocks | schema.EffectEndTurn
			row.Blocks = 0
		}
		if row.Event == schema.PermissionRequest { // answered like PreToolUse
			row.Blocks = schema.EffectDeny
			row.Honors = schema.EffectAllow | schema.EffectAsk | refuse | common
		}
		if row.Event == schema.PreTool {
			row.Honors &^= schema.EffectEndTurn
		}
		if !slices.Contains(ideBlocks, row.Event) && row.Event != schema.PostTool {
			row.Honors &^= row.Blocks
			row.Blocks = 0
		}
		row.Honors &^= schema.EffectEnv
	case work: // exit statuses are all that is documented
		row.Source = "docs 2026-07"
		row.Text, row.Honors = 0, row.Blocks
		if row.Blocks == schema.EffectDeny {
			row.Honors |= schema.EffectReason
		}
	case sdk:
		row.Honors &^= schema.EffectEnv
		switch {
		case writtenIn(row.Native, page):
			row.Source = "docs.qoder.com/en/cli/sdk/hooks and types 1.0.39"
		case writtenIn(row.Native, typings):
			row.Source = "types 1.0.39"
		default:
			row.Source += "; not among the types of 1.0.39"
		}
	}

	return row
}
