package claude

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// answerWords are the members that make an object an answer.
var answerWords = []string{"continue", "stopReason", "suppressOutput", "decision", "reason", "systemMessage", "terminalSequence", "hookSpecificOutput"}

// objectResults are the tools whose result is an object; nothing else takes its
// place (observed 2.1.328 for Bash, Read, Edit and Write).
var objectResults = []schema.Kind{schema.Shell, schema.Read, schema.Write, schema.Edit}

// object reads the JSON form; the result says what breaks its rules. A member
// of the wrong type makes the whole object void (observed 2.1.328).
func (d *decoder) object(o ordjson.Object) (bad string) {
	r := &d.reply
	for _, m := range o {
		kind := ordjson.Invalid
		switch m.Name {
		case "continue":
			kind = ordjson.BoolKind
			r.EndTurn = string(m.Value) == "false"
		case "stopReason":
			kind = ordjson.StringKind
			r.EndReason, _ = ordjson.String(m.Value)
		case "systemMessage":
			kind = ordjson.StringKind
			r.Notice, _ = ordjson.String(m.Value)
		case "suppressOutput":
			kind = ordjson.BoolKind
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectQuiet, Raw: m.Value})
		case "terminalSequence":
			kind = ordjson.StringKind
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectTerminal, Raw: m.Value})
		case "reason":
			kind = ordjson.StringKind
		case "decision", "hookSpecificOutput", "async", "asyncTimeout":
		default:
			r.Extra = append(r.Extra, m)
		}
		if kind != ordjson.Invalid && ordjson.KindOf(m.Value) != kind {
			return m.Name + " is " + schema.An(ordjson.KindOf(m.Value).String()) + ", not " + schema.An(kind.String())
		}
	}
	if !r.EndTurn {
		r.EndReason = ""
	}
	if bad := d.legacy(o); bad != "" {
		return bad
	}
	if raw, ok := o.Get("hookSpecificOutput"); ok {
		return d.specific(raw)
	}
	return ""
}

// legacy reads the top-level decision.
func (d *decoder) legacy(o ordjson.Object) (bad string) {
	raw, ok := o.Get("decision")
	if !ok {
		return ""
	}
	s, _ := ordjson.String(raw)
	reason, _ := o.Get("reason")
	text, _ := ordjson.String(reason)
	switch {
	case s != "approve" && s != "block":
		return "decision is " + string(raw) + ", not approve or block"
	case s == "approve" && d.row.Event == schema.PreTool:
		d.reply.Verdict, d.reply.Reason = schema.Allow, text
	case s == "approve":
		d.ignored |= schema.EffectAllow
	case d.row.Blocks == 0: // PermissionRequest among them
		d.ignored |= schema.EffectDeny
	default:
		d.blocked, d.reason = true, text
	}
	return ""
}

// silent are the events that have no hookSpecificOutput: with one, the whole
// object is void (observed 2.1.328).
var silent = []schema.Event{schema.SessionEnd, schema.StopFailure, schema.PreCompact, schema.PostCompact, schema.InstructionsLoaded,
	schema.ConfigChange, schema.DirectoryAdded, schema.TaskCreated, schema.TaskCompleted, schema.TeammateIdle, schema.WorktreeRemove}

// specific reads hookSpecificOutput.
func (d *decoder) specific(raw []byte) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "hookSpecificOutput isn't an object"
	}
	name, _ := o.Get("hookEventName")
	if s, _ := ordjson.String(name); s != d.row.Native {
		return "hookSpecificOutput names the event " + strconv.Quote(s) + ", not " + d.row.Native
	}
	if slices.Contains(silent, d.row.Event) {
		return d.row.Native + " has no hookSpecificOutput"
	}
	if _, ok := o.Get("decision"); !ok && d.row.Event == schema.PermissionRequest {
		return "hookSpecificOutput has no decision"
	}
	for _, m := range o {
		if bad := d.specificMember(m, o); bad != "" {
			return bad
		}
	}
	return ""
}

// specificMember reads one member. What the event does not know is ignored,
// whatever its type.
func (d *decoder) specificMember(m ordjson.Member, o ordjson.Object) (bad string) {
	r := &d.reply
	switch m.Name {
	case "hookEventName":
	case "permissionDecision":
		if d.heeds(schema.EffectAllow) && d.row.Event != schema.PermissionRequest {
			return d.permission(m.Value, o)
		}
	case "permissionDecisionReason":
		if d.row.Honours&schema.EffectAllow != 0 && ordjson.KindOf(m.Value) != ordjson.StringKind {
			return m.Name + " isn't a string"
		}
	case "updatedInput":
		if d.row.Event == schema.PreTool {
			return d.newInput(m.Value)
		}
		d.ignored |= schema.EffectInput
	case "additionalContext":
		return d.context(m.Value)
	case "updatedToolOutput":
		switch {
		case !d.heeds(schema.EffectOutput):
		case slices.Contains(objectResults, d.view.Kind) && ordjson.KindOf(m.Value) != ordjson.ObjectKind:
			d.ds.Add(schema.CodeIgnoredEffect, d.hook.Path, "a result of "+d.view.Tool+" can only be replaced by an object")
		default:
			r.Output = m.Value
		}
	case "updatedMCPToolOutput":
		if _, both := o.Get("updatedToolOutput"); !both && d.view.Kind == schema.MCP && d.heeds(schema.EffectOutput) {
			r.Output = m.Value
		}
	case "decision":
		if d.row.Event == schema.PermissionRequest {
			return d.requestDecision(m.Value)
		}
		r.Extra = append(r.Extra, m)
	case "action", "content":
		if m.Name == "action" && d.heeds(schema.EffectElicit) {
			return d.elicit(m.Value, o)
		}
	default:
		return d.effect(m)
	}
	return ""
}

