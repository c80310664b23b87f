package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// callSeeds are small payloads of every shape. All agents reject payloads of a dialect that isn't there, so they do no
// harm.
var callSeeds = []string{
	`{}`, `[]`, `{"hook_event_name":"x"}`,
	`{"session_id":"s","transcript_path":"/t","cwd":"/w","permission_mode":"default","hook_event_name":"PreToolUse",` +
		`"tool_name":"Bash","tool_input":{"command":"ls","description":"d","timeout":5,"x y/~":1},"tool_use_id":"u",` +
		`"new":{"a":[1]}}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"PostToolUse","tool_name":"Read",` +
		`"tool_input":{"file_path":"/a"},"tool_response":{"type":"text","file":{"filePath":"/a","content":"x",` +
		`"numLines":1}},"tool_use_id":"u","duration_ms":3}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"MultiEdit",` +
		`"tool_input":{"file_path":"/a","edits":[{"old_string":"a","new_string":"b","replace_all":true,"k":1}]}}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"PostToolUse","tool_name":"mcp__srv__do","tool_input":{"a":1},` +
		`"tool_response":[{"type":"text","text":"t"}],"mcp_server":{"name":"srv"}}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"PostToolUseFailure","tool_name":"Bash",` +
		`"tool_input":{"command":"false"},"error":"Exit code 1\nboom","is_interrupt":false}`,
	`{"session_id":"s","cwd":"/w","prompt_id":"p","turn_id":"q","hook_event_name":"UserPromptSubmit","prompt":"hi",` +
		`"source":"user"}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"bye"}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"SessionEnd","reason":"clear"}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"PermissionDenied","tool_name":"Bash","tool_input":"ls",` +
		`"reason":"no"}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"t","tool_name":"run_shell_command",` +
		`"tool_input":{"command":"ls","dir_path":"a"}}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"AfterTool","timestamp":"t","tool_name":"run_shell_command",` +
		`"tool_input":{"command":"false"},"tool_response":{"llmContent":"<untrusted_context>\nOutput: x\nExit Code: ` +
		`3\nProcess Group PGID: 7\n</untrusted_context>","returnDisplay":"x"}}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"AfterTool","timestamp":"t","tool_name":"mcp_hb_do",` +
		`"tool_input":{"a":1},"tool_response":{"llmContent":[{"text":"<untrusted_context>\nx\n` +
		`</untrusted_context>"}],"returnDisplay":"x"},"mcp_context":{"server_name":"hb","tool_name":"do"}}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"AfterTool","timestamp":"t","tool_name":"read_file",` +
		`"tool_input":{"file_path":"/a"},"tool_response":{"llmContent":"no","returnDisplay":"no",` +
		`"error":{"message":"no file","type":"file_not_found"}}}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"t","tool_name":"web_fetch",` +
		`"tool_input":{"prompt":"read https://a.b/c and http://d"}}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"AfterAgent","timestamp":"t","prompt":"p","prompt_response":"r",` +
		`"stop_hook_active":false}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"BeforeModel","timestamp":"t","llm_request":{"model":"m",` +
		`"messages":[]}}`,
	`{"conversation_id":"c","generation_id":"g","tool_name":"Shell","tool_input":{"command":"ls","cwd":"/w"},` +
		`"tool_use_id":"u","cwd":"/w","hook_event_name":"preToolUse","cursor_version":"3.15.19",` +
		`"workspace_roots":["/w"],"user_email":null}`,
	`{"conversation_id":"c","tool_name":"Shell","tool_input":{"command":"ls"},"tool_output":"{\"output\":\"o\",` +
		`\"exitCode\":0}","duration":1.5,"hook_event_name":"postToolUse","cursor_version":"1.0.0"}`,
	`{"conversation_id":"c","tool_name":"MCP:do","tool_input":{"a":1},` +
		`"tool_output":"{\"content\":[{\"type\":\"text\",\"text\":\"bad\"}],\"isError\":true}",` +
		`"hook_event_name":"postToolUse","cursor_version":"1.0.0"}`,
	`{"conversation_id":"c","command":"ls","cwd":"","sandbox":false,"hook_event_name":"beforeShellExecution",` +
		`"cursor_version":"2.4"}`,
	`{"conversation_id":"c","tool_name":"do","tool_input":"{\"a\":1}","url":"http://x",` +
		`"hook_event_name":"beforeMCPExecution","cursor_version":"1.0.0"}`,
	`{"conversation_id":"c","file_path":"/a","content":"x","attachments":[],"hook_event_name":"beforeReadFile",` +
		`"cursor_version":"1.0.0"}`,
	`{"conversation_id":"c","file_path":"/a","edits":[{"old_string":"","new_string":"b"}],` +
		`"hook_event_name":"afterFileEdit","cursor_version":"1.0.0"}`,
	// fields that the tool ignores, under other agents' names for its own
	`{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"create","toolArgs":{"path":"/a","file_text":"x",` +
		`"file_path":"/b","content":"y"}}`,
	`{"sessionId":"s","timestamp":1,"cwd":"/w","toolName":"view","toolArgs":{"file_path":"/b","path":"/a"}}`,
	`{"session_id":"s","turn_id":"t","model":"m","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"view_image",` +
		`"tool_input":{"path":"/a.png","file_path":"/b"},"tool_use_id":"u"}`,
	`{"session_id":"s","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"t","tool_name":"write_file",` +
		`"tool_input":{"file_path":"/a","content":"x","path":"/b","file_text":"y"}}`,
	`{"conversation_id":"c","status":"error","loop_count":2,"hook_event_name":"stop","cursor_version":"1.0.0"}`,
	`{"conversation_id":"c","subagent_id":"a","subagent_type":"t","task":"x","hook_event_name":"subagentStart",` +
		`"cursor_version":"1.0.0"}`,
	`{"conversation_id":"c","tool_name":"Shell","tool_input":{"command":"ls"},"error_message":"no",` +
		`"failure_type":"permission_denied","hook_event_name":"postToolUseFailure","cursor_version":"1.0.0"}`,
}

