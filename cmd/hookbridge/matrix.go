package main

import (
	"cmp"
	_ "embed"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/schema"
)

type matrixFlags struct {
	from, to, format string
	json             bool
}

func (f *matrixFlags) define(fs *flags) {
	fs.text(&f.from, "from", "", "D", "the agent that the hooks are written for (default: all)")
	fs.text(&f.to, "to", "", "D", "the agent that runs them (default: all)")
	fs.text(&f.format, "format", "table", "table|markdown|json|html", "output format (default table)")
	fs.yes(&f.json, "json", "short for --format json")
}

func (f *matrixFlags) run(_ *flags, _ []string, std stdio) (int, error) {
	pairs, err := choosePairs(f.from, f.to)
	detail := f.from != "" || f.to != "" // some were chosen
	switch {
	case err != nil:
		return 0, err
	case f.json || f.format == "json":
		printJSON(std.out, matrixDoc{pairs, each(dialectsOf(pairs), dialectDocOf)})
	case f.format == "markdown":
		matrixMarkdown(std.out, pairs, detail)
	case f.format == "html":
		matrixHTML(std.out, pairs)
	default:
		matrixTable(std.out, pairs, detail)
	}
	return exitOK, nil
}

func choosePairs(from, to string) (pairs []inspect.Pair, err error) {
	side := func(flag, name string) []adapter.Dialect {
		if name == "" {
			return adapter.Dialects()
		}
		d, wrong := findDialect(flag, name)
		if wrong != nil && err == nil {
			err = wrong
		}
		return []adapter.Dialect{d}
	}
	owners, hosts := side("--from", from), side("--to", to)
	if err != nil {
		return nil, err
	}
	for _, hooks := range owners {
		for _, host := range hosts {
			if !sameAgent(hooks, host) {
				pairs = append(pairs, inspect.NewPair(hooks, host))
			}
		}
	}
	if len(pairs) == 0 {
		return nil, errUsage{"an agent runs its own hooks without hookbridge; name two different agents"}
	}
	return pairs, nil
}

func dialectsOf(pairs []inspect.Pair) []adapter.Dialect {
	return agentsWhere(func(d adapter.Dialect) bool {
		return slices.ContainsFunc(pairs, func(p inspect.Pair) bool { return p.From == d.Profile().Name || p.To == d.Profile().Name })
	})
}

type matrixDoc struct {
	Pairs    []inspect.Pair `json:"pairs"`
	Dialects []dialectDoc   `json:"dialects"`
}

type dialectDoc struct {
	Name   string        `json:"name"`
	Events []ownEventDoc `json:"events"`
}

type ownEventDoc struct {
	Event  schema.Event   `json:"event"`
	Native string         `json:"native"`
	Honors schema.Feature `json:"honors"`
	Since  string         `json:"since"`
	Source string         `json:"source"`
}

func dialectDocOf(d adapter.Dialect) dialectDoc {
	return dialectDoc{d.Profile().Name, each(d.Profile().Events, func(r schema.EventRow) ownEventDoc {
		return ownEventDoc{r.Event, r.Native, r.Honors, r.Since, r.Source}
	})}
}

// matrixPage is the page around the rows: its style and its filter. It asks for
// nothing from outside, and its policy would refuse it.
//
//go:embed matrix.html
var matrixPage string

// matrixHTML writes one self-contained page. The rows are plain HTML, so that
// they can be read and searched without the script too.
func matrixHTML(w io.Writer, pairs []inspect.Pair) {
	var rows, from, to, missing strings.Builder
	for _, p := range pairs {
		for i := range p.Rows {
			rowHTML(&rows, &p, &p.Rows[i])
		}
		if p.Settings.Missing != 0 {
			tag(&missing, "p", `data-from="`+p.From+`" data-to="`+p.To+`"`, html.EscapeString(titleOf(p.From)+" hooks: "+missingText(&p)))
		}
	}
	for _, d := range dialectsOf(pairs) {
		for _, side := range []*strings.Builder{&from, &to} {
			tag(side, "option", `value="`+d.Profile().Name+`"`, html.EscapeString(d.Profile().Title))
		}
	}
	io.WriteString(w, strings.NewReplacer("{{rows}}", rows.String(), "{{from}}", from.String(), "{{to}}", to.String(), "{{missing}}", missing.String()).Replace(matrixPage))
}

