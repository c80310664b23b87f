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

// programs are the values of Dialect.Version that name a program. Early is the IDE as documented in July 2026, before
// it got further events. The limits of the programs are in known and narrow.
var programs = []dialect.Program{
	{Name: "cli", Version: checkedVersion}, {Name: "ide"}, {Name: earlyIDE}, {Name: "qoderwork"},
	{Name: sdkVersion, FullName: sdkName}}

const earlyIDE = "ide-2026-07"

// sdkVersion is the version for the Agent SDK, and sdkName the name by which users call that dialect.
const (
	sdkVersion = "sdk"
	sdkName    = "qoder-sdk"
)

// surfaceOf returns the program for a version: a number belongs to the CLI.
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

// of returns the dialect of a call: if d doesn't specify the program, Qoder's own call may.
func (d Dialect) of(c *schema.Call) Dialect {
	if d.Data.Version == "" && d.Data.Program == nil && c.Dialect == profile.Name && surfaceOf(c.Version) == ide {
		return asOf("ide")
	}
	return d
}

// A listing is a page or a type of the vendor with a surface's events.
type listing uint8

const (
	early   listing = 1 << iota // docs.qoder.com/extensions/hooks, July 2026: the five events of the IDE
	page                        // docs.qoder.com/en/cli/sdk/hooks: the fifteen of the Agent SDK
	typings                     // types of qoder-agent-sdk 1.0.39: HookEvent
)

// known lists a surface's events, but not the CLI's, which has all. The IDE's and QoderWork's are from their later
// documentation. The Agent SDK accepts callbacks under any name, and the CLI behind it calls them (observed with SDK
// 1.0.39 for Notification, which has no type). In is where an event is listed.
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

// ideBlocks are the events at which a hook in the IDE can block (docs 2026-07).
var ideBlocks = []schema.Event{schema.PromptSubmit, schema.PreTool, schema.PermissionRequest, schema.Stop}

func (d Dialect) narrow(row schema.EventRow) schema.EventRow {
	switch d.on {
	case ide:
		row.Source = "docs 2026-07"
		if d.early && row.Event == schema.Stop { // can't block yet
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
	case work: // the documentation has only exit codes
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
