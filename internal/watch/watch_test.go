package watch_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/watch"
	"github.com/hookbridge/hookbridge/internal/watch/watchtest"
)

var limits = watch.Limits{Work: 3 * time.Second, Wall: 30 * time.Second}

// TestLimits checks what ends a piece of work that never ends, and what doesn't.
func TestLimits(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name  string
		pass  func(*watchtest.Time, *watch.Clock)
		ended bool
	}{
		{"processor time", func(at *watchtest.Time, _ *watch.Clock) { at.Pass(s, 3*s) }, true},
		{"less of it", func(at *watchtest.Time, _ *watch.Clock) { at.Pass(20*s, 2*s) }, false},
		{"little by little", func(at *watchtest.Time, _ *watch.Clock) {
			for range 6 {
				at.Pass(s, s/2)
			}
		}, true},
		{"paused", func(at *watchtest.Time, c *watch.Clock) {
			c.Pause()
			at.Pass(10*s, 10*s)
			c.Resume()
			at.Pass(s, 2*s)
		}, false},
		{"after a pause", func(at *watchtest.Time, c *watch.Clock) {
			at.Pass(s, 2*s)
			c.Pause()
			c.Pause()
			at.Pass(s, 2*s)
			c.Resume()
			c.Resume()
			at.Pass(s, s)
		}, true},
		{"the wall", func(at *watchtest.Time, _ *watch.Clock) { at.Pass(30*s, 0) }, true},
		{"the wall, in a pause", func(at *watchtest.Time, c *watch.Clock) { c.Pause(); at.Pass(30*s, 0) }, true},
		{"more was granted", func(at *watchtest.Time, c *watch.Clock) { c.Grant(60 * s); at.Pass(59*s, 0) }, false},
		{"and is over", func(at *watchtest.Time, c *watch.Clock) { c.Grant(60 * s); at.Pass(60*s, 0) }, true},
		{"less was granted", func(at *watchtest.Time, c *watch.Clock) { c.Grant(s); at.Pass(29*s, 0) }, false},
		{"stopped", func(at *watchtest.Time, _ *watch.Clock) { at.Stop(3600 * s) }, false},
		{"stopped, then idle", func(at *watchtest.Time, _ *watch.Clock) { at.Stop(3600 * s); at.Pass(3*s, 0) }, true},
		{"stopped, then at work", func(at *watchtest.Time, _ *watch.Clock) { at.Stop(60 * s); at.Pass(s, s) }, false},
	} {
		at, clock := &watchtest.Time{}, make(chan *watch.Clock)
		over, answer := make(chan struct{}), make(chan bool)
		go func() {
			answer <- watch.Apart(limits, at, func(c *watch.Clock) bool {
				clock <- c
				<-over
				return false
			}, func(error) bool { return true })
		}()

		c.pass(at, <-clock)
		if !c.ended {
			close(over)
		}
		if got := <-answer; got != c.ended {
			t.Errorf("%s: ended %v", c.name, got)
		}
		if c.ended {
			close(over)
		}
	}
}

// TestSpins checks that work that doesn't wait for anything is abandoned, by the system's time.
func TestSpins(t *testing.T) {
	var over atomic.Bool
	defer over.Store(true)
	work := func(*watch.Clock) bool {
		for !over.Load() {
		}
		return true
	}
	if watch.Processor() == 0 {
		t.Skip("this system doesn't say what a process has spent")
	}
	if watch.Apart(watch.Limits{Work: time.Millisecond}, nil, work, func(error) bool { return false }) {
		t.Error("not left")
	}
}

// TestPanic checks that a panic gives late's value.
func TestPanic(t *testing.T) {
	got, ok := watch.Do(limits, &watchtest.Time{}, func(*watch.Clock) string { panic("broken") },
		func(fault error) string { return fault.Error() }, nil)
	if !ok || !strings.Contains(got, "broken") {
		t.Error(got, ok)
	}
}

// TestNil checks that a nil clock has no limit.
func TestNil(t *testing.T) {
	var c *watch.Clock
	c.Pause()
	c.Resume()
	c.Grant(0)
}
