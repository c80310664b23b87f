package matrix

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// gradeMarks are a one-column mark for each grade, with its color on a terminal.
var gradeMarks = [...]struct{ mark, color, says string }{
	inspect.NotSupported:    {"○", cli.Bad, "never runs"},
	inspect.PartlySupported: {"◐", cli.Middle, "runs, but some of its effects are not supported"},
	inspect.FullySupported:  {"●", cli.Good, "runs, and all its effects are supported"},
}

func legend(p cli.Painter) string {
	var parts []string
	for g := len(gradeMarks) - 1; g >= 0; g-- {
		m := gradeMarks[g]
		parts = append(parts, p.Paint(m.color, m.mark)+" "+m.says)
	}
	return strings.Join(parts, "   ")
}

// matrixTable writes to a terminal: every pair in an overview, or the details of the chosen pairs.
func matrixTable(w io.Writer, pairs []inspect.Pair, detail bool) {
	p := cli.PainterFor(w)
	if !detail {
		glanceTable(w, p, pairs)
	}
	for i := range pairs {
		if detail {
			PairTable(w, p, &pairs[i])
			fmt.Fprintln(w)
		}
	}
	if detail {
		fmt.Fprintln(w, strings.ReplaceAll(legend(p), "   ", "\n"))
	} else {
		fmt.Fprintln(w, "See hookbridge matrix --from AGENT --to AGENT for the details of a pair.")
	}
}

// glanceTable has a row for the hooks of each agent, a column for each host, and the number of events that run there.
func glanceTable(w io.Writer, p cli.Painter, pairs []inspect.Pair) {
	hosts := dialectsOf(pairs)
	head := p.Paint(cli.Strong, fmt.Sprintf("%-14s %6s ", "HOOKS OF", "EVENTS"))
	for i := range hosts {
		head += " " + p.Paint(cli.Strong, fmt.Sprintf("%2d", i+1))
	}
	fmt.Fprintln(w, head)

	for i, from := range hosts {
		events, cells := "", ""
		for _, to := range hosts {
			j := slices.IndexFunc(pairs, func(pair inspect.Pair) bool {
				return pair.From == from.Profile().Name && pair.To == to.Profile().Name
			})
			if j < 0 {
				cells += "  ·"
				continue
			}
			events = strconv.Itoa(len(pairs[j].Rows))
			cells += " " + runsOf(p, &pairs[j])
		}
		fmt.Fprintf(w, "%2d %-11s %6s %s\n", i+1, from.Profile().Name, events, cells)
	}

	fmt.Fprintln(w)
	cli.PrintWrapped(w, "", "A row has the hooks of an agent and how many events they can be for. A column, by the "+
		"number of a row, has the agent that runs them, and at how many of these events it does.")
	hostsOnly(w, pairs)
}

// runsOf counts the events of a pair at which the hooks run.
func runsOf(p cli.Painter, pair *inspect.Pair) string {
	n := 0
	for i := range pair.Rows {
		if pair.Rows[i].Support != inspect.NotSupported {
			n++
		}
	}
	grade := inspect.PartlySupported
	switch n {
	case 0:
		grade = inspect.NotSupported
	case len(pair.Rows):
		grade = inspect.FullySupported
	}
	return p.Paint(gradeMarks[grade].color, fmt.Sprintf("%2d", n))
}

// hostsOnly explains which agents don't have a column, and why, and which are known only from reports.
func hostsOnly(w io.Writer, pairs []inspect.Pair) {
	for _, d := range dialectsOf(pairs) {
		p := d.Profile()
		if p.HostOnly != "" {
			cli.PrintWrapped(w, "", p.Title+" "+p.HostOnly+", so there are no hooks of it here.")
		}
		if p.Reported {
			cli.PrintWrapped(w, "", p.Proviso())
		}
	}
}

