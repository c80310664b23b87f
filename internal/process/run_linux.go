//go:build linux && !portable

package process

import (
	"context"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

// A job is one running program. Only the loop uses its fields, except those under mu, which cancelling uses from
// another goroutine.
type job struct {
	spec     *Spec
	res      *Result
	out, err stream
	in       int    // write end of stdin, -1 when closed
	rest     []byte // the unwritten rest of stdin
	pidfd    int    // -1 on a kernel without pidfds: then the loop ticks
	grace    time.Duration
	limit    time.Time // of the program, once killed of its death, once dead of its streams; zero: none
	dead     bool      // reaped, or given up
	done     bool      // res is final
	killed   bool      // by us, for its time
	lingers  bool      // dead, and its streams have the rest of more
	more     time.Time // end of reading its streams if it has not answered; zero: no limit
	few      bool      // there are few others: wide pipes count against the user's share

	mu  sync.Mutex
	pid int // 0 before the start and after the reaping
}

// runAll starts all specs and serves them until the last is done. It runs as many in parallel as there are descriptors
// for, and the others as those end.
func runAll(ctx context.Context, specs []Spec, results []Result) {
	jobs := make([]job, len(specs))
	active, waiting := make([]*job, 0, len(jobs)), make([]*job, 0, len(jobs))
	room := atOnce()
	for i := range jobs {
		jobs[i].spec, jobs[i].res, jobs[i].few = &specs[i], &results[i], len(specs) <= 8
		if i < room {
			active = append(active, &jobs[i])
		} else {
			waiting = append(waiting, &jobs[i])
		}
	}

	startAll(active)
	if ctx.Done() != nil {
		stop := context.AfterFunc(ctx, func() {
			for i := range jobs {
				jobs[i].kill()
			}
		})
		defer stop()
	}

	slow, slowAt := takeSlow(specs), time.Now().Add(slowAfter)
	var scratch []byte
	fds := make([]pollFD, perJob*len(active))
	for {
		active = slices.DeleteFunc(active, func(j *job) bool { return j.done })
		for len(waiting) > 0 && len(active) < room {
			if j := waiting[0]; j.startLate(ctx) {
				active = append(active, j)
			}
			waiting = waiting[1:]
		}
		if len(active) == 0 {
			return
		}

		wake := time.Time{}
		for i, j := range active {
			if t := j.watch(fds[perJob*i:]); wake.IsZero() || !t.IsZero() && t.Before(wake) {
				wake = t
			}
		}
		if slow != nil && (wake.IsZero() || slowAt.Before(wake)) {
			wake = slowAt
		}
		if next := time.Now().Add(lookAfter); next.Before(wake) {
			wake = next
		}
		poll(fds[:perJob*len(active)], wake)
		now := time.Now()
		if gone := noTurn(wake, now); gone > 0 && !wake.IsZero() {
			for _, j := range active {
				j.wait(gone)
			}
		}
		if slow != nil && !now.Before(slowAt) {
			slow()
			slow = nil
		}
		for i, j := range active {
			j.step(ctx, fds[perJob*i:], now, &scratch)
		}
	}
}

// wait moves the limits of j by a time in which this process didn't run.
func (j *job) wait(gone time.Duration) {
	for _, t := range []*time.Time{&j.limit, &j.more} {
		if !t.IsZero() {
			*t = t.Add(gone)
		}
	}
}

// The places of a job's files in the polled set.
const (
	atIn = iota
	atOut
	atErr
	atPid
	perJob
)

// watch fills in what j waits for and returns its deadline, zero for no limit.
func (j *job) watch(fds []pollFD) time.Time {
	fds[atIn] = pollFD{fd: int32(j.in), events: pollOut}
	fds[atOut] = pollFD{fd: int32(j.out.fd), events: pollIn}
	fds[atErr] = pollFD{fd: int32(j.err.fd), events: pollIn}
	fds[atPid] = pollFD{fd: int32(j.pidfd), events: pollIn}
	tick := time.Now().Add(time.Millisecond)
	switch {
	case j.lingers && !j.done:
		tick = time.Now().Add(cancelWait)
	case j.done || j.dead || j.pidfd >= 0:
		return j.limit
	}
	if j.limit.IsZero() || tick.Before(j.limit) {
		return tick
	}
	return j.limit
}

// step handles what poll found for j. The order matters: it reads input before it checks for the end, and checks for
// the end before the clock.
func (j *job) step(ctx context.Context, fds []pollFD, now time.Time, scratch *[]byte) {
	quiet := true
	if fds[atOut].revents != 0 {
		kept := len(j.out.buf)
		j.out.after += j.out.read(scratch)
		quiet = false
		more := len(j.out.buf) > kept // dropped output isn't worth another look at all the rest
		if more && j.spec.Extend != nil && !j.dead && !j.killed {
			if d := j.spec.Extend(j.out.buf); d > 0 {
				j.limit = j.res.Start.Add(d)
			}
		}
		if more && j.spec.Release != nil && j.spec.Release(j.out.buf) {
			j.release(now)
			return
		}
	}

	if fds[atErr].revents != 0 {
		j.err.after += j.err.read(scratch)
		quiet = false
	}
	if fds[atIn].revents != 0 {
		j.feed()
	}

	late := !j.limit.IsZero() && !now.Before(j.limit)
	switch {
	case j.dead && j.out.fd < 0 && j.err.fd < 0, j.lingers && quiet && j.answered():
		j.finish(now)
	case j.lingers && (late || ctx.Err() != nil):
		j.res.TimedOut = j.grace < 0 && late || ctx.Err() == context.DeadlineExceeded
		j.finish(now)
	case j.dead && late && (quiet || j.drained()):
		if j.lingers = !j.killed && (j.grace < 0 || j.grace > defaultGrace) && !j.answered(); j.lingers {
			j.limit = j.more
			break
		}
		j.finish(now)
	case j.dead:
	case fds[atPid].revents != 0 || j.pidfd < 0:
		late = !j.reap(ctx, now) && late
		fallthrough
	default:
		if late {
			j.expire(now)
		}
	}
}

func (j *job) answered() bool { return j.spec.answered(j.res.Exit, j.out.buf, j.err.buf) }

// drained reports whether everything that the program itself can have written has been read, however much a leftover
// child still writes.
func (j *job) drained() bool {
	return (j.out.fd < 0 || j.out.after >= sureOutput) && (j.err.fd < 0 || j.err.after >= sureOutput)
}

// reap reads the program's status if it has ended, and reports whether it has.
func (j *job) reap(ctx context.Context, now time.Time) bool {
	var ws syscall.WaitStatus
	j.mu.Lock()
	pid, err := syscall.Wait4(j.pid, &ws, syscall.WNOHANG, nil)
	if pid == 0 || err == syscall.EINTR {
		j.mu.Unlock()
		closeFD(&j.pidfd) // reported the end too early: tick instead
		return false
	}
	j.pid = 0
	j.mu.Unlock()
	if err != nil { // reaped by someone else: the status is lost
		j.res.Exit = -1
	} else {
		setStatus(j.res, ws)
		late := j.killed || ctx.Err() == context.DeadlineExceeded && ws.Signal() == syscall.SIGKILL
		j.res.TimedOut = late && ws.Signaled()
	}
	j.ended(now)
	return true
}

// ended switches j from the program to the rest in its pipes.
func (j *job) ended(now time.Time) {
	j.dead, j.res.End = true, now
	j.out.after, j.err.after = 0, 0
	closeFD(&j.pidfd)
	closeFD(&j.in)
	if j.more = j.limit; j.grace > 0 {
		j.more = now.Add(j.grace)
	}
	j.limit = now.Add(firstGrace(j.grace))
	if j.out.fd < 0 && j.err.fd < 0 {
		j.finish(now)
	}
}

// expire kills a program whose time is over, and gives up on one that doesn't end even then.
func (j *job) expire(now time.Time) {
	if !j.killed {
		j.killed = true
		j.limit = now.Add(killWait)
		j.kill()
		return
	}
	j.res.Exit, j.res.TimedOut = -1, true
	j.leave()
	j.ended(now)
}

// kill kills the program and its group, unless it has ended or was detached.
func (j *job) kill() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.pid > 0 {
		killGroup(j.pid)
	}
}

