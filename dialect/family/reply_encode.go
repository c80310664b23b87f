package family

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// Replaces returns the input members that the agent takes from a rewritten input,
// and that the new input replaces the old one as a whole. A member that the tool has
// no name for can't be written, so it is not among them.
func (a *Agent) Replaces(c *schema.Call) (roles schema.Roles, whole bool) {
	roles = schema.RoleSet(schema.Rest)
	for _, x := range a.inputOf(c, "") {
		roles |= schema.RoleSet(x.Role)
	}
	return roles, true
}

// inputOf are the input members of the tool of c, or, where c names none, of the
// tool called name.
func (a *Agent) inputOf(c *schema.Call, name string) []schema.ArgRow {
	if c.Tool.Kind() == schema.MCP {
		return nil
	}
	return a.ArgRows(cmp.Or(c.Tool.Name, name))
}

// NewInput writes a rewritten input in the words of the tool that was called.
func (a *Agent) NewInput(c *schema.Call, r *schema.Reply) []byte {
	in := a.convertEdits(slices.Clone(r.Input), schema.CanonicalEdits, a.Edits)
	return schema.AppendArgs(nil, in, a.inputOf(c, r.InputView.Tool))
}

// ReadNewInput reads a rewritten input of the tool that a hook was shown.
func (a *Agent) ReadNewInput(o ordjson.Object, v schema.View) schema.Args {
	in := a.convertEdits(schema.DecodeArgs(o, a.ArgRows(v.Tool)), a.Edits, schema.CanonicalEdits)
	if in == nil {
		in = schema.Args{}
	}
	return in
}
