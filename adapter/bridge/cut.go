package bridge

import "unicode/utf16"

func utf16Len(s string) (n int) {
	for _, c := range s {
		n += utf16.RuneLen(c)
	}
	return n
}

const cutMark = "\n[cut]"

// cut shortens s to limit UTF-16 units, with a mark at the end where it fits.
func cut(s string, limit int) string {
	if utf16Len(s) <= limit {
		return s
	}
	mark := cutMark
	if limit < 4*len(mark) {
		mark = ""
	}
	room := limit - len(mark)
	for i, c := range s {
		if room -= utf16.RuneLen(c); room < 0 {
			return s[:i] + mark
		}
	}
	return s
}
