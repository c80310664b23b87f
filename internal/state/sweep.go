package state

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Sweep forgets the sessions last changed more than maxAge before now, along
// with what killed processes left lying about, and returns how many. It looks
// at limit directory entries at most (a session has two) and passes over
// sessions in use and whatever is not this package's.
func (s Store) Sweep(now time.Time, maxAge time.Duration, limit int) (removed int) {
	if limit <= 0 || s.ready(false) != nil {
		return 0
	}
	d, err := os.Open(s.Dir)
	if err != nil {
		return 0
	}
	names, _ := d.Readdirnames(limit)
	d.Close()
	before := now.Add(-maxAge)
	for _, entry := range names {
		name := entry
		for _, ext := range []string{tempExt, lockExt, logExt} {
			name = strings.TrimSuffix(name, ext)
		}
		if !isName(name) {
			continue
		}
		p := s.named(name)
		if older(p.data, filepath.Join(s.Dir, entry), before) && s.sweepOne(p, before) {
			removed++
		}
	}
	return removed
}

// sweepOne forgets a session if it is not in use and is old even now that
// nobody can change it.
func (s Store) sweepOne(p files, before time.Time) bool {
	l, err := lock(p.lock, 0)
	if err != nil {
		return false
	}
	if fi, err := os.Lstat(p.data); err == nil && !fi.ModTime().Before(before) {
		l.unlock()
		return false
	}
	return forget(p, l) == nil
}

// older reports whether data, or if there is none the entry that led to it,
// was last changed before then.
func older(data, entry string, then time.Time) bool {
	fi, err := os.Lstat(data)
	if err != nil {
		fi, err = os.Lstat(entry)
	}
	return err == nil && (fi.Mode().IsRegular() || fi.IsDir()) && fi.ModTime().Before(then)
}

// isName reports whether name is one of named's.
func isName(name string) bool {
	return len(name) == nameLen && strings.Trim(name, "0123456789abcdef") == ""
}
