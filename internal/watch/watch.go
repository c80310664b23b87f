// Package watch limits a piece of work by the processor time that it spends, and by a far limit on the wall.
//
// What a small hostile file can spend is processor time. Time on the wall also passes on a busy machine, in a frozen
// container and while a process waits for a lock or a slow disk, so its limit is as far as whoever waits for the work
// grants.
package watch

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Limits are those of a piece of work. A zero limit is none.
type Limits struct {
	Work time.Duration // processor time of this process, less what passes between Pause and Resume
	Wall time.Duration // since the start
}

const (
	// tick is the longest time between two looks at the clocks: what passes beyond it is time in which this process
	// had no turn.
	tick = 500 * time.Millisecond
	// stalled is how much later than asked for a look shows that the process had no turn.
	stalled = 500 * time.Millisecond
	// rest is the time on the wall that is left at least after the process had no turn: what it still has to do is
	// usually a matter of milliseconds.
	rest = 2 * time.Second
)

// A Time is what a Clock reads: the one of the system, or that of a test.
type Time interface {
	Now() time.Time
	Processor() time.Duration                         // that this process has spent
	After(d time.Duration, look func()) (stop func()) // calls look once, from another goroutine
}

// A Clock is the time that is left for a piece of work. A nil Clock has no limit.
type Clock struct {
	time  Time
	ended atomic.Bool // the work is done, or its time is over
	late  func(error)

	mu       sync.Mutex
	stop     func()
	left     time.Duration // processor time; negative once it is over
	limited  bool          // left counts
	since    time.Duration // what the processor time was when the clock last ran on
	paused   int
	deadline time.Time // zero: none
	due      time.Time // of the next look
	limits   Limits
}

// end reports whether the work ends now: only one of its last step and the clock ends it.
func (c *Clock) end() bool { return c.ended.CompareAndSwap(false, true) }

// Pause lets processor time pass without counting it, until Resume. Pauses may be nested.
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

// Grant makes the limit on the wall, counted from the start, as far as this one if it is nearer.
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

// arm looks again when the time can be over at the earliest.
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

// start makes the clock of a piece of work.
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

// Do returns what work returns, or what late returns if work panics. Once a limit is over, leave gets late's value
// from another goroutine, and ok is false if work returns after all: work that never ends can't be stopped from
// outside. late may use nothing that work writes to. t is the system's time if it is nil.
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

// Apart is Do in a goroutine of its own, which is abandoned once a limit is over.
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
