package otter

import (
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeCall reads a payload. What no row names stays in Extra.
func (d Dialect) DecodeCall(src []byte, _ schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := schema.ParseObject(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}

	c := &schema.Call{Dialect: profile.Name, Version: d.Profile().Version, Raw: src}
	c.Native = fields.Text(o, schema.FieldEvent)
	row := profile.Row(c.Native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, "/event", "Otter has no event "+strconv.Quote(c.Native))
		return nil, ds
	}

	c.Event = row.Event
	c.Values, c.Extra = fields.Decode(o, c.Event)
	c.Cwd = c.Str(schema.FieldCwd)
	c.Project = c.Cwd
	shape, usable := schema.CheckShape(c, false)
	ds, c.Malformed = append(ds, shape...), !usable
	if !c.Event.IsTool() {
		return c, ds
	}

	c.Tool.Name = c.Str(schema.FieldToolName)
	c.Tool.Kinds = []schema.Kind{schema.Other}
	if server, tool, ok := profile.MCP.Split(c.Tool.Name); ok {
		c.Tool = schema.Tool{Name: tool, Server: server, Kinds: []schema.Kind{schema.MCP}}
	}
	var in, out []schema.ArgRow
	if t := toolNamed(c.Tool.Name); t != nil {
		c.Tool.Kinds, in, out = t.Kinds, t.Input, t.Output
	}
	args, _ := schema.ObjectIn(c.Get(schema.FieldToolInput), 0)
	c.Tool.Input = schema.DecodeArgs(args, in)
	result, _ := schema.ObjectIn(c.Get(schema.FieldToolOutput), 0)
	c.Tool.Output = schema.DecodeArgs(result, out)
	return c, ds
}

// Views shows a call of a known kind as the otter's tool for it.
func (d Dialect) Views(c *schema.Call) []schema.View {
	row := d.Profile().Row(c.Native)
	if c.Dialect != profile.Name {
		row = schema.RowFor(events, c.Event)
	}
	if row == nil || c.Inline {
		return nil
	}
	if !row.Event.IsTool() {
		return []schema.View{{Event: row.Native}}
	}
	kind, name := c.Tool.Kind(), c.Tool.Name
	if kind == schema.MCP {
		return serverViews(row.Native, &c.Tool)
	}
	if t := toolOf(kind); t != nil && c.Dialect != profile.Name {
		name = t.Name
	}
	return []schema.View{{Event: row.Native, Kind: kind, Tool: name, Target: []string{name}}}
}

// serverViews shows a server's tool under each name that it may have: of each server that it may be of.
func serverViews(event string, t *schema.Tool) (views []schema.View) {
	for _, s := range t.Owners() {
		names := profile.MCP.Names(t.Written, s, t.Name)
		views = append(views, schema.View{Event: event, Kind: schema.MCP, Server: s, Tool: names[0], Target: names})
	}
	return views
}

// Shown returns the input as a hook sees it: the otter's tools have no further
// members.
func (Dialect) Shown(c *schema.Call, v schema.View) schema.Args { return c.Tool.Input }

// AppendCall writes a payload; one of the otter's own is what it was.
func (Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	w := schema.NewJSONWriter(dst)
	w.String("event", v.Event)
	w.String("session", c.Str(schema.FieldSession))
	w.String("dir", c.Cwd)
	if row := profile.Row(v.Event); row != nil && row.Event.IsTool() {
		var in, out []schema.ArgRow
		if t := toolNamed(v.Tool); t != nil {
			in, out = t.Input, t.Output
		}
		w.String("tool", v.Tool)
		w.Raw("args", schema.AppendArgs(nil, c.Tool.Input, in))
		if row.Event == schema.PostTool {
			w.Raw("result", schema.AppendArgs(nil, c.Tool.Output, out))
		}
	}
	if c.Dialect == profile.Name {
		for _, m := range c.Extra {
			w.Raw(m.Name, m.Value)
		}
	}
	return w.Bytes()
}

// DecodeReply reads an answer. A hook that fails has no opinion.
func (Dialect) DecodeReply(h *schema.Hook, v schema.View, res *dialect.Result) (r schema.Reply, ds schema.Diagnostics) {
	switch {
	case res.Err != nil:
		ds.Add(schema.CodeNotStarted, h.Path, res.Err.Error())
		return r, ds
	case res.TimedOut:
		ds.Add(schema.CodeTimedOut, h.Path, "the hook exceeded its timeout and was killed")
		return r, ds
	case res.Exit != 0:
		ds.Add(schema.CodeHookFailed, h.Path, "the hook ended with exit code "+strconv.Itoa(res.Exit))
		return r, ds
	case len(res.Stdout) == 0:
		return r, nil
	}

	o, err := schema.ParseObject(res.Stdout)
	if err != nil {
		ds.Add(schema.CodeBadAnswer, h.Path, "the answer is not a JSON object")
		return r, ds
	}

	row := profile.Row(v.Event)
	if row == nil {
		row = &schema.EventRow{}
	}
	for _, m := range o {
		text, _ := schema.TextIn(m.Value)
		verdict := map[string]schema.Verdict{"yes": schema.Allow, "no": schema.Deny}[text]
		switch {
		case m.Name == "ruling" && verdict != 0 && row.Honors&schema.EffectDeny != 0:
			r.Verdict = verdict
		case m.Name == "why" && row.Honors&schema.EffectReason != 0:
			r.Reason = text
		case m.Name == "again" && row.Honors&schema.EffectKeepGoing != 0:
			r.KeepGoing = text
		default:
			r.Extra = append(r.Extra, m)
			ds.Add(schema.CodeIgnoredEffect, h.Path, strconv.Quote(m.Name)+" has no effect on "+v.Event)
		}
	}

	return r, ds
}

// Merge makes one reply of several: a no wins.
func (Dialect) Merge(rs []schema.Reply) schema.Reply {
	return schema.MergeRules{Separator: "\n"}.Merge(rs)
}

// Honors returns what the event's row says.
func (d Dialect) Honors(c *schema.Call, _ *schema.Reply) schema.Feature {
	if row := d.Profile().Row(c.Native); row != nil {
		return row.Honors
	}
	return 0
}

// Replaces: the otter takes no other input.
func (Dialect) Replaces(*schema.Call) (schema.Roles, bool) { return 0, false }

// Asks: the otter asks nobody.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// AppendReply writes an answer. There is no milder word than no for what the otter
// can't express.
func (Dialect) AppendReply(dst []byte, _ *schema.Call, r *schema.Reply) []byte {
	w := schema.NewJSONWriter(dst)
	switch r.Verdict {
	case schema.Allow:
		w.String("ruling", "yes")
	case schema.Deny, schema.Defer, schema.Ask:
		w.String("ruling", "no")
	}
	if r.Reason != "" {
		w.String("why", r.Reason)
	}
	if r.KeepGoing != "" {
		w.String("again", r.KeepGoing)
	}
	return w.Bytes()
}

// Refuse writes the strictest answer.
func (Dialect) Refuse(dst []byte, native, reason string) []byte {
	w := schema.NewJSONWriter(dst)
	if slices.ContainsFunc(events, func(r schema.EventRow) bool {
		return r.Native == native && r.Event == schema.Stop
	}) {
		return w.Bytes() // stopping is what the otter wants
	}
	w.String("ruling", "no")
	w.String("why", reason)
	return w.Bytes()
}
