package adapter_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestOddDocuments compares the results for documents that are nearly right: each field of each agent's configurations,
// payloads and answers is left out, or has a value of another type.
func TestOddDocuments(t *testing.T) {
	inputs := vectorInputs(t)
	var sums golden.Digests
	all := adapter.Dialects()
	for _, name := range []string{"claude@2.0.0", "cursor@2.4", "codex@0.150.0"} { // that read no newer version's words
		d, err := adapter.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	for i, d := range all {
		name := d.Profile().Name
		for j, kind := range []struct {
			name string
			docs [][]byte
			read func(io.Writer, adapter.Dialect, []byte)
		}{
			{"configurations", inputs["config"][name], readConfig},
			{"answers", inputs["reply"][name], readReply},
			{"payloads", payloadsOf(t, name), readPayload},
			{"transcripts", spoken, readTranscript},
			{"forms", eventForms(d), readConfig},
			{"replies", [][]byte{nil}, writeReplies},
		} {
			if golden.LeftOut(i+j, 3) {
				continue
			}
			out := sums.Of(d.Profile().Full() + " " + kind.name)
			for _, doc := range kind.docs {
				kind.read(out, d, doc)
				for _, odd := range oddForms(doc) {
					kind.read(out, d, odd)
				}
				for _, odd := range oddTexts(doc) {
					kind.read(out, d, odd)
				}
			}
		}
	}
	sums.Compare(t, "testdata/odd.txt")
}

// vectorInputs returns some inputs of the conformance vectors, by kind and agent.
func vectorInputs(t *testing.T) map[string]map[string][][]byte {
	all := map[string]map[string][][]byte{}
	for _, kind := range []string{"config", "reply"} {
		all[kind] = map[string][][]byte{}
		files, err := filepath.Glob("../conformance/vectors/" + kind + "/*.json")
		if err != nil || len(files) == 0 {
			t.Fatal(kind, err)
		}
		seen := map[string]bool{}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range ordjson.Objects(text) {
				from, _, _ := strings.Cut(v.Str("from"), "@")
				input := v.Value("input")
				if key := from + string(input); i%2 == 0 && !seen[key] && len(all[kind][from]) < 80 {
					seen[key] = true
					all[kind][from] = append(all[kind][from], input)
				}
			}
		}
	}
	return all
}

func payloadsOf(t *testing.T, agent string) (docs [][]byte) {
	for _, p := range material.Payloads(t, agent) {
		docs = append(docs, p.Text)
	}
	return docs
}

// eventForms returns configurations with an agent's events, with hooks in each form that the agent reads.
func eventForms(d adapter.Dialect) (docs [][]byte) {
	const hook = `{"type":"command","command":"x"}`
	rows := d.Profile().Events
	if at := strings.TrimPrefix(d.Profile().EventsAt, "/"); at != "" && len(rows) > 1 {
		for i, form := range []string{`[{"hooks":[%s]}]`, "[%s]", "%s", `{"hooks":[%s]}`, `[{"hooks":[%s,%[1]s,{}]},3]`,
			`[{"matcher":"[","hooks":[%s]}]`, `[{"matcher":"Bash","command":"x"}]`, `[{"hooks":3}]`,
			`[%s,{"hooks":[%[1]s]}]`,
			`[{"hooks":[{"command":"x"}]},{"hooks":[{"type":"none"}]}]`} {
			native := rows[i%len(rows)].Native
			text := strings.ReplaceAll(form, "%[1]s", "%s")
			text = strings.ReplaceAll(text, "%s", hook)
			docs = append(docs, fmt.Appendf(nil, `{"version":1,%q:{%q:%s,%q:%[3]s}}`, at, native, text,
				strings.ToUpper(native)))
		}
	}
	return docs
}

