package copilot

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A shape recognizes the event of a payload without a name by its fields (observed 1.0.102). The first that fits
// counts.
var shapes = []struct {
	native string
	has    []string
}{
	{"permissionRequest", []string{"hookName", "toolName"}},
	{"notification", []string{"notification_type"}},
	{"preMcpToolCall", []string{"serverName", "arguments"}},
	{"postToolUse", []string{"toolName", "toolArgs", "toolResult"}},
	{"postToolUseFailure", []string{"toolName", "toolArgs", "error"}},
	{"preToolUse", []string{"toolName", "toolArgs"}},
	{"errorOccurred", []string{"errorContext"}},
	{"preCompact", []string{"trigger", "customInstructions"}},
	{"subagentStop", []string{"agentName", "stopReason"}},
	{"subagentStart", []string{"agentName"}},
	{"agentStop", []string{"stopReason"}},
	{"userPromptTransformed", []string{"transformedPrompt"}},
	{"userPromptSubmitted", []string{"prompt"}},
	{"sessionStart", []string{"source"}},
	{"sessionEnd", []string{"reason"}},
}

// eventIn returns the event of a payload: its name in the payload, or the one that its fields show.
func eventIn(o ordjson.Object) string {
	if raw, ok := o.Get("hook_event_name"); ok {
		s, _ := ordjson.String(raw)
		if pair := pairOf(s); pair != nil && pair.camel && o.Has("sessionId") { // the same payload under either name
			return pair.Native
		}
		return s
	}
	if !o.Has("sessionId") {
		return ""
	}
	for _, s := range shapes {
		if !slices.ContainsFunc(s.has, func(name string) bool { return !o.Has(name) }) {
			if pair := pairOf(s.native); pair.camel && o.Has("agent_id") {
				return pair.pascal
			}
			return s.native
		}
	}
	return ""
}

// DecodeCall reads the payload that a hook gets from Copilot on stdin. The Call is nil only with an Error diagnostic.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	return d.DecodeNamed(src, "", env)
}

// DecodeNamed reads a payload of the event native, unless the payload names another event.
func (d Dialect) DecodeNamed(src []byte, native string, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}

	c := &schema.Call{Dialect: name, Version: d.Version, Raw: src}
	c.Values, c.Extra = members.Decode(o, 0)
	c.Native = eventIn(o)
	if named := o.Has("hook_event_name"); native != "" && (!named || samePayload(native, c.Native)) {
		c.Native = native
	}
	if d.Version == "" && isOfCode(o) {
		d = inCode()
		c.Version = onCode
	}

	row := d.row(c.Native)
	switch {
	case c.Native == "":
		ds.Add(schema.CodeNoEventName, "/hook_event_name",
			"the payload names no event, and its fields don't show it; pass --event to run")
		return nil, ds
	case row == nil:
		ds.Add(schema.CodeUnknownEvent, "/hook_event_name", d.Data.TitleChecked()+" doesn't know the event "+c.Native)
		return nil, ds
	}

	c.Event, c.Gate, c.Cwd = row.Event, row.Gate != nil, c.Str(schema.FieldCwd)
	c.Project = cmp.Or(env.Get(projectVariable), c.Cwd)
	unquoteInput(c)
	d.derive(c)
	words.Read(c)
	shape, usable := schema.CheckShape(c, false)
	if patchOf(c) != "" { // the only input that is a text
		shape, usable = checkPatch(c, shape)
	}
	c.Malformed = !usable
	return c, append(ds, shape...)
}

// unquoteInput extracts the tool's input from a text that contains it as JSON, as GitHub's page on hook configuration
// shows toolArgs. The command line sends an object (observed 1.0.102).
func unquoteInput(c *schema.Call) {
	s, ok := ordjson.String(c.Get(schema.FieldToolInput))
	if o, _, err := ordjson.ParseLast([]byte(s)); ok && err == nil {
		c.Set(schema.FieldToolInput, o.Append(nil))
	}
}

// isOfCode reports whether a payload comes from VS Code: it has the id of a tool call, a result under another name, or
// one of its tools.
func isOfCode(o ordjson.Object) bool {
	if o.Has("sessionId") {
		return false
	}
	tool, _ := o.Text("tool_name")
	return o.Has("tool_use_id") || o.Has("tool_response") || cli().Tool(tool) == nil && codeTool(tool) != nil
}

// row returns the event of that name, from this program or else from the other.
func (d Dialect) row(native string) *schema.EventRow {
	return cmp.Or(d.Row(native), cli().Data.Row(native))
}

// of returns the dialect of a call's program if d doesn't specify one.
func (d Dialect) of(c *schema.Call) Dialect {
	if d.Version == "" && c.Dialect == name && c.Version == onCode {
		return inCode()
	}
	return d
}

// owns reports whether a call belongs to this program: the others have other names for events and tools.
func (d Dialect) owns(c *schema.Call) bool {
	return c.Dialect == name && (c.Version == onCode) == d.of(c).onCode()
}

