package session

import (
	"strconv"
	"time"
)

// A Record is one value of a session or of a tool call.
type Record[T any] struct {
	in   *file
	key  string        // "": without an owner
	life time.Duration // 0: the session's
	form form[T]
}

// A form is how a value is written.
type form[T any] struct {
	text func(T) string
	read func(text string) (T, bool) // false: damaged
}

// Get returns the value as it was when the call began.
func (r Record[T]) Get() (value T, ok bool) {
	if text, ok := r.in.get(r.key); ok {
		return r.form.read(text)
	}
	return value, false
}

// Keep replaces the value.
func (r Record[T]) Keep(value T) {
	if r.key != "" {
		r.in.put(r.key, r.form.text(value), r.life)
	}
}

// Take removes the value.
func (r Record[T]) Take() (value T, ok bool) {
	if text, ok := r.in.take(r.key); ok {
		return r.form.read(text)
	}
	return value, false
}

// A Mark records that something has happened in a session.
type Mark struct {
	in  *file
	key string
}

// set is the value of a mark.
const set = "1"

// IsSet reports whether it had happened when the call began.
func (m Mark) IsSet() bool {
	_, ok := m.in.get(m.key)
	return ok
}

// Set records that it has happened.
func (m Mark) Set() { m.in.put(m.key, set, 0) }

var (
	textForm = form[string]{func(s string) string { return s }, func(s string) (string, bool) { return s, true }}
	timeForm = form[time.Time]{timeText, readTime}
)

func timeText(at time.Time) string { return strconv.FormatInt(at.UnixMilli(), 10) }

func readTime(text string) (at time.Time, ok bool) {
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return at, false
	}
	return time.UnixMilli(ms), true
}