// tag appends <name attrs>text</name>; text is HTML already.
func tag(b *strings.Builder, name, attrs, text string) {
	b.WriteString("<" + name)
	if attrs != "" {
		b.WriteString(" " + attrs)
	}
	b.WriteString(">" + text + "</" + name + ">")
}

func rowHTML(b *strings.Builder, p *inspect.Pair, r *inspect.Coverage) {
	g := r.Support
	words := []string{r.Event.String(), r.From}
	words = append(words, r.To...)
	attrs := `data-from="` + p.From + `" data-to="` + p.To + `" data-support="` + g.String() + `" data-words="` + html.EscapeString(strings.ToLower(strings.Join(words, " "))) + `"`
	var cells strings.Builder
	tag(&cells, "td", `class="`+g.String()+`"`, hover(gradeMarks[g].mark, gradeMarks[g].says, ""))
	tag(&cells, "td", "", html.EscapeString(titleOf(p.From)+" → "+titleOf(p.To)))
	tag(&cells, "td", "", hover(r.From, evidenceText(r.Evidence[0]), r.Event.String()))
	raised := make([]string, 0, len(r.To))
	for i, native := range r.To {
		raised = append(raised, hover(native, evidenceText(r.Evidence[1+i]), ""))
	}
	tag(&cells, "td", `data-is="sent by"`, cmp.Or(strings.Join(raised, " "), "-"))
	lost := r.Lost
	if g == inspect.NotSupported {
		lost = 0
	}
	tag(&cells, "td", `class="all" data-is="supported"`, chips(r.Supported, r)+
		markHTML(r.Passed, strings.Join(r.Passed.Names(), " ")+"*", passedText(p))+markHTML(r.HooksOnly, "†", hooksOnlyText(p)))
	tag(&cells, "td", `class="part" data-is="not supported"`, chips(lost, r)+programsHTML(p, r))
	tag(b, "tr", attrs, cells.String())
	b.WriteByte('\n')
}

// programsHTML says what the host's programs do less.
func programsHTML(p *inspect.Pair, r *inspect.Coverage) string {
	var b strings.Builder
	for _, d := range r.Programs {
		b.WriteString(" " + hover(p.To+"@"+d.Program+" "+differenceText(r, d.Program), strings.Join(d.Sources, "; "), ""))
	}
	return b.String()
}

// markHTML is a mark for some effects with the remark that explains it.
func markHTML(f schema.Feature, mark, remark string) string {
	if f == 0 {
		return ""
	}
	_, remark, _ = strings.Cut(remark, " ")
	return " " + hover(mark, remark, "")
}

// hover is a word with the evidence for it, shown by pointing at it or by going
// to it with the keyboard.
func hover(word, evidence, below string) string {
	s := `<span class="h" tabindex="0">` + html.EscapeString(word) + `<span class="tip" role="tooltip">` + html.EscapeString(evidence) + `</span></span>`
	if below != "" {
		s += `<small>` + html.EscapeString(below) + `</small>`
	}
	return s
}

func titleOf(name string) string {
	d, err := adapter.Find(name)
	if err != nil {
		return name
	}
	return d.Profile().Title
}

func evidenceText(e inspect.Evidence) string {
	return titleOf(e.Dialect) + " " + e.Native + ", since " + e.Since + ". Source: " + e.Source + ". Channels: " + cmp.Or(strings.Join(e.Honors.Names(), ", "), "none") + "."
}

// chips are effects, each with the events of the host that have a channel for it.
func chips(f schema.Feature, r *inspect.Coverage) string {
	var out []string
	f.Each(func(one schema.Feature) {
		var by []string
		for _, e := range r.Evidence[1:] {
			if e.Honors&one != 0 {
				by = append(by, e.Native+" ("+e.Source+")")
			}
		}
		out = append(out, hover(one.Name(), cmp.Or(strings.Join(by, "; "), "No event of the host for "+r.From+" supports it; a hook that uses it is reported."), ""))
	})
	return strings.Join(out, " ")
}
