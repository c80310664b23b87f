package transcript

import (
	"encoding/binary"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
)

// A mark is how far a copy has come.
type mark struct {
	name    string // of the copy's file
	offset  int64  // where in the source to go on
	size    int64  // of the copy
	lines   int    // in the copy
	tail    place  // of the last line before offset
	message place  // of the last line that gave messages
	discard bool   // offset is inside a line that is not wanted
	last    uint32 // sum of the awaited text or of the model's, if that came last; else 0
	sums    sums   // of the lines that gave messages
}

// sumOf is the sum of a text without the blanks around it, never 0.
func sumOf(text string) uint32 { return checksum([]byte(strings.TrimSpace(text))) | 1 }

func checksum(b []byte) uint32 {
	h := fnv.New32a()
	h.Write(b)
	return h.Sum32()
}

// sums are kept apart from the rest of a mark, as bytes.
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

// A place is a line of the source, recognized by its bytes.
type place struct {
	end int64 // behind its last byte
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

// readMark reads what String wrote; ok is false for anything else, so that a copy
// is made anew.
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

// stands reports whether the line is where it was. No line at all always is.
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
