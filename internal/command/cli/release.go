package cli

import "runtime/debug"

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

// Home is the address of the repository, "" as long as the project has no home.
// scripts/home.sh sets it, with every other name under which the project is found.
const Home = ""
