package watch

import (
	"sync/atomic"
	"testing"
	"time"
)

const soon = 20 * time.Millisecond

// TestSpins holds that work that doesn't wait for anything is left.
func TestSpins(t *testing.T) {
	var over atomic.Bool
	defer over.Store(true)
	work := func(*Clock) bool {
		for !over.Load() {
		}
		return true
	}
	if Apart(soon, work, func(*Clock, error) bool { return false }) {
		t.Error("not left")
	}
}

// TestPaused holds that time in which the clock stands doesn't count, and that what is left counts afterwards.
func TestPaused(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		over := make(chan struct{})
		work := func(c *Clock) bool {
			c.Pause()
			time.Sleep(3 * soon)
			c.Resume()
			if hangs {
				<-over
			}
			return true
		}
		limit := time.Hour
		if hangs {
			limit = soon
		}
		if got := Apart(limit, work, func(*Clock, error) bool { return false }); got == hangs {
			t.Errorf("hangs %v: done %v", hangs, got)
		}
		close(over)
	}
}

// TestPanic holds that a panic gives late's value, with what was kept before.
func TestPanic(t *testing.T) {
	work := func(c *Clock) string {
		c.Keep("a")
		c.Keep("b")
		panic("broken")
	}
	got, ok := Do(time.Hour, work, func(c *Clock, fault error) string {
		kept, _ := c.Kept()
		return kept + " " + fault.Error()
	}, nil)
	if got != "b internal error: broken" || !ok {
		t.Error(got, ok)
	}
}

// TestNil holds that a nil clock has no limit.
func TestNil(t *testing.T) {
	var c *Clock
	c.Pause()
	c.Resume()
	c.Keep("")
}
