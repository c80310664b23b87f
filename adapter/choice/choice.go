// Package choice applies the hooks of hookbridge.yaml: which agents run a single hook of the project. Install writes
// the marks of hooks that a host doesn't run into its entries, because run reads no hookbridge.yaml. A changed hook has
// another mark, so the entry runs it.
package choice

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// Mark identifies a project's hook by its file and content, not by its place in the file.
func Mark(project string, h *schema.Hook) string {
	sum := fnv.New64a()
	for _, s := range append([]string{inProject(project, h), h.Native, h.Matcher, h.Condition, h.Handler.String(),
		h.Command, h.URL, h.Prompt, h.Server, h.ToolRef}, h.Args...) {
		sum.Write([]byte(strconv.Quote(s)))
	}
	return strconv.FormatUint(sum.Sum64(), 36)
}

// inProject returns the hook's file relative to the project's root, with slashes; "" if it isn't in the project.
func inProject(project string, h *schema.Hook) string {
	file, err := filepath.Rel(project, h.Source.File)
	if err != nil || !filepath.IsLocal(file) {
		return ""
	}
	return filepath.ToSlash(file)
}

// names reports whether a choice is about a hook.
func names(c *projectfile.Choice, project string, h *schema.Hook) bool {
	return h.Source.Scope == schema.ScopeProject && filepath.ToSlash(filepath.Clean(c.File)) == inProject(project, h) &&
		slices.Equal(strings.Fields(c.Command), strings.Fields(h.Text())) && c.At(h.Line, h.Path)
}

// runs reports whether the host runs a hook that the choice is about. A choice with an unknown name is a mistake, which
// excludes nothing.
func runs(c *projectfile.Choice, host dialect.Dialect) bool {
	named := slices.ContainsFunc(c.Names(), func(a projectfile.Agent) bool {
		d, err := adapter.Find(a.Name)
		return err == nil && adapter.SameAgent(d, host)
	})
	return named == (c.Exclude == nil)
}

// Excluded returns the choice that excludes a project's hook, written for d, from a host, or nil. An agent always runs
// the hooks of its own files. One excluding choice of several is enough.
func Excluded(file *projectfile.File, project string, host, d dialect.Dialect, h *schema.Hook) *projectfile.Choice {
	if file == nil || adapter.SameAgent(host, d) || check(file) != nil {
		return nil
	}
	for i := range file.Hooks {
		if c := &file.Hooks[i]; names(c, project, h) && !runs(c, host) {
			return c
		}
	}
	return nil
}

// Marks lists the hooks of some agents that a host doesn't run, for an entry in a file that the project's users share.
func Marks(file *projectfile.File, p schema.Places, host dialect.Dialect, owners []adapter.Dialect) (marks []string) {
	if file == nil || len(file.Hooks) == 0 {
		return nil
	}
	for _, d := range owners {
		res, _ := survey.LoadShared(d, p)
		for i := range res.Hooks {
			h := &res.Hooks[i]
			if Excluded(file, p.Project, host, d, h) != nil {
				marks = lists.With(marks, Mark(p.Project, h))
			}
		}
	}
	return marks
}

// Check reports the first unknown agent in a choice.
func Check(file *projectfile.File) error {
	if a := check(file); a != nil {
		_, err := adapter.Find(a.Name)
		return file.Mistake(a.Line, a.Col, "hooks: "+err.Error()+suggest.Question(a.Name, adapter.Names()))
	}
	return nil
}

func check(file *projectfile.File) *projectfile.Agent {
	for i := range file.Hooks {
		for _, a := range file.Hooks[i].Names() {
			if _, err := adapter.Find(a.Name); err != nil {
				return &a
			}
		}
	}
	return nil
}

// An Idle choice changes nothing: its hook runs in every agent.
type Idle struct {
	Choice *projectfile.Choice
	// Owner is the agent whose file the choice names, nil if none of its hooks is there.
	Owner dialect.Dialect
	Why   string
	Fix   string
}

// IdleIn lists the choices that match no hook, and choices that exclude a hook from the agent whose file has it.
func IdleIn(file *projectfile.File, p schema.Places) (list []Idle) {
	if file == nil || len(file.Hooks) == 0 {
		return nil
	}

	type hook struct {
		of adapter.Dialect
		schema.Hook
	}
	var all []hook
	for _, d := range adapter.WithHooks() {
		res, _ := survey.LoadShared(d, p)
		for _, h := range res.Hooks {
			all = append(all, hook{d, h})
		}
	}

	for i := range file.Hooks {
		c := &file.Hooks[i]
		var owner adapter.Dialect
		place := ""
		for j := range all {
			h := &all[j].Hook
			elsewhere := *c
			elsewhere.Place = ""
			switch {
			case names(c, p.Project, h):
				owner = all[j].of
			case names(&elsewhere, p.Project, h) && place == "":
				place = fmt.Sprintf("%s:%d", c.File, h.Line)
			}
		}
		if idle := idle(c, owner, place); idle != nil {
			list = append(list, *idle)
		}
	}

	return list
}

// idle returns why a choice changes nothing, nil if it does. owner is the named hook's agent, nil if there is no such
// hook; place is where its command is now.
func idle(c *projectfile.Choice, owner adapter.Dialect, place string) *Idle {
	at := c.File
	if c.Place != "" {
		at += " at " + c.Place
	}
	switch {
	case owner == nil && place != "":
		return &Idle{Choice: c, Why: "no hook in " + at + " has the command " + strconv.Quote(c.Command) +
			", so every agent runs it", Fix: "write " + place + ", or leave the place out"}
	case owner == nil:
		return &Idle{Choice: c, Why: "no hook in " + at + " has the command " + strconv.Quote(c.Command) +
			", so the choice applies to none", Fix: "write the file and the command as doctor prints them, or remove " +
			"the choice"}
	case c.Exclude != nil && !runs(c, owner):
		title := owner.Profile().Title
		return &Idle{Choice: c, Owner: owner, Why: title + " runs the hooks of its own file " + c.File +
			" itself, so the choice can't exclude it there", Fix: "remove the hook from " + c.File + " for " + title}
	}
	return nil
}
