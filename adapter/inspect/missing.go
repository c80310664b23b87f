package inspect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// posixShells run scripts that are read here.
var posixShells = []string{"sh", "bash", "dash", "zsh", "ksh"}

// missing reports the programs that a hook's command, or the shell script that it starts, calls and that aren't in
// PATH. A guard usually decides nothing without them.
func (x *examination) missing(d dialect.Dialect, h *schema.Hook) (found []Problem) {
	if h.Handler != schema.HandlerCommand {
		return nil
	}
	spec, err := d.Spec(h, &schema.Call{Dialect: d.Profile().Name, Project: x.places.Project, Cwd: x.places.Project}, x.places)
	if err != nil {
		return nil
	}
	words, _ := wordsOf(h, spec.Env, x.places.Home)
	add := func(where, text string) {
		for _, name := range missingIn(text, x.places.Env.Get("PATH")) {
			if len(words) > 0 && name == words[0] { // commandProblem reports it
				continue
			}
			found = append(found, Problem{Weaker, schema.CodeNotStarted, plan.GuardSeverity(d, h),
				where + " calls " + name + ", which isn't in PATH", "install " + name})
		}
	}
	if h.Args == nil {
		add("the command", h.Command)
	}
	if len(words) > 1 && slices.Contains(posixShells, filepath.Base(words[0])) {
		words = words[1:]
	} else if len(words) > 0 && !strings.Contains(words[0], "/") {
		return found
	}
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return found
	}
	file := words[0]
	if !filepath.IsAbs(file) {
		file = filepath.Join(spec.Dir, file)
	}
	text, _, err := discover.ReadStart(file, 1<<20)
	first, _, _ := strings.Cut(string(text), "\n")
	interpreter := strings.Fields(strings.TrimPrefix(first, "#!"))
	foreign := strings.HasPrefix(first, "#!") && !slices.ContainsFunc(interpreter, func(w string) bool { return slices.Contains(posixShells, filepath.Base(w)) })
	if err == nil && !foreign && !slices.Contains(text, 0) {
		add("the script "+x.short(file), string(text))
	}
	return found
}

// missingIn lists the programs that a shell text starts and that aren't in PATH. What the text defines, tests for
// or may get from elsewhere isn't listed.
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
		if !plain || name == "" || strings.HasPrefix(name, "-") || slices.Contains(names, name) || InPath(name, path) || elsewhere(text, name) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// elsewhere reports whether a shell text defines a command itself, or asks whether it is there.
func elsewhere(text, name string) bool {
	return slices.ContainsFunc([]string{name + "()", name + " ()", "function " + name, "alias " + name + "=", "command -v " + name, "which " + name,
		"type " + name, "hash " + name, "-v " + name}, func(s string) bool { return strings.Contains(text, s) })
}
