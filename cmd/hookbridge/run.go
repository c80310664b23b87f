package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

func runCommand(args []string, std stdio) int {
	f, err := parseRun(args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(std.out, runUsage)
		return exitOK
	}
	var b *adapter.Bridge
	if err == nil {
		b, err = f.bridge()
	}
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge run: %v\n", err)
		return exitUsage
	}
	stdin, err := readAll(std.in)
	if err != nil {
		fmt.Fprintf(std.err, "hookbridge: error %s: reading stdin: %v\n", schema.CodeBridge, err)
		stdin = nil
	}
	if b.Host == nil {
		if b.Host = adapter.Detect(stdin, b.Places.Env); b.Host == nil {
			b.Host = fallbackHost(b.Hooks)
		}
	}
	start := time.Now()
	answer, report, err := guarded(b, stdin, f.event)
	for _, d := range report.Diagnostics {
		fmt.Fprintln(std.err, "hookbridge: "+d.String())
	}
	if f.log != "" {
		if lerr := appendLog(f, b, report, stdin, answer, err, start); lerr != nil {
			fmt.Fprintf(std.err, "hookbridge: warning: log: %v\n", lerr)
		}
	}
	if err != nil {
		return exitFail
	}
	if _, err := std.out.Write(append(answer, '\n')); err != nil {
		return exitFail
	}
	return exitOK
}

// guarded runs the bridge and turns a fault of its own into a failure that is
// reported: left alone it would end the program with status 2, which hosts
// understand as a decision.
func guarded(b *adapter.Bridge, stdin []byte, event string) (answer []byte, rep *adapter.Report, err error) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		reason := fmt.Sprintf("fault in hookbridge: %v", v)
		rep = &adapter.Report{}
		rep.Diagnostics.Add(schema.CodeBridge, "", reason)
		if answer, err = nil, adapter.ErrBridge; b.FailClosed {
			answer, err = b.Host.Refuse(nil, event, reason), nil
		}
	}()
	return b.Run(context.Background(), stdin, event)
}

// fallbackHost is the host assumed for a payload that says nothing: the first
// dialect that the hooks are not of, so that a refusal is in likely words.
func fallbackHost(hooks adapter.Dialect) adapter.Dialect {
	for _, d := range adapter.Dialects() {
		if d.Name() != hooks.Name() {
			return d
		}
	}
	return hooks
}

// readAll reads stdin with one buffer, grown by doubling.
func readAll(r io.Reader) ([]byte, error) {
	buf := make([]byte, 0, 16<<10)
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
		if len(buf) == cap(buf) {
			bigger := make([]byte, len(buf), 4*cap(buf))
			copy(bigger, buf)
			buf = bigger
		}
	}
}
