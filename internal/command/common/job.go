package common

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/install"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// InstallFlags are the flags of install. uninstall, status and init have some of them.
type InstallFlags struct {
	RunFlags
	Hosts, Owners cli.ListFlag
	Dry, Json     bool
	Strict        bool   // of status
	install       string // --scope
	output        string // replaces the root for an administrator's files
	program       string
	launcher      bool
	missing       string // what the launcher does without hookbridge
	Trust         cli.Consent
}

func (f *InstallFlags) Define(fs *cli.Flags) {
	fs.Many(&f.Hosts, "host")
	if fs.Set.Name() == "status" {
		fs.Yes(&f.Strict, "strict")
	}
	fs.Many(&f.Owners, "hooks")
	fs.Row(&f.Call, "module", "")
	fs.Text(&f.install, "scope", "project")
	fs.Text(&f.output, "output", "")
	if fs.Set.Name() == "install" {
		fs.EntryRows(&f.Call)
		fs.Text(&f.program, "program", "")
		f.DefineLauncher(fs)
		fs.Set.Var(&f.Trust, "trust", "")
		fs.Doc("trust", "", "")
	} else {
		for _, name := range []string{"ask", "allow", "fail-closed"} {
			fs.Row(&f.Call, name, cmdline.Row(name).Entries)
		}
	}

	fs.Yes(&f.Dry, "dry-run")
	fs.Yes(&f.Json, "json")
	f.DefinePlaces(fs)
}

// Job returns the job that the flags and hookbridge.yaml describe, and its run.
func (f *InstallFlags) Job(fs *cli.Flags, action install.Action) (*install.Job, *bridge.Bridge, error) {
	job := &install.Job{Action: action, Scope: schema.ScopeProject, ReadModule: ReadModule}
	err := cli.ProjectIsThere(f.Text("project"))
	if err == nil { // before the flags are final: the file has defaults for some
		f.findRoot(Machine())
		job.File, err = LoadProjectFile(f.Text("project"))
	}

	// a mistake in it must not prevent an uninstall
	if job.File == nil && action == install.Uninstall && !errors.As(err, new(cli.UsageError)) {
		job.File, err = &projectfile.File{}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if s := cmdline.ScopeOf(f.install); s != schema.ScopeGiven { // init has no such flag
		job.Scope = s
	}
	if job.Scope == schema.ScopeManaged {
		job.File, job.EveryOwner = &projectfile.File{}, action != install.Uninstall && len(f.Owners) == 0
	}
	if job.Launcher, err = f.launcherOf(fs, job); err != nil {
		return nil, nil, err
	}

	if job.Scope == schema.ScopeProject && action != install.Uninstall {
		job.Requires = job.File.Requires.Version
	}
	if err := tooOld(job.File); err != nil && action == install.Install && job.Scope == schema.ScopeProject {
		return nil, nil, err
	}
	if f.output != "" && job.Scope != schema.ScopeManaged {
		return nil, nil, cli.Usage("--output goes with --scope managed")
	}

	if f.program != "" && !cmdline.IsProgram(f.program) {
		return nil, nil, cli.Usage("--program " + f.program + ": the file must be called " + cmdline.Program +
			", and named by its full path: entries of another program aren't known as hookbridge's")
	}
	job.Program, job.Fixed = f.program, cli.ProgramFile(os.Getenv("PATH"))
	// hookbridge.yaml sets flags that the command line doesn't have. It belongs to the project, but an entry in the
	// user's own file runs in every project.
	if action != install.Uninstall && job.Scope == schema.ScopeProject {
		for _, s := range job.File.Install {
			if err := setDefault(job.File, fs, s); err != nil {
				return nil, nil, err
			}
		}
	}

	if f.Text("module") != "" && len(f.Owners) == 0 {
		f.Owners = cli.ListFlag{cmdline.ModuleDialect()}
	}
	if v := f.Text("on-failure"); v != "" && v != cmdline.Row("on-failure").Strictest && action != install.Uninstall {
		return nil, nil, cli.Usage("--on-failure of an entry is " + cmdline.Row("on-failure").Strictest)
	}
	if job.Hosts, err = DialectsNamed("--host", f.Hosts); err == nil {
		job.Owners, err = DialectsNamed("--hooks", f.Owners)
	}
	if err != nil {
		return nil, nil, err
	}

	for _, given := range f.Flags {
		if fs.Given(given.Name) {
			job.Flags.Set(given.Name, given.Value)
		}
	}

	b, err := f.Bridge()
	if err != nil {
		return nil, nil, err
	}

	job.Places = b.Places
	if f.output != "" {
		if job.Places.System, err = filepath.Abs(f.output); err != nil {
			return nil, nil, err
		}
	}

	if job.Scope == schema.ScopeManaged && action == install.Install && len(f.Hosts) == 0 {
		return nil, nil, cli.Usage("--scope managed needs --host: " + strings.Join(adapter.Names(), ", "))
	}

	if p := b.Places; action == install.Install && job.Scope == schema.ScopeProject && p.Project == p.Home {
		return nil, nil, errors.New(p.Project + " is your home folder, and the hook files in it are your own; use " +
			"hookbridge install --scope user --host AGENT (nothing was written)")
	}

	return job, b, nil
}

// DefineLauncher declares the flags of the launcher.
func (f *InstallFlags) DefineLauncher(fs *cli.Flags) {
	fs.Set.BoolVar(&f.launcher, "launcher", false, "")
	fs.Doc("launcher", "", "write "+cmdline.ProjectLauncher+" (and its twin for Windows), which the entries "+
		"start: it finds\nhookbridge in PATH and where npm, Homebrew and Go put it")
	fs.Set.StringVar(&f.missing, "missing", "", "")
	fs.Doc("missing", "closed|open", "what the launcher does without hookbridge: refuse the tool calls that hooks\n"+
		"could refuse (closed, the default), or let them proceed and notify the user once a session")
}

// launcherOf returns the setting of the launcher on the command line, or else in hookbridge.yaml, or "".
func (f *InstallFlags) launcherOf(fs *cli.Flags, job *install.Job) (string, error) {
	given, stated := fs.Given("launcher"), job.File.Launcher
	switch asked := f.launcher || f.missing != ""; {
	case job.Action == install.Uninstall:
		return "", nil
	case asked && job.Scope != schema.ScopeProject:
		return "", cli.Usage("--launcher is for the project's entries; those of --scope " + f.install +
			" name hookbridge by its path")
	case asked && f.program != "":
		return "", cli.Usage("use either --launcher or --program")
	case given && !f.launcher:
		return install.NoLauncher, nil
	case f.missing != "":
		return f.missing, nil
	case job.Scope != schema.ScopeProject:
		return "", nil
	case given && (stated == "" || stated == install.NoLauncher):
		return launcher.Closed, nil
	}
	return stated, nil
}

// HostsOf returns the agents whose files appear in the results.
func HostsOf(results []install.Result) []adapter.Dialect {
	return adapter.Where(func(d adapter.Dialect) bool {
		return slices.ContainsFunc(results, func(r install.Result) bool { return r.Host == d.Profile().Name })
	})
}
