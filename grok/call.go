package grok

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeCall reads a payload and ignores its second names, which add nothing. Payloads of versions before the autumn of
// 2026 have only second names (source of 2026-08-19).
func (a Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	o, _ := ordjson.Parse(src)
	if row := eventNamed(o.Str(eventName)); row != nil && !o.Has("hook_event_name") {
		for i, m := range o {
			for _, pair := range copied {
				if m.Name == pair[1] {
					o[i].Name = pair[0]
				}
			}
		}
		o = append(o, ordjson.Member{Name: "hook_event_name", Value: ordjson.AppendString(nil, row.Native)})
		src = o.Append(nil)
	}
	cut := false
	if is, _ := o.Bool(inputCut); is {
		src, cut = withInput(o, src)
	}
	c, ds := a.Agent.DecodeCall(src, env)
	if c == nil {
		return c, ds
	}
	if cut {
		c.Malformed = true // an entry that fails closed denies a call that isn't shown whole
		ds.AddSeverity(schema.CodeOddInput, schema.Weaker, "/tool_input", a.Data.Title+" cut the input after "+
			strconv.Itoa(inputLimit)+" bytes, and hooks see what is in front of the cut")
	}

	if root, _ := c.Extra.Text(workspace); root != "" {
		c.Project = filepath.Clean(root)
	}
	for _, pair := range copied {
		if second, ok := c.Extra.Get(pair[1]); ok && ordjson.Equal(second, o.Value(pair[0])) {
			c.Extra.Take(pair[1])
		}
	}

	if text, failed := failure(c); failed && c.Event == schema.PostTool {
		c.Event = schema.PostToolFailure
		c.SetStr(schema.FieldError, strings.TrimSuffix(text, "\n"))
	}
	if s, _ := c.Extra.Text(eventName); s == snake(c.Native) {
		c.Extra.Take(eventName)
	}

	return c, ds
}

// withInput returns the payload with the uncut part of the input as an object; ok is false if there is none.
func withInput(o ordjson.Object, src []byte) (_ []byte, ok bool) {
	out := slices.Clone(o)
	for i, m := range out {
		if m.Name != "tool_input" && m.Name != "toolInput" {
			continue
		}
		if object, whole := uncut(m.Value); whole {
			out[i].Value, ok = object, true
		}
	}
	if !ok {
		return src, false
	}
	return out.Append(nil), true
}

// eventNamed returns the event for a name in a file: preToolUse and pre_tool_use mean PreToolUse, and so do some of
// Cursor's names, for every tool (observed 1.0.41).
func eventNamed(native string) *schema.EventRow {
	switch native {
	case "beforeShellExecution", "beforeMCPExecution", "beforeReadFile":
		native = "PreToolUse"
	case "afterShellExecution", "afterMCPExecution", "afterFileEdit", "afterAgentResponse", "afterAgentThought":
		native = "PostToolUse"
	case "beforeSubmitPrompt":
		native = "UserPromptSubmit"
	case "SubagentEnd", "subagentEnd", "subagent_end":
		native = "SubagentStop"
	case "userPromptSubmit":
		return nil
	}
	return lists.Find(events, func(row *schema.EventRow) bool { return snake(row.Native) == snake(native) })
}

// failure returns the error in the result of a failed tool.
func failure(c *schema.Call) (text string, failed bool) {
	if raw, ok := c.Tool.Output.Get(schema.RoleExitCode); ok && string(raw) != "0" {
		return c.Tool.Output.Text(schema.RoleStdout), true
	}
	return ordjson.String(ordjson.At(c.Get(schema.FieldToolOutput), "/FileNotFound"))
}

// Payload fields that aren't second names.
const (
	eventName = "hookEventName"
	workspace = "workspaceRoot"
)

// AppendCall writes c with the second names of its fields; the agent's own call gets only its original ones.
func (a Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	own := c.Dialect == a.Data.Agent()
	came, _ := ordjson.Parse(c.Raw)
	o, err := ordjson.Parse(a.Agent.AppendCall(nil, c, v))
	if err != nil {
		return dst
	}
	if own && !came.Has("error") { // the result of a failed command contains it
		o.Take("error")
	}
	add := func(name string, raw []byte) {
		if !o.Has(name) && (!own || came.Has(name)) {
			o = append(o, ordjson.Member{Name: name, Value: raw})
		}
	}
	for _, pair := range copied {
		if raw, ok := o.Get(pair[0]); ok {
			add(pair[1], raw)
		}
	}
	if v.Event == "Stop" {
		add("reason", []byte(`"end_turn"`))
	}
	add(eventName, ordjson.AppendString(nil, snake(v.Event)))
	add(workspace, ordjson.AppendString(nil, strings.TrimSuffix(c.Project, "/")+"/"))
	return o.Append(dst)
}

// inputLimit is the longest input or result, as JSON in bytes, that hooks are shown whole (observed 1.0.41).
const inputLimit = 128 << 10

const (
	inputCut = "toolInputTruncated" // true if the input is a text with the beginning of its JSON
	cutMark  = " [truncated]"       // at the end of that text
)

// uncut makes an object of an input that was cut. Guards then see the fields before the cut, and the beginning of a
// text that was cut. Without a complete field, ok is false.
func uncut(value []byte) (object []byte, ok bool) {
	text, _ := ordjson.String(value)
	text, ok = strings.CutSuffix(text, cutMark)
	whole := wholeFields(text)
	if !ok || whole == 0 {
		return nil, false
	}
	const longestEscape = len(`\ud83d\ude00`)
	for end := len(text); end > max(whole, len(text)-longestEscape); end-- {
		if o := text[:end] + `"}`; isObject(o) {
			return []byte(o), true
		}
	}
	o := text[:whole] + "}"
	return []byte(o), isObject(o)
}

// wholeFields returns the end of the last complete field of an object that another field follows; 0: none.
func wholeFields(text string) (end int) {
	var inText, escaped bool
	depth := 0
	for i := range len(text) {
		switch c := text[i]; {
		case escaped:
			escaped = false
		case inText:
			escaped, inText = c == '\\', c != '"'
		case c == '"':
			inText = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth == 1:
			end = i
		}
	}
	return end
}

func isObject(text string) bool {
	o, err := ordjson.Parse([]byte(text))
	return err == nil && len(o) > 0
}
