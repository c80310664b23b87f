package bridge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// TranslateCall rewrites a hook's payload from one dialect into another's. A call that is several calls for the other
// agent, like a patch of two files, gives a payload for each. native and tool select the event and the tool if the call
// may be shown as several; "" selects the likeliest. It reads the payloads again, compares them, and reports each field
// that they lack, so that nothing is lost silently. There is no payload only with an Error, or if to has no such event
// or tool.
func TranslateCall(from, to dialect.Dialect, src []byte, native, tool string, env schema.Environ) ([][]byte,
	schema.Diagnostics) {
	to = adapter.AsWritten(to, from)
	c, ds := from.DecodeCall(src, env)
	if c == nil || c.Malformed {
		return nil, ds
	}

	if row := to.Profile().Row(c.Native); native == "" && adapter.SameAgent(from, to) && row != nil &&
		to.Profile().Has(row) {
		native = c.Native
	}

	var payloads [][]byte
	for _, t := range translations(from, to, c, native, tool) {
		payloads = append(payloads, t.payload)
		for _, d := range lostMembers(t.call, from, to, &t, env) {
			if !slices.ContainsFunc(ds, func(e schema.Diagnostic) bool {
				return e.Path == d.Path && e.Code == d.Code
			}) {
				ds = append(ds, d)
			}
		}
	}

	if payloads == nil {
		what := to.Profile().TitleChecked() + " has no event for " + c.Native + ", so its hooks don't run"
		if tool != "" {
			what = to.Profile().Title + " doesn't show this call to hooks as a call of " + tool
		}
		d := ds.Add(schema.CodeNoEvent, eventPath, what)
		d.Event = c.Native
	}

	return payloads, ds
}

// A translation is one of the calls that a call amounts to, as another agent shows it.
type translation struct {
	call    *schema.Call
	view    schema.View
	payload []byte
}

// translations returns the first of the call's readings that the other agent can show.
func translations(from, to dialect.Dialect, c *schema.Call, native, tool string) (all []translation) {
	r := alone(from, to, cmdline.Policy{}, c)
	var readings [][]*schema.Call
	if r.foreignHooks() {
		c, _ = recognized(c, r.hostRules)
		readings, _, _ = alternatives(r, from.Abilities(), c)
	}

	if readings == nil {
		readings = [][]*schema.Call{{c}}
	}

	for _, calls := range readings {
		for _, part := range calls {
			views := to.Views(part)
			i := slices.IndexFunc(views, func(v schema.View) bool {
				row := to.Profile().Row(v.Event)
				return (native == "" || v.Event == native) && (tool == "" || v.Tool == tool) &&
					(row == nil || to.Profile().Has(row))
			})
			if i >= 0 {
				text := new(payloads).of(r, part, views[i], "").bytes
				all = append(all, translation{part, views[i], text[:len(text)-1]})
			}
		}
		if all != nil {
			break
		}
	}

	return all
}

const eventPath = "/hook_event_name"

func lostMembers(c *schema.Call, from, to dialect.Dialect, t *translation, env schema.Environ) schema.Diagnostics {
	v, out := t.view, t.payload
	back, more := to.DecodeCall(out, env)
	if back == nil {
		return more
	}
	if in, ok := inOtherForm(to, v, back); ok {
		back.Tool.Input, back.Tool.Kinds = in, []schema.Kind{v.Kind}
	}

	o, _ := ordjson.Parse(c.Raw)
	slices.SortStableFunc(o, func(a, b ordjson.Member) int { return rank(c, a.Name) - rank(c, b.Name) })
	l := comparison{c: c, back: back, payload: o, out: out, to: to.Profile().Title}
	l.values()
	for _, m := range c.Extra {
		raw, ok := back.Extra.Get(m.Name)
		if row := from.Profile().Fields.Named(m.Name, c.Event); row != nil && !ok { // it repeats another field
			raw = back.Get(row.Field)
		} else if c.Dialect != back.Dialect {
			raw = nil
		}
		l.check(ordjson.Equal(m.Value, raw), ordjson.Pointer("", m.Name))
	}

	l.tool()
	if c.Dialect == back.Dialect && !adapter.OtherVersion(from, to) {
		l.same(out)
	}
	if back.Malformed {
		return append(more, l.ds...)
	}

	return l.ds
}

