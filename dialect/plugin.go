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

// Plugins says where a plugin of the agent keeps its hooks. The zero value means
// that the agent has no plugins with hooks.
type Plugins struct {
	Manifests []string       // paths in the plugin's folder, with "/"; the first that exists counts
	Own       string         // of these the one that other agents don't read; "": there is none
	Use       ManifestUse    // what a manifest is needed for
	Required  []string       // fields of the manifest without which the folder isn't a plugin
	Hooks     []string       // the files that need no manifest; the first that exists counts
	Forms     HookForms      // what hooks in a manifest may be; 0: nothing that it says of hooks has an effect
	Event     string         // the field that names the event, for RowForm
	Absent    PluginMistakes // what counts as absent; any other mistake voids the plugin
	Beside    bool           // the file of Hooks is read beside what a manifest lists
	Inline    bool           // hookbridge writes the hooks themselves into the manifest, and no path
	Converts  bool           // a file in another agent's form is read as the agent's own import reads such
	Texts     []string       // the agent refuses a command with one of them, even in quotes, outside of a plugin
	Vars      []string       // variables that have the plugin's folder in the environment of a command
	Replaced  []string       // what is replaced by the folder in the text of a command
	Data      string         // the variable that has the folder for the plugin's data; "": none
	Void      string         // FILE#POINTER: with such a value the folder has no hooks, whatever its manifest says
	Root      string         // what the agent, or the shell, puts the plugin's folder in the place of in a command
	Enabled   string         // the field of a settings file that switches plugins on by name; "": there is none
	Never     string         // why the agent runs no hooks of plugins; "": it does
}

// A ManifestUse says what becomes of a folder whose manifest is missing or can't be read.
type ManifestUse uint8

const (
	ManifestOptional ManifestUse = iota // without one the folder is a plugin; one that can't be read voids it
	ManifestLenient                     // one that can't be read counts as missing, too
	ManifestNeeded                      // without one the folder isn't a plugin
)

// HookForms is a set of forms in which a manifest may state hooks.
type HookForms uint8

const (
	PathForm   HookForms = 1 << iota // the path of a file
	DottedForm                       // a path that begins with "./"
	ListForm                         // a list of paths and objects
	BareForm                         // an object that has events
	FileForm                         // an object that has "hooks", as a file has
	RowForm                          // a list of hooks that name their event in Plugins.Event
)

// PluginMistakes is a set of mistakes in a manifest.
type PluginMistakes uint8

const (
	BadPath     PluginMistakes = 1 << iota // a path of another form, or out of the folder
	NoFile                                 // a path to no file
	OtherObject                            // BareForm where FileForm is expected
	OtherType                              // neither path nor object
)

// Fixed reports whether the agent reads hooks only from the file that needs no manifest.
func (p *Plugins) Fixed() bool { return p.Hooks != nil && p.Forms == 0 }

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

// usual is the file that needs no manifest, "" if the agent has none.
func (p *Plugins) usual(root string, read func(string) ([]byte, error)) (file string) {
	for _, name := range slices.Backward(p.Hooks) {
		at := filepath.Join(root, filepath.FromSlash(name))
		if _, err := read(at); err == nil || file == "" {
			file = at
		}
	}
	return file
}

// Sources are those files as sources of hooks.
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

// voids is what voids the plugin in its manifest, "" if nothing does.
func (p *Plugins) voids(o ordjson.Object) string {
	for _, name := range p.Required {
		if !ordjson.Truthy(o.Value(name)) || strings.Contains(o.Str(name), " ") {
			return "the manifest has no " + name
		}
	}
	return ""
}

// listedHooks reads a manifest's hooks in the forms that the agent knows. They are odd if they void the plugin.
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

// FolderName is the id of a plugin as the name of its folder for data: "-" replaces
// other characters than letters, digits, "_" and "-".
func FolderName(id string) string {
	return strings.Map(func(r rune) rune {
		if ascii.Word(r) {
			return r
		}
		return '-'
	}, id)
}

// PluginFileOf is the file in a plugin's folder, with "/", that hookbridge writes for an agent, or to which
// it moves the hooks of the plugin's own.
func PluginFileOf(agent string) string { return "hooks/" + agent + ".json" }

// RootOf is the folder of the plugin that a manifest belongs to, "" if the file
// is not a manifest.
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
