package sample

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestOwnArguments checks that a call is played only with arguments that the host's own tool has, for any kind of tool
// and any role or argument name of any agent. Other arguments are left out and listed.
func TestOwnArguments(t *testing.T) {
	for _, host := range adapter.Dialects() {
		read := 0
		for k := schema.Other + 1; k < schema.NumKinds; k++ {
			if k == schema.MCP {
				continue
			}
			all := append([]string{""}, inputsOf(k)...)
			for _, row := range host.Profile().Events {
				inputs := all
				switch {
				case !row.Event.IsTool():
					continue
				case row.Native != host.Profile().Generic(schema.PreTool): // the same arguments at another event
					inputs = all[:1]
				}
				for _, input := range inputs {
					e := Event{Event: row.Native, Tool: k.String(), Project: "/p", Session: "s"}
					read += ownArguments(t, host, e, input)
				}
			}
		}
		if read == 0 {
			t.Errorf("%s: no payload with arguments was read", adapter.NameOf(host))
		}
	}
}

// ownArguments checks one call, and returns how many arguments its payload has.
func ownArguments(t *testing.T, host dialect.Dialect, e Event, input string) int {
	t.Helper()
	if input != "" {
		e.Input = []byte(input)
	}
	played := ForHost(host, e)
	payload, err := Payload(host, played)
	if err != nil {
		return 0 // the event isn't about such tools
	}
	in, tool := argumentsIn(t, host, payload)
	for _, m := range in {
		if tool != nil && !slices.ContainsFunc(tool.Input, func(a schema.ArgRow) bool { return a.Name == m.Name }) {
			t.Errorf("%s, %s %s: no client sends %s: %s", adapter.NameOf(host), e.Tool, input, m.Name, payload)
		}
	}
	shown := len(played.Left) > 0 || bytes.Contains(payload, []byte(given))
	if tool != nil && len(in) > 0 && strings.Contains(input, given) && !shown && !changesFile(e.Tool, input) {
		t.Errorf("%s, %s %s: silently left out: %s", adapter.NameOf(host), e.Tool, input, payload)
	}
	return len(in)
}

// changesFile reports whether an argument describes a change, which a whole file or a patch has in another form.
func changesFile(tool, input string) bool {
	kind, _ := schema.ParseKind(tool)
	in := canonicalArgs([]byte(input), rowsOf(kind, func(r *schema.ToolRow) []schema.ArgRow { return r.Input }))
	return kind.ChangesFile() && slices.ContainsFunc(in, func(a schema.Arg) bool {
		return slices.ContainsFunc(editRows, func(r schema.ArgRow) bool { return r.Role == a.Role })
	})
}

// given is a text that no example has.
const given = "given"

// inputsOf returns inputs for each role by its canonical name, and for each argument of tools of a kind by each agent's
// name: a text and a number.
func inputsOf(k schema.Kind) (inputs []string) {
	var names []string
	for r := schema.Rest + 1; r < schema.NumRoles; r++ {
		names = append(names, r.String())
	}
	for _, d := range adapter.Dialects() {
		for _, row := range d.Profile().Tools {
			if !slices.Contains(row.Kinds, k) {
				continue
			}
			for _, a := range row.Input {
				for _, name := range []string{a.Role.String(), a.Name} {
					if name != "" && name != schema.Rest.String() && !slices.Contains(names, name) {
						names = append(names, name)
					}
				}
			}
		}
	}
	for _, name := range names {
		for _, value := range []string{`"` + given + `"`, "2"} {
			w := ordjson.NewWriter(nil)
			w.Raw(name, []byte(value))
			inputs = append(inputs, string(w.Bytes()))
		}
	}
	return inputs
}

// argumentsIn returns the arguments in a payload, and the host's own tool for them; nil: a tool of another agent, which
// the host would need from elsewhere.
func argumentsIn(t *testing.T, host dialect.Dialect, payload []byte) (ordjson.Object, *schema.ToolRow) {
	t.Helper()
	c, ds := host.DecodeCall(payload, nil)
	if c == nil {
		t.Fatalf("%s: %s: %v", adapter.NameOf(host), payload, ds)
	}
	o, err := ordjson.Parse(payload)
	if err != nil {
		t.Fatal(err)
	}
	raw := []byte(host.Profile().Fields.Text(o, schema.FieldToolInput))
	if row := host.Profile().Field(schema.FieldToolInput, c.Event); len(raw) == 0 && row != nil {
		if raw = o.Value(row.Name); raw == nil { // a field of an object
			raw = ordjson.At(payload, "/"+strings.ReplaceAll(row.Name, ".", "/"))
		}
	}
	in, _ := ordjson.Members(raw, 0)
	return in, host.Profile().Tool(c.Tool.Name)
}

// TestChangesSaid: a call's change to a file, in any agent's names, is in the payload of every host with a tool for it.
// Otherwise it is reported as left out.
func TestChangesSaid(t *testing.T) {
	n := 0
	for _, c := range []struct {
		kind  schema.Kind
		input string
	}{
		{schema.Write, `{"file_path":"/p/a","content":"NEW"}`}, {schema.Write, `{"path":"/p/a","file_text":"NEW"}`},
		{schema.Edit, `{"file_path":"/p/a","old_string":"OLD","new_string":"NEW"}`},
		{schema.Edit, `{"path":"/p/a","old_text":"OLD","new_text":"NEW"}`},
		{schema.MultiEdit, `{"file_path":"/p/a","edits":[{"old_string":"OLD","new_string":"NEW"}]}`},
		{schema.MultiEdit, `{"path":"/p/a","edits":[{"old":"OLD","new":"NEW"}]}`},
	} {
		for _, host := range adapter.Dialects() {
			if host.Profile().ToolOfKind(c.kind) == nil {
				continue
			}
			played := ForHost(host, Event{Event: host.Profile().Generic(schema.PreTool), Tool: c.kind.String(),
				Project: "/p", Session: "s", Input: []byte(c.input)})
			payload, err := Payload(host, played)
			if err != nil {
				continue
			}
			if n++; !bytes.Contains(payload, []byte("NEW")) && len(played.Left) == 0 {
				t.Errorf("%s, %s %s: the change is lost: %s", adapter.NameOf(host), c.kind, c.input, payload)
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d calls", n)
	}
}