// allPayloads returns the recorded payloads by dialect, without dialects that only tests have.
func allPayloads(t testing.TB) map[string][]material.Payload {
	all, recorded := map[string][]material.Payload{}, material.Agents(t)
	for _, d := range lawDialects() {
		if name := d.Profile().Name; slices.Contains(recorded, name) {
			all[name] = material.Payloads(t, name)
		}
	}
	return all
}

// sameValue compares two JSON values by meaning: it ignores blanks, escapes and the order of fields. With embedded, a
// text that contains an object counts as that object.
func sameValue(a, b []byte, embedded bool) bool {
	if s, ok := ordjson.String(a); ok {
		u, ok := ordjson.String(b)
		if !ok || s == u {
			return ok
		}
		x, err1 := ordjson.Parse([]byte(s))
		y, err2 := ordjson.Parse([]byte(u))
		return embedded && err1 == nil && err2 == nil && sameValue(x.Append(nil), y.Append(nil), true)
	}
	x, err := ordjson.Members(a, 0)
	if err != nil {
		l, err1 := ordjson.Elements(a, 0)
		m, err2 := ordjson.Elements(b, 0)
		if err1 != nil || err2 != nil {
			return string(bytes.TrimSpace(a)) == string(bytes.TrimSpace(b))
		}
		if len(l) != len(m) {
			return false
		}
		for i := range l {
			if !sameValue(l[i].Value, m[i].Value, embedded) {
				return false
			}
		}
		return true
	}
	y, err := ordjson.Members(b, 0)
	if err != nil || len(x) != len(y) {
		return false
	}
	for _, m := range x {
		if v, ok := y.Get(m.Name); !ok || !sameValue(m.Value, v, embedded) {
			return false
		}
	}
	return true
}

// named reports whether a finding names the place or one above it.
func named(ds schema.Diagnostics, path string) bool {
	for _, d := range ds {
		if d.Path != "" && (d.Path == path || strings.HasPrefix(path, d.Path+"/")) {
			return true
		}
	}
	return false
}

