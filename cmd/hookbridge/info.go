package main

import (
	"fmt"
	"runtime/debug"
)

// version is set by the linker for releases.
var version = "dev"

func versionCommand(args []string, std stdio) int {
	if err := newFlags("version").only(args); err != nil {
		return failed(std, "version", err)
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
