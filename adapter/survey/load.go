package survey

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// Loaded has the entries of an agent's own files.
type Loaded struct {
	discover.Result
	Found   schema.Diagnostics // about the files
	Folders []string           // the folders of the project's files, the nearest first
	Places  schema.Places      // with the first of these as the project, "" if there is none
}

// asKnown reads files like the versions of an agent in the tables.
type asKnown struct{ dialect.Dialect }

// ParseConfig reads a file.
func (r asKnown) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	cfg, ds := r.Dialect.ParseConfig(text, at)
	return cfg.AsKnown(), ds
}

// Load reads an agent's own files as the agent does when it is started in the project's folder: of all scopes, with its
// plugins and the files in given. It returns the entries that the agent calls.
func Load(d dialect.Dialect, p schema.Places, given []string) (l Loaded) {
	l.Places = p
	l.Folders = discover.Started(p.Project, d.Profile())
	l.Places.Project = ""
	if len(l.Folders) > 0 {
		l.Places.Project = l.Folders[0]
	}

	l.Result, l.Found = discover.LoadAll(asKnown{d}, l.Places, given)
	l.Hooks = slices.DeleteFunc(l.Hooks, func(h schema.Hook) bool { return discover.Refused(d, h.Source) != nil })
	l.Hooks = LoadedOnce(d, l.Places, l.Hooks)

	for _, dir := range l.Folders[min(1, len(l.Folders)):] {
		above := p
		above.Project = dir
		res, ds := LoadScope(asKnown{d}, above, schema.ScopeProject)
		l.Hooks = append(l.Hooks, res.Hooks...)
		l.Configs = append(l.Configs, res.Configs...)
		l.Found = append(l.Found, ds...)
	}

	edited := func(h schema.Hook) bool {
		return slices.ContainsFunc(l.Found, func(f schema.Diagnostic) bool {
			return f.File == h.Source.File && Edited(d, f)
		})
	}
	l.Hooks = slices.DeleteFunc(l.Hooks, edited)
	for _, c := range l.Configs {
		c.Hooks = slices.DeleteFunc(c.Hooks, edited)
	}
	return l
}

// Edited reports whether a finding means that a file that hookbridge writes as a whole, such as a module, was edited or
// rejects the answers. The agent then doesn't do what its entries state.
func Edited(d dialect.Dialect, f schema.Diagnostic) bool {
	edited := f.Code == schema.CodeRefusedFile || f.Code == schema.CodeNotCalled
	return d.Abilities().EntryFile != nil && f.Path == "" && edited
}

// Sources lists where an agent that is started in the project's folder looks for its own hooks.
func Sources(d dialect.Dialect, p schema.Places) (list []schema.Source) {
	folders := append(discover.Started(p.Project, d.Profile()), "")
	for i, dir := range folders {
		at := p
		at.Project = dir
		for _, s := range d.Locate(at) {
			if i == 0 || s.OfProject() {
				list = append(list, s)
			}
		}
	}
	return list
}

// Started returns the places where an agent starts its hooks, which its payloads name. If the agent loads only the root
// of a repository, that root is the project.
func (l *Loaded) Started(d dialect.Dialect, p schema.Places) schema.Places {
	if d.Profile().Layers == dialect.RootAlone && len(l.Folders) > 0 {
		return l.Places
	}
	return p
}

// Files lists an agent's existing files in a scope, including unreadable ones.
func Files(d dialect.Dialect, p schema.Places, of func(schema.Source) bool) (list []schema.Source) {
	for _, s := range d.Locate(p) {
		for _, f := range discover.Files(s) {
			if of(s) && hookfile.Exists(f.File) {
				list = append(list, f)
			}
		}
	}
	return list
}

// Imported returns the hooks of other agents' files that an agent loads and runs. always: no setting disables that.
func Imported(d dialect.Dialect, p schema.Places) (hooks []schema.Hook, always bool) {
	importer := d.Abilities().Imports
	if importer == nil {
		return nil, false
	}
	for _, file := range importer.Imported(p, discover.Read) {
		for _, from := range adapter.Without(adapter.Dialects(), d) {
			at := lists.Find(from.Locate(p), func(s *schema.Source) bool { return s.File == file })
			if at == nil {
				continue
			}
			text, _ := discover.Read(file)
			cfg, _ := from.ParseConfig(text, *at)
			for _, h := range cfg.AsKnown().Hooks {
				if own, ok := importer.Import(h); ok {
					hooks = append(hooks, own)
				}
			}
			break
		}
	}
	return hooks, importer.AlwaysImports()
}

// LoadedOnce removes duplicates of hooks that belong to both the user and the project, because the project is the
// user's home folder.
func LoadedOnce(d dialect.Dialect, p schema.Places, hooks []schema.Hook) []schema.Hook {
	if p.Project != p.Home || d.Profile().HomeTwice {
		return hooks
	}
	all := slices.Clone(hooks)
	return slices.DeleteFunc(hooks, func(h schema.Hook) bool {
		return h.Source.OfProject() && slices.ContainsFunc(all, func(o schema.Hook) bool {
			return o.Source.Scope == schema.ScopeUser && o.Source.File == h.Source.File && o.Path == h.Path
		})
	})
}
