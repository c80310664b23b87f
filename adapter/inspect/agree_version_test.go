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

// TestVersionsAgree holds for versions and programs of one agent what TestCommandsAgree holds for
// agents: convert, check --host and doctor find the same, and convert moves no hook to another event
// where the target has the hook's own.
func TestVersionsAgree(t *testing.T) {
	for _, pair := range [][2]string{
		{"cursor@2.4", "cursor"}, {"cursor", "cursor@2.4"}, {"cursor@editor", "cursor@sdk"},
		{"cursor@sdk", "cursor@editor"},
		{"claude@2.1.119", "claude"}, {"claude", "claude@2.1.119"}, {"qoder", "qoder@ide"}, {"qoder@ide", "qoder"},
	} {
		from, _ := adapter.Find(pair[0])
		to, _ := adapter.Find(pair[1])
		cfg, _, places := everyHook(t, from)
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
			// else the target's own file has no such hook
			if doctor := examined(found, h); len(doctor) > 0 && h.Condition == "" {
				for _, f := range converted {
					if !slices.Contains(doctor, f) {
						t.Errorf("%s: convert %q, doctor %q", where, converted, doctor)
					}
				}
			}
			row := to.Profile().Row(h.Native)
			has := row != nil && to.Profile().Has(row)
			if at := slices.IndexFunc(conversion.Entries, func(e convert.Placed) bool {
				return slices.Contains(e.From, h.Path)
			}); has && at >= 0 &&
				conversion.Entries[at].Pointer != to.Profile().EventsAt+"/"+h.Native {
				t.Errorf("%s: first at %s", where, conversion.Entries[at].Pointer)
			}
			if !has && len(converted) == 0 && row != nil && row.Decides() != 0 {
				t.Errorf("%s: lost without a word", where)
			}
		}
	}
}
