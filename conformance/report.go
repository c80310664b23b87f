package conformance

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/junit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// A Report collects results and writes them in several forms.
type Report struct {
	Name    string // of the implementation
	Results []Result
}

// A Count is the summary of the vectors of one group.
type Count struct {
	Name    string `json:"-"`
	Vectors int    `json:"vectors"`
	Passed  int    `json:"passed"`
	Failed  int    `json:"failed"`
	Skipped int    `json:"skipped"`
}

func (c *Count) add(outcome string) {
	c.Vectors++
	switch outcome {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	default:
		c.Skipped++
	}
}

// Add records one result.
func (rep *Report) Add(r Result) { rep.Results = append(rep.Results, r) }

// All counts everything.
func (rep *Report) All() (c Count) {
	for i := range rep.Results {
		c.add(rep.Results[i].Outcome)
	}
	return c
}

// By counts the vectors by the group that the function returns for them, in the order of the groups' names.
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

var groups = []struct {
	name string
	of   func(*Vector) string
}{
	{"op", func(v *Vector) string { return string(v.Op) }},
	{"pair", (*Vector).Pair},
	{"confirmed", func(v *Vector) string { return v.Confirmed }},
}

// Text writes the failed and skipped vectors, and the counts.
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
			fmt.Fprintf(w, "  %-18s %7d %7d %7d %7d\n", c.Name, c.Vectors, c.Passed, c.Failed, c.Skipped)
		}
	}
	c := rep.All()
	fmt.Fprintf(w, "%s: %d vectors, %d passed, %d failed, %d skipped\n", rep.Name, c.Vectors, c.Passed, c.Failed,
		c.Skipped)
}

type result struct {
	ID        string   `json:"id"`
	Outcome   string   `json:"outcome"`
	Confirmed string   `json:"confirmed"`
	Reason    string   `json:"reason,omitempty"`
	Wrong     []string `json:"wrong,omitempty"`
}

// JSON returns the whole report as one object.
func (rep *Report) JSON() []byte {
	by := func(group int) map[string]Count {
		out := map[string]Count{}
		for _, c := range rep.By(groups[group].of) {
			out[c.Name] = c
		}
		return out
	}
	doc := struct {
		Implementation string `json:"implementation"`
		Count
		ByOp        map[string]Count `json:"by_op"`
		ByPair      map[string]Count `json:"by_pair"`
		ByConfirmed map[string]Count `json:"by_confirmed"`
		Results     []result         `json:"results"`
	}{rep.Name, rep.All(), by(0), by(1), by(2), []result{}}
	for i := range rep.Results {
		r := &rep.Results[i]
		doc.Results = append(doc.Results, result{r.Vector.ID, r.Outcome, r.Vector.Confirmed, r.Reason, r.Wrong})
	}
	return jsondoc.Marshal(doc)
}

// JUnit returns the report as JUnit XML, one suite per op.
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

// difference describes where two JSON values differ, "" if they are the same. The order of fields and the escapes in a
// string don't matter; numbers are compared as written. A string that contains a JSON object is compared as that
// object.
func difference(path string, want, got []byte) string {
	here := cmp.Or(path, "the whole")
	k := ordjson.KindOf(want)
	switch {
	case ordjson.KindOf(got) != k:
	case k == ordjson.ObjectKind:
		a, _ := ordjson.Members(want, 0)
		b, _ := ordjson.Members(got, 0)
		return differentMembers(path, a, b)
	case k == ordjson.Array:
		a, _ := ordjson.Elements(want, 0)
		b, _ := ordjson.Elements(got, 0)
		for i := range min(len(a), len(b)) {
			if d := difference(path+"/"+strconv.Itoa(i), a[i].Value, b[i].Value); d != "" {
				return d
			}
		}
		if len(a) != len(b) {
			return here + " has " + strconv.Itoa(len(b)) + " elements, want " + strconv.Itoa(len(a)) + ": " +
				brief(string(got))
		}
		return ""
	case k == ordjson.StringKind:
		a, _ := ordjson.String(want)
		b, _ := ordjson.String(got)
		if x, err := ordjson.Parse([]byte(a)); err == nil && a != b {
			if y, err := ordjson.Parse([]byte(b)); err == nil {
				return differentMembers(path, x, y)
			}
		}
		if a == b {
			return ""
		}
	case string(want) == string(got):
		return ""
	}

	return here + " is " + brief(string(got)) + ", want " + brief(string(want))
}

func differentMembers(path string, a, b ordjson.Object) string {
	for _, m := range a {
		v, ok := b.Get(m.Name)
		at := ordjson.Pointer(path, m.Name)
		if !ok {
			return at + " is missing, want " + brief(string(m.Value))
		}
		if d := difference(at, m.Value, v); d != "" {
			return d
		}
	}
	for _, m := range b {
		if _, ok := a.Get(m.Name); !ok {
			return ordjson.Pointer(path, m.Name) + " is too much: " + brief(string(m.Value))
		}
	}
	return ""
}

func sameFindings(want, got []Finding) string {
	if slices.Equal(want, got) {
		return ""
	}
	listed := func(fs []Finding) string { return cmp.Or(strings.Join(lists.Map(fs, Finding.String), ", "), "none") }
	return "diagnostics: " + listed(got) + ", want " + listed(want)
}
