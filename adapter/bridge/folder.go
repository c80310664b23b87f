package bridge

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
)

// startIn is the working directory of a command hook: the one that its agent would
// use, unless that is the call's own and the hook's relative script exists only in the
// project. With a host that gives every command its own directory, such a guard would
// be lost; its own agent starts it in the session's directory.
func startIn(r stage, spec *process.Spec, project string) string {
	dir := folderFor(r, spec.Dir)
	if dir == project || project == "" || len(spec.Argv) == 0 {
		return dir
	}
	words := spec.Argv
	if n := len(words); n > 2 && strings.HasSuffix(words[n-2], "-c") || n > 2 && words[n-2] == "-Command" { // a shell's line
		words = shell.FirstCommand(words[n-1])
	}
	script := shell.RelativeScript(words)
	if script == "" || discover.IsFile(filepath.Join(dir, script)) || !discover.IsFile(filepath.Join(project, script)) {
		return dir
	}
	return project
}

// folderFor returns the first folder that exists: a guard must run even if the call's
// folder is wrong or gone.
func folderFor(r stage, wanted string) string {
	for _, dir := range []string{wanted, r.call.Project, r.places.Env.Get("PWD"), r.places.Home} {
		if dir != "" && discover.IsFolder(dir) {
			return dir
		}
	}
	return ""
}
