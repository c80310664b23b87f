package cli

import (
	"runtime/debug"

	"github.com/hookbridge/hookbridge/adapter/launcher"
)

// version is set by the linker for releases. Other builds have the version of their module or commit, or, without
// either, unreleased.
var version string

const unreleased = "0.1.0-dev"

// VersionText returns the version of this program.
func VersionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return unreleased
}

// Released reports whether this program comes from the files of a release.
func Released() bool { return version != "" }

// Home is the address of the repository, or "" as long as the project has no home.
const Home = launcher.Home

// NPM is the npm package that people install, Tap the Homebrew tap and WinGet the package's identifier in winget. They
// are "" as long as the project has no home.
const (
	NPM    = ""
	Tap    = ""
	WinGet = ""
)

// SchemaLine returns the comment at the top of a YAML file with which editors find its JSON Schema. It is "" as long as
// the project has no home, because the schemas are files of a release.
func SchemaLine(name string) string { return schemaLine(Home, name) }

func schemaLine(home, name string) string {
	if home == "" {
		return ""
	}
	return "# yaml-language-server: $schema=" + home + "/releases/latest/download/" + name + ".schema.json\n"
}
