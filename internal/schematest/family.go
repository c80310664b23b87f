package schematest

import (
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Family makes the schemas of an agent from its tables: of its hook file, of the payloads of its hooks and of their
// answers. types has the fields whose type Payload can't derive; lacks is its Lacks.
func Family(a *family.Agent, types map[schema.Field]Object, lacks map[string][]string) map[string]Object {
	p := a.Data
	events, answers := Object{}, Object{}
	for i := range p.Events {
		row := &p.Events[i]
		events = append(events, row.Native,
			Since(Object{"description", "Source: " + row.Source + "."}.With(Array(Ref("group"))...), row.Since))
		honored := row.Honors.String()
		if honored == "" {
			honored = "nothing"
		}
		answers = append(answers, row.Native, Object{"description", "Acts on " + honored + ". Source: " + row.Source +
			".", "type", "object"})
	}

	var handlers []any
	for _, h := range a.File.Handlers {
		if !h.Unsupported {
			handlers = append(handlers, handler(a.File, h))
		}
	}

	group := Struct(Object{"matcher", Text(), "hooks", Array(Object{"anyOf", handlers})}, "hooks")
	made := " Made from hookbridge's tables."
	return map[string]Object{
		p.Name + "-config": Document(p.Name+"-config", p.Title+" hook file", "Hooks as "+p.Title+" "+p.Known[0]+
			" loads them."+made,
			Struct(Object{"hooks", Object{"type", "object", "properties", events}}).With("$defs",
				Object{"group", group})),
		p.Name + "-payload": Document(p.Name+"-payload", "Payload of a "+p.Title+" hook",
			"What a hook reads on stdin, as "+p.Title+" "+p.Known[0]+" writes it."+made,
			(&Payload{Rows: p.Events, Members: p.Fields, Tools: p.Tools, Required: required(p),
				Types: types, Lacks: lacks}).Schema()),
		p.Name + "-answer": Document(p.Name+"-answer", "Answer of a "+p.Title+" hook",
			"The JSON object that a hook may print; what each event acts on is under $defs."+made,
			Object{"type", "object", "properties", members(a.Answer.Top)}.With("$defs", answers)),
	}
}

// required returns the fields that every payload has, if the agent has them.
func required(p *dialect.Profile) (names []string) {
	for _, f := range []schema.Field{schema.FieldSession, schema.FieldCwd} {
		if row := p.Fields.Of(f); row != nil {
			names = append(names, row.Name)
		}
	}
	return names
}

func handler(rules *family.FileRules, h family.HandlerRow) Object {
	properties := Object{"type", Const(h.Type)}
	for _, e := range rules.Entries {
		kind, _ := e.Kinds()
		if e.Of != 0 && e.Of != h.Handler {
			continue
		}
		switch {
		case e.Timeout != nil && e.Timeout.Whole:
			properties = append(properties, e.Name, Object{"type", "integer", "minimum", 0})
		case kind == ordjson.Invalid:
			properties = append(properties, e.Name, Any())
		default:
			properties = append(properties, e.Name, OfKind(kind))
		}
	}
	return Struct(properties, append([]string{"type"}, h.Needs...)...)
}

func members(parts []family.Part) (properties Object) {
	kinds := map[family.Shape]ordjson.Kind{family.Text: ordjson.StringKind, family.Flag: ordjson.BoolKind,
		family.Struct: ordjson.ObjectKind, family.List: ordjson.Array}
	seen := map[string]bool{}
	for _, p := range parts {
		kind, known := kinds[p.Shape]
		switch {
		case seen[p.Name]:
			continue
		case known:
			properties = append(properties, p.Name, OfKind(kind))
		default:
			properties = append(properties, p.Name, Any())
		}
		seen[p.Name] = true
	}
	return properties
}