// oddForms returns a document with each of its fields left out or changed, four levels deep.
func oddForms(doc []byte) (all [][]byte) {
	var walk func(value []byte, level int, with func([]byte) []byte)
	walk = func(value []byte, level int, with func([]byte) []byte) {
		if level == 0 {
			return
		}
		if list, err := ordjson.Elements(value, 0); err == nil && len(list) > 0 {
			walk(list[0].Value, level, func(v []byte) []byte { return with(fmt.Appendf(nil, "[%s]", v)) })
			return
		}
		o, err := ordjson.Members(value, 0)
		if err != nil {
			return
		}
		for i, m := range o {
			put := func(v []byte) []byte {
				changed := append(ordjson.Object(nil), o...)
				if changed[i].Value = v; v == nil {
					changed = append(changed[:i:i], changed[i+1:]...)
				}
				return with(changed.Append(nil))
			}
			all = append(all, put(nil))
			for _, v := range []string{"null", "true", "-1", "2.5", `""`, `"odd"`, "[]", `["a"]`, "{}", `{"a":1}`} {
				all = append(all, put([]byte(v)))
			}
			walk(m.Value, level-1, put)
		}
	}
	walk(doc, 4, func(v []byte) []byte { return v })
	return all
}

// oddTexts returns a document in other bytes, or with its first field in another place.
func oddTexts(doc []byte) (all [][]byte) {
	const mark = "\ufeff"
	for _, form := range []string{mark + "%s", mark + mark + "%s", "// a\n%s", "[%s]", `{"x":"\xff","hooks":%s}`,
		`{"x":"\ud83d","y":%s}`, `{"hooks":%s}`, `{"hook":%s}`, `{"hooks":[%s,"./a.json"]}`} {
		all = append(all, fmt.Appendf(nil, form, doc))
	}
	if o, err := ordjson.Parse(doc); err == nil && len(o) > 0 {
		first := ordjson.AppendString(nil, o[0].Name)
		all = append(all, o[0].Value, fmt.Appendf(nil, `{%s:%s,%s:%s}`, first, o[0].Value, first, o[0].Value),
			fmt.Appendf(nil, `{%s:%s,}`, first, o[0].Value), fmt.Appendf(nil, `{"hook":%s}`, o[0].Value))
	}
	return append(all, []byte(" "), nil)
}

func found(w io.Writer, ds schema.Diagnostics) {
	for _, d := range ds {
		fmt.Fprintf(w, " %s %v %s", d.Code, d.Severity, d.Path)
	}
	fmt.Fprintln(w)
}

func readConfig(w io.Writer, d adapter.Dialect, doc []byte) {
	given := []schema.Source{d.Given("/p/plugin/hooks/hooks.json")}
	if plugins := d.Profile().Plugins; len(plugins.Manifests) > 0 {
		given = append(given, schema.Source{File: "/p/plugin/" + plugins.Manifests[0], Scope: schema.ScopePlugin})
	}
	for _, at := range given {
		c, ds := d.ParseConfig(doc, at)
		found(w, ds)
		if c != nil {
			fmt.Fprintln(w, len(c.Hooks), c.Void)
		}
	}
	c, ds := d.ParseConfig(doc, schema.Source{File: "/p/hooks.json", Scope: schema.ScopeProject})
	found(w, ds)
	if c == nil {
		return
	}
	fmt.Fprintln(w, c.Void, c.Disabled, c.Unknown, c.Env, c.AllowURLs, c.AllowEnv)
	if c.Known != nil {
		fmt.Fprintln(w, "known versions run", len(c.Known.Hooks), c.Known.Void)
	}
	for i := range c.Hooks {
		h := c.Hooks[i]
		limit := h.LoopLimit
		h.LoopLimit, h.Source = nil, schema.Source{}
		fmt.Fprintf(w, "%+v loop %v\n", h, limit != nil)
		all := adapter.Dialects()
		for j := range 3 { // elsewhere
			to := all[(i+j*7+len(doc))%len(all)]
			fmt.Fprintf(w, "  %s %+v\n", to.Profile().Name, to.Plan(&h, d.Select(&h)))
		}
		for _, e := range d.Plan(&h, d.Select(&h)) {
			text, said := d.WriteHook(e, &h)
			fmt.Fprintf(w, "  %s %q: %s %v\n", e.Native, e.Matcher, text, said)
		}
	}
	fmt.Fprintf(w, "%s\n", c.Extra.Append(nil))
}

