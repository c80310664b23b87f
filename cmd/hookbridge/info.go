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

func versionCommand(args []string, std stdio) int {
	f, fs := &versionFlags{}, newFlags("version")
	f.define(fs)
	if err := fs.only(args); err != nil {
		return failed(std, "version", err)
	}
	if f.json {
		printJSON(std.out, map[string]string{"version": versionText()})
		return exitOK
	}
	fmt.Fprintln(std.out, "hookbridge", versionText())
	return exitOK
}

func versionText() string {
	v := version
	if info, ok := debug.ReadBuildInfo(); ok && v == "dev" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		v = info.Main.Version
	}
	return v
}
