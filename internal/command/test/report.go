package test

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/command/story"
	"github.com/hookbridge/hookbridge/internal/junit"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

func (r *testResult) state() string {
	switch {
	case r.skipped != "":
		return "skip"
	case len(r.wrong) > 0:
		return "FAIL"
	}
	return "pass"
}

// text writes a table with a line for each scenario and a column for each agent, then the failures.
func (t *tester) text(w io.Writer) {
	p := cli.PainterFor(w)
	var hosts []string
	for _, r := range t.results {
		hosts = lists.With(hosts, r.host)
	}

	table := &cli.Text{P: p, Full: true}
	table.Add(append([]cli.Cell{{Text: "scenario"}},
		lists.Map(hosts, func(h string) cli.Cell { return cli.Cell{Text: h} })...)...)
	for i := 0; i < len(t.results); {
		first := &t.results[i]
		s := first.scenario
		row := map[string]string{}
		for ; i < len(t.results) && t.results[i].inRow(first); i++ {
			row[t.results[i].host] = t.results[i].state()
		}
		table.Add(append([]cli.Cell{{Text: schema.Printable(s.Name)}},
			lists.Map(hosts, func(h string) cli.Cell {
				if row[h] == "" {
					return cli.Cell{Text: "-"}
				}
				return cli.Cell{Text: row[h], Color: cli.ColorOf(row[h], cli.Faint)}
			})...)...)
	}

	table.Write(w)
	for i := range t.results {
		r := &t.results[i]
		if hosts, first := t.alike(i); len(r.wrong) > 0 && first {
			r.explain(w, p, hosts)
		}
	}

	t.leftOut(w)
	fmt.Fprintf(w, "\n%s\n", t.summary())
}

// inRow reports whether a result is in the row of another one.
func (r *testResult) inRow(first *testResult) bool {
	return r.scenario == first.scenario || r.everyGuard && first.everyGuard
}

// alike names the agents whose entries lack the same guards for the same reasons as those of a result. first reports
// whether the result is the first among theirs.
func (t *tester) alike(at int) (hosts string, first bool) {
	r := &t.results[at]
	if !r.everyGuard {
		return r.host, true
	}
	var names []string
	first = true
	for i := range t.results {
		if other := &t.results[i]; other.everyGuard && slices.Equal(other.wrong, r.wrong) {
			names = append(names, other.host)
			first = first && i >= at
		}
	}
	return strings.Join(names, ", "), first
}

// leftOut lists the arguments that simulated calls had to leave out.
func (t *tester) leftOut(w io.Writer) {
	gap := "\n"
	for i := range t.results {
		r := &t.results[i]
		if r.show.Out == nil {
			continue
		}
		for _, d := range r.show.Out.Left {
			fmt.Fprintf(w, "%s%s (%s): %s\n", gap, schema.Printable(r.scenario.Name), r.host,
				schema.Printable(d.String()))
			gap = ""
		}
	}
}

func (r *testResult) explain(w io.Writer, p cli.Painter, hosts string) {
	fmt.Fprintf(w, "\n%s %s:%d:%d: %s (%s)\n", p.Paint(cli.Bad, "FAIL"), schema.Printable(r.scenario.File),
		r.scenario.Line, r.scenario.Col, schema.Printable(r.scenario.Name), hosts)
	if r.everyGuard {
		r.explainGuards(w, p)
		return
	}

	for _, line := range r.wrong {
		fmt.Fprintf(w, "  %s\n", schema.Printable(line))
	}

	if r.show.Out == nil { // not from a scenario
		return
	}

	ran, called := false, false
	for i := range r.show.Out.Steps {
		s := &r.show.Out.Steps[i]
		called = called || len(s.Runs) > 0
		for _, run := range s.Hooks() {
			ran = true
			at := &story.Story{At: r.show.Host.Places}
			fmt.Fprintf(w, "  ran: %s: %s\n", at.Named(&run.Hook), run.Reply.Verdict)
		}
	}

	found := r.show.Out.Diagnostics()
	for _, d := range found {
		fmt.Fprintf(w, "  %s\n", cli.Spoken(d.String()))
	}

	switch {
	case !called:
		fmt.Fprintf(w, "  no hook ran: %s\n", r.show.Idle())
	case !ran && len(found) == 0:
		fmt.Fprintf(w, "  no hook ran: %s\n", story.CalledForNone)
	}
}

