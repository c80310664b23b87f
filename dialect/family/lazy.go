package family

import "sync/atomic"

// A Lazy is an agent that is made once, and only where it is asked for: hook calls of other agents don't pay for it.
type Lazy struct {
	Make func() *Agent

	made atomic.Pointer[Agent]
}

// Agent is the agent, as of its newest version.
func (l *Lazy) Agent() *Agent {
	if l.Make == nil {
		return nil
	}
	if l.made.Load() == nil {
		l.made.CompareAndSwap(nil, l.Make())
	}
	return l.made.Load()
}