func samePair(a, b string) bool {
	pair := pairOf(a)
	return pair != nil && b != "" && (pair.Native == b || pair.pascal == b)
}

// derive sets values that are computed from several fields.
func (d Dialect) derive(c *schema.Call) {
	if main := c.Str(schema.FieldAgentParent); main != "" && c.Str(schema.FieldSession) == c.Str(schema.FieldAgentID) {
		c.SetStr(schema.FieldSession, main) // the sub-agent's own id; other agents send the session's
	}
	if ms, ok := c.Int(schema.FieldTime); ok {
		c.Time = time.UnixMilli(ms)
		c.SetStr(schema.FieldTime, c.Time.UTC().Format(schema.TranscriptTime))
	} else { // under Claude Code's event names
		c.Time, _ = time.Parse(time.RFC3339, c.Str(schema.FieldTime))
	}
	if c.Event == schema.StopFailure { // an object
		raw := c.Get(schema.FieldError)
		o, _ := ordjson.Members(raw, 0)
		c.Drop(schema.FieldError)
		if raw != nil {
			c.Extra = append(c.Extra, ordjson.Member{Name: "error", Value: raw})
		}
		if s, ok := o.Text("message"); ok {
			c.SetStr(schema.FieldErrorDetails, s)
		}
		c.SetStr(schema.FieldError, "unknown")
	}
	if c.Event.IsTool() {
		d.decodeTool(c)
	}
}

func (d Dialect) decodeTool(c *schema.Call) {
	t := &c.Tool
	t.Name, t.Kinds, t.UseID = c.Str(schema.FieldToolName), []schema.Kind{schema.Other}, c.Str(schema.FieldToolUseID)
	raw := c.Get(schema.FieldToolInput)
	o, err := ordjson.Members(raw, 0)
	row := d.tool(t.Name, err != nil)
	switch {
	case row != nil:
		if t.Name = row.Name; len(row.Kinds) > 0 {
			t.Kinds = row.Kinds
		} else if t.Aliases = row.Aliases; c.Event == schema.PreTool {
			t.Kinds = append(t.Kinds, row.Also...)
		}
	case d.isMCP(t.Name):
		t.Kinds, t.Written = []schema.Kind{schema.MCP}, mcpNames.NameRules
		for _, sep := range []string{"/", "-"} {
			server, tool, ok := strings.Cut(t.Name, sep)
			if ok && strings.Count(t.Name, sep) == 1 && (sep == "/" || len(t.Name) < mcpNames.Longest) {
				t.Server, t.Name = server, tool
				break
			}
		}
		if t.Cut = mcpNames.Cut(c.Str(schema.FieldToolName), t.Name); t.Name == "" {
			t.Cut = -1
		}
	}

	s, isText := ordjson.String(raw)
	switch {
	case isText && t.Name == patchTool:
		t.Input = schema.Args{{Role: schema.RoleCommand, Name: inputName(c), Raw: ordjson.AppendString(nil, s)}}
	case err != nil:
		t.Whole = raw
	default:
		rows := row.InputRows()
		if c.Event == schema.PermissionRequest {
			rows = append([]schema.ArgRow{{Name: "file_path", Role: schema.RolePath}}, rows...)
		}
		if t.Input = schema.DecodeArgs(o, rows); c.Event == schema.PermissionRequest {
			decodeRequest(c)
		}
		if i := slices.IndexFunc(t.Input, func(a schema.Arg) bool {
			return a.Name == fetched && t.Name == fetchTool
		}); i >= 0 {
			t.Input[i].Role = schema.Rest // several addresses, see Split
		}
	}

	if t.Name == patchTool {
		t.Kinds = family.PatchKinds(c, grammar, patchOf(c))
	}
	if raw := c.Get(schema.FieldToolOutput); raw != nil {
		decodeResult(c, raw)
	}
}

// tool returns the row of a tool: of this program, or of the other if that calls this program's hooks. Under Claude
// Code's event names, only the input shows a patch.
func (d Dialect) tool(name string, isText bool) *schema.ToolRow {
	switch row := d.Tool(name); {
	case row != nil && isText && row.Name == "edit":
		return d.Tool(patchTool)
	case row != nil:
		return row
	case d.onCode():
		return cli().Tool(name)
	}
	return codeTool(name)
}

// decodeRequest reads the unified diff with which permissionRequest describes a file change.
func decodeRequest(c *schema.Call) {
	part := requested(c)
	if part == nil {
		return
	}
	c.Tool.Kinds = part.Tool.Kinds
	for _, a := range part.Tool.Input {
		if a.Role != schema.RolePath {
			c.Tool.Input = append(c.Tool.Input, a)
		}
	}
}

// NameServer determines the server of a tool whose name can be split in several places: a configured one.
func (Dialect) NameServer(c *schema.Call, servers []schema.Server) {
	dialect.NameServer(c, servers, func(server string) string { return mcpNames.Word(server) + "-" })
}
