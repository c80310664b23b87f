package qoder

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A shape is what the value of a member must be.
type shape uint8

const (
	anything shape = iota
	aText
	aBool
	aTrue
	aNumber
	anObject
	texts // array of strings
	aDecision
	aPermission
	anAction
	aRequest // the decision of PermissionRequest
)

type part struct {
	Name  string
	Shape shape
}

// top are the members of an answer (package 1.1.52). Others are ignored.
var top = []part{
	{"async", aTrue}, {"asyncTimeout", aNumber}, {"continue", aBool}, {"stopReason", aText}, {"suppressOutput", aBool},
	{"systemMessage", aText}, {"decision", aDecision}, {"reason", aText}, {"rewakeSummary", aText}, {"hookSpecificOutput", anObject},
}

var (
	contextPart = part{"additionalContext", aText}
	clearPart   = part{"clearContext", aBool}
	watchPart   = part{"watchPaths", texts}
	elicits     = []part{{"action", anAction}, {"content", anObject}}
)

// specifics are the members of hookSpecificOutput by the event that it names,
// which need not be the event at hand (package 1.1.52). Others are ignored; an
// event that is not here has none.
var specifics = []struct {
	Event string
	Parts []part
}{
	{"PreToolUse", []part{{"permissionDecision", aPermission}, {"permissionDecisionReason", aText}, {"updatedInput", anObject}, contextPart}},
	{"PostToolUse", []part{contextPart, {"updatedToolOutput", anything}, {"updatedMCPToolOutput", anything}}},
	{"PostToolUseFailure", []part{contextPart}},
	{"UserPromptSubmit", []part{{"prompt", aText}, {"sessionTitle", aText}, contextPart}},
	{"SessionStart", []part{contextPart}},
	{"Setup", []part{contextPart}},
	{"SubagentStart", []part{contextPart}},
	{"SubagentStop", []part{clearPart}},
	{"Stop", []part{clearPart}},
	{"Notification", []part{contextPart}},
	{"PreCompact", []part{contextPart}},
	{"PostCompact", []part{contextPart}},
	{"CwdChanged", []part{watchPart, contextPart}},
	{"FileChanged", []part{watchPart, contextPart}},
	{"WorktreeCreate", []part{{"worktreePath", aText}}},
	{"Elicitation", elicits},
	{"ElicitationResult", elicits},
	{"PermissionRequest", []part{{"decision", aRequest}}},
	{"PermissionDenied", []part{{"retry", aBool}}},
}

// ideParts are members that the IDE alone reads, on any event (docs 2026-07).
var ideParts = []part{{"feedback", aText}, {"permissionDecision", aPermission}, {"permissionDecisionReason", aText}}

// is reports whether a value has the shape.
func (s shape) is(raw []byte) bool {
	k := ordjson.KindOf(raw)
	word, _ := ordjson.String(raw)
	switch s {
	case aText:
		return k == ordjson.StringKind
	case aBool:
		return k == ordjson.BoolKind
	case aTrue:
		return string(raw) == "true"
	case aNumber:
		return k == ordjson.Number
	case anObject:
		return k == ordjson.ObjectKind
	case texts:
		return ordjson.Strings(raw) != nil
	case aDecision:
		return word == "approve" || word == "block" || word == "allow" || word == "deny"
	case aPermission:
		return word == "allow" || word == "deny" || word == "ask" || word == "defer"
	case anAction:
		return word == "accept" || word == "decline" || word == "cancel"
	case aRequest:
		return isRequest(raw)
	}
	return true
}

// isRequest checks the decision of a PermissionRequest.
func isRequest(raw []byte) bool {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return false
	}
	ok := func(name string, k ordjson.Kind) bool {
		raw, has := o.Get(name)
		return !has || ordjson.KindOf(raw) == k
	}
	behavior, _ := o.Get("behavior")
	switch string(behavior) {
	case `"allow"`:
		return ok("updatedInput", ordjson.ObjectKind) && ok("updatedPermissions", ordjson.Array)
	case `"deny"`:
		return ok("message", ordjson.StringKind) && ok("interrupt", ordjson.BoolKind)
	}
	return false
}

