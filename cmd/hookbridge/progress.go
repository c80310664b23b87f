package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A progress shows what a command is doing, on stderr, once it has taken longer than a
// second and then less and less often. It is for people: only a terminal gets it.
type progress struct {
	mu   sync.Mutex
	w    io.Writer
	what string
	last string // what is being done
	done int
	stop chan struct{}
}

// startProgress begins for a command; its stderr goes through the lock from now on.
func startProgress(std *stdio, what string) *progress {
	p := &progress{w: std.err, what: what, stop: make(chan struct{})}
	if t, ok := std.err.(terminal); ok && isTerminal(t.File) {
		std.err = p
		go p.run(time.Second)
	}
	return p
}

func (p *progress) run(pause time.Duration) {
	start := time.Now()
	for {
		select {
		case <-p.stop:
			return
		case <-time.After(pause):
		}
		p.mu.Lock()
		fmt.Fprintf(p.w, "hookbridge %s: %d done, now %s (%d s)\n", p.what, p.done, p.last, int(time.Since(start).Seconds()))
		p.mu.Unlock()
		pause = min(2*pause, 30*time.Second)
	}
}

// at names what begins now; everything before it is done.
func (p *progress) at(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != "" {
		p.done++
	}
	p.last = what
}

// end is called when the work is over.
func (p *progress) end() { close(p.stop) }

// Write writes to stderr.
func (p *progress) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.w.Write(b)
}
