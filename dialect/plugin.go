package dialect

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Plugins describes where a plugin of the agent keeps its hooks. The zero value means that the agent has no plugins
// with hooks.
type Plugins struct {
	Manifests []string       // paths in the plugin's folder, with "/"; the first that exists counts
	Own       string         // the manifest that other agents don't read; "": there is none
	Use       ManifestUse    // the purpose of a manifest
	Required  []string       // fields of the manifest without which the folder isn't a plugin
	Hooks     []string       // files that don't need a manifest; the first that exists counts
	Forms     HookForms      // the forms of hooks in a manifest; 0: hooks in it have no effect
	Event     string         // the field that names the event, for RowForm
	Absent    PluginMistakes // mistakes that count as absent; any other mistake voids the plugin
	Beside    bool           // the file of Hooks is read in addition to a manifest's list
	Inline    bool           // hookbridge writes the hooks themselves into the manifest, not a path
	Converts  bool           // a file in another agent's format is read as the agent's own import reads it
	Texts     []string       // outside a plugin, the agent rejects a command with one of these texts, even in quotes
	Vars      []string       // variables in a command's environment that hold the plugin's folder
	Replaced  []string       // texts of a command that are replaced by the folder
	Data      string         // the variable that holds the folder for the plugin's data; "": none
	Void      string         // FILE#POINTER: with this value the folder has no hooks, whatever its manifest says
	Root      string         // the text that the agent, or the shell, replaces with the plugin's folder in a command
	Enabled   string         // the field of a settings file that turns plugins on by name; "": there is none
	Never     string         // why the agent runs no hooks of plugins; "": it does
}

// A ManifestUse is what happens to a folder whose manifest is missing or unreadable.
type ManifestUse uint8

const (
	ManifestOptional ManifestUse = iota // a folder without one is a plugin; an unreadable one voids it
	ManifestLenient                     // likewise, but an unreadable one counts as missing
	ManifestNeeded                      // a folder without one isn't a plugin
)

// HookForms is a set of forms in which a manifest may state hooks.
type HookForms uint8

const (
	PathForm   HookForms = 1 << iota // the path of a file
	DottedForm                       // a path that begins with "./"
	ListForm                         // a list of paths and objects
	BareForm                         // an object of events
	FileForm                         // an object with "hooks", like a file
	RowForm                          // a list of hooks that name their event in Plugins.Event
)

// PluginMistakes is a set of mistakes in a manifest.
type PluginMistakes uint8

const (
	BadPath     PluginMistakes = 1 << iota // a path of another form, or outside the folder
	NoFile                                 // a path to no file
	OtherObject                            // BareForm where FileForm is expected
	OtherType                              // neither path nor object
)

// Fixed reports whether the agent reads hooks only from the file that needs no manifest.
func (p *Plugins) Fixed() bool { return p.Hooks != nil && p.Forms == 0 }

// Refuses returns the reason why the agent doesn't start the hook, "" if it does. The reason is a text in its command
// that is allowed only in plugins.
func (p *Profile) Refuses(h *schema.Hook) string {
	for _, text := range p.Plugins.Texts {
		has := func(part string) bool { return strings.Contains(part, text) }
		if h.Source.Plugin == "" && (has(h.Command) || slices.ContainsFunc(h.Args, has)) {
			return "only plugin hooks have " + text + "; " + p.Title + " doesn't run this hook"
		}
	}
	return ""
}

// Guarded rewrites a command of hookbridge, whose words are in single quotes, so that the agent doesn't reject it. The
// shell parses it into the same words.
func (p *Plugins) Guarded(command string) string {
	for _, text := range p.Texts {
		command = strings.ReplaceAll(command, text, "$''"+text[1:])
	}
	return command
}

// A PluginFile is a file of a plugin that holds hooks.
type PluginFile struct {
	File string
	Text []byte // the hooks of a manifest that holds them itself; nil: the file isn't read yet
}

// Manifest returns the manifest of the plugin in the folder root and its text; "" if there is none.
func (p *Plugins) Manifest(root string, read func(string) ([]byte, error)) (file string, text []byte) {
	for _, name := range p.Manifests {
		file := filepath.Join(root, filepath.FromSlash(name))
		if text, err := read(file); err == nil {
			return file, text
		}
	}
	return "", nil
}

