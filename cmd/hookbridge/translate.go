package main

import (
	"bytes"
	"io"
	"os"
	"strconv"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

type translateFlags struct {
	runFlags
	from, to, native, tool string
	json                   bool
	convert                command
}

func (f *translateFlags) define(fs *flags) {
	fs.text(&f.from, "from", "", "AGENT", "the agent that wrote the document")
	fs.text(&f.to, "to", "", "AGENT", "the agent to translate it for")
	fs.text(&f.native, "event", "", "EVENT", "reply: the event that the hook answered; call: the event of --to,\n"+
		"if the "+
		"call can become one of several")
	fs.text(&f.tool, "tool", "", "TOOL", "reply: the tool that the event was about; call: the tool of --to,\nif the "+
		"call can become one of several")
	fs.row(&f.Call, "ask", "if --to can't ask the user; see run")
	fs.row(&f.Call, "allow", "")
	fs.yes(&f.json, "json", "one JSON object on stdout: the translation and the findings")
}

func (f *translateFlags) run(_ *flags, rest []string, std stdio) (int, error) {
	what := append(rest, "")[0]
	var err error
	switch {
	case len(rest) > 1:
		err = errUsage{"unexpected argument " + strconv.Quote(rest[1]) + "; the text is read from stdin"}
	case what != "call" && what != "reply" && what != "config":
		err = errUsage{"name what to translate: hookbridge translate call, translate reply or translate config" +
			suggest.Question(what, []string{"call", "reply", "config"})}
	case what == "config" && (f.native != "" || f.tool != ""):
		err = errUsage{"--event and --tool need translate call or translate reply"}
	case f.from == "":
		_, err = findDialect("--from", "")
	case f.to == "":
		_, err = findDialect("--to", "")
	case what == "reply" && f.native == "":
		err = errUsage{"translate reply needs --event, the event that the hook answered"}
	}
	var b *bridge.Bridge
	if err == nil {
		b, err = f.sides(what == "call")
	}
	if err != nil {
		return 0, err
	}
	if what == "config" {
		return f.convert.call(configArgs(f, b.Host), std), nil
	}
	in, err := io.ReadAll(std.in)
	if err != nil {
		return 0, err
	}
	var out []byte
	var ds schema.Diagnostics
	if what == "call" {
		payloads, more := bridge.TranslateCall(b.Hooks, b.Host, in, f.native, f.tool, os.Environ())
		ds = more
		for _, p := range payloads { // each on its own line
			out = append(append(out, p...), '\n')
		}
	} else if row := adapter.EventNamed(b.Hooks, f.native); row != nil {
		out, ds = bridge.TranslateReply(b.Hooks, b.Host, in, row.Native, f.tool, b.Policy)
	} else {
		ds.Add(schema.CodeUnknownEvent, "", b.Hooks.Profile().TitleChecked()+" doesn't know the event "+f.native)
	}
	if f.json {
		printJSON(std.out, translationDoc{adapter.NameOf(b.Hooks), adapter.NameOf(b.Host), findingDocs(ds),
			jsondoc.Document(out)})
	} else {
		printDiagnostics(std.err, "hookbridge: ", ds)
	}
	switch {
	case out == nil:
		return exitFail, nil
	case !f.json:
		std.out.Write(append(bytes.TrimRight(out, "\n"), '\n'))
	}
	if ds.Max() > schema.Note {
		return exitLoss, nil
	}
	return exitOK, nil
}

// sides is a bridge whose Hooks are the agent that wrote the document. Of a call that is the host, and the other
// one has the hooks.
func (f *translateFlags) sides(call bool) (*bridge.Bridge, error) {
	from, to := cmdline.FindOwner, cmdline.FindAgent
	f.Set("hooks", f.from)
	if call {
		from, to = to, from
		f.Set("hooks", f.to)
	}
	f.Set("host", f.to)
	hooks, err := from("--from", f.from)
	if err != nil {
		return nil, asUsage(err)
	}
	host, err := to("--to", f.to)
	if err != nil {
		return nil, asUsage(err)
	}
	b, err := f.ready()
	if err == nil {
		b.Hooks, b.Host = hooks, host
	}
	return b, err
}

type translationDoc struct {
	From        string              `json:"from"`
	To          string              `json:"to"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
	Output      jsondoc.Raw         `json:"output"`
}

// configArgs is the command line of convert that does the same for a file on
// stdin: JSON comes out, as a configuration has it.
func configArgs(f *translateFlags, to adapter.Dialect) []string {
	args := []string{"--from", f.from, "--to", f.to}
	if to.Profile().Modules != nil {
		args = append(args, "--format", "options")
	}
	if f.json {
		args = append(args, "--json")
	}
	return append(args, "-")
}
