package adapter

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/process"
)

// startIn is the folder that a command hook is started in: the one that its
// agent would take, unless it is the act's own and the hook's script lies, by its
// relative name, in the project alone. A host that gives every command a folder
// of its own would lose such a guard; its own agent starts it where the session
// stands.
func (r *run) startIn(spec *process.Spec, project string) string {
	dir := r.folder(spec.Dir)
	if dir == project || project == "" || len(spec.Argv) == 0 {
		return dir
	}
	words := spec.Argv
	if n := len(words); n > 2 && strings.HasSuffix(words[n-2], "-c") || n > 2 && words[n-2] == "-Command" { // a shell's line
		words = firstCommand(words[n-1])
	}
	script := relativeScript(words)
	if script == "" || isFile(filepath.Join(dir, script)) || !isFile(filepath.Join(project, script)) {
		return dir
	}
	return project
}

// firstCommand are the words of a line up to where another command begins.
func firstCommand(line string) []string {
	if i := strings.IndexAny(line, ";&|<>\n"); i >= 0 {
		line = line[:i]
	}
	return strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(line))
}

// relativeScript is the first word that names a file by a relative path: one
// with a slash, or what follows an interpreter and has a dot.
func relativeScript(words []string) string {
	for i, w := range words {
		switch {
		case strings.HasPrefix(w, "-") || strings.ContainsAny(w, "$`=:") || filepath.IsAbs(w) || strings.HasPrefix(w, "~"):
		case strings.ContainsAny(w, `/\`), i > 0 && strings.Contains(w, ".") && slices.Contains(interpreters, words[0]):
			return w
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
