package install

import (
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/schema"
)

// OwnHooks are the hooks of one agent in a project, without those that call other agents' hooks.
type OwnHooks struct {
	Agent string          `json:"agent"`
	Files []string        `json:"files"`
	Count int             `json:"count"`
	Owner adapter.Dialect `json:"-"`
}

// ProjectHooks lists the hooks of the project by agent, only for the job's owners if it names any.
func (x *Job) ProjectHooks() (list []OwnHooks) {
	for _, d := range adapter.Dialects() {
		o := OwnHooks{Agent: d.Profile().Name, Owner: d}
		res, _ := survey.LoadScope(d, x.Places, schema.ScopeProject)
		for _, h := range res.Hooks {
			if !plan.IsOwn(h) {
				continue
			}
			if o.Count++; !slices.Contains(o.Files, h.Source.File) {
				o.Files = append(o.Files, h.Source.File)
			}
		}
		if o.Count > 0 && (len(x.Owners) == 0 || adapter.Has(x.Owners, d)) {
			list = append(list, o)
		}
	}
	return list
}

// A Candidate is an agent that may run the hooks.
type Candidate struct {
	Agent  string          `json:"agent"`
	Found  string          `json:"found"` // how it was found; "": it wasn't
	Chosen bool            `json:"chosen"`
	Host   adapter.Dialect `json:"-"`
}

// Candidates lists the agents that may run the hooks. The chosen ones are those that an install would choose, or else
// the agents on this machine.
func (x *Job) Candidates(owners []OwnHooks) (list []Candidate, err error) {
	s, err := survey.Take(x.Places, x.File)
	if err != nil {
		return nil, err
	}

	for _, d := range adapter.Where(func(d adapter.Dialect) bool { return d.Profile().Modules == nil }) {
		if len(owners) == 1 && adapter.SameAgent(owners[0].Owner, d) {
			continue
		}
		c := Candidate{Agent: d.Profile().Name, Host: d}
		at := s.Of(d)
		named := slices.IndexFunc(x.Hosts, func(n adapter.Dialect) bool { return adapter.SameAgent(n, d) })
		switch {
		case named >= 0:
			c.Host, c.Found, c.Chosen = x.Hosts[named], "named", true
		case at.By == survey.Stated:
			c.Host, c.Found, c.Chosen = at.Host, "named", len(x.Hosts) == 0
		case at.By >= survey.Folder:
			c.Found, c.Chosen = "has a folder in the project", len(x.Hosts) == 0 && !s.States()
		case FileOf(d, x.Places, schema.ScopeProject) == "":
			continue // its only hook file is the user's
		case survey.UsersFolder(d, x.Places):
			c.Found = onMachine
		case at.By == survey.Marker:
			c.Found = "reads " + filepath.Base(at.Trace)
		}
		list = append(list, c)
	}

	if len(x.Hosts) > 0 || s.States() || slices.ContainsFunc(list, func(c Candidate) bool { return c.Chosen }) {
		return list, nil
	}

	for i := range list {
		list[i].Chosen = list[i].Found == onMachine
	}

	return list, nil
}

const onMachine = "on this machine"
