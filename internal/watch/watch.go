// Package watch limits the time that a piece of work may take, even one that never ends.
package watch

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A Clock is the time that is left for a piece of work. It stands still between Pause and Resume, which must not be
// nested. A nil Clock has no limit.
type Clock struct {
	timer *time.Timer
	ended atomic.Bool // the work is done, or its time is over

	mu    sync.Mutex
	left  time.Duration
	since time.Time // when the clock was last started
	kept  *string
}

// end reports whether the work ends now: only one of its last step and the clock ends it.
func (c *Clock) end() bool { return c.ended.CompareAndSwap(false, true) }

// Pause stops the clock.
func (c *Clock) Pause() {
	if c == nil || !c.timer.Stop() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left -= time.Since(c.since)
}

// Resume starts the clock again.
func (c *Clock) Resume() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since = time.Now()
	c.timer.Reset(max(c.left, 0))
}

// Keep leaves a text to the function that gives the result of work that is late.
func (c *Clock) Keep(text string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = &text
}

// Kept returns the last text that was kept; ok is false if none was.
func (c *Clock) Kept() (text string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil {
		return "", false
	}
	return *c.kept, true
}

// Do returns what work returns, or what late returns if work panics. Once the limit is over, leave gets late's value
// from another goroutine, and ok is false if work returns after all: work that never ends can't be stopped from
// outside. late may use nothing that work writes to.
func Do[T any](limit time.Duration, work func(*Clock) T, late func(*Clock, error) T, leave func(T)) (value T, ok bool) {
	c := &Clock{left: limit, since: time.Now()}
	c.timer = time.AfterFunc(limit, func() {
		if c.end() {
			leave(late(c, fmt.Errorf("hookbridge's own work on this call took longer than %s", limit)))
		}
	})
	defer func() {
		if v := recover(); v != nil {
			value, ok = late(c, fmt.Errorf("internal error: %v", v)), c.end()
		}
		c.timer.Stop()
	}()

	deepStack(0)
	value = work(c)
	return value, c.end()
}

// Apart is Do in a goroutine of its own, which is abandoned once the limit is over.
func Apart[T any](limit time.Duration, work func(*Clock) T, late func(*Clock, error) T) T {
	done := make(chan T, 1)
	leave := func(value T) { done <- value }
	go func() {
		if value, ok := Do(limit, work, late, leave); ok {
			done <- value
		}
	}()
	return <-done
}

// deepStack makes room for the frames of a run at once, while there are few to move:
// growing on the way, the stack would be copied three more times. Only the size of its
// own frame counts; nothing is written unless at is positive.
//
//go:noinline
func deepStack(at int) byte {
	if at <= 0 {
		return 0
	}
	var room [48 << 10]byte
	room[at%len(room)] = 1
	return room[len(room)/2]
}
