package inspect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// isAgents reports whether an agent sets a variable, or its name looks like that: it begins with an agent's name and
// continues like a variable of another agent. Users don't set such variables.
func isAgents(name string) bool {
	word, rest, _ := strings.Cut(name, "_")
	called := slices.ContainsFunc(adapter.Dialects(), func(d dialect.Dialect) bool {
		return strings.EqualFold(word, d.Profile().Name)
	})
	return slices.ContainsFunc(adapter.Dialects(), func(d dialect.Dialect) bool {
		return slices.ContainsFunc(variablesOf(d.Profile()), func(own string) bool {
			first, after, _ := strings.Cut(own, "_")
			return own == name || called && after == rest && strings.EqualFold(first, d.Profile().Name)
		})
	})
}

// variablesOf returns the variables that an agent sets for hooks or plugins.
func variablesOf(p *dialect.Profile) []string {
	names := append(slices.Concat(p.HostVariables, p.Plugins.Vars), p.Plugins.Data)
	for _, r := range p.Reads {
		if r.Moves == dialect.Describes && strings.Contains(r.Name, "_") { // otherwise it is a system variable
			names = append(names, r.Name)
		}
	}
	return names
}

// unsetProblem looks for a program or script whose path begins with a variable that its agent doesn't set for the hook.
// Such a path points to the root of the file system.
func unsetProblem(d dialect.Dialect, h *schema.Hook, p schema.Places, spec dialect.Spec) (problem, fix string) {
	env := spec.Env
	var unset []string
	for _, text := range append([]string{h.Command}, h.Args...) {
		for _, after := range strings.Split(text, "$")[1:] {
			name := shell.Name(strings.TrimPrefix(after, "{"))
			given := slices.ContainsFunc(h.Env, func(v schema.EnvVar) bool { return v.Name == name })
			set := given || schema.Environ(env).Get(name) != "" || p.Env.Get(name) != ""
			ofPlugins := strings.Contains(name, "PLUGIN") && !isInPlace(d, h, p) // the file may be a plugin's
			if name != "" && !set && !ofPlugins && isAgents(name) {
				unset = append(unset, name)
			}
		}
	}
	if unset == nil {
		return "", ""
	}

	known, c := commandOf(h, spec, p.Home).words, commandOf(h, spec, p.Home, unset...)
	if !c.needed {
		return "", ""
	}
	for i, w := range c.words[:min(len(c.words), 2)] {
		needed := i == 0 || shell.IsInterpreter(c.words[0])
		if !needed || !filepath.IsAbs(w) || i < len(known) && known[i] == w {
			continue
		}
		return d.Profile().Title + " doesn't set $" + unset[0] + " for this hook, so it starts " + w, instead(d, p, env)
	}
	return "", ""
}

// isInPlace reports whether a hook's file is in a place where its agent reads hooks of a project or of the user.
func isInPlace(d dialect.Dialect, h *schema.Hook, p schema.Places) bool {
	anywhere := d.Locate(schema.Places{OS: p.OS, Project: "/", Home: "/"})
	return slices.ContainsFunc(append(anywhere, d.Locate(p)...), func(s schema.Source) bool {
		file, place := "/"+filepath.ToSlash(h.Source.File), filepath.ToSlash(s.File)
		return strings.HasSuffix(file, place) || s.Folder && strings.Contains(file, place+"/")
	})
}

// instead returns the fix for a variable that isn't set.
func instead(d dialect.Dialect, p schema.Places, env []string) string {
	for _, v := range env {
		if name, value, _ := strings.Cut(v, "="); p.Project != "" && value == p.Project && isAgents(name) {
			return "write $" + name + ", which " + d.Profile().Title + " sets to the project's folder"
		}
	}
	return "write the path in full"
}