// placeIn reports whether a pointer leads to a value in the document. It also enters an object inside a text.
func placeIn(src []byte, path string) bool {
	value := src
	for _, token := range strings.Split(path, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		if s, ok := ordjson.String(value); ok {
			value = []byte(s)
		}
		o, err := ordjson.Members(bytes.TrimSpace(value), 0)
		if err != nil {
			return false
		}
		var ok bool
		if value, ok = o.Get(token); !ok {
			return false
		}
	}
	return true
}

// carriedInTool lists fields that are in Call.Tool as well.
var carriedInTool = map[schema.Field]bool{schema.FieldToolName: true, schema.FieldToolInput: true,
	schema.FieldToolOutput: true, schema.FieldToolUseID: true}

// partly reports whether a finding names something inside a field.
func partly(ds schema.Diagnostics, member string) bool {
	for _, d := range ds {
		if strings.HasPrefix(d.Path, ordjson.Pointer("", member)+"/") {
			return true
		}
	}
	return false
}

// callLaw checks law L1 for one payload between two dialects. carried and reported count fields; done is false if from
// can't read the payload. A payload that an agent sends itself (strict) stays the same in its own dialect. One that no
// agent sends, such as one with a folder that isn't text, may be corrected if that is reported.
func callLaw(from, to dialect.Dialect, src []byte, strict bool) (carried, reported int, done bool, faults []string) {
	fault := func(format string, args ...any) {
		faults = append(faults, from.Profile().Name+" to "+to.Profile().Name+": "+fmt.Sprintf(format, args...))
	}
	c, first := from.DecodeCall(src, nil)
	outs, ds := TranslateCall(from, to, src, "", "", nil)
	if c == nil {
		if outs != nil || first.Max() != schema.Error || ds.Max() != schema.Error {
			fault("no call, output %s, findings %v", outs, ds)
		}
		return 0, 0, false, faults
	}
	if outs == nil {
		if len(ds) == 0 {
			fault("no output and no word why")
		}
		return 0, 0, true, faults
	}
	native := ""
	if from.Profile().Name == to.Profile().Name {
		native = c.Native
	}
	for i, t := range translations(from, to, c, native, "") {
		if string(t.payload) != string(outs[i]) {
			fault("payload %d is %s, not %s", i, outs[i], t.payload)
		}
		got, said, more := partLaw(from, to, t, src, ds, strict)
		carried, reported, faults = carried+got, reported+said, append(faults, more...)
	}
	return carried, reported, true, faults
}

