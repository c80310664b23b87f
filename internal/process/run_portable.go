//go:build !linux || portable

package process

import (
	"context"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

type job struct {
	spec     *Spec
	proc     *os.Process
	tree     tree
	in       *os.File // write end of stdin, nil if all was written before the start
	fed      chan struct{}
	rest     []byte // unwritten rest of stdin; owned by the feeder until fed is closed
	out, err stream
	killed   bool               // because of its time limit
	timer    *turnTimer         // its time limit; nil: none
	released chan struct{}      // has a value if Release returned true
	extended chan time.Duration // the result of Extend
	over     chan struct{}      // closed when the program isn't waited for any more
	ended    chan *os.ProcessState
}

// A stream is the read end of a pipe and the goroutine that reads it.
type stream struct {
	f    *os.File
	over chan struct{} // closed when nothing more is read
	open bool          // not read to its end; valid once over is closed

	mu sync.Mutex
	sink
}

// runAll runs each spec in a goroutine, and waits for the last. As many run in parallel as there are descriptors for.
func runAll(ctx context.Context, specs []Spec, results []Result) {
	if slow := takeSlow(specs); slow != nil {
		defer time.AfterFunc(slowAfter, slow).Stop()
	}
	var wg sync.WaitGroup
	places := make(chan struct{}, min(atOnce(), len(specs)))
	for i := range specs {
		places <- struct{}{}
		if err := ctx.Err(); err != nil {
			results[i] = notStarted(err)
			<-places
			continue
		}
		wg.Go(func() {
			runOne(ctx, &specs[i], &results[i])
			<-places
		})
	}
	wg.Wait()
}

func runOne(ctx context.Context, s *Spec, r *Result) {
	r.Start, r.Exit = time.Now(), -1
	output, grace := s.limits()
	j := job{spec: s, released: make(chan struct{}, 1), extended: make(chan time.Duration), over: make(chan struct{}),
		ended: make(chan *os.ProcessState, 1)}
	j.out.max, j.err.max = output, output
	if r.Err = j.start(); r.Err != nil {
		r.End = time.Now()
		return
	}
	defer j.tree.close()
	j.await(ctx, r)
	close(j.over)
	r.End = time.Now()
	if !r.Released {
		r.Released = j.drain(ctx, grace, r)
	}
	j.stop()
	var cut bool
	r.Stdout, r.Truncated = j.out.kept()
	r.Stderr, cut = j.err.kept()
	r.Truncated = r.Truncated || cut
	j.letGo(r.Released)
}

// start makes the pipes, starts the program and everything that serves it.
func (j *job) start() error {
	path, env, err := prepare(j.spec)
	if err != nil {
		return err
	}
	ours, theirs, err := pipes()
	defer closeFiles(theirs)
	j.in, j.out.f, j.err.f = ours[0], ours[1], ours[2]
	if err == nil && len(j.spec.Stdin) <= smallStdin {
		_, err = j.in.Write(j.spec.Stdin)
		j.in.Close()
		j.in = nil
	}
	if err != nil {
		closeFiles(ours)
		return &startError{"pipe", plain(err)}
	}
	j.proc, j.tree, err = startTree(path, j.spec.Argv, &os.ProcAttr{Dir: j.spec.Dir, Env: env, Files: theirs[:]})
	if err != nil {
		closeFiles(ours)
		return explain(j.spec, path, err)
	}
	j.serve()
	return nil
}

func (j *job) serve() {
	j.fed = make(chan struct{})
	if j.in == nil {
		close(j.fed)
	} else {
		go func() {
			defer close(j.fed)
			n, err := j.in.Write(j.spec.Stdin)
			if j.rest = j.spec.Stdin[n:]; err == nil {
				j.in.Close()
			}
		}()
	}

	j.out.over, j.err.over = make(chan struct{}), make(chan struct{})
	go j.out.read(func(soFar []byte) bool {
		if j.spec.Extend != nil {
			if d := j.spec.Extend(soFar); d > 0 {
				select {
				case j.extended <- d:
				case <-j.over: // the program isn't waited for any more
				}
			}
		}
		if j.spec.Release == nil || !j.spec.Release(soFar) {
			return false
		}
		j.released <- struct{}{}
		return true
	})

	go j.err.read(func([]byte) bool { return false })
	go func() {
		ps, _ := j.proc.Wait()
		j.ended <- ps
	}()
}

// read reads the stream to its end, its deadline or until enough returns true.
func (s *stream) read(enough func(soFar []byte) bool) {
	defer close(s.over)
	s.open = true
	var scratch []byte
	for {
		n, err := s.f.Read(s.next(&scratch))
		soFar, more := s.add(n)
		switch {
		case more && enough(soFar):
			return
		case os.IsTimeout(err):
			s.sweep(&scratch)
			return
		case err != nil:
			s.open = false
			return
		}
	}
}

// next is room without its lock, which the reader must not hold.
func (s *stream) next(scratch *[]byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.room(scratch)
}

// add keeps what was read into next, and reports whether there is now more to see.
func (s *stream) add(n int) (soFar []byte, more bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := len(s.buf)
	s.took(n)
	return s.buf, len(s.buf) > kept
}

// sweep reads what is in the pipe at this moment: a passed deadline doesn't show what could have been read.
func (s *stream) sweep(scratch *[]byte) {
	rc, err := s.f.SyscallConn()
	if err != nil || s.f.SetReadDeadline(time.Time{}) != nil {
		return
	}
	for total, n := 0, 1; n > 0 && total < sureOutput; total += n {
		n = max(readNow(s.f, rc, s.next(scratch)), 0)
		s.add(n)
	}
}

// await waits for the program's end, and kills it when its time is over.
func (j *job) await(ctx context.Context, r *Result) {
	var expired, givenUp <-chan time.Time
	limit := func(d time.Duration) {
		if j.timer != nil {
			j.timer.Stop()
		}
		j.timer = newTurnTimer(time.Until(r.Start.Add(d)))
		expired = j.timer.C
	}
	if j.spec.Timeout > 0 {
		limit(j.spec.Timeout)
	}
	defer func() {
		if j.timer != nil {
			j.timer.Stop()
		}
	}()

	cancelled, late := ctx.Done(), false
	ended := func(ps *os.ProcessState) {
		if ps != nil {
			ws := ps.Sys().(syscall.WaitStatus)
			setStatus(r, ws)
			r.TimedOut = late && r.Signal != ""
		}
	}
	for {
		select {
		case ps := <-j.ended:
			ended(ps)
			return
		case <-j.released:
			r.Released = true
			return
		case d := <-j.extended:
			if !late {
				limit(d)
			}
		case <-expired:
			select { // its end comes before the clock
			case ps := <-j.ended:
				ended(ps)
				return
			default:
			}
			j.killed = true
			late, expired, givenUp = true, nil, time.After(killWait)
			j.tree.kill(j.proc)
		case <-cancelled:
			late, cancelled = late || ctx.Err() == context.DeadlineExceeded, nil
			j.tree.kill(j.proc)
		case <-givenUp:
			r.TimedOut = true
			return
		}
	}
}

// drain waits for the end of both streams, for grace at most, and reports whether Release cut that short.
func (j *job) drain(ctx context.Context, grace time.Duration, r *Result) (released bool) {
	until, limited := r.End.Add(grace), true
	if grace < 0 {
		if until, limited = r.Start, j.timer != nil; limited {
			until = j.timer.Until()
		}
	}
	more := !j.killed && (grace < 0 || grace > defaultGrace)
	closed, released := j.closed(firstGrace(grace))
	for !closed && !released && more {
		out, _ := j.out.kept()
		errs, _ := j.err.kept()
		switch late := limited && !time.Now().Before(until); {
		case j.spec.answered(r.Exit, out, errs):
			return false
		case late || ctx.Err() != nil:
			r.TimedOut = grace < 0 && late || ctx.Err() == context.DeadlineExceeded
			return false
		}
		closed, released = j.closed(defaultGrace)
	}
	return released
}

// closed waits until both streams end or the program is detached, for limit at most.
func (j *job) closed(limit time.Duration) (closed, released bool) {
	t := time.NewTimer(limit)
	defer t.Stop()
	for _, s := range [...]*stream{&j.out, &j.err} {
		select {
		case <-s.over:
		case <-j.released:
			return false, true
		case <-t.C:
			return false, false
		}
	}
	return true, false
}

// stop ends the goroutines if the system has deadlines for pipes. Otherwise they continue to drop input, and end with
// the last writer.
func (j *job) stop() {
	now := time.Now()
	for _, s := range [...]*stream{&j.out, &j.err} {
		if s.f.SetReadDeadline(now) == nil {
			<-s.over
		}
	}
	if j.in != nil && j.in.SetWriteDeadline(now) == nil {
		<-j.fed
	}
}

// kept returns what was read and whether there was more. The goroutine may still be reading.
func (s *stream) kept() ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.buf), s.cut
}

// letGo closes the pipes, or passes on those still open if the program continues without this process.
func (j *job) letGo(released bool) {
	for _, s := range [...]*stream{&j.out, &j.err} {
		select {
		case <-s.over:
			if released && s.open {
				handOff(j.spec.Env, s.f, nil)
				continue
			}
			s.f.Close()
		default:
		}
	}
	if j.in == nil {
		return
	}
	select {
	case <-j.fed:
		if released && len(j.rest) > 0 {
			if f, err := unlinked(j.rest); err == nil {
				handOff(j.spec.Env, f, j.in)
				return
			}
		}
	default:
	}
	j.in.Close()
}
