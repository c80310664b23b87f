package gemini

import (
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeCall reads the document that Gemini CLI gives a hook on stdin. The Call is
// nil only with an Error diagnostic.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	var ds schema.Diagnostics
	o, err := ordjson.Parse(src)
	if err != nil {
		return nil, *schema.SyntaxDiagnostic(&ds, err)
	}
	c := &schema.Call{Dialect: name, Version: d.Version, Raw: src}
	c.Values, c.Extra = schema.DecodeValues(o, members)
	c.Native = c.Str(schema.FieldEvent)
	if c.Native == "" {
		ds.Add(schema.CodeNoEventName, "/hook_event_name", "the payload has no hook_event_name")
		return nil, ds
	}
	row := rowOf(c.Native)
	if row == nil {
		ds.Add(schema.CodeUnknownEvent, "/hook_event_name", "Gemini CLI has no event "+c.Native)
		return nil, ds
	}
	c.Event = row.Event
	words.Read(c)
	shape, usable := schema.CheckShape(c, false)
	ds, c.Malformed = append(ds, shape...), !usable
	c.Cwd = c.Str(schema.FieldCwd)
	if c.Project = env.Get("GEMINI_PROJECT_DIR"); c.Project == "" {
		c.Project = c.Cwd
	}
	if row.Event.IsTool() {
		decodeTool(c)
	}
	return c, ds
}

func decodeTool(c *schema.Call) {
	t := &c.Tool
	t.Name, t.Kinds = c.Str(schema.FieldToolName), []schema.Kind{schema.Other}
	row := toolNamed(t.Name)
	if row != nil && len(row.Kinds) > 0 {
		t.Kinds = row.Kinds
	} else if row == nil {
		decodeMCP(c)
	}
	raw := c.Get(schema.FieldToolInput)
	if o, err := ordjson.Members(raw, 0); err == nil {
		t.Input = schema.DecodeArgs(o, inputRows(t.Name))
	} else {
		t.Whole = raw
	}
	switch t.Kind() {
	case schema.Shell:
		if dir := text(t.Input, schema.RoleCwd); filepath.IsAbs(dir) {
			c.Cwd = dir
		} else if dir != "" {
			c.Cwd = filepath.Join(c.Cwd, dir)
		}
	case schema.Fetch:
		decodeURL(c)
	}
	if raw := c.Get(schema.FieldToolOutput); raw != nil {
		decodeResult(c, raw)
	}
}

func text(as schema.Args, r schema.Role) string {
	raw, _ := as.Get(r)
	s, _ := ordjson.String(raw)
	return s
}

// decodeMCP names server and tool: mcp_context holds them unchanged, the tool's
// name only one after the other.
func decodeMCP(c *schema.Call) {
	t := &c.Tool
	raw, ok := c.Extra.Get("mcp_context")
	o, _ := ordjson.Members(raw, 0)
	get := func(member string) string {
		raw, _ := o.Get(member)
		s, _ := ordjson.String(raw)
		return s
	}
	rest, prefixed := strings.CutPrefix(t.Name, mcpPrefix)
	switch {
	case ok && get("server_name") != "" && get("tool_name") != "":
		t.Server, t.Name = get("server_name"), get("tool_name")
		raw, _ := o.Get("args")
		if line := strings.TrimSpace(get("command") + " " + strings.Join(ordjson.Strings(raw), " ")); line != "" {
			c.SetStr(schema.FieldServerCommand, line)
		}
	case prefixed:
		t.Name = rest
	default:
		return
	}
	t.Kinds = []schema.Kind{schema.MCP}
}

// decodeURL finds the addresses that a fetch is about, which stand in its prompt. The
// member that they become has no name of its own; it holds them all, so that a guard
// misses none.
func decodeURL(c *schema.Call) {
	var urls []string
	for _, word := range strings.Fields(text(c.Tool.Input, schema.RolePrompt)) {
		for _, scheme := range []string{"https://", "http://"} {
			if i := strings.Index(strings.ToLower(word), scheme); i >= 0 {
				urls = append(urls, strings.TrimRight(word[i:], `.,;:!?)>]}"'`+"`"))
				break
			}
		}
	}
	if len(urls) > 0 {
		all := strings.Join(urls, " ")
		c.Tool.Input = append(c.Tool.Input, schema.Arg{Role: schema.RoleURL, Raw: ordjson.AppendString(nil, all)})
	}
}
