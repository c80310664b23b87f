package process

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

// Errors of Talk.Ask, beside those of the system.
var (
	ErrSilent  = errors.New("no answer in time")
	ErrEnded   = errors.New("the program ended")
	ErrUnasked = errors.New("a line that nobody asked for")
)

// A Talk is a program that answers lines with lines. It is for one caller at a
// time. After an error of Ask there is nothing left but Close.
type Talk struct {
	proc  *os.Process
	tree  tree
	in    *os.File
	lines chan []byte // what it says on stdout, line by line; closed at its end
	ended chan Result // how it ended, with Exit and Signal

	mu   sync.Mutex
	errs sink
	said chan struct{} // closed at the end of stderr
}

const (
	longestLine = 64 << 20
	keptErrors  = 4 << 10
)

// StartTalk starts the program that s describes; of s only Argv, Dir and Env
// count.
func StartTalk(s Spec) (*Talk, error) {
	path, env, err := prepare(&s)
	if err != nil {
		return nil, err
	}

	t := &Talk{lines: make(chan []byte), ended: make(chan Result, 1), said: make(chan struct{})}
	t.errs.max = keptErrors
	ours, theirs, err := pipes()
	defer closeFiles(theirs)
	if err == nil {
		t.proc, t.tree, err = startTree(path, s.Argv, &os.ProcAttr{Dir: s.Dir, Env: env, Files: theirs[:]})
		if err != nil {
			err = explain(&s, path, err)
		}
	}
	if err != nil {
		closeFiles(ours)
		return nil, err
	}

	t.in = ours[0]
	go t.hear(ours[1])
	go t.overhear(ours[2])
	go func() {
		r := Result{Exit: -1}
		if ps, _ := t.proc.Wait(); ps != nil {
			setStatus(&r, ps.Sys().(syscall.WaitStatus))
		}
		t.ended <- r
	}()

	return t, nil
}

// hear passes on what the program says, a line at a time; a last line without
// an end counts.
func (t *Talk) hear(out *os.File) {
	defer close(t.lines)
	defer out.Close()
	var line []byte
	buf := bufio.NewReaderSize(out, 32<<10)
	for {
		piece, err := buf.ReadSlice('\n')
		line = append(line, bytes.TrimSuffix(piece, []byte{'\n'})...)
		if err == bufio.ErrBufferFull && len(line) <= longestLine {
			continue
		}
		if err == nil || len(line) > 0 {
			t.lines <- line
		}
		if err != nil {
			return
		}
		line = nil
	}
}

// overhear keeps the beginning of what the program says on stderr.
func (t *Talk) overhear(errs *os.File) {
	defer close(t.said)
	defer errs.Close()
	var scratch []byte
	buf := make([]byte, 4<<10)
	for {
		n, err := errs.Read(buf)
		t.mu.Lock()
		room := t.errs.room(&scratch)
		t.errs.took(copy(room, buf[:n]))
		t.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// Ask writes line, which must not have a line end, and returns the next line of
// the answer, of which there must be one within limit. ErrEnded says that the
// program is gone, ErrSilent that it says nothing, ErrUnasked that it has said
// the line that is returned without being asked.
func (t *Talk) Ask(line []byte, limit time.Duration) ([]byte, error) {
	select {
	case more, ok := <-t.lines:
		if !ok {
			return nil, ErrEnded
		}
		return more, ErrUnasked
	default:
	}
	late := newTurnTimer(limit)
	defer late.Stop()
	go t.in.Write(append(bytes.Clone(line), '\n')) // a program that is gone answers nothing
	select {
	case answer, ok := <-t.lines:
		if !ok {
			return nil, ErrEnded
		}
		return answer, nil
	case <-late.C:
		return nil, ErrSilent
	}
}

// Kill ends the program and its group without waiting for anything. Close must
// follow.
func (t *Talk) Kill() { t.tree.kill(t.proc) }

// Close ends the program, at once if it does not end by itself when its stdin
// does, and returns how it ended and the beginning of its stderr.
func (t *Talk) Close() (r Result) {
	defer t.tree.close()
	t.in.Close()
	go func() { // nobody listens any more, and it must not block
		for range t.lines {
			continue
		}
	}()
	wait := time.NewTimer(closeWait)
	defer wait.Stop()
	select {
	case r = <-t.ended:
	case <-wait.C:
		t.tree.kill(t.proc)
		r = <-t.ended
	}
	wait.Reset(closeWait)
	select { // what it said last may still be on its way
	case <-t.said:
	case <-wait.C: // a child of its own keeps stderr open
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r.Stderr = bytes.Clone(t.errs.buf)
	return r
}

const closeWait = 500 * time.Millisecond

// Detach starts the program s describes in a session of its own, without a
// stdout or stderr, and returns at once with its process id. Stdin is delivered
// in full even if this process ends the next moment or the program never reads.
// Timeout, MaxOutput, Grace and Release mean nothing here.
func Detach(s Spec) (pid int, err error) {
	path, env, err := prepare(&s)
	if err != nil {
		return 0, err
	}
	in, err := filled(s.Stdin)
	if err != nil {
		return 0, &startError{"stdin of " + path, plain(err)}
	}
	defer in.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, &startError{os.DevNull, plain(err)}
	}
	defer null.Close()
	p, err := os.StartProcess(path, s.Argv, &os.ProcAttr{Dir: s.Dir, Env: env, Files: []*os.File{in, null, null},
		Sys: ownSession(s.Argv)})
	if err != nil {
		return 0, explain(&s, path, err)
	}
	go p.Wait() // no zombie while this process lives; init takes over after it
	return p.Pid, nil
}

// filled returns a file from which b can be read: a pipe if b surely fits in
// one, as a program may expect, else a file without a name.
func filled(b []byte) (*os.File, error) {
	if len(b) > smallStdin {
		return unlinked(b)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	_, err = w.Write(b)
	w.Close()
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}
