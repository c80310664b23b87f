package inspect

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// Hinted returns a finding of an agent's parser with the probable meaning of an unknown word.
func Hinted(d dialect.Dialect, found schema.Diagnostic) schema.Diagnostic {
	vocabularyOf(d).hint(nil, &found)
	return found
}

// hint adds the probable meaning of an unknown word, and the edit that corrects a JSON text; nil: no text.
func (v vocabulary) hint(text []byte, d *schema.Diagnostic) {
	if d.Fix != "" {
		return
	}
	parent, name := "", ""
	if i := strings.LastIndexByte(d.Path, '/'); i >= 0 {
		parent, name = d.Path[:i], strings.NewReplacer("~1", "/", "~0", "~").Replace(d.Path[i+1:])
	}
	switch {
	case strings.HasSuffix(parent, "/hooks") && v.p.Row(name) == nil &&
		(d.Code == schema.CodeSkippedEvent || d.Code.RejectsFile()):
		d.Fix, d.Edit.Name = v.eventHint(name)
	case d.Code == schema.CodeUnknownMember && name != "":
		d.Fix, d.Edit.Name = v.memberHint(name)
	case name == "type":
		if near := handlerNear(text, d.Path); near != "" {
			d.Fix, d.Edit.Value = "did you mean "+near+"?", string(ordjson.AppendString(nil, near))
		}
	case d.Code == schema.CodeDeadMatcher && text != nil:
		if r, ok := readRule(textAt(text, d.Path)); ok && v.ownTool(r.tool) != "" {
			d.Fix, d.Edit = v.ruleHint(text, d.Event, parent, r)
			d.Fix = "this is a permission rule, not a matcher: " + d.Fix
		}
	}

	if d.Edit.Path == "" && d.Edit != (schema.Change{}) {
		d.Edit.Path = d.Path
	}
	if text == nil {
		d.Edit = schema.Change{}
	}
}

// ruleHint describes how to bind a hook of an event, in a group, to the subject of a permission rule. The suggestion
// has been tried.
func (v vocabulary) ruleHint(text []byte, native, group string, r rule) (string, schema.Change) {
	tool, member := v.ownTool(r.tool), v.p.MemberName(schema.HookCondition)
	var conditions []string
	if row := v.p.Row(native); row != nil && member != "" && tool != "" {
		r.tool = tool
		conditions = bound(v.d, &schema.Hook{Event: row.Event, Native: native}, tool, r)
	}
	switch {
	case tool == "":
		return "match the tool, and check its input in the hook", schema.Change{}
	case conditions == nil:
		return "match " + tool + ", and check the argument in the hook", schema.Change{}
	}

	edit := bindingEdit(text, group, member, tool, conditions)
	if len(conditions) > 1 {
		return `write "matcher": "` + tool + `" and a handler for each of these in "` + member + `": ` +
			strings.Join(conditions, ", "), edit
	}
	return `write "matcher": "` + tool + `" and "` + member + `": "` + conditions[0] + `" in the handler`, edit
}

func textAt(text []byte, pointer string) string {
	if m := pointed(text, pointer); m != nil {
		s, _ := ordjson.String(m.Value)
		return s
	}
	return ""
}

// handlerNear returns the kind of handler that a word probably means, "" if none.
func handlerNear(text []byte, pointer string) string {
	var kinds []string
	for h := schema.HandlerCommand; h <= schema.HandlerMCPTool; h++ {
		kinds = append(kinds, strings.ReplaceAll(h.String(), "-", "_"))
	}
	if near := suggest.Nearest(textAt(text, pointer), kinds); near != textAt(text, pointer) {
		return near
	}
	return ""
}

// eventHint finds the event that a name probably means: another agent's, or one with a similar name. own is the agent's
// own event, "" if the fix needs more than its name.
func (v vocabulary) eventHint(name string) (fix, own string) {
	if newest, err := adapter.Find(v.p.Name); err == nil && newest.Profile().Row(name) != nil {
		return "another version or program of the agent has it", ""
	}
	for _, d := range adapter.Dialects() {
		row := d.Profile().Row(name)
		if row == nil || d.Profile().Name == v.p.Name {
			continue
		}
		own := v.eventFor(row)
		if own == "" {
			return "this is an event of " + d.Profile().Title + ": remove it, or move it to a file of " +
				d.Profile().Title + "'s", ""
		}
		fix = "this is " + d.Profile().Title + "'s event; " + v.p.Title + "'s is " + own
		if v.p.Row(own) == nil {
			own = ""
		}
		return fix, own
	}

	if own := v.p.Generic(schema.ParseEvent(name)); own != "" {
		return "write " + own, own
	}
	names := lists.Map(v.p.Events, func(row schema.EventRow) string { return row.Native })
	if near := suggest.Nearest(name, names); near != "" {
		return "did you mean " + near + "?", near
	}
	return "", ""
}

// eventFor returns the agent's own event for an event of another agent, "" if there is none.
func (v vocabulary) eventFor(foreign *schema.EventRow) string {
	for _, row := range v.p.Events {
		if row.Gate != nil && foreign.Gate != nil && row.Event == foreign.Event && schema.KindsMeet(foreign, &row) {
			return row.Native
		}
	}
	own := v.p.Generic(foreign.Event)
	if own == "" || len(foreign.Kinds()) == 0 {
		return own
	}
	if t := lists.Find(v.p.Tools, func(t *schema.ToolRow) bool {
		return len(t.Kinds) > 0 && t.Kinds[0] == foreign.Kinds()[0]
	}); t != nil {
		return own + ` with "matcher": "` + t.Name + `"`
	}
	return own
}

// memberHint finds the field that a name probably means. mine is that field, "" if the agent has no equivalent.
func (v vocabulary) memberHint(name string) (hint, mine string) {
	_, known := v.p.IgnoredMember(name)
	// names with these prefixes are usually comments
	if known || name == "type" || strings.HasPrefix(name, "_") || strings.HasPrefix(name, "/") {
		return "", ""
	}

	var own []string
	allHookFeatures.Each(func(f schema.Feature) {
		as := v.p.MemberName(f)
		if as != "" {
			own = append(own, as)
		}
		for _, d := range adapter.Dialects() {
			if hint != "" || d.Profile().Name == v.p.Name || d.Profile().MemberName(f) != name ||
				as == name {
				continue
			}
			if hint = "this is a field of " + d.Profile().Title + "'s hooks; " + v.p.TitleChecked() +
				" has none like it"; as != "" {
				hint = "this is " + d.Profile().Title + "'s name for it; " + v.p.Title + "'s is " + as
			}
			mine = as
		}
	})
	if hint != "" || slices.Contains(own, name) {
		return hint, mine
	}
	if near := suggest.Nearest(name, append(own, "command", "matcher", "type", "hooks")); near != "" && near != name {
		return "did you mean " + near + "?", near
	}

	return "", ""
}

// allHookFeatures are the features that a hook's fields set.
const allHookFeatures = schema.HookMatcher | schema.HookCondition | schema.HookTimeout | schema.HookFailPolicy |
	schema.HookLoopLimit |
	schema.HookAsync | schema.HookRewake | schema.HookOnce | schema.HookStatus | schema.HookShell | schema.HookArgs |
	schema.HookEnv |
	schema.HookHTTP | schema.HookPrompt | schema.HookAgent | schema.HookMCPTool | schema.HookModel |
	schema.HookSequential