// heeds reports whether the event knows f, and keeps in mind if not.
func (d *decoder) heeds(f schema.Feature) bool {
	if d.row.Honours&f == 0 {
		d.ignored |= f
		return false
	}
	return true
}

// context is additionalContext: on Stop and SubagentStop it sends the agent on.
func (d *decoder) context(raw []byte) (bad string) {
	stops := d.row.Event == schema.Stop || d.row.Event == schema.SubagentStop
	if !stops && !d.heeds(schema.EffectContext) {
		return ""
	}
	text, ok := ordjson.String(raw)
	switch {
	case !ok:
		return "additionalContext isn't a string"
	case stops:
		d.more = text
	default:
		d.reply.Context = text
	}
	return ""
}

// effects names the members of hookSpecificOutput that need no more than their
// name and type (types 0.3.328).
var effects = []struct {
	Name    string
	Feature schema.Feature
	Kind    ordjson.Kind
}{
	{"retry", schema.EffectRetry, ordjson.BoolKind},
	{"watchPaths", schema.EffectWatchPaths, ordjson.Array},
	{"sessionTitle", schema.EffectSessionTitle, ordjson.StringKind},
	{"initialUserMessage", schema.EffectInitialPrompt, ordjson.StringKind},
	{"displayContent", schema.EffectDisplay, ordjson.StringKind},
	{"classifierContext", schema.EffectClassifier, ordjson.StringKind},
	{"worktreePath", schema.EffectWorktree, ordjson.StringKind},
	{"reloadSkills", schema.EffectReloadSkills, ordjson.BoolKind},
	{"suppressOriginalPrompt", schema.EffectHidePrompt, ordjson.BoolKind},
}

func (d *decoder) effect(m ordjson.Member) (bad string) {
	for _, e := range effects {
		if e.Name != m.Name {
			continue
		}
		if !d.heeds(e.Feature) {
			return ""
		}
		if ordjson.KindOf(m.Value) != e.Kind {
			return m.Name + " isn't of type " + e.Kind.String()
		}
		d.reply.Others = append(d.reply.Others, schema.Effect{Feature: e.Feature, Raw: m.Value})
		return ""
	}
	d.reply.Extra = append(d.reply.Extra, m)
	return ""
}

var verdicts = []struct {
	Native  string
	Verdict schema.Verdict
}{
	{"allow", schema.Allow}, {"deny", schema.Deny}, {"ask", schema.Ask}, {"defer", schema.Defer},
}

// permission reads permissionDecision; of it and a top-level decision the
// stricter counts (observed 2.1.328).
func (d *decoder) permission(raw []byte, o ordjson.Object) (bad string) {
	word, _ := ordjson.String(raw)
	for _, w := range verdicts {
		if w.Native != word || w.Verdict == schema.Defer && d.row.Honours&schema.EffectDefer == 0 {
			continue
		}
		if d.blocked && w.Verdict != schema.Deny || w.Verdict < d.reply.Verdict {
			return ""
		}
		reason, _ := o.Get("permissionDecisionReason")
		text, _ := ordjson.String(reason)
		d.reply.Verdict, d.reply.Reason = w.Verdict, cmp.Or(text, d.reply.Reason)
		return ""
	}
	return "permissionDecision is " + string(raw)
}

func (d *decoder) newInput(raw []byte) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "updatedInput isn't an object"
	}
	d.reply.Input, d.reply.InputView = d.agent.ReadNewInput(o, d.view), d.view
	return ""
}

// requestDecision reads PermissionRequest's decision object.
func (d *decoder) requestDecision(raw []byte) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "decision isn't an object"
	}
	r := &d.reply
	behavior, _ := o.Get("behavior")
	switch s, _ := ordjson.String(behavior); s {
	case "allow":
		r.Verdict = schema.Allow
		if raw, ok := o.Get("updatedInput"); ok {
			if bad := d.newInput(raw); bad != "" {
				return bad
			}
		}
		return d.part(o, "updatedPermissions", ordjson.Array, schema.EffectPermissions)
	case "deny":
		r.Verdict = schema.Deny
		if raw, ok := o.Get("message"); ok {
			if r.Reason, ok = ordjson.String(raw); !ok {
				return "decision.message isn't a string"
			}
		}
		return d.part(o, "interrupt", ordjson.BoolKind, schema.EffectInterrupt)
	}
	return "decision.behavior is neither allow nor deny"
}

// part takes one member of the decision object as an effect.
func (d *decoder) part(o ordjson.Object, name string, kind ordjson.Kind, f schema.Feature) (bad string) {
	raw, ok := o.Get(name)
	if !ok {
		return ""
	}
	if ordjson.KindOf(raw) != kind {
		return "decision." + name + " isn't of type " + kind.String()
	}
	d.reply.Others = append(d.reply.Others, schema.Effect{Feature: f, Raw: raw})
	return ""
}

// elicit reads the answer to a server's question: to decline it is to refuse,
// the other answers stay together with their content.
func (d *decoder) elicit(action []byte, o ordjson.Object) (bad string) {
	switch s, _ := ordjson.String(action); s {
	case "decline":
		d.reply.Verdict = schema.Deny
	case "accept", "cancel":
		w := ordjson.NewWriter(nil)
		w.Raw("action", action)
		if raw, ok := o.Get("content"); ok {
			w.Raw("content", raw)
		}
		d.reply.Others = append(d.reply.Others, schema.Effect{Feature: schema.EffectElicit, Raw: w.Bytes()})
	default:
		return "action is " + string(action)
	}
	return ""
}
