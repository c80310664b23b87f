package doctor

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// print writes a sentence, the table of hooks and agents, each finding once, and then the steps for a person.
func (x *doctor) print(w io.Writer) {
	p := cli.PainterFor(w)
	x.printCounts(w)
	fmt.Fprintln(w)
	if x.flags.verbose {
		x.printLines(w, p)
	} else {
		x.printTable(w, p)
		x.printFindings(w, p)
	}

	x.printPending(w, p)
	x.printOpen(w, p)
	if below := survey.Below(x.bridge.Places); len(below) > 0 {
		fmt.Fprintf(w, "\n%s\n", p.Paint(cli.Strong, "Not examined: hooks in folders below"))
		for _, dir := range below {
			fmt.Fprintf(w, "  - hookbridge doctor --project %s\n",
				schema.Printable(cli.Pasted(filepath.Join(x.bridge.Places.Project, dir))))
		}
	}
}

// printTable prints a row for each hook, below its file, and a column for each agent.
func (x *doctor) printTable(w io.Writer, p cli.Painter) {
	table := common.HookTable{Group: func(f *inspect.Finding) string { return x.InHome(f.File) },
		Label: func(f *inspect.Finding) string {
			return strings.TrimSpace(fmt.Sprintf("%4s  %s  %s", lineOf(f), common.MatchedEvent(f),
				common.ShortCommand(f)))
		},
		Key:  func(f *inspect.Finding) string { return fmt.Sprintf("%s#%s#%s", f.File, f.Path, f.Event) },
		Word: func(f *inspect.Finding) string { return statusMark(f.Status()) + " " + f.Status().String() },
		Mark: func(f *inspect.Finding) string { return statusMark(f.Status()) }}
	table.Print(w, p, x.found)
}

// lineOf returns the line of a hook in its file, or "" for a whole file.
func lineOf(f *inspect.Finding) string {
	if f.Line == 0 {
		return ""
	}
	return strconv.Itoa(f.Line)
}

// A group collects one problem of several hooks and agents.
type group struct {
	problem              inspect.Problem
	why                  string   // without the events
	events               []string // where hookbridge isn't called, each once
	accepted             bool
	hosts, places, fixes []string // each once
	lines                []string // in the form of hookbridge.yaml, each once
}

// here replaces the place of the hook in a fix.
const here = "\x00"

// elsewhere returns a fix with here instead of the hook's place.
func elsewhere(fix, place string) string {
	if place == "" { // a hook without a file, such as a callback in a module
		return fix
	}
	return strings.ReplaceAll(fix, place, here)
}

// groups returns the wanted problems in groups, the worst first.
func (x *doctor) groups(wanted func(*inspect.Finding, *inspect.Problem) bool) (list []*group) {
	known := map[string]*group{}
	for i := range x.found {
		f := &x.found[i]
		for j := range f.Problems {
			problem := f.Problems[j]
			if !wanted(f, &problem) {
				continue
			}
			accepted := x.Accepts(f, &problem)
			why, event := common.WithoutEvent(&problem)
			status := problem.Status
			if !x.fails(f, &problem) { // a note names no status
				status = inspect.Reached
			}
			key := fmt.Sprint(status, problem.Code, accepted, why)
			g := known[key]
			if g == nil {
				g = &group{problem: problem, why: why, accepted: accepted}
				known[key], list = g, append(list, g)
			}
			if event != "" {
				g.events = lists.With(g.events, event)
			}
			g.hosts, g.places = lists.With(g.hosts, f.Host), lists.With(g.places, x.place(f))
			g.lines = lists.With(g.lines, x.acceptLine(f, &problem))
			if problem.Fix != "" {
				g.fixes = lists.With(g.fixes, elsewhere(cli.Spoken(problem.Fix), x.place(f)))
			}
		}
	}

	slices.SortStableFunc(list, func(a, b *group) int { return cmp.Compare(b.problem.Status, a.problem.Status) })
	return list
}

// fails reports whether doctor fails for a problem.
func (x *doctor) fails(f *inspect.Finding, p *inspect.Problem) bool {
	return !f.OthersOwn && f.Fails(*p) && !x.Accepts(f, p)
}

// printFindings writes each problem once, failures of the check first. It leaves out problems that a person has to
// solve.
func (x *doctor) printFindings(w io.Writer, p cli.Painter) {
	of := func(fail bool) []*group {
		return x.groups(func(f *inspect.Finding, p *inspect.Problem) bool {
			return p.Status != inspect.Pending && x.fails(f, p) == fail
		})
	}
	failing, notes := of(true), joined(of(false))
	if len(failing) > 0 {
		fmt.Fprintf(w, "\n%s\n", p.Paint(cli.Strong, "To fix"))
	}
	for _, g := range failing {
		printFailing(w, p, g)
	}
	if len(notes) > 0 {
		fmt.Fprintf(w, "\n%s\n", p.Paint(cli.Strong, "Good to know"))
	}
	for _, g := range notes {
		printNote(w, g)
	}
}

