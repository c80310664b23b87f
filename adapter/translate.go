package adapter

import (
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TranslateCall rewrites the payload of a hook from one dialect into another's.
// native selects the event to write where the call may be shown as several; ""
// takes the likeliest. What the result does not say is reported member by
// member: the result is read again and compared, so that nothing is lost in
// silence. The result is nil only with an Error or if to has no such event.
func TranslateCall(from, to Dialect, src []byte, native string, env schema.Environ) ([]byte, schema.Diagnostics) {
	c, ds := from.DecodeCall(src, env)
	if c == nil {
		return nil, ds
	}
	for _, v := range to.Views(c) {
		if native != "" && v.Event != native {
			continue
		}
		out := to.AppendCall(nil, c, v)
		return out, append(ds, lostMembers(c, to, out, env)...)
	}
	d := ds.Add(schema.CodeNoEvent, "/hook_event_name", to.Name()+" has no event for "+c.Native)
	d.Event = c.Native
	return nil, ds
}

// lostMembers compares what was said with what the translation says.
func lostMembers(c *schema.Call, to Dialect, out []byte, env schema.Environ) (ds schema.Diagnostics) {
	back, more := to.DecodeCall(out, env)
	if back == nil {
		return more
	}
	lost := func(path string) {
		d := ds.Add(schema.CodeMemberLost, path, to.Name()+" has no place for this member")
		d.Event = c.Native
	}
	for _, v := range c.Values {
		if v.Field == schema.FieldEvent || v.Name == "" {
			continue
		}
		if raw := back.Get(v.Field); raw == nil || !sameJSON(raw, v.Raw) {
			lost(ordjson.Pointer("", v.Name))
		}
	}
	if c.Dialect != back.Dialect {
		for _, m := range c.Extra {
			lost(ordjson.Pointer("", m.Name))
		}
	}
	for _, a := range c.Tool.Input {
		if b, ok := find(back.Tool.Input, a); !ok || !sameJSON(a.Raw, b.Raw) {
			if a.Role == schema.RoleCwd && placeSaid(a.Raw, back.Cwd) {
				continue
			}
			lost(ordjson.Pointer("/tool_input", a.Name))
		}
	}
	for _, a := range c.Tool.Output {
		if b, ok := find(back.Tool.Output, a); !ok || !sameJSON(a.Raw, b.Raw) {
			lost(ordjson.Pointer("/tool_output", a.Name))
		}
	}
	return ds
}

// placeSaid reports whether a tool's folder is what the call says anyway.
func placeSaid(raw []byte, cwd string) bool {
	s, ok := ordjson.String(raw)
	return ok && (s == "" || s == cwd)
}

// TranslateReply rewrites what a hook of one dialect printed (with exit status
// 0) for the event native into the answer that a host of another expects. What
// the host cannot do is replaced as in a Run and reported.
func TranslateReply(from, to Dialect, src []byte, native, tool string, ask AskPolicy) ([]byte, schema.Diagnostics) {
	var ds schema.Diagnostics
	row := rowOf(from, native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, "", from.Name()+" has no event "+native)
		return nil, ds
	}
	c := hostCall(from, to, row, tool)
	if c == nil {
		ds.Add(schema.CodeNoEvent, "", to.Name()+" has no event for "+native).Event = native
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
	reply, ds := from.DecodeReply(&h, v, &process.Result{Stdout: src})
	b := &Bridge{Host: to, Hooks: from, Ask: ask, Now: func() time.Time { return time.Time{} }}
	r := &run{Bridge: b, call: c, ds: ds}
	for _, m := range reply.Extra {
		r.ds.Add(schema.CodeIgnoredEffect, ordjson.Pointer("", m.Name), from.Name()+" does not know this member")
	}
	r.fit(&reply)
	return to.AppendReply(nil, c, &reply), r.ds
}

// hostCall is a plain call of the host's event that raises row; nil if none.
func hostCall(from, to Dialect, row *schema.EventRow, tool string) *schema.Call {
	var kinds []schema.Kind
	name := tool
	for _, t := range from.ToolRows() {
		if t.Name == tool {
			kinds = t.Kinds
		}
	}
	if kinds == nil && len(row.Kinds) > 0 {
		kinds = row.Kinds
	}
	if kinds != nil {
		for _, t := range to.ToolRows() {
			if len(t.Kinds) > 0 && t.Kinds[0] == kinds[0] {
				name = t.Name
				break
			}
		}
	}
	rows := to.EventRows()
	for i := range rows {
		if h := &rows[i]; h.Event == row.Event && !h.Gate {
			c := &schema.Call{Dialect: to.Name(), Event: h.Event, Native: h.Native, Gate: h.Gate}
			if h.Event.IsTool() {
				c.Tool = schema.Tool{Kinds: kinds, Name: name}
			}
			return c
		}
	}
	return nil
}