// partLaw checks the law for one of the payloads that a call became.
func partLaw(from, to dialect.Dialect, t translation, src []byte, ds schema.Diagnostics, strict bool) (carried,
	reported int, faults []string) {
	c, out := t.call, t.payload
	fault := func(format string, args ...any) {
		faults = append(faults, from.Profile().Name+" to "+to.Profile().Name+": "+fmt.Sprintf(format, args...))
	}
	if _, err := ordjson.Parse(out); err != nil || !json.Valid(out) {
		fault("no JSON object: %s: %v", out, err)
		return 0, 0, faults
	}
	back, more := to.DecodeCall(out, nil)
	if back == nil {
		fault("%s does not read it: %v: %s", to.Profile().Name, more, out)
		return 0, 0, faults
	}
	if path.IsAbs(c.Tool.Input.Text(schema.RolePath)) { // some agents get it relative to the project
		back.Tool.Input = wholeArgs(back.Tool.Input, back.Cwd)
	}
	if in, ok := inOtherForm(to, t.view, back); ok {
		back.Tool.Input, back.Tool.Kinds = in, []schema.Kind{t.view.Kind}
	}
	if from.Profile().Name == to.Profile().Name {
		o, _ := ordjson.Parse(withoutMade(c, src, out))
		if strict && (!sameValue(src, o.Append(nil), true) || len(ds) > 0) {
			fault("not the same: %s %v", out, ds)
		}
		had, _ := ordjson.Parse(src)
		for _, m := range had {
			raw, ok := o.Get(m.Name)
			if !ok && !strict { // Grok Build sends both spellings of a name; from one alone, the other is made
				raw, ok = otherSpelling(out, m.Name)
			}
			if !(ok && sameValue(m.Value, raw, true)) && !named(ds, ordjson.Pointer("", m.Name)) &&
				!partly(ds, m.Name) {
				fault("%s: %s is lost without a word: %s %v", m.Name, m.Value, out, ds)
			}
			o.Take(m.Name)
		}
		if len(o) > 0 && strict {
			fault("members from nowhere: %s in %s", o.Append(nil), out)
		}
		return len(c.Values), 0, faults
	}
	for _, d := range ds {
		if d.Code == schema.CodeMemberLost && !placeIn(src, d.Path) {
			fault("the finding names no place in the payload: %v", d)
		}
	}
	for _, d := range ds { // what repeats another field, or is empty
		value, _ := valueAt(src, d.Path)
		got, there := valueAt(out, d.Path)
		name := strings.TrimPrefix(d.Path, "/")
		a, b := from.Profile().Fields.Named(name, c.Event), to.Profile().Fields.Named(name, back.Event)
		has := there && a != nil && b != nil && a.Field == b.Field && a.Field != schema.FieldAgentType && // has words
			(c.Extra.Has(name) && sameValue(value, got, false) || string(value) == "null")
		has = has || there && strings.LastIndexByte(d.Path, '/') > 0 && sameValue(value, got, false)
		if strict && d.Code == schema.CodeMemberLost && has {
			fault("a field that the output has is reported as lost: %v\n%s", d, out)
		}
	}
	count := func(ok bool, path, what string) {
		switch said := named(ds, path); {
		case ok:
			carried++
		case said:
			reported++
		default:
			fault("%s (%s) is lost without a word\n%s\n%v", path, what, out, ds)
		}
	}
	payload, _ := ordjson.Parse(src)
	said := comparison{c: c, payload: payload}
	if back.Event != c.Event && !named(ds, said.pathOfField(schema.FieldEvent)) {
		fault("the event %s became %s without a word: %s", c.Event, back.Event, out)
	}
	for _, v := range c.Values {
		raw := back.Get(v.Field)
		ok := raw != nil && (sameValue(v.Raw, raw, false) || string(v.Raw) == "null")
		switch {
		case v.Field == schema.FieldEvent || carriedInTool[v.Field]:
			continue
		case v.Field == schema.FieldCwd || v.Field == schema.FieldToolCwd:
			s, _ := ordjson.String(v.Raw)
			ok = ok || s == back.Cwd || s == ""
		case v.Field == schema.FieldServerName:
			s, _ := ordjson.String(v.Raw)
			ok = ok || s == back.Tool.Server
		case v.Name == "": // made by the decoder from other fields
			continue
		case c.Event == schema.SubagentStop && v.Field == schema.FieldLastMessage:
			ok = ok || sameValue(v.Raw, back.Get(schema.FieldSummary), false)
		case c.Event == schema.SubagentStop && v.Field == schema.FieldSummary:
			ok = ok || sameValue(v.Raw, back.Get(schema.FieldLastMessage), false)
		case c.Event == schema.PermissionDenied && v.Field == schema.FieldReason:
			ok = ok || sameValue(v.Raw, back.Get(schema.FieldError), false)
		case c.Event == schema.PermissionDenied && v.Field == schema.FieldError:
			ok = ok || sameValue(v.Raw, back.Get(schema.FieldReason), false)
		}
		count(ok, ordjson.Pointer("", v.Name), "value")
	}
	for _, m := range c.Extra {
		row := from.Profile().Fields.Named(m.Name, c.Event)
		again := row != nil && sameValue(m.Value, back.Get(row.Field), false)
		count(again, ordjson.Pointer("", m.Name), "unknown member")
	}
	if c.Event.IsTool() {
		toolLaw(c, back, src, out, ds, count)
	}
	return carried, reported, faults
}

