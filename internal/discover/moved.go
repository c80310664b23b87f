package discover

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// A marking reader marks the sources that aren't in their usual places.
type marking struct {
	Reader
	usual []string // files and folders
}

// Locate lists the files that may configure hooks.
func (m marking) Locate(p schema.Places) []schema.Source { return m.mark(m.Reader.Locate(p)) }

// Plugins lists the files of plugins.
func (m marking) Plugins(p schema.Places, cfgs []*schema.Config, read func(string) ([]byte, error)) []schema.Source {
	return m.mark(m.Reader.Plugins(p, cfgs, read))
}

func (m marking) mark(sources []schema.Source) []schema.Source {
	sources = slices.Clone(sources)
	for i := range sources {
		sources[i].Moved = !slices.Contains(m.usual, sources[i].File)
	}
	return sources
}

// sourcesOf lists where the agent's hook files are in the places, as far as the files read so far name them.
func sourcesOf(r Reader, p schema.Places, res *Result) (files []string) {
	for _, s := range append(r.Locate(p), r.Plugins(p, res.Configs, Read)...) {
		files = append(files, s.File)
	}
	return files
}

// unite adds what only the other result has. A hook that only the settings of one of them disable runs.
func (res *Result) unite(other *Result) {
	res.Failed, res.Partial = res.Failed || other.Failed, res.Partial || other.Partial
	for i, c := range other.Configs {
		same := func(have *schema.Config) bool { return have.Source.File == c.Source.File }
		if !slices.ContainsFunc(res.Configs, same) {
			res.Configs, res.Texts = append(res.Configs, c), append(res.Texts, other.Texts[i])
		}
	}
	known := slices.Clip(res.Hooks)
	for i := range other.Hooks {
		h := &other.Hooks[i]
		if !slices.ContainsFunc(known, func(have schema.Hook) bool { return have.SamePlace(h) }) {
			res.Hooks = append(res.Hooks, *h)
		}
	}
}
