package cli

import (
	"runtime/debug"

	"github.com/hookbridge/hookbridge/adapter/launcher"
)

// version is set by the linker for releases. A build without it is named by its module
// or commit, and one that the go command gave neither by the version to come.
var version string

const unreleased = "0.1.0-dev"

// VersionText is the version of this program.
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

// Home is the address of the repository, "" as long as the project has no home.
const Home = launcher.Home

// NPM is the npm package that people install, Tap the Homebrew tap and WinGet the package's identifier in winget; "" as
// long as the project has no home.
const (
	NPM    = ""
	Tap    = ""
	WinGet = ""
)

// SchemaLine is the comment at the head of a YAML file by which editors find its JSON Schema; "" as long as the project
// has no home, because the schemas are among the files of a release.
func SchemaLine(name string) string { return schemaLine(Home, name) }

func schemaLine(home, name string) string {
	if home == "" {
		return ""
	}
	return "# yaml-language-server: $schema=" + home + "/releases/latest/download/" + name + ".schema.json\n"
}
