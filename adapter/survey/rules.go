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

// OwnRules are notes on the rules in a project's files by which an agent refuses calls without a hook: they hold
// nothing in the hosts.
func OwnRules(p schema.Places, hosts []adapter.Dialect) (notes []string) {
	for _, d := range adapter.Dialects() {
		at := d.Profile().DenyRules
		others := slices.ContainsFunc(hosts, func(h adapter.Dialect) bool { return !adapter.SameAgent(h, d) })
		if at == "" || !others {
			continue
		}
		for _, s := range d.Locate(p) {
			n := 0
			if s.OfProject() && !s.Folder {
				n = rulesIn(s.File, at)
			}
			if n > 0 {
				notes = append(notes, fmt.Sprintf("%s has %s under %s, which only %s follows: other agents run such "+
					"a call. A hook that refuses it works in all of them; hookbridge convert --permissions writes "+
					"guards", s.File, rules(n), at[1:], d.Profile().Title))
			}
		}
	}
	return notes
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
	if err != nil {
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
