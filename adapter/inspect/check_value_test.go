package inspect

import (
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/schema"
)

// TestValuesThatNeverCome checks each event of each agent with a closed set of values: a matcher with another word is
// reported, and each value itself isn't.
func TestValuesThatNeverCome(t *testing.T) {
	tried := 0
	for _, d := range adapter.Dialects() {
		for _, row := range d.Profile().Events {
			v := d.Profile().Vocabularies.For(row.Event, row.MatchField)
			if row.Match != schema.MatchField || v == nil || v.Open {
				continue
			}
			for _, word := range append(plan.SentValues(d, &row), "nosuchvalue") {
				h := schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand, Command: "true",
					Matcher: word, HasMatcher: true}
				dead := slices.ContainsFunc(NeverRuns(d, &h, nil), func(f schema.Diagnostic) bool {
					return f.Code == schema.CodeDeadMatcher
				})
				if dead != (word == "nosuchvalue") {
					t.Errorf("%s, %s(%s): reported %t", d.Profile().Name, row.Native, word, dead)
				}
				tried++
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d matchers were tried", tried)
	}
}
