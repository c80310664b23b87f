package cursor

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// contextLimit is the longest additional_context, in UTF-16 units; the client drops a longer text completely (observed
// SDK 1.0.32, since 1.0.14).
const contextLimit = 10000

var merging = schema.MergeRules{Separator: "\n\n---\n\n", AllReasons: true}

// Merge combines several replies. Deny beats ask beats allow, messages of all verdicts are joined, and plugin folders
// are combined. Otherwise the last value counts (observed SDK 1.0.32).
func (Dialect) Merge(rs []schema.Reply) schema.Reply {
	rs = slices.Clone(rs)
	going, user := false, false
	var paths []string
	for i := len(rs) - 1; i >= 0; i-- {
		if going {
			rs[i].KeepGoing = ""
		}
		going = going || rs[i].KeepGoing != ""
		user = user || rs[i].UserReason != ""
	}

	for i := range rs {
		if user && rs[i].UserReason == "" { // its reason serves both
			rs[i].UserReason = rs[i].Reason
		}
		raw, _ := rs[i].Other(schema.EffectPluginPaths)
		list, _ := ordjson.Elements(raw, 0)
		for _, m := range list {
			if path := string(m.Value); !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}

	out := merging.Merge(rs)
	if out.Verdict == schema.NoOpinion { // without a verdict, the messages have no use
		out.Reason, out.UserReason = "", ""
	}
	for i, o := range out.Others {
		if o.Feature == schema.EffectPluginPaths && len(rs) > 1 {
			out.Others = slices.Clone(out.Others)
			out.Others[i].Raw = []byte("[" + strings.Join(paths, ",") + "]")
		}
	}

	return out
}

// Honors returns the effects that Cursor honors for c.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	f := channels(c, r)
	if p := profile.ProgramOf(cmp.Or(d.Version, c.Version)); p != nil {
		f &^= p.On(c.Native).Effects
	}
	return f
}

// channels are the effects that an answer to c can express, even if the program doesn't apply them.
func channels(c *schema.Call, r *schema.Reply) schema.Feature {
	row := rowOf(c.Native)
	if row == nil {
		return 0
	}
	f := row.Honors &^ lacks(c.Version, row)
	if row.Event == schema.SubagentStop && failed(c.Str(schema.FieldStatus)) {
		f &^= schema.EffectKeepGoing // a follow-up is possible only after a completed one
	}
	if row.Native == "postToolUse" && c.Tool.Kind() == schema.MCP {
		f |= schema.EffectOutput
	}
	if f&schema.EffectDeny != 0 && r.Verdict == schema.Deny {
		f |= schema.EffectNotice // is added to the message of the denial
	}
	return f
}

// Asks returns the gate event at which Cursor asks the user about a call of this kind, and whether this version is
// known to ask.
func (Dialect) Asks(c *schema.Call) (gate string, sure bool) {
	if c.Tool.Kind() == schema.Shell {
		return "beforeShellExecution", asks(c.Version)
	}
	return "", false
}

// Replaces returns the input fields that Cursor takes from updated_input, key by key; it keeps all others.
func (Dialect) Replaces(c *schema.Call) (roles schema.Roles, whole bool) {
	if row := rowOf(c.Native); row == nil || row.Honors&schema.EffectInput == 0 {
		return 0, false
	}
	if c.Tool.Kind() == schema.MCP {
		return mcpTool.Replaces, false
	}
	if row := profile.Tool(c.Tool.Name); row != nil {
		return row.Replaces, false
	}
	return 0, false
}

