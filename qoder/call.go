package qoder

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// payload is the order of the fields (observed 1.1.52), with defaults for fields that Qoder always sends and another
// agent may lack.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Default: `""`},
	{Field: schema.FieldTranscript, Default: `""`},
	{Field: schema.FieldCwd}, {Field: schema.FieldEvent}, {Field: schema.FieldModel},
	{Field: schema.FieldMode, Not: compacts, Default: `"default"`},
	{Field: schema.FieldAgentID, Not: compacts},
	{Field: schema.FieldAgentType, Not: compacts},
	{Field: schema.FieldToolUseID, Tool: true},
	{Field: schema.FieldToolName, Tool: true},
	{Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}},
	{Late: true, Field: schema.FieldSource, Only: []schema.Event{schema.SessionStart}, Default: `"startup"`},
	{Late: true, Field: schema.FieldReason, Default: `"other"`},
	{Late: true, Field: schema.FieldStopActive, Default: "false"},
	{Late: true, Field: schema.FieldAgentTranscript, Default: `""`},
	{Late: true, Field: schema.FieldTrigger, Only: []schema.Event{schema.Setup}, Default: `"init"`},
	{Late: true, Field: schema.FieldTrigger, Default: `"auto"`},
	{Late: true, Field: schema.FieldError, Only: []schema.Event{schema.StopFailure}, Default: `"unknown"`},
	{Late: true, Field: schema.FieldError, Default: `""`},
	{Late: true, Field: schema.FieldInstructions, Default: `""`},
	{Late: true, Field: schema.FieldPrompt, Default: `""`},
	{Late: true, Field: schema.FieldMessage, Default: `""`},
	{Late: true, Field: schema.FieldLastMessage, Only: []schema.Event{schema.Stop}, Default: `""`},
}

var compacts = []schema.Event{schema.PreCompact, schema.PostCompact}

// ideSource is SessionStart's source in the IDE.
var ideSource = []family.Rename{{Field: schema.FieldSource, Event: schema.SessionStart, Name: "type"}}

// results are the shapes of tool_response (observed 1.1.52). A failed command raises another event.
var results = []family.ResultShape{
	{Kinds: []schema.Kind{schema.Shell, schema.Delete}, Members: []family.ResultMember{
		{Name: "kind", Default: `"completed"`},
		{Name: "stdout", Role: schema.RoleStdout, Default: `""`, Form: family.NoLineEnd},
		{Name: "stderr", Role: schema.RoleStderr, Default: `""`},
		{Name: "exitCode", Role: schema.RoleExitCode, Default: "0"}, {Name: "signal", Default: "null"},
		{Name: "interrupted", Role: schema.RoleInterrupted, Default: "false"}, {Name: "isImage", Default: "false"},
		{Name: "noOutputExpected", Default: "false"}}},
	{Kinds: []schema.Kind{schema.Read}, Members: []family.ResultMember{
		{Name: "type", Default: `"text"`},
		{Name: "file", Role: schema.RoleContent, Default: `""`, Form: family.FileObject}}},
	{Kinds: []schema.Kind{schema.Write}, Members: []family.ResultMember{
		{Name: "type", Form: family.Written}, {Name: "filePath", Role: schema.RolePath, Default: `""`},
		{Name: "content", Role: schema.RoleContent, Default: `""`},
		{Name: "structuredPatch", Default: "[]"}, {Name: "originalFile", Role: schema.RoleOriginal, Default: "null"}}},
	{Kinds: []schema.Kind{schema.Edit}, Members: []family.ResultMember{
		{Name: "filePath", Role: schema.RolePath, Default: `""`},
		{Name: "oldString", Role: schema.RoleOldText, Default: `""`},
		{Name: "newString", Role: schema.RoleNewText, Default: `""`},
		{Name: "originalFile", Role: schema.RoleOriginal, Default: "null"}, {Name: "structuredPatch", Default: "[]"},
		{Name: "userModified", Default: "false"},
		{Name: "replaceAll", Role: schema.RoleReplaceAll, Default: "false"}}},
}

// ideVariables are variables that the IDE sets for hooks and the CLI doesn't.
func ideVariables() []string { return marking[2:] }

// marking are the variables that identify a call from either.
var marking = []string{sourceVariable, "QODER_PROJECT_DIR", "QODER_SESSION_ID", "QODER_TOOL_NAME",
	"QODER_TRANSCRIPT_PATH", "QODER_TOOL_INPUT_FILE_PATH"}

