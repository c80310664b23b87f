package bridge

import (
	"context"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/schema"
)

// TestAliases holds that a guard on a tool without a kind runs where the host has the tool under another name and its
// own matchers know the guard's.
func TestAliases(t *testing.T) {
	tried := 0
	for _, host := range lawDialects() {
		for _, own := range lawOwners() {
			if adapter.SameAgent(host, own) {
				continue
			}
			for _, row := range host.Profile().Tools {
				i := slices.IndexFunc(row.Aliases, func(alias string) bool {
					return slices.Contains(own.Profile().PlainTools, alias)
				})
				if len(row.Kinds) > 0 || len(row.Also) > 0 || i < 0 {
					continue
				}
				tried++
				b := newBridge(t, host.Profile().Name, own.Profile().Name, "echo no >&2; exit 2")
				h := b.Single
				h.Event, h.Native = schema.PreTool, own.Profile().Generic(schema.PreTool)
				h.Matcher, h.HasMatcher = row.Aliases[i], true
				in, err := sample.Payload(host, sample.Event{Event: host.Profile().Generic(schema.PreTool),
					Tool: row.Name, Input: []byte(`{"x":1}`), Project: b.Places.Project, Session: "s"})
				if err != nil {
					t.Fatal(host.Profile().Name, row.Name, err)
				}
				out, rep, err := b.Run(context.Background(), in, "")
				if err != nil || rep.Reply.Verdict != schema.Deny {
					t.Errorf("hooks of %s on %s under %s: %s\n%s %v %v", own.Profile().Name, h.Matcher,
						host.Profile().Name, in, out, rep.Diagnostics, err)
				}
				p := plan.New(own, host)
				if code, _, message := p.Absence(h); code != "" || len(p.Entries(h, true)) == 0 {
					t.Errorf("hooks of %s under %s: %s %s", own.Profile().Name, host.Profile().Name, code, message)
				}
			}
		}
	}
	if tried == 0 {
		t.Skip("no such tool")
	}
}
