package conformance

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/junit"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Report collects results and tells them in several forms.
type Report struct {
	Name    string // of the implementation
	Results []Result
}

// A Count is how the vectors of one group came out.
type Count struct {
	Name                    string
	Passed, Failed, Skipped int
}

// Total is how many vectors the group has.
func (c Count) Total() int { return c.Passed + c.Failed + c.Skipped }

func (c *Count) add(outcome string) {
	switch outcome {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	default:
		c.Skipped++
	}
}

// Add takes up one result.
func (rep *Report) Add(r Result) { rep.Results = append(rep.Results, r) }

// All counts everything.
func (rep *Report) All() (c Count) {
	for i := range rep.Results {
		c.add(rep.Results[i].Outcome)
	}
	return c
}

// By counts by what group tells of a vector, in the order of the names.
func (rep *Report) By(group func(*Vector) string) (list []Count) {
	for i := range rep.Results {
		name := group(rep.Results[i].Vector)
		at := slices.IndexFunc(list, func(c Count) bool { return c.Name == name })
		if at < 0 {
			at = len(list)
			list = append(list, Count{Name: name})
		}
		list[at].add(rep.Results[i].Outcome)
	}
	slices.SortFunc(list, func(a, b Count) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// groups are the tables of a report.
var groups = []struct {
	name string
	of   func(*Vector) string
}{
	{"op", func(v *Vector) string { return string(v.Op) }},
	{"pair", (*Vector).Pair},
	{"confirmed", func(v *Vector) string { return v.Confirmed }},
}

// Text writes what failed and was skipped, and the counts.
func (rep *Report) Text(w io.Writer) {
	for i := range rep.Results {
		r := &rep.Results[i]
		switch r.Outcome {
		case Failed:
			fmt.Fprintf(w, "FAIL %s (%s:%d)\n", r.Vector.ID, r.Vector.File, r.Vector.Line)
			for _, line := range r.Wrong {
				fmt.Fprintf(w, "     %s\n", line)
			}
			fmt.Fprintf(w, "     why: %s\n", r.Vector.Why)
		case Skipped:
			fmt.Fprintf(w, "skip %s: %s\n", r.Vector.ID, r.Reason)
		}
	}
	for _, g := range groups {
		fmt.Fprintf(w, "%-20s %7s %7s %7s %7s\n", g.name, "vectors", Passed, Failed, Skipped)
		for _, c := range rep.By(g.of) {
			fmt.Fprintf(w, "  %-18s %7d %7d %7d %7d\n", c.Name, c.Total(), c.Passed, c.Failed, c.Skipped)
		}
	}
	c := rep.All()
	fmt.Fprintf(w, "%s: %d vectors, %d passed, %d failed, %d skipped\n", rep.Name, c.Total(), c.Passed, c.Failed, c.Skipped)
}

// JSON is the whole report as one object.
func (rep *Report) JSON() []byte {
	w := ordjson.NewWriter(nil)
	w.String("implementation", rep.Name)
	all := rep.All()
	all.write(&w)
	for _, g := range groups {
		inner := ordjson.NewWriter(nil)
		for _, c := range rep.By(g.of) {
			o := ordjson.NewWriter(nil)
			c.write(&o)
			inner.Raw(c.Name, o.Bytes())
		}
		w.Raw("by_"+g.name, inner.Bytes())
	}
	list := []byte{'['}
	for i := range rep.Results {
		if i > 0 {
			list = append(list, ',')
		}
		list = rep.Results[i].append(list)
	}
	w.Raw("results", append(list, ']'))
	return w.Bytes()
}

func (c *Count) write(w *ordjson.Writer) {
	w.Int("vectors", int64(c.Total()))
	w.Int(Passed, int64(c.Passed))
	w.Int(Failed, int64(c.Failed))
	w.Int(Skipped, int64(c.Skipped))
}

func (r *Result) append(dst []byte) []byte {
	w := ordjson.NewWriter(dst)
	w.String("id", r.Vector.ID)
	w.String("outcome", r.Outcome)
	w.String("confirmed", r.Vector.Confirmed)
	if r.Reason != "" {
		w.String("reason", r.Reason)
	}
	if len(r.Wrong) > 0 {
		list := []byte{'['}
		for i, s := range r.Wrong {
			if i > 0 {
				list = append(list, ',')
			}
			list = ordjson.AppendString(list, s)
		}
		w.Raw("wrong", append(list, ']'))
	}
	return w.Bytes()
}

// JUnit writes the report as JUnit XML, one suite an op.
func (rep *Report) JUnit() []byte {
	var suites []junit.Suite
	for _, c := range rep.By(groups[0].of) {
		suite := junit.Suite{Name: c.Name}
		for i := range rep.Results {
			if r := &rep.Results[i]; string(r.Vector.Op) == c.Name {
				suite.Cases = append(suite.Cases, r.testCase())
			}
		}
		suites = append(suites, suite)
	}
	return junit.XML(rep.Name, suites)
}

func (r *Result) testCase() junit.Case {
	v := r.Vector
	c := junit.Case{Class: string(v.Op) + "." + v.Pair(), Name: v.ID, File: v.File}
	switch r.Outcome {
	case Failed:
		c.Failure, c.Detail = r.Wrong[0], strings.Join(append(r.Wrong, "why: "+v.Why), "\n")
	case Skipped:
		c.Skipped = r.Reason
	}
	return c
}
