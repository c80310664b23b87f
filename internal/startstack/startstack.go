// Package startstack makes room on the main goroutine's stack for a whole run, once and before anything is on it.
//
// Each time the stack grows, all frames are moved, with tables that are spread over the whole program: every frame
// costs some page faults. A package that imports nothing is initialized before nearly all others.
package startstack

var _ = grow(0)

// grow needs a stack of the size of its frame; it writes nothing unless at is positive.
//
//go:noinline
func grow(at int) byte {
	if at <= 0 {
		return 0
	}
	var room [48 << 10]byte
	room[at%len(room)] = 1
	return room[len(room)/2]
}
