package state

import (
	"math"
	"slices"
	"strings"
	"time"
)

// An Item is one thing remembered.
type Item struct {
	Key, Value string
	Until      int64 // when it is forgotten, in Unix nanoseconds; 0: with the session
}

// A Tx is what is remembered of one session at one moment: items in the order
// they came in, any number of them under one key. It is valid only inside the
// function it was given to, and expired items are not in it.
type Tx struct {
	// Corrupt says that there was a file which could not be understood. The
	// Tx is empty then, and the next change overwrites that file.
	Corrupt bool

	items   []Item
	now     int64 // Unix nanoseconds
	changed bool
}

// Get returns the newest value of key.
func (t *Tx) Get(key string) (value string, ok bool) {
	for _, it := range slices.Backward(t.items) {
		if it.Key == key {
			return it.Value, true
		}
	}
	return "", false
}

// All returns the items whose keys begin with prefix, oldest first.
func (t *Tx) All(prefix string) []Item {
	var found []Item
	for _, it := range t.items {
		if strings.HasPrefix(it.Key, prefix) {
			found = append(found, it)
		}
	}
	return found
}

// Put makes value the only one of key, and the newest item, for ttl from now;
// 0 is for the whole session. A ttl below 0 has passed: nothing is left of key.
func (t *Tx) Put(key, value string, ttl time.Duration) {
	if ttl == 0 && t.holdsOnly(Item{Key: key, Value: value}) {
		return // nothing to write
	}
	t.Delete(key)
	t.Add(key, value, ttl)
}

// Add appends value to those key has, for ttl as in Put.
func (t *Tx) Add(key, value string, ttl time.Duration) {
	if ttl < 0 {
		return
	}
	it := Item{Key: key, Value: value}
	if ttl > 0 {
		if it.Until = t.now + int64(ttl); it.Until < t.now {
			it.Until = math.MaxInt64
		}
	}
	t.items = append(t.items, it)
	t.changed = true
}

// Take removes and returns the oldest value of key.
func (t *Tx) Take(key string) (value string, ok bool) {
	for i, it := range t.items {
		if it.Key == key {
			t.items = slices.Delete(t.items, i, i+1)
			t.changed = true
			return it.Value, true
		}
	}
	return "", false
}

// Delete removes all values of key.
func (t *Tx) Delete(key string) {
	t.drop(func(it Item) bool { return it.Key == key })
}

// Clear removes everything: the session is forgotten, with its logs.
func (t *Tx) Clear() { t.drop(func(Item) bool { return true }) }

func (t *Tx) drop(gone func(Item) bool) {
	before := len(t.items)
	t.items = slices.DeleteFunc(t.items, gone)
	t.changed = t.changed || len(t.items) != before
}

func (t *Tx) holdsOnly(want Item) bool {
	n, same := 0, false
	for _, it := range t.items {
		if it.Key == want.Key {
			n, same = n+1, it == want
		}
	}
	return n == 1 && same
}
