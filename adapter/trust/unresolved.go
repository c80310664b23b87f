package trust

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// An UnresolvedHook runs a program whose file its command does not show, so that
// no fingerprint can cover it.
type UnresolvedHook struct {
	Hook schema.Hook
	Word string // as the command has it
}

// Unresolved lists the project's hooks whose program only a shell can know at run
// time: x=$(cat name); sh $x.
func Unresolved(res discover.Result, foreign func(schema.Source) bool) (out []UnresolvedHook) {
	for _, c := range res.Configs {
		if !foreign(c.Source) {
			continue
		}
		for i := range c.Hooks {
			h := &c.Hooks[i]
			if h.Handler == schema.HandlerCommand || h.Handler == 0 {
				if word := unresolvedIn(h); word != "" {
					out = append(out, UnresolvedHook{*h, word})
				}
			}
		}
	}
	return out
}

func unresolvedIn(h *schema.Hook) string {
	u := unresolved{known: map[string]bool{}, depth: 4}
	if h.Args == nil {
		u.line(h.Command)
		return u.word
	}
	u.command(lists.Map(append([]string{h.Command}, h.Args...), literal))
	return u.word
}

func literal(text string) shell.Word {
	return shell.Word{Raw: text, Parts: []shell.Part{{Kind: shell.Quoted, Text: text}}}
}

// unresolved reads a command for the words that are executed.
type unresolved struct {
	known map[string]bool // by variable: all that it is set to can be found
	word  string          // the first word that can't
	depth int
}

func (u *unresolved) report(w shell.Word) {
	if u.word == "" {
		u.word = w.Raw
	}
}

// line reads a command line. One that can't be parsed is taken for unresolved if
// it expands anything.
func (u *unresolved) line(line string) {
	if u.depth--; u.depth < 0 {
		return
	}
	script, ok := shell.Parse(line)
	if !ok || script.Unclosed {
		if strings.ContainsAny(line, "$`") {
			u.report(literal(line))
		}
		return
	}
	u.variables(script)
	u.script(script)
}

func (u *unresolved) variables(s shell.Script) {
	set := func(name string, values ...shell.Word) {
		known, before := u.known[name]
		all := !slices.ContainsFunc(values, func(w shell.Word) bool { return !u.found(w) })
		u.known[name] = all && (known || !before)
	}
	for i := range s.Items {
		c := &s.Items[i].Command
		for _, a := range c.Assigns {
			name, value, _ := strings.Cut(a.Raw, "=")
			set(strings.TrimRight(name, "+"), shell.Word{Raw: value, Parts: a.Parts})
		}
		if c.Kind == shell.For {
			set(c.Name, c.In...)
		}
		for _, list := range c.Lists {
			u.variables(list)
		}
	}
}

// found reports whether the files that a word may name can be found.
func (u *unresolved) found(w shell.Word) bool {
	if w.Fixed() && !strings.ContainsAny(w.Raw, "*?[{") {
		return true
	}
	if name, _ := shell.Pattern(strings.NewReplacer(`"`, "", "'", "").Replace(w.Raw)); name != "" {
		return true
	}
	variables := false
	for _, p := range w.Parts {
		switch p.Kind {
		case shell.Variable:
			if !u.known[p.Text] {
				return false
			}
			variables = true
		case shell.Expansion, shell.Output, shell.Process, shell.Ansi:
			return false
		}
	}
	return variables
}

func (u *unresolved) script(s shell.Script) {
	for i := range s.Items {
		c := &s.Items[i].Command
		for _, list := range c.Lists {
			u.script(list)
		}
		for _, w := range slices.Concat(c.Words, c.Assigns, c.In) {
			for _, p := range w.Parts {
				for _, inner := range p.Scripts {
					u.script(inner)
				}
			}
		}
		if c.Kind != shell.Simple || len(c.Words) == 0 {
			continue
		}
		if at := u.command(c.Words); at >= 0 { // an interpreter without a script reads it from stdin
			for _, r := range c.Redirects {
				if strings.HasPrefix(r.Op, "<") && !u.found(r.Target) {
					u.report(r.Target)
				}
			}
			for j := i - 1; j >= 0 && strings.HasPrefix(s.Items[j].Op, "|") && s.Items[j].Op != "||"; j-- {
				for _, w := range s.Items[j].Command.Words {
					if !u.found(w) {
						u.report(w)
					}
				}
			}
		}
	}
}

// wrappers run the command that follows them.
var wrappers = []string{"env", "exec", "command", "nohup", "time", "sudo", "builtin", "timeout", "nice", "xargs"}

// command looks at the words of one command: the program and, of an interpreter,
// its script. It returns the interpreter's index if that reads stdin, else -1.
func (u *unresolved) command(words []shell.Word) int {
	name, at := "", 0
	for ; at < len(words); at++ {
		if !u.found(words[at]) {
			u.report(words[at])
			return -1
		}
		name = words[at].Text()
		name = name[strings.LastIndexByte(name, '/')+1:]
		option := at > 0 && (strings.HasPrefix(name, "-") || shell.IsAssignment(name) || isDuration(name))
		if !option && !slices.Contains(wrappers, name) {
			break
		}
	}
	if at == len(words) {
		return -1
	}
	piped := slices.ContainsFunc(words[:at], func(w shell.Word) bool { return w.Text() == "xargs" })
	switch rest := words[at+1:]; {
	case name == "eval":
		for _, w := range rest {
			if !u.found(w) {
				u.report(w)
			}
		}
	case name == "find":
		u.executed(rest)
	case name == "." || name == "source" || shell.IsInterpreter(name):
		script := false
		for i, w := range rest {
			text := w.Text()
			switch {
			case !u.found(w):
				u.report(w)
			case i > 0 && strings.HasSuffix(rest[i-1].Text(), "c") && strings.HasPrefix(rest[i-1].Text(), "-") && w.Fixed():
				u.line(text)
				script = true
			case !strings.HasPrefix(text, "-"):
				script = true
			}
			if script && strings.ContainsAny(text, "./") || u.word != "" {
				return -1
			}
		}
		if script {
			return -1
		}
		if piped {
			u.report(words[at])
		}
		return at
	}
	return -1
}

