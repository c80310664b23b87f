package inspect

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// installedOff describes the setting that would keep the host from running an entry in the project file that install
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

	for _, d := range x.own.Found {
		if d.File == s.File && d.Code.RejectsFile() {
			return d.Message
		}
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

// entryOff describes the setting that keeps the host from running entries of hookbridge in its files, "" if there is
// none.
func (x *examination) entryOff(entries []schema.Entry) string {
	for _, c := range x.own.Configs {
		for i := range c.Hooks {
			h := &c.Hooks[i]
			wanted := slices.ContainsFunc(entries, func(e schema.Entry) bool { return e.Native == h.Native })
			if !wanted || !cmdline.FindsHooks(h.Command, h.Args) || schema.HasHook(x.own.Hooks, h) {
				continue
			}
			for _, f := range x.own.Found {
				skipped := f.Code == schema.CodeVoidHook || f.Code == schema.CodeNewerPart
				if f.Code == schema.CodeDisabled && f.File == h.Source.File || skipped && f.Event == h.Native &&
					f.File != "" {
					return f.Message
				}
			}
			return "a setting of " + x.host.Profile().Title + " switches it off"
		}
	}
	return ""
}

// entryVoid returns the finding that makes the host reject a whole file with entries of hookbridge, nil if there is
// none.
func (x *examination) entryVoid() *schema.Diagnostic {
	for i, f := range x.own.Found {
		text, _ := discover.Read(f.File)
		if f.Code.RejectsFile() && bytes.Contains(text, []byte(cmdline.Program+" run")) {
			return &x.own.Found[i]
		}
	}
	return nil
}
