package shell

import (
	"path"
	"slices"
	"strings"
)

// A Run is a program that a command line may start.
type Run struct {
	Words     []Word // the program and its arguments
	Redirects []*Redirect
	// Dir is the folder that it runs in, relative to where the line starts; "" is that folder.
	Dir string
	Fed bool // it gets more arguments than the line shows, as with xargs
	// Guess: the program is a word after one that starts programs, and may be the argument of an option.
	Guess bool
}

// Program returns the program's name without its folder.
func (r *Run) Program() string { return path.Base(strings.ReplaceAll(r.Words[0].Text(), `\`, "/")) }

// starters are programs that run the command after them. Their own options take arguments that look like a command:
// each of the words may be the program.
var starters = []string{"env", "exec", "command", "nohup", "time", "coproc", "sudo", "doas", "builtin", "timeout",
	"nice", "ionice", "stdbuf", "setsid", "xargs", "parallel", "watch", "busybox", "npx", "bunx"}

// bringers are the starters whose programs needn't be in the PATH.
var bringers = []string{"busybox", "npx", "bunx"}

// startedAt returns the index of the word that a starter certainly runs, 0 if that is unknown: the first one, or the
// one after timeout's duration.
func startedAt(starter string, words []Word) int {
	at := 1
	if starter == "timeout" {
		at = 2
	}
	if slices.Contains(bringers, starter) || at >= len(words) ||
		slices.ContainsFunc(words[1:at], func(w Word) bool { return strings.HasPrefix(w.Text(), "-") }) {
		return 0
	}
	return at
}

// shells are programs with an argument that may be a command line.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "eval", "su", "watch", "cmd", "powershell", "pwsh",
	"Invoke-Expression", "iex"}

// maxNested limits the depth of command lines within command lines, and maxRuns the programs that a line starts.
const (
	maxNested = 4
	maxRuns   = 2000
)

// Runs lists the programs that a line may start, also within substitutions, functions and the arguments of shells. It
// lists one too many rather than one too few. ok is false if the line, or one within it, can't be read.
func Runs(line string) (runs []Run, ok bool) {
	f := finder{ok: true, left: 8 * maxRuns}
	f.line(line, "", 0)
	return f.runs, f.ok
}

type finder struct {
	runs []Run
	ok   bool
	left int // how many more words may be read
}

// spend reports whether n more words may be read.
func (f *finder) spend(n int) bool {
	if f.left -= n; f.left < 0 || len(f.runs) > maxRuns {
		f.ok = false
		return false
	}
	return true
}

func (f *finder) line(line, dir string, depth int) {
	if s, ok := Parse(line); ok {
		f.script(s, dir, depth)
	} else {
		f.ok = false
	}
}

// script returns the folder of the shell after the commands.
func (f *finder) script(s Script, dir string, depth int) string {
	for i := range s.Items {
		c := &s.Items[i].Command
		dir = f.command(c, dir, depth)
	}
	return dir
}

func (f *finder) command(c *Command, dir string, depth int) string {
	if c.Kind == Arithmetic { // in a shell without ((…)) these are two subshells
		f.ok = false
	}
	for _, w := range slices.Concat(c.Assigns, c.Words, c.In) {
		f.word(w, dir, depth)
	}
	for _, r := range c.Redirects {
		f.word(r.Target, dir, depth)
		f.word(r.Body, dir, depth)
	}
	inner := dir
	for _, l := range c.Lists {
		inner = f.script(l, inner, depth)
	}
	switch {
	case c.Kind == Simple && len(c.Words) > 0:
		return f.simple(c, dir, depth)
	case c.Kind == Subshell || c.Kind == Function:
		return dir
	}
	return inner
}

func (f *finder) word(w Word, dir string, depth int) {
	for _, p := range w.Parts {
		for _, s := range p.Scripts {
			f.script(s, dir, depth)
		}
	}
}

func (f *finder) simple(c *Command, dir string, depth int) string {
	run := Run{Words: c.Words, Redirects: c.Redirects, Dir: dir}
	name := run.Program()
	if name == "cd" || name == "pushd" || name == "Set-Location" {
		if !f.spend(1 + len(dir)/256) { // each folder is as long as all before it
			return dir
		}
		return f.moved(c.Words[1:], dir)
	}
	f.add(run, depth)
	return dir
}

// moved returns the folder after a cd; an unknown one doesn't change it.
func (f *finder) moved(args []Word, dir string) string {
	for _, w := range args {
		if to := w.Text(); w.Fixed() && to != "" && to[0] != '-' && to[0] != '~' {
			if path.IsAbs(to) {
				return path.Clean(to)
			}
			return path.Join(dir, to)
		}
	}
	return dir
}

// add notes a program and the programs that it runs.
func (f *finder) add(run Run, depth int) {
	if !f.spend(1) {
		return
	}
	f.runs = append(f.runs, run)
	if name := run.Program(); slices.Contains(starters, name) {
		fed := run.Fed || name == "xargs" || name == "parallel"
		sure := startedAt(name, run.Words)
		for i := range run.Words[1:] { // a starter after it is one of the words
			if !f.spend(1) {
				return
			}
			started := Run{Words: run.Words[i+1:], Dir: run.Dir, Fed: fed, Guess: run.Guess || i+1 != sure}
			f.runs = append(f.runs, started)
			f.inner(started, depth)
		}
	}
	f.inner(run, depth)
}

// inner notes the programs in the command lines that a program gets as arguments.
func (f *finder) inner(run Run, depth int) {
	name, args := run.Program(), run.Words[1:]
	if depth >= maxNested {
		return
	}
	if name == "find" && f.spend(len(args)) {
		f.found(run, depth)
	}
	if !slices.Contains(shells, name) || !f.spend(len(args)) {
		return
	}

	for _, r := range run.Redirects {
		if r.Body.Raw != "" {
			f.line(r.Body.Text(), run.Dir, depth+1)
		}
	}

	for i, w := range args {
		sure := name == "eval" || name == "cmd" || i > 0 && strings.HasSuffix(args[i-1].Text(), "c")
		before := len(f.runs)
		if text := w.Text(); strings.ContainsAny(text, " \t\n;&|") {
			f.line(text, run.Dir, depth+1)
		} else if sure {
			f.add(Run{Words: args[i:], Dir: run.Dir}, depth+1)
		}
		for j := before; j < len(f.runs) && !sure; j++ { // it may be an argument of a script
			f.runs[j].Guess = true
		}
	}
}

// found notes what find runs for the files that it finds.
func (f *finder) found(run Run, depth int) {
	for i, w := range run.Words {
		switch w.Text() {
		case "-exec", "-execdir", "-ok", "-okdir":
			if rest := run.Words[i+1:]; len(rest) > 0 {
				end := slices.IndexFunc(rest, func(w Word) bool { t := w.Text(); return t == ";" || t == "+" })
				if end < 0 {
					end = len(rest)
				}
				if end > 0 {
					f.add(Run{Words: rest[:end], Dir: run.Dir, Fed: true}, depth+1)
				}
			}
		}
	}
}

// A Deletion is a file or folder that a command deletes.
type Deletion struct {
	Path Word   // as written; no word if the line doesn't show what is deleted
	Dir  string // the folder that a relative path starts from, as in Run
}

// deleters are programs that delete their arguments. Case doesn't count, because some shells ignore it.
var deleters = []string{"rm", "unlink", "rmdir", "shred", "rimraf", "trash", "trash-put", "gio", "del", "erase",
	"rd", "ri", "remove-item"}

// Deletions lists what a command line deletes. It doesn't see what a program deletes itself, such as make clean. An
// unreadable line that names such a program deletes something unknown.
func Deletions(line string) (all []Deletion) {
	lower := strings.ToLower(line)
	if !slices.ContainsFunc(append(deleters, "-delete"), func(name string) bool {
		return strings.Contains(lower, name)
	}) {
		return nil
	}
	runs, ok := Runs(line)
	for i := range runs {
		if all = append(all, runs[i].deletions()...); len(all) > 8*maxRuns {
			break
		}
	}
	if !ok && slices.ContainsFunc(strings.FieldsFunc(lower, notInWord), func(w string) bool {
		return slices.Contains(deleters, path.Base(w))
	}) {
		all = append(all, Deletion{})
	}
	return unique(all)
}

func notInWord(c rune) bool { return strings.ContainsRune(" \t\r\n;&|<>()'\"`{}$\\", c) }

func unique(all []Deletion) (out []Deletion) {
	seen := map[[2]string]bool{}
	for _, d := range all {
		if key := [2]string{d.Dir, d.Path.Raw}; !seen[key] {
			seen[key] = true
			out = append(out, d)
		}
	}
	return out
}

func (r *Run) deletions() (all []Deletion) {
	name, args := strings.ToLower(r.Program()), r.Words[1:]
	switch {
	case name == "git":
		at := slices.IndexFunc(args, func(w Word) bool { return w.Text() == "rm" })
		if at < 0 {
			return nil
		}

		dir := r.Dir
		for i, w := range args[:at] {
			if i > 0 && args[i-1].Text() == "-C" {
				dir = path.Join(dir, w.Text())
			}
		}
		if slices.ContainsFunc(args, func(w Word) bool { return w.Text() == "--cached" }) { // the file stays
			return nil
		}
		return operands(args[at+1:], dir, r.Fed)
	case name == "gio":
		if len(args) == 0 || args[0].Text() != "trash" && args[0].Text() != "remove" {
			return nil
		}
		return operands(args[1:], r.Dir, r.Fed)
	case name == "find":
		return r.findDeletions()
	case name == "shred" && !slices.ContainsFunc(args, removes):
		return nil
	case slices.Contains(deleters, name):
		return operands(args, r.Dir, r.Fed)
	}

	return nil
}

// removes reports whether an option makes shred remove the file.
func removes(w Word) bool {
	text := w.Text()
	return strings.HasPrefix(text, "--remove") || strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--") &&
		strings.Contains(text, "u")
}

// operands returns the arguments that aren't options. If the program gets more arguments, what it deletes is unknown.
func operands(args []Word, dir string, fed bool) (all []Deletion) {
	plain := false
	for _, w := range args {
		switch text := w.Text(); {
		case text == "--" && !plain:
			plain = true
		case !plain && strings.HasPrefix(text, "-"), text == "{}":
		default:
			all = append(all, Deletion{Path: w, Dir: dir})
		}
	}
	if fed {
		all = append(all, Deletion{Dir: dir})
	}
	return all
}

func (r *Run) findDeletions() (all []Deletion) {
	if !slices.ContainsFunc(r.Words, func(w Word) bool { return w.Text() == "-delete" }) {
		return nil
	}
	for _, w := range r.Words[1:] {
		if text := w.Text(); text == "" || strings.ContainsAny(text[:1], "-(!") {
			break
		}
		all = append(all, Deletion{Path: w, Dir: r.Dir})
	}
	if all == nil {
		all = []Deletion{{Dir: r.Dir}}
	}
	return all
}
