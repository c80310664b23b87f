package inspect

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/trust"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/scriptread"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// posixShells lists the shells whose scripts are examined.
var posixShells = []string{"sh", "bash", "dash", "zsh", "ksh"}

// missing reports missing programs and variables that a hook needs. Without them a guard usually decides nothing.
func (x *examination) missing(d dialect.Dialect, h *schema.Hook) (found []Problem) {
	for _, l := range lacking(d, h, x.startedIn(d), x.short) {
		found = append(found, Problem{Weaker, schema.CodeNotStarted, plan.GuardSeverity(d, h), l.String(),
			l.fix()})
	}
	for _, u := range neverSet(d, h, x.startedIn(d), x.short) {
		found = append(found, Problem{Weaker, schema.CodeNoFeature, plan.GuardSeverity(d, h), u.String(),
			readFromStdin})
	}
	return found
}

// A lack is a program that a hook's command or shell script calls and that isn't in PATH, or a bash word in a text for
// another shell.
type lack struct{ where, name, shell string }

func (l lack) String() string {
	if l.shell != "" {
		return l.where + " uses " + l.name + ", which " + l.shell + " doesn't have: it is dash here, and not bash"
	}
	return l.where + " calls " + l.name + ", which isn't in PATH"
}

// fix returns what to do about it.
func (l lack) fix() string {
	if l.shell != "" {
		return "run it with bash"
	}
	return "install " + shell.Quote(l.name)
}

func lacking(d dialect.Dialect, h *schema.Hook, p schema.Places, short func(file string) string) (found []lack) {
	if h.Handler != schema.HandlerCommand {
		return nil
	}

	spec, err := specIn(d, h, p)
	if err != nil {
		return nil
	}

	c, path := commandOf(h, spec, p.Home), p.Env.Get("PATH")
	words := c.words
	add := func(where, text, by string) {
		for _, name := range missingIn(text, path) {
			if len(words) == 0 || name != words[0] { // otherwise CommandProblem reports it
				found = append(found, lack{where, name, ""})
			}
		}
		for _, name := range ofBashIn(text, by, path) {
			if len(words) == 0 || name != words[0] || c.goesOn {
				found = append(found, lack{where, name, by})
			}
		}
	}
	if c.shell != "" {
		add("the command", h.Command, c.shell)
	}

	file, text := script(d, h, p)
	first, _, _ := strings.Cut(string(text), "\n")
	interpreter := strings.Fields(strings.TrimPrefix(first, "#!"))
	posix := func(w string) bool { return slices.Contains(posixShells, filepath.Base(w)) }
	if i := slices.IndexFunc(interpreter, posix); text != nil && strings.HasPrefix(first, "#!") && i >= 0 {
		add("the script "+short(file), string(text), interpreter[i])
	} else if text != nil && !strings.HasPrefix(first, "#!") && posix(words[0]) {
		add("the script "+short(file), string(text), words[0])
	}

	return found
}

// script returns the file that a hook's command starts, directly or as an argument of another program such as uv run,
// and its text. The text is nil if it can't be read as text. The file is "" if the command starts none.
func script(d dialect.Dialect, h *schema.Hook, p schema.Places) (file string, text []byte) {
	spec, err := specIn(d, h, p)
	if err != nil || h.Handler != schema.HandlerCommand {
		return "", nil
	}
	c := commandOf(h, spec, p.Home)
	words := c.words
	for i, w := range words {
		behind := i == 1 && shell.IsInterpreter(words[0]) && !strings.HasPrefix(w, "-")
		first := i == 0 && strings.Contains(w, "/") || behind
		if !first && (i == 0 || !scriptread.IsScript(w)) {
			continue
		}
		if !filepath.IsAbs(w) {
			w = filepath.Join(c.dir, w)
		}
		const longest = 1 << 20
		text, _, err = discover.ReadStart(w, longest)
		if isText := err == nil && !slices.Contains(text, 0); isText {
			return w, text
		}
		file = cmp.Or(file, w)
	}
	return file, nil
}

// missingIn lists the programs that a shell text starts and that aren't in PATH. Programs that the text defines, tests
// for or may get elsewhere aren't listed.
func missingIn(text, path string) (names []string) {
	runs, ok := shell.Runs(text)
	if !ok || strings.Contains(text, "PATH=") {
		return nil
	}
	for _, r := range runs {
		if p := r.Program(); p == "source" || p == "." || p == "eval" {
			return nil
		}
	}
	for _, r := range runs {
		name := r.Words[0].Text()
		plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-") == ""
		isProgram := plain && name != "" && !strings.HasPrefix(name, "-") && !r.Guess
		if !isProgram || slices.Contains(names, name) || InPath(name, path) || elsewhere(text, name) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// ofBashIn lists the bash words in a shell text if the shell that reads it lacks them.
func ofBashIn(text, by, path string) (names []string) {
	script, ok := shell.Parse(text)
	if !ok || !lacksBash(by, path) {
		return nil
	}
	var look func(s shell.Script)
	look = func(s shell.Script) {
		for i := range s.Items {
			c := &s.Items[i].Command
			name := ""
			switch {
			case c.Kind == shell.Test:
				name = "[["
			case c.Kind == shell.Simple && len(c.Words) > 0:
				name = c.Words[0].Text()
			}
			if slices.Contains(strings.Fields(ofBash), name) && !elsewhere(text, name) {
				names = lists.With(names, name)
			}
			for _, l := range c.Lists {
				look(l)
			}
		}
	}
	look(script)
	return names
}

// elsewhere reports whether a shell text defines a command itself, or checks that it exists.
func elsewhere(text, name string) bool {
	return slices.ContainsFunc([]string{name + "()", name + " ()", "function " + name, "alias " + name + "=",
		"command -v " + name, "which " + name,
		"type " + name, "hash " + name, "-v " + name}, func(s string) bool { return strings.Contains(text, s) })
}

// elsewhereIs returns the fix for a missing script that exists elsewhere, "" if there is none. It looks in the folder
// of the hook's file, and in the hooks folders of agents in the project.
func elsewhereIs(problem, word string, h *schema.Hook, p schema.Places) (fix string) {
	if problem == "" || p.Project == "" {
		return ""
	}
	tries := []string{filepath.Join(filepath.Dir(h.Source.File), word)}
	for _, d := range adapter.Dialects() {
		for _, s := range d.Locate(p) {
			if s.OfProject() {
				tries = append(tries, filepath.Join(filepath.Dir(s.File), "hooks", filepath.Base(word)))
			}
		}
	}
	for _, file := range tries {
		if discover.IsFile(file) {
			return "write the path of " + filepath.ToSlash(trust.InProject(p.Project, file)) + ", if that is meant"
		}
	}
	return ""
}
