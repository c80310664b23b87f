package claude

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/internal/wildcard"
	"github.com/hookbridge/hookbridge/schema"
)

// Denies evaluates a rule's condition. Rules look further into commands than conditions of hooks. They look after the
// folder of a program, after commands that run another, and into shell scripts (observed 2.1.332, with some 90 lines).
// They compare paths in only one way, but follow links.
func (d Dialect) Denies(h *schema.Hook, c *schema.Call, v schema.View, home string) (bool, error) {
	if file, spec := d.fileOfRule(h, c, v); spec != "" {
		return file != "" && pathDenied(spec, file, places{c.Project, c.Cwd, home}), nil
	}
	r, err := parseRule(h.Condition)
	if err != nil {
		return false, err
	}
	holds := r.holds(d.Agent, c, v, home)
	if holds || !r.hasSpec || v.Kind != schema.Shell || !r.of(v, d.Data.MCP.Prefix) {
		return holds, nil
	}

	input, err := d.Input(c, v)
	if err != nil {
		return true, nil
	}
	line := schema.DecodeArgs(input, d.ArgRows(v.Tool)).Text(schema.RoleCommand)
	return lineDenied(line, wildcard.ParseCommand(r.spec), 0), nil
}

// fileOfRule returns the file of a call to which a rule's pattern for files applies; both are "" if there is none.
func (d Dialect) fileOfRule(h *schema.Hook, c *schema.Call, v schema.View) (file, spec string) {
	r, err := parseRule(h.Condition)
	of := d.kindOf(r.tool)
	if err != nil || !r.hasSpec || !slices.Contains(filesOf, of) || !slices.Contains(v.Target, r.tool) {
		return "", ""
	}
	input, err := d.Input(c, v)
	if err != nil {
		return "", ""
	}
	if file = schema.DecodeArgs(input, d.ArgRows(v.Tool)).Text(schema.RolePath); file == "" {
		return "", ""
	}
	return file, r.spec
}

// runners are commands that run another command among their arguments. The list leaves out those whose command Claude
// Code doesn't check: busybox, chroot, eval, find, npx, parallel (observed 2.1.332).
var runners = []string{"builtin", "chrt", "command", "doas", "env", "exec", "flock", "ionice", "ltrace", "nice",
	"nocorrect", "noglob", "nohup", "nsenter", "pkexec", "sandbox-exec", "script", "setsid", "stdbuf", "strace", "sudo",
	"taskset", "time", "timeout", "unshare", "watch", "xargs"}

// shells run the script after -c.
var shells = []string{"bash", "dash", "ksh", "sh", "zsh"}

const (
	maxScripts  = 4  // maximum depth of nested scripts
	maxCommands = 64 // how many words of a command may begin one
)

// lineDenied reports whether a rule's pattern matches, or may match, any command that a line runs. A line beyond the
// limits counts as a match.
func lineDenied(line string, pattern wildcard.Command, depth int) bool {
	w, ok := commandsOf(line, pattern)
	if !ok || depth > maxScripts {
		return true
	}
	return slices.ContainsFunc(w.commands, func(words []string) bool {
		return wordsDenied(words, pattern, w.open, depth)
	})
}

// wordsDenied does the same for a simple command.
func wordsDenied(words []string, pattern wildcard.Command, open bool, depth int) bool {
	begins := []int{0}        // the words that may begin a command
	scripts := map[int]bool{} // the words that are, or may be, a script
	for i := 0; i < len(begins); i++ {
		if len(begins) > maxCommands {
			return true
		}
		at := begins[i]
		name := programName(words[at])
		if pattern.Match(strings.Join(append([]string{name}, words[at+1:]...), " ")) {
			return true
		}

		switch {
		case slices.Contains(shells, name):
			script, given := scriptAfter(words, at)
			if given && open {
				return true
			}
			scripts[script] = given
		case slices.Contains(runners, name):
			attached := attachedTo(words, at)
			if len(attached) > maxCommands || slices.ContainsFunc(attached, func(line string) bool {
				return lineDenied(line, pattern, depth+1)
			}) {
				return true
			}
			for j := at + 1; j < len(words); j++ {
				scripts[j] = scripts[j] || strings.Contains(words[j], " ")
			}
			begins = addBegins(begins, words, at)
		}
	}

	for at, is := range scripts { // each once
		if is && lineDenied(words[at], pattern, depth+1) {
			return true
		}
	}
	return false
}

// programName returns the name of a word's program: without its folder, on any system, and without the suffix of
// Windows programs, in any case (observed 2.1.332).
func programName(word string) string {
	name := word[strings.LastIndexAny(word, `/\`)+1:]
	if stem := len(name) - len(".exe"); stem > 0 && strings.EqualFold(name[stem:], ".exe") {
		return name[:stem]
	}
	return name
}

// attachedTo returns the lines that begin within an option of the runner at a position, such as -S'rm x', -Srm or
// --command='rm x', followed by the remaining words. The short options are -S, of env, and -c, of script and flock
// (observed 2.1.332).
func attachedTo(words []string, at int) (lines []string) {
	for j := at + 1; j < len(words) && len(lines) <= maxCommands; j++ {
		word, begin := words[j], -1
		switch i := strings.IndexAny(word, "Sc"); {
		case strings.HasPrefix(word, "--"):
			begin = strings.IndexByte(word, '=')
		case strings.HasPrefix(word, "-"):
			begin = i
		}
		if begin > 0 && begin+1 < len(word) {
			rest := lists.Map(words[j+1:], shell.Quote)
			first := strings.TrimPrefix(word[begin+1:], "=")
			lines = append(lines, strings.Join(append([]string{first}, rest...), " "))
		}
	}
	return lines
}

// scriptAfter returns the position of the script argument of the shell at a position.
func scriptAfter(words []string, at int) (script int, given bool) {
	for j := at + 1; j < len(words); j++ {
		word := words[j]
		isOption := strings.HasPrefix(word, "-") || strings.HasPrefix(word, "+")
		if given && !isOption {
			return j, true
		}
		given = given || isOption && !strings.HasPrefix(word, "--") && strings.Contains(word, "c")
	}
	return at, false
}

// addBegins adds the words that may begin the command of the runner at i. These are the first that isn't an option, a
// number or an assignment, and earlier ones that may be the value of an option.
func addBegins(begins []int, words []string, i int) []int {
	values := 0 // words before the command that don't belong to an option
	if programName(words[i]) == "flock" {
		values = 1
	}
	for j := i + 1; j < len(words) && len(begins) <= maxCommands; j++ {
		if !slices.Contains(begins, j) {
			begins = append(begins, j)
		}
		word := words[j]
		name := shell.Name(word)
		isAssignment := name != "" && strings.HasPrefix(word[len(name):], "=")
		isNumber := word != "" && ascii.Digit(word[0])
		afterOption := j > i+1 && strings.HasPrefix(words[j-1], "-") && words[j-1] != "--"
		switch {
		case strings.HasPrefix(word, "-"), isNumber, isAssignment, afterOption:
		case values > 0:
			values--
		default:
			return begins
		}
	}
	return begins
}
