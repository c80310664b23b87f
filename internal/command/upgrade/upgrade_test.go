package upgrade

import (
	"strings"
	"testing"
)

// TestWay checks that each way of installing leads to the command that upgrades it.
func TestWay(t *testing.T) {
	const get = "https://home.invalid/h/releases/latest/download/"
	published := home{"https://home.invalid/h", "@acme/hookbridge", "acme/tap", "acme.hookbridge"}
	for _, c := range []struct{ program, goos, has, by, command string }{
		{"/usr/local/lib/node_modules/@acme/hookbridge/bin/hookbridge", "linux", "", "npm, for every project",
			"npm install --global @acme/hookbridge@latest"},
		{`C:\Users\x\AppData\Roaming\npm\node_modules\hookbridge\bin\hookbridge`, "windows", "",
			"npm, for every project", "npm install --global @acme/hookbridge@latest"},
		{"/w/app/node_modules/@acme/linux-x64/hookbridge", "linux", "", "npm, in /w/app",
			"npm install --save-dev @acme/hookbridge@latest"},
		{"/opt/homebrew/Cellar/hookbridge/1.2.3/bin/hookbridge", "darwin", "", "Homebrew",
			"brew upgrade acme/tap/hookbridge"},
		{"/home/linuxbrew/.linuxbrew/Cellar/hookbridge/1.2.3/bin/hookbridge", "linux", "/var/lib/rpm", "Homebrew",
			"brew upgrade acme/tap/hookbridge"},
		{`C:\Users\x\scoop\apps\hookbridge\1.2.3\hookbridge.exe`, "windows", "", "Scoop", "scoop update hookbridge"},
		{`C:\Users\x\AppData\Local\Microsoft\WinGet\Packages\acme.hookbridge_x\hookbridge.exe`, "windows", "", "winget",
			"winget upgrade --id acme.hookbridge --exact"},
		{"/usr/bin/hookbridge", "linux", "/var/lib/dpkg/info/hookbridge.list", "a Debian package",
			"curl -fsSLO " + get + "hookbridge_linux_amd64.deb && sudo dpkg -i hookbridge_linux_amd64.deb"},
		{"/usr/bin/hookbridge", "linux", "/usr/lib/sysimage/rpm", "an RPM package",
			"curl -fsSLO " + get + "hookbridge_linux_amd64.rpm && sudo rpm -U hookbridge_linux_amd64.rpm"},
		{"/usr/bin/hookbridge", "linux", "/lib/apk/db/installed", "an Alpine package", "curl -fsSLO " + get +
			"hookbridge_linux_amd64.apk && sudo apk add --allow-untrusted ./hookbridge_linux_amd64.apk"},
		{"/usr/bin/hookbridge", "linux", "/var/lib/pacman/local", "an Arch package", "curl -fsSLO " + get +
			"hookbridge_linux_amd64.pkg.tar.zst && sudo pacman -U hookbridge_linux_amd64.pkg.tar.zst, or the AUR " +
			"helper that installed hookbridge-bin"},
		{"/nix/store/0a1b-hookbridge-1.2.3/bin/hookbridge", "linux", "", "Nix", "nix profile upgrade hookbridge"},
		{"/home/x/.local/share/mise/installs/hookbridge/1.2.3/hookbridge", "linux", "", "mise",
			"mise upgrade hookbridge"},
		{"/home/x/.asdf/installs/hookbridge/1.2.3/bin/hookbridge", "linux", "", "asdf",
			"asdf install hookbridge latest && asdf set hookbridge latest"},
		{"/hookbridge", "linux", "", "an image for containers",
			"change the version of the image that your Containerfile copies it from"},
		{"/home/x/my bin/hookbridge", "linux", "/var/lib/dpkg/info/hookbridge.list", "the installer",
			"curl -fsSL " + get + "install.sh | HOOKBRIDGE_DIR='/home/x/my bin' sh"},
		{"/usr/bin/hookbridge", "linux", "", "the installer", "curl -fsSL " + get +
			"install.sh | HOOKBRIDGE_DIR=/usr/bin sh"},
	} {
		i := installation{program: c.program, goos: c.goos, goarch: "amd64", release: true, home: published,
			exists: func(path string) bool { return path == c.has }}
		if w := i.way(); w.by != c.by || w.command != c.command {
			t.Errorf("%s: %+v, want %s: %s", c.program, w, c.by, c.command)
		}
		i.home = home{}
		if w := i.way(); w.by != "a build from a clone" {
			t.Errorf("%s, without a home: %+v", c.program, w)
		}
	}

	windows := installation{program: "/tools/it's/hookbridge.exe", goos: "windows", release: true, home: published,
		exists: func(string) bool { return false }}
	if w := windows.way(); w.command != "$env:HOOKBRIDGE_DIR = '/tools/it''s'; irm "+get+"install.ps1 | iex" {
		t.Error(w)
	}
	built := installation{program: "/home/x/go/bin/hookbridge", module: "example.org/h"}
	if w := built.way(); w.command != "go install example.org/h/cmd/hookbridge@latest" {
		t.Error(w)
	}
	clone := installation{program: "/home/x/go/bin/hookbridge", home: published}
	if w := clone.way(); !strings.HasPrefix(w.command, "git pull && go install ./cmd/hookbridge") {
		t.Error(w)
	}
}