// AppendReply writes r as the answer to c: one flat object, {} for no opinion. The reason of a denial goes to the user
// and to the agent: client-side tools show the agent only user_message.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	w := ordjson.NewWriter(dst)
	row := rowOf(c.Native)
	if row == nil {
		return w.Bytes()
	}

	switch row.Event {
	case schema.PreTool, schema.SubagentStart:
		appendPermission(&w, c, row, r)
	case schema.SessionStart:
		if r.EndTurn {
			w.Bool("continue", false)
			w.String("user_message", cmp.Or(r.EndReason, "Blocked by hook"))
		}
	case schema.PromptSubmit:
		if r.Verdict == schema.Deny {
			w.Bool("continue", false)
			w.String("user_message", messages(r))
		}
	case schema.PreCompact:
		if r.Notice != "" {
			w.String("user_message", r.Notice)
		}
	case schema.Stop, schema.SubagentStop:
		if r.KeepGoing != "" {
			w.String("followup_message", r.KeepGoing)
		}
	}

	if len(r.Env) > 0 && row.Honors&schema.EffectEnv != 0 {
		w.Raw("env", appendEnv(r.Env))
	}
	if text := schema.JoinText(r.Feedback, r.Context); text != "" && channels(c, r)&schema.EffectContext != 0 {
		w.String("additional_context", text)
	}
	if r.Output != nil && row.Event == schema.PostTool && row.Gate == nil && c.Tool.Kind() == schema.MCP {
		w.Raw("updated_mcp_tool_output", mcpOutput(r.Output))
	}
	if raw, ok := r.Other(schema.EffectPluginPaths); ok && row.Honors&schema.EffectPluginPaths != 0 {
		w.Raw("pluginPaths", raw)
	}

	return w.Bytes()
}

func appendPermission(w *ordjson.Writer, c *schema.Call, row *schema.EventRow, r *schema.Reply) {
	verdict := r.Verdict
	if verdict == schema.Defer || verdict == schema.Ask && row.Honors&schema.EffectAsk == 0 {
		verdict = schema.Deny // Cursor honors no milder word
	}
	word := family.PlainVerdicts.Word(verdict)
	if oldWords(c.Version) && row.Gate == nil {
		if word != "" {
			w.String("decision", word)
		}
		if text := messages(r); word != "" && text != "" {
			w.String("reason", text)
		}
	} else if word != "" {
		w.String("permission", word)
		if text := messages(r); text != "" {
			w.String("user_message", text)
		}
		if r.Reason != "" {
			w.String("agent_message", r.Reason)
		}
	}
	if r.Input != nil && row.Honors&schema.EffectInput != 0 {
		w.Raw("updated_input", appendNewInput(c, r))
	}
}

func appendNewInput(c *schema.Call, r *schema.Reply) []byte {
	if c.Tool.Kind() == schema.MCP {
		return schema.AppendArgs(nil, r.Input, nil)
	}
	return schema.AppendArgs(nil, r.Input, profile.Tool(c.Tool.Name).InputRows())
}

// messages returns the text for the user: the reason, and after a denial also the hooks' notices.
func messages(r *schema.Reply) string {
	text := cmp.Or(r.UserReason, r.Reason)
	if r.Verdict == schema.Deny {
		text = schema.JoinText(text, r.Notice)
		text = cmp.Or(text, "Blocked by hook")
	}
	return text
}

// mcpOutput returns a replaced MCP result in the object form that Cursor requires.
func mcpOutput(raw []byte) []byte {
	switch ordjson.KindOf(raw) {
	case ordjson.Array:
	case ordjson.StringKind:
		raw = schema.TextBlocks(raw)
	default:
		return raw
	}
	w := ordjson.NewWriter(nil)
	w.Raw("content", raw)
	return w.Bytes()
}

func appendEnv(vars []schema.EnvVar) []byte {
	var o ordjson.Object
	for _, v := range vars {
		o.Take(v.Name) // the later of two settings counts
		o = append(o, ordjson.Member{Name: v.Name, Value: ordjson.AppendString(nil, v.Value)})
	}
	return o.Append(nil)
}

// Refuse writes the strictest possible answer for an event that may be unknown because the payload can't be read.
func (d Dialect) Refuse(dst []byte, native, reason string) []byte {
	w := ordjson.NewWriter(dst)
	row := rowOf(native)
	if row == nil || row.Honors&schema.EffectAllow != 0 {
		w.String("permission", "deny")
		if row == nil || row.Gate == nil { // the payload's version may read nothing else
			w.String("decision", "deny")
			w.String("reason", reason)
		}
	}
	if row == nil || row.Event == schema.PromptSubmit || row.Event == schema.SessionStart {
		w.Bool("continue", false)
	}
	if w.Len() > 0 {
		w.String("user_message", reason)
		w.String("agent_message", reason)
	}
	return w.Bytes()
}