// rank sorts the fields of a payload that have a meaning before those that repeat one.
func rank(c *schema.Call, name string) int {
	if slices.ContainsFunc(c.Values, func(v schema.Value) bool { return v.Name == name }) {
		return 0
	}
	return 1
}

// inOtherForm returns, by role, the input of a call that the agent shows as something else: as a patch, or a deletion
// as a command.
func inOtherForm(to dialect.Dialect, v schema.View, back *schema.Call) (in schema.Args, ok bool) {
	if in, ok = restored(to, v, back.Tool.Input, back.Cwd); ok {
		return in, true
	}
	deleted := shell.Deletions(back.Tool.Input.Text(schema.RoleCommand))
	if v.Kind != schema.Delete || len(deleted) != 1 {
		return nil, false
	}
	return schema.Args{{Role: schema.RolePath, Raw: ordjson.AppendString(nil, deleted[0].Path.Text())}}, true
}

type comparison struct {
	c, back *schema.Call
	payload ordjson.Object // the source of c
	out     []byte         // the source of back
	to      string
	ds      schema.Diagnostics
}

// check reports the field at path once, unless it is translated.
func (l *comparison) check(carried bool, path string) {
	if raw := inField(l.out, path); raw != nil && ordjson.Equal(raw, inField(l.c.Raw, path)) {
		return // unchanged
	}
	if !carried && !slices.ContainsFunc(l.ds, func(d schema.Diagnostic) bool { return d.Path == path }) {
		l.ds.Add(schema.CodeMemberLost, path, l.to+
			" has no counterpart for this value, so hooks don't get it").Event = l.c.Native
	}
}

// inField returns the value at a path below a field of a payload, or of the JSON in its text, or nil.
func inField(payload []byte, path string) []byte {
	field, rest, _ := strings.Cut(path[1:], "/")
	if rest == "" {
		return nil
	}
	raw := ordjson.At(payload, "/"+field)
	if s, ok := ordjson.String(raw); ok {
		raw = []byte(s)
	}
	return ordjson.At(raw, "/"+rest)
}

// same compares field by field: a dialect writes its own call with the same fields.
func (l *comparison) same(out []byte) {
	o, _ := ordjson.Parse(out)
	for _, m := range l.payload {
		path := ordjson.Pointer("", m.Name)
		known := func(d schema.Diagnostic) bool { return strings.HasPrefix(d.Path+"/", path+"/") }
		raw, ok := o.Get(m.Name)
		l.check(ok && equalJSON(m.Value, raw) || slices.ContainsFunc(l.ds, known), path)
	}
}

// equalJSON compares by meaning: it ignores the order of fields, and the spelling of an object inside a text.
func equalJSON(a, b []byte) bool {
	x, y := objectIn(a), objectIn(b)
	if x == nil || len(x) != len(y) || ordjson.KindOf(a) != ordjson.KindOf(b) {
		return ordjson.Equal(a, b)
	}
	return !slices.ContainsFunc(x, func(m ordjson.Member) bool {
		v, ok := y.Get(m.Name)
		return !ok || !equalJSON(m.Value, v)
	})
}