// glanceMark returns the mark of a pair for an event, or a dot for an agent's own hooks.
func glanceMark(p cli.Painter, pairs []inspect.Pair, from, to string, e schema.Event) string {
	for i := range pairs {
		if g, ok := pairs[i].Grade(e); ok && pairs[i].From == from && pairs[i].To == to {
			return p.Paint(gradeMarks[g].color, gradeMarks[g].mark)
		}
	}
	if from == to {
		return "·"
	}
	return " "
}

// PairTable writes a row for each event of the hooks: where it runs and with which effects. Separate lines list lost
// effects and those missing in some programs of the host.
func PairTable(w io.Writer, p cli.Painter, pair *inspect.Pair) {
	fmt.Fprintf(w, "%s hooks under %s\n", p.Paint(cli.Strong, pair.From), p.Paint(cli.Strong, pair.To))
	rows := &cli.Text{P: p}
	rows.Add(cli.Cell{}, cli.Cell{Text: "EVENT", Color: cli.Strong},
		cli.Cell{Text: "SENT BY", Color: cli.Strong}, cli.Cell{Text: "EFFECTS", Color: cli.Strong})
	room := effectsWidth(w, pair)
	for i := range pair.Rows {
		r := &pair.Rows[i]
		m := gradeMarks[r.Support]
		lead := []cli.Cell{{Text: m.mark, Color: m.color}, {Text: r.From}, {Text: sentBy(r)}}
		if len(r.To) == 0 {
			lead[2].Color = cli.Faint
		}

		for _, part := range effectParts(pair, r) {
			for _, line := range cli.Wrapped(part.Text, room) {
				rows.Add(append(lead, cli.Cell{Text: line, Color: part.Color})...)
				lead = []cli.Cell{{}, {}, {}}
			}
		}
		if lead[0].Text != "" {
			rows.Add(lead...)
		}
	}
	rows.Write(w)
	for _, line := range remarks(pair) {
		cli.PrintWrapped(w, "", line)
	}
}

// sentBy names the first event of the host that runs the hooks of a row, and counts the others.
func sentBy(r *inspect.Coverage) string {
	switch n := len(r.To); n {
	case 0:
		return "-"
	case 1:
		return r.To[0]
	default:
		return fmt.Sprintf("%s +%d", r.To[0], n-1)
	}
}

// effectParts returns the effects of a row: the supported ones, the lost ones, and those missing in each program.
func effectParts(pair *inspect.Pair, r *inspect.Coverage) (parts []cli.Cell) {
	if names := supportedNames(r); len(names) > 0 {
		parts = append(parts, cli.Cell{Text: strings.Join(names, " "), Color: cli.Good})
	}
	if len(r.To) > 0 && r.Lost != 0 { // otherwise all are lost: the hook never runs
		parts = append(parts, cli.Cell{Text: "not: " + strings.Join(r.Lost.Names(), " "), Color: cli.Middle})
	}
	for _, name := range pair.Programs() {
		if difference := differenceText(r, name); difference != "" {
			parts = append(parts, cli.Cell{Text: name + ": " + difference, Color: cli.Middle})
		}
	}
	return parts
}

// effectsWidth returns the width that the other columns of a pair's table leave.
func effectsWidth(w io.Writer, pair *inspect.Pair) int {
	events, hosts := 0, 0
	for i := range pair.Rows {
		events, hosts = max(events, cli.Width(pair.Rows[i].From)), max(hosts, cli.Width(sentBy(&pair.Rows[i])))
	}
	return max(cli.Columns(w)-events-hosts-len("●      "), 30)
}

