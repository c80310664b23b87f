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

// Errors of Talk.Ask, in addition to those of the system.
var (
	ErrSilent  = errors.New("no answer in time")
	ErrEnded   = errors.New("the program ended")
	ErrUnasked = errors.New("a line that nobody asked for")
)

// A Talk is a program that answers lines with lines. It isn't safe for concurrent use. After an error of Ask only Close
// may be called.
type Talk struct {
	proc  *os.Process
	tree  tree
	in    *os.File
	lines chan []byte // its stdout, line by line; closed at its end
	ended chan Result // how it ended, with Exit and Signal

	mu   sync.Mutex
	errs sink
	said chan struct{} // closed at the end of stderr
}

const (
	longestLine = 64 << 20
	keptErrors  = 4 << 10
)

// StartTalk starts the program that s describes; only Argv, Dir and Env are used.
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

// hear passes on the program's output, a line at a time; a last line without an end counts.
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

// overhear keeps the beginning of the program's stderr.
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

// Ask writes line, which must not have a line end, and returns the answer's line, which must come within limit.
// ErrEnded means that the program has ended, ErrSilent that it prints nothing, ErrUnasked that it printed the returned
// line before the question.
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
	go t.in.Write(append(bytes.Clone(line), '\n')) // a program that has ended answers nothing
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

// Kill ends the program and its group without waiting. Close must follow.
func (t *Talk) Kill() { t.tree.kill(t.proc) }

// Close closes the program's stdin, ends the program if it doesn't end then, and returns how it ended and the beginning
// of its stderr.
func (t *Talk) Close() (r Result) {
	defer t.tree.close()
	t.in.Close()
	go func() { // the output is ignored from here on, and must not block it
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
	select { // its last output may still be on its way
	case <-t.said:
	case <-wait.C: // a child of its own keeps stderr open
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r.Stderr = bytes.Clone(t.errs.buf)
	return r
}

const closeWait = 500 * time.Millisecond

// Detach starts the program that s describes in a new session, without a stdout or stderr, and returns its process id
// at once. Stdin is delivered in full even if this process ends the next moment or the program never reads. Timeout,
// MaxOutput, Grace and Release have no effect here.
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
	go p.Wait() // no zombie while this process lives; init reaps it afterwards
	return p.Pid, nil
}

// filled returns a file from which b can be read: a pipe if b certainly fits in one, as a program may expect, else a
// file without a name.
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
