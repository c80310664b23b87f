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

// ProjectLauncher is the launcher's file in a project, with "/". Its counterpart for Windows adds ".cmd".
const ProjectLauncher = "." + Program + "/run"

// Launcher returns the word with which an entry starts the launcher of a plugin whose folder is root in a command.
func Launcher(root string) string { return `"` + root + "/" + LauncherFile + `"` }

// cutLauncher replaces such a word in a command with the program's name. The word has only variables before the file.
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

// cutSuffix cuts the text, with any exit code, off the end of a command.
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

// refusals are the ends of an entry that denies the call if the launcher gives no answer, each with the exit code that
// denies in the host. The first is for sh and cmd; Windows' own PowerShell rejects the whole command. The second is for
// sh and PowerShell: $? is a number in sh, and in PowerShell whether the last command succeeded; only sh expands the
// variable to 1. The third is for PowerShell alone.
var refusals = [...]statusForm{{" || exit ", ""}, {"; exit $((", "*!!(0+${hookbridge-1}-!$?)))"}, {"; exit (", "*!$?)"}}

// Operator ends an entry that denies nothing with the launcher's own status, for agents that start a launcher only in a
// command with an operator.
const Operator = " || exit"

// refusalOf returns the exit code that denies, or that of a failure if none does.
func refusalOf(host *dialect.Profile) int { return max(host.RefusalStatus, 1) }

// Refusal returns the end for a host and its shell on Windows.
func Refusal(host *dialect.Profile) string {
	if host.Starts.Windows == dialect.PowerShell5 {
		return refusals[1].with(refusalOf(host))
	}
	return refusals[0].with(refusalOf(host))
}

// upward finds the launcher from a folder inside the project. If there is none, the entry ends with the exit code.
var upward = statusForm{`d=$PWD; until [ -x "$d/` + ProjectLauncher + `" ]; do [ "$d" ] || { echo "no ` +
	ProjectLauncher + ` here" >&2; exit `, `; }; d=${d%/*}; done; "$d/` + ProjectLauncher + `"`}

// LaunchWords returns the words with which an entry in a project's file starts the project's launcher. closed: if the
// launcher is missing, the agent must deny the call.
func LaunchWords(host *dialect.Profile, closed bool) string {
	at := host.Starts
	switch {
	case at.Variable != "":
		return inVariable(at.Variable)
	case at.Below && closed:
		return upward.with(refusalOf(host))
	case at.Below:
		return upward.with(1)
	case at.Windows == dialect.Cmd || at.Windows == dialect.OperatorCmd: // in which an unquoted / begins an option
		return quotedLauncher
	}
	return ProjectLauncher
}

func inVariable(name string) string { return `"${` + name + "}/" + ProjectLauncher + `"` }

const quotedLauncher = `"` + ProjectLauncher + `"`

// PowerShell writes the call for PowerShell, which accepts neither quotes of sh nor a quoted program. The launcher
// there is the .cmd file next to it. The last status is the launcher's, or for any failure the one that denies.
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

// quotePowerShell quotes a word for PowerShell, which passes it to a program in double quotes if it has blanks.
func quotePowerShell(word string) string {
	if word == shell.Quote(word) {
		return word
	}
	return "'" + strings.NewReplacer("'", "''", `"`, `\"`).Replace(word) + "'"
}

// cutProjectLauncher replaces such words in a command with the program's name.
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

// cutRefusal cuts off the end of an entry that denies.
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

// LaunchedFile returns the file that an entry with a project launcher's words starts, in a folder and an environment,
// or "".
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
