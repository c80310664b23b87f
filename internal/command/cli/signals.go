package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// UntilAsked returns a context that the first signal cancels. Then the hooks and all their children are killed, and the
// call fails. A second signal ends the program as usual. Signals have no effect before listen is called: listening
// takes a thread, which would slow down every call, and hooks that end at once need no killing.
func UntilAsked() (ctx context.Context, listen func()) {
	ctx, cancel := context.WithCancel(context.Background())
	return ctx, sync.OnceFunc(func() {
		heeded := []os.Signal{syscall.SIGTERM}
		// Go's runtime ends with status 2 on SIGQUIT
		for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT} {
			if !signal.Ignored(s) { // as under nohup
				heeded = append(heeded, s)
			}
		}
		asked, undo := signal.NotifyContext(ctx, heeded...)
		context.AfterFunc(asked, func() { undo(); cancel() })
	})
}

// OutliveReader keeps the program from ending when it writes to a pipe without a reader.
func OutliveReader() { signal.Ignore(syscall.SIGPIPE) }

// UntilEnded returns a context that is canceled when a signal asks the program to end.
func UntilEnded(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}
