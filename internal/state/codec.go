package state

import (
	"strconv"
	"strings"
)

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
	if err1 != nil || err2 != nil || err3 != nil || k+v >= uint64(len(s)) || s[k+v] != '\n' {
		return it, "", false
	}
	return Item{s[:k], s[k : k+v], int64(u)}, s[k+v+1:], true
}

// encode writes items in no more than limit bytes. If they do not fit, those
// with a time limit go first, the oldest of them first. ErrFull says that
// those without alone, or any one item, are too much.
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
