package inspect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// TestVersionsAgree checks versions and programs of one agent like TestCommandsAgree checks agents. convert, check
// --host and doctor find the same, and convert moves no hook to another event if the target has the hook's own.
func TestVersionsAgree(t *testing.T) {
	for i, pair := range versionPairs() {
		if testing.Short() && i%16 != 0 {
			continue
		}
		from, _ := adapter.Find(pair[0])
		to, _ := adapter.Find(pair[1])
		cfg, _, places := everyHook(t, from)
		if cfg == nil || from.Profile().Modules != nil || to.Profile().Modules != nil {
			continue
		}
		in := convert.Installation{Host: to, Hooks: []dialect.Dialect{from}}
		_, checked := in.Entries(cfg.Hooks)
		conversion := convert.Convert(from, to, cfg, convert.ConvertOptions{})
		found := inspect.Examine(to, places, inspect.Examined{Hooks: adapter.NameOf(from),
			Imports: simulate.ImportsOff})
		for i := range cfg.Hooks {
			h := &cfg.Hooks[i]
			if h.Handler != schema.HandlerCommand {
				continue
			}
			where := pair[0] + " to " + pair[1] + ": " + h.Native + " " + h.Path
			setting := func(f string) bool { return strings.HasPrefix(f, string(schema.CodeNoFeature)) }
			check, converted := slices.DeleteFunc(findings(checked, h), setting),
				slices.DeleteFunc(findings(conversion.Diagnostics, h), setting)
			if !slices.Equal(check, converted) {
				t.Errorf("%s: convert %q, check %q", where, converted, check)
			}
			// without findings, the target's own file may lack the hook
			if doctor := examined(found, h); len(doctor) > 0 && h.Condition == "" {
				for _, f := range converted {
					if !slices.Contains(doctor, f) {
						t.Errorf("%s: convert %q, doctor %q", where, converted, doctor)
					}
				}
			}
			row := to.Profile().Row(h.Native)
			has := row != nil && to.Profile().Has(row)
			at := func(e convert.Placed) bool { return slices.Contains(e.From, h.Path) }
			if has && slices.ContainsFunc(conversion.Entries, at) && !slices.ContainsFunc(conversion.Entries,
				func(e convert.Placed) bool { return at(e) && e.Pointer == to.Profile().EventsAt+"/"+h.Native }) {
				t.Errorf("%s: not at its own event", where)
			}
			if !has && len(converted) == 0 && row != nil && row.Decides() != 0 {
				t.Errorf("%s: lost without a word", where)
			}
		}
	}
}

// versionPairs pairs the newest version of each agent with the versions in its tables of events and tools, and with its
// programs.
func versionPairs() (pairs [][2]string) {
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		var names []string
		for _, g := range p.Programs {
			names = append(names, g.Name)
		}
		for _, row := range p.Events {
			names = append(names, strings.TrimPrefix(row.Since, schema.AtMost))
		}
		for _, row := range p.Tools {
			names = append(names, row.Since, row.Until)
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			if name = p.Name + "@" + name; name != p.Name+"@" {
				pairs = append(pairs, [2]string{p.Name, name}, [2]string{name, p.Name})
			}
		}
	}
	return append(pairs, [2]string{"cursor@editor", "cursor@sdk"}, [2]string{"cursor@sdk", "cursor@editor"})
}
