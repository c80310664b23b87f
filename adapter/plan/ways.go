package plan

import (
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// ways are the ways to start the target in which it doesn't raise the events of a hook's entries, or ignores what the
// hook decides.
func (p *Planner) ways(h *schema.Hook, entries []schema.Entry) (found []Finding) {
	own, to := p.from.Profile().Row(h.Native), p.to.Profile()
	if own == nil || adapter.SameAgent(p.from, p.to) {
		return nil
	}

	for i := range entries {
		row := p.raising(h, entries, i)
		if row == nil {
			continue
		}
		for _, l := range to.LessOn(row.Native) {
			f := Finding{Code: schema.CodeWayLacks, Severity: schema.Loss}
			if own.Decides()&(schema.EffectDeny|schema.EffectKeepGoing) != 0 {
				f.Severity = schema.Weaker
				f.Fix = "guard what matters before the tool runs, or accept this for `" + l.Command + "`"
			}
			switch {
			case l.Never:
				f.Message = "`" + l.Command + "` never raises " + row.Native + ", so the hook runs only where " +
					to.Title + " is started otherwise"
			case l.Effects&own.Decides() != 0:
				f.Message = "`" + l.Command + "` ignores what a hook on " + row.Native + " decides"
			default:
				continue
			}
			found = append(found, f)
		}
	}

	return found
}

// serverNames reports a hook for MCP servers in whose names its agent alone has the name of a plugin or of
// a connector; the zero Finding if it names none.
func (p *Planner) serverNames(h *schema.Hook) Finding {
	own, to := p.from.Profile(), p.to.Profile()
	forms := own.MCP.FormsIn(h.Matcher+" "+h.Condition, &to.MCP)
	if len(forms) == 0 {
		return Finding{}
	}
	of := lists.Map(forms, func(f dialect.ServerForm) string { return f.Of })
	return Finding{Code: schema.CodeServerName, Severity: schema.Note, Message: to.Title +
		" doesn't call the servers of " + strings.Join(of, " and ") + " as " + own.Title +
		" does; the hook runs there for servers of the plain name"}
}
