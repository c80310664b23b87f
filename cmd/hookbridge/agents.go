package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/schema"
)

func agentsWhere(fits func(adapter.Dialect) bool) []adapter.Dialect {
	return slices.DeleteFunc(adapter.Dialects(), func(d adapter.Dialect) bool { return !fits(d) })
}

// located lists the agents that one of their sources speaks for.
func located(p schema.Places, speaks func(schema.Source) bool) []adapter.Dialect {
	return agentsWhere(func(d adapter.Dialect) bool { return slices.ContainsFunc(d.Locate(p), speaks) })
}

// usedIn lists the agents that a project uses: those that have a folder of their own
// in it.
func usedIn(p schema.Places) []adapter.Dialect {
	return located(p, func(s schema.Source) bool {
		dir := filepath.Dir(s.File)
		if s.Folder { // what holds it, such as .github, may be there for another reason
			dir = s.File
		}
		return s.OfProject() && dir != p.Project && discover.IsFolder(dir)
	})
}

func onMachine(p schema.Places) []adapter.Dialect {
	return located(p, func(s schema.Source) bool {
		dir := filepath.Dir(s.File)
		return s.Scope == schema.ScopeUser && dir != p.Home && discover.IsFolder(dir)
	})
}

// hookOwners lists the agents that have hooks of their own in a scope. known is false
// if a file of one of them can't be read, and the list may lack it.
func hookOwners(p schema.Places, scope schema.Scope) (list []adapter.Dialect, known bool) {
	known = true
	list = agentsWhere(func(d adapter.Dialect) bool {
		res, _ := plan.LoadScope(d, p, scope)
		known = known && !res.Failed
		return slices.ContainsFunc(res.Hooks, isOwnHook)
	})
	return list, known
}

// brokenFiles are the findings about hook files of the project that no agent can read.
func brokenFiles(p schema.Places) (list schema.Diagnostics) {
	for _, d := range adapter.Dialects() {
		_, ds := plan.LoadScope(d, p, schema.ScopeProject)
		list = append(list, slices.DeleteFunc(ds, func(found schema.Diagnostic) bool { return found.Severity != schema.Error })...)
	}
	return list
}

// noHooks is the error where a project has no hooks, as far as its files can be read.
func noHooks(p schema.Places, msg string) error {
	if broken := brokenFiles(p); len(broken) > 0 {
		msg = "found no hooks, because a hook file can't be read: " + broken[0].String()
	}
	return errors.New(msg)
}

// isOwnHook reports whether a hook does something itself: a call of the bridge that
// finds its hooks is a way to the hooks of others.
func isOwnHook(h schema.Hook) bool {
	call, ok := cmdline.Parse(h.Command, h.Args)
	return !ok || !call.FindsHooks()
}

// dialectsNamed finds the agents of a flag that takes several, separated by commas or
// given again.
func dialectsNamed(flag string, given listFlag) (list []adapter.Dialect, err error) {
	for _, part := range given {
		for _, name := range strings.Split(part, ",") {
			d, err := findDialect(flag, name)
			if err != nil {
				return nil, err
			}
			list = with(list, d)
		}
	}
	return list, nil
}

// sameAgent reports whether two dialects are of one agent, whatever their versions.
func sameAgent(a, b adapter.Dialect) bool { return a.Profile().Name == b.Profile().Name }

func hasDialect(list []adapter.Dialect, d adapter.Dialect) bool {
	return slices.ContainsFunc(list, func(x adapter.Dialect) bool { return sameAgent(x, d) })
}

func with(list []adapter.Dialect, more ...adapter.Dialect) []adapter.Dialect {
	for _, d := range more {
		if !hasDialect(list, d) {
			list = append(list, d)
		}
	}
	return list
}

func without(list []adapter.Dialect, d adapter.Dialect) []adapter.Dialect {
	return slices.DeleteFunc(list, func(x adapter.Dialect) bool { return sameAgent(x, d) })
}

func namesOf(list []adapter.Dialect) []string {
	return each(list, func(d adapter.Dialect) string { return d.Profile().Name })
}

// projectIsThere checks that --project names a folder: with a wrong name no hooks would
// be found, and that would look like a project without hooks.
func projectIsThere(dir string) error {
	if dir == "" {
		return nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return errUsage{"--project " + strconv.Quote(dir) + " isn't a folder"}
	}
	return nil
}

// projectRoot is the project that a folder belongs to: the nearest folder from there
// upward with a hook file of any agent or a hookbridge.yaml, else the root of the Git
// repository, else the folder itself. The user's own folder is a project only for
// commands that start in it, and files of another user are ignored.
func projectRoot(dir string, p schema.Places) string {
	start := dir
	for {
		if dir != start && (dir == p.Home || !ours(dir)) {
			return start
		}
		if configured(dir, p) || exists(filepath.Join(dir, ".git")) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return start
		}
		dir = up
	}
}

func configured(dir string, p schema.Places) bool {
	if exists(filepath.Join(dir, projectfile.Name)) {
		return true
	}
	p.Project = dir
	return len(located(p, func(s schema.Source) bool { return s.OfProject() && holdsFile(s) })) > 0
}

// holdsFile reports whether a source, or a file of its folder, is there.
func holdsFile(s schema.Source) bool {
	return slices.ContainsFunc(discover.Files(s), func(file schema.Source) bool { return exists(file.File) })
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func loadProjectFile(project string) (*projectfile.File, error) {
	missing := func(err error) bool { return errors.Is(err, fs.ErrNotExist) }
	return projectfile.Load(project, discover.Read, missing)
}

// projectFile reads hookbridge.yaml before the flags are final: it states defaults of
// some.
func (f *runFlags) projectFile() (*projectfile.File, error) {
	f.settleRoot(machine())
	return loadProjectFile(f.Text("project"))
}

// agentsStated lists the agents that hookbridge.yaml names as the project's.
func agentsStated(file *projectfile.File) (list []adapter.Dialect, err error) {
	for _, a := range file.Agents {
		d, err := findDialect("agents:", a.Name)
		if err != nil {
			return nil, file.Mistake(a.Line, a.Col, err.Error())
		}
		list = append(list, d)
	}
	return list, nil
}
