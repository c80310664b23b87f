package trust

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// Unresolved lists the project's hooks whose command isn't one line of fixed words and known variables: it may run
// files that no fingerprint covers.
func Unresolved(d dialect.Dialect, project string, res discover.Result, foreign func(schema.Source) bool) (
	out []schema.Hook) {
	for _, c := range res.Configs {
		if !foreign(c.Source) {
			continue
		}
		for i := range c.Hooks {
			h := &c.Hooks[i]
			if (h.Handler == schema.HandlerCommand || h.Handler == 0) && !fixed(h, known(d, h, project)) {
				out = append(out, *h)
			}
		}
	}
	return out
}

// known lists the folder variables that the hook's agent passes to its command.
func known(d dialect.Dialect, h *schema.Hook, project string) []string {
	names := []string{"HOME", "PWD"}
	c := &schema.Call{Dialect: d.Profile().Name, Event: h.Event, Native: h.Native, Cwd: project, Project: project}
	spec, err := d.Spec(h, c, schema.Places{Home: project, Project: project})
	if err != nil {
		return names
	}
	for _, v := range spec.Env {
		if name, value, _ := strings.Cut(v, "="); filepath.IsAbs(value) {
			names = append(names, name)
		}
	}
	return names
}

// folder stands for a known variable.
const folder = "/known"

func fixed(h *schema.Hook, known []string) bool {
	if h.Args != nil {
		return plain(append([]string{h.Command}, h.Args...), 0)
	}
	line := h.Command
	if !strings.ContainsAny(line, `'\`) { // which keep a shell from expanding a variable
		for _, name := range known {
			line = strings.ReplaceAll(line, "${"+name+"}", folder)
			for i := strings.Index(line, "$"+name); i >= 0 && shell.Name(line[i+1:]) == name; i = strings.Index(line,
				"$"+name) {
				line = line[:i] + folder + line[i+1+len(name):]
			}
		}
	}
	words, ok := shell.Words(line)
	return ok && plain(words, 0)
}

// finders run files that they find, or whose names they read.
var finders = []string{"xargs", "parallel", "-exec", "-execdir", "-ok", "-okdir"}

// plain reports whether words name every file that the command runs. Words after an interpreter may be a script, so
// they must be fixed words too.
func plain(words []string, depth int) bool {
	script := false
	for _, w := range words {
		name := w[strings.LastIndexByte(w, '/')+1:]
		// /proc/self/cwd is the project
		if slices.Contains(finders, name) || strings.Contains(w, "/proc/") || depth > 4 {
			return false
		}
		if inner, ok := shell.Words(w); script && (!ok || len(inner) > 1 && !plain(inner, depth+1)) {
			return false
		}
		script = script || name == "eval" || shell.IsInterpreter(name)
	}
	return true
}

// maxLooks limits the names that are searched on the disk for all commands of a project together, and maxLine the
// length of a command: an unknown repository must not keep hookbridge from answering in time.
const (
	maxLooks = 20000
	maxLine  = 128 << 10 // no system starts a longer one
)

var errTooMany = errors.New("the hooks' commands name too many files to check")

// A namedFiles finds the project's files that its hooks' commands name. An extra file only means that its change is
// noticed.
type namedFiles struct {
	project string
	cwd     string // where hooks run, if that is another folder of the project; else ""
	looks   int
	err     error // errTooMany
}

// of lists the files inside the project that a hook names, each once.
func (n *namedFiles) of(h *schema.Hook) (files []string) {
	names := n.names(h)
	folders := []string{n.project}
	if n.cwd != "" {
		folders = append(folders, n.cwd)
	}

	for _, m := range h.Extra { // an entry may set where its command starts
		dir, _ := ordjson.String(m.Value)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(n.project, dir)
		}
		if dialect.Within(n.project, dir) && discover.IsFolder(dir) && !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}

	for i := 0; i < len(folders); i++ { // grows with the folders that are named, as by cd
		for _, name := range names {
			if n.looks++; n.looks > maxLooks {
				n.err = errTooMany
				return files
			}
			file := filepath.Join(folders[i], name)
			info, err := os.Stat(file)
			switch {
			case err != nil || !dialect.Within(n.project, file):
			case info.IsDir() && !slices.Contains(folders, file):
				folders = append(folders, file)
			case info.Mode().IsRegular() && !slices.Contains(files, file):
				files = append(files, file)
			}
		}
	}

	return files
}

// names lists what a hook's command may name: its words, the words of words that are lines themselves, and every
// sequence of characters that occur in file names.
func (n *namedFiles) names(h *schema.Hook) (names []string) {
	var words []string
	for _, line := range append([]string{h.Command}, h.Args...) {
		if len(line) > maxLine {
			n.err = errTooMany
			return nil
		}
		bare := withoutVariables(line)
		words = append(words, inner(line, 0)...)
		words = append(append(words, inner(bare, 0)...), stretches(bare)...)
	}
	for _, t := range implied {
		if slices.Contains(words, t.program) {
			words = append(words, t.files...)
		}
	}
	for _, word := range words {
		for _, root := range []string{n.project, dialect.RealPath(n.project)} {
			word = strings.TrimPrefix(filepath.ToSlash(word), filepath.ToSlash(root)+"/")
		}
		names = append(names, word)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// inner returns a line with its words, and the words of those.
func inner(line string, depth int) []string {
	list := []string{line}
	words, _ := shell.Words(line)
	if len(words) == 1 && words[0] == line || depth > 4 {
		return list
	}
	for _, w := range words {
		list = append(list, inner(w, depth+1)...)
	}
	return list
}

// withoutVariables removes $NAME and ${NAME}: what follows a folder's variable is searched in the project.
func withoutVariables(line string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(line, "$")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		inside, braced := strings.CutPrefix(rest, "{")
		name := shell.Name(inside)
		switch line = inside[len(name):]; {
		case name == "":
			b.WriteByte('$')
			line = rest
		case braced:
			line = strings.TrimPrefix(line, "}")
		}
	}
}

// stretches splits a line at characters that are rare in file names. It leaves out files that are only written to, such
// as a command's log: they don't affect what the command does.
func stretches(line string) (list []string) {
	var b strings.Builder
	for i := range len(line) {
		switch c := line[i]; {
		case c == '>':
			b.WriteString(" > ")
		case c >= 0x80 || ascii.Word(c) || strings.IndexByte(".-/+@%", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte(' ')
		}
	}
	written := false
	for _, w := range strings.Fields(b.String()) {
		if w != ">" && !written {
			list = append(list, w)
		}
		written = w == ">"
	}
	return list
}

// implied lists programs that find the file with their commands themselves.
var implied = []struct {
	program string
	files   []string
}{
	{"make", []string{"GNUmakefile", "makefile", "Makefile"}},
	{"just", []string{"justfile", "Justfile", ".justfile"}},
	{"npm", []string{"package.json"}},
	{"pnpm", []string{"package.json"}},
	{"yarn", []string{"package.json"}},
	{"bun", []string{"package.json"}},
}
