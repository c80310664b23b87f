package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
)

func (b *bench) convert() {
	for _, n := range []struct {
		hooks, rounds int
		kept          string
	}{{10, b.rounds, "10 ms"}, {10_000, max(5, b.rounds/6), "1 s"}} {
		file := filepath.Join(b.dir, fmt.Sprintf("settings-%d.json", n.hooks))
		must(os.WriteFile(file, config(n.hooks, n.hooks/2), 0o600))
		all := []*contender{
			{name: "hookbridge version", argv: []string{b.bridge, "version"}},
			{name: fmt.Sprintf("convert, %d hooks", n.hooks), argv: []string{b.bridge, "convert", "--from", "claude",
				"--to", "cursor", file}, also: 3},
		}
		race(n.rounds, all)
		table(all, "")
		b.promise(all[1].name, n.kept, "%.0f ms", ms(all[1].median()))
	}
}

// translate compares run's translation of a payload from Cursor to Claude Code with encoding/json reading the payload
// into maps and writing it again.
func (b *bench) translate() {
	from, _ := adapter.Find("cursor")
	to, _ := adapter.Find("claude")
	fmt.Printf("%-10s %14s %14s %9s\n", "payload", "bridge MB/s", "maps MB/s", "x maps")
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1 KB", 1 << 10}, {"100 KB", 100 << 10}, {"2 MiB", 2 << 20}} {
		src := payload(size.bytes)
		bridge := speed(src, func() {
			c, ds := from.DecodeCall(src, nil)
			if c == nil {
				must(fmt.Errorf("%v", ds))
			}
			to.AppendCall(make([]byte, 0, len(src)+512), c, to.Views(c)[0])
		})
		maps := speed(src, func() {
			var m map[string]any
			must(json.Unmarshal(src, &m))
			_, err := json.Marshal(m)
			must(err)
		})
		fmt.Printf("%-10s %14.0f %14.0f %9.1f\n", size.name, bridge, maps, bridge/maps)
	}
}

// speed returns the MB of src per second that do processes: the best of ten periods of 50 ms.
func speed(src []byte, do func()) (best float64) {
	for range 10 {
		n, start := 0, time.Now()
		for time.Since(start) < 50*time.Millisecond {
			do()
			n++
		}
		best = max(best, float64(n*len(src))/1e6/time.Since(start).Seconds())
	}
	return best
}
