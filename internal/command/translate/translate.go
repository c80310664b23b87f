// Package translate is the command translate.
package translate

import (
	"bytes"
	_ "embed"
	"io"
	"os"
	"strconv"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/common"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

//go:embed translate.txt
var help string

// Command is the command translate.
func Command(convert cli.Command) cli.Command {
	return cli.DocumentedBy(help, func() cli.Tool { return &flags{convert: convert} })
}

type flags struct {
	common.RunFlags
	from, to, native, tool string
	json                   bool
	convert                cli.Command
}

func (f *flags) Define(fs *cli.Flags) {
	fs.Text(&f.from, "from", "")
	fs.Text(&f.to, "to", "")
	fs.Text(&f.native, "event", "")
	fs.Text(&f.tool, "tool", "")
	fs.Row(&f.Call, "ask", "")
	fs.Row(&f.Call, "allow", "")
	fs.Yes(&f.json, "json")
}

func (f *flags) Run(_ *cli.Flags, rest []string, std cli.IO) (int, error) {
	what := append(rest, "")[0]
	var err error
	switch {
	case len(rest) > 1:
		err = cli.Usage("unexpected argument " + strconv.Quote(rest[1]) + "; the text is read from stdin")
	case what != "call" && what != "reply" && what != "config":
		err = cli.Usage("name what to translate: hookbridge translate call, translate reply or translate config" +
			suggest.Question(what, []string{"call", "reply", "config"}))
	case what == "config" && (f.native != "" || f.tool != ""):
		err = cli.Usage("--event and --tool need translate call or translate reply")
	case f.from == "":
		_, err = cli.FindDialect("--from", "")
	case f.to == "":
		_, err = cli.FindDialect("--to", "")
	case what == "reply" && f.native == "":
		err = cli.Usage("translate reply needs --event, the event that the hook answered")
	}

	var b *bridge.Bridge
	if err == nil {
		b, err = f.sides(what == "call")
	}
	if err != nil {
		return 0, err
	}
	if what == "config" {
		return f.convert.Call(configArgs(f, b.Host), std), nil
	}

	in, err := io.ReadAll(std.In)
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
		cli.PrintJSON(std.Out, Doc{adapter.NameOf(b.Hooks), adapter.NameOf(b.Host), cli.FindingDocs(ds),
			jsondoc.Document(out)})
	} else {
		cli.PrintDiagnostics(std.Err, "hookbridge: ", ds)
	}

	switch {
	case out == nil:
		return cli.Failed, nil
	case !f.json:
		std.Out.Write(append(bytes.TrimRight(out, "\n"), '\n'))
	}

	if ds.Max() > schema.Note {
		return cli.Lossy, nil
	}

	return cli.OK, nil
}

// sides returns a bridge whose Hooks are the agent that wrote the document. For a call, that is the host, and the other
// agent has the hooks.
func (f *flags) sides(call bool) (*bridge.Bridge, error) {
	from, to := cmdline.FindOwner, cmdline.FindAgent
	f.Set("hooks", f.from)
	if call {
		from, to = to, from
		f.Set("hooks", f.to)
	}
	f.Set("host", f.to)
	hooks, err := from("--from", f.from)
	if err != nil {
		return nil, cli.AsUsage(err)
	}
	host, err := to("--to", f.to)
	if err != nil {
		return nil, cli.AsUsage(err)
	}
	b, err := f.Ready()
	if err == nil {
		b.Hooks, b.Host = hooks, host
	}
	return b, err
}

// Doc is a translation, in the form that --json prints.
type Doc struct {
	From        string              `json:"from"`
	To          string              `json:"to"`
	Diagnostics []schema.Diagnostic `json:"diagnostics"`
	Output      jsondoc.Raw         `json:"output"`
}

// configArgs returns the command line of convert that does the same for a file on stdin. Its output is JSON, as in a
// configuration.
func configArgs(f *flags, to adapter.Dialect) []string {
	args := []string{"--from", f.from, "--to", f.to}
	if to.Profile().Modules != nil {
		args = append(args, "--format", "options")
	}
	if f.json {
		args = append(args, "--json")
	}
	return append(args, "-")
}
