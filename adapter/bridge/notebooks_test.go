package bridge

import (
	"cmp"
	"context"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

// TestNotebooks checks that a guard on changes of notebooks has an entry in each agent and gets them, also if the model
// writes notebooks as files. Guards on files and on edits get a notebook's cell changes if their own agent changes
// notebooks with such tools.
func TestNotebooks(t *testing.T) {
	for _, host := range lawDialects() {
		for _, own := range lawOwners() {
			row, mine := host.Profile().ToolOfKind(schema.Notebook), own.Profile().ToolOfKind(schema.Notebook)
			if adapter.SameAgent(host, own) {
				continue
			}
			if row == nil || mine == nil {
				t.Errorf("%s, %s: no tool changes notebooks", host.Profile().Name, own.Profile().Name)
				continue
			}
			kind, input := schema.Write, `{"file_path":"x.ipynb","content":"{\"cells\":[]}"}`
			guarded := []*schema.ToolRow{mine}
			if row.Kinds[0] == schema.Notebook {
				kind, input = schema.Notebook, `{"notebook_path":"x.ipynb","new_source":"1","cell_id":"a"}`
				if mine.Kinds[0] != schema.Notebook {
					guarded = append(guarded, own.Profile().ToolOfKind(schema.Edit))
				}
			}
			for _, tool := range guarded {
				guardHolds(t, host, own, tool.NameAt(own.Profile().AsOf), sample.Event{Tool: kind.String(),
					Input: []byte(input)})
			}
		}
	}
}

// refusing returns a command that denies a call: with exit code 2, or with an answer if that exit code means nothing.
func refusing(own adapter.Dialect) string {
	const usual = "echo no >&2; exit 2"
	native := own.Profile().Generic(schema.PreTool)
	h := schema.Hook{Event: schema.PreTool, Native: native, Handler: schema.HandlerCommand}
	if r, _ := own.DecodeReply(&h, schema.View{Event: native}, &process.Result{Exit: 2}); r.Verdict == schema.Deny {
		return usual
	}
	return "echo " + shell.Quote(string(own.Refuse(nil, native, "no")))
}

// guardHolds checks that a guard of own with this matcher denies a call under host and has an entry there. The guard
// must not be reported as having no tools there.
func guardHolds(t *testing.T, host, own adapter.Dialect, matcher string, call sample.Event) {
	t.Helper()
	b := newBridge(t, host.Profile().Name, own.Profile().Name, refusing(own))
	h := b.Single
	h.Event, h.Native = schema.PreTool, own.Profile().Generic(schema.PreTool)
	h.Matcher, h.HasMatcher = matcher, true
	call.Event = cmp.Or(call.Event, host.Profile().Generic(schema.PreTool))
	call.Project, call.Session = b.Places.Project, "s"
	in, err := sample.Payload(host, sample.ForHost(host, call))
	if err != nil {
		t.Fatal(host.Profile().Name, err)
	}
	out, rep, err := b.Run(context.Background(), in, "")
	if err != nil || rep.Reply.Verdict != schema.Deny {
		t.Errorf("hooks of %s on %s under %s: %s\n%s %v %v", own.Profile().Name, matcher, host.Profile().Name, in, out,
			rep.Diagnostics, err)
	}
	becomes := plan.New(own, host).Outcome(h, true)
	absent := slices.ContainsFunc(becomes.Found, func(f plan.Finding) bool { return f.Member == schema.HookMatcher })
	if absent || len(becomes.Own) == 0 {
		t.Errorf("hooks of %s under %s: %v", own.Profile().Name, host.Profile().Name, becomes.Found)
	}
}