// pick sorts the members of o into those that parts know and the rest. bad says
// which of the first has not its shape.
func pick(o ordjson.Object, parts []part) (known, extra ordjson.Object, bad string) {
next:
	for _, m := range o {
		for _, p := range parts {
			if p.Name != m.Name {
				continue
			}
			if !p.Shape.is(m.Value) {
				return nil, nil, m.Name + " has a wrong value: " + strings.ToValidUTF8(string(m.Value[:min(len(m.Value), 80)]), "")
			}
			known = append(known, m)
			continue next
		}
		extra = append(extra, m)
	}
	return known, extra, ""
}

// object reads the JSON form; the result says what breaks its rules.
func (d *decoder) object(o ordjson.Object) (bad string) {
	if raw, _ := o.Get("async"); string(raw) == "true" { // nothing else is heard
		if _, _, bad := pick(o, top[1:2]); bad != "" {
			return bad
		}
		d.add(schema.CodeReleased, "the hook continues in the background; its later output is ignored")
		return ""
	}
	known, extra, bad := pick(o, top)
	if bad != "" {
		return bad
	}
	r := &d.reply
	r.Extra = extra
	text := func(name string) string {
		raw, _ := known.Get(name)
		s, _ := ordjson.String(raw)
		return s
	}
	d.reason = text("reason")
	if raw, _ := known.Get("continue"); string(raw) == "false" {
		r.EndTurn, r.EndReason = true, text("stopReason")
	}
	quiet, _ := known.Get("suppressOutput")
	switch {
	case string(quiet) != "true":
		r.Notice = text("systemMessage")
	case text("systemMessage") != "":
		d.ignored |= schema.EffectNotice // hidden by its own hook
		fallthrough
	default:
		r.Others = append(r.Others, schema.Effect{Feature: schema.EffectQuiet, Raw: quiet})
	}
	decision := text("decision")
	if raw, ok := known.Get("hookSpecificOutput"); ok {
		if bad := d.specific(raw, &decision); bad != "" {
			return bad
		}
	}
	d.decide(decision)
	return ""
}

// decide applies the decision. On PermissionRequest the top-level one is not
// looked at; outside of PreToolUse an approval means nothing.
func (d *decoder) decide(word string) {
	request := d.row.Event == schema.PermissionRequest && d.on != ide
	switch word {
	case "block", "deny":
		if d.blocked = !request; request {
			d.ignored |= schema.EffectDeny
		}
		return
	case "approve", "allow":
		if d.row.Honours&schema.EffectAllow == 0 || request {
			d.ignored |= schema.EffectAllow
			return
		}
		d.reply.Verdict, d.reply.Reason = schema.Allow, d.reason
	case "ask":
		d.reply.Verdict, d.reply.Reason = schema.Ask, d.reason
	case "defer":
		d.ignored |= schema.EffectDefer
	}
}

// specific reads hookSpecificOutput by the rules of the event that it names, and
// takes from it what the event at hand looks for.
func (d *decoder) specific(raw []byte, decision *string) (bad string) {
	o, err := ordjson.Members(raw, 0)
	if err != nil {
		return "hookSpecificOutput isn't an object"
	}
	m, ok := o.Take("hookEventName")
	name, _ := ordjson.String(m.Value)
	if !ok || profile.Row(name) == nil {
		return "hookSpecificOutput names an unknown event: " + strconv.Quote(name)
	}
	var parts []part
	for _, s := range specifics {
		if s.Event == name {
			parts = s.Parts
		}
	}
	if d.on == ide {
		parts = append(parts[:len(parts):len(parts)], ideParts...)
	}
	known, extra, bad := pick(o, parts)
	if bad != "" {
		return bad
	}
	d.reply.Extra = append(d.reply.Extra, extra...)
	if d.row.Event == schema.PreTool || d.on == ide && d.row.Event == schema.PermissionRequest {
		d.permission(known, decision)
	}
	for _, p := range parts { // in the table's order, whatever the answer's
		if raw, ok := known.Get(p.Name); ok {
			d.effect(p.Name, raw, known)
		}
	}
	return ""
}