// isDuration reports whether a word is a number as timeout and nice take it.
func isDuration(word string) bool {
	return word != "" && word[0] >= '0' && word[0] <= '9' && strings.Trim(word, "0123456789.smhd") == ""
}

// executed reports what find runs for each file that it finds.
func (u *unresolved) executed(words []shell.Word) {
	for i, w := range words {
		switch w.Text() {
		case "-exec", "-execdir", "-ok", "-okdir":
			for j, name := range words[i+1:] {
				text := name.Text()
				if text == "{}" && (j == 0 || shell.IsInterpreter(words[i+1].Text())) {
					u.report(w)
				}
			}
		}
	}
}

// maxLooks is how many names are looked for on the disk for all commands of a
// project together, and maxLine the longest command that is read: a stranger's
// repository must not keep the bridge from answering in time.
const (
	maxLooks = 20000
	maxLine  = 128 << 10 // no system starts a longer one
)

var errTooMany = errors.New("the hooks' commands name too many files to check")

// A namedFiles finds the files of a project that its hooks' commands name. A
// command is read as loosely as a shell could take it: a file too many only
// means that its change is noticed.
type namedFiles struct {
	project string
	cwd     string // where hooks run, if that is another folder of the project; else ""
	looks   int
	err     error // errTooMany
}

// of lists the files inside the project that a hook names, each once.
func (n *namedFiles) of(h *schema.Hook) (files []string) {
	names := n.spellings(h)
	folders := []string{n.project}
	if n.cwd != "" {
		folders = append(folders, n.cwd)
	}
	for _, m := range h.Extra { // an entry may say where its command starts
		dir, _ := ordjson.String(m.Value)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(n.project, dir)
		}
		if dialect.Within(n.project, dir) && discover.IsFolder(dir) && !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	for i := 0; i < len(folders); i++ { // grows by the folders that are named, as by cd
		for _, name := range names {
			for _, found := range n.expand(folders[i], strings.Split(name, "/")) {
				switch info, err := os.Stat(found); {
				case err != nil:
				case info.IsDir() && !slices.Contains(folders, found):
					folders = append(folders, found)
				case info.Mode().IsRegular() && !slices.Contains(files, found):
					files = append(files, found)
				}
			}
		}
	}
	return files
}

// spellings lists what a hook's command may name, as patterns.
func (n *namedFiles) spellings(h *schema.Hook) (names []string) {
	for _, line := range append([]string{h.Command}, h.Args...) {
		if len(line) > maxLine {
			n.err = errTooMany
			return nil
		}
		names = append(names, shell.Spellings(n.fromProject(line))...)
	}
	for _, t := range implied {
		if slices.Contains(names, t.program) {
			names = append(names, t.files...)
		}
	}
	return names
}

// implied are programs whose commands are in a file that they find by themselves.
var implied = []struct {
	program string
	files   []string
}{
	{"make", []string{"GNUmakefile", "makefile", "Makefile"}}, {"just", []string{"justfile", "Justfile", ".justfile"}},
	{"npm", []string{"package.json"}}, {"pnpm", []string{"package.json"}}, {"yarn", []string{"package.json"}}, {"bun", []string{"package.json"}},
}

// fromProject has the names of a line begin at the project, and slashes between
// folders on every system.
func (n *namedFiles) fromProject(line string) string {
	line = strings.NewReplacer("\\\r\n", "", "\\\n", "", "/proc/self/cwd/", "./", "/proc/$$/cwd/", "./", "~+/", "./").Replace(line)
	line = filepath.ToSlash(shell.PlainQuotes(line))
	for _, root := range []string{n.project, realPath(n.project)} {
		if root = filepath.ToSlash(root); root != "/" {
			line = strings.NewReplacer(root+"/", "/", root+"'/", "'/", root+`"/`, `"/`).Replace(line)
		}
	}
	return line
}

// expand lists the files below the folder that the parts of a name match.
func (n *namedFiles) expand(folder string, parts []string) (found []string) {
	if n.looks++; n.looks > maxLooks {
		n.err = errTooMany
		return nil
	}
	if len(parts) == 0 {
		if dialect.Within(n.project, folder) {
			found = append(found, folder)
		}
		return found
	}
	if !strings.ContainsAny(parts[0], "*?[") {
		if next := filepath.Join(folder, parts[0]); len(parts) == 1 || discover.IsFolder(next) {
			found = n.expand(next, parts[1:])
		}
		return found
	}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if n.looks++; n.looks > maxLooks {
			n.err = errTooMany
			return found
		}
		if ok, _ := path.Match(parts[0], e.Name()); ok || e.Name() == parts[0] {
			found = append(found, n.expand(filepath.Join(folder, e.Name()), parts[1:])...)
		}
	}
	return found
}
