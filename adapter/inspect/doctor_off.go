package inspect

import (
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// installedOff says which setting would keep the host from running an entry in the file of the project that install
// writes, "" if there is none.
func (x *examination) installedOff(entries []schema.Entry) string {
	at := lists.Find(x.host.Locate(x.own.Places), func(s *schema.Source) bool { return s.Scope == schema.ScopeProject })
	if at == nil {
		return ""
	}
	s := *at
	if s.Folder {
		s.File, s.Folder = filepath.Join(s.File, cmdline.Program+".json"), false
	}

	row := x.host.Profile().Row(entries[0].Native)
	entry := schema.Hook{Source: s, Path: "/installed", Native: row.Native, Event: row.Event,
		Handler: schema.HandlerCommand, Command: cmdline.Program + " run"}
	configs := slices.Clone(x.own.Configs)
	i := slices.IndexFunc(configs, func(c *schema.Config) bool { return c.Source.File == s.File })
	if i < 0 {
		i, configs = len(configs), append(configs, &schema.Config{Source: s})
	}
	with := *configs[i]
	with.Hooks = append(slices.Clone(with.Hooks), entry)
	configs[i] = &with

	hooks, found := x.host.Resolve(configs)
	if schema.HasHook(hooks, &entry) {
		return ""
	}
	if off := lists.Find(found, func(d *schema.Diagnostic) bool { return d.Code == schema.CodeDisabled }); off != nil {
		return off.Message
	}
	return "a setting of " + x.host.Profile().Title + " switches it off"
}
