package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

type explainFlags struct{ list, json bool }

func (f *explainFlags) define(fs *flags) {
	fs.yes(&f.list, "list", "list every code, then every event with its name in each agent")
	fs.yes(&f.json, "json", "one JSON object")
}

func (f *explainFlags) run(_ *flags, args []string, std stdio) (int, error) {
	switch {
	case f.list && len(args) > 0:
		return 0, errUsage{"--list takes no code or event"}
	case f.list && f.json:
		doc := listDoc{Codes: each(schema.Codes(), codeDocOf)}
		for e := schema.Event(1); e < schema.NumEvents; e++ {
			doc.Events = append(doc.Events, eventDocOf(e))
		}
		printJSON(std.out, doc)
		return exitOK, nil
	case f.list:
		for _, c := range schema.Codes() {
			fmt.Fprintf(std.out, "%s  %-6s  %s\n", c.Code, c.Severity, c.Title)
		}
		fmt.Fprintln(std.out)
		listEvents(std.out)
		return exitOK, nil
	case len(args) != 1:
		return 0, errUsage{"name one code or event, as in hookbridge explain HB204; --list lists them"}
	}
	name := args[0]
	info, isCode := schema.Code(strings.ToUpper(name)).Info()
	event := adapter.EventOf(name)
	switch {
	case isCode && f.json:
		printJSON(std.out, codeDocOf(info))
	case isCode:
		explainCode(std.out, info)
	case event != 0 && f.json:
		printJSON(std.out, eventDocOf(event))
	case event != 0:
		explainEvent(std.out, name, event)
	default:
		known, _ := values("HBnnn|EVENT")
		fmt.Fprintf(std.err, "hookbridge explain: %q is neither a code nor an event%s\nhookbridge explain --list lists them\n", name, suggest.Question(name, known))
		return exitFail, nil
	}
	return exitOK, nil
}

type codeDoc struct {
	schema.CodeInfo
	schema.Advice
	Agents []codeInHost `json:"agents"`
}

type codeInHost struct {
	Agent string `json:"agent"`
	Text  string `json:"text"`
}

func codeDocOf(info schema.CodeInfo) codeDoc {
	a, _ := info.Code.Advice()
	return codeDoc{info, a, array(meanings(info.Code.About()))}
}

// An eventDoc is what explain says about an event: a row for each name that an agent
// has for it.
type eventDoc struct {
	Event  schema.Event  `json:"event"`
	Agents []nativeEvent `json:"agents"`
}

type nativeEvent struct {
	Agent    string         `json:"agent"`
	Native   string         `json:"native"`
	Gate     bool           `json:"gate"`
	Honors   schema.Feature `json:"honors"`
	Status2  schema.Feature `json:"status_2"`
	Allow    string         `json:"allow"`
	Since    string         `json:"since"`
	Until    string         `json:"until"`
	Evidence string         `json:"evidence"`
}

func eventDocOf(event schema.Event) eventDoc {
	doc := eventDoc{event, []nativeEvent{}}
	for d, row := range adapter.EventRows() {
		if row.Event == event {
			doc.Agents = append(doc.Agents, nativeEvent{d.Profile().Name, row.Native, row.Gate, row.Honors, row.Blocks,
				allowText(row), row.Since, row.Until, row.Source})
		}
	}
	return doc
}

type listDoc struct {
	Codes  []codeDoc  `json:"codes"`
	Events []eventDoc `json:"events"`
}

func listEvents(w io.Writer) {
	for e := schema.Event(1); e < schema.NumEvents; e++ {
		var native []string
		for _, row := range adapter.EventRows() {
			if row.Event == e && !slices.Contains(native, row.Native) {
				native = append(native, row.Native)
			}
		}
		fmt.Fprintf(w, "%-20s %s\n", e, strings.Join(native, ", "))
	}
}

