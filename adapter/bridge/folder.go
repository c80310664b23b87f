package bridge

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
)

// startIn is the folder that a command hook is started in: the one that its
// agent would take, unless it is the act's own and the hook's script lies, by its
// relative name, in the project alone. A host that gives every command a folder
// of its own would lose such a guard; its own agent starts it where the session
// stands.
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

// folderFor returns the first folder that exists: a hook that guards must not stay
// away because the act's folder is gone or was told wrong.
func folderFor(r stage, wanted string) string {
	for _, dir := range []string{wanted, r.call.Project, r.places.Env.Get("PWD"), r.places.Home} {
		if dir != "" && discover.IsFolder(dir) {
			return dir
		}
	}
	return ""
}