func readReply(w io.Writer, d adapter.Dialect, doc []byte) {
	stdout := doc
	if o, err := ordjson.Parse(doc); err == nil && o.Value("stdout") != nil {
		stdout = []byte(o.Str("stdout"))
	}
	for _, e := range []schema.Event{schema.PreTool, schema.PostTool, schema.PromptSubmit, schema.Stop,
		schema.SessionStart, schema.PermissionRequest} {
		native := d.Profile().Generic(e)
		if native == "" && e == schema.SessionStart {
			native = "Unheard"
		} else if native == "" {
			continue
		}
		h := schema.Hook{Event: e, Native: native, Handler: schema.HandlerCommand}
		for exit := range 3 {
			r, ds := d.DecodeReply(&h, schema.View{Event: native}, &process.Result{Stdout: stdout, Exit: exit,
				Stderr: []byte("why")})
			fmt.Fprintf(w, "%s %d %+v\n", native, exit, r)
			found(w, ds)
			call := &schema.Call{Dialect: d.Profile().Name, Event: e, Native: native}
			fmt.Fprintf(w, "%s\n", d.AppendReply(nil, call, &r))
		}
	}
}

// spoken has lines of a transcript as Claude Code and agents that copied its protocol write them.
var spoken = [][]byte{
	[]byte(`{"type":"user","message":{"role":"user","content":"fix it"},"uuid":"1",` +
		`"timestamp":"2026-11-22T02:46:35.889Z"}`),
	[]byte(`{"type":"assistant","isSidechain":true,"message":{"id":"m","role":"assistant","model":"x","content":[` +
		`{"type":"thinking","thinking":"hm","signature":"x"},{"type":"text","text":"so"}],"stop_reason":"end_turn",` +
		`"usage":{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":3}},"uuid":"2"}`),
	[]byte(`{"type":"assistant","message":{"id":"m","role":"assistant","model":"x","content":[{"type":"tool_use",` +
		`"id":"t","name":"Bash","input":{"command":"make"}}],"stop_reason":"tool_use"},"uuid":"3"}`),
	[]byte(`{"type":"user","isMeta":true,"message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result",` +
		`"content":"ok","is_error":true}]},"uuid":"4","toolUseResult":{"stdout":"ok"}}`),
	[]byte(`{"type":"user","message":{"role":"user","content":[{"type":"image","source":` +
		`{"type":"base64"}}]},"uuid":"5"}`),
	[]byte(`{"type":"attachment","uuid":"6"}`),
	[]byte(`{"type":"user","message":{"role":"user","content":[{"type":"text","text":"a"},{"tool_use_id":"t",` +
		`"type":"tool_result"},{"type":"text","text":"b"},{"type":"image","source":{"type":"base64"}}]},"uuid":"7"}`),
	[]byte(`{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","name":"Read",` +
		`"input":{"file_path":"/a"}},{"type":"tool_use","name":"mcp__s__t","input":["x"]},{"type":"text",` +
		`"text":"so"}]},"uuid":"8"}`),
	[]byte(`{"type":"user","isSidechain":true,"message":{"role":"user","content":[]},"uuid":"9"}`),
}

// readTranscript reads a line as the agent does, and writes its content for the agent and for Claude Code.
func readTranscript(w io.Writer, d adapter.Dialect, line []byte) {
	reader := d.Abilities().Transcripts
	if reader == nil {
		return
	}
	claude, _ := adapter.Find(adapter.Default)
	for _, from := range []adapter.Dialect{claude, d} {
		list, err := from.Abilities().Transcripts.DecodeMessage(line)
		fmt.Fprintf(w, "%v %+v\n", err != nil, list)
		for i := range list {
			for _, t := range []schema.Thread{{Session: "s", Cwd: "/w"}, {Session: "s", Agent: "a", Model: "y",
				Version: "1.0.0", Now: time.Unix(1, 0).UTC()}} {
				for range 2 { // the second one follows the first
					fmt.Fprintf(w, "%s\n", reader.AppendMessage(nil, &list[i], &t))
				}
			}
		}
	}
}

