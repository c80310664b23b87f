package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

const translateUsage = `usage: hookbridge translate call  --from D --to D [--event E]
       hookbridge translate reply --from D --to D --event E [--tool T] [--ask deny|allow]

A filter: one JSON document on stdin, its translation on stdout, findings on stderr.

  call   the payload that an agent gives a hook; --event selects the event of --to
         where the call may be shown as several
  reply  what a hook of --from printed (with exit status 0) for its event E about the
         tool T, rewritten as the answer that --to expects

Exit status: 0 translated, nothing lost or notes only; 3 translated, something is lost or
weaker; 1 no result; 64 wrong usage.
`

const exitLoss = 3 // written, but something is lost or weaker

func translateCommand(args []string, std stdio) int {
	if len(args) == 0 || args[0] == "--help" || args[0] == "-h" {
		io.WriteString(std.out, translateUsage)
		return exitOK
	}
	fs := flag.NewFlagSet("translate", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	f := runFlags{}
	fs.StringVar(&f.host, "to", "", "")
	fs.StringVar(&f.hooks, "from", "", "")
	fs.StringVar(&f.event, "event", "", "")
	fs.StringVar(&f.ask, "ask", "deny", "")
	tool := fs.String("tool", "", "")
	err := fs.Parse(args[1:])
	var b *adapter.Bridge
	if err == nil && (f.host == "" || f.hooks == "" || fs.NArg() > 0) {
		err = errUsage{"--from and --to are needed, and nothing beside the flags"}
	}
	if err == nil {
		event := f.event
		f.event = "" // means something else to a bridge
		b, err = f.bridge()
		f.event = event
	}
	if err == nil && args[0] == "reply" && f.event == "" {
		err = errUsage{"reply needs --event"}
	}
	if err != nil || args[0] != "call" && args[0] != "reply" {
		fmt.Fprintf(std.err, "hookbridge translate: %v\n%s", err, translateUsage)
		return exitUsage
	}
	in, err := io.ReadAll(std.in)
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge translate: %v\n", err)
		return exitFail
	}
	var out []byte
	var ds schema.Diagnostics
	if args[0] == "call" {
		out, ds = adapter.TranslateCall(b.Hooks, b.Host, in, f.event, os.Environ())
	} else if row := eventNamed(b.Hooks, f.event); row != nil {
		out, ds = adapter.TranslateReply(b.Hooks, b.Host, in, row.Native, *tool, b.Ask)
	} else {
		ds.Add(schema.CodeUnknownEvent, "", b.Hooks.Name()+" has no event "+f.event)
	}
	for _, d := range ds {
		fmt.Fprintln(std.err, "hookbridge: "+d.String())
	}
	if out == nil {
		return exitFail
	}
	std.out.Write(append(bytes.TrimRight(out, "\n"), '\n'))
	if ds.Max() > schema.Note {
		return exitLoss
	}
	return exitOK
}
