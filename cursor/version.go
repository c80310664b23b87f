package cursor

import (
	"cmp"
	"strconv"
	"strings"

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

// surfaceOf reads cursor_version (captures of all three, 2026-11).
func surfaceOf(version string) (s surface, major, minor int) {
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
// heeded: by the SDK (observed 1.0.32) and up to 2.4 (docs 2026-01).
func stopsSession(version string) bool {
	s, _, _ := surfaceOf(version)
	return s == sdk || s != unknown && oldWords(version)
}

// asks reports whether the gate before a shell command is known to put the
// question to the user: the SDK approves by itself, the editor lost it in 2.4
// and had not got it back in 3.2 (observed SDK 1.0.32, forum and peers' reports).
func asks(version string) bool {
	s, major, minor := surfaceOf(version)
	switch s {
	case sdk:
		return false
	case editor:
		return major < 2 || major == 2 && minor < 4 || major == 3 && minor > 2 || major > 3
	}
	return true
}

// version is what payloads and variables name as the client's version.
func (d Dialect) version() string { return cmp.Or(d.Version, profile.Newest) }

// Follows returns the version that d speaks of, "" for the newest.
func (d Dialect) Follows() string { return d.Version }

// Has reports whether that version has the event of a row; Since is the
// editor's, the other surfaces have all.
func (d Dialect) Has(row *schema.EventRow) bool {
	s, major, minor := surfaceOf(d.Version)
	_, sinceMajor, sinceMinor := surfaceOf(row.Since)
	return s != editor || major > sinceMajor || major == sinceMajor && minor >= sinceMinor
}
