// Package process starts programs, and is the only package that does. It decides how long a hook may run, how much it
// may print, which processes are killed with it and which outlive it. It doesn't interpret the exit status.
//
// There are two engines. On Linux one loop around ppoll and pidfds serves any number of programs on the caller's own
// thread, without a goroutine for each stream. Everywhere else goroutines and os.Process do it, and on Linux with the
// build tag "portable", so that the same tests check both.
package process

import (
	"context"
	"time"
)

// A Spec describes one run completely. A program inherits nothing else from this process, in particular not its
// environment.
type Spec struct {
	// Argv is the program and its arguments. A first word without a path separator is looked up in the PATH of Env, any
	// other is relative to Dir.
	Argv []string
	// Dir is the program's working directory; "" is that of this process.
	Dir string
	// Folders are created before the program starts if they don't exist. It starts even if that fails.
	Folders []string
	// Env is the whole environment as "name=value"; the last of two entries with one name counts. Nil is an empty
	// environment.
	Env []string
	// Stdin is the program's input; it is not copied and must not change while the program runs. A program may leave it
	// unread.
	Stdin []byte
	// Timeout is how long the program may run; 0 is forever.
	Timeout time.Duration
	// MaxOutput is how many bytes of each stream are kept; 0 is 16 MiB. The rest is read and dropped, so that the
	// program never blocks.
	MaxOutput int
	// Grace is how long the streams are still read after the program's own end if a leftover child holds them open; 0
	// is 50 ms. Below 0 it is the rest of Timeout: a run whose streams are open even then has timed out.
	Grace time.Duration
	// Answered, if not nil, reports whether a program that has ended with this status and output needs only 50 ms of
	// its Grace, because its leftover children can only delay its answer. It must not keep the streams.
	Answered func(exit int, stdout, stderr []byte) bool
	// Release, if not nil, gets all kept stdout whenever there is more of it, and must not keep it. True detaches the
	// program: the run is over, the program lives on, and a separate cat reads its later output. Timeout and cancelling
	// no longer affect it then.
	Release func(stdout []byte) bool
	// Extend, if not nil, gets the same as Release, before it. A result above 0 replaces Timeout, also counted from the
	// start.
	Extend func(stdout []byte) time.Duration
	// Slow, if not nil, is called once if the program still runs after some 10 ms, for work that isn't worth its time
	// for fast programs. Of several programs together, only the first Slow is called.
	Slow func()
}

// A Result is the result of one run. A program that fails has a Result without Err: Err is only set if it could not be
// started.
type Result struct {
	Stdout, Stderr []byte
	Exit           int    // exit status; -1 if there is none (see Signal, TimedOut, Released, Err)
	Signal         string // the signal that ended it, such as "SIGKILL"
	TimedOut       bool   // killed because Timeout, or the deadline of the context, had passed; or see Spec.Grace
	Truncated      bool   // a stream was longer than MaxOutput
	Released       bool   // detached by Release
	Err            error  // why it could not be started; errors.Is works with fs.ErrNotExist and the like
	Start, End     time.Time
}

const (
	defaultOutput = 16 << 20
	defaultGrace  = 50 * time.Millisecond
	slowAfter     = 10 * time.Millisecond
	cancelWait    = 50 * time.Millisecond // for noticing a cancel after the program itself has ended
	killWait      = time.Second           // for a killed program to end; a stuck kernel call may delay that
	sureOutput    = 1 << 20               // the largest pipe, which limits what a program wrote before its end
	usualPipe     = 64 << 10              // what a pipe holds before its writer waits
	maxAtOnce     = 1000                  // programs that run at the same time
	smallStdin    = 4096                  // the smallest pipe: this much can be written before anyone reads
)

// Run starts the program that s describes and waits for its end, its timeout or the end of ctx, whichever is first. The
// latter two kill its whole process group.
func Run(ctx context.Context, s Spec) Result {
	return RunAll(ctx, []Spec{s})[0]
}

// RunAll runs all specs in parallel and returns their results in the same order. Everything in Run's description
// applies to each. If there are more than this process's limit for open files allows, the others start as the first
// ones end.
func RunAll(ctx context.Context, specs []Spec) []Result {
	results := make([]Result, len(specs))
	if err := ctx.Err(); err != nil {
		for i := range results {
			results[i] = notStarted(err)
		}
		return results
	}
	if len(specs) > 0 {
		runAll(ctx, specs, results)
	}
	return results
}

func notStarted(err error) Result { return Result{Exit: -1, Err: &startError{"not started", err}} }

// takeSlow returns the function to call once specs turn out to take long.
func takeSlow(specs []Spec) func() {
	for i := range specs {
		if specs[i].Slow != nil {
			return specs[i].Slow
		}
	}
	return nil
}

func (s *Spec) limits() (output int, grace time.Duration) {
	output, grace = s.MaxOutput, s.Grace
	if output <= 0 {
		output = defaultOutput
	}
	if grace == 0 {
		grace = defaultGrace
	}
	return output, grace
}

// firstGrace returns how long a program's streams are read in any case.
func firstGrace(grace time.Duration) time.Duration {
	if grace < 0 {
		return defaultGrace
	}
	return min(grace, defaultGrace)
}

// answered reports whether a finished program needs no more of its grace.
func (s *Spec) answered(exit int, stdout, stderr []byte) bool {
	return s.Answered != nil && s.Answered(exit, stdout, stderr)
}

// A sink keeps the first max bytes of a stream.
type sink struct {
	buf []byte
	max int
	cut bool // there was more
}

// room returns a buffer for the next bytes of the stream: never empty, and scratch once the sink is full.
func (s *sink) room(scratch *[]byte) []byte {
	if len(s.buf) >= s.max {
		if *scratch == nil {
			*scratch = make([]byte, 64<<10)
		}
		return *scratch
	}
	if len(s.buf) == cap(s.buf) {
		grown := make([]byte, len(s.buf), min(max(4*cap(s.buf), 2048), cap(s.buf)+(4<<20), s.max))
		copy(grown, s.buf)
		s.buf = grown
	}
	return s.buf[len(s.buf):cap(s.buf)]
}

// took records that n bytes were read into the buffer of room.
func (s *sink) took(n int) {
	if len(s.buf) >= s.max {
		s.cut = s.cut || n > 0
		return
	}
	s.buf = s.buf[:len(s.buf)+n]
}
