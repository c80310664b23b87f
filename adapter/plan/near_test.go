package plan

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestRefusalGates checks where hookbridge denies a session that a hook denied at its start: at prompts, and at tools
// only if the host doesn't wait for the hooks of the start.
func TestRefusalGates(t *testing.T) {
	waits, races := 0, 0
	for _, from := range adapter.WithHooks() {
		native := from.Profile().Generic(schema.SessionStart)
		own := from.Profile().Row(native)
		if own == nil {
			continue
		}
		for _, to := range adapter.Dialects() {
			p := New(from, to)
			h := &schema.Hook{Event: schema.SessionStart, Native: native, Handler: schema.HandlerCommand}
			got := p.Route(h).refusalGates()
			start := to.Profile().Row(to.Profile().Generic(schema.SessionStart))
			where := from.Profile().Name + " under " + to.Profile().Name
			ends := func(f schema.Feature) bool { return f&schema.EffectEndTurn != 0 }
			if !ends(own.Honors) || start == nil || ends(Channels(to, start, 0)) {
				if len(got) > 0 {
					t.Errorf("%s: %v, though nothing is refused later", where, got)
				}
				continue
			}

			denies := func(e schema.Event) string {
				if row := to.Profile().Row(to.Profile().Generic(e)); row != nil && row.Honors&schema.EffectDeny != 0 {
					return row.Native
				}
				return ""
			}
			prompt, tool := denies(schema.PromptSubmit), denies(schema.PreTool)
			if slices.Contains(got, prompt) != (prompt != "") {
				t.Errorf("%s: %v lacks %q", where, got, prompt)
			}
			if has := tool != "" && slices.Contains(got, tool); has != (tool != "" && start.Beside) {
				t.Errorf("%s: %v, beside %v", where, got, start.Beside)
			}
			if start.Beside {
				races++
			} else {
				waits++
			}
			h.Event = schema.SessionEnd
			if got := p.Route(h).refusalGates(); got != nil {
				t.Errorf("%s: the end of a session has %v", where, got)
			}
		}
	}
	if waits == 0 || races == 0 {
		t.Errorf("%d hosts wait, %d don't", waits, races)
	}
}

// TestOpenVocabularies checks that no value is reported as unsent if users of either agent define values.
func TestOpenVocabularies(t *testing.T) {
	open, closed := 0, 0
	for _, from := range adapter.WithHooks() {
		for i := range from.Profile().Events {
			row := &from.Profile().Events[i]
			for _, to := range adapter.Dialects() {
				own, theirs := vocabularies(from, to, row)
				dead, some := UnsentValues(from, to, row)
				where := from.Profile().Name + " " + row.Native + " under " + to.Profile().Name
				if own == nil || theirs == nil || own.Open || theirs.Open {
					if open++; len(dead) > 0 || !some {
						t.Errorf("%s: %v never come", where, dead)
					}
					h := &schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand,
						Matcher: "made-up", HasMatcher: true}
					if own != nil && theirs != nil {
						if dead, live := Unsent(from, to, h); len(dead) > 0 || !live {
							t.Errorf("%s: a value that users make up is dead: %v", where, dead)
						}
					}
					continue
				}
				closed++
				sends := own.SpellAll(sent(to, theirs))
				for _, w := range own.SpellAll(sent(from, own)) {
					if slices.Contains(dead, w) == slices.Contains(sends, w) {
						t.Errorf("%s: %s is in %v and in %v", where, w, dead, sends)
					}
				}
				if all := own.SpellAll(sent(from, own)); some != (len(dead) < len(all)) {
					t.Errorf("%s: some are sent: %v, though %v of %v are not", where, some, dead, all)
				}
			}
		}
	}
	if open == 0 || closed == 0 {
		t.Errorf("%d open, %d closed", open, closed)
	}
}

// TestUnsaid: a hook for the model's messages has an entry exactly if hooks at the end of a turn get the last message
// or a transcript.
func TestUnsaid(t *testing.T) {
	from, _ := adapter.Find("cursor")
	h := &schema.Hook{Event: schema.AgentResponse, Native: "afterAgentResponse", Handler: schema.HandlerCommand,
		Command: "x"}
	for _, to := range adapter.Dialects() {
		row := to.Profile().Row(to.Profile().Generic(schema.Stop))
		c := &schema.Call{Dialect: to.Profile().Name, Event: schema.Stop, Native: row.Native}
		if slices.Contains(row.Fields, schema.FieldLastMessage) {
			c.SetStr(schema.FieldLastMessage, "done")
		}
		shown := slices.ContainsFunc(from.Views(c), func(v schema.View) bool { return v.Event == h.Native }) ||
			to.Abilities().Transcripts != nil
		becomes := New(from, to).Outcome(h, true)
		if planned := len(becomes.Own) > 0; planned != shown {
			t.Errorf("%s: planned %t, shown %t", to.Profile().Name, planned, shown)
		}
	}
}
