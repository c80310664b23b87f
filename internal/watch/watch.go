// Package watch limits a piece of work by the processor time that it uses, and by a generous limit of wall time.
//
// A small hostile file can use up processor time. Wall time also passes on a busy machine, in a frozen container and
// while a process waits for a lock or a slow disk, so its limit is as long as the caller is willing to wait.
package watch

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Limits are the limits of a piece of work; zero: no limit.
type Limits struct {
	Work time.Duration // processor time of this process, except between Pause and Resume
	Wall time.Duration // since the start
}

const (
	// tick is the longest time between two readings of the clocks. For the rest of a longer gap this process didn't
	// run.
	tick = 500 * time.Millisecond
	// stalled is the delay of a reading that shows that the process didn't run.
	stalled = 500 * time.Millisecond
	// rest is the minimum wall time left after the process didn't run: the rest of its work is usually a matter of
	// milliseconds.
	rest = 2 * time.Second
)

// A Time is what a Clock reads: the system's, or that of a test.
type Time interface {
	Now() time.Time
	Processor() time.Duration                         // used by this process
	After(d time.Duration, look func()) (stop func()) // calls look once, from another goroutine
}

// A Clock is the remaining time for a piece of work. A nil Clock has no limit.
type Clock struct {
	time  Time
	ended atomic.Bool // the work is done, or its time is over
	late  func(error)

	mu       sync.Mutex
	stop     func()
	left     time.Duration // processor time; negative once it is over
	limited  bool          // left counts
	since    time.Duration // the processor time when the clock last continued
	paused   int
	deadline time.Time // zero: none
	due      time.Time // of the next look
	limits   Limits
}

// end reports whether the work ends now: either its last step or the clock ends it, not both.
func (c *Clock) end() bool { return c.ended.CompareAndSwap(false, true) }

// Pause stops counting processor time, until Resume. Pauses may be nested.
func (c *Clock) Pause() { c.turn(1) }

// Resume counts processor time again.
func (c *Clock) Resume() { c.turn(-1) }

func (c *Clock) turn(by int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paused == 0 {
		c.left -= c.time.Processor() - c.since
	}
	if c.paused += by; c.paused == 0 {
		c.since = c.time.Processor()
	}
}

// Grant lowers the wall limit, counted from the start, to this one if it is lower.
func (c *Clock) Grant(wall time.Duration) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if more := wall - c.limits.Wall; more > 0 && !c.deadline.IsZero() {
		c.deadline, c.limits.Wall = c.deadline.Add(more), wall
	}
}

// look ends the work if its time is over, and looks again later if it isn't.
func (c *Clock) look() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended.Load() {
		return
	}

	now := c.time.Now()
	if !c.deadline.IsZero() && now.Sub(c.due) > stalled {
		c.deadline = later(c.deadline, now.Add(rest))
	}
	spent := c.left
	if c.paused == 0 {
		spent -= c.time.Processor() - c.since
	}

	switch {
	case c.limited && c.paused == 0 && spent <= 0:
		c.over(fmt.Errorf("hookbridge's own work on this call took more than %s of processor time", c.limits.Work))
	case !c.deadline.IsZero() && !now.Before(c.deadline):
		c.over(fmt.Errorf("hookbridge's own work on this call took longer than %s, which is what its host grants",
			c.limits.Wall))
	default:
		c.arm(now, spent)
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// arm looks again at the earliest time when the limit can be over.
func (c *Clock) arm(now time.Time, left time.Duration) {
	next := tick
	if c.limited && c.paused == 0 { // all processors may work at once
		next = min(next, max(left/time.Duration(runtime.GOMAXPROCS(0)), time.Millisecond))
	}
	if !c.deadline.IsZero() {
		next = min(next, max(c.deadline.Sub(now), time.Millisecond))
	}
	c.due = now.Add(next)
	c.stop = c.time.After(next, c.look)
}

func (c *Clock) over(fault error) {
	if c.end() {
		go c.late(fault)
	}
}

// start starts the clock of a piece of work.
func start(limits Limits, t Time, late func(error)) *Clock {
	c := &Clock{time: t, late: late, left: limits.Work, limited: limits.Work > 0, since: t.Processor(), limits: limits}
	now := t.Now()
	if limits.Wall > 0 {
		c.deadline = now.Add(limits.Wall)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arm(now, c.left)
	return c
}

func (c *Clock) halt() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop()
}

// Do returns the result of work, or that of late if work panics. Once a limit is over, leave gets late's value from
// another goroutine, and ok is false if work returns after all: work that never ends can't be stopped from outside.
// late must not use anything that work writes to. A nil t is the system's time.
func Do[T any](limits Limits, t Time, work func(*Clock) T, late func(error) T, leave func(T)) (value T, ok bool) {
	if t == nil {
		t = system{}
	}
	c := start(limits, t, func(fault error) { leave(late(fault)) })
	defer func() {
		if v := recover(); v != nil {
			value, ok = late(fmt.Errorf("internal error: %v", v)), c.end()
		}
		c.halt()
	}()

	value = work(c)
	return value, c.end()
}

// Apart is Do in a new goroutine, which is abandoned once a limit is over.
func Apart[T any](limits Limits, t Time, work func(*Clock) T, late func(error) T) T {
	done := make(chan T, 1)
	leave := func(value T) { done <- value }
	go func() {
		if value, ok := Do(limits, t, work, late, leave); ok {
			done <- value
		}
	}()
	return <-done
}

// system is the time of the system.
type system struct{}

func (system) Now() time.Time           { return time.Now() }
func (system) Processor() time.Duration { return Processor() }

func (system) After(d time.Duration, look func()) (stop func()) {
	timer := time.AfterFunc(d, look)
	return func() { timer.Stop() }
}
