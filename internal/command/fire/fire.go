// Package fire is the command fire.
package fire

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/simulate"
	"github.com/hookbridge/hookbridge/adapter/survey"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/command/story"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed fire.txt
var help string

// Command is the command fire.
func Command() cli.Command { return cli.Documented[flags](help) }

type flags struct {
	common.RunFlags
	common.Started
	native, tool, input, output, payload, expect string
	session                                      string
	json, spawn                                  bool
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Text(&f.native, "event", "")
	fs.Text(&f.tool, "tool", "")
	fs.Text(&f.input, "input", "")
	fs.Text(&f.output, "output", "")
	fs.Text(&f.payload, "payload", "")
	fs.Text(&f.expect, "expect", "")
	fs.Yes(&f.json, "json")
	fs.Text(&f.session, "session", "")
	f.Started.Define(fs)
	fs.Yes(&f.spawn, "spawn")
	fs.Rows(&f.Call, "event", "log", "log-secrets", "log-payload")
}

// Exit statuses of fire in addition to the common ones.
const (
	exitRefused = 3 // the call was denied, asked about or changed
	exitAsked   = 4 // the user is asked
)

func (f *flags) Run(fs *cli.Flags, rest []string, std cli.IO) (int, error) {
	call, err := f.called(fs, rest)
	if err != nil {
		return 0, err
	}

	if len(rest) > 0 && call.Tool != "" && call.Input == nil {
		fmt.Fprintf(std.Err, "hookbridge fire: note: %s names no input, so this plays an example\n",
			schema.Printable(strings.Join(rest, " ")))
	}

	f.Rooted = f.payload == ""
	hosts, several, err := f.hosts()
	if err != nil {
		return 0, err
	}

	base, err := f.Places()
	if err != nil {
		return 0, err
	}

	var payload []byte
	if f.payload != "" {
		if payload, err = common.ReadInput(f.payload, std.In); err != nil {
			return 0, err
		}
		if len(hosts) == 0 {
			d := adapter.Detect(payload, base.Env)
			if d == nil {
				return 0, cli.Usage(f.payload + " isn't a payload of a known agent; name the agent with --host")
			}
			hosts, several = append(hosts, d), false
		}
	}

	if len(hosts) == 0 {
		if hosts, err = common.AgentsHere(base); err != nil {
			return 0, err
		}
	}

	shows, err := f.play(hosts, base, call, payload, std)
	if err != nil {
		return 0, err
	}

	f.print(shows, several, std)
	common.NoteStarted(std.Err, hosts, base.Project, f.Here)
	return f.status(shows, std), nil
}

// called reads the agent's action: a call in one line, or the flags.
func (f *flags) called(fs *cli.Flags, rest []string) (call scenario.Call, err error) {
	if err = cli.AsUsage(f.Check()); err != nil {
		return call, err
	}

	call = scenario.Call{Event: f.native, Tool: f.tool}
	if fs.Given("input") {
		call.Input = []byte(f.input)
		if _, err := ordjson.Parse(call.Input); err != nil {
			return call, cli.Usage("--input: " + err.Error() + `; it takes a JSON object, such as {"command":"ls"}`)
		}
	}

	if fs.Given("output") {
		call.Output = []byte(f.output)
	}

	stated := f.native != "" || f.tool != "" || call.Input != nil || call.Output != nil
	switch {
	case len(rest) > 0 && (stated || f.payload != ""):
		err = cli.Usage("unexpected argument " + strconv.Quote(rest[0]) +
			"; a call of one line doesn't go with --event, --tool, --input, --output or --payload")
	case len(rest) == 1 && strings.ContainsAny(rest[0], " \t"): // in the form of a scenario
		if call, err = scenario.ParseLine(rest[0]); err != nil {
			err = cli.Usage(err.Error())
		}
	case len(rest) > 0:
		var msg string
		if call, msg = scenario.ParseWords(rest); msg != "" {
			err = cli.Usage(msg)
		}
	case f.payload != "" && (f.tool != "" || call.Input != nil || call.Output != nil):
		err = cli.Usage("--payload is a whole payload, so it doesn't go with --tool, --input or --output")
	case f.payload == "" && f.native == "":
		err = cli.Usage("needs a call, as in hookbridge fire shell 'rm -rf /', or --event, or --payload FILE")
	}

	return call, err
}

// hosts returns the agents that the command line names.
func (f *flags) hosts() (hosts []adapter.Dialect, several bool, err error) {
	named := f.Text("host")
	if named != "" {
		hosts, err = common.DialectsNamed("--host", cli.ListFlag{named})
	}
	return hosts, len(hosts) != 1, err
}

func (f *flags) play(hosts []adapter.Dialect, at schema.Places, call scenario.Call, payload []byte,
	std cli.IO) (shows []story.Show, err error) {
	p := cli.StartProgress(&std, "fire")
	defer p.End()
	ctx, listen := cli.UntilAsked()
	listen()
	for _, d := range hosts {
		p.At(d.Profile().Title)
		host := common.HostIn(d, at)
		entry, err := f.entry(d, at)
		switch {
		case err != nil:
			return nil, err
		case entry != nil:
			host.Assumed, host.Own = []cmdline.Call{*entry}, new(survey.Loaded)
		case f.Assume:
			common.AssumeInstalled(host, nil)
		}
		if err := f.Set(host); err != nil {
			return nil, err
		}
		if host.Spawn = f.spawn; f.session != "" {
			host.Session = cli.Absolute(f.session)
		}
		action, why, err := common.ActionOf(d, call)
		if payload != nil {
			action, why, err = simulate.Action{Payload: payload, Native: call.Event}, "", nil
		}
		if row := adapter.EventNamed(d, call.Event); host.Own != nil && row != nil { // the entry is only at this event
			action.Event, action.Part, action.Native = row.Event, 0, row.Native
		}
		s := story.Show{Host: host, Why: why}
		switch {
		case err == nil && why != "" && len(hosts) == 1:
			err = common.NoEvent("--event", call.Event, d)
		case err == nil && why == "":
			s.Out, err = simulate.Simulate(ctx, host, action)
		}
		if err != nil {
			return nil, flagMistake(err)
		}
		shows = append(shows, s)
	}

	return shows, nil
}

// flagMistake names the flag that a mistake in a call is about.
func flagMistake(err error) error {
	msg := err.Error()
	if strings.HasPrefix(msg, "input: ") || strings.HasPrefix(msg, "output: ") {
		msg = "--" + msg
	}
	return cli.Usage(msg)
}

// status returns the exit status for the strictest answer, or for a comparison with the expected answer.
func (f *flags) status(shows []story.Show, std cli.IO) int {
	word := schema.NoOpinion.String()
	for _, s := range shows {
		if s.Out == nil {
			continue
		}
		if f.expect != "" && f.expect != s.Out.Decision {
			fmt.Fprintf(std.Err, "hookbridge fire: %s: the answer is %s, expected %s\n", s.Out.Host, s.Out.Decision,
				f.expect)
			return cli.Failed
		}
		if s.Out.Unanswered {
			return cli.Failed
		}
		if slices.Index(simulate.Decisions(), s.Out.Decision) < slices.Index(simulate.Decisions(), word) {
			word = s.Out.Decision
		}
	}

	switch {
	case word == simulate.Failed:
		return cli.Failed
	case f.expect != "" || word == schema.NoOpinion.String() || word == schema.Allow.String():
		return cli.OK
	case word == schema.Ask.String():
		return exitAsked
	}
	return exitRefused
}