// given are replies with each effect, alone and combined.
var given = []schema.Reply{{}, {Verdict: schema.Deny}, {Verdict: schema.Deny, Reason: "r"},
	{Verdict: schema.Deny, Reason: "r", UserReason: "u", Notice: "n"},
	{Verdict: schema.Allow, Reason: "r", Context: "c"},
	{Verdict: schema.Ask, Reason: "r", UserReason: "r"}, {KeepGoing: "k"}, {Feedback: "f", Context: "c"},
	{EndTurn: true}, {EndTurn: true, EndReason: "e", Notice: "n"}, {Notice: "n"}, {Context: "c"},
	{Verdict: schema.Allow, Input: schema.Args{{Role: schema.RoleCommand, Raw: []byte(`"ls"`)},
		{Name: "x", Raw: []byte("1")}}},
	{Output: []byte(`"o"`)}, {Output: []byte(`{"stdout":"o"}`), Feedback: "f"},
	{Verdict: schema.Deny, Others: []schema.Effect{{Feature: schema.EffectInterrupt, Raw: []byte("true")},
		{Feature: schema.EffectElicit, Raw: []byte(`{"action":"accept","content":{}}`)}}},
	{Verdict: schema.Allow, Others: []schema.Effect{{Feature: schema.EffectPermissions, Raw: []byte("[]")},
		{Feature: schema.EffectElicit, Raw: []byte(`{"action":"accept","content":{}}`)},
		{Feature: schema.EffectTerminal, Raw: []byte(`"t"`)}}},
	{Notice: "n", Others: []schema.Effect{{Feature: schema.EffectQuiet, Raw: []byte("true")}}},
	{Others: []schema.Effect{{Feature: schema.EffectQuiet, Raw: []byte("true")}}}}

// writeReplies writes the agent's answers on each event, and its denials.
func writeReplies(w io.Writer, d adapter.Dialect, _ []byte) {
	shell := d.Profile().ToolOfKind(schema.Shell)
	for _, row := range d.Profile().Events {
		c := &schema.Call{Dialect: d.Profile().Name, Event: row.Event, Native: row.Native}
		if row.Event.IsTool() && shell != nil {
			c.Tool = schema.Tool{Name: shell.Name, Kinds: []schema.Kind{schema.Shell}}
		}
		for i := range given {
			r := given[i]
			fmt.Fprintf(w, "%s %s %v\n", row.Native, d.AppendReply(nil, c, &r), d.Honors(c, &r))
		}
		fmt.Fprintf(w, "%s refused: %s\n", row.Native, d.Refuse(nil, row.Native, "why"))
	}
	fmt.Fprintf(w, "refused: %s\n", d.Refuse(nil, "none", "why"))
}

func readPayload(w io.Writer, d adapter.Dialect, doc []byte) {
	var env schema.Environ
	for _, name := range d.Profile().HostVariables {
		env = append(env, name+"=/v")
	}
	for _, row := range d.Profile().Reads { // those of the project, and of sessions in the cloud, among them
		env = append(env, row.Name+"=/w")
	}
	if c, _ := d.DecodeCall(doc, env); c != nil {
		fmt.Fprintln(w, c.Project, c.Remote, c.Version)
	}
	c, ds := d.DecodeCall(doc, nil)
	found(w, ds)
	if c == nil {
		return
	}
	fmt.Fprintln(w, c.Event, c.Gate, c.Cwd, c.Project, c.Malformed, c.Tool.Kinds, c.Tool.UseID, c.Tool.Aliases)
	claude, _ := adapter.Find(adapter.Default)
	qwen, _ := adapter.Find("qwen")
	for _, shown := range []adapter.Dialect{d, claude, qwen} {
		for _, v := range shown.Views(c) {
			fmt.Fprintf(w, "%+v %s\n", v, shown.AppendCall(nil, c, v))
		}
	}
}
