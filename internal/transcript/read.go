package transcript

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// A reader makes one step of a copy.
type reader struct {
	*Copy
	src    *os.File
	size   int64 // of the source
	mark   mark
	result Result
	out    []byte // not yet written
	err    error  // of writing it
	wait   bool   // the source is being written: the mark doesn't change
}

const (
	flushAt = 1 << 20
	maxSums = 4096 // messages of a source that are remembered individually
)

func (r *reader) run() error {
	r.Thread.Lines = r.mark.lines
	if err := r.extend(); err != nil { // also removes the rest of an interrupted call
		if !errors.Is(err, state.ErrShort) {
			return err
		}
		r.mark, r.Thread.Lines = mark{name: r.mark.name}, 0
	}
	switch err := r.seek(); {
	case err == errEnough:
		r.wait, r.result.Behind = true, true
		return nil
	case err != nil || r.wait:
		return err
	}
	if r.size-r.mark.offset > r.Limits.Work {
		r.mark.offset, r.mark.discard, r.result.Cut = r.size-r.Limits.Work, true, true
	}
	err := r.lines(r.mark.offset, r.translate)
	if r.result.Behind = err == errEnough; r.result.Behind {
		err = nil
	}
	if err = cmp.Or(err, r.err); err != nil {
		return err
	}
	return r.extend()
}

// errEnough ends the reading of lines once a call has done enough.
var errEnough = errors.New("enough for one call")

// enoughEvery is how many bytes, or short lines, are read between two checks whether it is enough.
const enoughEvery = 64 << 10

// seek finds where to continue. A source may have been rewritten, as Cursor does at the end of a turn, with other marks
// between the messages, or with other messages after the user went back to an earlier one. It may also be half written
// at the moment: then there is nothing to add.
func (r *reader) seek() error {
	m := &r.mark
	switch {
	case m.offset <= r.size && m.tail.stands(r.src):
		return nil
	case m.message.end <= r.size && m.message.stands(r.src):
		m.offset, m.discard = m.message.end, false
		return nil
	case r.size > r.Limits.Work:
		return r.seekLast(r.size - r.Limits.Work)
	}

	known, at, differs := 0, int64(0), false
	err := r.lines(0, func(line []byte, end int64, whole bool) {
		switch {
		case differs:
		case known < len(m.sums) && placeOf(line, end).sum == m.sums[known]:
			known, at = known+1, end
		case whole:
			messages, _ := r.From.DecodeMessage(bytes.TrimSpace(line))
			differs = len(messages) > 0
		}
	})
	switch {
	case err != nil:
		return err
	case !differs && known < len(m.sums):
		m.offset = r.size
		r.wait = true
		return nil
	case known == 0 && len(m.sums) > 0:
		return r.seekLast(0)
	}
	m.offset, m.discard, m.sums = at, false, m.sums[:known]
	return nil
}

// seekLast continues after the last line that equals the last known message, or from the beginning if there is none.
func (r *reader) seekLast(from int64) error {
	at := int64(0)
	err := r.lines(from, func(line []byte, end int64, _ bool) {
		if len(line) > 0 && r.mark.message.is(line) {
			at = end
		}
	})
	if r.mark.offset, r.mark.discard = at, false; at == 0 {
		r.mark.sums = nil
	}
	return err
}

// lines calls f for every line of the source from an offset on, without its end. For a line that is too long f gets
// nil. The last line counts if it is complete JSON: the host may be writing it at the moment.
func (r *reader) lines(from int64, f func(line []byte, end int64, whole bool)) error {
	left := max(0, r.size-from)
	src := bufio.NewReaderSize(io.NewSectionReader(r.src, from, left), int(min(chunk, left)))
	line, long, done := []byte{}, false, 0

	for at := from; ; {
		if done > enoughEvery && r.Limits.Enough != nil {
			if done = 0; r.Limits.Enough() {
				return errEnough
			}
		}

		part, err := src.ReadSlice('\n')
		at += int64(len(part))
		done += max(len(part), enoughEvery>>10)
		text := bytes.TrimSuffix(part, []byte("\n"))
		if long = long || len(line)+len(text) > r.Limits.Line; !long {
			line = append(line, text...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || at < r.size): // it got shorter
			return err
		case long:
			f(nil, at-int64(len(part)-len(text)), err == nil)
		case err == nil || len(line) > 0:
			f(line, at-int64(len(part)-len(text)), err == nil)
		}
		if err != nil {
			return nil
		}
		line, long = line[:0], false
	}
}

// translate adds one line of the source to the copy.
func (r *reader) translate(line []byte, end int64, whole bool) {
	m := &r.mark
	next := end
	if whole {
		next++
	}
	text := bytes.TrimSpace(line)
	switch {
	case r.err != nil:
	case m.discard: // the rest of a line whose beginning was left out
		m.offset, m.discard, m.tail = next, !whole, place{}
	case line == nil: // too long: nothing of it is used
		m.offset, m.discard, m.tail = next, !whole, place{}
		r.result.Skipped++
	case len(text) == 0:
		m.offset = next
	case !whole && (text[0] != '{' || ordjson.Check(text) != nil): // the host is writing it
	default:
		m.offset, m.tail = next, placeOf(line, end)
		r.add(text)
	}
}

func (r *reader) add(line []byte) {
	messages, err := r.From.DecodeMessage(line)
	if err != nil {
		r.result.Skipped++
		return
	}
	// they only date the file
	messages = slices.DeleteFunc(messages, func(m schema.Message) bool { return len(m.Blocks) == 0 })
	for i := range messages {
		r.out = r.To.AppendMessage(r.out, &messages[i], &r.Thread)
		r.hear(&messages[i])
	}
	if len(messages) > 0 {
		r.mark.message = r.mark.tail
		r.mark.sums = append(r.mark.sums, r.mark.tail.sum)
	}
	if len(r.mark.sums) > maxSums {
		r.mark.sums = slices.Delete(r.mark.sums, 0, maxSums/2)
	}
	if len(r.out) > flushAt {
		r.err = r.extend()
	}
}

