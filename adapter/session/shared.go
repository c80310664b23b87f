package session

import (
	"slices"
	"strings"
	"sync"

	"github.com/hookbridge/hookbridge/internal/state"
)

// A Shared is a session as it was before several runs for one event began, one for each agent's hooks. No run finds
// what another leaves meanwhile, and only one of them delivers what waits for one answer. The zero value is a session
// that is not yet read. It is safe for concurrent use.
type Shared struct {
	mu    sync.Mutex
	done  bool
	items []state.Item
	lost  bool
	taken []string
}

// read reads the file for the first of the runs; the others get a copy.
func (s *Shared) read(f *file) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.done {
		f.read()
		s.done, s.items, s.lost = true, slices.Clone(f.items), f.lost
		return
	}
	f.items, f.lost, f.found = slices.Clone(s.items), s.lost, len(s.items) > 0
}

// delivers reports whether a run may take an item, which may be for one answer only.
func (s *Shared) delivers(it state.Item) bool {
	if s == nil || !strings.HasPrefix(it.Key, keyContext) && !strings.HasPrefix(it.Key, keyAsk) {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := it.Key + "\x00" + it.Value
	if slices.Contains(s.taken, id) {
		return false
	}
	s.taken = append(s.taken, id)
	return true
}
