package setup

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/projectfile"
)

// An agentList is the list that init writes into hookbridge.yaml, so that no later change hides an agent from the other
// commands.
type agentList struct {
	names         []string
	before, after []byte // the file's text; after is nil if it stays
	add           string // the line that init can't add, or ""
	launcher      string // the same for the launcher
}

// listAgents makes the list: the agents with hooks, the agents to run them, and, if the command line names the hosts,
// all other agents of the project.
func (x *setup) listAgents() error {
	list := lists.Map(x.owners, func(o install.OwnHooks) adapter.Dialect { return o.Owner })
	for _, t := range x.targets {
		list = adapter.With(list, t.Host)
	}
	s, _, err := common.SurveyOf(x.base.Places)
	if err != nil {
		return err
	}
	if len(x.flags.InstallFlags.Hosts) > 0 {
		list = adapter.With(list, s.Project()...)
	}

	for _, d := range adapter.Where(func(d adapter.Dialect) bool { return adapter.Has(list, d) }) {
		i := slices.IndexFunc(list, func(n adapter.Dialect) bool { return adapter.SameAgent(n, d) })
		x.agents.names = append(x.agents.names, adapter.NameOf(list[i]))
	}
	missing := func(name string) bool {
		d, err := adapter.Find(name)
		return err == nil && s.Of(d).By != survey.Stated
	}
	if !slices.ContainsFunc(x.agents.names, missing) {
		return nil
	}
	stated, added := x.job.File.Agents, lists.Map(x.job.File.Agents, func(a projectfile.Agent) string { return a.Name })
	for _, name := range x.agents.names {
		if missing(name) {
			added = append(added, name)
		}
	}
	x.agents.names = added
	line := "agents: [" + strings.Join(added, ", ") + "]"
	if len(stated) > 0 {
		x.agents.before, x.agents.after, err = common.WithAgents(x.job.File, added)
	} else {
		x.agents.before, x.agents.after, err = x.stating("agents", line)
	}
	if x.agents.after == nil {
		x.agents.add = line
	}
	return err
}

// stating returns the text of hookbridge.yaml, and the text with a line for a key. after is nil if the file already has
// the key or can't take the line.
func (x *setup) stating(key, line string) (before, after []byte, err error) {
	before, err = discover.Read(filepath.Join(x.base.Places.Project, projectfile.Name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	after = common.WithLines(before, line+"\n")
	was, err := projectfile.Parse(projectfile.Name, before)
	if err != nil {
		return nil, nil, err
	}
	has := key == "agents" && len(was.Agents) > 0 || key == "facts" && len(was.Facts) > 0
	if _, bad := projectfile.Parse(projectfile.Name, after); has || bad != nil {
		return before, nil, nil
	}
	return before, after, nil
}

// writeProjectFile replaces hookbridge.yaml, and reads it again.
func (x *setup) writeProjectFile(before, after []byte) error {
	file := filepath.Join(x.base.Places.Project, projectfile.Name)
	if err := jsonedit.WriteFile(file, before, after); err != nil {
		return err
	}
	x.printf("written  %s\n", projectfile.Name)
	x.stated = true
	f, err := common.LoadProjectFile(x.base.Places.Project)
	if err == nil {
		x.job.File = f
	}
	return err
}
