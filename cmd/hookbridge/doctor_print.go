package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

// print writes a line for each hook. On a terminal the problems are below it.
func (x *doctor) print(w io.Writer) {
	p := painterFor(w)
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
	x.printCounts(w)
	x.printPending(w, p)
	x.printOpen(w, p)
	if below := hookfile.Below(x.bridge.Places); len(below) > 0 {
		fmt.Fprintf(w, "\n%s\n", p.paint(strong, "Not examined: hooks in folders below"))
		for _, dir := range below {
			fmt.Fprintf(w, "  - hookbridge doctor --project %s\n",
				schema.Printable(shown(filepath.Join(x.bridge.Places.Project, dir))))
		}
	}
}

// printPending lists what only a person can do, each thing once.
func (x *doctor) printPending(w io.Writer, p painter) {
	said := map[string]bool{}
	for i := range x.found {
		f := &x.found[i]
		for j := range f.Problems {
			line := f.Host + ": " + f.Problems[j].Fix
			if f.Problems[j].Status != inspect.Pending || x.accepts(f, &f.Problems[j]) || said[line] {
				continue
			}
			if len(said) == 0 {
				fmt.Fprintf(w, "\n%s\n", p.paint(strong, "Left to do"))
			}
			said[line] = true
			fmt.Fprintf(w, "  - %s\n", schema.Printable(spoken(line)))
		}
	}
}

// printOpen lists the guards that fail open.
func (x *doctor) printOpen(w io.Writer, p painter) {
	open := slices.DeleteFunc(slices.Clone(x.found), func(f inspect.Finding) bool { return !f.FailsOpen })
	if !x.flags.open || len(open) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", p.paint(strong, "Guards that fail open: the call proceeds if they crash or time out"))
	for i := range open {
		fmt.Fprintf(w, "  - %s: %s  %s\n", open[i].Host, schema.Printable(x.place(&open[i])),
			schema.Printable(commandOf(&open[i])))
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

func (x *doctor) printCounts(w io.Writer) {
	counts := map[inspect.HookStatus]int{}
	own := 0
	for i := range x.found {
		counts[x.found[i].Status()]++
		if f := &x.found[i]; f.OthersOwn && f.Status() == inspect.Never {
			own++
		}
	}
	fmt.Fprintf(w, "%d reached, %d weaker, %d twice, %d never", counts[inspect.Reached], counts[inspect.Weaker],
		counts[inspect.Twice], counts[inspect.Never])
	if n := counts[inspect.Pending]; n > 0 {
		fmt.Fprintf(w, ", %d pending", n)
	}
	if own > 0 {
		fmt.Fprintf(w, " (%d of them your own, which the project is not about)", own)
	}
	fmt.Fprintln(w)
}

type hookDoc struct {
	Host     string             `json:"host"`
	Hooks    string             `json:"hooks"`
	File     string             `json:"file"`
	Path     string             `json:"path"`
	Line     int                `json:"line"`
	Column   int                `json:"column"`
	Event    string             `json:"event"`
	Matcher  string             `json:"matcher"`
	Handler  string             `json:"handler"`
	Command  string             `json:"command"`
	Status   inspect.HookStatus `json:"status"`
	Code     schema.Code        `json:"code"` // this and the next two: of the worst problem
	Why      string             `json:"why"`
	Fix      string             `json:"fix"`
	Accepted bool               `json:"accepted"`
	Fails    bool               `json:"fails"`
	Open     bool               `json:"fails_open"`
	Problems []problemDoc       `json:"problems"`
}

func (x *doctor) doc(f inspect.Finding) hookDoc {
	var worst inspect.Problem
	if len(f.Problems) > 0 {
		worst = f.Problems[0]
	}
	doc := hookDoc{Host: f.Host, Hooks: f.Hooks, File: x.inProject(f.File), Path: f.Path, Line: f.Line, Column: f.Col,
		Event:   f.Event,
		Command: commandOf(&f), Status: f.Status(), Code: worst.Code, Why: worst.Why, Fix: worst.Remedy(),
		Accepted: len(f.Problems) > 0 && x.accepts(&f, &worst), Fails: x.fails(f), Open: f.FailsOpen,
		Problems: problemDocs(&f, func(p *inspect.Problem) bool { return x.accepts(&f, p) })}
	if f.Hook != nil {
		doc.Matcher, doc.Handler = f.Hook.Matcher, f.Hook.Handler.String()
	}
	return doc
}

// diagnostics are the problems that nobody accepted, for code scanning and pull
// requests.
func (x *doctor) diagnostics() (ds schema.Diagnostics) {
	for i := range x.found {
		f := &x.found[i]
		for j := range f.Problems {
			p := &f.Problems[j]
			if p.Status < inspect.Weaker || f.OthersOwn || x.accepts(f, p) {
				continue
			}
			d := diagnosticOf(f, p, strings.TrimSpace(f.Host+": "+p.Status.String()+": "+p.Why))
			d.File = x.inProject(f.File)
			ds = append(ds, d)
		}
	}
	return ds
}