// otherSpelling finds the field of a payload whose name differs only in case and underscores.
func otherSpelling(payload []byte, name string) ([]byte, bool) {
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	o, _ := ordjson.Parse(payload)
	i := slices.IndexFunc(o, func(m ordjson.Member) bool { return plain(m.Name) == plain(name) })
	if i < 0 {
		return nil, false
	}
	return o[i].Value, true
}

// withoutMade removes what the decoder made from other fields and the encoder wrote as a field: the error text of an
// MCP result.
func withoutMade(c *schema.Call, src, out []byte) []byte {
	had, _ := ordjson.Parse(src)
	o, _ := ordjson.Parse(out)
	for _, v := range c.Values {
		for i := 0; v.Name == "" && i < len(o); i++ {
			if _, ok := had.Get(o[i].Name); !ok && sameValue(o[i].Value, v.Raw, false) {
				o.Take(o[i].Name)
			}
		}
	}
	return o.Append(nil)
}

// toolLaw compares the tools of two calls.
func toolLaw(c, back *schema.Call, src, out []byte, ds schema.Diagnostics, count func(bool, string, string)) {
	a, b := &c.Tool, &back.Tool
	at, id := memberFor(c, schema.FieldToolName, "/tool_name"), memberFor(c, schema.FieldToolUseID, "/tool_use_id")
	if _, ok := valueAt(src, at); !ok { // an event of its own shows what is done
		at = eventPath
	}
	if a.Kind() != schema.Other {
		count(shareKind(a, b), at, "kind of tool "+a.Name)
	}
	// One text may name both, and the end of the server's name is ambiguous if a name has "__" in it.
	joined := a.Server != "" && inToolName(a.Server+"__"+a.Name) == inToolName(b.Server+"__"+b.Name)
	if a.Kind() == schema.MCP || a.Kind() == schema.Other {
		known := slices.Contains(a.Aliases, b.Name)
		count(joined || known || a.Name == "" || inToolName(a.Name) == inToolName(b.Name), at, "tool "+a.Name)
	}
	if a.Server != "" {
		count(joined || inToolName(a.Server) == inToolName(b.Server), memberOf(src, ds, a.Server), "server "+a.Server)
	}
	if a.UseID != "" {
		count(a.UseID == b.UseID, id, "id of the call")
	}
	if a.Whole != nil {
		count(b.Whole != nil && sameValue(a.Whole, b.Whole, true), "/tool_input", "input as a whole")
	}
	payload, _ := ordjson.Parse(src)
	var kept func(in ordjson.Object, at string, x schema.Arg) bool // unchanged, in its place
	kept = func(in ordjson.Object, at string, x schema.Arg) bool {
		return slices.ContainsFunc(in, func(m ordjson.Member) bool {
			path := ordjson.Pointer(at, m.Name)
			has, there := valueAt(out, path)
			return at != "" && m.Name == x.Name && there && sameValue(m.Value, has, true) ||
				kept(objectIn(m.Value), path, x)
		})
	}
	args := func(as, bs schema.Args, what string) {
		for _, x := range as {
			y, ok := bs.Find(x)
			ok = ok && sameValue(x.Raw, y.Raw, true) || what == "input" && namedAlike(bs, x) || kept(payload, "", x) ||
				x.Role == schema.RoleOK && c.Event == back.Event
			if x.Role == schema.RoleEdits {
				ok = ok || sameValue(schema.CanonicalEdits.Append(nil, editsOf(a)),
					schema.CanonicalEdits.Append(nil, editsOf(b)), false)
			}
			if s, text := ordjson.String(x.Raw); x.Role == schema.RoleCwd && text {
				ok = ok || s == "" || s == back.Cwd
			}
			path := ""
			for _, d := range ds { // any place with this name or value
				if l := (comparison{c: c, payload: payload}); x.Name == "" && d.Path == l.pathOf(x, what == "output") {
					path = d.Path
				}
				if value, found := valueAt(src, d.Path); found &&
					(x.Name != "" && strings.HasSuffix(d.Path, ordjson.Pointer("", x.Name)) ||
						sameValue(value, x.Raw, true)) {
					path = d.Path
				}
			}
			count(ok, path, what+" "+x.Name+" "+x.Role.String())
		}
	}
	args(a.Input, b.Input, "input")
	args(a.Output, b.Output, "output")
}

