// Package state is hookbridge's memory of a session between hook calls, each of which is a separate process. A session
// has one small file, in a folder that only this user can enter. It is changed under a lock and replaced as a whole, so
// that a reader sees the old or the new one and never half of either.
package state

import (
	"cmp"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	maxFile  = 1 << 20         // bytes of a session's file
	lockWait = 5 * time.Second // for a process that holds the lock and changes nothing
)

// A fault is an error with a fixed text.
type fault string

func (f fault) Error() string { return string(f) }

// The errors of Update, View, Open and Sweep, in addition to the system's. More detailed errors wrap these.
const (
	ErrFull   fault = "state: more than 1 MiB for one session"
	ErrNewer  fault = "state: written by a newer hookbridge"
	ErrLocked fault = "state: the session is locked by another process"
	ErrUnsafe fault = "state: not private"
	ErrShort  fault = "state: a log lost what it held"
)

// A pathError names the file or folder of an error.
type pathError struct {
	path, why string
	err       error
}

func (e *pathError) Error() string {
	s := e.err.Error() + ": " + e.path
	if e.why != "" {
		s += " " + e.why
	}
	return s
}
func (e *pathError) Unwrap() error { return e.err }

// A Store keeps one file per session in Dir. It is safe for concurrent use by any number of processes and goroutines.
type Store struct {
	// Dir is the folder. It and its parents are created on the first write.
	Dir string
	// Wait is how long a change waits for another process that holds the lock and changes nothing; 0: five seconds. It
	// waits for all processes that make changes one after the other.
	Wait time.Duration

	within string // the folder of another Store that contains it, which must be safe too; "": none
}

// Calls returns a Store for the memory of each single call of a session, by the name of the call: reading one reads no
// other. It is removed with the session, and its Sweep removes old calls.
func (s Store) Calls(session string) Store {
	return Store{Dir: s.files(session).calls, Wait: s.Wait, within: s.Dir}
}

// lock locks a session for a change.
func (s Store) lock(p files) (fileLock, error) {
	for before := changeOf(p.data); ; {
		l, err := lock(p.lock, cmp.Or(s.Wait, lockWait))
		if err != ErrLocked {
			return l, err
		}
		now := changeOf(p.data)
		if now == before {
			return l, err
		}
		before = now
	}
}

// changeOf returns a text that differs after each change of a file.
func changeOf(path string) string {
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	return info.ModTime().String() + " " + strconv.FormatInt(info.Size(), 10)
}

// Open makes sure that the folder exists and is safe. It creates the folder with mode 0700. A symbolic link, another
// user's folder, or one that is open to others is an error. On Windows profile folders are private, so it only has to
// be a folder. Update calls it.
func (s Store) Open() error { return s.ready(true) }

func (s Store) ready(create bool) error {
	if s.Dir == "" {
		return errors.New("state: no folder")
	}
	if s.within != "" {
		if err := checkDir(filepath.Clean(s.within), create); err != nil {
			return err
		}
	}
	return checkDir(filepath.Clean(s.Dir), create) // a trailing slash would follow a link
}

// files has the paths of one session. logs and calls are folders.
type files struct{ data, temp, lock, logs, calls string }

const (
	tempExt  = ".tmp"
	lockExt  = ".lock"
	callsExt = ".calls"
	nameLen  = 32 // hex digits of the hash
)

// files returns the paths of a session. They don't contain its id, which may be any text and may be confidential.
func (s Store) files(session string) files {
	h := fnv.New128a()
	_, _ = h.Write([]byte(session))
	return s.named(hex.EncodeToString(h.Sum(nil)))
}

func (s Store) named(name string) files {
	data := filepath.Join(s.Dir, name)
	return files{data, data + tempExt, data + lockExt, data + logExt, data + callsExt}
}

// View runs f on the session's memory at now. Changes that f makes aren't kept. An unknown session is empty, and costs
// one failed open.
func (s Store) View(session string, now time.Time, f func(*Tx)) error {
	if s.Dir == "" {
		return s.ready(false)
	}
	b, err := readFile(s.files(session).data)
	if err != nil {
		return err
	}
	if b != nil {
		if err := s.ready(false); err != nil {
			return err
		}
	}
	tx, err := load(b, now)
	if err != nil {
		return err
	}
	f(tx)
	return nil
}

