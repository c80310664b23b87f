package inspect

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// repeated reports the hooks that Shared finds: the host runs their command once for each of them.
func (x *examination) repeated() {
	var starts []Start
	var places []int // of each start in x.found
	for i, f := range x.found {
		if f.Hook == nil || f.Status() == Excluded || f.Status() > Weaker {
			continue
		}
		if d, err := adapter.Find(f.Hooks); err == nil {
			starts, places = append(starts, Start{d, f.Hook}), append(places, i)
		}
	}

	for i, others := range Shared(x.host, x.places, starts) {
		if len(others) == 0 {
			continue
		}
		var hooks []*schema.Hook
		for _, j := range others {
			hooks = append(hooks, starts[j].Hook)
		}
		same := append(others, i)
		slices.Sort(same)
		var all []Start
		for _, j := range same {
			all = append(all, starts[j])
		}
		f := &x.found[places[i]]
		f.Problems = append(f.Problems, Problem{Twice, schema.CodeRunsTwice, schema.Loss, x.host.Profile().Title +
			" runs the same command for " + x.placesOf(hooks), KeepOne(x.host, x.places, all)})
		slices.SortStableFunc(f.Problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(b.Status, a.Status), cmp.Compare(b.Severity, a.Severity))
		})
	}
}
