package otter

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// Locate lists the files that hold hooks: the user's count before the project's.
func (Dialect) Locate(p schema.Places) (out []schema.Source) {
	if p.Home != "" {
		out = append(out, schema.Source{File: filepath.Join(p.Home, ".otter", "hooks.json"), Scope: schema.ScopeUser})
	}
	if p.Project != "" {
		out = append(out, schema.Source{File: filepath.Join(p.Project, ".otter", "hooks.json"),
			Scope: schema.ScopeProject})
	}
	return out
}

// Plugins lists none: the otter has no plugins.
func (Dialect) Plugins(schema.Places, []*schema.Config, dialect.ReadFile) []schema.Source { return nil }

// Given is the source for a file that the user named.
func (Dialect) Given(file string) schema.Source { return schema.Source{File: file} }

// ParseConfig reads a file of hooks. It goes on after a finding, and drops nothing
// that it doesn't report.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	cfg := &schema.Config{Source: at}
	var ds schema.Diagnostics
	o, err := schema.ParseObject(text)
	if err != nil {
		schema.SyntaxDiagnostic(&ds, err).Place(at.File)
		return cfg, ds
	}

	report := func(code schema.Code, m schema.Member, path, msg string) {
		f := ds.Add(code, path, msg)
		f.File = at.File
		f.Line, f.Col = schema.PositionIn(text, m.Off)
	}
	for _, ev := range o {
		row := d.Profile().Row(ev.Name)
		list, err := schema.ListIn(ev.Value, ev.Off)
		if row == nil || err != nil || !d.Profile().Has(row) {
			report(schema.CodeSkippedEvent, ev, schema.PointerTo("", ev.Name), "Otter has no event "+
				strconv.Quote(ev.Name)+" and ignores it")
			continue
		}

		for i, m := range list {
			path := schema.PointerTo("", ev.Name, strconv.Itoa(i))
			h := schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand, Source: at,
				Path: path}
			h.Line, h.Col = schema.PositionIn(text, m.Off)
			entry, err := schema.ObjectIn(m.Value, m.Off)
			if err != nil {
				report(schema.CodeVoidHook, m, path, "the entry is not an object; Otter ignores it")
				continue
			}
			for _, m := range entry {
				if !read(&h, m) {
					h.Extra = append(h.Extra, m)
					report(schema.CodeUnknownMember, m, schema.PointerTo(path, m.Name), strconv.Quote(m.Name)+
						" means nothing here; Otter ignores it")
				}
			}
			if h.Command == "" {
				report(schema.CodeVoidHook, m, path, "the entry runs nothing; Otter ignores it")
				continue
			}
			cfg.Hooks = append(cfg.Hooks, h)
		}
	}

	return cfg, ds
}

// read takes a field of an entry over; false if it means nothing.
func read(h *schema.Hook, m schema.Member) (ok bool) {
	switch m.Name {
	case "run":
		h.Command, ok = schema.TextIn(m.Value)
	case "on":
		h.Matcher, ok = schema.TextIn(m.Value)
		h.HasMatcher = ok
	case "seconds":
		var f float64
		if f, ok = schema.NumberIn(m.Value); ok && f > 0 && f < 1e6 {
			h.Timeout = time.Duration(f * float64(time.Second))
		}
	}
	return ok
}

// Resolve unites the hooks of all files.
func (Dialect) Resolve(cfgs []*schema.Config) (hooks []schema.Hook, ds schema.Diagnostics) {
	for _, c := range cfgs {
		hooks = append(hooks, c.Hooks...)
	}
	return hooks, nil
}

// Spec prepares a hook as the otter starts it: by sh, in the project.
func (Dialect) Spec(h *schema.Hook, c *schema.Call, p schema.Places) (dialect.Spec, error) {
	if h.Handler != schema.HandlerCommand {
		return dialect.Spec{}, fmt.Errorf("Otter has no %s hooks", h.Handler)
	}
	argv := []string{"/bin/sh", "-c", h.Command}
	if h.Args != nil {
		argv = append([]string{h.Command}, h.Args...)
	}
	return dialect.Spec{Argv: argv, Dir: c.Project, Env: p.Env}, nil
}

// Select returns what a matcher selects: names of tools.
func (d Dialect) Select(h *schema.Hook) schema.Selection {
	row := d.Profile().Row(h.Native)
	if h.Matcher == "" || h.Matcher == "*" || row == nil || row.Match == schema.MatchNothing {
		return schema.Selection{All: true, Exact: true}
	}
	if server, tool, ok := profile.MCP.Split(h.Matcher); ok {
		return schema.Selection{Picks: []schema.Pick{{Kind: schema.MCP, Server: server, Name: tool}}, Exact: true}
	}
	if t := toolNamed(h.Matcher); t != nil {
		return schema.Selection{Picks: []schema.Pick{{Kind: t.Kinds[0]}}, Exact: true}
	}
	return schema.Selection{All: true} // never narrower
}

// Plan lists where a hook can stand. An entry names one tool or none, so that a hook
// for several tools needs several entries.
func (d Dialect) Plan(h *schema.Hook, sel schema.Selection) (out []schema.Entry) {
	row := schema.RowFor(events, h.Event)
	if row == nil || h.Inline {
		return nil
	}

	entry := schema.Entry{Native: row.Native, Pointer: schema.PointerTo("", row.Native), Exact: sel.Exact}
	if sel.All || row.Match == schema.MatchNothing {
		entry.Exact = sel.All && sel.Exact
		return []schema.Entry{entry}
	}

	for _, p := range sel.Picks {
		one := entry
		one.Matcher = p.Name
		switch t := toolOf(p.Kind); {
		case p.Server != "" && p.Name != "":
			one.Matcher = profile.MCP.Join(p.Server, p.Name)
		case p.Kind == schema.MCP:
			one.Matcher = ""
		case t != nil && p.Name == "":
			one.Matcher = t.Name
		}
		if one.Matcher == "" || sel.Search != "" { // can't be named: select all
			entry.Exact = false
			return []schema.Entry{entry}
		}
		out = append(out, one)
	}
	return out
}

// WriteHook writes an entry.
func (Dialect) WriteHook(e schema.Entry, h *schema.Hook) ([]byte, schema.Feature) {
	w := schema.NewJSONWriter(nil)
	w.String("run", h.Command)
	if e.Matcher != "" {
		w.String("on", e.Matcher)
	}
	if h.Timeout > 0 {
		w.Int("seconds", int64((h.Timeout+time.Second-1)/time.Second))
	}
	return w.Bytes(), schema.HookMatcher | schema.HookTimeout
}
