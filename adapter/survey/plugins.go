package survey

import (
	"fmt"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// MissingPlugins reports plugins that the project's files enable and that aren't installed here: their hooks run only
// for users who have them.
func MissingPlugins(p schema.Places) (notes []string) {
	for _, d := range adapter.Dialects() {
		member := d.Profile().Plugins.Enabled
		if member == "" {
			continue
		}
		res, _ := LoadScope(d, p, schema.ScopeProject)
		on := dialect.PluginsOn(res.Configs, member)
		for _, c := range res.Configs {
			list, _ := c.Extra.Members(member)
			for _, m := range list {
				if on[m.Name] && !installed(d, p, c.Source, member, m.Name) {
					notes = append(notes, fmt.Sprintf("%s switches on the plugin %s of %s, which isn't installed "+
						"here, so its hooks don't run", c.Source.File, m.Name, d.Profile().Title))
				}
				delete(on, m.Name)
			}
		}
	}
	return notes
}

// installed reports whether an agent finds a plugin that a single file enables.
func installed(d adapter.Dialect, p schema.Places, at schema.Source, member, name string) bool {
	one := ordjson.NewWriter(nil)
	one.Bool(name, true)
	w := ordjson.NewWriter(nil)
	w.Raw(member, one.Bytes())
	extra, err := ordjson.Parse(w.Bytes())
	return err == nil && len(d.Plugins(p, []*schema.Config{{Source: at, Extra: extra}}, discover.Read)) > 0
}
