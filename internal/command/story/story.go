// Package story shows what one agent does with a call, step by step, for people and as JSON.
package story

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Story is one entry that calls hookbridge, from the payload to the answer, or a hook of the host itself.
type Story struct {
	At     schema.Places
	Run    *simulate.Run
	Inside *simulate.Inside
	Report *bridge.Report
	found  schema.Diagnostics // of the event at which the host runs its own hook
}

// Of returns the story of one entry that ran at a step.
func Of(at schema.Places, step *simulate.Step, run *simulate.Run) *Story {
	s := &Story{At: at, Run: run, Inside: run.Inside, found: step.Diagnostics()}
	if s.Inside != nil {
		s.Report = s.Inside.Report
		if s.Report.Trace == nil {
			s.Report.Trace = &bridge.Trace{}
		}
	}
	return s
}

// Print writes the steps after the payload, each with a heading.
func (s *Story) Print(w io.Writer, x *Show, step func(string)) {
	if s.Inside == nil {
		step("4  " + s.Named(&s.Run.Hook))
		s.printRun(w, &s.Run.HookRun)
		return
	}

	rep := s.Report
	host, hooks := common.TitleOf(s.host()), s.Inside.Bridge.Hooks.Profile().Title
	fmt.Fprintf(w, "     and calls %s\n", s.Named(&s.Run.Hook))
	step("2  a hook for " + hooks + " sees it as")
	s.printViews(w)
	step("3  the hooks")
	s.printHooks(w)
	for i := range rep.Runs {
		step("4  " + s.Named(&rep.Runs[i].Hook))
		s.printRun(w, &rep.Runs[i])
	}

	step("5  the merged answer")
	printReply(w, &rep.Trace.Merged)
	step("6  " + host + " gets")
	switch {
	case s.Run.Result.TimedOut:
		fmt.Fprintf(w, "     nothing: the entry's own timeout ends it after %s\n",
			s.Run.Result.End.Sub(s.Run.Result.Start).Round(time.Millisecond))
	case s.Inside.Answer == nil:
		fmt.Fprint(w, "     nothing: hookbridge failed\n")
	default:
		fmt.Fprintf(w, "     %s\n", schema.Printable(string(s.Inside.Answer)))
		effects := rep.Reply
		if rep.Call != nil {
			effects.Drop(effects.Uses() &^ s.Inside.Bridge.Host.Honors(rep.Call, &effects))
		}
		printReply(w, &effects)
	}

	step("7  lost or changed in translation")
	if len(rep.Diagnostics) == 0 {
		fmt.Fprint(w, "     nothing\n")
	}

	for _, d := range rep.Diagnostics {
		fmt.Fprintf(w, "     %s\n", cli.Spoken(d.String()))
	}

	if len(rep.Diagnostics) > 0 {
		fmt.Fprintf(w, "     see hookbridge explain %s\n", rep.Diagnostics.Worst().Code)
	}
}

// host returns the agent that gets the answer: the payload's agent if known, else the host.
func (s *Story) host() string {
	if c := s.Report.Call; c != nil {
		return c.Dialect
	}
	return s.Inside.Bridge.Host.Profile().Name
}

// PrintMembers writes a payload, one field per line.
func PrintMembers(w io.Writer, text []byte) {
	o, err := ordjson.Parse(text)
	if err != nil {
		fmt.Fprintf(w, "     %s\n", schema.Printable(string(text)))
		return
	}
	for _, m := range o {
		fmt.Fprintf(w, "     %s: %s\n", schema.Printable(m.Name),
			schema.Printable(string(ordjson.AppendCompact(nil, m.Value))))
	}
}

func (s *Story) printViews(w io.Writer) {
	views := s.Report.Trace.Views
	if len(views) == 0 {
		why := "nothing: " + s.Inside.Bridge.Hooks.Profile().TitleChecked() + " has no event for it"
		if s.unread() {
			why = "not shown: hookbridge failed before any hook could run"
		}
		fmt.Fprintf(w, "     %s\n", why)
	}
	for _, v := range views {
		line := v.Event
		if v.Tool != "" {
			line += " of the tool " + v.Tool
		}
		if len(v.Target) > 0 {
			line += ", matchers are compared with " + schema.Printable(strings.Join(v.Target, ", "))
		}
		fmt.Fprintf(w, "     %s\n", line)
	}
}

// unread reports whether hookbridge failed before it had all hooks.
func (s *Story) unread() bool {
	has := func(row schema.EventRow) bool { return row.Event == s.Report.Call.Event }
	return len(s.Report.Trace.Views) == 0 &&
		(s.Report.Call == nil || slices.ContainsFunc(s.Inside.Bridge.Hooks.Profile().Events, has))
}

func (s *Story) printHooks(w io.Writer) {
	trace := s.Report.Trace
	for i := range s.Report.Runs {
		run := &s.Report.Runs[i]
		state := "runs"
		if !run.Ran {
			state = "fails"
		} else if run.Async {
			state = "detached"
		}
		fmt.Fprintf(w, "     %-8s %s\n", state, s.Named(&run.Hook))
	}

	for _, x := range trace.Skipped {
		s.PrintSkipped(w, &x)
	}

	if len(s.Report.Runs)+len(trace.Skipped) > 0 {
		return
	}

	if s.unread() {
		fmt.Fprint(w, "     none was run; see 7\n")
		return
	}

	fmt.Fprintf(w, "     none found for %s\n", s.Inside.Bridge.Hooks.Profile().Title)
	if len(trace.Sources) > 0 {
		for _, src := range trace.Sources {
			fmt.Fprintf(w, "     no hooks in %s\n", cli.Shown(src.File))
		}
		return
	}

	for _, src := range s.Inside.Bridge.Hooks.Locate(s.At) {
		fmt.Fprintf(w, "     looked in: %s\n", cli.Shown(src.File))
	}
}

