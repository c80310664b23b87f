package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A progress tells on stderr that a command is still at work, once it has taken longer
// than a second and then ever more rarely.
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
	std.err = p
	go p.run()
	return p
}

func (p *progress) run() {
	start, pause := time.Now(), time.Second
	for {
		select {
		case <-p.stop:
			return
		case <-time.After(pause):
		}
		p.mu.Lock()
		fmt.Fprintf(p.w, "hookbridge %s: %d done, at %s (%d s)\n", p.what, p.done, p.last, int(time.Since(start).Seconds()))
		p.mu.Unlock()
		pause = min(2*pause, 30*time.Second)
	}
}

// at says what is begun; all before it is done.
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