// inToolName returns the name of a server or its tool as agents write it in the names of such tools, which is all that
// some send.
func inToolName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}, name)
}

// memberFor returns the path of a field of a payload, or usual if its dialect doesn't name it.
func memberFor(c *schema.Call, f schema.Field, usual string) string {
	for _, v := range c.Values {
		if v.Field == f && v.Name != "" {
			return ordjson.Pointer("", v.Name)
		}
	}
	return usual
}

func shareKind(a, b *schema.Tool) bool {
	for _, x := range a.Kinds {
		for _, y := range b.Kinds {
			if x.Base() == y.Base() {
				return true
			}
		}
	}
	return false
}

// memberOf finds the field that names a server.
func memberOf(src []byte, ds schema.Diagnostics, server string) string {
	for _, d := range ds {
		value, ok := valueAt(src, d.Path)
		if text, isText := ordjson.String(value); isText {
			value = []byte(text)
		}
		if ok && strings.Contains(string(value), server) {
			return d.Path
		}
	}
	return "/tool_name"
}

func valueAt(src []byte, path string) (value []byte, ok bool) {
	if path == "" {
		return nil, false
	}
	value = src
	for _, token := range strings.Split(path, "/")[1:] {
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
		if s, isText := ordjson.String(value); isText {
			value = []byte(s)
		}
		o, err := ordjson.Members(bytes.TrimSpace(value), 0)
		if err != nil {
			return nil, false
		}
		if value, ok = o.Get(token); !ok {
			return nil, false
		}
	}
	return value, true
}

// TestCallLaw checks law L1 for the committed payloads and all real ones.
func TestCallLaw(t *testing.T) {
	for n, seed := range callSeeds {
		for i, from := range lawDialects() {
			for j, to := range lawOwners() {
				if golden.LeftOut(n+i+j, 3) {
					continue
				}
				if _, _, _, faults := callLaw(from, to, []byte(seed), true); len(faults) > 0 {
					t.Errorf("%s\n%s", seed, strings.Join(faults, "\n"))
				}
			}
		}
	}
	all := allPayloads(t)
	for i, from := range lawDialects() {
		for j, to := range lawOwners() {
			n, without, carried, reported := 0, 0, 0, 0
			for k, p := range all[from.Profile().Name] {
				if golden.LeftOut(i+j+k, 3) {
					continue
				}
				got, said, done, faults := callLaw(from, to, p.Text, true)
				for _, f := range faults {
					t.Errorf("%s: %s", p.Name, f)
				}
				if !done {
					t.Errorf("%s: %s does not read its own payload", p.Name, from.Profile().Name)
				}
				n++
				if got+said == 0 {
					without++
				}
				carried, reported = carried+got, reported+said
			}
			t.Logf("%s to %s: %d payloads, %d without an event there, %d members carried, %d reported",
				from.Profile().Name, to.Profile().Name, n, without, carried, reported)
		}
	}
}

// FuzzCallLaw checks law L1 for any payload.
func FuzzCallLaw(f *testing.F) {
	hosts, owners := lawDialects(), lawOwners()
	all := allPayloads(f)
	for i, from := range hosts {
		for n, seed := range callSeeds {
			f.Add(uint8(i), uint8(n), []byte(seed))
		}
		for n, p := range all[from.Profile().Name] {
			if n%5 == 0 { // TestCallLaw has them all
				f.Add(uint8(i), uint8(n), p.Text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, from, to uint8, src []byte) {
		_, _, _, faults := callLaw(hosts[int(from)%len(hosts)], owners[int(to)%len(owners)], src, false)
		if len(faults) > 0 {
			t.Fatal(strings.Join(faults, "\n"))
		}
	})
}
