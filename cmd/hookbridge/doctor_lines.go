package main

import (
	"fmt"
	"io"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

// printLines writes a line for each hook and agent, as accepted findings name them. On a
// terminal the problems are below it.
func (x *doctor) printLines(w io.Writer, p painter) {
	host, place, event := x.widths()
	for i := range x.found {
		f := &x.found[i]
		status := f.Status().String()
		fmt.Fprintf(w, "%s%*s  %-*s  %-*s  %-*s  %s", p.paint(statusColor(f.Status()), status), 7-len(status), "",
			host, f.Host,
			place, schema.Printable(x.place(f)), event, schema.Printable(matchedEvent(f)),
			schema.Printable(commandOf(f)))
		for j := range f.Problems {
			x.printProblem(w, p, f, j)
		}
		fmt.Fprintln(w)
	}
}

func (x *doctor) printProblem(w io.Writer, p painter, f *inspect.Finding, j int) {
	problem := &f.Problems[j]
	why, fix := schema.Printable(string(problem.Code)+": "+spoken(problem.Why)), schema.Printable(spoken(problem.Fix))
	if problem.Status == inspect.Pending { // said once, at the end
		fix = ""
	}
	word := ""
	if j > 0 {
		word = problem.Status.String() + ": "
	}
	accepted := x.accepts(f, problem)
	if p.on {
		fmt.Fprintf(w, "\n           %s%s", p.paint(statusColor(problem.Status), word), why)
		if accepted {
			fmt.Fprint(w, p.paint(faint, " (accepted)"))
		} else if fix != "" {
			fmt.Fprintf(w, "\n           %s", p.paint(faint, toFix(fix)))
		}
		return
	}
	lead := "  # "
	if j > 0 {
		lead = " | "
	}
	fmt.Fprint(w, lead+word+why)
	if fix != "" {
		fmt.Fprint(w, "; "+toFix(fix))
	}
	if accepted {
		fmt.Fprint(w, " (accepted)")
	}
}

func (x *doctor) place(f *inspect.Finding) string { return atLine(x.inHome(f.File), f.Line) }

// widths are those of the columns, as far as they stay readable.
func (x *doctor) widths() (host, place, event int) {
	for i := range x.found {
		f := &x.found[i]
		host = max(host, len(f.Host))
		place = min(max(place, len(x.place(f))), 40)
		event = min(max(event, len(matchedEvent(f))), 32)
	}
	return host, place, event
}
