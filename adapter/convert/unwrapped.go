package convert

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// unwrapped reports a script or server that the target calls with its own payload, and
// whose answer it reads by its own rules, where either differs.
func (c *converter) unwrapped(h *schema.Hook, entries []schema.Entry) {
	switch {
	case c.copies && !c.moves || h.Handler == schema.HandlerPrompt || h.Handler == schema.HandlerAgent:
		return
	case h.Handler == schema.HandlerCommand && c.wrap != WrapNever:
		return
	}
	for _, e := range entries {
		if c.speaksAlike(h, e.Native) {
			continue
		}
		what, fix := "command", "convert without --wrap never"
		if h.Handler != schema.HandlerCommand {
			what, fix = h.Handler.String()+" hook", "make sure that it understands "+c.to.Profile().Title
		}
		c.report(schema.CodeForeignImport, plan.GuardSeverity(c.from, h), h, "", "the "+what+" is copied, so at "+e.Native+" it gets a "+c.to.Profile().Title+
			" payload, and its answer is read as "+c.to.Profile().Title+" reads it; neither is quite what it was written for").Fix = fix
		return
	}
}

// speaksAlike reports whether a hook that is copied to an event gets a payload with all
// that its own agent sends, and whether its answers decide the same there.
func (c *converter) speaksAlike(h *schema.Hook, native string) bool {
	kinds := []schema.Kind{schema.Other}
	if h.Event.IsTool() {
		kinds = append(c.plan.Kinds(h), schema.MCP)
	}
	var fields []schema.Field // that both send
	for _, f := range c.from.Profile().Row(h.Native).Fields {
		if slices.Contains(c.to.Profile().Row(native).Fields, f) {
			fields = append(fields, f)
		}
	}
	for _, k := range kinds {
		switch {
		case k == schema.List || k == schema.MultiEdit: // only old versions have such tools
			continue
		case h.Event.IsTool() && k != schema.MCP && c.from.Profile().ToolOfKind(k) == nil:
			continue
		}
		own, call, view := payload(c.from, h.Native, k, fields)
		theirs, _, there := payload(c.to, native, k, fields)
		if !within(own, theirs) || !c.answersAlike(h, call, view, there) {
			return false
		}
	}
	return true
}

// payload is what an agent sends at one of its events about a tool of the kind.
func payload(d dialect.Dialect, native string, k schema.Kind, fields []schema.Field) (ordjson.Object, *schema.Call, schema.View) {
	row := d.Profile().Row(native)
	call := &schema.Call{Dialect: d.Profile().Name, Event: row.Event, Native: native, Gate: row.Gate, Inline: row.Inline, Project: anyProject, Cwd: anyProject}
	text := ordjson.AppendString(nil, anyText)
	call.Set(schema.FieldSession, text)
	for _, f := range fields {
		call.Set(f, text)
	}
	call.Tool = schema.Tool{Name: "tool", Kinds: []schema.Kind{k}}
	if k == schema.MCP {
		call.Tool.Server = "server"
	}
	if own := d.Profile().ToolOfKind(k); own != nil {
		call.Tool.Name = own.Name
		for _, a := range own.Input {
			call.Tool.Input = append(call.Tool.Input, schema.Arg{Role: a.Role, Raw: text})
		}
		if row.Event == schema.PostTool {
			for _, a := range own.Output {
				call.Tool.Output = append(call.Tool.Output, schema.Arg{Role: a.Role, Raw: text})
			}
		}
	}
	view := schema.View{Event: native, Kind: k, Tool: call.Tool.Name}
	for _, v := range d.Views(call) {
		if v.Event == native {
			view = v
			break
		}
	}
	o, _ := ordjson.Parse(d.AppendCall(nil, call, view))
	return o, call, view
}

func within(a, b ordjson.Object) bool {
	for _, m := range a {
		other, ok := b.Get(m.Name)
		if !ok {
			return false
		}
		inner, err := ordjson.Parse(m.Value)
		if theirs, err2 := ordjson.Parse(other); err == nil && err2 == nil {
			if !within(inner, theirs) {
				return false
			}
		} else if string(m.Value) != string(other) {
			return false
		}
	}
	return true
}