// Files lists the hook files of the plugin in the folder root, each once, in the agent's order. Paths that lead out of
// the folder, or to the folder or the manifest itself, are left out and reported.
func (p *Plugins) Files(root string, read func(string) ([]byte, error)) (files []PluginFile, ds schema.Diagnostics) {
	if name, pointer, ok := strings.Cut(p.Void, "#"); ok {
		file := filepath.Join(root, filepath.FromSlash(name))
		if text, _ := read(file); ordjson.At(text, pointer) != nil {
			ds.Add(schema.CodeRefusedFile, pointer, "with this value in the file no hooks of the plugin run").File =
				file
			return nil, ds
		}
	}

	manifest, text := p.Manifest(root, read)
	usual := p.usual(root, read)
	o, _, err := ordjson.ParseLast(text)
	why := p.voids(o)
	if manifest != "" && err != nil && p.Use != ManifestLenient {
		schema.SyntaxDiagnostic(&ds, err).Place(manifest)
		return nil, ds
	}

	raw := o.Value("hooks")
	if p.Fixed() {
		raw = nil
	}
	paths, inline, odd := p.listedHooks(raw)
	if manifest != "" && err == nil && (why != "" || odd) {
		ds.Add(schema.CodeRefusedFile, "", cmp.Or(why, "hooks has a wrong form")+
			", so no hooks of the plugin run").File = manifest
		return nil, ds
	}

	paths = slices.DeleteFunc(paths, func(path string) bool {
		_, err := read(filepath.Join(root, filepath.FromSlash(path)))
		ok := p.accepts(path)
		missing := ok && err != nil
		return p.Absent&BadPath != 0 && !ok || p.Absent&NoFile != 0 && missing
	})
	if usual != "" && (len(paths) == 0 && !inline || p.Beside) {
		files = append(files, PluginFile{File: usual})
	}

	for _, path := range paths {
		file := filepath.Join(root, filepath.FromSlash(path))
		rel, err := filepath.Rel(root, file)
		switch known := func(f PluginFile) bool { return f.File == file }; {
		case err != nil || !p.accepts(path):
			d := ds.Add(schema.CodeRefusedFile, "/hooks",
				path+" is not a path inside the plugin, so the hooks of that file don't run")
			if d.File = manifest; p.Forms&DottedForm != 0 {
				return nil, ds
			}
		case rel == "." || file == manifest:
			ds.Add(schema.CodeRefusedFile, "/hooks", "the manifest lists "+path+", which is not a file of hooks").File =
				manifest
		case !slices.ContainsFunc(files, known):
			files = append(files, PluginFile{File: file})
		}
	}
	if inline {
		files = append(files, PluginFile{File: manifest, Text: text})
	}

	return files, ds
}

// usual returns the file that needs no manifest, "" if the agent has none.
func (p *Plugins) usual(root string, read func(string) ([]byte, error)) (file string) {
	for _, name := range slices.Backward(p.Hooks) {
		at := filepath.Join(root, filepath.FromSlash(name))
		if _, err := read(at); err == nil || file == "" {
			file = at
		}
	}
	return file
}

// Sources returns those files as sources of hooks.
func (p *Plugins) Sources(root string, read func(string) ([]byte, error)) (out []schema.Source) {
	files, _ := p.Files(root, read)
	for _, f := range files {
		out = append(out, schema.Source{File: f.File, Scope: schema.ScopePlugin, Plugin: root})
	}
	return out
}

func (p *Plugins) accepts(path string) bool {
	return filepath.IsLocal(filepath.FromSlash(path)) && (p.Forms&PathForm != 0 || strings.HasPrefix(path, "./"))
}

// voids returns why the manifest voids the plugin, "" if it doesn't.
func (p *Plugins) voids(o ordjson.Object) string {
	for _, name := range p.Required {
		if !ordjson.Truthy(o.Value(name)) || strings.Contains(o.Str(name), " ") {
			return "the manifest has no " + name
		}
	}
	return ""
}

// listedHooks reads a manifest's hooks in the forms that the agent accepts. odd means that they void the plugin.
func (p *Plugins) listedHooks(raw []byte) (paths []string, inline, odd bool) {
	list, err := ordjson.Elements(raw, 0)
	if raw != nil && (err != nil || p.Forms&(ListForm|RowForm) == 0) {
		list = []ordjson.Member{{Value: raw}}
	}

	for _, m := range list {
		o, err := ordjson.Members(m.Value, 0)
		bare := err == nil && len(o) > 0 && !o.Has("hooks")
		switch path, _ := ordjson.String(m.Value); {
		case path != "" && p.Forms&(PathForm|DottedForm) != 0:
			paths = append(paths, path)
		case bare && p.Forms&(BareForm|RowForm) == 0:
			odd = odd || p.Absent&OtherObject == 0
		case err == nil:
			inline, odd = true, odd || o.Has("hooks") && p.Forms&(FileForm|RowForm) == 0
		default:
			odd = odd || p.Absent&OtherType == 0
		}
	}

	return paths, inline, odd
}

// FolderName returns the name of a plugin's data folder: its id, with "-" for all characters except letters, digits,
// "_" and "-".
func FolderName(id string) string {
	return strings.Map(func(r rune) rune {
		if ascii.Word(r) {
			return r
		}
		return '-'
	}, id)
}

// PluginFileOf returns the path in a plugin's folder, with "/", of the file that hookbridge writes for an agent, or to
// which it moves the plugin's own hooks.
func PluginFileOf(agent string) string { return "hooks/" + agent + ".json" }

// RootOf returns the plugin folder of a manifest, "" if the file isn't a manifest.
func (p *Plugins) RootOf(file string) string {
	found, longest := "", 0
	for _, name := range p.Manifests {
		root, ok := strings.CutSuffix(filepath.ToSlash(file), name)
		if ok && (root == "" || strings.HasSuffix(root, "/")) && len(name) > longest {
			found, longest = filepath.Clean(filepath.FromSlash(root+".")), len(name)
		}
	}
	return found
}