// versionIn returns the version or program in the environment.
func versionIn(env schema.Environ) string {
	if env.Get(sourceVariable) == "" && slices.ContainsFunc(ideVariables(), func(name string) bool {
		return env.Get(name) != ""
	}) {
		return "ide"
	}
	return env.Get(versionVariable)
}

// read sets values that only the environment has, and renames the IDE's field.
func read(a *family.Agent, c *schema.Call, _ ordjson.Object, env schema.Environ) {
	switch {
	case a.Data.Program != nil:
		c.Version = a.Data.Program.Name
	case c.Version == "":
		c.Version = versionIn(env)
	}
	if raw, ok := c.Extra.Get("type"); ok && c.Event == schema.SessionStart && c.Get(schema.FieldSource) == nil {
		c.Extra.Take("type")
		c.Set(schema.FieldSource, raw)
		c.Version = "ide"
	}
}

// serverContext reads the names of server and tool from mcp_context, where they aren't shortened to fit into a tool's
// name.
func serverContext(_ *family.Agent, c *schema.Call) {
	o, err := c.Extra.Members("mcp_context")
	if c.Tool.Kind() != schema.MCP || err != nil {
		return
	}
	s, n := o.Str("server_name"), o.Str("tool_name")
	if n == "" && s != "" { // the tool is the rest after the server's name
		n, _ = strings.CutPrefix(c.Str(schema.FieldToolName), profile.MCP.Join(s, ""))
	}
	if s != "" && n != "" {
		c.Tool.Server, c.Tool.Name = s, n
	}
	dialect.SetServer(c, schema.Server{URL: o.Str("url"), Command: o.Str("command"), Args: o.Strings("args")})
}

func appendContext(w *ordjson.Writer, c *schema.Call, v schema.View) {
	if v.Kind != schema.MCP || c.Event == schema.PermissionRequest || c.Event == schema.PermissionDenied {
		return
	}
	w.Raw("mcp_context", ordjson.AppendTexts(nil, "server_name", v.Server, "tool_name", c.Tool.Name))
}

// ownName keeps the name of a tool in Qoder's own call, and lets matchers use all its names. Another agent's tool may
// be any of the IDE's tools of its kind, and the IDE calls its sub-agents task or Agent (docs 2026-07).
func ownName(c *schema.Call, v *schema.View) {
	own := c.Dialect == profile.Name
	if t := profile.Tool(v.Tool); own && (t == nil || slices.Contains(append(t.Aliases, t.Name), c.Tool.Name)) {
		v.Tool = c.Tool.Name
	}
	v.Target = spellings(v.Tool)
	switch {
	case own && v.Tool != c.Tool.Name: // another of its programs has a different name
		v.Target = append(v.Target, c.Tool.Name)
	case own && v.Tool == "Agent" && surfaceOf(c.Version) == ide:
		v.Target = append(v.Target, spellings("task")...)
	case own || !slices.ContainsFunc(ideTools(), func(t schema.ToolRow) bool { return t.Name == v.Tool }):
	case v.Tool == "task":
		v.Target = append(v.Target, "Agent")
	default:
		for _, t := range ideTools() {
			if t.Name != v.Tool && slices.Contains(t.Kinds, v.Kind) {
				v.Target = append(v.Target, t.Name)
			}
		}
	}
}

// asTool reports whether Qoder compares the event's value with matchers like a tool's name.
func asTool(row *schema.EventRow) bool {
	return row.Match == schema.MatchTool || row.Event == schema.FileChanged || row.Event == schema.Elicitation ||
		row.Event == schema.ElicitationResult
}

// valueMatcher returns a matcher for values of an event's field. A file's name is unchanged, because Qoder also watches
// the parts of the matcher.
func valueMatcher(row *schema.EventRow, values []string) (m string, exact bool) {
	switch {
	case row.Event == schema.FileChanged:
		return strings.Join(values, "|"), false
	case asTool(row) || strings.ContainsAny(strings.Join(values, ""), `\^$.*+?()[]{}|`):
		return "^(?:" + strings.Join(lists.Map(values, matcher.Escape), "|") + ")$", true
	}
	return strings.Join(values, "|"), true
}

// AppendEnv is never called.
func (Dialect) AppendEnv(dst []byte, _ []schema.EnvVar) []byte { return dst }
