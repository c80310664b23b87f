package state

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// An Item is one thing remembered.
type Item struct {
	Key, Value string
	Until      int64 // when it is forgotten, in Unix nanoseconds; 0: with the session
}

// A Tx is the memory of one session at one moment: items in the order they were added, any number of them under one
// key. It is valid only inside the function that got it, and has no expired items.
type Tx struct {
	// Corrupt means that there was an unreadable file. The Tx is empty then, and the next change overwrites that file.
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

// Put makes value the only one of key, and the newest item, for ttl from now; 0 is for the whole session. A ttl below 0
// has already passed: key then has no value.
func (t *Tx) Put(key, value string, ttl time.Duration) {
	if ttl == 0 && t.holdsOnly(Item{Key: key, Value: value}) {
		return // nothing to write
	}
	t.Delete(key)
	t.Add(key, value, ttl)
}

// Add adds a value to those of key, for ttl as in Put.
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

// Clear removes everything: the session is removed, with its logs.
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

// The format, version 1: a header line, a record for each item, and a last line that
// shows that the file is complete.
//
//	hookbridge-state 1
//	UNTIL LENGTH-OF-KEY LENGTH-OF-VALUE
//	KEYVALUE
//	end
//
// Lengths are in bytes, all numbers decimal. Keys and values may hold anything.
const (
	magic   = "hookbridge-state "
	version = 1
	trailer = "end\n"
)

const errCorrupt fault = "state: damaged file" // never leaves the package: see Tx.Corrupt

func decode(b []byte, now int64) ([]Item, error) {
	s := string(b) // once: keys and values are parts of it
	head, s, ok := strings.Cut(s, "\n")
	number, isOurs := strings.CutPrefix(head, magic)
	if !ok || !isOurs {
		return nil, errCorrupt
	}

	switch v, err := strconv.ParseUint(number, 10, 31); {
	case err != nil:
		return nil, errCorrupt
	case v > version:
		return nil, ErrNewer
	case v != version:
		return nil, errCorrupt
	}
	if len(b) > maxFile {
		return nil, errCorrupt
	}

	var items []Item
	for s != trailer {
		it, rest, ok := decodeItem(s)
		if !ok {
			return nil, errCorrupt
		}
		if it.Until == 0 || it.Until > now {
			items = append(items, it)
		}
		s = rest
	}
	return items, nil
}

// decodeItem reads the record at the start of s.
func decodeItem(s string) (it Item, rest string, ok bool) {
	head, s, ok := strings.Cut(s, "\n")
	until, head, ok1 := strings.Cut(head, " ")
	key, value, ok2 := strings.Cut(head, " ")
	if !ok || !ok1 || !ok2 {
		return it, "", false
	}
	u, err1 := strconv.ParseUint(until, 10, 63)
	k, err2 := strconv.ParseUint(key, 10, 31)
	v, err3 := strconv.ParseUint(value, 10, 31)
	if err1 != nil || err2 != nil || err3 != nil {
		return it, "", false
	}
	if k+v >= uint64(len(s)) || s[k+v] != '\n' {
		return it, "", false
	}
	return Item{s[:k], s[k : k+v], int64(u)}, s[k+v+1:], true
}

// encode writes items in at most limit bytes. If they don't fit, it drops those with a time limit, the oldest first.
// ErrFull means that those without a limit, or any single item, are too large.
func encode(items []Item, limit int) ([]byte, error) {
	room := limit - len(magic) - len("1\n") - len(trailer)
	size := 0
	for i := range items {
		n := recordSize(&items[i])
		if n > room {
			return nil, ErrFull
		}
		size += n
	}

	keep := make([]Item, 0, len(items))
	for _, it := range items {
		if size > room && it.Until != 0 {
			size -= recordSize(&it)
			continue
		}
		keep = append(keep, it)
	}
	if size > room {
		return nil, ErrFull
	}

	b := append(make([]byte, 0, limit-room+size), magic+"1\n"...)
	for i := range keep {
		b = append(append(appendHead(b, &keep[i]), keep[i].Key...), keep[i].Value...)
		b = append(b, '\n')
	}
	return append(b, trailer...), nil
}

func appendHead(b []byte, it *Item) []byte {
	b = strconv.AppendInt(b, it.Until, 10)
	b = strconv.AppendInt(append(b, ' '), int64(len(it.Key)), 10)
	b = strconv.AppendInt(append(b, ' '), int64(len(it.Value)), 10)
	return append(b, '\n')
}

func recordSize(it *Item) int {
	var head [64]byte
	return len(appendHead(head[:0], it)) + len(it.Key) + len(it.Value) + len("\n")
}