func (l *comparison) values() {
	l.check(l.back.Event == l.c.Event, l.pathOfField(schema.FieldEvent))
	for _, v := range l.c.Values {
		raw := l.back.Get(v.Field)
		carried := raw != nil && (ordjson.Equal(raw, v.Raw) || ordjson.KindOf(v.Raw) == ordjson.Null)
		switch v.Field {
		case schema.FieldEvent:
			continue
		case schema.FieldVersion: // each names its own
			carried = carried || raw != nil && l.c.Dialect == l.back.Dialect
		case schema.FieldToolName, schema.FieldToolInput, schema.FieldToolOutput, schema.FieldToolUseID:
			if len(l.c.Tool.Kinds) > 0 { // in the tool
				continue
			}
		case schema.FieldCwd, schema.FieldToolCwd:
			carried = carried || placeSaid(v.Raw, l.back.Cwd)
		case schema.FieldServerName:
			s, ok := ordjson.String(v.Raw)
			carried = carried || ok && s == l.back.Tool.Server
		default:
			raw := l.back.Get(sameMeaning(l.c.Event, v.Field))
			carried = carried || raw != nil && ordjson.Equal(raw, v.Raw)
		}

		switch {
		case v.Name != "":
			l.check(carried, ordjson.Pointer("", v.Name))
		case !carried:
			for _, m := range l.payload { // moved to another field by its dialect
				if ordjson.Equal(m.Value, v.Raw) {
					l.check(false, ordjson.Pointer("", m.Name))
					break
				}
			}
		}
	}
}

// sameMeaning returns the field that other agents use at an event for the content of f; 0: none.
func sameMeaning(e schema.Event, f schema.Field) schema.Field {
	p := map[schema.Event][2]schema.Field{schema.SubagentStop: {schema.FieldSummary, schema.FieldLastMessage},
		schema.PermissionDenied: {schema.FieldReason, schema.FieldError}}[e]
	switch f {
	case p[0]:
		return p[1]
	case p[1]:
		return p[0]
	}
	return 0
}

func (l *comparison) tool() {
	a, b := &l.c.Tool, &l.back.Tool
	if len(a.Kinds) == 0 {
		return
	}

	kind := a.Kind()
	same := slices.ContainsFunc(b.Kinds, func(k schema.Kind) bool { return schema.HasKind(a.Kinds, k) })
	if kind == schema.Other || kind == schema.MCP {
		same = same && slices.Contains(append(a.Aliases, a.Name), b.Name)
	}

	l.check(same, l.pathOfText(a.Name, schema.FieldToolName))
	l.check(a.Server == "" || a.Server == b.Server, l.pathOfText(a.Server, schema.FieldServerName))
	l.check(a.UseID == "" || a.UseID == b.UseID, l.pathOfText(a.UseID, schema.FieldToolUseID))
	l.check(a.Whole == nil || b.Whole != nil && ordjson.Equal(a.Whole, b.Whole),
		l.pathOf(schema.Arg{Raw: a.Whole}, false))
	edits := func(t *schema.Tool) string { return string(schema.CanonicalEdits.Append(nil, editsOf(t))) }
	back := wholeArgs(b.Input, l.back.Cwd)
	for _, x := range a.Input {
		if x.Role == schema.RoleEdits && edits(a) == edits(b) {
			continue
		}
		l.check(sameArg(b.Input, x) || sameArg(back, x) || namedAlike(b.Input, x) ||
			x.Role == schema.RoleCwd && placeSaid(x.Raw, l.back.Cwd), l.pathOf(x, false))
	}

	for _, x := range a.Output {
		l.check(sameArg(b.Output, x) || x.Role == schema.RoleOK && l.back.Event == l.c.Event, // shown by the event
			l.pathOf(x, true))
	}
}

// namedAlike reports whether as has x under its own name, without a role: in the input of a tool that the agent doesn't
// have.
func namedAlike(as schema.Args, x schema.Arg) bool {
	return slices.ContainsFunc(as, func(a schema.Arg) bool {
		return a.Role == schema.Rest && a.Name == x.Name && ordjson.Equal(a.Raw, x.Raw)
	})
}

// pathOfText finds the field that contains s, ends with it, or has it between the other parts of a longer name; the
// tool's own name has a field. The field f comes before others that happen to have the same value.
func (l *comparison) pathOfText(s string, f schema.Field) string {
	for _, v := range l.c.Values {
		if text, ok := ordjson.String(v.Raw); ok && v.Field == f && v.Name != "" && text == s {
			return ordjson.Pointer("", v.Name)
		}
	}

	part := ""
	for _, m := range l.payload {
		text, _ := ordjson.String(m.Value)
		at := ordjson.Pointer("", m.Name)
		if text == s {
			return at
		}
		if part == "" && strings.Contains(text, s) {
			part = at
		}
	}
	// not a field of its own, or another name of the tool
	if path := l.pathOfField(schema.FieldToolName); part == "" || f == schema.FieldToolName && path != eventPath {
		return path
	}
	return part
}