// leave stops watching the program. Only its zombie is still reaped.
func (j *job) leave() {
	j.mu.Lock()
	pid := j.pid
	j.pid = 0
	j.mu.Unlock()
	if pid > 0 {
		go func() {
			for {
				if _, err := syscall.Wait4(pid, nil, 0, nil); err != syscall.EINTR {
					return
				}
			}
		}()
	}
}

// release lets the program live on and passes its pipes to helpers.
func (j *job) release(now time.Time) {
	j.res.Released = true
	if !j.dead {
		j.res.Exit, j.res.End = -1, now
	}
	j.leave()
	if j.in >= 0 {
		_ = syscall.SetNonblock(j.in, false)
		if f, err := unlinked(j.rest); err == nil {
			handOff(j.spec.Env, f, os.NewFile(uintptr(j.in), "stdin"))
			j.in = -1
		}
	}
	for _, s := range [...]*stream{&j.out, &j.err} {
		if s.fd >= 0 {
			handOff(j.spec.Env, os.NewFile(uintptr(s.fd), "stream"), nil)
			s.fd = -1
		}
	}
	j.finish(now)
}

func (j *job) finish(now time.Time) {
	closeFD(&j.in)
	closeFD(&j.out.fd)
	closeFD(&j.err.fd)
	closeFD(&j.pidfd)
	j.done, j.limit = true, time.Time{}
	j.res.Stdout, j.res.Stderr = j.out.buf, j.err.buf
	j.res.Truncated = j.out.cut || j.err.cut
	if j.res.End.IsZero() {
		j.res.End = now
	}
}

func closeFD(fd *int) {
	if *fd >= 0 {
		_ = syscall.Close(*fd)
		*fd = -1
	}
}
