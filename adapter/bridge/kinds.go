package bridge

import (
	"os"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// settleWrite puts edits first among the kinds of a whole-file write that
// changes a file: the model most likely called an edit tool, and a hook sees
// what changes. It reports whether it has changed the call.
func (r selector) settleWrite() (changed bool) {
	t := &r.call.Tool
	if t.Kind() != schema.Write || !slices.Contains(t.Kinds, schema.Edit) || r.Host.Profile().Name == r.Hooks.Profile().Name || !r.changesFile(t) {
		return false
	}
	kinds := []schema.Kind{schema.Edit, schema.Write}
	for _, k := range t.Kinds {
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	t.Kinds = kinds
	return true
}

// changesFile reports whether a whole-file write changes a file that was there
// before. After the write that is known from what the host told or the relay
// remembers; a write that is not known to change a file counts as a new one.
func (r selector) changesFile(t *schema.Tool) bool {
	content := t.Input.Text(schema.RoleContent)
	switch {
	case r.call.Event != schema.PostTool:
		return r.differs(content)
	case r.call.Gate: // an edit that adds lines only looks like a new file
		if now, ok := r.files.text(r.call); ok && !sameFile(now, content) {
			t.Input = slices.DeleteFunc(slices.Clone(t.Input), func(a schema.Arg) bool { return a.Role == schema.RoleContent })
			return true
		}
		return false
	}
	if value, ok := r.mem.get(keyOriginal + r.mem.callKey(r.call, t.Input)); ok {
		old, known := ordjson.String([]byte(value))
		return value != noOriginal && !(known && old == content)
	}
	if es, ok := viewer(r).rememberedEdits(); ok {
		return len(es) != 1 || es[0].Old != "" || !sameFile(es[0].New, content)
	}
	return false
}

// differs reports whether the call's file exists and holds another text.
func (r selector) differs(content string) bool {
	info, err := os.Stat(targetPath(r.call))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if info.Size() == int64(len(content)) {
		now, ok := r.files.text(r.call)
		return !ok || now != content
	}
	return true
}

// sameFile compares two texts of a file but for the last line end, which an
// edit may leave out.
func sameFile(a, b string) bool { return strings.TrimSuffix(a, "\n") == strings.TrimSuffix(b, "\n") }

// commonMembers are the names that tools of every agent give to what they act
// on. A tool that no table names is taken by them for what it most likely does.
var commonMembers = []struct {
	name  string
	role  schema.Role
	kinds []schema.Kind
}{
	{"command", schema.RoleCommand, []schema.Kind{schema.Shell}},
	{"file_path", schema.RolePath, []schema.Kind{schema.Write, schema.Edit, schema.Read}},
	{"path", schema.RolePath, []schema.Kind{schema.Write, schema.Edit, schema.Read}},
	{"url", schema.RoleURL, []schema.Kind{schema.Fetch}},
	{"content", schema.RoleContent, nil},
	{"old_string", schema.RoleOldText, nil},
	{"new_string", schema.RoleNewText, nil},
}

// settleUnknown adds to an unknown tool the kinds that its input speaks of. Its
// own name comes first: a hook that names the tool sees it as it is.
func (r selector) settleUnknown() {
	t := &r.call.Tool
	if t.Kind() != schema.Other || len(t.Input) == 0 || r.Host.Profile().Name == r.Hooks.Profile().Name || r.Host.Profile().Tool(t.Name) != nil {
		return
	}
	kinds := slices.Clone(t.Kinds)
	in := slices.Clone(t.Input)
	for _, m := range commonMembers {
		for i := range in {
			if in[i].Role != schema.Rest || in[i].Name != m.name || ordjson.KindOf(in[i].Raw) != ordjson.StringKind {
				continue
			}
			if _, twice := in.Get(m.role); twice {
				continue
			}
			in[i].Role = m.role
			for _, k := range m.kinds {
				if !slices.Contains(kinds, k) {
					kinds = append(kinds, k)
				}
			}
		}
	}
	if len(kinds) > len(t.Kinds) {
		t.Kinds, t.Input = kinds, in
	}
}
