package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

type replayFlags struct {
	project, event string
	json, yes      bool
}

func (f *replayFlags) define(fs *flags) {
	fs.text(&f.project, "project", "", "DIR", "run the hooks of this project instead of the recorded one")
	fs.text(&f.event, "event", "", "E", "only events with this name")
	fs.yes(&f.json, "json", "one JSON object")
	fs.yes(&f.yes, "yes", "run the hooks without asking first; the log decides which commands run in which projects")
}

type rerun struct {
	line          int
	before, after *logRecord
	changed       []change
	why           string // why it was not run again, "" if it was
}

type change struct {
	What   string `json:"what"`
	Before string `json:"before"`
	After  string `json:"after"`
}

func (f *replayFlags) run(_ *flags, rest []string, std stdio) (int, error) {
	if len(rest) != 1 {
		return 0, errUsage{"name one FILE: a log written by hookbridge run --log FILE"}
	}
	if err := projectIsThere(f.project); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(rest[0])
	if err == nil && len(bytes.TrimSpace(text)) == 0 {
		err = fmt.Errorf("%s has no events", rest[0])
	}
	if err == nil && !f.yes {
		if err = f.confirm(text, std); err != nil {
			return 0, err
		}
	}
	var dir string
	if err == nil {
		dir, err = os.MkdirTemp("", "hookbridge-replay-") // the recorded sessions are over
	}
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge replay: %v\nhookbridge run --log FILE records events\n", err)
		return exitFail, nil
	}
	defer os.RemoveAll(dir)
	ctx, listen := untilAsked()
	listen()
	var runs []rerun
	p := startProgress(&std, "replay")
	defer p.end()
	for i, line := range strings.Split(string(text), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		rec, err := readRecord([]byte(line))
		if err != nil {
			runs = append(runs, rerun{line: i + 1, before: &logRecord{}, why: err.Error()})
			continue
		}
		if f.event == "" || f.event == rec.Event {
			p.at(rec.Event)
			r := f.again(ctx, rec, dir)
			r.line = i + 1
			runs = append(runs, r)
		}
	}
	return f.report(runs, rest[0], std), nil
}

// confirm asks the user before commands are run that a log names, which anyone
// may have written.
func (f *replayFlags) confirm(text []byte, std stdio) error {
	for _, line := range f.wouldRun(text) {
		fmt.Fprintln(std.err, "  "+schema.Printable(line))
	}
	in, ok := std.in.(*os.File)
	if !ok || !isTerminal(in) {
		return errUsage{"replay runs these commands; review them, then add --yes"}
	}
	fmt.Fprint(std.err, "Run the hooks of these commands? [y/N] ")
	answer, _ := bufio.NewReader(in).ReadString('\n')
	if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
		return errUsage{"nothing was run"}
	}
	return nil
}

// wouldRun lists the calls of the bridge that the log records, each once.
func (f *replayFlags) wouldRun(text []byte) (list []string) {
	for line := range strings.SplitSeq(string(text), "\n") {
		rec, err := readRecord([]byte(line))
		if err != nil || f.event != "" && f.event != rec.Event {
			continue
		}
		words := append([]string{"hookbridge", "run"}, each(rec.Args, shell.Quote)...)
		call := strings.Join(words, " ") + "  (project " + cmp.Or(f.project, rec.Project, "of the payload") + ")"
		if !slices.Contains(list, call) {
			list = append(list, call)
		}
	}
	return list
}

func (f *replayFlags) again(ctx context.Context, rec *logRecord, stateDir string) rerun {
	r := rerun{before: rec}
	if rec.Stdin == nil {
		r.why = "its payload was not recorded"
		return r
	}
	payload, _ := ordjson.String(rec.Stdin)
	stdin := []byte(payload)
	args := rec.Args
	if len(args) == 0 { // of an older version
		args = []string{"--hooks=" + rec.HooksOf}
	}
	run, err := parseRun(args)
	if err == nil && run.Text("host") == "" {
		run.Set("host", rec.Host)
	}
	if f.project != "" {
		run.Set("project", f.project)
	} else if err == nil && run.Text("project") == "" {
		run.Set("project", rec.Project)
	}
	var b *bridge.Bridge
	if err == nil {
		b, err = run.bridge()
	}
	if err != nil {
		r.why = "its recorded flags are no longer valid: " + err.Error()
		return r
	}
	if b.Host == nil {
		b.Host = fallbackHost(b.Hooks)
	}
	b.StateDir, b.Self = stateDir, ""
	run.args = rec.Args
	run.Set("log-payload", "true")
	start := time.Now()
	answer, rep, err := guarded(ctx, b, stdin, run.Text("event"), nil)
	r.after, err = readRecord(run.record(b, rep, stdin, answer, err, start))
	if err != nil {
		r.why = err.Error()
		return r
	}
	r.compare()
	return r
}