// remarks explain the marks of a pair's table, and everything without a column.
func remarks(pair *inspect.Pair) []string {
	to := common.TitleOf(pair.To)
	var fewer, ways, unsent, prompts []string
	var moments []inspect.Moment
	var code schema.Code // for an event without prompt hooks in a host that has them elsewhere
	for i := range pair.Rows {
		r := &pair.Rows[i]
		raisedForOthers := r.Code == schema.CodeFewerCalls || r.Code == schema.CodeMoreCalls
		if raisedForOthers {
			fewer = append(fewer, r.From+": "+r.Why+" ("+string(r.Code)+" "+r.Severity+").")
		}
		for _, d := range r.Programs {
			if d.Way {
				ways = append(ways, "`"+d.Program+"` "+r.WayText(&d)+".")
			}
		}
		moments = append(moments, slices.DeleteFunc(slices.Clone(r.Moments), func(m inspect.Moment) bool {
			return raisedForOthers && m.Why == r.Why
		})...)
		if len(r.Unsent) > 0 {
			unsent = append(unsent, r.From+" "+strings.Join(r.Unsent, ", "))
		}
		if r.Prompts != "" && pair.Settings.Missing&schema.HookPrompt == 0 {
			prompts, code = append(prompts, r.From), r.Prompts
		}
	}

	slices.Sort(ways)
	all := append(marksOf(pair), strings.Join(fewer, " "),
		strings.Join(append(slices.Compact(ways), momentTexts(moments)...), " "),
		listing("Matcher values that "+to+" never sends: ", unsent, "; ", "."),
		listing("Prompt hooks that "+to+" does nothing with: ", prompts, ", ", " ("+string(code)+")."),
		listing("Hook settings that "+to+"'s files don't have: ", pair.Settings.Missing.Names(), ", ", "."))
	return slices.DeleteFunc(all, func(line string) bool { return line == "" })
}

// listing returns a sentence about a list, or "" for an empty list.
func listing(head string, list []string, between, end string) string {
	if len(list) == 0 {
		return ""
	}
	return head + strings.Join(list, between) + end
}

// marksOf explains the marks at effects that occur in the table.
func marksOf(pair *inspect.Pair) (texts []string) {
	from, to := common.TitleOf(pair.From), common.TitleOf(pair.To)
	for _, mark := range []struct {
		on   func(inspect.Coverage) bool
		text string
	}{
		{func(r inspect.Coverage) bool { return r.Passed != 0 },
			"* allow becomes no opinion: the permission rules of " + to + " decide, as they do without the hook. " +
				"Where its hooks can approve a call, --allow approve makes them."},
		{func(r inspect.Coverage) bool { return r.HooksOnly != 0 },
			"† " + from + " gives these variables to the commands of the model, " + to + " to its hooks only."},
		{func(r inspect.Coverage) bool { return r.AsksLater },
			"‡ denied: " + to + " can't be relied on to ask there. With --ask relay it asks where it can, at this " +
				"event of the call or a later one."},
	} {
		if slices.ContainsFunc(pair.Rows, mark.on) {
			texts = append(texts, mark.text)
		}
	}
	return texts
}

// differenceText describes what a program of the host lacks, or returns "".
func differenceText(r *inspect.Coverage, program string) string {
	d := r.On(program)
	if d == nil {
		return ""
	}
	var parts []string
	lost := d.Lost
	if r.Event == schema.SessionStart && lost&schema.EffectContext != 0 {
		lost, parts = lost&^schema.EffectContext, append(parts, schema.EffectContext.Name()+" later")
	}
	if lost != 0 {
		parts = append(parts, "ignores "+strings.Join(lost.Names(), ", "))
	}
	if len(d.Never) > 0 {
		parts = append(parts, "never sends "+strings.Join(d.Never, ", "))
	}
	return strings.Join(parts, "; ")
}

// supportedNames returns the supported effects with marks: a star for an allow that becomes no opinion, and a dagger
// for variables that only hooks get. A double dagger marks a question that is a denial by default.
func supportedNames(r *inspect.Coverage) []string {
	list := r.Supported.Names()
	if r.AsksLater {
		list[slices.Index(list, schema.EffectAsk.Name())] += "‡"
	}
	for _, name := range r.HooksOnly.Names() {
		list[slices.Index(list, name)] += "†"
	}
	for i, name := range r.Passed.Names() {
		list = slices.Insert(list, i, name+"*")
	}
	return list
}

