package main

import (
	"fmt"
	"runtime/debug"
)

// version is set by the linker for releases.
var version = "dev"

// versionFlags is the command line of version.
type versionFlags struct{ json bool }

func (f *versionFlags) define(fs *flags) { fs.yes(&f.json, "json", "the version as a JSON object") }

func (f *versionFlags) run(_ *flags, _ []string, std stdio) (int, error) {
	if f.json {
		printJSON(std.out, map[string]string{"version": versionText()})
	} else {
		fmt.Fprintln(std.out, "hookbridge", versionText())
	}
	return exitOK, nil
}

func versionText() string {
	v := version
	if info, ok := debug.ReadBuildInfo(); ok && v == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v = info.Main.Version
	}
	return v
}
