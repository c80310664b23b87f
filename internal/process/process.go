// Package process starts programs, and is the only package that does. How long
// a hook may take, how much it may say, what dies with it and what outlives it
// is decided here; what its exit status means is not.
//
// There are two engines. On Linux one loop around ppoll and pidfds serves any
// number of programs on the caller's own thread, without a goroutine for each
// stream. Everywhere else (and on Linux with the build tag "portable", so that
// the same tests hold both to one contract) goroutines and os.Process do it.
package process

import (
	"context"
	"time"
)

// A Spec says all there is to know about one run. Nothing is taken from this
// process behind the caller's back, least of all its environment.
type Spec struct {
	// Argv is the program and its arguments. A first word without a path
	// separator is looked up in the PATH of Env, any other is relative to Dir.
	Argv []string
	// Dir is where the program runs; "" is where this process runs.
	Dir string
	// Folders are made before the program starts if they don't exist. It starts even
	// if that fails.
	Folders []string
	// Env is the whole environment as "name=value"; of two entries with one
	// name the last holds. Nil is an empty environment.
	Env []string
	// Stdin is what the program may read; it is not copied and must not change
	// while the program runs. A program may leave it unread.
	Stdin []byte
	// Timeout is how long the program may run; 0 is forever.
	Timeout time.Duration
	// MaxOutput is how many bytes of each stream are kept; 0 is 16 MiB. What
	// is beyond is read and thrown away, so that the program never blocks.
	MaxOutput int
	// Grace is how long after the program's own end its streams are still read
	// if a child left behind holds them open; 0 is 50 ms. Below 0 it is the rest
	// of Timeout: a run whose streams are open even then has timed out.
	Grace time.Duration
	// Answered, if not nil, reports whether a program that has ended with a status and
	// printed this needs no more than 50 ms of its Grace: what it left behind can only
	// delay its answer. It must keep neither stream.
	Answered func(exit int, stdout, stderr []byte) bool
	// Release, if not nil, is shown everything kept of stdout so far whenever
	// there is more of it, and must not keep it. True detaches the program:
	// the run is over, the program lives on, and what it prints later is read
	// by a cat of its own. Timeout and cancelling no longer reach it then.
	Release func(stdout []byte) bool
	// Extend, if not nil, is shown the same as Release, before it. A result above
	// 0 takes the place of Timeout, counted from the start as that is.
	Extend func(stdout []byte) time.Duration
	// Slow, if not nil, is called once if the program still runs after some
	// 10 ms: for what is not worth its time when it does not. Of programs run
	// together only the first with one has it called.
	Slow func()
}

// A Result is what became of one run. A program that fails is a Result without
// Err: only one that could not be started at all has one.
type Result struct {
	Stdout, Stderr []byte
	Exit           int    // exit status; -1 if there is none (see Signal, TimedOut, Released, Err)
	Signal         string // the signal that ended it, such as "SIGKILL"
	TimedOut       bool   // killed because Timeout, or the deadline of the context, had passed; or see Spec.Grace
	Truncated      bool   // a stream was longer than MaxOutput
	Released       bool   // detached by Release
	Err            error  // why it could not be started; errors.Is knows fs.ErrNotExist and the like
	Start, End     time.Time
}

const (
	defaultOutput = 16 << 20
	defaultGrace  = 50 * time.Millisecond
	slowAfter     = 10 * time.Millisecond
	cancelWait    = 50 * time.Millisecond // for cancelling to be noticed once the program itself has ended
	killWait      = time.Second           // for a killed program to be gone; a stuck kernel call may hold it longer
	sureOutput    = 1 << 20               // the largest pipe: what a program wrote before its end is within this
	usualPipe     = 64 << 10              // what a pipe holds before its writer waits
	maxAtOnce     = 1000                  // programs that run at the same time
	smallStdin    = 4096                  // the smallest pipe: this much can be written before anyone reads
)

// Run starts the program s describes and waits for its end, its time limit or
// the end of ctx, whichever is first. On the latter two its whole process group
// is killed.
func Run(ctx context.Context, s Spec) Result {
	return RunAll(ctx, []Spec{s})[0]
}

// RunAll runs all specs at once and returns their results in the same order. Everything
// said of Run holds for each of them. Where there are more than the limit of this process for
// open files allows, the others start as the first ones end.
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

// takeSlow returns the function to call once it turns out that specs take long.
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

// firstGrace is how long the streams of a program are read in any case.
func firstGrace(grace time.Duration) time.Duration {
	if grace < 0 {
		return defaultGrace
	}
	return min(grace, defaultGrace)
}

// answered reports whether a program that has ended needs no more of its grace.
func (s *Spec) answered(exit int, stdout, stderr []byte) bool {
	return s.Answered != nil && s.Answered(exit, stdout, stderr)
}

// A sink keeps the first max bytes of a stream.
type sink struct {
	buf []byte
	max int
	cut bool // there was more
}

// room returns where the next bytes of the stream may be read to: never
// empty, and scratch once the sink is full.
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

// took records that n bytes were read to what room returned.
func (s *sink) took(n int) {
	if len(s.buf) >= s.max {
		s.cut = s.cut || n > 0
		return
	}
	s.buf = s.buf[:len(s.buf)+n]
}
