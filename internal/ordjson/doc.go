// Package ordjson reads JSON objects one level at a time and keeps what it
// does not understand: the order of the members, the text of the numbers, the
// members nobody asked for. It writes JSON by appending to a byte slice.
//
// Reading is a scan, not a build. [Parse] checks a whole document once and
// returns the members of its outermost object; [Members] and [Elements] open
// one nested value when somebody wants it, and everything else stays the bytes
// it was. Values are slices of the text that was passed in: they are good for
// as long as that text is not changed.
//
// The reader is stricter than encoding/json in two ways. A name that occurs
// twice in one object is refused, because which of two hook lists counts must
// not depend on who reads the file. More than [MaxDepth] open brackets are
// refused, so no input can exhaust the stack. In everything else, invalid
// UTF-8 in strings included, it accepts what encoding/json accepts.
//
// It links no JSON library: a process that sees a single payload never earns
// the start-up of one back. Its tests hold it against two.
package ordjson
