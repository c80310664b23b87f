// Package install is the commands install, uninstall and status.
package install

import (
	_ "embed"
	"errors"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

var (
	//go:embed install.txt
	installHelp string
	//go:embed uninstall.txt
	uninstallHelp string
	//go:embed status.txt
	statusHelp string
)

// Command is the command install.
func Command() cli.Command { return cli.Documented[call](installHelp) }

// Uninstall is the command uninstall.
func Uninstall() cli.Command { return cli.Documented[call](uninstallHelp) }

// Status is the command status.
func Status() cli.Command { return cli.Looking[call](statusHelp) }

// jobAction returns the action of a command with the flags of install.
func jobAction(command string) install.Action {
	switch command {
	case "uninstall":
		return install.Uninstall
	case "status":
		return install.Status
	}
	return install.Install
}

// A call is one call of install, uninstall or status.
type call struct{ common.InstallFlags }

func (f *call) Run(fs *cli.Flags, _ []string, std cli.IO) (int, error) {
	job, b, err := f.Job(fs, jobAction(fs.Set.Name()))
	var results []install.Result
	if err == nil {
		results, err = f.change(job)
	}

	for _, other := range f.elsewhere(fs, job) {
		if job.Action == install.Uninstall {
			job.Skipped = append(job.Skipped, "entries elsewhere stay: hookbridge uninstall --scope "+
				other.Scope.String())
			continue
		}
		more, failed := f.change(other)
		results, err = append(results, more...), errors.Join(err, failed)
	}

	if job != nil && job.Action == install.Uninstall {
		if err == nil && !f.Dry {
			var listed []install.Result
			listed, err = unlisted(job, results)
			results = append(results, listed...)
		}
		if len(f.Hosts) == 0 { // without --host, leave out agents whose files don't call hookbridge
			results = slices.DeleteFunc(results, func(r install.Result) bool { return r.State == "absent" })
		}
	}

	if job != nil {
		cli.Notes(std.Err, "hookbridge", job.Skipped...)
	}

	if job != nil && job.Action == install.Status && !f.Json {
		if s, _, err := common.SurveyOf(job.Places); err == nil {
			cli.Notes(std.Err, "hookbridge", common.NotRun(job.Places, s.Hosts(), b.Trusted,
				shownByStatus(job.Places, results))...)
			for _, m := range survey.Unread(job.Places) {
				cli.Notes(std.Err, "hookbridge", m.Message(job.Places.Project)+"; "+m.Fix(job.Places.Project))
			}
			common.NotesOn(std.Err, job.Places, s, s.Hosts(), f.Here)
		}
		common.Unseen(std.Err, job.Places, adapter.Dialects())
		common.RecordedClients(job.Places).Note(std.Err, common.HostsOf(results))
	}

	if job != nil && job.Action == install.Install && err == nil && !f.Dry {
		notes := common.OnlyIf(common.HostsOf(results))
		if s, _, err := common.SurveyOf(job.Places); err == nil {
			notes = append(notes, common.Apart(s, common.HostsOf(results))...)
		}
		cli.Notes(std.Err, "hookbridge", notes...)
		clients := common.AskClients(common.HostsOf(results), job.Places) // status compares with them
		if failed := clients.Record(job.Places); failed != nil {
			cli.Notes(std.Err, "hookbridge", "the versions of the clients aren't recorded: "+failed.Error())
		}
	}

	if f.Trust.Asked && err == nil && !f.Dry {
		err = f.approve(job, results, std)
	}
	if err = cli.AsUsage(err); !errors.As(err, new(cli.UsageError)) {
		common.PrintInstalled(std, fs.Set.Name(), results, f.Json, err)
	}

	fails := func(r install.Result) bool {
		return r.Fails || f.Strict && r.State != "current" && r.Scope == job.Scope.String()
	}
	return cli.FailIf(slices.ContainsFunc(results, fails)), err
}

// unlisted removes agents that no longer run hooks here from the list in hookbridge.yaml, because doctor would report
// missing entries. An agent with its own hooks stays.
func unlisted(job *install.Job, results []install.Result) ([]install.Result, error) {
	if job.Scope != schema.ScopeProject || len(job.File.Agents) == 0 {
		return nil, nil
	}
	owners, _ := survey.Owners(job.Places, job.Scope)
	var names []string
	for _, a := range job.File.Agents {
		d, err := adapter.Find(a.Name)
		gone := err == nil && !adapter.Has(owners, d) && slices.ContainsFunc(results, func(r install.Result) bool {
			return r.State == "uninstalled" && r.Host == d.Profile().Name
		})
		if !gone {
			names = append(names, a.Name)
		}
	}
	if len(names) == 0 || len(names) == len(job.File.Agents) {
		return nil, nil
	}

	before, after, err := common.WithAgents(job.File, names)
	if err != nil || after == nil {
		return nil, err
	}
	return []install.Result{{Scope: job.Scope.String(), File: job.File.Path, State: "changed"}},
		jsonedit.WriteFile(job.File.Path, before, after)
}

// shownByStatus selects the problems that the lines of status already show: outdated or missing entries in the file
// that the agent reads.
func shownByStatus(at schema.Places, lines []install.Result) func(*inspect.Finding, *inspect.Problem) bool {
	return func(f *inspect.Finding, p *inspect.Problem) bool {
		d, err := adapter.Find(f.Host)
		if err != nil || p.Code != schema.CodeNotCalled && p.Code != schema.CodeForeignImport {
			return false
		}
		elsewhere, _ := survey.Elsewhere(d, at.Project)
		return elsewhere == "" && slices.ContainsFunc(lines, func(r install.Result) bool {
			return r.Host == f.Host && r.State != "current"
		})
	}
}

// change does a job. status and a dry run write nothing.
func (f *call) change(job *install.Job) (results []install.Result, err error) {
	targets, err := job.Targets()
	if err != nil && len(targets) == 0 {
		return nil, err
	}
	results, failed := job.Change(targets)
	if failed == nil && !f.Dry {
		results, failed = install.Write(results)
	}
	if err == nil {
		err = failed
	}
	return results, err
}

// elsewhere returns the jobs for the user's and an administrator's files that call hookbridge, if no scope is named.
// status also shows these files, and uninstall reports that they stay.
func (f *call) elsewhere(fs *cli.Flags, job *install.Job) (jobs []*install.Job) {
	if job == nil || job.Action == install.Install || fs.Given("scope") {
		return nil
	}
	for _, scope := range []schema.Scope{schema.ScopeUser, schema.ScopeManaged} {
		other := *job
		other.Scope, other.File = scope, &projectfile.File{}
		other.Hosts = adapter.Where(func(d adapter.Dialect) bool {
			return (job.Hosts == nil || adapter.Has(job.Hosts, d)) && survey.Calls(d, job.Places, scope)
		})
		if len(other.Hosts) > 0 && (scope == schema.ScopeManaged || job.Places.Project != job.Places.Home) {
			jobs = append(jobs, &other)
		}
	}
	return jobs
}
