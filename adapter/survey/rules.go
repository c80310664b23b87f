package survey

import (
	"fmt"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// OwnRules returns notes on rules in a project's files with which an agent denies calls without a hook: they have no
// effect in the hosts.
func OwnRules(p schema.Places, hosts []adapter.Dialect) (notes []string) {
	for _, d := range adapter.Dialects() {
		if !slices.ContainsFunc(hosts, func(h adapter.Dialect) bool { return !adapter.SameAgent(h, d) }) {
			continue
		}
		for _, s := range d.Locate(p) {
			if !s.OfProject() || s.Folder {
				continue
			}
			for _, at := range append([]string{d.Profile().DenyRules}, d.Profile().OtherRules...) {
				if n := rulesIn(s.File, at); n > 0 {
					notes = append(notes, fmt.Sprintf("%s has %s under %s, which only %s follows: other agents run "+
						"such a call (%s). A hook that refuses it works in all of them%s", s.File, rules(n), at[1:],
						d.Profile().Title, schema.CodeRuleLeft, writesGuards(at == d.Profile().DenyRules)))
				}
			}
		}
	}
	return notes
}

func writesGuards(does bool) string {
	if does {
		return "; hookbridge convert --permissions writes guards"
	}
	return ""
}

func rules(n int) string {
	if n == 1 {
		return "1 rule"
	}
	return fmt.Sprint(n, " rules")
}

// rulesIn counts the rules in a file, 0 if it can't be read: check reports that.
func rulesIn(file, at string) int {
	text, err := discover.Read(file)
	if err != nil || at == "" {
		return 0
	}
	standard, err := jsonedit.Standard(text)
	if err != nil {
		return 0
	}
	list, err := ordjson.Elements(ordjson.At(standard, at), 0)
	if err != nil {
		return 0
	}
	return len(list)
}
