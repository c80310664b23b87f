package process

import (
	"os"
)

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
	p, err := os.StartProcess(path, s.Argv, &os.ProcAttr{
		Dir: s.Dir, Env: env, Files: []*os.File{in, null, null}, Sys: ownSession(),
	})
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
