package schematest

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// A Payload describes the payloads of a dialect.
type Payload struct {
	Rows     []schema.EventRow
	Members  *schema.MemberTable
	Tools    []schema.ToolRow
	Required []string                  // fields of every payload, in addition to the event's name
	Lacks    map[string][]string       // those of Required that an event's payloads lack
	Types    map[schema.Field]Object   // where a type differs from the usual one
	Only     func(native string) []any // the surfaces that have an event; nil: all
}

// Schema makes the body of a payload's schema: the fields that every event may have, and one definition for each event
// and tool.
func (p *Payload) Schema() Object {
	var eventNames, branches []any
	defs := Object{}
	for i := range p.Rows {
		row := &p.Rows[i]
		mark := func(o Object) Object {
			if o = Since(o, row.Since); p.Only != nil && p.Only(row.Native) != nil {
				o = o.With("x-surfaces", p.Only(row.Native))
			}
			return o
		}
		eventNames = append(eventNames, mark(Const(row.Native)))
		branches = append(branches, mark(When(p.name(schema.FieldEvent), row.Native, row.Native, "")))
		defs = append(defs, row.Native, mark(p.event(row)))
	}

	for i := range p.Tools {
		if t := &p.Tools[i]; len(t.Input) > 0 {
			defs = append(defs, "input of "+t.Name, p.input(t))
		}
	}

	event := p.name(schema.FieldEvent)
	properties := Object{event, Object{"anyOf", eventNames}}
	rows := p.Members.All()
	for i, m := range rows {
		if m.Field != schema.FieldEvent && !p.special(m.Field) && !repeated(rows[:i], m.Name) {
			properties = append(properties, m.Name, p.typeOf(m.Field))
		}
	}
	required := slices.DeleteFunc(slices.Clone(p.Required), p.lackedSomewhere)
	return Struct(properties, append([]string{event}, required...)...).With("allOf", branches, "$defs", defs)
}

// lackedSomewhere reports whether some event's payloads lack a field that all others have.
func (p *Payload) lackedSomewhere(member string) bool {
	for _, lacks := range p.Lacks {
		if slices.Contains(lacks, member) {
			return true
		}
	}
	return false
}

// repeated reports whether an earlier row has a name: its meaning depends on the event, so it has no type of its own.
func repeated(rows []schema.MemberRow, name string) bool {
	return slices.ContainsFunc(rows, func(m schema.MemberRow) bool { return m.Name == name })
}

// special reports whether a field belongs to certain events only.
func (p *Payload) special(f schema.Field) bool {
	switch f {
	case schema.FieldToolName, schema.FieldToolInput, schema.FieldToolOutput:
		return true
	}
	return slices.ContainsFunc(p.Rows, func(row schema.EventRow) bool { return slices.Contains(row.Fields, f) })
}

func (p *Payload) name(f schema.Field) string {
	if row := p.Members.Of(f); row != nil {
		return row.Name
	}
	return ""
}

func (p *Payload) event(row *schema.EventRow) Object {
	properties := Object{p.name(schema.FieldEvent), Const(row.Native)}
	var required []string
	for _, member := range p.Required {
		if p.lackedSomewhere(member) && !slices.Contains(p.Lacks[row.Native], member) {
			required = append(required, member)
		}
	}

	var tools []any
	if row.Event.IsTool() && row.Gate == nil && !row.Inline() {
		properties = append(properties, p.name(schema.FieldToolName), Text())
		required = append(required, p.name(schema.FieldToolName), p.name(schema.FieldToolInput))
		properties = append(properties, p.name(schema.FieldToolInput), p.typeOf(schema.FieldToolInput))
		if row.Event == schema.PostTool {
			properties = append(properties, p.name(schema.FieldToolOutput), p.typeOf(schema.FieldToolOutput))
		}
		tools = p.inputs()
	}
	for _, f := range row.Fields {
		for _, m := range p.Members.All() {
			if m.Field == f && m.Covers(row.Event) && !slices.Contains(properties, any(m.Name)) {
				properties = append(properties, m.Name, p.typeOf(f))
			}
		}
	}

	o := Object{"description", "Matchers see " + sees(row) + ". Source: " + row.Source + "."}
	o = append(o, Struct(properties, required...)...)
	if len(tools) > 0 {
		o = o.With("allOf", tools)
	}

	return o
}