// joined merges notes with one code about the same hooks if they are about different agents, under the code's title,
// and then notes with one text about several hooks. Notes about the same agent have different contents and stay
// separate.
func joined(notes []*group) (all []*group) {
	var list []*group
	for _, g := range notes {
		i := slices.IndexFunc(list, func(o *group) bool {
			same := o.problem.Code == g.problem.Code && o.accepted == g.accepted && slices.Equal(o.places, g.places)
			return same && !slices.Equal(o.hosts, g.hosts)
		})
		if i < 0 {
			list = append(list, g)
			continue
		}
		info, _ := g.problem.Code.Info()
		title, ofHost := strings.CutPrefix(info.Title, "host ")
		if ofHost {
			title = "the agent " + title
		}
		list[i].why, list[i].events = title, nil
		list[i].hosts = lists.Unique(append(list[i].hosts, g.hosts...))
		list[i].fixes = lists.Unique(append(list[i].fixes, g.fixes...))
	}

	for _, g := range list {
		i := slices.IndexFunc(all, func(o *group) bool {
			same := o.problem.Code == g.problem.Code && o.accepted == g.accepted && o.why == g.why
			return same && slices.Equal(o.hosts, g.hosts) && slices.Equal(o.fixes, g.fixes)
		})
		if i < 0 {
			all = append(all, g)
			continue
		}
		all[i].places = lists.Unique(append(all[i].places, g.places...))
	}
	return all
}

// printFailing writes a problem, its agents and hooks, and the fix.
func printFailing(w io.Writer, p cli.Painter, g *group) {
	fmt.Fprintf(w, "  %s %s in %s\n", p.Paint(common.StatusColor(g.problem.Status), g.problem.Status.String()),
		g.problem.Code, schema.Printable(strings.Join(g.hosts, ", ")))
	cli.PrintWrapped(w, "    ", cli.Spoken(g.why+strings.Join(g.events, ", ")))
	cli.PrintWrapped(w, "    ", "at "+joinedPlaces(g.places))
	g.printFixes(w)
}

// printNote writes a problem that requires no work.
func printNote(w io.Writer, g *group) {
	about := string(g.problem.Code) + ", " + joinedPlaces(g.places)
	if g.accepted {
		about += ", accepted"
	}
	cli.PrintWrapped(w, "  - ", cli.Spoken(fmt.Sprintf("%s: %s%s (%s)", strings.Join(g.hosts, ", "), g.why,
		strings.Join(g.events, ", "), about)))
	if !g.accepted {
		g.printFixes(w)
	}
}

// printFixes writes the fixes. If many files need different ones, it shows only some as examples.
func (g *group) printFixes(w io.Writer) {
	const most = 4
	fixes := g.fixes
	if len(fixes) > most+1 {
		fixes = fixes[:most]
	}
	for _, fix := range fixes {
		cli.PrintWrapped(w, "    ", common.ToFix(strings.ReplaceAll(fix, here, joinedPlaces(g.places))))
	}
	if more := len(g.fixes) - len(fixes); more > 0 {
		fmt.Fprintf(w, "    and %d more like these: see hookbridge doctor --verbose\n", more)
	}
}

// joinedPlaces names each file once, with its lines: a.json:4, 9; b.json:3.
func joinedPlaces(places []string) string {
	var files []string
	lines := map[string][]string{}
	for _, place := range places {
		file, line := place, ""
		if i := strings.LastIndexByte(place, ':'); i >= 0 && strings.Trim(place[i+1:], "0123456789") == "" {
			file, line = place[:i], place[i+1:]
		}
		files = lists.With(files, file)
		lines[file] = append(lines[file], line)
	}
	return strings.Join(lists.Map(files, func(file string) string {
		if joined := strings.Join(lines[file], ", "); joined != "" {
			return file + ":" + joined
		}
		return file
	}), "; ")
}

// printPending lists the steps that only a person can do, each once.
func (x *doctor) printPending(w io.Writer, p cli.Painter) {
	said := map[string]bool{}
	for i := range x.found {
		f := &x.found[i]
		for j := range f.Problems {
			problem := &f.Problems[j]
			line := fmt.Sprintf("%s: %s (%s)", f.Host, problem.Fix, problem.Code)
			if problem.Status != inspect.Pending || x.Accepts(f, problem) || said[line] {
				continue
			}
			if len(said) == 0 {
				fmt.Fprintf(w, "\n%s\n", p.Paint(cli.Strong, "Left to do; hookbridge can't check it (pending)"))
			}
			said[line] = true
			cli.PrintWrapped(w, "  - ", cli.Spoken(line))
		}
	}
}

