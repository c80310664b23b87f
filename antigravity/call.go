package antigravity

import (
	"cmp"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// DecodeCall reads a payload, whose fields show its event; they may be the same before and after a tool.
func (d Dialect) DecodeCall(src []byte, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	return d.DecodeNamed(src, "", env)
}

// DecodeNamed reads a payload of the event native. The content of toolCall counts as fields of the payload.
func (d Dialect) DecodeNamed(src []byte, native string, env schema.Environ) (*schema.Call, schema.Diagnostics) {
	o, err := ordjson.Parse(src)
	if err != nil {
		return d.Agent.DecodeCall(src, env)
	}

	flat := ordjson.Object{{Name: eventField, Value: ordjson.AppendString(nil, cmp.Or(native, shown(o)))}}
	for _, m := range o {
		inner, err := ordjson.Members(m.Value, 0)
		switch {
		case m.Name == eventField:
		case m.Name != toolField || err != nil || len(inner) == 0:
			flat = append(flat, m)
		default:
			for _, m := range inner {
				flat = append(flat, ordjson.Member{Name: toolField + "." + m.Name, Value: m.Value})
			}
		}
	}
	c, ds := d.Agent.DecodeCall(flat.Append(nil), env)
	for i := range ds {
		ds[i].Path = strings.Replace(ds[i].Path, toolField+".", toolField+"/", 1)
	}
	if c == nil {
		return nil, ds
	}

	c.Raw = src
	c.Drop(schema.FieldEvent)
	if roots := ordjson.Strings(c.Get(schema.FieldRoots)); len(roots) > 0 {
		c.Roots, c.Cwd, c.Project = roots, roots[0], roots[0]
	}
	if turn, _ := ordjson.Int(o.Value(turnField)); c.Native == preTurn && turn > 0 {
		c.Event = schema.PreModel
	}
	return c, ds
}

// shown returns the event that the fields of a payload show, "" if they don't. A call without an error counts as one
// before a tool.
func shown(o ordjson.Object) string {
	if o.Has(toolField) && !o.Has("error") {
		return preTool
	}
	for _, s := range [][2]string{{toolField, postTool}, {"terminationReason", stopped}, {"initialNumSteps", preTurn},
		{turnField, postTurn}, {"stepIdx", postTool}} {
		if o.Has(s[0]) {
			return s[1]
		}
	}
	return ""
}

// AppendCall writes c, with the fields of toolCall in one object.
func (d Dialect) AppendCall(dst []byte, c *schema.Call, v schema.View) []byte {
	if c.Dialect == name && c.Raw == nil { // it isn't from a payload, so it lacks the fields that show its event
		c = c.Clone()
		c.Dialect = ""
	}
	flat, _ := ordjson.Parse(d.Agent.AppendCall(nil, c, v))
	w, tool := ordjson.NewWriter(dst), ordjson.NewWriter(nil)
	for _, m := range flat {
		if field, inner := strings.CutPrefix(m.Name, toolField+"."); inner {
			tool.Raw(field, m.Value)
		}
	}
	for _, m := range flat {
		_, inner := strings.CutPrefix(m.Name, toolField+".")
		switch {
		case !inner:
			w.Raw(m.Name, m.Value)
		case tool.Len() > 1:
			w.Raw(toolField, tool.Bytes())
			tool = ordjson.NewWriter(nil)
		}
	}
	return w.Bytes()
}
