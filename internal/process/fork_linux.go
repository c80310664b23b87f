//go:build linux && !portable

package process

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// startAll starts every job, as many in parallel as there are processors: a start blocks its thread until the kernel
// has loaded the program.
func startAll(jobs []*job) {
	workers := min(len(jobs), runtime.GOMAXPROCS(0))
	if workers <= 1 {
		for _, j := range jobs {
			j.start()
		}
		return
	}
	var next atomic.Int32
	var wg sync.WaitGroup
	work := func() {
		for i := next.Add(1) - 1; int(i) < len(jobs); i = next.Add(1) - 1 {
			jobs[i].start()
		}
	}
	for range workers - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

// startLate starts a job that had to wait for a free place, and reports whether it runs.
func (j *job) startLate(ctx context.Context) bool {
	if err := ctx.Err(); err != nil {
		*j.res = notStarted(err)
		return false
	}
	j.start()
	if ctx.Err() != nil { // while it started
		j.kill()
	}
	return !j.done
}

func (j *job) start() {
	j.res.Start = time.Now()
	j.in, j.pidfd, j.out.fd, j.err.fd = -1, -1, -1, -1
	j.out.max, j.grace = j.spec.limits()
	j.err.max = j.out.max
	path, env, err := prepare(j.spec)
	if err == nil {
		err = j.fork(path, env)
	}
	if err != nil {
		j.res.Err, j.res.Exit = err, -1
		j.dead = true
		j.finish(time.Now())
		return
	}
	if j.spec.Timeout > 0 {
		j.limit = j.res.Start.Add(j.spec.Timeout)
	}
}

// fork makes the pipes, writes as much of stdin as a pipe holds, and starts path.
func (j *job) fork(path string, env []string) error {
	var p [6]int // read and write ends of stdin, stdout, stderr
	for i := range p {
		p[i] = -1
	}
	defer func() {
		for _, fd := range [...]int{p[0], p[3], p[5]} { // the program's ends
			if fd >= 0 {
				_ = syscall.Close(fd)
			}
		}
	}()
	for i := 0; i < len(p); i += 2 {
		if err := syscall.Pipe2(p[i:i+2], syscall.O_CLOEXEC); err != nil {
			j.in, j.out.fd, j.err.fd = p[1], p[2], p[4]
			return &startError{"pipe", err}
		}
	}

	j.in, j.out.fd, j.err.fd, j.rest = p[1], p[2], p[4], j.spec.Stdin
	if len(j.rest) > smallStdin {
		if len(j.rest) > usualPipe && j.few {
			widen(j.in)
		}
		if err := syscall.SetNonblock(j.in, true); err != nil {
			return &startError{"pipe", err}
		}
	}

	j.feed()
	pid, err := syscall.ForkExec(path, j.spec.Argv, &syscall.ProcAttr{
		Dir: j.spec.Dir, Env: env, Files: []uintptr{uintptr(p[0]), uintptr(p[3]), uintptr(p[5])},
		Sys: &syscall.SysProcAttr{Setpgid: true, PidFD: &j.pidfd},
	})
	if err != nil {
		return explain(j.spec, path, err)
	}

	j.mu.Lock()
	j.pid = pid
	j.mu.Unlock()
	return nil
}

// feed writes to stdin as much as fits now, and closes it after the last byte or when it has no reader any more.
func (j *job) feed() {
	for len(j.rest) > 0 {
		n, err := syscall.Write(j.in, j.rest)
		switch {
		case err == syscall.EINTR:
		case err == syscall.EAGAIN:
			return
		case err != nil:
			j.rest = nil
		default:
			j.rest = j.rest[n:]
		}
	}
	closeFD(&j.in)
}
