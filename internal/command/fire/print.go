package fire

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/command/story"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

func (f *flags) print(shows []story.Show, several bool, std cli.IO) {
	switch {
	case f.json && several:
		cli.PrintJSON(std.Out, story.PlaysDoc{Agents: lists.Map(shows,
			func(s story.Show) story.Doc { return s.Doc() })})
	case f.json:
		cli.PrintJSON(std.Out, shows[0].Doc())
	case several:
		for i := range shows {
			printSummary(std.Out, &shows[i])
		}
		fmt.Fprint(std.Out, "\nThe hooks ran for real, the call itself didn't. For every step: hookbridge fire "+
			"--host AGENT ...\n")
	default:
		printShow(std.Out, &shows[0])
	}
}

// printSummary writes a line for the agent, one for each event, and one for each hook that ran.
func printSummary(w io.Writer, x *story.Show) {
	p := cli.PainterFor(w)
	title := x.Host.Dialect.Profile().Title
	if x.Out == nil {
		fmt.Fprintf(w, "%-14s %s\n", title, p.Paint(cli.Faint, x.Why))
		return
	}

	fmt.Fprintf(w, "%-14s %s\n", title, p.Paint(cli.ColorOf(x.Out.Decision, cli.Strong), x.Out.Decision))
	called, lines := 0, 0
	for i := range x.Out.Steps {
		s := &x.Out.Steps[i]
		for j := range s.Runs {
			called++
			t := story.Of(x.Host.Places, s, &s.Runs[j])
			if t.Inside == nil {
				printHookLine(w, s.Event, t, &t.Run.HookRun)
				lines++
				continue
			}
			for k := range t.Report.Runs {
				printHookLine(w, s.Event, t, &t.Report.Runs[k])
				lines++
			}
			if t.Run.Result.TimedOut {
				fmt.Fprintf(w, "  %-22s %s: the entry's timeout ended it\n", s.Event,
					schema.Printable(cli.Shown(t.Run.Hook.Source.File)))
			}
		}
		if done := doneBy(s, title); done != "" {
			fmt.Fprintf(w, "  %-22s %s\n", s.Event, done)
		}
	}

	switch {
	case lines > 0 || len(x.Out.Files) > 0:
	case called > 0:
		fmt.Fprintf(w, "  %s\n", story.CalledForNone)
	default:
		fmt.Fprintf(w, "  %s\n", x.Idle())
	}

	if later := x.Out.Later(); later != "" {
		fmt.Fprintf(w, "  %-22s context %s\n", "a later event", schema.Printable(later))
	}
	if x.Out.Asked {
		fmt.Fprintf(w, "  %s\n", asks(x))
	}

	for _, d := range slices.Concat(x.Out.Left, x.Out.Files, x.Out.Faults) {
		fmt.Fprintf(w, "  %s\n", cli.Spoken(d.String()))
	}
}

// asks returns the text for a host that asks because of its mode.
func asks(x *story.Show) string {
	return x.Host.Dialect.Profile().Title + " asks its user: no hook and no rule allows the call in the mode " +
		x.Host.Mode
}

func printHookLine(w io.Writer, event string, t *story.Story, run *bridge.HookRun) {
	word := wordsOfReply(&run.Reply)
	if failed := failure(run); failed != "" && len(story.ReplyParts(&run.Reply)) == 0 {
		word = "failed: " + failed
	}
	fmt.Fprintf(w, "  %-22s %s: %s\n", event, t.Named(&run.Hook), schema.Printable(word))
}

// failure describes how a hook failed, or returns "".
func failure(run *bridge.HookRun) string {
	switch r := &run.Result; {
	case run.Async:
		return ""
	case !run.Ran:
		return "can't run"
	case r.Err != nil:
		return r.Err.Error()
	case r.TimedOut:
		return "timed out"
	case r.Exit != 0 || r.Signal != "":
		return schema.FailureText(r.Exit, r.Signal, r.Stderr)
	}
	return ""
}

// wordsOfReply summarizes a hook's answer in a few words.
func wordsOfReply(r *schema.Reply) string {
	var words []string
	for _, p := range story.ReplyParts(r) {
		text, _, _ := strings.Cut(p.Text, "\n")
		words = append(words, strings.TrimSpace(p.Name+" "+text))
	}
	if len(words) == 0 {
		return "no opinion"
	}
	return strings.Join(words, "; ")
}

