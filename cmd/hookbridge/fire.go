package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

type fireFlags struct {
	runFlags
	native, tool, input, output, payload, expect string
	json                                         bool
}

func (f *fireFlags) define(fs *flags) {
	fs.text(&f.native, "event", "", "E", "the host's event, by the name of any agent or the canonical name")
	fs.text(&f.tool, "tool", "", "T", "the tool, by the name of any agent or its kind (default: a shell command);\na tool of an MCP server by its full name")
	fs.text(&f.input, "input", "", "JSON", "the tool's input, or members of the payload on events without a tool\n(default: an example)")
	fs.text(&f.output, "output", "", "JSON", "the tool's result, on events after a tool call (default: an example)")
	fs.text(&f.payload, "payload", "", "FILE", "a recorded payload instead of a synthetic one; - is stdin")
	fs.text(&f.expect, "expect", "", "deny|allow|ask|none|keep-going|end-turn", "exit with 0 if this is the answer, otherwise with 1")
	fs.yes(&f.json, "json", "print everything as one JSON object")
	fs.rows(&f.Call, "event", "log", "log-secrets")
}

// Exit statuses of fire beside the common ones.
const (
	exitRefused = 3 // the call was denied, asked about or changed
	exitAsked   = 4 // the user is asked
)

// A story is what fire prints: one event from the payload to the answer.
type story struct {
	b       *bridge.Bridge
	payload []byte
	answer  []byte
	report  *bridge.Report
	err     error
	outcome string
}

func (f *fireFlags) run(fs *flags, rest []string, std stdio) (int, error) {
	b, payload, err := f.prepare(fs, rest, std)
	if err != nil {
		return 0, err
	}
	p := startProgress(&std, "fire")
	p.at("the hooks of " + b.Hooks.Profile().Title)
	s, err := send(b, payload, f.native, "fire")
	p.end()
	if err != nil {
		return 0, err
	}
	if f.json {
		printJSON(std.out, s.doc())
	} else {
		s.print(std.out)
	}
	return f.status(s, std), nil
}

// send runs the hooks for an event in a bridge of its own, which is shown to nobody: it
// leaves no trace, and waits for no hook in the background.
func send(given *bridge.Bridge, payload []byte, event, name string) (*story, error) {
	b := *given
	b.Trace, b.Self = true, ""
	s := &story{b: &b, payload: payload, report: &bridge.Report{}, outcome: "failed"}
	var err error
	if b.StateDir, err = os.MkdirTemp("", "hookbridge-"+name+"-"); err != nil {
		s.err = err
		return s, err
	}
	defer os.RemoveAll(b.StateDir)
	ctx, listen := untilAsked()
	listen()
	s.answer, s.report, s.err = guarded(ctx, &b, payload, event, nil)
	if s.report.Trace == nil {
		s.report.Trace = &bridge.Trace{}
	}
	s.outcome = outcome(s.report, s.err)
	return s, nil
}

// outcome is what the host makes of the answer, in one word.
func outcome(rep *bridge.Report, err error) string {
	switch r := &rep.Reply; {
	case err != nil:
		return "failed"
	case r.Verdict == schema.Deny && slices.ContainsFunc(rep.Diagnostics, func(d schema.Diagnostic) bool { return d.Code == schema.CodeDenyLost }):
		return schema.NoOpinion.String()
	case r.Verdict != schema.NoOpinion:
		return r.Verdict.String()
	case r.EndTurn:
		return schema.EffectEndTurn.Name()
	case r.KeepGoing != "":
		return schema.EffectKeepGoing.Name()
	}
	return schema.NoOpinion.String()
}

// status is the exit status: it follows the answer, or what was expected.
func (f *fireFlags) status(s *story, std stdio) int {
	switch {
	case s.outcome == "failed":
		return exitFail
	case f.expect != "" && f.expect != s.outcome:
		fmt.Fprintf(std.err, "hookbridge fire: the answer is %s, expected %s\n", s.outcome, f.expect)
		return exitFail
	case f.expect != "":
		return exitOK
	}
	switch s.outcome {
	case schema.NoOpinion.String(), schema.Allow.String():
		return exitOK
	case schema.Ask.String():
		return exitAsked
	}
	return exitRefused
}

