package qoder

import (
	"cmp"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// permission lets permissionDecision take the place of the top-level decision;
// the reason beside it counts where there is no other (package 1.1.52).
func (d *decoder) permission(known ordjson.Object, decision *string) {
	raw, _ := known.Get("permissionDecision")
	word, _ := ordjson.String(raw)
	if word == "defer" && *decision != "" {
		return
	}
	if word != "" {
		*decision = word
	}
	raw, _ = known.Get("permissionDecisionReason")
	text, _ := ordjson.String(raw)
	d.reason = cmp.Or(d.reason, text)
}

// effects are the members of hookSpecificOutput that need no more than their
// name.
var effects = []struct {
	Name    string
	Feature schema.Feature
}{
	{"retry", schema.EffectRetry},
	{"watchPaths", schema.EffectWatchPaths},
	{"sessionTitle", schema.EffectSessionTitle},
	{"worktreePath", schema.EffectWorktree},
}

// effect takes one member over, if the event at hand looks for it.
func (d *decoder) effect(name string, raw []byte, known ordjson.Object) {
	r := &d.reply
	text, _ := ordjson.String(raw)
	switch name {
	case "permissionDecision", "permissionDecisionReason", "content":
	case "additionalContext":
		if text != "" && d.heeds(schema.EffectContext) {
			r.Context = text
		}
	case "feedback": // the IDE's
		if d.row.Event == schema.PostTool {
			r.Feedback = text
		}
	case "updatedInput":
		if d.row.Event == schema.PreTool && d.heeds(schema.EffectInput) {
			d.newInput(raw)
		}
	case "updatedToolOutput":
		if d.heeds(schema.EffectOutput) {
			r.Output = raw
		}
	case "updatedMCPToolOutput":
		if _, both := known.Get("updatedToolOutput"); !both && d.view.Kind == schema.MCP && d.heeds(schema.EffectOutput) {
			r.Output = raw
		}
	case "action":
		if d.heeds(schema.EffectElicit) {
			d.elicit(raw, text, known)
		}
	case "decision":
		if d.row.Event == schema.PermissionRequest && d.on != ide {
			d.request(raw)
		}
	case "clearContext":
		if string(raw) == "true" {
			d.add(schema.CodeEffectLost, "clearContext isn't translated")
		}
	case "prompt": // later hooks of a sequential group are shown it (observed 1.1.52)
		r.Prompt = text
		d.add(schema.CodeIgnoredEffect, "a rewritten prompt has no effect on the prompt itself")
	default:
		d.other(name, raw)
	}
}

func (d *decoder) other(name string, raw []byte) {
	for _, e := range effects {
		if e.Name == name && string(raw) != "false" && d.heeds(e.Feature) {
			d.reply.Others = append(d.reply.Others, schema.Effect{Feature: e.Feature, Raw: raw})
		}
	}
}

// heeds reports whether the event knows f, and keeps in mind if not.
func (d *decoder) heeds(f schema.Feature) bool {
	if d.row.Honours&f == 0 {
		d.ignored |= f
		return false
	}
	return true
}

func (d *decoder) newInput(raw []byte) {
	o, _ := ordjson.Members(raw, 0)
	d.reply.Input, d.reply.InputView = d.agent.ReadNewInput(o, d.view), d.view
}

// request reads PermissionRequest's decision object; its shape is right.
func (d *decoder) request(raw []byte) {
	r := &d.reply
	o, _ := ordjson.Members(raw, 0)
	raw, _ = o.Get("behavior")
	if word, _ := ordjson.String(raw); word == "deny" {
		raw, _ = o.Get("message")
		r.Verdict = schema.Deny
		r.Reason, _ = ordjson.String(raw)
		if raw, _ := o.Get("interrupt"); string(raw) == "true" {
			r.Others = append(r.Others, schema.Effect{Feature: schema.EffectInterrupt, Raw: raw})
		}
		return
	}
	r.Verdict = schema.Allow
	if raw, ok := o.Get("updatedInput"); ok {
		d.newInput(raw)
	}
	if raw, ok := o.Get("updatedPermissions"); ok {
		r.Others = append(r.Others, schema.Effect{Feature: schema.EffectPermissions, Raw: raw})
	}
}

// elicit reads the answer to a server's question: to decline it is to refuse,
// the other answers stay together with their content.
func (d *decoder) elicit(raw []byte, action string, known ordjson.Object) {
	if action == "decline" {
		d.blocked = true
		return
	}
	w := ordjson.NewWriter(nil)
	w.Raw("action", raw)
	if content, ok := known.Get("content"); ok && action == "accept" {
		w.Raw("content", content)
	}
	d.reply.Others = append(d.reply.Others, schema.Effect{Feature: schema.EffectElicit, Raw: w.Bytes()})
}
