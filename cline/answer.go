package cline

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// ends: how a hook ends is never an answer; its output counts, whatever the exit code.
var ends = dialect.Ends{process.Late: {So: "; the call proceeds"}, process.NotStarted: {So: "; the call proceeds"}}

// DecodeReply interprets a hook's result: one JSON object on stdout counts, or the last line with one after
// HOOK_CONTROL. Exit codes have no meaning.
func (d Dialect) DecodeReply(h *schema.Hook, v schema.View, res *process.Result) (schema.Reply, schema.Diagnostics) {
	dec := decoder{d.Decoder(h, v)}
	switch outcome := dec.Ended(&ends, res); {
	case outcome == process.Late || outcome == process.NotStarted:
	case dec.Row.Honors == 0:
	default:
		o, given := dec.object(res.Stdout)
		if given {
			dec.read(o)
		}
		if !given && outcome != process.Clean {
			dec.Add(schema.CodeHookFailed, "the hook failed, and Cline lets the call proceed: "+
				schema.FailureText(res.Exit, res.Signal, res.Stderr))
		}
	}
	return dec.Done()
}

type decoder struct{ *family.Decoder }

// control begins an answer's line within other output.
const control = "HOOK_CONTROL\t"

// object finds the answer.
func (d decoder) object(out []byte) (o ordjson.Object, ok bool) {
	out = ordjson.TrimSpace(ordjson.TrimBOM(ordjson.TrimSpace(out)))
	if len(out) == 0 {
		return nil, false
	}
	o, _, err := ordjson.ParseLast(out)
	if err == nil {
		return o, true
	}
	for line := range bytes.Lines(out) {
		if text, marked := bytes.CutPrefix(line, []byte(control)); marked {
			if found, _, bad := ordjson.ParseLast(bytes.TrimSpace(text)); bad == nil {
				o, ok = found, true
			}
		}
	}
	if !ok {
		d.Add(schema.CodeBadAnswer, "stdout isn't one JSON object, so Cline ignores it")
	}
	return o, ok
}

// read applies an answer.
func (d decoder) read(o ordjson.Object) {
	r, message := &d.Reply, o.Str("errorMessage")
	for _, m := range o {
		if !slices.Contains(answerFields, m.Name) {
			r.Extra = append(r.Extra, m)
		}
	}
	if len(o) > 0 && len(r.Extra) == len(o) {
		d.Add(schema.CodeBadSchema, "the answer has no field that Cline"+d.Agent.Data.Checked()+" reads")
	}
	cancel, isBool := o.Bool("cancel")
	if o.Has("cancel") && !isBool {
		d.Add(schema.CodeBadSchema, "cancel isn't a boolean, so Cline doesn't cancel")
	}
	if cancel {
		r.EndTurn, r.EndReason = true, message
		if d.Row.Event == schema.PreTool {
			r.Verdict, r.Reason = schema.Deny, message
		}
		return
	}

	context, given := o.Text("context")
	if !given {
		if context, given = o.Text("contextModification"); !given {
			context = message
		}
	}
	raw, rewrites := o.Get("overrideInput")
	switch {
	case !rewrites:
	case d.Row.Event != schema.PreTool:
		d.Ignored |= schema.EffectInput
	case d.View.Kind != schema.MCP && isVoid(d.View.Tool, raw):
		r.Verdict, r.Reason = schema.Deny, context
		return
	default:
		d.rewrite(raw)
	}
	if d.Honors(schema.EffectContext) || context == "" {
		r.Context = context
	}
}

var answerFields = []string{"cancel", "errorMessage", "context", "contextModification", "overrideInput", "review"}

// rewrite reads a new input, which replaces the whole one and may have any of the tool's forms.
func (d decoder) rewrite(raw []byte) {
	if d.View.Kind != schema.MCP {
		raw = plain(d.View.Tool, raw)
	}
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		d.Ignored |= schema.EffectInput
		return
	}
	in := d.Agent.ReadNewInput(o, d.View)
	d.Reply.Input, d.Reply.InputView = asContent(in, d.View), d.View
}

// A voidForm is an input with which a tool does nothing and fails (observed 3.0.65). field, in the fields of the tool's
// row, has the id of the call between head and tail. The client ends the run after three inputs in a row that a tool's
// schema rejects, such as an empty one, and after five equal calls.
type voidForm struct{ tool, field, head, tail, more string }

const refusal = "a hook refused this call ("

var voidForms = []voidForm{
	{shellTool, "commands", "echo '" + refusal, ")' >&2; exit 1", ""},
	{readTool, "files", "/dev/null/" + refusal, ")", ""}, // no file can be there
	{editTool, "path", "/dev/null/" + refusal, ")", `{"old_text":"-","new_text":"-"}`},
	{grepTool, "queries", "(" + refusal, ")", ""}, // not a valid expression
	{fetchTool, "requests", "about:" + refusal, ")", `{"prompt":"none"}`},
}

// voidFormOf returns nil for a tool without one: only a cancel denies its calls.
func voidFormOf(tool string) *voidForm {
	return lists.Find(voidForms, func(f *voidForm) bool { return f.tool == tool })
}

