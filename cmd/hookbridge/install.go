package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// jobAction is what a command that takes the flags of install does.
func jobAction(command string) install.Action {
	switch command {
	case "uninstall":
		return install.Uninstall
	case "status":
		return install.Status
	}
	return install.Install
}

func (f *installFlags) run(fs *flags, _ []string, std stdio) (int, error) {
	job, _, err := f.job(fs, jobAction(fs.set.Name()))
	var results []install.Result
	if err == nil {
		results, err = f.change(job)
	}
	for _, other := range f.elsewhere(fs, job) {
		more, failed := f.change(other)
		results, err = append(results, more...), errors.Join(err, failed)
	}
	if job != nil {
		for _, why := range job.Skipped {
			fmt.Fprintln(std.err, "hookbridge: note: "+schema.Printable(why))
		}
	}
	if job != nil && job.Action == install.Status && !f.json {
		unseen(std.err, job.Places, adapter.Dialects())
	}
	if err = asUsage(err); !errors.As(err, new(errUsage)) {
		printInstalled(std, fs.set.Name(), results, f.json, err)
	}
	return exitOK, err
}

// change does a job, of which status and a dry run write nothing.
func (f *installFlags) change(job *install.Job) (results []install.Result, err error) {
	targets, err := job.Targets()
	if err != nil && len(targets) == 0 {
		return nil, err
	}
	results, failed := job.Change(targets)
	if failed == nil && !f.dry {
		results, failed = install.Write(results)
	}
	if err == nil {
		err = failed
	}
	return results, err
}

// elsewhere are the jobs by which status also shows the files of the user and of an
// administrator that call hookbridge, where no scope is named.
func (f *installFlags) elsewhere(fs *flags, job *install.Job) (jobs []*install.Job) {
	if job == nil || job.Action != install.Status || fs.given("scope") {
		return nil
	}
	for _, scope := range []schema.Scope{schema.ScopeUser, schema.ScopeManaged} {
		other := *job
		other.Scope, other.File = scope, &projectfile.File{}
		other.Hosts = adapter.Where(func(d adapter.Dialect) bool {
			return (job.Hosts == nil || adapter.Has(job.Hosts, d)) && install.Calls(d, job.Places, scope)
		})
		if len(other.Hosts) > 0 && (scope == schema.ScopeManaged || job.Places.Project != job.Places.Home) {
			jobs = append(jobs, &other)
		}
	}
	return jobs
}

// job is what the flags and hookbridge.yaml ask for, and the run that they describe.
func (f *installFlags) job(fs *flags, action install.Action) (*install.Job, *bridge.Bridge, error) {
	job := &install.Job{Action: action, Scope: schema.ScopeProject, ReadModule: readModule}
	err := projectIsThere(f.Text("project"))
	if err == nil {
		job.File, err = f.projectFile()
	}
	// a mistake in it keeps nothing installed
	if job.File == nil && action == install.Uninstall && !errors.As(err, new(errUsage)) {
		job.File, err = &projectfile.File{}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if s := cmdline.ScopeOf(f.install); s != schema.ScopeGiven { // init has no such flag
		job.Scope = s
	}
	if job.Scope == schema.ScopeManaged {
		job.File, job.EveryOwner = &projectfile.File{}, action != install.Uninstall && len(f.owners) == 0
	}
	if f.output != "" && job.Scope != schema.ScopeManaged {
		return nil, nil, errUsage{"--output goes with --scope managed"}
	}
	job.Program = f.program
	// hookbridge.yaml states flags that the command line doesn't give. It is the project's:
	// an entry of the user's own file runs in every project.
	if action != install.Uninstall && job.Scope == schema.ScopeProject {
		for _, s := range job.File.Install {
			if err := setDefault(job.File, fs, s); err != nil {
				return nil, nil, err
			}
		}
	}
	if f.Text("module") != "" && len(f.owners) == 0 {
		f.owners = listFlag{cmdline.ModuleDialect()}
	}
	if v := f.Text("on-failure"); v != "" && v != cmdline.Row("on-failure").Strictest && action != install.Uninstall {
		return nil, nil, errUsage{"--on-failure of an entry is " + cmdline.Row("on-failure").Strictest}
	}
	if job.Hosts, err = dialectsNamed("--host", f.hosts); err == nil {
		job.Owners, err = dialectsNamed("--hooks", f.owners)
	}
	if err != nil {
		return nil, nil, err
	}
	for _, given := range f.Flags {
		if fs.given(given.Name) {
			job.Flags.Set(given.Name, given.Value)
		}
	}
	b, err := f.bridge()
	if err != nil {
		return nil, nil, err
	}
	job.Places = b.Places
	if f.output != "" {
		if job.Places.System, err = filepath.Abs(f.output); err != nil {
			return nil, nil, err
		}
	}
	if job.Scope == schema.ScopeManaged && action == install.Install && len(f.hosts) == 0 {
		return nil, nil, errUsage{"--scope managed needs --host: " + strings.Join(adapter.Names(), ", ")}
	}
	if p := b.Places; action == install.Install && job.Scope == schema.ScopeProject && p.Project == p.Home {
		return nil, nil, errors.New(p.Project + " is your home folder, and the hook files in it are your own; use " +
			"hookbridge install --scope user (nothing was written)")
	}
	return job, b, nil
}

// entryFlags are the flags of run that install writes into its entries.
func entryFlags() *flags {
	known := newFlags("install")
	known.entryRows(new(cmdline.Call))
	return known
}

// setDefault takes one setting of hookbridge.yaml over into the flags of a command,
// which may lack some of those of install.
func setDefault(file *projectfile.File, set *flags, s projectfile.Setting) error {
	switch row := cmdline.Row(s.Flag); {
	case row != nil && row.Settable && row.Strictest != "" && s.Value != row.Strictest:
		return file.Mistake(s.Line, s.Col, "install: a project can only choose --"+s.Flag+" "+row.Strictest)
	case row != nil && row.Settable:
	case row != nil || newInstallFlags().set.Lookup(s.Flag) != nil:
		return file.Mistake(s.Line, s.Col, "install: a project can't choose --"+s.Flag+"; pass it on the command line")
	default:
		names := each(entryFlags().list, func(d flagDoc) string { return d.name })
		return file.Mistake(s.Line, s.Col, "install: there is no flag --"+s.Flag+suggest.Question(s.Flag, names))
	}
	if set.given(s.Flag) || set.set.Lookup(s.Flag) == nil {
		return nil
	}
	err := set.checkWord(s.Flag, s.Value)
	if err == nil && set.set.Set(s.Flag, s.Value) != nil {
		err = errors.New(strconv.Quote(s.Value) + " is not a value for it")
	}
	if err != nil {
		return file.Mistake(s.Line, s.Col, "install: "+s.Flag+": "+err.Error())
	}
	return nil
}

func newInstallFlags() *flags {
	known := newFlags("install")
	new(installFlags).define(known)
	return known
}
