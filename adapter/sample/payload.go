// Package sample makes payloads as an agent would send them, from its dialect's tables.
package sample

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// An Event describes a synthetic event. The zero Event of a tool event is a shell
// command.
type Event struct {
	Event string // native event of the host
	// Tool names the tool: any dialect's name for it, or a canonical kind.
	Tool   string
	Server string // MCP server of the tool; "": from the tool's name
	// Input is the tool's input, or fields of the payload if the event isn't about a tool: a JSON object in the host's
	// format; nil: an example.
	Input []byte
	// Output is the tool's result; nil: an example.
	Output  []byte
	Project string
	Session string
	Args    schema.Args // the input by role, instead of Input
	Refused bool        // the event is about a denied call, if it may be
	Version string      // of the host, if its payloads have one; "": the dialect's own example
	// Word is the canonical value that matchers test, at events that aren't about a tool; "": an example.
	Word string
	Mode string // permission mode, by the host's name; "": the dialect's own example
	// Left lists the arguments of the input that ForHost left out, because the host's tool doesn't have them.
	Left []string
}

// Payload makes the payload that a host would send: from its dialect's tables, with examples for every value that a
// leaves out. The error names the wrong part of a.
func Payload(host dialect.Dialect, a Event) ([]byte, error) {
	row := host.Profile().Row(a.Event)
	if row == nil {
		return nil, fmt.Errorf("%s doesn't know the event %q", host.Profile().TitleChecked(), a.Event)
	}

	c := &schema.Call{Event: row.Event, Native: row.Native, Gate: row.Gate != nil, Inline: row.Inline(),
		Project: a.Project, Cwd: a.Project}
	c.SetStr(schema.FieldSession, a.Session)
	c.SetStr(schema.FieldTurn, a.Session+"-1")
	if version := payloadVersion(host, a.Version); version != "" {
		c.SetStr(schema.FieldVersion, version)
	}
	if words := host.Profile().Vocabularies.For(row.Event, schema.FieldMode); words != nil {
		if w := lists.Find(words.Words, func(w *schema.Word) bool { return w.Native == a.Mode }); w != nil {
			c.SetStr(schema.FieldMode, w.Meaning())
		}
	}

	c.Set(schema.FieldRoots, append(ordjson.AppendString([]byte{'['}, a.Project), ']'))
	for _, f := range row.Fields {
		if value := example(host, row, f, a.Project); value != nil {
			c.Set(f, value)
		}
	}

	if a.Word != "" && row.Match == schema.MatchField {
		c.SetStr(row.MatchField, a.Word)
	}
	if a.Refused && row.Raises(schema.PermissionDenied) {
		c.Event = schema.PermissionDenied
		c.SetStr(schema.FieldFailure, schema.PermissionDenied.String())
	}
	in, err := objectOf(a.Input, "input")
	if err != nil {
		return nil, err
	}

	if row.Event.IsTool() {
		if err := sampleTool(host, row, c, &a); err != nil {
			return nil, err
		}
		if a.Input != nil && row.Gate == nil { // as it was written
			c.Tool.Whole, in = a.Input, nil
		}
	} else if a.Tool != "" {
		return nil, fmt.Errorf("%s isn't a tool event", row.Native)
	}
	payload := withSent(host.Profile(), row, host.AppendCall(nil, c, viewOf(host, c)))
	return overlay(payload, in, row.Gate != nil), nil
}

// withSent adds the fields that the client sends and that have no canonical field. Those of an older version are
// unknown.
func withSent(p *dialect.Profile, row *schema.EventRow, payload []byte) []byte {
	o, err := ordjson.Parse(payload)
	if err != nil || p.Pinned() {
		return payload
	}
	n := len(o)
	for _, sent := range p.Sent {
		if !slices.Contains(sent.Events, row.Native) {
			continue
		}
		fields, _ := ordjson.Parse([]byte(sent.Fields))
		for _, m := range fields {
			if !o.Has(m.Name) {
				o = append(o, m)
			}
		}
	}
	if len(o) == n {
		return payload
	}
	return o.Append(nil)
}

// payloadVersion returns what the host's payloads name for a version or program that the user gave.
func payloadVersion(host dialect.Dialect, given string) string {
	if p := host.Profile().ProgramNamed(given); p != nil {
		return p.Version
	}
	return given
}