// PrintSkipped writes a hook that did not run, and the reason.
func (s *Story) PrintSkipped(w io.Writer, x *bridge.Skip) {
	fmt.Fprintf(w, "     %-8s %s\n              %s: %s\n", "not run", s.Named(&x.Hook), x.Why,
		schema.Printable(x.Detail))
}

// Named returns a hook's place, its event and its action.
func (s *Story) Named(h *schema.Hook) string {
	var parts []string
	if h.Source.File != "" {
		parts = append(parts, cli.AtLine(cli.Shown(h.Source.File), h.Line))
	}
	if h.Native != "" {
		parts = append(parts, h.Native)
	}
	if h.Matcher != "" {
		parts = append(parts, strconv.Quote(h.Matcher))
	}
	return schema.Printable(strings.Join(append(parts, common.What(h)), "  "))
}

func (s *Story) printRun(w io.Writer, run *bridge.HookRun) {
	fmt.Fprintf(w, "     stdin    %s\n", schema.Printable(strings.TrimSpace(string(run.Stdin))))
	res := &run.Result
	switch {
	case run.Async:
		fmt.Fprint(w, "     runs in the background; hookbridge doesn't wait for it\n")
		return
	case !run.Ran || res.Err != nil:
		fmt.Fprint(w, "     can't run\n")
	default:
		fmt.Fprintf(w, "     ended    %s after %s\n", ending(run), res.End.Sub(res.Start).Round(100*time.Microsecond))
		printLines(w, "stdout", res.Stdout)
		printLines(w, "stderr", res.Stderr)
	}
	fmt.Fprint(w, "     is read as\n")
	printReply(w, &run.Reply)
	for _, d := range s.findings(&run.Hook) {
		fmt.Fprintf(w, "     %s %s: %s\n", d.Severity, d.Code, schema.Printable(d.Message))
	}
}

// findings returns the findings about one hook.
func (s *Story) findings(h *schema.Hook) schema.Diagnostics {
	if s.Report == nil {
		return diagnosticsOf(s.found, h)
	}
	return diagnosticsOf(s.Report.Diagnostics, h)
}

func diagnosticsOf(ds schema.Diagnostics, h *schema.Hook) (out schema.Diagnostics) {
	for _, d := range ds {
		if h.Path != "" && d.Path == h.Path && d.File == h.Source.File {
			out = append(out, d)
		}
	}
	return out
}

func ending(run *bridge.HookRun) string {
	switch {
	case run.Result.TimedOut:
		return "by its timeout"
	case run.Result.Signal != "":
		return "by " + run.Result.Signal
	}
	return "with exit code " + strconv.Itoa(run.Result.Exit)
}

func printLines(w io.Writer, name string, text []byte) {
	s := strings.TrimRight(string(text), "\n")
	if s == "" {
		return
	}
	for _, line := range strings.Split(s, "\n") {
		fmt.Fprintf(w, "     %-8s %s\n", name, schema.Printable(line))
		name = ""
	}
}

func printReply(w io.Writer, r *schema.Reply) {
	parts := ReplyParts(r)
	if len(parts) == 0 {
		fmt.Fprint(w, "     no opinion\n")
	}
	for _, p := range parts {
		fmt.Fprintf(w, "     %s\n", strings.TrimSpace(fmt.Sprintf("%-11s %s", p.Name, schema.Printable(p.Text))))
	}
}

type part struct{ Name, Text string }

// ReplyParts lists the effects of a reply with their texts.
func ReplyParts(r *schema.Reply) (parts []part) {
	add := func(name, text string) { parts = append(parts, part{name, text}) }
	text := func(f schema.Feature, s string) {
		if s != "" {
			add(f.Name(), s)
		}
	}
	if r.Verdict != schema.NoOpinion {
		add(r.Verdict.String(), "")
	}

	text(schema.EffectReason, r.Reason)
	text(schema.EffectUserReason, r.UserReason)
	if r.Input != nil {
		w := ordjson.NewWriter(nil)
		for _, a := range r.Input {
			w.Raw(cmp.Or(a.Name, a.Role.String()), a.Raw)
		}
		add(schema.EffectInput.Name(), string(w.Bytes()))
	}

	text(schema.EffectOutput, string(r.Output))
	text(schema.EffectContext, r.Context)
	text(schema.EffectFeedback, r.Feedback)
	text(schema.EffectKeepGoing, r.KeepGoing)
	if r.EndTurn {
		add(schema.EffectEndTurn.Name(), r.EndReason)
	}

	for _, v := range r.Env {
		add(schema.EffectEnv.Name(), v.Name+"="+v.Value)
	}

	text(schema.EffectNotice, r.Notice)
	for _, o := range r.Others {
		add(o.Feature.Name(), string(o.Raw))
	}

	return parts
}
