package dialect

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Plugins says where a plugin of the agent keeps its hooks. The zero value means
// that the agent has no plugins with hooks.
type Plugins struct {
	Manifests []string // paths in the plugin's folder, with "/"; the first that exists counts
	Hooks     string   // the file that needs no manifest
	Beside    bool     // that file is read beside what a manifest lists
	Dotted    bool     // a path that does not begin with "./" voids the plugin
	Texts     []string // the agent refuses a command with one of them, even in quotes, outside of a plugin
}

// Refuses says why the agent doesn't start the hook: its command has a text that only
// plugins may have; "" if it starts it.
func (p *Profile) Refuses(h *schema.Hook) string {
	for _, text := range p.Plugins.Texts {
		has := func(part string) bool { return strings.Contains(part, text) }
		if h.Source.Plugin == "" && (has(h.Command) || slices.ContainsFunc(h.Args, has)) {
			return "only plugin hooks have " + text + "; " + p.Title + " doesn't run this hook"
		}
	}
	return ""
}

// Guarded is a command of hookbridge, whose words are in single quotes, in a form that
// the agent doesn't refuse; the shell makes the same words of it.
func (p *Plugins) Guarded(command string) string {
	for _, text := range p.Texts {
		command = strings.ReplaceAll(command, text, "$''"+text[1:])
	}
	return command
}

// A PluginFile is a file of a plugin that holds hooks.
type PluginFile struct {
	File string
	Text []byte // what a manifest that holds hooks itself was read as; nil: the file is not read yet
}

// Manifest is the manifest of the plugin in the folder root and its text; ""
// if there is none.
func (p *Plugins) Manifest(root string, read func(string) ([]byte, error)) (file string, text []byte) {
	for _, name := range p.Manifests {
		file := filepath.Join(root, filepath.FromSlash(name))
		if text, err := read(file); err == nil {
			return file, text
		}
	}
	return "", nil
}

// Files lists the files of the plugin in the folder root that hold hooks, each
// once, in the agent's order. Paths that lead out of the folder, and to the
// folder or the manifest, are left out and reported.
func (p *Plugins) Files(root string, read func(string) ([]byte, error)) (files []PluginFile, ds schema.Diagnostics) {
	manifest, text := p.Manifest(root, read)
	usual := filepath.Join(root, filepath.FromSlash(p.Hooks))
	o, _, err := ordjson.ParseLast(text)
	if manifest != "" && err != nil {
		schema.SyntaxDiagnostic(&ds, err).Place(manifest)
		if p.Beside {
			files = []PluginFile{{File: usual}}
		}
		return files, ds
	}
	raw, listed := o.Get("hooks")
	paths, inline := listedHooks(raw)
	listed = listed && (len(paths) > 0 || inline)
	if !listed || p.Beside {
		files = append(files, PluginFile{File: usual})
	}
	for _, path := range paths {
		file := filepath.Join(root, filepath.FromSlash(path))
		rel, err := filepath.Rel(root, file)
		switch known := func(f PluginFile) bool { return f.File == file }; {
		case err != nil || !filepath.IsLocal(rel) || p.Dotted && !strings.HasPrefix(path, "./"):
			d := ds.Add(schema.CodeRefusedFile, "/hooks", path+" is not a path inside the plugin, so the hooks of that file don't run")
			if d.File = manifest; p.Dotted {
				return nil, ds
			}
		case rel == "." || file == manifest:
			ds.Add(schema.CodeRefusedFile, "/hooks", "the manifest lists "+path+", which is not a file of hooks").File = manifest
		case !slices.ContainsFunc(files, known):
			files = append(files, PluginFile{File: file})
		}
	}
	if inline {
		files = append(files, PluginFile{File: manifest, Text: text})
	}
	return files, ds
}

// Sources are those files as sources of hooks.
func (p *Plugins) Sources(root string, read func(string) ([]byte, error)) (out []schema.Source) {
	files, _ := p.Files(root, read)
	for _, f := range files {
		out = append(out, schema.Source{File: f.File, Scope: schema.ScopePlugin, Plugin: root})
	}
	return out
}

// listedHooks reads a manifest's hooks: a path, hooks, or a list of both.
func listedHooks(raw []byte) (paths []string, inline bool) {
	switch ordjson.KindOf(raw) {
	case ordjson.StringKind:
		s, _ := ordjson.String(raw)
		return []string{s}, false
	case ordjson.Array:
		list, _ := ordjson.Elements(raw, 0)
		for _, m := range list {
			if s, ok := ordjson.String(m.Value); ok {
				paths = append(paths, s)
			}
			inline = inline || ordjson.KindOf(m.Value) == ordjson.ObjectKind
		}
		return paths, inline
	}
	return nil, ordjson.KindOf(raw) == ordjson.ObjectKind
}

// FolderName is the id of a plugin as the name of its folder for data: "-" replaces
// other characters than letters, digits, "_" and "-".
func FolderName(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, id)
}

// RootOf is the folder of the plugin that a manifest belongs to, "" if the file
// is not a manifest.
func (p *Plugins) RootOf(file string) string {
	for _, name := range p.Manifests {
		if root, ok := strings.CutSuffix(filepath.ToSlash(file), name); ok && (root == "" || strings.HasSuffix(root, "/")) {
			return filepath.Clean(filepath.FromSlash(root + "."))
		}
	}
	return ""
}