// memberOf returns the name of a field in the payload, "" if the payload doesn't have it.
func (l *comparison) memberOf(f schema.Field) string {
	v := lists.Find(l.c.Values, func(v *schema.Value) bool { return v.Field == f && v.Name != "" })
	if v == nil {
		return ""
	}
	return v.Name
}

// pathOfField returns the path of a field, or of the whole payload.
func (l *comparison) pathOfField(f schema.Field) string {
	if name := l.memberOf(f); name != "" {
		return ordjson.Pointer("", name)
	}
	if _, named := l.payload.Get(eventPath[1:]); !named && len(l.payload) > 0 {
		return ordjson.Pointer("", l.payload[0].Name)
	}
	return eventPath
}

// pathOf finds an argument of the tool's input or result in the payload: the input comes first in every payload, the
// result last.
func (l *comparison) pathOf(a schema.Arg, result bool) string {
	for _, v := range l.c.Values { // derived from another field
		if a.Name == "" && v.Name != "" && v.Field == madeOf[a.Role] {
			return ordjson.Pointer("", v.Name)
		}
	}
	own, other := schema.FieldToolInput, schema.FieldToolOutput
	if result {
		own, other = other, own
	}
	elsewhere := l.memberOf(other) // where a field may happen to have the same value
	equal := func(m ordjson.Member) bool { return ordjson.Equal(m.Value, a.Raw) }
	if a.Role == schema.RoleWhole || a.Raw != nil && a.Name == "" {
		if path := l.search(result, elsewhere, equal); path != "" {
			return path
		}
	}
	named := func(m ordjson.Member) bool { return m.Name == a.Name }
	if path := l.search(result, elsewhere, func(m ordjson.Member) bool { return named(m) && equal(m) }); path != "" {
		return path
	}
	if path := l.search(result, elsewhere, named); path != "" {
		return path
	}
	return l.pathOfField(own)
}

// madeOf lists the fields from which dialects derive a tool's arguments.
var madeOf = [schema.NumRoles]schema.Field{schema.RoleEdits: schema.FieldEdits, schema.RoleContent: schema.FieldEdits,
	schema.RoleExitCode: schema.FieldError}

// search looks for a field: inside the payload's objects (a text may contain one), then inside the objects in those,
// then at the top. It skips the field but.
func (l *comparison) search(last bool, but string, want func(ordjson.Member) bool) (path string) {
	deep, top := "", ""
	for _, m := range l.payload {
		if but != "" && m.Name == but {
			continue
		}
		at := ordjson.Pointer("", m.Name)
		if want(m) && (top == "" || last) {
			top = at
		}
		inner := objectIn(m.Value)
		for _, n := range inner {
			if want(n) && (path == "" || last) {
				path = ordjson.Pointer(at, n.Name)
			}
			for _, k := range objectIn(n.Value) {
				if want(k) && (deep == "" || last) {
					deep = ordjson.Pointer(ordjson.Pointer(at, n.Name), k.Name)
				}
			}
		}
	}
	return cmp.Or(path, deep, top)
}

// objectIn returns the fields of an object, or of the object in a text.
func objectIn(raw []byte) ordjson.Object {
	if s, ok := ordjson.String(raw); ok {
		o, _ := ordjson.Parse([]byte(s))
		return o
	}
	o, _ := ordjson.Members(raw, 0)
	return o
}

// placeSaid reports whether a tool's folder is already the call's working directory.
func placeSaid(raw []byte, cwd string) bool {
	s, ok := ordjson.String(raw)
	return ok && (s == "" || s == cwd)
}
