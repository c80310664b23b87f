package cmdline

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
)

// LauncherFile is the launcher's file in a plugin's folder, with "/".
const LauncherFile = "hooks/" + Program

// ProjectLauncher is the launcher's file in a project, with "/". Its twin for Windows has ".cmd" behind that.
const ProjectLauncher = "." + Program + "/run"

// Launcher is the word by which an entry starts the launcher of a plugin whose folder a command
// names as root.
func Launcher(root string) string { return `"` + root + "/" + LauncherFile + `"` }

// cutLauncher takes such a word from a command and puts the program's name in its place: it has
// nothing but variables before the file.
func cutLauncher(command string) (word, rest string) {
	root, rest, ok := strings.Cut(command, "/"+LauncherFile+`" `)
	if !ok || !strings.HasPrefix(root, `"${`) || !strings.HasSuffix(root, "}") {
		return "", command
	}
	for _, name := range strings.Split(root[3:len(root)-1], "}${") {
		if !shell.IsName(name) {
			return "", command
		}
	}
	return Launcher(root[1:]), Program + " " + rest
}

// orRefuse ends an entry that refuses the call whatever keeps the launcher from answering. sh and cmd read it.
const orRefuse = " || exit 2"

// upward finds the launcher from a folder of the project. Where there is none the entry fails, which refuses the call
// if closed.
func upward(closed bool) string {
	status := "1"
	if closed {
		status = "2"
	}
	return `d=$PWD; until [ -x "$d/` + ProjectLauncher + `" ]; do [ "$d" ] || { echo "no ` + ProjectLauncher +
		` here" >&2; exit ` + status + `; }; d=${d%/*}; done; "$d/` + ProjectLauncher + `"`
}

// LaunchWords are the words by which an entry of an agent's file in a project starts the project's launcher. closed:
// without it, the agent has to refuse the call.
func LaunchWords(at dialect.Start, closed bool) string {
	switch {
	case at.Variable != "":
		return `"${` + at.Variable + "}/" + ProjectLauncher + `"`
	case at.Below:
		return upward(closed)
	}
	return ProjectLauncher
}

// cutProjectLauncher takes such words from a command and puts the program's name in their place.
func cutProjectLauncher(command string) (words, rest string) {
	for _, start := range []string{ProjectLauncher, upward(false), upward(true)} {
		if rest, ok := strings.CutPrefix(command, start+" "); ok {
			return start, Program + " " + rest
		}
	}
	name, rest, ok := strings.Cut(command, "}/"+ProjectLauncher+`" `)
	if name, is := strings.CutPrefix(name, `"${`); ok && is && shell.IsName(name) {
		return LaunchWords(dialect.Start{Variable: name}, false), Program + " " + rest
	}
	return "", command
}

// LaunchedFile is the file that an entry with the words of a project's launcher starts, in a folder and an environment;
// "" if there is none.
func (c *Call) LaunchedFile(dir string, env func(name string) string) string {
	file := filepath.FromSlash(ProjectLauncher)
	is := func(dir string) bool {
		info, err := os.Stat(filepath.Join(dir, file))
		return err == nil && info.Mode().IsRegular()
	}
	if name, ok := strings.CutPrefix(c.ProjectLauncher, `"${`); ok {
		name, _, _ = strings.Cut(name, "}")
		dir = env(name)
	}
	for strings.HasPrefix(c.ProjectLauncher, "d=") && !is(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	if !filepath.IsAbs(dir) || !is(dir) {
		return ""
	}
	return filepath.Join(dir, file)
}
