package state

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Seen describes the calls of one entry. The zero Seen is that of an entry that was never called.
type Seen struct {
	Last     time.Time
	Answer   string // the last one: "deny"
	Calls    int    // at least: simultaneous calls may be counted once
	Sessions int    // how many called the entry; sessions that alternate count again
}

// seenFolder has a file for each entry in a Store's Dir.
const seenFolder = "seen"

// maxSeen is how many entries are remembered.
const maxSeen = 4096

// seenForm is the one line of an entry's file. Its length is fixed, so that a call overwrites it in place with one
// write: it locks, renames and enlarges nothing, and works on a full disk.
const seenForm = "1 %20d %-8.8s %10d %10d %-16.16s\n"

// Saw counts one call of an entry in a session. It reads and writes some 70 bytes. Its error is for tests: a failure to
// count a call doesn't matter to the host.
func (s Store) Saw(entry, session string, now time.Time, answer string) error {
	one := Store{Dir: filepath.Join(s.Dir, seenFolder)}
	if err := one.ready(true); err != nil {
		return err
	}
	path := one.files(entry).data
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		if list, _ := os.ReadDir(one.Dir); len(list) >= maxSeen {
			return ErrFull
		}
		file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err != nil {
		return err
	}
	defer file.Close()

	was, in := readSeen(file)
	h := fnv.New64a()
	_, _ = h.Write([]byte(session))
	id := hex.EncodeToString(h.Sum(nil))
	if id != in {
		was.Sessions++
	}
	_, err = file.WriteAt(fmt.Appendf(nil, seenForm, now.UnixNano(), answer, was.Calls+1, was.Sessions, id), 0)
	return err
}

// readSeen reads an entry's file; an incomplete one counts as empty.
func readSeen(file *os.File) (v Seen, session string) {
	b := make([]byte, 128)
	n, _ := file.ReadAt(b, 0)
	var nano int64
	var answer string
	if _, err := fmt.Sscanf(string(b[:n]), "1 %d %s %d %d %s\n", &nano, &answer, &v.Calls, &v.Sessions,
		&session); err != nil {
		return Seen{}, ""
	}
	v.Last, v.Answer = time.Unix(0, nano), strings.TrimSpace(answer)
	return v, session
}

// Seen returns the counts of an entry.
func (s Store) Seen(entry string) (Seen, error) {
	file, err := os.Open(Store{Dir: filepath.Join(s.Dir, seenFolder)}.files(entry).data)
	if errors.Is(err, fs.ErrNotExist) {
		return Seen{}, nil
	}
	if err != nil {
		return Seen{}, err
	}
	defer file.Close()
	v, _ := readSeen(file)
	return v, nil
}

// Forget removes the counts of an entry.
func (s Store) Forget(entry string) error {
	err := os.Remove(Store{Dir: filepath.Join(s.Dir, seenFolder)}.files(entry).data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