// compare lists what has changed: everything but times.
func (r *rerun) compare() {
	differ := func(what, before, after string) {
		if before != after {
			r.changed = append(r.changed, change{what, before, after})
		}
	}
	b, a := r.before, r.after
	differ("decision", b.outcome(), a.outcome())
	differ("effects", b.Effects, a.Effects)
	differ("answer", answerText(b.Stdout), answerText(a.Stdout))
	differ("hooks", b.hooksText(), a.hooksText())
	differ("findings", findingsText(b), findingsText(a))
}

// answerText is an answer as the log has it, on one line.
func answerText(logged jsondoc.Raw) string {
	s, _ := ordjson.String(logged)
	return string(ordjson.AppendCompact(nil, []byte(s)))
}

func findingsText(r *logRecord) string {
	return strings.Join(each(r.Findings, logFinding.String), ", ")
}

func (r *logRecord) hooksText() string {
	var list []string
	for _, h := range r.Hooks {
		list = append(list, h.name()+" "+h.ending()+" "+cmp.Or(h.Effects, "no opinion"))
	}
	return strings.Join(list, ", ")
}

func (f *replayFlags) report(runs []rerun, file string, std stdio) int {
	count := map[string]int{}
	for i := range runs {
		count[runs[i].state()]++
	}
	same, changed, left := count["same"], count["changed"], count["not run"]
	if f.json {
		printJSON(std.out, replayDoc{same, changed, left, each(runs, rerunDocOf)})
	} else {
		for i := range runs {
			printRerun(std.out, &runs[i])
		}
		fmt.Fprintf(std.out, "%s: %d same, %d changed, %d not run\n", counted(len(runs), "event"), same, changed, left)
	}
	if left > 0 {
		fmt.Fprintf(std.err, "hookbridge replay: %s of %s could not be run again; a log recorded with --log-payload=false lacks the payloads\n", counted(left, "event"), file)
	}
	return failIf(changed > 0 || left > 0 || len(runs) == 0)
}

func (r *rerun) state() string {
	switch {
	case r.why != "":
		return "not run"
	case len(r.changed) > 0:
		return "changed"
	}
	return "same"
}

func printRerun(w io.Writer, r *rerun) {
	b := r.before
	fmt.Fprintf(w, "%4d  %s  %-34s %-8s %s\n", r.line, clock(b.Time), schema.Printable(strings.Join([]string{b.Host, b.Event, b.Tool}, " ")), r.state(), schema.Printable(cmp.Or(r.why, r.outcome())))
	for _, c := range r.changed {
		fmt.Fprintf(w, "        %-9s was %s\n        %-9s is  %s\n", c.What, schema.Printable(cmp.Or(c.Before, "-")), "", schema.Printable(cmp.Or(c.After, "-")))
	}
}

func (r *rerun) outcome() string {
	if r.after == nil {
		return ""
	}
	return r.after.outcome()
}

type replayDoc struct {
	Same    int        `json:"same"`
	Changed int        `json:"changed"`
	NotRun  int        `json:"not_run"`
	Events  []rerunDoc `json:"events"`
}

type rerunDoc struct {
	Line    int      `json:"line"`
	Time    string   `json:"time"`
	Event   string   `json:"event"`
	Tool    string   `json:"tool"`
	Before  string   `json:"before"`
	After   string   `json:"after"`
	NotRun  string   `json:"not_run"`
	Changed []change `json:"changed"`
}

func rerunDocOf(r rerun) rerunDoc {
	b := r.before
	return rerunDoc{r.line, b.Time, b.Event, b.Tool, b.outcome(), r.outcome(), r.why, array(r.changed)}
}
