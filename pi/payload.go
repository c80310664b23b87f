package pi

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// modeField is how Pi was started: tui, rpc, json or print.
const modeField = "pi_mode"

// more writes fields that other agents' payloads lack.
func more(w *ordjson.Writer, _ *schema.Call, _ schema.View) {
	w.Int(family.ProtocolField, Protocol)
	w.String(modeField, "tui")
}

// classify sets the kinds of the editing tool.
func classify(_ *family.Agent, c *schema.Call) {
	if t := &c.Tool; t.Name == "edit" {
		t.Kinds = append([]schema.Kind{schema.Edit, schema.MultiEdit}, t.Kinds[1:]...)
	}
	family.Enter(c)
}

// NoOutput is the result of a command without output.
const NoOutput = "(no output)"

// readResult returns a result by role: blocks of content, and a command's output.
func readResult(k schema.Kind, _ *schema.ToolRow, raw []byte) schema.Args {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return schema.Args{{Role: schema.RoleWhole, Raw: raw}}
	}
	blocks := o.Value("content")
	ran, _ := o.Members("structuredContent")
	text := ordjson.AppendString(nil, family.TextOf(blocks))
	switch {
	case k == schema.Shell && ran.Has("output"):
		return schema.Args{{Role: schema.RoleStdout, Raw: ran.Value("output")},
			{Role: schema.RoleExitCode, Raw: ran.Value("exit_code")}}
	case k == schema.Shell:
		return schema.Args{{Role: schema.RoleStdout, Raw: text}}
	case k == schema.Read:
		return schema.Args{{Role: schema.RoleContent, Raw: text}}
	case k == schema.MCP:
		return schema.Args{{Role: schema.RoleBlocks, Raw: blocks}}
	case k.ChangesFile():
		return schema.Args{{Role: schema.RoleOK, Raw: []byte("true")}}
	}
	if blocks == nil { // in a form that isn't Pi's
		text = raw
	}
	return schema.Args{{Role: schema.RoleWhole, Raw: text}}
}

// appendResult writes the result of another agent's call.
func appendResult(dst []byte, c *schema.Call, v schema.View) []byte {
	t, w := &c.Tool, ordjson.NewWriter(dst)
	blocks, isBlocks := t.Output.Get(schema.RoleBlocks)
	whole, _ := t.Output.Get(schema.RoleWhole)
	text := family.TextOf(whole)
	switch content, ok := t.Output.Get(schema.RoleContent); {
	case v.Kind == schema.MCP && isBlocks:
		w.Raw("content", blocks)
		return w.Bytes()
	case v.Kind == schema.Shell:
		printed := schema.JoinText(t.Output.Text(schema.RoleStdout), t.Output.Text(schema.RoleStderr))
		if text = printed; text == "" {
			text = NoOutput
		}
		ran := ordjson.NewWriter(nil)
		ran.String("output", printed)
		if code, known := t.Output.Get(schema.RoleExitCode); known {
			ran.Raw("exit_code", code)
		}
		w.Raw("content", schema.TextBlocks(ordjson.AppendString(nil, text)))
		w.Raw("structuredContent", ran.Bytes())
		return w.Bytes()
	case v.Kind == schema.Read && ok:
		text = family.TextOf(content)
	case whole == nil:
		text = string(schema.AppendNamed(nil, t.Output))
	}

	w.Raw("content", schema.TextBlocks(ordjson.AppendString(nil, text)))
	return w.Bytes()
}
