package inspect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// A command is what an agent starts for a hook, as far as its words are known. The user's home folder and the folders
// from the environment are filled in.
type command struct {
	words []string
	dir   string // its working directory
	shell string // the program that reads the line; "": none
	// open: the line ends inside a quote or a compound command, so no shell runs it
	open   bool
	goesOn bool // the line continues if the command isn't found
	// needed is false if the line doesn't need the command, or finds it in another PATH.
	needed bool
}

// commandOf returns the first command of a hook's line after those that only change the folder.
func commandOf(h *schema.Hook, spec dialect.Spec, home string, unset ...string) (c command) {
	c.dir = spec.Dir
	line, byShell := lineOf(h, spec)
	if !byShell {
		c.words, c.needed = spec.Argv, true
		return c
	}

	folders := map[string]string{}
	for _, name := range unset {
		folders[name] = ""
	}
	for _, v := range spec.Env {
		if name, value, _ := strings.Cut(v, "="); filepath.IsAbs(value) {
			folders[name] = value
		}
	}

	c.shell = spec.Argv[0]
	script, ok := shell.Parse(line)
	if c.open = script.Unclosed && !strings.Contains(line, "<<"); !ok || script.Unclosed {
		return c
	}
	for i := range script.Items {
		c.words, c.needed = firstWords(&script.Items[i], folders, home)
		c.goesOn = script.Items[i].Op == ";" || script.Items[i].Op == "\n"
		folder := c.folder()
		if folder == "" || !discover.IsFolder(folder) || i == len(script.Items)-1 {
			break
		}
		c.dir = folder
	}
	return c
}

// folder returns the new folder of a command that only changes the folder, "" for any other.
func (c *command) folder() string {
	switch {
	case !c.needed || len(c.words) != 2 || c.words[0] != "cd" || strings.HasPrefix(c.words[1], "-"):
		return ""
	case filepath.IsAbs(c.words[1]):
		return c.words[1]
	}
	return filepath.Join(c.dir, c.words[1])
}

// lineOf returns the line of a hook that a shell reads; ok is false if its agent starts a program without a shell.
func lineOf(h *schema.Hook, spec dialect.Spec) (line string, ok bool) {
	argv, last := spec.Argv, len(spec.Argv)-1
	switch {
	case h.Args != nil || last < 1:
		return "", false
	case last == 2 && slices.Contains(posixShells, filepath.Base(argv[0])) && strings.HasPrefix(argv[1], "-") &&
		strings.HasSuffix(argv[1], "c"):
		return argv[last], true
	}
	return h.Command, strings.Contains(argv[last], h.Command)
}

// firstWords returns the words of one command of a line; ok is false if the line doesn't need it.
func firstWords(item *shell.Item, folders map[string]string, home string) (words []string, ok bool) {
	c := &item.Command
	if c.Kind != shell.Simple || item.Op == "||" || slices.ContainsFunc(c.Assigns, func(w shell.Word) bool {
		return strings.HasPrefix(w.Raw, "PATH=")
	}) {
		return nil, false
	}

	for _, w := range c.Words {
		text, ok := filledIn(w, folders, home)
		if !ok {
			break
		}
		words = append(words, text)
	}

	for len(words) > 1 && slices.Contains(starters, words[0]) && !strings.HasPrefix(words[1], "-") {
		words = words[1:]
	}

	return words, len(words) > 0
}

// starters lists words of the shell, and a program, that only start the command after them.
var starters = []string{"exec", "command", "nohup"}

// filledIn returns the expansion of a word by a shell, or the first word of it for a folder with blanks in its name.
func filledIn(w shell.Word, folders map[string]string, home string) (text string, ok bool) {
	for i, p := range w.Parts {
		switch {
		case p.Kind == shell.Literal && !p.Double && strings.ContainsAny(p.Text, "*?[{"):
			return "", false
		case p.Kind == shell.Literal && !p.Double && i == 0 && strings.HasPrefix(p.Text, "~"):
			rest, own := strings.CutPrefix(p.Text, "~/")
			if !own {
				return "", false
			}
			text = home + "/" + rest
		case p.Kind <= shell.Escaped && !p.Unclosed:
			text += p.Text
		case p.Kind == shell.Variable && known(folders, p.Text):
			value, _, splits := strings.Cut(folders[p.Text], " ")
			if splits && !p.Double {
				return text + value, true
			}
			text += folders[p.Text]
		default:
			return "", false
		}
	}
	return text, true
}

func known(folders map[string]string, name string) bool {
	_, ok := folders[name]
	return ok
}

// lacksWord reports whether the command is a bash word that its shell doesn't have.
func (c *command) lacksWord(path string) bool {
	return c.shell != "" && slices.Contains(strings.Fields(ofBash), c.words[0]) && lacksBash(c.shell, path)
}

// lacksBash reports whether a shell is dash, which lacks the words of bash.
func lacksBash(program, path string) bool {
	if !strings.Contains(program, "/") {
		program = simulate.LookPath(program, path)
	}
	return filepath.Base(dialect.RealPath(program)) == "dash"
}

// builtins of shells aren't found by a search in PATH; ofBash lists those that dash doesn't have.
const (
	builtins = ofBash + ` : . [ alias bg break case cd command continue do done echo elif else esac eval exec exit
	export false fc fg fi for getopts hash if in jobs kill local printf pwd read readonly return set shift test then
	time times trap true type ulimit umask unalias unset until wait while`
	ofBash = `[[ autoload builtin caller compgen coproc declare dirs disown emulate enable function help history let
	logout mapfile popd pushd readarray select setopt shopt source suspend typeset`
)

// InPath reports whether a plain command word is a builtin or a program in PATH.
func InPath(name, path string) bool {
	return slices.Contains(strings.Fields(builtins), name) || simulate.LookPath(name, path) != ""
}
