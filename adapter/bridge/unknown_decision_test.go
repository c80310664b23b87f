package bridge

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestUnknownDecisions checks every event of every agent at which a hook can deny. A decision in an unknown word is
// reported, in the agent itself and under others, and never allows.
func TestUnknownDecisions(t *testing.T) {
	misspelled := strings.NewReplacer(`"deny"`, `"denied"`, `"block"`, `"blocked"`)
	tried := 0
	for _, d := range adapter.WithHooks() {
		for _, row := range d.Profile().Events {
			r := &schema.Reply{Verdict: schema.Deny, Reason: "why"}
			switch refuses := row.Honors & (schema.EffectDeny | schema.EffectKeepGoing); {
			case refuses == 0, row.Event == schema.WorktreeCreate: // there the answer is a path
				continue
			case refuses&schema.EffectDeny == 0:
				r = &schema.Reply{KeepGoing: "why"}
			}
			payload := samplePayload(t, d, row)
			c, err := d.DecodeCall(payload, nil)
			if err != nil {
				t.Fatal(err)
			}
			answer := string(d.AppendReply(nil, c, r))
			if misspelled.Replace(answer) == answer { // it has no word
				continue
			}
			for host, in := range map[string][]byte{d.Profile().Name: payload, "cursor": sameEvent(t, "cursor", row),
				"claude": sameEvent(t, "claude", row)} {
				if in == nil {
					continue
				}
				b := newBridge(t, host, d.Profile().Name, "echo '"+misspelled.Replace(answer)+"'")
				_, rep, err := b.Run(context.Background(), in, "")
				if err != nil {
					t.Fatalf("%s %s under %s: %v", d.Profile().Name, row.Native, host, err)
				}
				reported := slices.ContainsFunc(rep.Diagnostics, func(d schema.Diagnostic) bool {
					return slices.Contains([]schema.Code{schema.CodeBadSchema, schema.CodeBadAnswer,
						schema.CodeForeignAnswer, schema.CodeIgnoredEffect}, d.Code)
				})
				for _, run := range rep.Runs {
					tried++
					verdict := run.Reply.Verdict
					if verdict == schema.Allow || verdict != schema.Deny && !reported {
						t.Errorf("%s %s under %s: %s is %s, findings %v", d.Profile().Name, row.Native, host,
							run.Result.Stdout, verdict, rep.Diagnostics)
					}
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d answers were tried", tried)
	}
}

// sameEvent returns a payload of the host's event that corresponds to another agent's, or nil.
func sameEvent(t *testing.T, host string, of schema.EventRow) []byte {
	h, err := adapter.Find(host)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range h.Profile().Events {
		if row.Event == of.Event && (row.Gate == nil) == (of.Gate == nil) {
			return samplePayload(t, h, row)
		}
	}
	return nil
}
