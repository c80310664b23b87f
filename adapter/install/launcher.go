package install

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/launcher"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

// NoLauncher is the Launcher of a Job whose entries start hookbridge directly, even if they used a launcher before.
const NoLauncher = "off"

// keepLauncher decides how the entries start hookbridge: as the job requires, or else as the existing entries do.
func (t *Target) keepLauncher(p *part) {
	missing := t.job.Launcher
	for _, e := range p.own {
		if t.job.Launcher == "" && e.Call.ProjectLauncher != "" && missing != launcher.Open {
			missing = launcher.Closed
			if e.Call.Value("missing") == "say" {
				missing = launcher.Open
			}
		}
	}
	if missing == "" || missing == NoLauncher || t.job.Scope != schema.ScopeProject {
		return
	}
	if t.job.Action == Install && t.job.File.Launcher == "" {
		t.note("add launcher: " + missing + " to " + projectfile.Name + ", so that an install for another agent uses " +
			"the launcher too")
	}
	p.in.Launch = &convert.Launch{Closed: missing == launcher.Closed, Say: missing == launcher.Open}
	p.in.Path = ""
}

// launches reports whether an entry of the target will start the project's launcher.
func (t *Target) launches() bool {
	return slices.ContainsFunc(t.parts, func(p *part) bool { return p.in.Launch != nil && len(p.want) > 0 })
}

// writeLauncher is the step that writes the launcher's files, if an entry of a target starts it.
func (x *Job) writeLauncher(targets []*Target) (results []Result, err error) {
	if !slices.ContainsFunc(targets, (*Target).launches) {
		return x.dropLauncher(targets)
	}

	text := launcher.Project()
	for _, f := range launcher.ProjectFiles() {
		file := filepath.Join(x.Places.Project, filepath.FromSlash(f.Path))
		before, err := x.ownFile(file, f)
		if err != nil {
			return nil, err
		}

		after := f.Text(text)
		r := Result{Scope: x.Scope.String(), File: file, State: "current"}
		if !bytes.Equal(before, after) || !x.starts(file) {
			r.State = "written"
			if x.Places.OS == "windows" && f.Path == cmdline.ProjectLauncher {
				r.Notes = []string{"Git on Windows records no mode of a new file: run git add --chmod=+x " + f.Path +
					", or it doesn't start on other systems"}
			}
			r.change = &rewrite{before: before, after: after, write: func() error {
				return putLauncher(file, before, after)
			}}
		}
		results = append(results, r)
	}

	return results, nil
}

// launcherStatus compares the launcher's files with those that install writes, if an entry of a target starts them.
func (x *Job) launcherStatus(targets []*Target) (results []Result) {
	if !slices.ContainsFunc(targets, (*Target).launches) {
		return nil
	}

	text := launcher.Project()
	for _, f := range launcher.ProjectFiles() {
		r := Result{Scope: x.Scope.String(), State: "current",
			File: filepath.Join(x.Places.Project, filepath.FromSlash(f.Path))}
		found, err := discover.Read(r.File)
		switch fault, older := f.Fault(text, found); {
		case err != nil:
			r.State = "absent"
		case older:
			r.State = "stale"
		case fault == "" && !x.starts(r.File):
			fault = "which isn't executable"
			fallthrough
		case fault != "":
			r.State = "edited"
			r.Notes = []string{"the launcher is " + r.File + ", " + fault}
		}
		r.Fails = r.State != "current"
		results = append(results, r)
	}
	return results
}

// starts reports whether a launcher's file exists and is executable. On Windows files have no modes.
func (x *Job) starts(file string) bool {
	info, err := os.Stat(file)
	return err == nil && (info.Mode()&0o111 != 0 || x.Places.OS == "windows")
}

// putLauncher writes an executable file.
func putLauncher(file string, before, after []byte) error {
	err := jsonedit.MakeParent(file)
	if err == nil && !bytes.Equal(before, after) {
		err = jsonedit.WriteFile(file, before, after)
	}
	if err != nil {
		return err
	}
	return os.Chmod(file, 0o755)
}

// ownFile returns the text of a launcher's file, nil if there is none. A file that hookbridge didn't write is an error.
func (x *Job) ownFile(file string, f launcher.File) ([]byte, error) {
	if err := x.inside(file); err != nil {
		return nil, err
	}
	if hookfile.IsLink(file) {
		return nil, fmt.Errorf("%s is a symbolic link, and hookbridge changes no file behind one (nothing was written)",
			file)
	}
	if !hookfile.Exists(file) {
		return nil, nil
	}
	text, err := discover.Read(file)
	if _, ours := f.Written(text, launcher.ByInstall); err == nil && !ours {
		err = fmt.Errorf("%s exists, and hookbridge didn't write it; move it away first (nothing was written)", file)
	}
	return text, err
}

// dropLauncher is the step that removes the launcher's files once no entry in the project starts it.
func (x *Job) dropLauncher([]*Target) (results []Result, err error) {
	if x.Scope != schema.ScopeProject || x.launched() {
		return nil, nil
	}
	for _, f := range launcher.ProjectFiles() {
		file := filepath.Join(x.Places.Project, filepath.FromSlash(f.Path))
		before, err := x.ownFile(file, f)
		if err != nil || before == nil { // not hookbridge's, or no file
			continue
		}
		results = append(results, Result{Scope: x.Scope.String(), File: file, State: "removed",
			change: removal(file, x.Places.Project, before)})
	}
	return results, nil
}

// launched reports whether an entry in the project's files will start the launcher after the job's changes.
func (x *Job) launched() bool {
	return len(adapter.Where(func(d adapter.Dialect) bool {
		file := FileOf(d, x.Places, schema.ScopeProject)
		if file == "" || d.Profile().Modules != nil {
			return false
		}
		own, _ := entries(d, x.pending.text(file))
		return slices.ContainsFunc(own, func(e convert.OwnEntry) bool { return e.Call.ProjectLauncher != "" })
	})) > 0
}

// HasLauncher reports whether the project has a launcher. A nil Job has none.
func (x *Job) HasLauncher() bool {
	if x == nil {
		return false
	}
	f := launcher.ProjectFiles()[0]
	text, err := discover.Read(filepath.Join(x.Places.Project, filepath.FromSlash(f.Path)))
	_, ours := f.Written(text, launcher.ByInstall)
	return err == nil && ours
}