// explainGuards writes why guards never run, each reason once, with its guards.
func (r *testResult) explainGuards(w io.Writer, p cli.Painter) {
	type reason struct {
		*inspect.Problem
		why            string
		events, guards []string
	}
	var reasons []*reason
	for i := range r.guards {
		f, first := &r.guards[i], &r.guards[i].Problems[0]
		why, event := common.WithoutEvent(first)
		at := slices.IndexFunc(reasons, func(r *reason) bool {
			return r.Code == first.Code && r.Status == first.Status && r.why == why && r.Fix == first.Fix
		})
		if at < 0 {
			at, reasons = len(reasons), append(reasons, &reason{Problem: first, why: why})
		}
		if event != "" {
			reasons[at].events = lists.With(reasons[at].events, event)
		}
		reasons[at].guards = append(reasons[at].guards, common.MatchedEvent(f)+"  "+common.ShortCommand(f))
	}

	for _, reason := range reasons {
		status := p.Paint(common.StatusColor(reason.Status), reason.Status.String())
		fmt.Fprintf(w, "  %s %s\n", status, reason.Code)
		cli.PrintWrapped(w, "    ", cli.Spoken(reason.why+strings.Join(reason.events, ", ")))
		for _, guard := range reason.guards {
			fmt.Fprintf(w, "    - %s\n", schema.Printable(guard))
		}
		if reason.Fix != "" {
			cli.PrintWrapped(w, "    ", common.ToFix(cli.Spoken(reason.Fix)))
		}
	}
}

func (t *tester) count() map[string]int {
	count := map[string]int{}
	for i := range t.results {
		count[t.results[i].state()]++
	}
	return count
}

func (t *tester) summary() string {
	count := t.count()
	s := fmt.Sprintf("%d passed, %d failed", count["pass"], count["FAIL"])
	if n := count["skip"]; n > 0 {
		s += fmt.Sprintf(", %d skipped", n)
	}
	return s
}

// failures returns the unexpected results as findings.
func (t *tester) failures() (ds schema.Diagnostics) {
	for i := range t.results {
		if r := &t.results[i]; len(r.wrong) > 0 {
			d := ds.Add(schema.CodeScenario, "", r.scenario.Name+" ("+r.host+"): "+strings.Join(r.wrong, "; "))
			d.File, d.Line, d.Col, d.Fix = r.scenario.File, r.scenario.Line, r.scenario.Col, r.fix
		}
	}
	return ds
}

// Doc is the report of test, in the form that --json prints.
type Doc struct {
	Passed      int                 `json:"passed"`
	Failed      int                 `json:"failed"`
	Skipped     int                 `json:"skipped"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
	Results     []resultDoc         `json:"results"`
}

type resultDoc struct {
	Name        string              `json:"name"`
	File        string              `json:"file"`
	Line        int                 `json:"line"`
	Agent       string              `json:"agent"`
	Result      string              `json:"result"`
	Answer      string              `json:"answer"`
	Why         string              `json:"why,omitempty"`
	Wrong       []string            `json:"wrong,omitempty"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
}

func (t *tester) doc() Doc {
	count := t.count()
	return Doc{count["pass"], count["FAIL"], count["skip"], cli.FindingDocs(t.failures()),
		lists.Map(t.results, func(r testResult) resultDoc {
			var all schema.Diagnostics
			if r.show.Out != nil {
				all = r.show.Out.Diagnostics()
			}
			return resultDoc{r.scenario.Name, r.scenario.File, r.scenario.Line, r.host, strings.ToLower(r.state()),
				r.outcome, r.skipped, r.wrong, cli.FindingDocs(all)}
		})}
}

func (t *tester) junit() []byte {
	var suites []junit.Suite
	for _, host := range t.hosts {
		suite := junit.Suite{Name: host.Profile().Name}
		for i := range t.results {
			r := &t.results[i]
			if r.host != host.Profile().Name {
				continue
			}
			c := junit.Case{Class: r.host, Name: r.scenario.Name, File: r.scenario.File, Line: r.scenario.Line,
				Skipped: r.skipped}
			if len(r.wrong) > 0 {
				c.Failure, c.Detail = r.wrong[0], strings.Join(r.wrong, "\n")
			}
			suite.Cases = append(suite.Cases, c)
		}
		suites = append(suites, suite)
	}
	return junit.XML("hookbridge test", suites)
}
