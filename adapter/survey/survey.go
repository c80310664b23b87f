// Package survey finds, once for every command, which agents a project has and where each loads its hooks from when
// started here. It also finds which of those files are missing.
package survey

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// Evidence is how a project, or a machine, shows that it has an agent. The weakest is first.
type Evidence uint8

const (
	None         Evidence = iota
	OnMachine             // the user's home has a folder of it
	Marker                // the project has a file that the agent reads, and that others may read too
	ManagedEntry          // an administrator's file of it calls hookbridge
	UserEntry             // the user's file of it calls hookbridge
	Folder                // the project has a folder of it
	HookFile              // the project has a hook file of it
	Stated                // hookbridge.yaml lists it
)

// An Agent has the findings about one agent here. The zero Agent is invalid.
type Agent struct {
	Host  adapter.Dialect // as hookbridge.yaml states it, or else the newest
	By    Evidence        // the strongest
	Trace string          // the project's file or folder that is the evidence, "" if none
}

// A Survey is the result for a project. The zero Survey is the result for a project without agents.
type Survey struct {
	Places schema.Places
	Agents []Agent // every agent, in the usual order
}

// Take surveys the project in p. The error is a mistake in hookbridge.yaml; file is nil for a project without one.
func Take(p schema.Places, file *projectfile.File) (*Survey, error) {
	s := &Survey{Places: p}
	stated, err := statedAgents(file)
	if err != nil {
		return nil, err
	}

	for _, d := range adapter.Where(func(adapter.Dialect) bool { return true }) {
		a := Agent{Host: d}
		if i := slices.IndexFunc(stated, func(n adapter.Dialect) bool { return adapter.SameAgent(n, d) }); i >= 0 {
			a.Host, a.By = stated[i], Stated
		} else {
			a.By, a.Trace = evidence(d, p)
		}
		s.Agents = append(s.Agents, a)
	}
	return s, nil
}

// Check returns the mistake in the agents that hookbridge.yaml lists, or nil.
func Check(file *projectfile.File) error {
	_, err := statedAgents(file)
	return err
}

func statedAgents(file *projectfile.File) (list []adapter.Dialect, err error) {
	if file == nil {
		return nil, nil
	}
	for _, a := range file.Agents {
		d, err := cmdline.FindDialect("agents:", a.Name)
		if err != nil {
			return nil, file.Mistake(a.Line, a.Col, err.Error())
		}
		list = append(list, d)
	}
	return list, nil
}

// evidence returns the strongest evidence, except what hookbridge.yaml states.
func evidence(d adapter.Dialect, p schema.Places) (by Evidence, trace string) {
	sources := d.Locate(p)
	for _, s := range sources {
		if s.OfProject() && hookfile.HoldsFile(s) {
			return HookFile, s.File
		}
	}
	if dir := ownFolder(d, p); dir != "" {
		return Folder, dir
	}

	for _, e := range []struct {
		by    Evidence
		scope schema.Scope
	}{{UserEntry, schema.ScopeUser}, {ManagedEntry, schema.ScopeManaged}} {
		if calls(d, sources, e.scope) {
			return e.by, ""
		}
	}

	for _, name := range d.Profile().Markers {
		if file := filepath.Join(p.Project, filepath.FromSlash(name)); p.Project != "" && discover.IsFile(file) {
			return Marker, file
		}
	}
	if UsersFolder(d, p) {
		return OnMachine, ""
	}
	return None, ""
}

// Calls reports whether an agent's files of a scope have entries that find the hooks of others.
func Calls(d adapter.Dialect, p schema.Places, scope schema.Scope) bool {
	return calls(d, d.Locate(p), scope)
}

func calls(d adapter.Dialect, sources []schema.Source, scope schema.Scope) bool {
	for _, s := range sources {
		if s.Scope != scope {
			continue
		}
		for _, f := range discover.Files(s) {
			text, err := discover.Read(f.File)
			if err != nil {
				continue
			}
			cfg, _ := d.ParseConfig(text, f)
			if cfg != nil && slices.ContainsFunc(cfg.Hooks, func(h schema.Hook) bool {
				call, ok := cmdline.Parse(h.Command, h.Args)
				return ok && call.FindsHooks()
			}) {
				return true
			}
		}
	}
	return false
}

