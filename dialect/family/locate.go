package family

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A FileRow is a file, or a folder of them, from which the agent loads hooks. An administrator's file has an absolute
// path. A user's or a team's is relative to the user's folder of the agent, and all others to the project's.
type FileRow struct {
	Scope    schema.Scope
	Path     string // with slashes
	OS       string // as runtime.GOOS; "": any, but not Windows for an administrator's file
	Variable string // names another file instead, on this machine
	Folder   bool   // each *.json file in it counts
	Deep     bool   // subfolders of a folder count too
}

// Locate lists the files that may configure hooks, in order of precedence.
func (a *Agent) Locate(p schema.Places) []schema.Source {
	return Locate(a.Files, a.Names.UserFolder(p), a.Names.ProjectFolder(p), p)
}

// Locate lists the files of rows, in their order: in the user's folder of an agent, in the project's, and an
// administrator's. It leaves out the files of a folder that is "".
func Locate(rows []FileRow, user, project string, p schema.Places) (out []schema.Source) {
	for i := range rows {
		file := rows[i].file(user, project, p)
		switch {
		case file == "":
		case rows[i].Deep:
			for _, dir := range folders(file) {
				out = append(out, schema.Source{File: dir, Scope: rows[i].Scope, Folder: true})
			}
		default:
			out = append(out, schema.Source{File: file, Scope: rows[i].Scope, Folder: rows[i].Folder})
		}
	}
	return out
}

// file returns the path of the row's file, "" if there is none.
func (r *FileRow) file(user, project string, p schema.Places) string {
	path, dir := filepath.FromSlash(r.Path), project
	switch managed := r.Scope == schema.ScopeManaged; {
	case r.OS != "" && r.OS != p.OS, managed && r.OS == "" && p.OS == "windows":
		return ""
	case managed && p.System == "" && r.Variable != "":
		return cmp.Or(p.Env.Get(r.Variable), path)
	case managed:
		return p.OfSystem(path)
	case r.Scope == schema.ScopeUser || r.Scope == schema.ScopeTeam:
		dir = user
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, path)
}

// folders lists a folder and its subfolders, including symbolic links, each once.
func folders(root string) []string {
	out, seen := []string{root}, map[string]bool{}
	for i := 0; i < len(out) && i < 100; i++ {
		entries, _ := os.ReadDir(out[i])
		for _, e := range entries {
			dir := filepath.Join(out[i], e.Name())
			if e.Type()&os.ModeSymlink != 0 {
				target, err := filepath.EvalSymlinks(dir)
				if info, _ := os.Stat(dir); err != nil || info == nil || !info.IsDir() || seen[target] {
					continue
				}
				seen[target] = true
			} else if !e.IsDir() {
				continue
			}
			out = append(out, dir)
		}
	}
	return out
}

// Extensions lists the folders of installed extensions that have a manifest and are enabled for a project. It works for
// Gemini CLI and its fork (observed Qwen Code 0.24.4).
func Extensions(root, manifest, project string, read dialect.ReadFile) (dirs []string) {
	entries, _ := os.ReadDir(root)
	text, _ := read(filepath.Join(root, "extension-enablement.json"))
	rules, _, _ := ordjson.ParseLast(text)
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		text, err := read(filepath.Join(dir, manifest))
		o, _, _ := ordjson.ParseLast(text)
		if err == nil && extensionOn(rules.Value(o.Str("name")), project) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// extensionOn applies an extension's rules to a folder: the last one that fits counts. A rule is a path, with "!"
// before it for a ban and "*" after it for everything below (source Gemini CLI 0.61.0).
func extensionOn(raw []byte, dir string) bool {
	on := true
	o, _ := ordjson.Members(raw, 0)
	at := "/" + strings.Trim(filepath.ToSlash(dir), "/") + "/"
	for _, rule := range o.Strings("overrides") {
		rule, ban := strings.CutPrefix(rule, "!")
		base, below := strings.CutSuffix(rule, "*")
		if base == at || below && strings.HasPrefix(at, base) {
			on = !ban
		}
	}
	return on
}

// FolderTrust returns a project's state in a file of trusted folders, read with err: the longest path counts (source
// Gemini CLI 0.61.0, observed Qwen Code 0.24.4).
func FolderTrust(text []byte, err error, project string) dialect.TrustState {
	rules, _, bad := ordjson.ParseLast(text)
	if err == nil && bad != nil {
		return dialect.TrustUnknown
	}
	longest, state := -1, dialect.FolderUnlisted
	for _, m := range rules {
		level, _ := ordjson.String(m.Value)
		root := m.Name
		if level == "TRUST_PARENT" {
			root = filepath.Dir(root)
		}
		if !dialect.Within(root, project) || len(m.Name) <= longest {
			continue
		}
		longest, state = len(m.Name), dialect.Trusted
		if level == "DO_NOT_TRUST" {
			state = dialect.FolderUntrusted
		}
	}
	return state
}
