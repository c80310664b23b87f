package bridge

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// denyingGuard returns a bridge with a hook that denies every call, from an agent other than the host, and the payloads
// that the hook got.
func denyingGuard(t *testing.T, host dialect.Dialect, tools string) (b *Bridge, shown *[]string) {
	own := "claude"
	if host.Profile().Name == own {
		own = "qwen"
	}
	b = newBridge(t, host.Profile().Full(), own, "guard")
	b.StateDir, shown = "", new([]string)
	b.Single.Event, b.Single.Native = schema.PreTool, "PreToolUse"
	if tools != "" {
		b.Single.Matcher, b.Single.HasMatcher = tools, true
	}
	b.Start = func(_ *schema.Hook, spec process.Spec) standIn {
		return func(context.Context) process.Result {
			*shown = append(*shown, string(spec.Stdin))
			return process.Result{Exit: 2, Stderr: []byte("no")}
		}
	}
	return b, shown
}

// toolCalls calls do with a payload of each of the host's tools before it runs, and the field with the input.
func toolCalls(
	t *testing.T, host dialect.Dialect, do func(row *schema.ToolRow, payload ordjson.Object, field string),
) {
	for i := range host.Profile().Tools {
		row := &host.Profile().Tools[i]
		src, err := sample.Payload(host, sample.Event{Event: host.Profile().Generic(schema.PreTool), Tool: row.Name,
			Session: "s", Project: "/w"})
		c, _ := host.DecodeCall(src, nil)
		if err != nil || c == nil {
			t.Fatal(host.Profile().Name, row.Name, err)
		}
		if host.Profile().Tool(c.Tool.Name) != row { // of another model or program
			continue
		}
		payload, _ := ordjson.Parse(src)
		field := c.NameOf(schema.FieldToolInput)
		if named := host.Profile().Fields.Of(schema.FieldToolInput); field == "" && named != nil {
			field = named.Name // Cursor's calls don't keep it
		}
		if field, _, _ = strings.Cut(field, "."); payload.Has(field) {
			do(row, payload, field)
		}
	}
}

// with returns a payload with a new value of a field; if the field is a whole call, the value replaces its input.
func with(payload ordjson.Object, field string, value []byte) []byte {
	payload = slices.Clone(payload)
	for i := range payload {
		if payload[i].Name != field {
			continue
		}
		if call, input := wholeCall(payload[i].Value); input != "" {
			value = with(call, input, value)
		}
		payload[i].Value = value
	}
	return payload.Append(nil)
}

// wholeCall returns the object in which an agent sends a tool's name and input together, and the name of the input, or
// "".
func wholeCall(raw []byte) (call ordjson.Object, input string) {
	call, _ = ordjson.Members(raw, 0)
	switch {
	case call.Has("id") && call.Has("name") && call.Has("input"):
		return call, "input"
	case len(call) == 2 && call.Has("name") && call.Has("args"):
		return call, "args"
	}
	return nil, ""
}

// oddValues has a value of each type, none of them the input of any tool.
var oddValues = []string{`12`, `true`, `null`, `["a"]`, `{"a":1}`, `"a"`}

// TestOddInput checks that a guard runs for any type of an argument, or of the whole input: without an answer the host
// would run the call.
func TestOddInput(t *testing.T) {
	for _, host := range lawDialects() {
		b, _ := denyingGuard(t, host, "")
		toolCalls(t, host, func(row *schema.ToolRow, payload ordjson.Object, field string) {
			judged := func(input []byte) {
				in := with(payload, field, input)
				out, rep, err := b.Run(context.Background(), in, "")
				if err != nil || rep.Reply.Verdict != schema.Deny || rep.Diagnostics.Max() == schema.Error {
					t.Errorf("%s: %s: %s %v %v", host.Profile().Name, in, out, err, rep.Diagnostics)
				}
			}
			input, _ := payload.Members(field)
			if call, name := wholeCall(payload.Value(field)); name != "" {
				input, _ = call.Members(name)
			}
			for _, value := range oddValues {
				for _, arg := range row.Input {
					if input.Has(arg.Name) {
						judged(with(input, arg.Name, []byte(value)))
					}
				}
				judged([]byte(value))
			}
			judged([]byte(`{"a":1,"a":2}`)) // no client was seen to send it
		})
	}
}

