package transcript

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
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
	wait   bool   // the source is being written: the mark stays as it is
}

const (
	flushAt = 1 << 20
	maxSums = 4096 // messages of a source that are known one by one
)

func (r *reader) run() error {
	r.Thread.Lines = r.mark.lines
	if err := r.extend(); err != nil { // also cuts what an interrupted call left
		if !errors.Is(err, state.ErrShort) {
			return err
		}
		r.mark, r.Thread.Lines = mark{name: r.mark.name}, 0
	}
	if err := r.seek(); err != nil || r.wait {
		return err
	}
	if r.size-r.mark.offset > r.Limits.Work {
		r.mark.offset, r.mark.discard, r.result.Cut = r.size-r.Limits.Work, true, true
	}
	if err := r.lines(r.mark.offset, r.translate); err != nil {
		return err
	}
	if r.err != nil {
		return r.err
	}
	return r.extend()
}

// seek finds where to go on. A source may have been written anew, as Cursor does
// at the end of a turn, with other marks between the messages, or with other
// messages after the user went back to an earlier one. It may also be half written
// just now: then there is nothing to add.
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

// seekLast goes on behind the last line that equals the last known message, or
// with everything if there is none.
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

// lines calls f for every line of the source from an offset on, without its end.
// Of one that is too long f gets nil. The last line counts if it is whole, which
// JSON tells: the host may be writing it just now.
func (r *reader) lines(from int64, f func(line []byte, end int64, whole bool)) error {
	left := max(0, r.size-from)
	src := bufio.NewReaderSize(io.NewSectionReader(r.src, from, left), int(min(chunk, left)))
	line, long := []byte{}, false
	for at := from; ; {
		part, err := src.ReadSlice('\n')
		at += int64(len(part))
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
	case line == nil: // too long: nothing of it is wanted
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
	messages = slices.DeleteFunc(messages, func(m schema.Message) bool { return len(m.Blocks) == 0 }) // they only date the file
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

// hear notes what the model said last: a line may hold only the end of what is
// awaited.
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

// Messages calls f for every message of a transcript, in its order. whole is false
// where only the end was read, because the file is longer than work bytes, or where
// lines could not be read. A message and its values are valid during the call only.
func Messages(path string, from dialect.Transcriber, work int64, f func(*schema.Message)) (whole bool, err error) {
	src, size, err := openSource(path)
	if err != nil {
		return false, err
	}
	defer src.Close()
	c := Copy{From: from, Limits: Limits{Work: work}.orDefault()}
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
	return whole, err
}
