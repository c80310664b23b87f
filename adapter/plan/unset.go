package plan

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// unset reports its agent's variables that a hook's command needs and that hookbridge doesn't set: the variables of the
// agent's process, and those that the agent sets only in a plugin's hooks.
func unset(d dialect.Dialect, h *schema.Hook) (found []Finding) {
	names := needed(d.Profile(), h)
	if len(names) == 0 || h.Handler != schema.HandlerCommand {
		return nil
	}
	c := &schema.Call{Dialect: d.Profile().Name, Event: h.Event, Native: h.Native, Cwd: "/project", Project: "/project"}
	for _, f := range []schema.Field{schema.FieldSession, schema.FieldUser, schema.FieldTranscript} {
		c.SetStr(f, "given")
	}
	spec, err := d.Spec(h, c, schema.Places{Home: "/home", Project: "/project"})
	for _, name := range names {
		if err == nil && schema.Environ(spec.Env).Get(name) == "" {
			found = append(found, Finding{Code: schema.CodeNoFeature, Severity: schema.Weaker,
				Message: "hookbridge doesn't set " + name + " for this hook, so the hook fails",
				Fix:     "write the path in full"})
		}
	}
	return found
}

// needed lists the agent's own variables in a command, except variables with a default and defaults themselves.
func needed(p *dialect.Profile, h *schema.Hook) (names []string) {
	for _, text := range append([]string{h.Command}, h.Args...) {
		for i := 0; i < len(text); {
			name := shell.Name(text[i:])
			before, after := text[:i], text[i+max(1, len(name)):]
			i = len(text) - len(after)
			if name == "" || !p.HostVariables.Has(name) || slices.Contains(names, name) {
				continue
			}
			set := slices.ContainsFunc(h.Env, func(v schema.EnvVar) bool { return v.Name == name })
			if set || name == p.EnvFile.For(h.Event) {
				continue
			}
			if !strings.HasPrefix(after, ":-") && !strings.HasSuffix(strings.TrimRight(before, "{$"), ":-") {
				names = append(names, name)
			}
		}
	}
	return names
}
