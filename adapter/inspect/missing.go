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

// missing reports the programs and the variables that a hook needs and that aren't there. A guard usually decides
// nothing without them.
func (x *examination) missing(d dialect.Dialect, h *schema.Hook) (found []Problem) {
	for _, l := range lacking(d, h, x.places, x.short) {
		found = append(found, Problem{Weaker, schema.CodeNotStarted, plan.GuardSeverity(d, h), l.String(),
			"install " + shell.Quote(l.name)})
	}
	for _, u := range neverSet(d, h, x.places, x.short) {
		found = append(found, Problem{Weaker, schema.CodeNoFeature, plan.GuardSeverity(d, h), u.String(),
			readFromStdin})
	}
	return found
}

// A lack is a program that a hook's command, or the shell script that it starts, calls and that isn't in PATH.
type lack struct{ where, name string }

func (l lack) String() string { return l.where + " calls " + l.name + ", which isn't in PATH" }

func lacking(d dialect.Dialect, h *schema.Hook, p schema.Places, short func(file string) string) (found []lack) {
	if h.Handler != schema.HandlerCommand {
		return nil
	}

	spec, err := specIn(d, h, p)
	if err != nil {
		return nil
	}

	words, _ := wordsOf(h, spec.Env, p.Home)
	add := func(where, text string) {
		for _, name := range missingIn(text, p.Env.Get("PATH")) {
			if len(words) == 0 || name != words[0] { // else CommandProblem reports it
				found = append(found, lack{where, name})
			}
		}
	}
	if h.Args == nil {
		add("the command", h.Command)
	}

	file, text := script(d, h, p)
	first, _, _ := strings.Cut(string(text), "\n")
	interpreter := strings.Fields(strings.TrimPrefix(first, "#!"))
	posix := func(w string) bool { return slices.Contains(posixShells, filepath.Base(w)) }
	if text != nil && (slices.ContainsFunc(interpreter, posix) || !strings.HasPrefix(first, "#!") && posix(words[0])) {
		add("the script "+short(file), string(text))
	}

	return found
}

// script is the file that a hook's command starts, and its text; nil if it starts none that can be read as text.
func script(d dialect.Dialect, h *schema.Hook, p schema.Places) (file string, text []byte) {
	spec, err := specIn(d, h, p)
	if err != nil || h.Handler != schema.HandlerCommand {
		return "", nil
	}
	words, _ := wordsOf(h, spec.Env, p.Home)
	if len(words) > 1 && shell.IsInterpreter(words[0]) {
		words = words[1:]
	} else if len(words) > 0 && !strings.Contains(words[0], "/") {
		return "", nil
	}
	if len(words) == 0 || strings.HasPrefix(words[0], "-") {
		return "", nil
	}
	if file = words[0]; !filepath.IsAbs(file) {
		file = filepath.Join(spec.Dir, file)
	}
	const longest = 1 << 20
	text, _, err = discover.ReadStart(file, longest)
	if err != nil || slices.Contains(text, 0) {
		return file, nil
	}
	return file, text
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
		isProgram := plain && name != "" && !strings.HasPrefix(name, "-") && !r.Guess
		if !isProgram || slices.Contains(names, name) || InPath(name, path) || elsewhere(text, name) {
			continue
		}
		names = append(names, name)
	}
	return names
}

// elsewhere reports whether a shell text defines a command itself, or asks whether it is there.
func elsewhere(text, name string) bool {
	return slices.ContainsFunc([]string{name + "()", name + " ()", "function " + name, "alias " + name + "=",
		"command -v " + name, "which " + name,
		"type " + name, "hash " + name, "-v " + name}, func(s string) bool { return strings.Contains(text, s) })
}
