package auggie

import (
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/schema"
)

// Split lists the files of a patch and of a deletion as calls of their own. The name of a server's tool is taken apart
// at each place where the server's may begin.
func (Dialect) Split(c *schema.Call) (alternatives [][]*schema.Call) {
	t := &c.Tool
	switch {
	case t.Name == patchTool:
		return family.SplitPatch(c, patch.Grammar{}, t.Input.Text(schema.RoleCommand))
	case t.Kind() == schema.MCP && t.Server == "":
		for i := 1; i < len(t.Name)-1; i++ {
			if t.Name[i] == '_' {
				p := c.Clone()
				p.Tool.Name, p.Tool.Server = t.Name[:i], t.Name[i+1:]
				alternatives = append(alternatives, []*schema.Call{p})
			}
		}
		return alternatives
	case t.Name != removeTool:
		return nil
	}

	given := []byte(argument(t, removedFiles))
	list, err := ordjson.Elements(given, 0)
	switch {
	case ordjson.KindOf(given) == ordjson.StringKind:
		list = []ordjson.Member{{Value: given}}
	case err != nil || len(list) == 0:
		return nil
	}
	var parts []*schema.Call
	for _, m := range list {
		p := c.Clone()
		p.Tool.Input = schema.Args{{Role: schema.RolePath, Name: removedFiles, Raw: m.Value}}
		parts = append(parts, p)
	}
	return [][]*schema.Call{parts}
}

// Join returns the input of a call in which one of its parts has another one.
func (Dialect) Join(c, part *schema.Call, in schema.Args) (schema.Args, bool) {
	t := &c.Tool
	switch t.Name {
	case patchTool:
		text, ok := family.JoinPatch(c, patch.Grammar{}, t.Input.Text(schema.RoleCommand), part, in)
		return schema.Args{{Role: schema.RoleCommand, Name: "input", Raw: text}}, ok
	case removeTool:
		return nil, false
	}
	return in, true
}