// printShow shows all events of an action.
func printShow(w io.Writer, x *story.Show) {
	p := cli.PainterFor(w)
	if x.Out == nil {
		fmt.Fprintf(w, "%s\n", x.Why)
		return
	}

	gap, ran := "", false
	step := func(heading string) {
		fmt.Fprintln(w, gap+p.Paint(cli.Strong, heading))
		gap = "\n"
	}
	title := common.TitleOf(x.Out.Host)
	for i := range x.Out.Steps {
		s := &x.Out.Steps[i]
		if s.Why != "" {
			fmt.Fprintf(w, "%s%s isn't raised: %s\n", gap, s.Event, s.Why)
			gap = "\n"
			continue
		}
		if len(s.Runs) == 0 && len(x.Out.Steps) > 1 {
			fmt.Fprintf(w, "%s%s: %s calls no entry\n", gap, s.Event, title)
			gap = "\n"
			continue
		}
		if len(x.Out.Steps) > 1 {
			step(s.Event)
		}
		step("1  " + title + " sends")
		story.PrintMembers(w, s.Payload)
		ran = ran || len(s.Runs) > 0
		for j := range s.Runs {
			story.Of(x.Host.Places, s, &s.Runs[j]).Print(w, x, step)
		}
		if len(s.Runs) == 0 {
			printUncalled(w, x, s, step)
		}
		if done := doneBy(s, title); done != "" {
			fmt.Fprintf(w, "\n%s\n", done)
		}
	}

	for _, d := range slices.Concat(x.Out.Left, x.Out.Files, x.Out.Faults) {
		fmt.Fprintf(w, "\n%s\n", cli.Spoken(d.String()))
	}

	if !ran && len(x.Out.Steps) > 1 && len(x.Out.Files) == 0 {
		fmt.Fprintf(w, "\n%s\n", x.Idle())
	}
	if x.Out.Asked {
		fmt.Fprintf(w, "\n%s\n", asks(x))
	}

	if x.Out.MayImport != "" {
		fmt.Fprintf(w, "\n%s also runs the hooks of %s if its import of other agents' files is on; "+
			"to play that too, add to hookbridge.yaml: facts: {%s: {%s: on}}\n",
			title, cli.Shown(x.Out.MayImport), x.Out.Host, inspect.ImportFact)
	}

	if later := x.Out.Later(); later != "" {
		fmt.Fprintf(w, "\nlater, with another event of the session: context %s\n", schema.Printable(later))
	}

	fmt.Fprintf(w, "\nanswer: %s\n", p.Paint(cli.ColorOf(x.Out.Decision, cli.Strong), x.Out.Decision))
}

// printUncalled prints that the host calls no entry, and why.
func printUncalled(w io.Writer, x *story.Show, s *simulate.Step, step func(string)) {
	step("3  the hooks")
	host := x.Host.Dialect.Profile()
	fmt.Fprintf(w, "     %s calls no entry for this event\n", host.Title)
	own := &story.Story{At: x.Host.Places}
	for _, skip := range s.Skipped {
		own.PrintSkipped(w, &skip)
	}
	for _, d := range s.Diagnostics() {
		fmt.Fprintf(w, "     %s\n", d.String())
	}
	if len(s.Skipped) == 0 {
		for _, src := range survey.Sources(x.Host.Dialect, x.Host.Places) {
			fmt.Fprintf(w, "     looked in: %s\n", cli.Shown(src.File))
		}
		fmt.Fprintf(w, "     to run the hooks of other agents: %s\n", plan.Command("install", x.Host.Dialect))
	}
}

// doneBy summarizes in a line what the host does after an event.
func doneBy(s *simulate.Step, title string) string {
	var does []string
	r := &s.Reply
	for _, e := range []struct {
		has  bool
		does string
	}{
		{r.Verdict == schema.Deny, "blocks it"}, {r.Verdict == schema.Ask, "asks its user"},
		{r.Verdict == schema.Allow, "allows it"},
		{r.Input != nil && r.Verdict != schema.Deny, "takes the new input"},
		{r.Output != nil, "shows the model the new result"},
		{r.Context+r.Feedback != "", "gives the model the context"}, {r.KeepGoing != "", "continues"},
		{r.EndTurn, "ends the turn"}} {
		if e.has {
			does = append(does, e.does)
		}
	}

	if s.Ignored != 0 {
		does = append(does, "ignores: "+strings.Join(s.Ignored.Names(), ", "))
	}
	if len(does) == 0 {
		return ""
	}

	return title + " " + strings.Join(does, ", ")
}