// States reports whether hookbridge.yaml lists the project's agents. No other evidence counts then.
func (s *Survey) States() bool { return s.has(Stated) }

func (s *Survey) has(by Evidence) bool {
	return slices.ContainsFunc(s.Agents, func(a Agent) bool { return a.By == by })
}

// Of returns the findings about an agent.
func (s *Survey) Of(d adapter.Dialect) Agent {
	for _, a := range s.Agents {
		if adapter.SameAgent(a.Host, d) {
			return a
		}
	}
	return Agent{Host: d}
}

// Project lists the project's agents: those in hookbridge.yaml, or else those with a hook file or a folder in the
// project.
func (s *Survey) Project() []adapter.Dialect { return s.from(Folder) }

// Hosts lists the agents for a command that names none: the agents of the project, and agents whose user or managed
// files call hookbridge.
func (s *Survey) Hosts() []adapter.Dialect { return s.from(ManagedEntry) }

func (s *Survey) from(least Evidence) (list []adapter.Dialect) {
	if s.States() {
		least = Stated
	}
	for _, a := range s.Agents {
		if a.By >= least {
			list = append(list, a.Host)
		}
	}
	return list
}

// UserHosts lists the agents that have hook files anywhere, for a user without a project.
func (s *Survey) UserHosts() (list []adapter.Dialect) {
	for _, a := range s.Agents {
		if slices.ContainsFunc(a.Host.Locate(s.Places), hookfile.HoldsFile) {
			list = append(list, a.Host)
		}
	}
	return list
}

// Notes reports what the commands leave out although a user may expect it: agents with a single file as evidence,
// agents with a hook file or a folder that hookbridge.yaml doesn't list, and hooks of agents that hookbridge knows by
// name only.
func (s *Survey) Notes() (notes []string) {
	for _, a := range s.Agents {
		title, name := a.Host.Profile().Title, a.Host.Profile().Name
		by, trace := a.By, a.Trace
		switch {
		case by == Marker && !s.States():
			notes = append(notes, fmt.Sprintf("%s reads %s. If the project is used with it, run hookbridge install "+
				"--host %s, or list it in hookbridge.yaml", title, trace, name))
		case by >= Folder && by < Stated && s.States():
			notes = append(notes, fmt.Sprintf("the project has %s of %s, which hookbridge.yaml doesn't list under "+
				"agents", trace, title))
		}
	}
	for _, f := range NamedFiles(s.Places) {
		notes = append(notes, f.Message(s.Places.Project))
	}
	return notes
}

// Elsewhere returns where an agent that is started in the project's folder loads project files from, if that isn't the
// project; "" if it is.
func Elsewhere(d adapter.Dialect, project string) (why, folder string) {
	p := d.Profile()
	from := discover.Started(project, p)
	_, primary := discover.Worktree(project)
	switch {
	case len(from) > 0 && from[0] == filepath.Clean(project):
		return "", ""
	case len(from) == 0:
		return p.Title + " loads the hook files of the primary checkout, " + primary +
			", where a linked worktree has ." + p.Name + " too, and this one hasn't", primary
	case p.Primary == dialect.PrimaryOnly && primary != "":
		return p.Title + " loads the hook files of the primary checkout, " + from[0] +
			", and none of a linked worktree", from[0]
	}
	return p.Title + " loads the hook files of the repository's root, " + from[0] + ", and none of a folder in it",
		from[0]
}

// NotFrom returns why an agent that is started in a folder of the project loads none of the project's hooks; "" if it
// does.
func NotFrom(d adapter.Dialect, project, dir string) string {
	own, from := discover.Started(project, d.Profile()), discover.Started(dir, d.Profile())
	if len(own) == 0 || slices.Contains(from, own[0]) {
		return ""
	}
	return d.Profile().Title + ", started in " + dir + ", loads no hooks of " + project + "; start it there"
}