// Update runs f on the session's memory at now, while no one else can change it, and keeps f's changes. If f returns an
// error, Update returns it and keeps nothing. If a process holds the lock for longer than Wait, it fails with
// ErrLocked. ErrFull, and any other failure to write, leaves the old content. A session without items is removed, with
// its logs; its calls stay.
func (s Store) Update(session string, now time.Time, f func(*Tx) error) error {
	if err := s.ready(true); err != nil {
		return err
	}

	p := s.files(session)
	l, err := s.lock(p)
	if err != nil {
		return err
	}

	held := true
	defer func() {
		if held {
			l.unlock()
		}
	}()
	b, err := readFile(p.data)
	if err != nil {
		return err
	}

	tx, err := load(b, now)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil || !tx.changed {
		return err
	}
	if len(tx.items) == 0 {
		held = false
		return forget(p, l)
	}
	if b, err = encode(tx.items, maxFile); err != nil {
		return err
	}
	return replaceFile(p.data, p.temp, b)
}

// Remove removes the session. An unknown session isn't an error.
func (s Store) Remove(session string) error {
	if err := s.ready(false); err != nil {
		if isMissing(err) {
			return nil
		}
		return err
	}
	p := s.files(session)
	l, err := s.lock(p)
	if err != nil {
		return err
	}
	return forgetAll(p, l)
}

// forgetAll is forget with the session's calls.
func forgetAll(p files, l fileLock) error { return cmp.Or(removeFolder(p.calls), forget(p, l)) }

// forget removes all files of a session with the lock l, and ends the lock.
func forget(p files, l fileLock) error {
	return cmp.Or(removeFile(p.data), removeFile(p.temp), removeFolder(p.logs), l.remove(p.lock))
}

// removeFolder removes a folder of files. If anything else is in it, the folder stays, and nothing is followed or
// entered.
func removeFolder(dir string) error {
	if err := checkDir(dir, false); err != nil {
		if isMissing(err) {
			return nil
		}
		return err
	}
	entries, err := os.ReadDir(dir) // one for each transcript or call of the session
	for _, e := range entries {
		err = cmp.Or(err, removeFile(filepath.Join(dir, e.Name())))
	}
	if err == nil {
		err = os.Remove(dir)
	}
	if isMissing(err) {
		return nil
	}
	return err
}

// load decodes a file; nil means that there is none. A damaged file counts as empty.
func load(b []byte, now time.Time) (*Tx, error) {
	tx := &Tx{now: now.UnixNano()}
	if b == nil {
		return tx, nil
	}
	items, err := decode(b, tx.now)
	switch {
	case err == ErrNewer:
		return nil, err
	case err != nil:
		tx.Corrupt = true
	default:
		tx.items = items
	}
	return tx, nil
}

// ReadOwn returns the content of the file at path, or nil if the file doesn't exist. It fails with ErrUnsafe unless the
// file is a regular one of this user that no other can write to, and path isn't a symbolic link. It fails with ErrFull
// if the file has more than 1 MiB.
func ReadOwn(path string) ([]byte, error) {
	if err := checkOwn(path); err != nil {
		if isMissing(err) {
			return nil, nil
		}
		return nil, err
	}
	b, err := readFile(path)
	if err == nil && len(b) > maxFile {
		err = &pathError{path, "is too large", ErrFull}
	}
	return b, err
}

// AppendOwn adds b to the end of the file at path, all of it or nothing, even if several do so at once. The file is
// created if there is none; it is made private to this user. Anything but a regular file of this user is ErrUnsafe and
// is neither followed nor waited for. A file that b would make larger than MaxLog is renamed to path.1, replacing an
// older one. The folder is created if there is none: a log in a new home must not fail unnoticed.
func AppendOwn(path string, b []byte) error {
	err := appendFile(path, b, MaxLog)
	if isMissing(err) && os.MkdirAll(filepath.Dir(path), 0o700) == nil {
		err = appendFile(path, b, MaxLog)
	}
	return err
}

// MaxLog is the size at which a run log is rotated.
const MaxLog = 64 << 20

// logExt ends the folder of a session's logs.
const logExt = ".log"

// Log returns the path of one of the session's logs: files that only grow, in a private folder, and that are removed
// with the session. name is a plain file name; for any other, ExtendLog rejects the path.
func (s Store) Log(session, name string) string {
	return filepath.Join(s.files(session).logs, name)
}

