package gemini

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// payload is the order of the fields (observed 0.61.0), with defaults for fields that Gemini CLI always sends and
// another agent may lack. Package bridge adds the time of another agent's event.
var payload = []family.PayloadRow{
	{Field: schema.FieldSession, Default: `""`},
	{Field: schema.FieldTranscript, Default: `""`},
	{Field: schema.FieldCwd}, {Field: schema.FieldEvent},
	{Field: schema.FieldTime, Default: `"1970-01-01T00:00:00.000Z"`},
	{Field: schema.FieldToolName, Tool: true},
	{Field: schema.FieldToolInput, Tool: true},
	{Field: schema.FieldToolOutput, Only: []schema.Event{schema.PostTool}},
	{Late: true, Field: schema.FieldSource, Default: `"startup"`},
	{Late: true, Field: schema.FieldReason, Default: `"exit"`},
	{Late: true, Field: schema.FieldTrigger, Default: `"auto"`},
	{Late: true, Field: schema.FieldStopActive, Default: "false"},
	{Late: true, Field: schema.FieldPrompt, Default: `""`},
	{Late: true, Field: schema.FieldLastMessage, Default: `""`},
	{Late: true, Field: schema.FieldMessage, Default: `""`},
	{Late: true, Field: schema.FieldDetails, Default: "{}"},
}

func appendServer(w *ordjson.Writer, c *schema.Call, v schema.View) {
	if v.Kind == schema.MCP {
		w.Raw("mcp_context", ordjson.AppendTexts(nil, "server_name", v.Server, "tool_name", c.Tool.Name))
	}
}

// view shows a tool only under the model's name for it.
func view(c *schema.Call, v *schema.View) {
	if used := c.Str(schema.FieldToolName); c.Dialect == name && used != "" {
		v.Tool, v.Server, v.Target = used, c.Tool.Server, []string{used}
		return
	}
	v.Fixed = v.Fixed || v.Kind == schema.Fetch
}

// input writes a prompt that contains the address.
func input(dst []byte, c *schema.Call, v schema.View) ([]byte, bool) {
	if v.Kind != schema.Fetch || c.Dialect == name {
		return nil, false
	}
	return ordjson.AppendTexts(dst, "prompt", schema.JoinText(c.Tool.Input.Text(schema.RoleURL),
		c.Tool.Input.Text(schema.RolePrompt))), true
}

func classify(_ *family.Agent, c *schema.Call) {
	t := &c.Tool
	if profile.Tool(t.Name) == nil {
		nameTool(c)
	}
	switch t.Kind() {
	case schema.Shell:
		family.Enter(c)
	case schema.Fetch:
		if urls := urlsOf(t.Input); len(urls) > 0 {
			setURL(c, urls)
		}
	}
	if raw := c.Get(schema.FieldToolOutput); raw != nil {
		decodeResult(c, raw)
	}
}

// nameTool sets an MCP tool and its server: mcp_context has them unchanged, while the tool's name joins the two.
func nameTool(c *schema.Call) {
	t := &c.Tool
	o, _ := c.Extra.Members("mcp_context")
	if o.Str("server_name") == "" || o.Str("tool_name") == "" {
		return
	}
	t.Server, t.Name, t.Kinds, t.Written = o.Str("server_name"), o.Str("tool_name"), []schema.Kind{schema.MCP},
		schema.NameRules{}
	dialect.SetServer(c, schema.Server{URL: o.Str("url"), Command: o.Str("command"), Args: o.Strings("args")})
}

// setURL adds the addresses of a fetch, which are part of its prompt. Their field has no native name and holds them
// all, so that a guard sees every one.
func setURL(c *schema.Call, urls []string) {
	in := slices.DeleteFunc(slices.Clone(c.Tool.Input), func(a schema.Arg) bool { return a.Role == schema.RoleURL })
	c.Tool.Input = append(in, schema.Arg{Role: schema.RoleURL, Raw: ordjson.AppendString(nil, strings.Join(urls, " "))})
}

// urlsOf lists the addresses of a fetch. They are in its prompt or, if the user's settings make the tool fetch
// directly, in its only field that counts (source 0.61.0).
func urlsOf(in schema.Args) []string {
	urls := urlsIn(in.Text(schema.RolePrompt))
	for _, a := range in {
		if s, _ := ordjson.String(a.Raw); a.Role == schema.Rest && a.Name == "url" && s != "" &&
			!slices.Contains(urls, s) {
			urls = append(urls, s)
		}
	}
	return urls
}

// urlsIn lists the addresses in a prompt, each once. For the client, these are the words with "://", in any spelling
// that its URL parser accepts (source).
func urlsIn(prompt string) (urls []string) {
	for _, word := range strings.FieldsFunc(prompt, ordjson.IsSpace) {
		if !strings.Contains(word, "://") {
			continue
		}
		lower := strings.Map(func(r rune) rune {
			if 'A' <= r && r <= 'Z' {
				r += 'a' - 'A'
			}
			return r
		}, word)
		i := strings.Index(lower, "http")
		scheme, rest, _ := strings.Cut(lower[max(i, 0):], ":")
		if i < 0 || scheme != "http" && scheme != "https" {
			continue
		}
		rest = strings.TrimLeft(word[len(word)-len(rest):], `/\`)
		url := scheme + "://" + strings.TrimRight(rest, `.,;:!?)>]}"'`+"`")
		if !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	return urls
}

// maxURLs is the maximum number of addresses that are shown separately for one call.
const maxURLs = 20

// Split lists the addresses of a fetch as separate calls: a hook of another agent expects one address.
func (Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	urls := urlsOf(c.Tool.Input)
	if c.Tool.Kind() != schema.Fetch || len(urls) < 2 {
		return nil
	}
	var parts []*schema.Call
	for len(urls) > 0 {
		n := 1
		if len(parts) == maxURLs-1 {
			n = len(urls)
		}
		part := c.Clone()
		setURL(part, urls[:n])
		parts, urls = append(parts, part), urls[n:]
	}
	return [][]*schema.Call{parts}
}

// Join returns the input with the prompt that a hook wrote for one address. The addresses are part of the prompt and
// can't be changed separately.
func (Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	if in.Text(schema.RoleURL) != part.Tool.Input.Text(schema.RoleURL) ||
		c.Tool.Input.Text(schema.RolePrompt) != part.Tool.Input.Text(schema.RolePrompt) {
		return nil, false
	}
	prompt, ok := in.Get(schema.RolePrompt)
	return schema.Args{{Role: schema.RolePrompt, Name: "prompt", Raw: prompt}}, ok
}
