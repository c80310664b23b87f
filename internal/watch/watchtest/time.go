// Package watchtest is a time that a test drives, for package watch.
package watchtest

import (
	"sync"
	"time"
)

// A Time is a watch.Time that a test advances. The zero value is at its beginning.
type Time struct {
	mu        sync.Mutex
	now       time.Time
	processor time.Duration
	looks     map[*look]bool
}

type look struct {
	at   time.Time
	call func()
}

// Now returns the wall time.
func (t *Time) Now() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// Processor returns the processor time that was used.
func (t *Time) Processor() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.processor
}

// After calls call once so much wall time has passed.
func (t *Time) After(d time.Duration, call func()) (stop func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := &look{t.now.Add(d), call}
	if t.looks == nil {
		t.looks = map[*look]bool{}
	}
	t.looks[l] = true
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.looks, l)
	}
}

// Pass lets wall time pass, with all due looks, and adds the processor time at the beginning.
func (t *Time) Pass(wall, processor time.Duration) {
	t.mu.Lock()
	t.processor += processor
	end := t.now.Add(wall)
	t.mu.Unlock()
	for t.step(end) {
		continue
	}
}

// Stop lets wall time pass in which the process doesn't run.
func (t *Time) Stop(wall time.Duration) {
	t.mu.Lock()
	t.now = t.now.Add(wall)
	now := t.now
	t.mu.Unlock()
	for t.step(now) {
		continue
	}
}

// step calls the next look that is due until end, and reports whether there was one.
func (t *Time) step(end time.Time) bool {
	t.mu.Lock()
	var next *look
	for l := range t.looks {
		if !l.at.After(end) && (next == nil || l.at.Before(next.at)) {
			next = l
		}
	}
	if next == nil {
		if end.After(t.now) {
			t.now = end
		}
		t.mu.Unlock()
		return false
	}
	delete(t.looks, next)
	if next.at.After(t.now) {
		t.now = next.at
	}
	t.mu.Unlock()
	next.call()
	return true
}
