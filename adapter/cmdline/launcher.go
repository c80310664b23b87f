package cmdline

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
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

// refusals are what ends an entry that refuses the call whatever keeps the launcher from answering, each with status 2.
// The first is for sh and cmd; Windows' own PowerShell rejects the whole command for it. The second is for sh and
// PowerShell: $? is a number for the one, and for the other whether the last command succeeded, and only to sh is the
// variable 1. The third is for PowerShell alone.
var refusals = [...]string{" || exit 2", "; exit $((2*!!(0+${hookbridge-1}-!$?)))", "; exit (2*!$?)"}

// Operator ends an entry that refuses nothing with the launcher's own status, where an agent starts a launcher only in
// a command with an operator.
const Operator = " || exit"

// Refusal is the one for the shell that a host takes on Windows.
func Refusal(at dialect.Start) string {
	if at.Windows == dialect.PowerShell5 {
		return refusals[1]
	}
	return refusals[0]
}

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
	case at.Windows == dialect.Cmd || at.Windows == dialect.OperatorCmd: // to which an unquoted / begins an option
		return quotedLauncher
	}
	return ProjectLauncher
}

const quotedLauncher = `"` + ProjectLauncher + `"`

// PowerShell writes the call for PowerShell, which reads neither the quotes of sh nor a program in quotes: what starts
// a launcher there is the file for cmd beside it. Its last status is the launcher's, or 2 for any failure.
func (c *Call) PowerShell(at dialect.Start) string {
	line := strings.Join(lists.Map(c.run(), quotePowerShell), " ")
	if c.Refusal != "" {
		line += refusals[2]
	}
	switch {
	case c.Launcher != "":
		return "& " + c.Launcher + " " + line
	case c.ProjectLauncher != "" && at.Variable != "":
		return `& "${env:` + at.Variable + "}/" + ProjectLauncher + `" ` + line
	case c.ProjectLauncher != "" && at.Below:
		return "$d=$PWD.Path; while ($d -and !(Test-Path -LiteralPath (Join-Path $d " + ProjectLauncher +
			".cmd))) { $d=Split-Path $d }; & (Join-Path $d " + ProjectLauncher + ") " + line
	case c.ProjectLauncher != "":
		return ProjectLauncher + " " + line
	}
	word, _ := ProgramWord(cmp.Or(c.Path, Program))
	return word + " " + line
}

// quotePowerShell quotes a word for PowerShell, which hands it to a program between double quotes if it has blanks.
func quotePowerShell(word string) string {
	if word == shell.Quote(word) {
		return word
	}
	return "'" + strings.NewReplacer("'", "''", `"`, `\"`).Replace(word) + "'"
}

// cutProjectLauncher takes such words from a command and puts the program's name in their place.
func cutProjectLauncher(command string) (words, rest string) {
	for _, start := range []string{ProjectLauncher, quotedLauncher, upward(false), upward(true)} {
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

// cutRefusal takes the end off an entry that refuses.
func cutRefusal(command string) (rest, refusal string) {
	for _, end := range append(refusals[:2:2], Operator) {
		if rest, ok := strings.CutSuffix(command, end); ok {
			return rest, end
		}
	}
	return command, ""
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