func sees(row *schema.EventRow) string {
	switch row.Match {
	case schema.MatchTool:
		return "the tool's name"
	case schema.MatchField:
		return "a member of the payload"
	case schema.MatchConst:
		return "the word " + row.MatchConst
	}
	return "nothing"
}

// inputs returns the branches by the tool's name.
func (p *Payload) inputs() (out []any) {
	name, input := p.name(schema.FieldToolName), p.name(schema.FieldToolInput)
	for i := range p.Tools {
		if t := &p.Tools[i]; len(t.Input) > 0 {
			is := Object{"properties", Object{name, Const(t.Name)}, "required", Words(name)}
			out = append(out, Object{"if", is, "then", Object{"properties", Object{input, Ref("input of " + t.Name)}}})
		}
	}
	return out
}

func (p *Payload) input(t *schema.ToolRow) Object {
	properties := Object{}
	for _, a := range t.Input {
		switch {
		case a.Lines != schema.FirstAndLast:
			properties = append(properties, a.Name, typeOfRole(a.Role))
		case a.Role == schema.RoleOffset:
			properties = append(properties, a.Name, Array(Number()))
		}
	}
	return Struct(properties)
}

// typeOfRole returns the schema of a field of a tool's input, under any name.
func typeOfRole(r schema.Role) Object {
	switch r {
	case schema.RoleTimeout, schema.RoleOffset, schema.RoleLimit:
		return Number()
	case schema.RoleBackground, schema.RoleReplaceAll:
		return Bool()
	case schema.RoleEdits, schema.RoleIgnore:
		return Array(nil)
	case schema.Rest, schema.RoleModel:
		return Any()
	}
	return Text()
}

func (p *Payload) typeOf(f schema.Field) Object {
	if o, ok := p.Types[f]; ok {
		return o
	}

	switch f {
	case schema.FieldInterrupted, schema.FieldStopActive, schema.FieldBackground, schema.FieldParallel,
		schema.FieldFirstCompaction, schema.FieldFinal, schema.FieldSandbox, schema.FieldCacheExpired:
		return Bool()
	case schema.FieldDuration, schema.FieldLoopCount, schema.FieldInputTokens, schema.FieldOutputTokens,
		schema.FieldCacheReadTokens,
		schema.FieldCacheWriteTokens, schema.FieldMessageCount, schema.FieldToolCallCount, schema.FieldContextPercent,
		schema.FieldContextTokens,
		schema.FieldContextWindow, schema.FieldToCompact, schema.FieldIndex, schema.FieldIdleSeconds,
		schema.FieldCacheCost, schema.FieldAttempt:
		return Number()
	case schema.FieldEdits, schema.FieldAttachments, schema.FieldToolCalls, schema.FieldModifiedFiles,
		schema.FieldSuggestions, schema.FieldBackgroundTasks, schema.FieldCrons, schema.FieldModelParams:
		return Array(nil)
	case schema.FieldRoots, schema.FieldGlobs:
		return Array(Text())
	case schema.FieldToolInput, schema.FieldElicitSchema, schema.FieldEffort, schema.FieldServer:
		return Object{"type", "object"}
	case schema.FieldToolOutput, schema.FieldContent, schema.FieldResult, schema.FieldOutput, schema.FieldError:
		return Any()
	case schema.FieldTranscript, schema.FieldAgentTranscript, schema.FieldInstructions:
		return Object{"type", Words("string", "null")}
	}

	return Text()
}
