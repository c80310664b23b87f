package shell

import (
	"runtime"
	"testing"
)

// TestGrowth counts the bytes and the pieces of memory that reading takes. From a line of n bytes to one of 4 n they
// grow eight times at most, where quadratic work grows sixteen times.
func TestGrowth(t *testing.T) {
	readers := map[string]func(string){
		"Runs":        func(line string) { Deletions("rm a;" + line) },
		"Environment": func(line string) { Environment(line, func(string) string { return "" }) },
	}
	const n = 4000
	for name, read := range readers {
		for _, piece := range hostile {
			small, large := enclosed(piece, n), enclosed(piece, 4*n)
			for i := range small {
				bytes, pieces := spent(read, small[i])
				bytes4, pieces4 := spent(read, large[i])
				if bytes4 > 8*max(bytes, 100*n) || pieces4 > 8*max(pieces, 100) {
					t.Errorf("%s of %.20q…: %d bytes in %d pieces, and %d in %d for four times as much", name, small[i],
						bytes, pieces, bytes4, pieces4)
				}
			}
		}
	}
}

func spent(read func(string), line string) (bytes, pieces uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read(line)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}
