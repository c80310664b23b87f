package droid

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestResolve checks which of several files counts, as in the client (observed 0.225.2).
func TestResolve(t *testing.T) {
	hook := func(command string) string {
		return `{"hooks":[{"type":"command","command":"` + command + `"}]}`
	}
	pre := func(command string) string { return `{"PreToolUse":[` + hook(command) + `]}` }
	const user, project, old, settings = "~/hooks.json", "hooks.json", "hooks/hooks.json", "settings.json"
	inSettings := `{"hooks":` + pre("s") + `}`
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"user and project":         {map[string]string{user: pre("u"), project: pre("p")}, []string{"u", "p"}},
		"the old file of the user": {map[string]string{"~/hooks/hooks.json": pre("u")}, []string{"u"}},
		"old beside new":           {map[string]string{project: `{}`, old: pre("o")}, nil},
		"settings of that event":   {map[string]string{project: pre("p"), settings: inSettings}, []string{"p"}},
		"settings of another event": {map[string]string{project: `{"Stop":[` + hook("p") + `]}`, settings: inSettings},
			[]string{"p", "s"}},
		"settings behind a broken file": {map[string]string{project: `{"Stop":[{}]}`, settings: inSettings},
			[]string{"s"}},
		"off for the user": {map[string]string{user: `{"hooksDisabled":true}`, project: pre("p")}, nil},
		"on again in the project": {map[string]string{user: `{"hooksDisabled":true}`,
			project: `{"hooksDisabled":false,` + pre("p")[1:]}, []string{"p"}},
		"no switch": {map[string]string{project: `{"hooksDisabled":"yes",` + pre("p")[1:]}, nil},
		"a condition of another type": {map[string]string{project: `{"PreToolUse":[{"commandRegex":3,` +
			hook("p")[1:] + `]}`}, nil},
		"an empty command": {map[string]string{project: `{"PreToolUse":[` + hook("") + `,` + hook("p") + `]}`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := New()
			var cfgs []*schema.Config
			for _, s := range d.Locate(schema.Places{Home: "/home", Project: "/project"}) {
				key, _ := filepath.Rel(filepath.FromSlash("/project/.factory"), s.File)
				if s.Scope == schema.ScopeUser {
					key, _ = filepath.Rel(filepath.FromSlash("/home/.factory"), s.File)
					key = "~/" + key
				}
				if text, ok := c.files[filepath.ToSlash(key)]; ok {
					cfg, _ := d.ParseConfig([]byte(text), s)
					cfgs = append(cfgs, cfg.AsKnown())
				}
			}
			hooks, _ := d.Resolve(cfgs)
			var got []string
			for _, h := range hooks {
				got = append(got, h.Command)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
