package main

import (
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/redact"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

func (f *runFlags) run(_ *flags, rest []string, std stdio) (int, error) {
	if err := f.finish(rest); err != nil {
		return 0, err
	}
	b, err := f.bridge()
	if b == nil || errors.As(err, new(errUsage)) {
		return 0, err
	}
	if err == nil && f.LooksForHooks() { // a host is calling: no word of usage for it
		err = bridge.CheckProject(f.Text("project"))
	}
	if err == nil {
		err = deeper(b)
	}
	stdin, rerr := readAll(std.in)
	if rerr != nil {
		stdin, err = nil, fmt.Errorf("reading stdin: %w", rerr)
	}
	ctx, listen := untilAsked()
	b.Slow = listen
	event := f.Text("event")
	if b.Host == nil {
		if b.Host = adapter.Detect(stdin, b.Places.Env); b.Host == nil {
			var read *schema.Call
			if b.Host, read = fallbackHost(b.Hooks, stdin, b.Places.Env); read != nil && err == nil {
				event = read.Native
				err = errors.New("no known agent surely sends this payload; name the agent with --host")
			}
		}
	}
	start := time.Now()
	answer, report, err := b.Guarded(ctx, stdin, event, err)
	code := exitOK
	if err != nil {
		code = exitFail
	} else if _, werr := std.out.Write(append(answer, '\n')); werr != nil {
		code = exitFail
	}
	// The answer is already written; a failed write to stderr must not change the exit
	// code.
	signal.Ignore(syscall.SIGPIPE)
	if len(report.Printed) > 0 {
		io.WriteString(std.err, f.hideSecrets(string(report.Printed)))
	}
	for _, name := range f.Ignored() {
		io.WriteString(std.err, "hookbridge: note: "+cmdline.Dashed(name)+" has no effect any more\n")
	}
	for _, d := range report.Diagnostics {
		io.WriteString(std.err, f.hideSecrets("hookbridge: "+d.String()+"\n"))
	}
	if len(stdin) == 0 && rerr == nil {
		io.WriteString(std.err, "hookbridge: got no payload on stdin; to try an event, use hookbridge fire\n")
	}
	if log := f.Text("log"); log != "" {
		if lerr := state.AppendOwn(log, append(f.record(b, report, err, start), '\n')); lerr != nil {
			fmt.Fprintf(std.err, "hookbridge: warning: log: %s\n", schema.Printable(lerr.Error()))
		}
	}
	return code, nil
}

// depthVariable counts the bridges that run inside one another: a hook may be a
// call of hookbridge for another agent, or start an agent whose hooks are.
const depthVariable = "HOOKBRIDGE_DEPTH"

// maxDepth ends two bridges that call each other. Each may start several, so that
// a few more would be too many.
const maxDepth = 5

func deeper(b *bridge.Bridge) error {
	depth, _ := strconv.Atoi(b.Places.Env.Get(depthVariable))
	if depth >= maxDepth {
		return fmt.Errorf("hookbridge runs inside its own hooks, %d levels deep, because two entries call each other; "+
			"remove hookbridge's entry from the file whose hooks it runs", depth)
	}
	b.Places.Env = b.Places.Env.With(nil, schema.EnvVar{Name: depthVariable, Value: strconv.Itoa(max(depth, 0) + 1)})
	return nil
}

// deepStack makes room for the frames of a run at once, while there are few to move:
// growing on the way, the stack would be copied three more times. Only the size of its
// own frame counts; nothing is written unless at is positive.
//
//go:noinline
func deepStack(at int) byte {
	if at <= 0 {
		return 0
	}
	var room [48 << 10]byte
	room[at%len(room)] = 1
	return room[len(room)/2]
}

// hideSecrets replaces what looks like a secret, unless the user passed --log-secrets.
func (f *runFlags) hideSecrets(text string) string {
	if f.On("log-secrets") {
		return text
	}
	return redact.Text(text)
}

// fallbackHost is the agent in whose words a payload of an unknown agent is refused: one
// that reads it, as read, or the first that the hooks are not of.
func fallbackHost(hooks adapter.Dialect, stdin []byte, env schema.Environ) (host adapter.Dialect, read *schema.Call) {
	for _, d := range adapter.Dialects() {
		if c, _ := d.DecodeCall(stdin, env); c != nil {
			return d, c
		}
	}
	return append(adapter.Without(adapter.Dialects(), hooks), hooks)[0], nil
}