func explainCode(w io.Writer, info schema.CodeInfo) {
	a, _ := info.Code.Advice()
	fmt.Fprintf(w, "%s (usually %s): %s\n\n%s\n\n", info.Code, info.Severity, info.Title, info.Text)
	if lines := meanings(info.Code.About()); len(lines) > 0 {
		fmt.Fprintln(w, "In each dialect:")
		for _, l := range lines {
			fmt.Fprintf(w, "  %-8s %s\n", l.Agent, l.Text)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "What to do: %s\n\nBefore:  %s\nAfter:   %s\n", a.Do, a.Before, a.After)
}

// meanings lists how each dialect has a feature: the events that honor an effect, or
// the member for a setting of a hook.
func meanings(f schema.Feature) (lines []codeInHost) {
	if f == 0 {
		return nil
	}
	for _, d := range adapter.Dialects() {
		var heeded []string
		for _, row := range d.Profile().Events {
			if row.Honors&f != 0 {
				heeded = append(heeded, row.Native)
			}
		}
		text := ""
		switch member := d.Profile().MemberName(f); {
		case member != "":
			text = "the member " + member + " of a hook"
		case len(heeded) > 0:
			text = "honors " + f.Name() + " on " + strings.Join(heeded, ", ")
		case f < schema.HookMatcher: // an effect of answers
			text = "honors " + f.Name() + " on no event"
		default:
			text = "hooks have no setting for it"
		}
		lines = append(lines, codeInHost{d.Profile().Name, text})
	}
	return lines
}

func explainEvent(w io.Writer, name string, event schema.Event) {
	fmt.Fprintf(w, "%s\n", event)
	var own adapter.Dialect
	var row *schema.EventRow
	for _, d := range adapter.Dialects() {
		rows := d.Profile().Events
		found := false
		for i := range rows {
			if rows[i].Event != event {
				continue
			}
			found = true
			explainRow(w, d, &rows[i])
			if row == nil || rows[i].Native == name && row.Native != name {
				own, row = d, &rows[i]
			}
		}
		if !found {
			fmt.Fprintf(w, "\n%s has no such event\n", d.Profile().Title)
		}
	}
	if row != nil {
		explainPair(w, own, row)
	}
}

func explainRow(w io.Writer, d adapter.Dialect, row *schema.EventRow) {
	fmt.Fprintf(w, "\n%-8s %s\n", d.Profile().Name, row.Native)
	line := func(what, text string) {
		if text != "" {
			fmt.Fprintf(w, "         %-9s %s\n", what, text)
		}
	}
	if row.Gate {
		line("sent", "for "+either(each(row.Kinds, schema.Kind.String))+" only, in addition to the generic event for the same call")
	}
	line("matchers", comparedWith(row))
	line("honors", cmp.Or(strings.Join(row.Honors.Names(), ", "), "no answer"))
	for _, p := range d.Profile().Programs {
		line(p.Name, lessText(p.On(row.Native)))
	}
	line("allow", allowText(row))
	line("exit 2", row.Blocks.String())
	if row.Text != 0 {
		line("plain", "text on stdout is "+row.Text.String())
	}
	line("since", row.Since)
	line("until", row.Until)
	line("evidence", row.Source)
}

// lessText says what a program does less at an event than the agent's others.
func lessText(l dialect.Less) string {
	switch {
	case l.Never:
		return "never sends it (" + l.Source + ")"
	case l.Effects != 0:
		return "ignores " + strings.Join(l.Effects.Names(), ", ") + " (" + l.Source + ")"
	}
	return ""
}

func allowText(row *schema.EventRow) string {
	switch {
	case row.Honors&schema.EffectAllow == 0:
		return ""
	case row.Allow == schema.AllowPasses:
		return "means \"no objection\": the user's permission rules decide"
	case row.Allow == schema.AllowApproves:
		return "skips the permission prompt"
	}
	return "may skip the permission prompt"
}

func comparedWith(row *schema.EventRow) string {
	switch row.Match {
	case schema.MatchTool:
		return "are compared with the tool's name"
	case schema.MatchField:
		return "are compared with a member of the payload"
	case schema.MatchConst:
		return "are compared with " + row.MatchConst
	}
	return "are ignored"
}

// explainPair describes a hook on the event under the other agents, and its converted
// configuration.
func explainPair(w io.Writer, own adapter.Dialect, row *schema.EventRow) {
	h := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate, Handler: schema.HandlerCommand, Command: "./hook.sh", Path: "/hooks/" + row.Native + "/0"}
	fmt.Fprintf(w, "\nUnder the other agents, a hook of %s on %s:\n", own.Profile().Title, row.Native)
	before, _ := own.WriteHook(schema.Entry{Native: row.Native, Pointer: "/hooks/" + row.Native, Exact: true}, &h)
	fmt.Fprintf(w, "  before             %s: %s\n", row.Native, before)
	for _, host := range adapter.Dialects() {
		if sameAgent(host, own) {
			continue
		}
		for _, c := range inspect.NewPair(own, host).Rows {
			if c.From == row.Native {
				explainCoverage(w, own, host, &c, &h)
			}
		}
	}
}

func explainCoverage(w io.Writer, own, host adapter.Dialect, c *inspect.Coverage, h *schema.Hook) {
	if len(c.To) == 0 {
		fmt.Fprintf(w, "  under %-12s never runs; keep it for %s only, or move it to another event\n", host.Profile().Name, own.Profile().Title)
		return
	}
	fmt.Fprintf(w, "  under %-12s sent by %s\n", host.Profile().Name, strings.Join(c.To, ", "))
	fmt.Fprintf(w, "  %-18s supports %s\n", "", cmp.Or(strings.Join(c.Supported.Names(), ", "), "no effect"))
	if c.Passed != 0 {
		fmt.Fprintf(w, "  %-18s allow becomes no opinion: the host's permission rules decide (see HB220)\n", "")
	}
	if c.HooksOnly != 0 {
		fmt.Fprintf(w, "  %-18s variables reach later hooks there, not the commands of the model\n", "")
	}
	if c.Lost != 0 {
		fmt.Fprintf(w, "  %-18s doesn't support %s\n", "", strings.Join(c.Lost.Names(), ", "))
	}
	for _, p := range c.Programs {
		fmt.Fprintf(w, "  %-18s but %s@%s %s\n", "", host.Profile().Name, p.Program, differenceText(c, p.Program))
	}
	fmt.Fprintf(w, "  %-18s to run it there: hookbridge install --host %s --hooks %s\n", "", host.Profile().Full(), own.Profile().Full())
	if entry := entryOf(own, host, h); entry != "" {
		fmt.Fprintf(w, "  its entry there    %s\n", entry)
	}
}

// entryOf is the configuration of a hook of one dialect as another writes it.
func entryOf(from, to adapter.Dialect, h *schema.Hook) string {
	c := convert.Convert(from, to, &schema.Config{Hooks: []schema.Hook{*h}}, convert.ConvertOptions{Wrap: convert.WrapNever})
	return strings.Join(each(c.Entries, func(e convert.Placed) string {
		return strings.TrimPrefix(e.Pointer, "/hooks/") + ": " + string(e.Value)
	}), "  ")
}
