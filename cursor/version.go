package cursor

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// A surface is a program that runs Cursor's hook engine.
type surface uint8

const (
	unknown surface = iota
	editor          // "3.15.19"
	cli             // "2026.09.10-fd3934a"
	sdk             // "1.0.0"
)

// programs have the newest versions of the captured payloads.
var programs = []dialect.Program{
	{Name: "editor", Version: editorVersion, Sends: ofEditor, Less: []dialect.Less{
		{Native: "sessionStart", Effects: schema.EffectContext, Source: "forum 158452 and 157141: dropped up to 3.12.17 at least"},
	}},
	{Name: "cli", Version: "2026.09.10-fd3934a", Sends: ofCLI, Less: []dialect.Less{
		{Native: "beforeTabFileRead", Never: true, Source: noTab},
		{Native: "afterTabFileEdit", Never: true, Source: noTab},
	}},
	{Name: "sdk", Version: sdkVersion, Sends: ofSDK, Less: []dialect.Less{
		{Native: "sessionStart", Effects: schema.EffectContext | schema.EffectEnv, Source: "observed SDK 1.0.32: neither the model nor a command gets it"},
		{Native: "beforeSubmitPrompt", Effects: schema.EffectDeny | schema.EffectReason | schema.EffectUserReason | schema.EffectContext,
			Source: "observed SDK 1.0.32: the answer is ignored"},
		{Native: "beforeShellExecution", Effects: schema.EffectAsk, Source: "observed SDK 1.0.32: it approves by itself"},
		{Native: "beforeTabFileRead", Never: true, Source: noTab},
		{Native: "afterTabFileEdit", Never: true, Source: noTab},
		{Native: "workspaceOpen", Never: true, Source: "observed SDK 1.0.32"},
	}},
}

func ofEditor(version string) bool { s, _, _ := readVersion(version); return s == editor }
func ofCLI(version string) bool    { s, _, _ := readVersion(version); return s == cli }
func ofSDK(version string) bool    { s, _, _ := readVersion(version); return s == sdk }

const editorVersion = "3.15.19"

// sdkVersion is what every release of the SDK puts into payloads.
const sdkVersion = "1.0.0"

const noTab = "docs 2026-08: only the editor completes code"

// version is what payloads and variables name as the client's version.
func (d Dialect) version() string {
	if p := profile.ProgramNamed(d.Version); p != nil {
		return p.Version
	}
	return cmp.Or(d.Version, profile.Newest)
}

// versionOf is the version of a call whose payload or environment names seen: a
// version that the user gives counts, a program's name doesn't.
func (d Dialect) versionOf(seen string) string {
	p := profile.ProgramNamed(d.Version)
	if p == nil {
		return cmp.Or(d.Version, seen)
	}
	on, _, _ := surfaceOf(p.Name)
	if s, _, _ := surfaceOf(seen); s == on {
		return seen
	}
	return p.Version
}

// surfaceOf reads a version as payloads name it, or the name of a program, which
// stands for its newest version.
func surfaceOf(version string) (s surface, major, minor int) {
	for _, p := range programs {
		if p.Name == version {
			version = p.Version
		}
	}
	return readVersion(version)
}

// readVersion reads cursor_version (captures of all three, 2026-11).
func readVersion(version string) (s surface, major, minor int) {
	first, rest, _ := strings.Cut(version, ".")
	second, _, _ := strings.Cut(rest, ".")
	major, err := strconv.Atoi(first)
	if err != nil {
		return unknown, 0, 0
	}
	minor, _ = strconv.Atoi(second)
	switch {
	case major >= 2000:
		return cli, major, minor
	case major == 1 && minor == 0:
		return sdk, major, minor
	}
	return editor, major, minor
}

// oldWords reports whether a version still answers with decision and reason
// (documented state of 2026-01, version 2.4; 2.5 has permission).
func oldWords(version string) bool {
	s, major, minor := surfaceOf(version)
	return s == editor && (major < 2 || major == 2 && minor <= 4)
}

// stopsSession reports whether continue false at the start of a session is
// honored: by the SDK (observed 1.0.32) and up to 2.4 (docs 2026-01).
func stopsSession(version string) bool {
	s, _, _ := surfaceOf(version)
	return s == sdk || s != unknown && oldWords(version)
}

// asks reports whether the gate before a shell command is known to put the
// question to the user: the SDK approves by itself, the editor lost it in 2.4
// and had not got it back in 3.2 (observed SDK 1.0.32, forum and peers' reports).
func asks(version string) bool {
	switch s, major, minor := surfaceOf(version); s {
	case sdk:
		return false
	case editor:
		return major < 2 || major == 2 && minor < 4 || major == 3 && minor > 2 || major > 3
	}
	return true
}
