package adapter_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"sync"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// every lists each dialect and its programs.
var every = sync.OnceValue(func() (all []dialect.Dialect) {
	for _, d := range adapter.Dialects() {
		all = append(all, d)
		for _, p := range d.Profile().Programs {
			if one, err := d.At(p.Name); err == nil {
				all = append(all, one)
			}
		}
	}
	return all
})

// addPayloads seeds a target with the recorded payloads.
func addPayloads(f *testing.F) {
	for i, agent := range material.Agents(f) {
		for _, p := range material.Payloads(f, agent) {
			f.Add(uint8(i%len(every())), p.Text)
		}
	}
}

// addCorpus seeds a target with published files, if they exist.
func addCorpus(f *testing.F, pattern string) {
	for i, name := range material.Published(f, pattern) {
		if text, err := os.ReadFile(name); err == nil {
			f.Add(uint8(i%len(every())), text)
		}
	}
}

// FuzzPayload checks for every agent that a payload is read, or rejected with an error. Each view of it must be written
// as JSON that the agent's own reader accepts.
func FuzzPayload(f *testing.F) {
	for i := range every() {
		f.Add(uint8(i), []byte(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","tool_name":"Bash",`+
			`"tool_input":{"command":"rm x"}}`))
		f.Add(uint8(i), []byte(`{"sessionId":"s","timestamp":1,"cwd":"/p","toolName":"apply_patch","toolArgs":"*** `+
			`Begin Patch\n*** Delete File: a\n*** End Patch"}`))
		f.Add(uint8(i), []byte(`{"hook_event_name":"AfterTool","tool_name":"mcp_a_b","tool_input":{},`+
			`"tool_response":{"llmContent":[{"text":"x"}]},"mcp_context":5}`))
	}
	addPayloads(f)
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		d := every()[int(which)%len(every())]
		c, ds := d.DecodeCall(src, nil)
		if c == nil {
			if ds.Max() != schema.Error {
				t.Fatalf("%s: no call and no error", d.Profile().Full())
			}
			return
		}
		for _, v := range d.Views(c) {
			out := d.AppendCall(nil, c, v)
			if err := ordjson.Check(out); err != nil {
				t.Fatalf("%s: %s: %v", d.Profile().Full(), out, err)
			}
			d.Shown(c, v)
		}
	})
}

// TestRefusalStatus: the exit code in a profile denies a tool call, with a reason on stderr. If a profile has none, no
// exit code denies.
func TestRefusalStatus(t *testing.T) {
	for _, d := range every() {
		for i := range d.Profile().Events {
			row := &d.Profile().Events[i]
			if row.Event != schema.PreTool || !d.Profile().Has(row) {
				continue
			}
			h := &schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate != nil,
				Handler: schema.HandlerCommand, Command: "x"}
			refuses := func(exit int) bool {
				r, _ := d.DecodeReply(h, schema.View{Event: row.Native}, &dialect.Result{Exit: exit,
					Stderr: []byte("no")})
				return r.Verdict == schema.Deny
			}
			stated := d.Profile().RefusalStatus
			if stated != 0 && !refuses(stated) {
				t.Errorf("%s: exit code %d doesn't refuse %s", d.Profile().Full(), stated, row.Native)
			}
			for exit := 1; stated == 0 && exit < 256; exit++ {
				if refuses(exit) {
					t.Errorf("%s: exit code %d refuses %s", d.Profile().Full(), exit, row.Native)
				}
			}
		}
	}
}

