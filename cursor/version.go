package cursor

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// The programs that run Cursor's hook engine.
const (
	editor = "editor" // "3.15.19"
	cli    = "cli"    // "2026.09.10-fd3934a"
	sdk    = "sdk"    // "1.0.0"
)

// programs list the newest versions in captured payloads.
var programs = []dialect.Program{
	{Name: editor, Version: editorVersion, Sends: func(v string) bool {
		return sender(v) == editor
	}, Less: []dialect.Less{
		{Native: "sessionStart", Effects: schema.EffectContext,
			Source: "forum 158452 and 157141: dropped up to 3.12.17 at least"},
	}},
	{Name: cli, Version: "2026.09.10-fd3934a", Sends: func(v string) bool {
		return sender(v) == cli
	}, Less: []dialect.Less{
		{Native: "beforeTabFileRead", Never: true, Source: noTab},
		{Native: "afterTabFileEdit", Never: true, Source: noTab},
	}},
	{Name: sdk, Version: sdkVersion, Sends: func(v string) bool { return sender(v) == sdk }, Less: []dialect.Less{
		{Native: "sessionStart", Effects: schema.EffectContext | schema.EffectEnv,
			Source: "observed SDK 1.0.32: neither the model nor a command gets it"},
		{Native: "beforeSubmitPrompt", Effects: schema.EffectDeny | schema.EffectReason | schema.EffectUserReason |
			schema.EffectContext, Source: "observed SDK 1.0.32: the answer is ignored"},
		{Native: "beforeShellExecution", Effects: schema.EffectAsk,
			Source: "observed SDK 1.0.32: it approves by itself"},
		{Native: "beforeTabFileRead", Never: true, Source: noTab},
		{Native: "afterTabFileEdit", Never: true, Source: noTab},
		{Native: "workspaceOpen", Never: true, Source: "observed SDK 1.0.32"},
	}},
}

const editorVersion = "3.15.19"

// sdkVersion is the version in the payloads of every SDK release.
const sdkVersion = "1.0.0"

const noTab = "docs 2026-08: only the editor completes code"

// version returns the client's version for payloads and variables.
func (d Dialect) version() string {
	if p := profile.ProgramNamed(d.Version); p != nil {
		return p.Version
	}
	return cmp.Or(d.Version, profile.Newest)
}

// versionOf returns the version of a call whose payload or environment has seen. A version from the user overrides it,
// a program's name doesn't. seen may be a longer form of the same version.
func (d Dialect) versionOf(seen string) string {
	switch p := profile.ProgramNamed(d.Version); p {
	case nil:
		if d.Version == "" || strings.HasPrefix(seen, d.Version+".") {
			return seen
		}
		return d.Version
	case profile.ProgramOf(seen):
		return seen
	default:
		return p.Version
	}
}

// sender returns the program whose payloads have such a version, "" if there is none (captures of all three, 2026-11).
func sender(version string) string {
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	major, err := strconv.Atoi(first)
	minor, _ := strconv.Atoi(second)
	switch {
	case err != nil:
		return ""
	case major >= 2000:
		return cli
	case major == 1 && minor == 0:
		return sdk
	}
	return editor
}

// programOf returns the program of a version, "" if the version doesn't show it. The name of a program means its newest
// version.
func programOf(version string) (program, number string) {
	switch p := profile.ProgramOf(version); {
	case p == nil:
		return "", version
	case p.Name == version:
		return p.Name, p.Version
	default:
		return p.Name, version
	}
}

// asOf returns the editor version for choosing rows; "" is the newest, which the other programs use.
func asOf(version string) string {
	if program, number := programOf(version); program == editor {
		return number
	}
	return ""
}

// lacks returns the effects of an event that a version ignores although the row has them.
func lacks(version string, row *schema.EventRow) (f schema.Feature) {
	if row.Event == schema.SessionStart && !stopsSession(version) {
		f = schema.EffectEndTurn
	}
	// the only event that had additional_context (docs 2026-01)
	if oldWords(version) && row.Event != schema.SessionStart {
		f |= schema.EffectContext | schema.EffectFeedback
	}
	return f
}

// oldWords reports whether a version still answers with decision and reason (documented state of 2026-01, version 2.4;
// 2.5 has permission).
func oldWords(version string) bool {
	program, number := programOf(version)
	return program == editor && !schema.Since(number, "2.5")
}

// readsNested reports whether a program reads answers in Claude Code's format. The editor and the CLI do, the SDK
// doesn't (observed SDK 1.0.32 with and without the option that the others turn on, peers' reports). 2.4 had no such
// format (docs 2026-01).
func readsNested(version string) bool {
	program, _ := programOf(version)
	return program != sdk && !oldWords(version)
}

// stopsSession reports whether continue false at the start of a session is
// honored: by the SDK (observed 1.0.32) and up to 2.4 (docs 2026-01).
func stopsSession(version string) bool {
	program, _ := programOf(version)
	return program == sdk || oldWords(version)
}

// asks reports whether the gate before a shell command is known to ask the user. The SDK approves instead; the editor
// lost the question in 2.4 and still didn't have it in 3.2 (observed SDK 1.0.32, forum and peers' reports).
func asks(version string) bool {
	program, number := programOf(version)
	return program != sdk && (program != editor || !schema.Since(number, "2.4") || schema.Since(number, "3.3"))
}
