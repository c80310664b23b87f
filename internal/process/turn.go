package process

import (
	"sync"
	"time"
)

// The limits of programs only count time in which this process ran. If it was stopped, or its machine was busy or
// asleep, its programs got no time either: they pause when it does.
const (
	lookAfter = 250 * time.Millisecond // the longest time between two looks at the clock
	missed    = 250 * time.Millisecond // a look so much later than planned shows that this process didn't run
)

// noTurn returns how long this process didn't run until now, if it planned to run at asked.
func noTurn(asked, now time.Time) time.Duration {
	if late := now.Sub(asked); late >= missed {
		return late
	}
	return 0
}

// A turnTimer is a time.Timer that counts only such time.
type turnTimer struct {
	C <-chan time.Time

	mu    sync.Mutex
	timer *time.Timer
	fire  chan time.Time
	at    time.Time // when the time is over
	asked time.Time // of the next look
}

func newTurnTimer(d time.Duration) *turnTimer {
	t := &turnTimer{fire: make(chan time.Time, 1)}
	t.C = t.fire
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	t.at = now.Add(d)
	t.asked = now.Add(min(d, lookAfter))
	t.timer = time.AfterFunc(time.Until(t.asked), t.look)
	return t
}

func (t *turnTimer) look() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	t.at = t.at.Add(noTurn(t.asked, now))
	if !now.Before(t.at) {
		t.fire <- now
		return
	}
	t.asked = now.Add(min(t.at.Sub(now), lookAfter))
	t.timer.Reset(time.Until(t.asked))
}

// Until returns when the time is over, as far as known.
func (t *turnTimer) Until() time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at
}

func (t *turnTimer) Stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.timer.Stop()
}