// FuzzAnswer checks for every agent that a hook's answer is written as one object or not at all.
func FuzzAnswer(f *testing.F) {
	for i := range every() {
		for _, s := range []string{`{"decision":"block","reason":"r"}`, `{"permissionDecision":"deny"}`,
			`{"continue":false}`, `{`, `text`, `[]`,
			`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",` +
				`"updatedInput":{"command":"x"}}}`} {
			f.Add(uint8(i), uint8(0), uint8(0), []byte(s), []byte("e"))
			f.Add(uint8(i), uint8(3), uint8(2), []byte(s), []byte("no"))
		}
	}
	f.Fuzz(func(t *testing.T, which, event, exit uint8, stdout, stderr []byte) {
		d := every()[int(which)%len(every())]
		row := &d.Profile().Events[int(event)%len(d.Profile().Events)]
		h := &schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate != nil, Handler: schema.HandlerCommand,
			Command: "x"}
		v := schema.View{Event: row.Native}
		c := &schema.Call{Dialect: d.Profile().Agent(), Event: row.Event, Native: row.Native, Gate: row.Gate != nil}
		if row.Event.IsTool() && len(d.Profile().Tools) > 0 {
			tool := d.Profile().Tools[0]
			v.Tool, v.Kind, v.Target = tool.Name, schema.Shell, []string{tool.Name}
			c.Tool = schema.Tool{Name: tool.Name, Kinds: tool.Kinds}
		}
		r, _ := d.DecodeReply(h, v, &dialect.Result{Exit: int(exit), Stdout: stdout, Stderr: stderr})
		if out := d.AppendReply(nil, c, &r); len(out) > 0 {
			if _, err := ordjson.Parse(out); err != nil {
				t.Fatalf("%s: %s: %s: %v", d.Profile().Full(), row.Native, out, err)
			}
		}
	})
}

// FuzzFrontMatter checks that every agent that reads front matter gets its hooks as JSON, on the lines of the file. A
// mistake must have its place.
func FuzzFrontMatter(f *testing.F) {
	const hooks = "hooks:\n  Stop:\n  - hooks:\n    - type: command\n      command: x\n---\n"
	for i := range every() {
		for _, head := range []string{"", "description: a: b\n", "description: @x # y\n", "a: |\n  b\n\tc: d: e\n",
			"a: --- b\n", "a: &x [1]\nb: *x\n", "\"a\": 'b' c\n"} {
			f.Add(uint8(i), []byte("---\n"+head+hooks))
		}
	}
	addCorpus(f, "*/*/*.md")
	f.Fuzz(func(t *testing.T, which uint8, md []byte) {
		d := every()[int(which)%len(every())]
		rules := d.Profile().FrontMatter
		text, found, err := rules.JSON(md, "hooks")
		lines := 1 + bytes.Count(md, []byte{'\n'})
		var e *frontmatter.Error
		switch {
		case err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Line > lines || e.Col < 1):
			t.Fatalf("%s: %#v", d.Profile().Full(), err)
		case found != (err == nil && text != nil) || found && !json.Valid(text): // a name may be there twice
			t.Fatalf("%s: %q, %v, %v", d.Profile().Full(), text, found, err)
		case found && bytes.Count(text, []byte{'\n'}) >= lines:
			t.Fatalf("%s: %q has more lines than the file", d.Profile().Full(), text)
		}
	})
}

// FuzzHookFile checks for every agent that findings have a place and that a rejected file has no hooks. Hooks must have
// everything that running them requires.
func FuzzHookFile(f *testing.F) {
	for i := range every() {
		f.Add(uint8(i), []byte(`{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"x",`+
			`"args":["a"],"timeout":1e99}]}]}}`))
		f.Add(uint8(i), []byte(`{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"x","timeoutSec":-1,`+
			`"matcher":"["}]}}`))
		f.Add(uint8(i), []byte("// c\n{\"hooks\":{\"BeforeTool\":{\"hooks\":[{\"type\":\"command\","+
			"\"command\":\"x\",\"command\":5}]}}}/*"))
	}
	addCorpus(f, "*/*/*.json")
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		d := every()[int(which)%len(every())]
		cfg, ds := d.ParseConfig(src, schema.Source{File: "f"})
		void := false
		for _, x := range ds {
			void = void || x.Code == schema.CodeVoidFile
			if x.File != "f" || x.Line < 1 || x.Col < 1 || x.Message == "" {
				t.Fatalf("%s: %v has no place", d.Profile().Full(), x)
			}
		}
		if void && len(cfg.AsKnown().Hooks) > 0 {
			t.Fatalf("%s: a void file has hooks: %v", d.Profile().Full(), ds)
		}
		for i := range cfg.Hooks {
			h := &cfg.Hooks[i]
			placed := h.Path != "" && h.Line > 0 && h.Col > 0
			if h.Event == 0 || h.Handler == 0 || !placed || h.Timeout < 0 || d.Profile().Timeout(h) <= 0 {
				t.Fatalf("%s: %+v", d.Profile().Full(), h)
			}
			d.Profile().KeyOf(h)
			d.Select(h)
		}
		d.Resolve([]*schema.Config{cfg})
	})
}
