// Package upgrade is the command upgrade.
package upgrade

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/shell"
)

//go:embed upgrade.txt
var help string

// Command is the command upgrade.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct{ json bool }

func (f *flags) Define(fs *cli.Flags) {
	fs.Yes(&f.json, "json")
}

func (f *flags) Run(_ *cli.Flags, _ []string, std cli.IO) (int, error) {
	i := here()
	w := i.way()
	if f.json {
		cli.PrintJSON(std.Out, map[string]string{"version": cli.VersionText(), "installed": w.by, "command": w.command})
		return cli.OK, nil
	}
	fmt.Fprintf(std.Out, "hookbridge %s, installed by: %s\n", cli.VersionText(), w.by)
	fmt.Fprintf(std.Out, "To upgrade: %s\n", w.command)
	return cli.OK, nil
}

// A home lists the places of the releases.
type home struct{ url, npm, tap, winget string }

// An installation has the signs of how a program was installed.
type installation struct {
	program      string // its file, without symbolic links
	goos, goarch string
	module       string // the module, if the go command installed a version of it
	release      bool   // it comes from a release's files
	home         home
	exists       func(path string) bool
}

// A way is how a program was installed, and the command that upgrades it.
type way struct{ by, command string }

func here() installation {
	i := installation{goos: runtime.GOOS, goarch: runtime.GOARCH, release: cli.Released(),
		home:   home{cli.Home, cli.NPM, cli.Tap, cli.WinGet},
		exists: hookfile.Exists}
	if self, err := os.Executable(); err == nil {
		i.program = self
		if real, err := filepath.EvalSymlinks(self); err == nil {
			i.program = real
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok && !i.release && info.Main.Sum != "" {
		i.module = info.Main.Path
	}
	return i
}

// way determines how the program was installed. Without a published home, it can only be built again.
func (i *installation) way() way {
	fromClone := way{"a build from a clone", "git pull && go install ./cmd/hookbridge, in the clone"}
	if i.module != "" {
		return way{"go install", "go install " + i.module + "/cmd/hookbridge@latest"}
	}
	if i.home.url == "" || !i.release {
		return fromClone
	}

	file := strings.ToLower(strings.ReplaceAll(i.program, `\`, "/"))
	in := func(folder string) bool { return strings.Contains(file, folder) }
	download := i.home.url + "/releases/latest/download/"
	system := strings.HasPrefix(file, "/usr/bin/")
	switch {
	case in("/node_modules/") && (in("/lib/node_modules/") || in("/npm/node_modules/")):
		return way{"npm, for every project", "npm install --global " + i.home.npm + "@latest"}
	case in("/node_modules/"):
		project, _, _ := strings.Cut(filepath.ToSlash(i.program), "/node_modules/")
		return way{"npm, in " + project, "npm install --save-dev " + i.home.npm + "@latest"}
	case in("/cellar/hookbridge/"):
		return way{"Homebrew", "brew upgrade " + i.home.tap + "/hookbridge"}
	case in("/nix/store/"):
		return way{"Nix", "nix profile upgrade hookbridge"}
	case in("/mise/installs/hookbridge/"):
		return way{"mise", "mise upgrade hookbridge"}
	case in("/.asdf/installs/hookbridge/"):
		return way{"asdf", "asdf install hookbridge latest && asdf set hookbridge latest"}
	case file == "/hookbridge":
		return way{"an image for containers", "change the version of the image that your Containerfile copies it from"}
	case in("/scoop/apps/hookbridge/"):
		return way{"Scoop", "scoop update hookbridge"}
	case in("/winget/packages/"), in("/winget/links/"):
		return way{"winget", "winget upgrade --id " + i.home.winget + " --exact"}
	case system && i.exists("/var/lib/dpkg/info/hookbridge.list"):
		name := "hookbridge_linux_" + i.goarch + ".deb"
		return way{"a Debian package", "curl -fsSLO " + download + name + " && sudo dpkg -i " + name}
	case system && (i.exists("/var/lib/rpm") || i.exists("/usr/lib/sysimage/rpm")):
		name := "hookbridge_linux_" + i.goarch + ".rpm"
		return way{"an RPM package", "curl -fsSLO " + download + name + " && sudo rpm -U " + name}
	case system && i.exists("/lib/apk/db/installed"):
		name := "hookbridge_linux_" + i.goarch + ".apk"
		return way{"an Alpine package", "curl -fsSLO " + download + name +
			" && sudo apk add --allow-untrusted ./" + name}
	case system && i.exists("/var/lib/pacman/local"):
		name := "hookbridge_linux_" + i.goarch + ".pkg.tar.zst"
		return way{"an Arch package", "curl -fsSLO " + download + name + " && sudo pacman -U " + name +
			", or the AUR helper that installed hookbridge-bin"}
	case i.goos == "windows":
		return way{"the installer", "$env:HOOKBRIDGE_DIR = '" + strings.ReplaceAll(filepath.Dir(i.program), "'", "''") +
			"'; irm " + download + "install.ps1 | iex"}
	}
	return way{"the installer", "curl -fsSL " + download + "install.sh | HOOKBRIDGE_DIR=" +
		shell.Quote(filepath.Dir(i.program)) + " sh"}
}