// ExtendLog extends a log of size bytes to size+len(b): it cuts off what an interrupted call left after size and
// appends b. A log shorter than size is ErrShort. Call it within Update of the same session, so that no one else
// writes, and remember the new size there.
func (s Store) ExtendLog(session, name string, size int64, b []byte) error {
	path := s.Log(session, name)
	if !isPlain(name) {
		return &pathError{path, "is not a plain name", ErrUnsafe}
	}
	if err := checkDir(filepath.Dir(path), true); err != nil {
		return err
	}
	f, has, err := openOwn(path)
	if err != nil {
		return err
	}
	switch {
	case has < size:
		err = &pathError{path, "", ErrShort}
	case has > size:
		err = f.Truncate(size)
	}
	if err == nil {
		_, err = f.WriteAt(b, size)
	}
	return cmp.Or(err, f.Close())
}

// isPlain reports whether name is a plain file name on every system.
func isPlain(name string) bool {
	return name != "" && name[0] != '.' && len(name) <= 200 && !strings.ContainsAny(name, "/\\:\x00")
}

// Due reports whether to Sweep now: the last time was an hour to maxAge ago. If it was longer ago, or in the future,
// the clock may have jumped, and recent sessions would look old. Due then only records the time, as it does if there
// was no sweep yet.
func (s Store) Due(now time.Time, maxAge time.Duration) bool {
	if s.ready(false) != nil {
		return false
	}
	mark := filepath.Join(s.Dir, "swept")
	info, err := os.Lstat(mark)
	switch {
	case err != nil:
		if f, err := os.OpenFile(mark, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			f.Close()
		}
	case !info.Mode().IsRegular():
		return false
	}
	passed := time.Hour
	if err == nil {
		passed = now.Sub(info.ModTime())
	}
	if 0 <= passed && passed < time.Hour {
		return false
	}
	_ = os.Chtimes(mark, now, now)
	return err == nil && time.Hour <= passed && passed <= maxAge
}

// Sweep removes the sessions last changed more than maxAge before now, and the leftovers of killed processes, and
// returns how many. It reads at most limit directory entries (a session has two) and skips sessions in use and files of
// other origin.
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
		for _, ext := range []string{tempExt, lockExt, logExt, callsExt} {
			name = strings.TrimSuffix(name, ext)
		}
		if !isName(name) {
			continue
		}
		p := s.named(name)
		if older(filepath.Join(s.Dir, entry), before) && !fresh(p, before) && s.sweepOne(p, before) {
			removed++
		}
	}
	return removed
}

// sweepOne removes a session if it isn't in use and is still old under the lock.
func (s Store) sweepOne(p files, before time.Time) bool {
	l, err := lock(p.lock, 0)
	if err != nil {
		return false
	}
	if fresh(p, before) {
		l.unlock()
		return false
	}
	return forgetAll(p, l) == nil
}

// fresh reports whether a session or one of its calls has changed since then.
func fresh(p files, then time.Time) bool {
	return slices.ContainsFunc([]string{p.data, p.calls}, func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil && !older(path, then)
	})
}

// Temp creates a file with a new name, for programs that take only a file name, and removes files that killed processes
// have left.
func (s Store) Temp() (*os.File, error) {
	if err := s.ready(true); err != nil {
		return nil, err
	}
	dir := filepath.Join(filepath.Clean(s.Dir), "temp")
	if err := checkDir(dir, true); err != nil {
		return nil, err
	}
	left, _ := os.ReadDir(dir)
	for _, e := range left {
		if path := filepath.Join(dir, e.Name()); older(path, time.Now().Add(-tempLife)) {
			os.Remove(path)
		}
	}
	return os.CreateTemp(dir, "hookbridge-")
}

// tempLife is longer than any hook that uses the file.
const tempLife = 24 * time.Hour

// older reports whether a file or folder was last changed before then.
func older(path string, then time.Time) bool {
	fi, err := os.Lstat(path)
	return err == nil && (fi.Mode().IsRegular() || fi.IsDir()) && fi.ModTime().Before(then)
}

// isName reports whether name is one of named's.
func isName(name string) bool {
	return len(name) == nameLen && strings.Trim(name, "0123456789abcdef") == ""
}