func (f *fireFlags) prepare(fs *flags, rest []string, std stdio) (b *bridge.Bridge, payload []byte, err error) {
	err = asUsage(f.Check())
	switch {
	case err != nil:
	case len(rest) > 0:
		err = errUsage{"unexpected argument " + strconv.Quote(rest[0]) + "; a program goes after --"}
	case f.payload == "" && f.Text("host") == "":
		_, err = findDialect("--host", "")
	case f.payload == "" && f.native == "":
		err = errUsage{"needs --event or --payload FILE, as in hookbridge fire --host " + f.Text("host") + " --event pre-tool"}
	case f.payload != "" && (f.tool != "" || fs.given("input") || fs.given("output")):
		err = errUsage{"--payload is a whole payload, so it doesn't go with --tool, --input or --output"}
	case f.payload == "":
		f.rooted = true
	}
	if err == nil {
		b, err = f.ready()
	}
	if err == nil && f.payload != "" {
		if payload, err = readInput(f.payload, std.in); err != nil {
			return nil, nil, err
		}
		if b.Host == nil {
			if b.Host = adapter.Detect(payload, b.Places.Env); b.Host == nil {
				err = errUsage{f.payload + " isn't a payload of a known agent; name the agent with --host"}
			}
		}
	}
	if err == nil {
		err = f.chooseHooks(b, fs)
	}
	if err != nil || payload != nil {
		return b, payload, err
	}
	payload, err = f.synthesize(b, fs)
	if near := suggest.Nearest(f.tool, toolNames()); err == nil && near != "" && f.tool != "" && !inspect.KnowsTool(f.tool) {
		fmt.Fprintf(std.err, "hookbridge fire: note: no known agent has a tool %s; did you mean %s?\n", f.tool, near)
	}
	return b, payload, err
}

// chooseHooks picks the agent whose hooks run where the command line does not
// say: the first other than the host that has hooks here.
func (f *fireFlags) chooseHooks(b *bridge.Bridge, fs *flags) error {
	switch {
	case b.Single != nil:
		return nil
	case fs.given("hooks") && sameAgent(b.Hooks, b.Host):
		return errUsage{b.Host.Profile().Name + " runs its own hooks without hookbridge; name another agent with --hooks"}
	case fs.given("hooks"):
		return nil
	}
	others := without(adapter.Dialects(), b.Host)
	for _, d := range others {
		if res, ds := discover.Load(d, b.Places, nil); len(res.Configs) > 0 || len(ds) > 0 {
			b.Hooks = d
			return nil
		}
	}
	if sameAgent(b.Hooks, b.Host) {
		return errUsage{b.Host.Profile().Name + " runs its own hooks, and no other agent has hooks here; name the agent with --hooks: " + either(namesOf(others))}
	}
	return nil
}

func (f *fireFlags) synthesize(b *bridge.Bridge, fs *flags) ([]byte, error) {
	row := adapter.EventNamed(b.Host, f.native)
	if row == nil {
		return nil, noEvent("--event", f.native, b.Host)
	}
	f.native = row.Native
	a := inspect.Sample{Event: row.Native, Tool: f.tool, Project: b.Places.Project, Session: "fire"}
	a.Version = b.Host.Profile().Version
	if fs.given("input") {
		a.Input = []byte(f.input)
	}
	if fs.given("output") {
		a.Output = []byte(f.output)
	}
	if b.Host.Profile().Tool(f.tool) == nil { // named in another agent's words
		a = inspect.ForHost(b.Host, a)
	}
	payload, err := inspect.Synthesize(b.Host, a)
	if err != nil {
		msg := err.Error()
		if strings.HasPrefix(msg, "input: ") || strings.HasPrefix(msg, "output: ") {
			msg = "--" + msg
		}
		if !slices.Contains(toolNames(), f.tool) {
			msg += suggest.Question(f.tool, toolNames())
		}
		return nil, errUsage{msg}
	}
	return payload, nil
}

func toolNames() []string {
	names, _ := values("T")
	for _, d := range adapter.Dialects() {
		for _, t := range d.Profile().Tools {
			names = append(names, t.Name)
		}
	}
	return names
}

func relative(project, file string) string {
	if rel, err := filepath.Rel(project, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return file
}