// momentTexts merges equal texts about several events.
func momentTexts(moments []inspect.Moment) (texts []string) {
	const event = "EVENT"
	events := map[string][]string{}
	for _, m := range moments {
		text := strings.Replace(m.Why, m.Native, event, 1) + " (" + string(m.Code) + ")."
		texts, events[text] = lists.With(texts, text), lists.With(events[text], m.Native)
	}
	return lists.Map(texts, func(text string) string {
		return strings.Replace(text, event, strings.Join(events[text], ", "), 1)
	})
}

func matrixMarkdown(w io.Writer, pairs []inspect.Pair, detail bool) {
	if !detail {
		GlanceMarkdown(w, pairs)
		return
	}
	for i := range pairs {
		if len(pairs) > 1 {
			fmt.Fprintf(w, "%s### %s hooks under %s\n\n", strings.Repeat("\n", min(i, 1)), pairs[i].From, pairs[i].To)
		}
		pairMarkdown(w, &pairs[i])
	}
}

// GlanceMarkdown writes a table for each host: a row for each event, a column for the hooks of each agent.
func GlanceMarkdown(w io.Writer, pairs []inspect.Pair) {
	marks := strings.ReplaceAll(legend(cli.Painter{}), "   ", "; ")
	fmt.Fprintf(w, "%s. Empty: the hooks' agent has no such event.\n", marks)
	for _, host := range dialectsOf(pairs) {
		if !slices.ContainsFunc(pairs, func(p inspect.Pair) bool { return p.To == host.Profile().Name }) {
			continue
		}
		fmt.Fprintf(w, "\n## Hooks in %s\n\n", host.Profile().Title)
		if proviso := host.Profile().Proviso(); proviso != "" {
			fmt.Fprintf(w, "%s\n\n", proviso)
		}
		hostMarkdown(w, pairs, host.Profile().Name)
	}
	fmt.Fprintln(w)
	hostsOnly(w, pairs)
}

// hostMarkdown writes the table of one host. It leaves out events that only the host's own hooks have.
func hostMarkdown(w io.Writer, pairs []inspect.Pair, host string) {
	owners := slices.DeleteFunc(withHooks(dialectsOf(pairs)), func(d adapter.Dialect) bool {
		return d.Profile().Name == host
	})
	fmt.Fprintf(w, "| event | %s |\n|---%s|\n", strings.Join(adapter.NamesOf(owners), " | "),
		strings.Repeat("|:-:", len(owners)))
	for e := schema.Event(1); e < schema.NumEvents; e++ {
		marks := lists.Map(owners, func(d adapter.Dialect) string {
			return strings.TrimSpace(glanceMark(cli.Painter{}, pairs, d.Profile().Name, host, e))
		})
		if strings.Join(marks, "") != "" {
			fmt.Fprintf(w, "| %s | %s |\n", e, strings.Join(marks, " | "))
		}
	}
}

// pairMarkdown puts the events without a counterpart on one line.
func pairMarkdown(w io.Writer, pair *inspect.Pair) {
	programs := pair.Programs()
	head, rule := "| hook event | sent by | supported | not supported |", "|---|---|---|---|"
	for _, name := range programs {
		head += " " + pair.To + "@" + name + " |"
		rule += "---|"
	}

	fmt.Fprintf(w, "%s\n%s\n", head, rule)
	var none []string
	for i := range pair.Rows {
		r := &pair.Rows[i]
		if len(r.To) == 0 {
			none = append(none, r.From)
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |", r.From, strings.Join(r.To, ", "),
			cmp.Or(strings.Join(supportedNames(r), ", "), "runs, no effects"),
			cmp.Or(strings.Join(r.Lost.Names(), ", "), "-"))
		for _, name := range programs {
			fmt.Fprintf(w, " %s |", cmp.Or(differenceText(r, name), "same"))
		}
		fmt.Fprintln(w)
	}

	if len(none) > 0 {
		fmt.Fprintf(w, "\nNot available, so these hooks never run: %s.\n", strings.Join(none, ", "))
	}

	for _, line := range remarks(pair) {
		if strings.HasPrefix(line, "*") { // not a list
			line = `\` + line
		}
		fmt.Fprintf(w, "\n%s\n", line)
	}
}