// answersAlike reports whether the target reads every decision as the hook's own agent does,
// or as a stricter one: each as that agent writes it, and by exit code.
func (c *converter) answersAlike(h *schema.Hook, call *schema.Call, own, theirs schema.View) bool {
	results := []dialect.Result{{Exit: 1, Stderr: []byte(anyText)}, {Exit: 2, Stderr: []byte(anyText)}}
	for _, r := range []schema.Reply{{Verdict: schema.Deny, Reason: anyText}, {Verdict: schema.Ask, Reason: anyText}, {KeepGoing: anyText},
		{Feedback: anyText}, {EndTurn: true, EndReason: anyText}} {
		results = append(results, dialect.Result{Stdout: c.from.AppendReply(nil, call, &r)})
	}
	at, plain := *h, *h
	at.Native = theirs.Event
	at.Fail, plain.Fail = schema.FailDefault, schema.FailDefault // a setting that is lost is reported itself
	for i := range results {
		want, _ := c.from.DecodeReply(&plain, own, &results[i])
		got, _ := c.to.DecodeReply(&at, theirs, &results[i])
		laxer := want.Verdict >= schema.Ask && got.Verdict < want.Verdict
		if laxer || want.KeepGoing != "" && got.KeepGoing == "" || want.EndTurn && !got.EndTurn && got.Verdict != schema.Deny ||
			want.Feedback != "" && got.Feedback+got.Context == "" && got.Output == nil {
			return false
		}
	}
	return true
}

// once leaves out the hooks that their own agent never runs, because an equal one
// with the same matcher runs, and names them: where equal hooks all run they
// would run too.
func (c *converter) once(hooks []schema.Hook) (kept []*schema.Hook) {
	byKey := map[string][]*schema.Hook{}
	key := func(h *schema.Hook) string {
		return h.Native + "\x00" + h.Source.Plugin + "\x00" + c.from.Profile().KeyOf(h)
	}
	for i := range hooks {
		k := key(&hooks[i])
		byKey[k] = append(byKey[k], &hooks[i])
	}
	for i := range hooks {
		h := &hooks[i]
		equal := byKey[key(h)]
		if runs := c.runsOf(equal, h.Matcher); runs != h {
			c.report(schema.CodeAlreadyRun, schema.Note, h, "", "the same hook is also at "+runs.Path+", and "+c.from.Profile().Title+" runs only that one")
			continue
		}
		kept = append(kept, h)
		if at := slices.Index(equal, h); !c.copies && slices.ContainsFunc(equal[:at], func(o *schema.Hook) bool {
			return o.Matcher != h.Matcher && meet(c.from.Select(o), c.from.Select(h))
		}) {
			c.report(schema.CodeAlreadyRun, schema.Note, h, "", "the same hook has another matcher. Where both match, "+c.from.Profile().Title+" runs one of them; the converted hooks both run")
		}
	}
	return kept
}

// runsOf is the one of equal hooks with a matcher that their agent runs: of those
// alike the first is taken for it.
func (c *converter) runsOf(equal []*schema.Hook, matcher string) (runs *schema.Hook) {
	last := c.from.Profile().LastCounts
	for _, h := range equal {
		if h.Matcher == matcher && (runs == nil || last && !runs.Alike(h)) {
			runs = h
		}
	}
	return runs
}

func meet(a, b schema.Selection) bool {
	return a.All || b.All || a.Search != "" || b.Search != "" || slices.ContainsFunc(a.Picks, func(p schema.Pick) bool {
		return slices.ContainsFunc(b.Picks, func(q schema.Pick) bool { return p.Kind == q.Kind })
	})
}

// merged names a hook whose entry the target takes for one with that of another,
// where its own agent runs both.
func (c *converter) merged(h *schema.Hook, e schema.Entry, out *schema.Hook) {
	key := e.Pointer + "\x00" + e.Matcher + "\x00" + c.to.Profile().KeyOf(out)
	if o := c.written[key]; o != nil && o != h && c.from.Profile().KeyOf(o) != c.from.Profile().KeyOf(h) {
		c.report(schema.CodeAlreadyRun, schema.Note, h, "", c.from.Profile().Title+" runs this hook and an identical one; "+c.to.Profile().Title+" runs only one of them")
	}
	if c.written == nil {
		c.written = map[string]*schema.Hook{}
	}
	c.written[key] = h
}
