package main

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
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A story is one entry that calls hookbridge, from the payload to the answer, or a hook of the host's own.
type story struct {
	at     schema.Places
	run    *simulate.Run
	inside *simulate.Inside
	report *bridge.Report
	found  schema.Diagnostics // of the event at which the host runs a hook of its own
}

func storyOf(at schema.Places, step *simulate.Step, run *simulate.Run) *story {
	s := &story{at: at, run: run, inside: run.Inside, found: step.Diagnostics()}
	if s.inside != nil {
		s.report = s.inside.Report
		if s.report.Trace == nil {
			s.report.Trace = &bridge.Trace{}
		}
	}
	return s
}

func (s *story) print(w io.Writer, x *show, step func(string)) {
	if s.inside == nil {
		step("4  " + s.named(&s.run.Hook))
		s.printRun(w, &s.run.HookRun)
		return
	}
	rep := s.report
	host, hooks := titleOf(s.host()), s.inside.Bridge.Hooks.Profile().Title
	fmt.Fprintf(w, "     and calls %s\n", s.named(&s.run.Hook))
	step("2  a hook for " + hooks + " sees it as")
	s.printViews(w)
	step("3  the hooks")
	s.printHooks(w)
	for i := range rep.Runs {
		step("4  " + s.named(&rep.Runs[i].Hook))
		s.printRun(w, &rep.Runs[i])
	}
	step("5  the merged answer")
	printReply(w, &rep.Trace.Merged)
	step("6  " + host + " gets")
	switch {
	case s.run.Result.TimedOut:
		fmt.Fprintf(w, "     nothing: the entry's own timeout ends it after %s\n",
			s.run.Result.End.Sub(s.run.Result.Start).Round(time.Millisecond))
	case s.inside.Answer == nil:
		fmt.Fprint(w, "     nothing: hookbridge failed\n")
	default:
		fmt.Fprintf(w, "     %s\n", schema.Printable(string(s.inside.Answer)))
		effects := rep.Reply
		if rep.Call != nil {
			effects.Drop(effects.Uses() &^ s.inside.Bridge.Host.Honors(rep.Call, &effects))
		}
		printReply(w, &effects)
	}
	step("7  lost or changed in translation")
	if len(rep.Diagnostics) == 0 {
		fmt.Fprint(w, "     nothing\n")
	}
	for _, d := range rep.Diagnostics {
		fmt.Fprintf(w, "     %s\n", spoken(d.String()))
	}
	if len(rep.Diagnostics) > 0 {
		fmt.Fprintf(w, "     see hookbridge explain %s\n", rep.Diagnostics.Worst().Code)
	}
}

// host is the agent that is answered: the payload's, if it is not the named one's.
func (s *story) host() string {
	if c := s.report.Call; c != nil {
		return c.Dialect
	}
	return s.inside.Bridge.Host.Profile().Name
}

func printMembers(w io.Writer, text []byte) {
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

func (s *story) printViews(w io.Writer) {
	views := s.report.Trace.Views
	if len(views) == 0 {
		why := "nothing: " + s.inside.Bridge.Hooks.Profile().TitleChecked() + " has no event for it"
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
func (s *story) unread() bool {
	has := func(row schema.EventRow) bool { return row.Event == s.report.Call.Event }
	return len(s.report.Trace.Views) == 0 &&
		(s.report.Call == nil || slices.ContainsFunc(s.inside.Bridge.Hooks.Profile().Events, has))
}

func (s *story) printHooks(w io.Writer) {
	trace := s.report.Trace
	for i := range s.report.Runs {
		run := &s.report.Runs[i]
		state := "runs"
		if !run.Ran {
			state = "fails"
		} else if run.Async {
			state = "detached"
		}
		fmt.Fprintf(w, "     %-8s %s\n", state, s.named(&run.Hook))
	}
	for _, x := range trace.Skipped {
		s.printSkipped(w, &x)
	}
	if len(s.report.Runs)+len(trace.Skipped) > 0 {
		return
	}
	if s.unread() {
		fmt.Fprint(w, "     none was run; see 7\n")
		return
	}
	fmt.Fprintf(w, "     none found for %s\n", s.inside.Bridge.Hooks.Profile().Title)
	if len(trace.Sources) > 0 {
		for _, src := range trace.Sources {
			fmt.Fprintf(w, "     no hooks in %s\n", shown(src.File))
		}
		return
	}
	for _, src := range s.inside.Bridge.Hooks.Locate(s.at) {
		fmt.Fprintf(w, "     looked in: %s\n", shown(src.File))
	}
}

func (s *story) printSkipped(w io.Writer, x *bridge.Skip) {
	fmt.Fprintf(w, "     %-8s %s\n              %s: %s\n", "not run", s.named(&x.Hook), x.Why,
		schema.Printable(x.Detail))
}

// named is a hook's place, its event and what it does.
func (s *story) named(h *schema.Hook) string {
	var parts []string
	if h.Source.File != "" {
		parts = append(parts, atLine(shown(h.Source.File), h.Line))
	}
	if h.Native != "" {
		parts = append(parts, h.Native)
	}
	if h.Matcher != "" {
		parts = append(parts, strconv.Quote(h.Matcher))
	}
	return schema.Printable(strings.Join(append(parts, what(h)), "  "))
}

func (s *story) printRun(w io.Writer, run *bridge.HookRun) {
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

// findings are those about one hook.
func (s *story) findings(h *schema.Hook) schema.Diagnostics {
	if s.report == nil {
		return diagnosticsOf(s.found, h)
	}
	return diagnosticsOf(s.report.Diagnostics, h)
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
	parts := replyParts(r)
	if len(parts) == 0 {
		fmt.Fprint(w, "     no opinion\n")
	}
	for _, p := range parts {
		fmt.Fprintf(w, "     %s\n", strings.TrimSpace(fmt.Sprintf("%-11s %s", p.name, schema.Printable(p.text))))
	}
}

type part struct{ name, text string }

// replyParts lists the effects of a reply with what they say.
func replyParts(r *schema.Reply) (parts []part) {
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
