package cmdline

import (
	"cmp"
	"os"
	"path/filepath"
	"strconv"
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

// A statusForm is a text with an exit code between its parts.
type statusForm struct{ before, after string }

func (f statusForm) with(status int) string { return f.before + strconv.Itoa(status) + f.after }

// cutSuffix takes the text, with any exit code, off the end of a command.
func (f statusForm) cutSuffix(command string) (rest string, ok bool) {
	if rest, ok = strings.CutSuffix(command, f.after); !ok {
		return command, false
	}
	before := strings.TrimRight(rest, "0123456789")
	if status, err := strconv.ParseUint(rest[len(before):], 10, 8); err != nil || status == 0 {
		return command, false
	}
	return strings.CutSuffix(before, f.before)
}

// refusals are what ends an entry that refuses the call whatever keeps the launcher from answering, each with the exit
// code by which hooks of the host refuse.
// The first is for sh and cmd; Windows' own PowerShell rejects the whole command for it. The second is for sh and
// PowerShell: $? is a number for the one, and for the other whether the last command succeeded, and only to sh is the
// variable 1. The third is for PowerShell alone.
var refusals = [...]statusForm{{" || exit ", ""}, {"; exit $((", "*!!(0+${hookbridge-1}-!$?)))"}, {"; exit (", "*!$?)"}}

// Operator ends an entry that refuses nothing with the launcher's own status, where an agent starts a launcher only in
// a command with an operator.
const Operator = " || exit"

// refusalOf is the exit code that refuses, or a failure's where none does.
func refusalOf(host *dialect.Profile) int { return max(host.RefusalStatus, 1) }

// Refusal is the one for a host, and for the shell that it takes on Windows.
func Refusal(host *dialect.Profile) string {
	if host.Starts.Windows == dialect.PowerShell5 {
		return refusals[1].with(refusalOf(host))
	}
	return refusals[0].with(refusalOf(host))
}

// upward finds the launcher from a folder of the project. Where there is none the entry ends with the exit code.
var upward = statusForm{`d=$PWD; until [ -x "$d/` + ProjectLauncher + `" ]; do [ "$d" ] || { echo "no ` +
	ProjectLauncher + ` here" >&2; exit `, `; }; d=${d%/*}; done; "$d/` + ProjectLauncher + `"`}

// LaunchWords are the words by which an entry of an agent's file in a project starts the project's launcher. closed:
// without it, the agent has to refuse the call.
func LaunchWords(host *dialect.Profile, closed bool) string {
	at := host.Starts
	switch {
	case at.Variable != "":
		return inVariable(at.Variable)
	case at.Below && closed:
		return upward.with(refusalOf(host))
	case at.Below:
		return upward.with(1)
	case at.Windows == dialect.Cmd || at.Windows == dialect.OperatorCmd: // to which an unquoted / begins an option
		return quotedLauncher
	}
	return ProjectLauncher
}

func inVariable(name string) string { return `"${` + name + "}/" + ProjectLauncher + `"` }

const quotedLauncher = `"` + ProjectLauncher + `"`

// PowerShell writes the call for PowerShell, which reads neither the quotes of sh nor a program in quotes: what starts
// a launcher there is the file for cmd beside it. Its last status is the launcher's, or for any failure the one that
// refuses.
func (c *Call) PowerShell(host *dialect.Profile) string {
	at := host.Starts
	line := strings.Join(lists.Map(c.run(), quotePowerShell), " ")
	if c.Refusal != "" {
		line += refusals[2].with(refusalOf(host))
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
	for _, start := range []string{ProjectLauncher, quotedLauncher} {
		if rest, ok := strings.CutPrefix(command, start+" "); ok {
			return start, Program + " " + rest
		}
	}
	if end := upward.after + " "; strings.HasPrefix(command, upward.before) {
		start, rest, found := strings.Cut(command, end)
		if before, ok := (statusForm{upward.before, ""}).cutSuffix(start); found && ok && before == "" {
			return start + upward.after, Program + " " + rest
		}
	}
	name, rest, ok := strings.Cut(command, "}/"+ProjectLauncher+`" `)
	if name, is := strings.CutPrefix(name, `"${`); ok && is && shell.IsName(name) {
		return inVariable(name), Program + " " + rest
	}
	return "", command
}

// cutRefusal takes the end off an entry that refuses.
func cutRefusal(command string) (rest, refusal string) {
	for _, end := range refusals[:2] {
		if rest, ok := end.cutSuffix(command); ok {
			return rest, command[len(rest):]
		}
	}
	if rest, ok := strings.CutSuffix(command, Operator); ok {
		return rest, Operator
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