// TestScalarsAreText checks that hooks get a number or a boolean as text where tools take text, as the tools of Qwen
// Code 0.24.4 do.
func TestScalarsAreText(t *testing.T) {
	for in, want := range map[string]string{`12`: "12", `1.50`: "1.5", `1e3`: "1000", `-0`: "0", `1e21`: "1e+21",
		`1e-7`: "1e-7", `true`: "true", `0.000001`: "0.000001"} {
		host, _ := adapter.Find("qwen")
		b, shown := denyingGuard(t, host, "Write")
		payload := []byte(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","timestamp":"t","tool_name":` +
			`"write_file","tool_input":{"file_path":"/w/a","content":` + in + `}}`)
		_, rep, err := b.Run(context.Background(), payload, "")
		if err != nil || len(*shown) != 1 || rep.Diagnostics.Max() != schema.Note {
			t.Fatal(in, err, rep.Diagnostics)
		}
		o, _ := ordjson.Parse([]byte((*shown)[0]))
		args, _ := o.Members("tool_input")
		if got := args.Str("content"); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func droidCall(tool, input string) []byte {
	return []byte(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","permission_mode":"off","tool_name":"` +
		tool + `","tool_input":` + input + `}`)
}

// TestOddInputFailsClosed checks that --fail-closed denies input that hooks may not understand, regardless of their
// answers.
func TestOddInputFailsClosed(t *testing.T) {
	for input, denied := range map[string]bool{`{"command":12}`: true, `{"command":["a"]}`: true,
		`{"command":null}`: true, `"a"`: true, `{"cmd":"a"}`: false, `{}`: true, `{"zz":"a"}`: true} {
		host, _ := adapter.Find("droid")
		b, _ := denyingGuard(t, host, "Read")
		b.FailClosed = true
		out, rep, err := b.Run(context.Background(), droidCall("Execute", input), "")
		if err != nil || rep.Reply.Verdict == schema.Deny != denied {
			t.Errorf("%s: %s %v %v", input, out, err, rep.Diagnostics)
		}
	}
}

// TestLacking checks, in every host, a call without what its tool acts on, or without any input. It is reported, and an
// entry that fails closed denies it.
func TestLacking(t *testing.T) {
	for _, host := range lawDialects() {
		tried := 0
		toolCalls(t, host, func(row *schema.ToolRow, payload ordjson.Object, field string) {
			if subjectOf(row) == 0 {
				return
			}
			tried++
			bare := slices.Clone(payload)
			if call, name := wholeCall(bare.Value(field)); name != "" {
				call.Take(name)
				bare = slices.Clone(payload)
				for i := range bare {
					if bare[i].Name == field {
						bare[i].Value = call.Append(nil)
					}
				}
			} else {
				bare.Take(field)
			}
			calls := [][]byte{with(payload, field, []byte("{}")), bare.Append(nil)}
			if host.Abilities().Unnamed != nil { // its fields name the event
				calls = calls[:1]
			}
			for _, in := range calls {
				b, _ := denyingGuard(t, host, "Nothing")
				_, rep, err := b.Run(context.Background(), in, "")
				if err != nil || !slices.ContainsFunc(rep.Diagnostics, func(d schema.Diagnostic) bool {
					return d.Code == schema.CodeOddInput && d.Severity == schema.Weaker
				}) {
					t.Errorf("%s: %s: %v %v", host.Profile().Name, in, err, rep.Diagnostics)
				}
				b.FailClosed = true
				_, rep, err = b.Run(context.Background(), in, "")
				if err != nil || rep.Reply.Verdict != schema.Deny {
					t.Errorf("%s, fails closed: %s: %v %v", host.Profile().Name, in, err, rep.Diagnostics)
				}
			}
		})
		if tried == 0 {
			t.Errorf("%s: no tool tried", host.Profile().Name)
		}
	}
}

const guardsOfFiles = "Read|Write|Edit|MultiEdit|NotebookEdit|Bash" // Bash: a deletion is a command there

// others lists other agents' names for what a tool acts on, with Claude Code's matcher for guards of it.
var others = []struct {
	role  schema.Role
	name  string
	tools string
}{
	{schema.RoleCommand, "cmd", "Bash"}, {schema.RoleCommand, "script", "Bash"},
	{schema.RoleCommand, "Command", "Bash"},
	{schema.RolePath, "filePath", guardsOfFiles}, {schema.RolePath, "file", guardsOfFiles},
	{schema.RolePath, "filename", guardsOfFiles},
	{schema.RolePath, "absolute-path", guardsOfFiles}, {schema.RoleURL, "uri", "WebFetch"},
}

// TestOtherNames checks that guards get every call with a command, a path or an address under another agent's name: of
// a tool with a row, and of one whose row has no kind.
func TestOtherNames(t *testing.T) {
	for _, host := range lawDialects() {
		if host.Profile().Name == "claude" {
			continue // its guard would be another agent's, with other names
		}
		toolCalls(t, host, func(row *schema.ToolRow, payload ordjson.Object, field string) {
			for _, o := range others {
				subject := subjectOf(row)
				known := subject != 0 || len(row.Kinds) > 0
				patch := subject == schema.RoleCommand && row.Kinds != nil && row.Kinds[0].ChangesFile()
				in, own := with(payload, field, ordjson.AppendTexts(nil, o.name, "x")), false
				if c, _ := host.DecodeCall(in, nil); c != nil {
					_, own = c.Tool.Input.Get(o.role)
				}
				if known && subject != o.role || patch || own {
					continue
				}
				b, shown := denyingGuard(t, host, o.tools)
				out, rep, err := b.Run(context.Background(), in, "")
				reported := slices.ContainsFunc(rep.Diagnostics, func(d schema.Diagnostic) bool {
					return d.Code == schema.CodeOddInput && d.Severity == schema.Note
				})
				if err != nil || rep.Reply.Verdict != schema.Deny || reported != (subject != 0) {
					t.Errorf("%s: %s: %s %v %v %v", host.Profile().Name, in, out, *shown, err, rep.Diagnostics)
				}
			}
		})
	}
}

// TestLists checks that guards get each element of a list that an unknown tool acts on, and each object in its input,
// and that a call is denied if a hook rewrites a part of it.
func TestLists(t *testing.T) {
	tried := 0
	for _, host := range lawDialects() {
		if host.Profile().Name == "claude" {
			continue
		}
		var payload ordjson.Object
		field := ""
		toolCalls(t, host, func(_ *schema.ToolRow, p ordjson.Object, f string) {
			if field == "" {
				payload, field = p, f
			}
		})
		if field == "" { // its payload has no single field with the input
			continue
		}
		tried++
		c, _ := host.DecodeCall(with(payload, field, []byte("{}")), nil)
		for _, o := range []struct{ input, tools, want string }{
			{`{"paths":["a","x9"]}`, guardsOfFiles, "x9"}, {`{"file_paths":["a","x9"]}`, guardsOfFiles, "x9"},
			{`{"Files":[{"path":"a"},{"filePath":"x9"}]}`, guardsOfFiles, "x9"},
			{`{"path":["a","x9"]}`, guardsOfFiles, "x9"},
			{`{"directories":["x9"]}`, guardsOfFiles, "x9"},
			{`{"urls":["https://a/","https://x9/"]}`, "WebFetch", "x9"},
			{`{"commands":["ls","x9"]}`, "Bash", "x9"}, {`{"cmd":[{"command":"x9"}]}`, "Bash", "x9"},
			{`{"task":{"label":"l","command":"x9"}}`, "Bash", "x9"},
			{`{"steps":[{"cmd":"ls"},{"cmd":"x9"}]}`, "Bash", "x9"},
			{`{"target":{"file":"x9"}}`, guardsOfFiles, "x9"}, {`{"operations":[{"path":"x9"}]}`, guardsOfFiles, "x9"},
			{`{"command":"rm","args":["-f","x 9"]}`, "Bash", "rm -f 'x 9'"},
			{`{"task":{"command":"rm","args":["-f","x9"]}}`, "Bash", "rm -f x9"},
			{`{"application":"rm","arguments":["-f","x9"]}`, "Bash", "rm -f x9"},
			{`{"command":"rm","args":["-f","x9",5]}`, "Bash", "rm -f x9 5"},
			{`{"command":"rm","args":"-f x9"}`, "Bash", "rm -f x9"}, {`{"command":"kill","args":9}`, "Bash", "kill 9"},
		} {
			b, shown := denyingGuard(t, host, o.tools)
			in := string(with(payload, field, []byte(o.input)))
			in = strings.Replace(in, `"`+c.Tool.Name+`"`, `"unheard_of"`, 1)
			out, rep, err := b.Run(context.Background(), []byte(in), "")
			if err != nil || rep.Reply.Verdict != schema.Deny || !strings.Contains(strings.Join(*shown, "\n"), o.want) {
				t.Errorf("%s: %s: %s %v %v %v", host.Profile().Name, in, out, *shown, err, rep.Diagnostics)
			}

			answers(b, process.Result{Stdout: []byte(`{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
				`"updatedInput":{"command":"y","file_path":"/y","url":"https://y/"}}}`)})
			out, rep, err = b.Run(context.Background(), []byte(in), "")
			if err != nil || rep.Reply.Verdict != schema.Deny {
				t.Errorf("%s: %s, rewritten: %s %v %v", host.Profile().Name, in, out, err, rep.Diagnostics)
			}
		}
	}
	if tried < 6 {
		t.Errorf("%d hosts", tried)
	}
}

// TestLackingInput checks that a known tool without what it acts on is reported, even if no other field replaces it.
func TestLackingInput(t *testing.T) {
	for input, want := range map[string]schema.Severity{`{}`: schema.Weaker, `{"x":"a"}`: schema.Weaker,
		`{"path":"a"}`: schema.Note, `{"file_path":null,"path":"a"}`: schema.Weaker, `{"url":"a"}`: schema.Weaker} {
		host, _ := adapter.Find("droid")
		b, _ := denyingGuard(t, host, "")
		_, rep, err := b.Run(context.Background(), droidCall("Read", input), "")
		if err != nil || rep.Diagnostics.Max() != want || rep.Reply.Verdict != schema.Deny {
			t.Errorf("%s: %v %v", input, err, rep.Diagnostics)
		}
	}
}

// TestUnknownField checks that a new input loses fields that the tool of the hook's own agent doesn't have, as that
// agent drops them (Claude Code 2.1.332, Cline 3.0.65, Auggie 0.36.0). A field that only this tool has stays.
func TestUnknownField(t *testing.T) {
	for _, tt := range []struct{ hooks, output, more string }{
		{"claude", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"echo new","@":1}}}`,
			"dangerouslyDisableSandbox"},
		{"cline", `{"overrideInput":{"commands":["echo new"],"@":1}}`, ""},
		{"auggie", `{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"echo new","@":1}}}`,
			"keep_stdin_open"},
	} {
		for _, host := range lawDialects() {
			if host.Profile().Name == tt.hooks {
				continue
			}
			play := func(field string) (answer string, verdict schema.Verdict) {
				b := newBridge(t, host.Profile().Full(), tt.hooks, "guard")
				b.Single.Event = schema.PreTool
				b.Single.Native = b.Hooks.Profile().Generic(schema.PreTool)
				b.Start = func(*schema.Hook, process.Spec) standIn {
					return func(context.Context) process.Result {
						return process.Result{Stdout: []byte(strings.Replace(tt.output, "@", field, 1))}
					}
				}
				src, err := sample.Payload(host, sample.Event{Event: host.Profile().Generic(schema.PreTool),
					Tool: schema.Shell.String(), Session: "s", Project: b.Places.Project})
				if err != nil {
					t.Fatal(err)
				}
				out, rep, err := b.Run(context.Background(), src, "")
				if err != nil {
					t.Fatal(err, rep.Diagnostics)
				}
				return string(out), rep.Reply.Verdict
			}
			answer, got := play("zz")
			takes := strings.Contains(answer, "echo new")
			rewrites := host.Profile().Row(host.Profile().Generic(schema.PreTool)).Honors&schema.EffectInput != 0
			if strings.Contains(answer, `"zz"`) || rewrites && (got == schema.Deny || !takes) {
				t.Errorf("%s hook under %s: %s", tt.hooks, host.Profile().Name, answer)
			}
			if answer, got = play(tt.more); tt.more != "" && takes && got != schema.Deny {
				t.Errorf("%s hook under %s, %s: %s", tt.hooks, host.Profile().Name, tt.more, answer)
			}
		}
	}
}