// printOpen lists the guards that fail open.
func (x *doctor) printOpen(w io.Writer, p cli.Painter) {
	open := slices.DeleteFunc(slices.Clone(x.found), func(f inspect.Finding) bool { return !f.FailsOpen })
	if !x.flags.open || len(open) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", p.Paint(cli.Strong, "Guards that fail open: the call proceeds if they crash or time out"))
	for i := range open {
		fmt.Fprintf(w, "  - %s: %s  %s\n", open[i].Host, schema.Printable(x.place(&open[i])),
			schema.Printable(common.CommandOf(&open[i])))
	}
}

// An outcome is a part of the first sentence, which counts each hook in each agent. The mark repeats the color of the
// status for readers without colors.
type outcome struct {
	status          inspect.HookStatus
	mark, one, many string
}

var outcomes = []outcome{
	{inspect.Reached, "✓", "works", "work"},
	{inspect.Pending, "…", "waits for a step of yours", "wait for a step of yours"},
	{inspect.Weaker, "!", "runs with less effect", "run with less effect"},
	{inspect.Twice, "2", "runs twice", "run twice"},
	{inspect.Never, "✗", "never runs", "never run"},
	{inspect.Excluded, "-", "is excluded", "are excluded"},
}

func statusMark(s inspect.HookStatus) string {
	return lists.Find(outcomes, func(o *outcome) bool { return o.status == s }).mark
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
	var parts []string
	for _, o := range outcomes {
		switch n := counts[o.status]; n {
		case 0:
		case 1:
			parts = append(parts, "1 "+o.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, o.many))
		}
	}
	line := strings.Join(parts, ", ")
	if own > 0 {
		line += fmt.Sprintf(" (%d of them your own, which the project is not about)", own)
	}
	cli.PrintWrapped(w, "", line)
}

// A HookDoc is a hook under one host, in the form that --json prints.
type HookDoc struct {
	Host     string              `json:"host"`
	Hooks    string              `json:"hooks"`
	File     string              `json:"file"`
	Path     string              `json:"path"`
	Line     int                 `json:"line"`
	Column   int                 `json:"column"`
	Event    string              `json:"event"`
	Matcher  string              `json:"matcher"`
	Handler  string              `json:"handler"`
	Command  string              `json:"command"`
	Status   inspect.HookStatus  `json:"status"`
	Code     schema.Code         `json:"code"` // this and the next two: of the worst problem
	Why      string              `json:"why"`
	Fix      string              `json:"fix"`
	Accepted bool                `json:"accepted"`
	Fails    bool                `json:"fails"`
	Open     bool                `json:"fails_open"`
	Problems []common.ProblemDoc `json:"problems"`
	Seen     []common.SeenDoc    `json:"seen,omitempty"` // with --seen: the calls of the host's entries for the hook
}

func (x *doctor) doc(f inspect.Finding) HookDoc {
	var worst inspect.Problem
	if len(f.Problems) > 0 {
		worst = f.Problems[0]
	}
	doc := HookDoc{Host: f.Host, Hooks: f.Hooks, File: x.InProject(f.File), Path: f.Path, Line: f.Line, Column: f.Col,
		Event:   f.Event,
		Command: common.CommandOf(&f), Status: f.Status(), Code: worst.Code, Why: worst.Why, Fix: worst.Remedy(),
		Accepted: len(f.Problems) > 0 && x.Accepts(&f, &worst), Fails: x.Fails(f), Open: f.FailsOpen,
		Problems: common.ProblemDocs(&f, func(p *inspect.Problem) bool { return x.Accepts(&f, p) })}
	if f.Hook != nil {
		doc.Matcher, doc.Handler = f.Hook.Matcher, f.Hook.Handler.String()
	}
	if x.flags.seen {
		doc.Seen = x.seenOf(f.Host, f.Hooks, f.Hook)
	}
	return doc
}

// diagnostics returns the problems that no one has accepted, for code scanning and pull requests.
func (x *doctor) diagnostics() (ds schema.Diagnostics) {
	for i := range x.found {
		f := &x.found[i]
		for j := range f.Problems {
			p := &f.Problems[j]
			if p.Status < inspect.Weaker || f.OthersOwn || x.Accepts(f, p) {
				continue
			}
			d := common.DiagnosticOf(f, p, strings.TrimSpace(f.Host+": "+p.Status.String()+": "+p.Why))
			d.File = x.InProject(f.File)
			ds = append(ds, d)
		}
	}
	return ds
}
