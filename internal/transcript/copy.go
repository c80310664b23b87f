// Package transcript keeps copies of session transcripts in the format of another agent. A copy follows its source:
// each call translates and adds only what is new in the source. Written bytes never change, so that a hook may remember
// how far it has read.
package transcript

import (
	"cmp"
	"encoding/hex"
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// Limits limit what one call does and keeps. They are fields so that tests need no large files; zero values mean the
// defaults.
type Limits struct {
	Work int64 // bytes of the source that one call translates; of more, the last
	Line int   // bytes of a line; longer ones are skipped
	Copy int64 // bytes of a copy
	// Enough, if not nil, reports that a call has done enough; the rest is for the next one.
	Enough func() bool
}

const (
	defaultWork = 32 << 20
	defaultLine = 8 << 20
	defaultCopy = 256 << 20
	chunk       = 256 << 10
)

func (l Limits) orDefault() Limits {
	return Limits{cmp.Or(l.Work, defaultWork), cmp.Or(l.Line, defaultLine), cmp.Or(l.Copy, defaultCopy), l.Enough}
}

// A Copy describes a copy: its source and its target.
type Copy struct {
	Store   state.Store
	Session string // name of the copies' own session in Store
	Source  string // path of the host's transcript
	Name    string // file name for the copy, changed if it is taken or invalid
	From    dialect.Transcriber
	To      dialect.Transcriber
	Thread  schema.Thread // without Lines
	Limits  Limits
	Awaits  string // the model's known last text; "": nothing is awaited
}

// A Result is the result of a refresh.
type Result struct {
	Path    string // of the copy; if there is no source yet, of the future copy
	Missing bool   // there is no source
	Skipped int    // lines of this call that are too long or not messages of the format
	Cut     bool   // older lines were left out, as there were too many at once
	Full    bool   // the copy has reached its limit and does not grow any more
	Behind  bool   // later lines are left to the next call
	Arrived bool   // the copy ends with the awaited text
}

// ErrUnsafe is returned for a source that isn't a regular file: it is not read.
var ErrUnsafe = errors.New("not a regular file")

const keyCopy, keySums = "copy|", "sums|"

// Refresh brings the copy up to date.
func (c Copy) Refresh() (Result, error) {
	c.Limits = c.Limits.orDefault()
	src, size, err := openSource(c.Source)
	if errors.Is(err, fs.ErrNotExist) {
		return Result{Path: c.Store.Log(c.Session, c.plainName()), Missing: true, Arrived: true}, nil
	}
	if err != nil {
		return Result{}, err
	}
	defer src.Close()
	if res, ok := c.unchanged(src, size); ok {
		return res, nil
	}

	var res Result
	err = c.Store.Update(c.Session, c.Thread.Now, func(t *state.Tx) error {
		key := c.key()
		text, _ := t.Get(key)
		m, known := readMark(text)
		if !known {
			m = mark{name: c.freeName(t)}
		}
		text, _ = t.Get(keySums + key)
		m.sums = readSums(text)
		r := reader{Copy: &c, src: src, size: size, mark: m}
		if err := r.run(); err != nil {
			return err
		}

		res = r.result
		res.Path, res.Arrived = c.Store.Log(c.Session, r.mark.name), c.arrived(&r.mark)
		if !r.wait {
			t.Put(key, r.mark.String(), 0)
			t.Put(keySums+key, r.mark.sums.String(), 0)
		}
		return nil
	})

	return res, err
}

// unchanged returns the result without a lock if the source has nothing new.
func (c *Copy) unchanged(src *os.File, size int64) (res Result, ok bool) {
	err := c.Store.View(c.Session, c.Thread.Now, func(t *state.Tx) {
		text, _ := t.Get(c.key())
		m, known := readMark(text)
		if !known || m.offset != size || !m.tail.stands(src) {
			return
		}
		res.Path, res.Arrived = c.Store.Log(c.Session, m.name), c.arrived(&m)
		fi, err := os.Lstat(res.Path)
		ok = err == nil && fi.Mode().IsRegular() && fi.Size() == m.size
	})
	return res, ok && err == nil
}

// Users counts the calls that are using the session's copies at its end. The last one, which adds -1 and finds no
// others, removes the copies.
func Users(s state.Store, session string, now time.Time, add int) error {
	const key = "users"
	return s.Update(session, now, func(t *state.Tx) error {
		n := add
		if text, ok := t.Get(key); ok {
			n += len(text)
		}
		if n <= 0 {
			t.Clear()
			return nil
		}
		t.Put(key, strings.Repeat("*", n), 0)
		return nil
	})
}

func (c *Copy) arrived(m *mark) bool { return c.Awaits == "" || m.last == sumOf(c.Awaits) }

func (c *Copy) key() string { return keyCopy + c.sourceID() }

// sourceID returns a short name for the source's path.
func (c *Copy) sourceID() string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(c.Source))
	return hex.EncodeToString(h.Sum(nil))
}

// plainName returns Name if that is a valid file name, else one made from the path.
func (c *Copy) plainName() string {
	base, named := strings.CutSuffix(c.Name, fileExt)
	short := base != "" && len(base) <= 128
	if named && short && base[0] != '.' && base == clean(base) {
		return c.Name
	}
	return c.sourceID() + fileExt
}

const fileExt = ".jsonl"

// freeName returns the name of a new copy: another transcript of the session may have the wanted one.
func (c *Copy) freeName(t *state.Tx) string {
	name := c.plainName()
	for _, it := range t.All(keyCopy) {
		if m, ok := readMark(it.Value); ok && strings.EqualFold(m.name, name) {
			return c.sourceID() + fileExt
		}
	}
	return name
}

// clean returns s without characters that are special in a file name; "" for an empty one.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if ascii.Word(r) || r == '-' || r == '.' {
			return r
		}
		return -1
	}, s)
}

// Name returns a file name for the copy of the thread: the session's id, with which hooks find the session, or for a
// subagent the name of its own file.
func Name(t *schema.Thread, source string) string {
	if t.Agent != "" {
		return filepath.Base(source)
	}
	return t.Session + fileExt
}

func regular(f *os.File) (*os.File, int64, error) {
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = ErrUnsafe
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, fi.Size(), nil
}