// viewOf returns how the host shows its own event: under the tool's own name, or as a replacement of the tool.
func viewOf(host dialect.Dialect, c *schema.Call) schema.View {
	own := schema.View{Event: c.Native, Kind: c.Tool.Kind(), Tool: c.Tool.Name, Server: c.Tool.Server}
	var first *schema.View
	views := host.Views(c)
	for i, v := range views {
		if v.Event == c.Native && first == nil {
			first = &views[i]
		}
		if v.Event == c.Native && v.Tool == c.Tool.Name {
			return v
		}
	}
	if first != nil && c.Tool.Kind() == schema.MCP { // which may have the name of a tool of the host
		return *first
	}
	if first == nil || slices.ContainsFunc(host.Profile().Tools, func(t schema.ToolRow) bool {
		return t.Name == c.Tool.Name
	}) {
		return own
	}
	return *first
}

// objectOf reads an object; nil is an empty one.
func objectOf(text []byte, what string) (ordjson.Object, error) {
	if text == nil {
		return nil, nil
	}
	o, err := ordjson.Parse(text)
	var se *ordjson.SyntaxError
	if errors.As(err, &se) && se.Line == 0 {
		return nil, fmt.Errorf("%s: not a JSON object", what)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	return o, nil
}

// overlay replaces fields of a payload. It adds new ones unless known is set.
func overlay(payload []byte, by ordjson.Object, known bool) []byte {
	if len(by) == 0 {
		return payload
	}
	o, err := ordjson.Parse(payload)
	if err != nil {
		return payload
	}
next:
	for _, m := range by {
		for i := range o {
			if o[i].Name == m.Name {
				o[i].Value = m.Value
				continue next
			}
		}
		if !known {
			o = append(o, m)
		}
	}
	return o.Append(nil)
}

// sampleTool fills in the tool of the call, its input and its result.
func sampleTool(host dialect.Dialect, row *schema.EventRow, c *schema.Call, a *Event) error {
	t, rows, err := findTool(host, row, a)
	if err != nil {
		return err
	}
	t.UseID = a.Session + "-tool"
	t.Input = examples(ownRows(host, t, rows).Input, a.Project)
	if a.Args != nil {
		t.Kinds, t.Input = []schema.Kind{kindOf(host, a.Tool)}, a.Args
	} else if a.Input != nil {
		t.Input = readInput(host, t, a.Input)
	}
	if row.Event != schema.PreTool && row.Event != schema.PermissionRequest {
		out, err := objectOf(a.Output, "output")
		if err != nil {
			return err
		}
		if t.Output = schema.DecodeArgs(out, rows.Output); a.Output == nil {
			t.Output = resultExamples(ofOneText(t.Kind(), &rows), t.Input, a.Project,
				row.Event == schema.PostToolFailure)
		}
	}
	c.Tool = t
	return nil
}

// ownRows returns the rows of the host's own tool if there is one: no client sends arguments that its tool lacks.
func ownRows(host dialect.Dialect, t schema.Tool, rows schema.ToolRow) schema.ToolRow {
	if own := ownTool(host, t.Name, t.Kind(), false); own != nil && !inText(own, t.Kind()) {
		return *own
	}
	return rows
}

// readInput reads the input as the host's generic event would.
func readInput(host dialect.Dialect, t schema.Tool, input []byte) schema.Args {
	t.Whole = input
	c := &schema.Call{Event: schema.PreTool, Native: host.Profile().Generic(schema.PreTool), Tool: t}
	back, _ := host.DecodeCall(host.AppendCall(nil, c, viewOf(host, c)), nil)
	if back == nil {
		return nil
	}
	return back.Tool.Input
}

// ownTool returns the host's tool of a kind, preferably the named one; nil if it has none. There is no example of a
// patch, so without an input a tool that takes one isn't used.
func ownTool(host dialect.Dialect, name string, kind schema.Kind, input bool) *schema.ToolRow {
	p := host.Profile()
	t := p.Tool(name)
	named := t != nil && schema.HasKind(t.Kinds, kind) && p.HasTool(t)
	if named && (input || !kind.ChangesFile() || takes(t, schema.RolePath)) {
		return t
	}
	return p.ToolOfKind(kind)
}

// takes reports whether a tool has an argument of a role.
func takes(row *schema.ToolRow, role schema.Role) bool {
	return slices.ContainsFunc(row.Input, func(r schema.ArgRow) bool { return r.Role == role })
}

// findTool finds a tool by any dialect's name or by its kind, and returns it with the host's names.
func findTool(host dialect.Dialect, row *schema.EventRow, a *Event) (t schema.Tool, rows schema.ToolRow, err error) {
	name, server := a.Tool, a.Server
	kind, known := schema.ParseKind(name)
	switch {
	case name == "" && row.Gate != nil:
		kind, known = row.Kinds()[0], true
	case name == "":
		kind, known = schema.Shell, true
	}

	t = schema.Tool{Kinds: []schema.Kind{kind}, Name: name}
	if !known {
		t, rows = ToolCalled(host, name)
	}
	if server != "" {
		t = schema.Tool{Kinds: []schema.Kind{schema.MCP}, Name: name, Server: server}
	}

	if kind = t.Kind(); kind == schema.MCP && t.Server == "" {
		t.Server = "example"
		if t.Name == "" || known {
			t.Name = "search"
		}
	}

	if row.Gate != nil && !schema.HasKind(row.Kinds(), kind) {
		return t, rows, fmt.Errorf("%s is about %s, not %s", row.Native, plan.KindNames(row.Kinds(), "or"), kind)
	}
	if own := ownTool(host, t.Name, kind, a.Input != nil); own != nil {
		t.Name, t.Kinds = own.NameAt(host.Profile().AsOf), own.Kinds[:1]
		if inText(own, kind) {
			t.Kinds, own = []schema.Kind{kind}, &schema.ToolRow{Input: inputOf(kind), Output: own.Output}
		}
		return t, schema.ToolRow{Input: slices.Concat(own.Input, rows.Input),
			Output: slices.Concat(own.Output, rows.Output)}, nil
	}
	return t, rows, nil
}

// Kind returns the kind of the tool that an event is about.
func Kind(host dialect.Dialect, a Event) (schema.Kind, error) {
	row := host.Profile().Row(a.Event)
	if row == nil || !row.Event.IsTool() {
		return 0, nil
	}
	t, _, err := findTool(host, row, &a)
	return t.Kind(), err
}

// inText reports whether a tool of the host gets the file in a text, such as a patch.
func inText(row *schema.ToolRow, k schema.Kind) bool {
	return (k.Base() == schema.Write || k == schema.Delete) && !takes(row, schema.RolePath)
}

// inputOf returns the input of the first agent's tool of a kind that has fields for it.
func inputOf(k schema.Kind) []schema.ArgRow {
	for _, d := range adapter.Dialects() {
		if row := d.Profile().ToolOfKind(k); row != nil && !inText(row, k) {
			return row.Input
		}
	}
	return nil
}

// KnowsTool reports whether any dialect has a tool of that name, or whether it is the name of a kind.
func KnowsTool(name string) bool {
	_, kind := schema.ParseKind(name)
	t, _ := ToolCalled(adapter.Dialects()[0], name)
	return kind || t.Kind() != schema.Other ||
		hasTool(name)
}

// hasTool reports whether some agent has a tool of that name.
func hasTool(name string) bool {
	has := func(d adapter.Dialect) bool {
		return d.Profile().Tool(name) != nil || slices.Contains(d.Profile().PlainTools, name)
	}
	return slices.ContainsFunc(adapter.Dialects(), has)
}

// ToolCalled reads a tool's name in each dialect, the host's first.
func ToolCalled(host dialect.Dialect, name string) (t schema.Tool, rows schema.ToolRow) {
	t = schema.Tool{Kinds: []schema.Kind{schema.Other}, Name: name}
	found := false
	for i, d := range append([]dialect.Dialect{host}, adapter.Dialects()...) {
		native := d.Profile().Generic(schema.PreTool)
		c := &schema.Call{Event: schema.PreTool, Native: native, Tool: schema.Tool{Kinds: []schema.Kind{schema.Other},
			Name: name}}
		back, _ := d.DecodeCall(d.AppendCall(nil, c, schema.View{Event: native, Tool: name}), nil)
		unclear := back != nil && back.Tool.Kind() == schema.MCP && back.Tool.Server == ""
		names := d.Profile().MCP
		anyForm := names.Prefix == "" && names.Between != ""
		clearer := unclear && (found || i > 0 && anyForm) // another agent may have the server
		guessed := clearer || anyForm && (hasPrefix(name) || hasTool(name))
		if back == nil || back.Tool.Kind() == schema.Other || guessed && back.Tool.Kind() == schema.MCP {
			continue
		}
		found, rows = true, schema.ToolRow{}
		for _, r := range d.Profile().Tools {
			if r.Name == back.Tool.Name {
				rows = r
			}
		}
		t = schema.Tool{Kinds: back.Tool.Kinds[:1], Name: back.Tool.Name, Server: back.Tool.Server}
		if !unclear {
			break
		}
	}

	return t, rows
}

// hasPrefix reports whether a name has some agent's prefix for the tools of servers.
func hasPrefix(name string) bool {
	return slices.ContainsFunc(adapter.Dialects(), func(d adapter.Dialect) bool {
		prefix := d.Profile().MCP.Prefix
		return prefix != "" && strings.HasPrefix(name, prefix)
	})
}

func examples(rows []schema.ArgRow, project string) (as schema.Args) {
	for _, r := range rows {
		text := ""
		for _, x := range roleExamples {
			if x.role == r.Role {
				text = x.text
			}
		}
		if r.Role == schema.RolePath {
			text = string(ordjson.AppendString(nil, path.Join(project, "example.txt")))
		}
		if _, twice := as.Get(r.Role); text != "" && !twice {
			as = append(as, schema.Arg{Role: r.Role, Name: r.Name, Raw: []byte(text)})
		}
	}
	return as
}

// ofOneText reports whether a tool's result has no fields.
func ofOneText(k schema.Kind, row *schema.ToolRow) bool {
	return k >= schema.Grep && k != schema.MCP && len(row.Output) == 0
}

// resultExamples returns the result of a call: values derived from its input, and examples.
func resultExamples(whole bool, in schema.Args, project string, failed bool) schema.Args {
	if whole {
		return schema.Args{{Role: schema.RoleWhole, Raw: []byte(`"found"`)}}
	}
	as := lists.Map([]roleExample{
		{schema.RoleStdout, `"hello\n"`}, {schema.RoleStderr, `""`},
		{schema.RoleExitCode, map[bool]string{true: "1", false: "0"}[failed]}, {schema.RoleOK, "true"},
		{schema.RoleLength, "6"},
		{schema.RoleContent, `"hello\n"`}, {schema.RoleBlocks, `[{"type":"text","text":"found"}]`},
		{schema.RoleIsError, "false"}, {schema.RoleInterrupted, "false"},
		{schema.RolePath, string(ordjson.AppendString(nil, path.Join(project, "example.txt")))},
	}, func(x roleExample) schema.Arg { return schema.Arg{Role: x.role, Raw: []byte(x.text)} })
	for _, role := range []schema.Role{schema.RolePath, schema.RoleContent, schema.RoleOldText, schema.RoleNewText} {
		if raw, ok := in.Get(role); ok {
			as = append(slices.DeleteFunc(as, func(a schema.Arg) bool {
				return a.Role == role
			}), schema.Arg{Role: role, Raw: raw})
		}
	}
	return as
}

type roleExample struct {
	role schema.Role
	text string
}

// roleExamples are examples of tool arguments.
var roleExamples = []roleExample{
	{schema.RoleCommand, `"echo hello"`}, {schema.RoleContent, `"hello\n"`}, {schema.RoleOldText, `"hello"`},
	{schema.RoleNewText, `"goodbye"`},
	{schema.RoleEdits, `[{"old":"hello","new":"goodbye"}]`}, {schema.RolePattern, `"TODO"`},
	{schema.RoleGlob, `"**/*.txt"`}, {schema.RoleURL, `"https://example.com/"`},
	{schema.RolePrompt, `"Say what this project does."`}, {schema.RoleQuery, `"example"`},
	{schema.RoleAgentType, `"builtin/general-purpose"`}, {schema.RoleCellSource, `"print(1)"`}}