// hear notes the model's last text: a line may have only the end of the awaited text.
func (r *reader) hear(m *schema.Message) {
	r.mark.last = 0
	for i := range m.Blocks {
		s, _ := ordjson.String(m.Blocks[i].Text)
		switch s = strings.TrimSpace(s); {
		case m.From != schema.Assistant || m.Blocks[i].Kind != schema.BlockText || s == "":
		case strings.HasSuffix(strings.TrimSpace(r.Awaits), s):
			r.mark.last = sumOf(r.Awaits)
		default:
			r.mark.last = sumOf(s)
		}
	}
}

func (r *reader) extend() error {
	if r.mark.size+int64(len(r.out)) > r.Limits.Copy {
		r.out, r.result.Full = nil, true
		r.Thread.Lines = r.mark.lines
	}
	if err := r.Store.ExtendLog(r.Session, r.mark.name, r.mark.size, r.out); err != nil {
		return err
	}
	r.mark.size += int64(len(r.out))
	r.mark.lines = r.Thread.Lines
	r.out = r.out[:0]
	return nil
}

// Messages calls f for every message of a transcript, in order. whole is false if only a part was read, because the
// file is larger than the limits allow, or if lines could not be read. A message and its values are valid only during
// the call.
func Messages(path string, from dialect.Transcriber, limits Limits, f func(*schema.Message)) (whole bool, err error) {
	src, size, err := openSource(path)
	if err != nil {
		return false, err
	}
	defer src.Close()
	c := Copy{From: from, Limits: limits.orDefault()}
	r := reader{Copy: &c, src: src, size: size}

	at := max(0, size-c.Limits.Work)
	whole, part := at == 0, at > 0 // the first line may be the rest of one
	err = r.lines(at, func(line []byte, _ int64, _ bool) {
		if part {
			part = false
			return
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			return
		}
		messages, err := from.DecodeMessage(line)
		whole = whole && err == nil
		for i := range messages {
			f(&messages[i])
		}
	})

	if err == errEnough {
		return false, nil
	}
	return whole, err
}

// A mark is how far a copy has come.
type mark struct {
	name    string // of the copy's file
	offset  int64  // where to continue in the source
	size    int64  // of the copy
	lines   int    // in the copy
	tail    place  // of the last line before offset
	message place  // of the last line that gave messages
	discard bool   // offset is inside a line that isn't used
	last    uint32 // sum of the awaited text or of the model's, if that came last; else 0
	sums    sums   // of the lines that gave messages
}

// sumOf returns the sum of a text without the blanks around it, never 0.
func sumOf(text string) uint32 { return checksum([]byte(strings.TrimSpace(text))) | 1 }

func checksum(b []byte) uint32 {
	h := fnv.New32a()
	h.Write(b)
	return h.Sum32()
}

// sums are stored separately from the rest of a mark, as bytes.
type sums []uint32

func (s sums) String() string {
	b := make([]byte, 0, 4*len(s))
	for _, sum := range s {
		b = binary.LittleEndian.AppendUint32(b, sum)
	}
	return string(b)
}

func readSums(text string) sums {
	b := []byte(text)
	s := make(sums, 0, len(b)/4)
	for ; len(b) >= 4; b = b[4:] {
		s = append(s, binary.LittleEndian.Uint32(b))
	}
	return s
}

// A place is a line of the source, identified by its bytes.
type place struct {
	end int64 // after its last byte
	len int
	sum uint32
}

const markFields = 13

// String writes the mark, the name last. readMark reads it.
func (m mark) String() string {
	n := func(v int64) string { return strconv.FormatInt(v, 10) }
	discard := "0"
	if m.discard {
		discard = "1"
	}
	return strings.Join([]string{"1", n(m.offset), n(m.size), n(int64(m.lines)), discard,
		n(m.tail.end), n(int64(m.tail.len)), n(int64(m.tail.sum)),
		n(m.message.end), n(int64(m.message.len)), n(int64(m.message.sum)), n(int64(m.last)), m.name}, " ")
}

// readMark reads what String wrote; ok is false for anything else, so that the copy is made again.
func readMark(s string) (m mark, ok bool) {
	f := strings.Split(s, " ")
	if len(f) != markFields || f[0] != "1" {
		return m, false
	}
	var n [markFields]int64
	for i := 1; i < markFields-1; i++ {
		v, err := strconv.ParseInt(f[i], 10, 64)
		if err != nil || v < 0 {
			return m, false
		}
		n[i] = v
	}
	return mark{name: f[markFields-1], offset: n[1], size: n[2], lines: int(n[3]), discard: n[4] == 1,
		tail: place{n[5], int(n[6]), uint32(n[7])}, message: place{n[8], int(n[9]), uint32(n[10])},
		last: uint32(n[11])}, true
}

func placeOf(line []byte, end int64) place { return place{end, len(line), checksum(line)} }

// stands reports whether the line is where it was. This is always true for no line.
func (p place) stands(src io.ReaderAt) bool {
	if p.len == 0 {
		return true
	}
	if p.len > defaultLine || p.end < int64(p.len) {
		return false
	}
	b := make([]byte, p.len)
	if _, err := src.ReadAt(b, p.end-int64(p.len)); err != nil && err != io.EOF {
		return false
	}
	return p.is(b)
}

func (p place) is(line []byte) bool { return len(line) == p.len && checksum(line) == p.sum }
