package transcript

import (
	"bytes"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/schema"
)

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
