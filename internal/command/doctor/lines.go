package doctor

import (
	"fmt"
	"io"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/schema"
)

// printLines writes a line for each hook and agent, in the form of accepted findings. On a terminal the problems follow
// each line.
func (x *doctor) printLines(w io.Writer, p cli.Painter) {
	word, host, place, event := x.widths()
	for i := range x.found {
		f := &x.found[i]
		status := f.Status().String()
		fmt.Fprintf(w, "%s%*s  %-*s  %-*s  %-*s  %s", p.Paint(common.StatusColor(f.Status()), status),
			word-len(status), "", host, f.Host, place, schema.Printable(x.place(f)),
			event, schema.Printable(common.MatchedEvent(f)), schema.Printable(common.CommandOf(f)))
		for j := range f.Problems {
			x.printProblem(w, p, f, j)
		}
		fmt.Fprintln(w)
	}
}

func (x *doctor) printProblem(w io.Writer, p cli.Painter, f *inspect.Finding, j int) {
	problem := &f.Problems[j]
	why, fix := schema.Printable(string(problem.Code)+": "+cli.Spoken(problem.Why)),
		schema.Printable(cli.Spoken(problem.Fix))
	if problem.Status == inspect.Pending { // printed once, at the end
		fix = ""
	}

	word := ""
	if j > 0 {
		word = problem.Status.String() + ": "
	}

	accepted := x.Accepts(f, problem)
	if p.On {
		fmt.Fprintf(w, "\n           %s%s", p.Paint(common.StatusColor(problem.Status), word), why)
		if accepted {
			fmt.Fprint(w, p.Paint(cli.Faint, " (accepted)"))
		} else if fix != "" {
			fmt.Fprintf(w, "\n           %s", p.Paint(cli.Faint, common.ToFix(fix)))
		}
		return
	}

	lead := "  # "
	if j > 0 {
		lead = " | "
	}

	fmt.Fprint(w, lead+word+why)
	if fix != "" {
		fmt.Fprint(w, "; "+common.ToFix(fix))
	}
	if accepted {
		fmt.Fprint(w, " (accepted)")
	}
}

func (x *doctor) place(f *inspect.Finding) string { return cli.AtLine(x.InHome(f.File), f.Line) }

// widths returns the widths of the columns, limited for readability.
func (x *doctor) widths() (status, host, place, event int) {
	status = len(inspect.Reached.String())
	for i := range x.found {
		f := &x.found[i]
		status = max(status, len(f.Status().String()))
		host = max(host, len(f.Host))
		place = min(max(place, len(x.place(f))), 40)
		event = min(max(event, len(common.MatchedEvent(f))), 32)
	}
	return status, host, place, event
}