// input returns the form's input for a call. On Windows a file could be at its path.
func (f *voidForm) input(id string) []byte {
	if runtime.GOOS == "windows" && strings.HasPrefix(f.head, "/dev/null/") {
		return []byte("{}")
	}
	w := ordjson.NewWriter(nil)
	w.String(f.field, f.head+id+f.tail)
	more, _ := ordjson.Members([]byte(f.more), 0)
	for _, m := range more {
		w.Raw(m.Name, m.Value)
	}
	return native(f.tool, w.Bytes())
}

// isVoid reports whether an input denies the call of a tool: the client's own tools reject an empty one, too.
func isVoid(tool string, input []byte) bool {
	f := voidFormOf(tool)
	o, err := ordjson.Members(plain(tool, input), 0)
	if ordjson.KindOf(input) == ordjson.Null || err == nil && len(o) == 0 {
		return true
	}
	if f == nil {
		return false
	}
	id, begins := strings.CutPrefix(o.Str(f.field), f.head)
	id, ends := strings.CutSuffix(id, f.tail)
	return begins && ends && isID(id)
}

// isSoft reports whether just the call can be denied, so that the model reads the reason. The VS Code extension, whose
// payloads have no id of the call, doesn't support a new input.
func isSoft(c *schema.Call) bool {
	return c.Event == schema.PreTool && isID(c.Tool.UseID) && c.Tool.Kind() != schema.MCP &&
		voidFormOf(c.Tool.Name) != nil
}

// isID reports whether a text is plain enough to be part of a command.
func isID(s string) bool {
	return s != "" && len(s) < 200 && strings.Trim(s, "_-0123456789abcdefghijklmnopqrstuvwxyz"+
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// inExtension reports whether the VS Code extension sent the payload of a call, which has no id there.
func inExtension(c *schema.Call) bool { return c.Event.IsTool() && c.Tool.UseID == "" }

// Honors leaves out effects that a cancel loses, since it ends the run. The extension shows the reason to the user
// (docs), the command line doesn't show it.
func (d Dialect) Honors(c *schema.Call, r *schema.Reply) schema.Feature {
	row := d.Row(c.Native)
	switch {
	case row == nil:
		return 0
	case r == nil:
		return row.Honors
	case r.EndTurn, r.Verdict == schema.Deny && !isSoft(c):
		lost := schema.EffectContext | schema.EffectInput
		if !inExtension(c) {
			lost |= schema.EffectReason
		}
		return row.Honors &^ lost
	}
	return row.Honors
}

// Replaces returns that a new input replaces the whole. Only a file that is written has content.
func (d Dialect) Replaces(c *schema.Call) (roles schema.Roles, whole bool) {
	roles, whole = d.Agent.Replaces(c)
	if c.Tool.Name == editTool && c.Tool.Kind() == schema.Write {
		roles |= schema.RoleSet(schema.RoleContent)
	}
	return roles, whole
}

// Asks returns false: Cline can't be made to ask.
func (Dialect) Asks(*schema.Call) (gate string, sure bool) { return "", false }

// DenialEnds describes what else a reply ends, "" if nothing.
func (d Dialect) DenialEnds(c *schema.Call, r *schema.Reply) string {
	row := d.Row(c.Native)
	if row == nil || row.Honors&schema.EffectEndTurn == 0 || isSoft(c) && !r.EndTurn {
		return ""
	}
	if inExtension(c) {
		return "the task, and shows the reason to the user only"
	}
	return "the run, with exit code 0, and shows nobody the reason"
}

// AppendReply writes r as the answer to c.
func (d Dialect) AppendReply(dst []byte, c *schema.Call, r *schema.Reply) []byte {
	w := ordjson.NewWriter(dst)
	row := d.Row(c.Native)
	denied := r.Verdict == schema.Deny && row != nil && row.Event == schema.PreTool
	switch {
	case row == nil, row.Honors == 0:
	case r.EndTurn, denied && !isSoft(c):
		w.Bool("cancel", true)
		w.String("errorMessage", cmp.Or(r.Reason, r.EndReason, "A hook refused this."))
	case denied:
		w.Raw("overrideInput", voidFormOf(c.Tool.Name).input(c.Tool.UseID))
		w.String("contextModification", schema.JoinText(family.OrReason(r.Reason), r.Context))
	default:
		if len(r.Input) > 0 && row.Event == schema.PreTool {
			rewrite := *r
			rewrite.Input = asNewText(r.Input, c.Tool.Name)
			w.Raw("overrideInput", d.NewInput(c, &rewrite))
		}
		if text := schema.JoinText(r.Feedback, r.Context); text != "" {
			w.String("contextModification", text)
		}
	}
	return w.Bytes()
}

// Refuse writes the strictest answer for an event that may be unknown.
func (Dialect) Refuse(dst []byte, _, reason string) []byte {
	w := ordjson.NewWriter(dst)
	w.Bool("cancel", true)
	w.String("errorMessage", reason)
	return w.Bytes()
}
