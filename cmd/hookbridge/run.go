package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/internal/redact"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

func (f *runFlags) run(_ *flags, rest []string, std stdio) (int, error) {
	if err := f.settle(rest); err != nil {
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

// untilAsked returns a context that the first signal cancels. The hooks are then killed
// with all their children, and the call fails. A second signal ends the program as
// usual. Signals have no effect before listen is called: listening takes a thread,
// which would slow down every call, and hooks that end at once need no killing.
func untilAsked() (ctx context.Context, listen func()) {
	ctx, cancel := context.WithCancel(context.Background())
	return ctx, sync.OnceFunc(func() {
		heeded := []os.Signal{syscall.SIGTERM}
		// Go's runtime ends with status 2 on the last
		for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT} {
			if !signal.Ignored(s) { // as nohup has it
				heeded = append(heeded, s)
			}
		}
		asked, undo := signal.NotifyContext(ctx, heeded...)
		context.AfterFunc(asked, func() { undo(); cancel() })
	})
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

// maxPayload is far more than any host sends, and keeps a writer that never
// ends from taking all memory.
const maxPayload = 512 << 20

// readAll reads stdin into one buffer. It is grown by large steps: what is not
// written to costs no memory, and what is copied costs it twice.
func readAll(r io.Reader) ([]byte, error) {
	const small, large = 16 << 10, 64 << 20
	buf := make([]byte, 0, small)
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
		if len(buf) > maxPayload {
			return nil, fmt.Errorf("the payload is larger than %d MiB", maxPayload>>20)
		}
		if len(buf) == cap(buf) {
			if cap(buf) == small {
				// Keep the garbage collector away from a large payload: there is little to
				// collect, and looking for it costs more than it brings, up to a size that no
				// usual call comes near.
				debug.SetGCPercent(-1)
				debug.SetMemoryLimit(512 << 20)
				if f, ok := r.(*os.File); ok {
					process.Widen(f)
				}
			}
			bigger := make([]byte, len(buf), max(min(64*cap(buf), large), 2*cap(buf)))
			copy(bigger, buf)
			buf = bigger
		}
	}
}
