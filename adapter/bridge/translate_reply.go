package bridge

import (
	"context"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TranslateReply rewrites what a hook of one dialect printed (with exit status 0) for the event native into the answer
// that a host of another expects. It replaces and reports what the host can't do, like a Run.
func TranslateReply(from, to dialect.Dialect, src []byte, native, tool string, p cmdline.Policy) ([]byte,
	schema.Diagnostics) {
	var ds schema.Diagnostics
	row := from.Profile().Row(native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, "", from.Profile().TitleChecked()+" doesn't know the event "+native)
		return nil, ds
	}

	c := hostCall(from, to, row, tool)
	if c == nil {
		ds.Add(schema.CodeNoEvent, "", to.Profile().TitleChecked()+" has no event for "+native).Event = native
		return nil, ds
	}

	v := schema.View{Event: native, Kind: c.Tool.Kind(), Tool: tool}
	for _, w := range from.Views(c) {
		if w.Event == native && (tool == "" || w.Tool == tool) {
			v = w
			break
		}
	}

	h := schema.Hook{Event: row.Event, Native: native, Handler: schema.HandlerCommand}
	if from.Profile().Modules != nil { // its hooks answer what callbacks return
		h.Handler = schema.HandlerCallback
	}

	reply, ds := from.DecodeReply(&h, v, &process.Result{Stdout: src})
	r := alone(to, from, p, c)
	for _, m := range reply.Extra {
		ds.Add(schema.CodeIgnoredEffect, ordjson.Pointer("", m.Name), from.Profile().TitleChecked()+
			" doesn't know this field")
	}

	did := done{call: c, runs: []HookRun{{Hook: h, View: v, Ran: true, Reply: reply}}}
	out := fit(settingOf(r, &did, merge(from, did.runs)))
	return answerLine(to, c, &out.reply), slices.Concat(ds, r.log.ds, out.notes)
}

// alone returns a run without a session, files and hooks.
func alone(host, hooks dialect.Dialect, p cmdline.Policy, c *schema.Call) *run {
	in := decoded{host: host, hooks: adapter.AsWritten(hooks, host), call: c, log: &log{event: c.Native}}
	r := newRun(context.Background(), &Bridge{Policy: p}, &in)
	r.files.closed, r.mem = true, &session.Memory{}
	return r
}

// hostCall returns a plain call of the host's event that raises row, or that row depends on in another agent, or nil.
func hostCall(from, to dialect.Dialect, row *schema.EventRow, tool string) *schema.Call {
	same := from.Profile().Name == to.Profile().Name
	if row.Inline() && !same { // other agents have no inline completion
		return nil
	}

	event, t := row.Event, schema.Tool{Name: tool}
	if ride := from.Select(&schema.Hook{Native: row.Native, Event: row.Event}); ride.Event != 0 && !same {
		event = ride.Event
		for _, p := range ride.Picks {
			t.Kinds = append(t.Kinds, p.Kind)
		}
	}

	for _, r := range from.Profile().Tools {
		if r.Name == tool {
			t.Kinds = r.Kinds
		}
	}

	if t.Kinds == nil && row.Gate != nil {
		t.Kinds = row.Kinds()
	}

	if named := from.Select(&schema.Hook{Native: row.Native, Event: row.Event, Matcher: tool}); t.Kinds == nil &&
		tool != "" &&
		len(named.Picks) == 1 && named.Picks[0].Kind == schema.MCP {
		t = schema.Tool{Kinds: []schema.Kind{schema.MCP}, Name: named.Picks[0].Name, Server: named.Picks[0].Server}
	}

	if t.Kinds != nil {
		for _, r := range to.Profile().Tools {
			if len(r.Kinds) > 0 && r.Kinds[0] == t.Kinds[0] {
				t.Name = r.Name
				break
			}
		}
	}

	rows := to.Profile().Events
	for i := range rows {
		if !to.Profile().Has(&rows[i]) {
			continue
		}
		if h := &rows[i]; h.Event == event && h.Gate == nil || same && h.Native == row.Native {
			c := &schema.Call{Dialect: to.Profile().Name, Version: to.Profile().Version, Event: h.Event,
				Native: h.Native, Gate: h.Gate != nil, Inline: h.Inline()}
			if h.Event.IsTool() {
				c.Tool = t
			}
			if !same || h.Native == row.Native {
				return c
			}
		}
	}

	return nil
}
