package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
)

func (b *bench) convert() error {
	for _, n := range []struct {
		hooks, rounds int
		kept          string
	}{{10, b.rounds, "10 ms"}, {10_000, max(5, b.rounds/6), "1 s"}} {
		file := filepath.Join(b.dir, fmt.Sprintf("settings-%d.json", n.hooks))
		if err := os.WriteFile(file, config(n.hooks, n.hooks/2), 0o600); err != nil {
			return err
		}
		all := []*contender{
			{name: "hookbridge version", argv: []string{b.bridge, "version"}},
			{name: fmt.Sprintf("convert, %d hooks", n.hooks), argv: []string{b.bridge, "convert", "--from", "claude",
				"--to", "cursor", file}, also: 3},
		}
		if err := race(n.rounds, all); err != nil {
			return err
		}
		table(all, "")
		b.promise(all[1].name, n.kept, "%.0f ms", ms(all[1].median()))
	}
	return nil
}

// translate compares what run does with a payload, from Cursor's words to
// Claude Code's, with encoding/json reading it into maps and writing it again.
func (b *bench) translate() error {
	from, _ := adapter.Find("cursor")
	to, _ := adapter.Find("claude")
	fmt.Printf("%-10s %14s %14s %9s\n", "payload", "bridge MB/s", "maps MB/s", "x maps")
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1 KB", 1 << 10}, {"100 KB", 100 << 10}, {"2 MiB", 2 << 20}} {
		src := payload(size.bytes)
		bridge, err := speed(src, func() error {
			c, ds := from.DecodeCall(src, nil)
			if c == nil {
				return fmt.Errorf("%v", ds)
			}
			to.AppendCall(make([]byte, 0, len(src)+512), c, to.Views(c)[0])
			return nil
		})
		if err != nil {
			return err
		}
		maps, err := speed(src, func() error {
			var m map[string]any
			if err := json.Unmarshal(src, &m); err != nil {
				return err
			}
			_, err := json.Marshal(m)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Printf("%-10s %14.0f %14.0f %9.1f\n", size.name, bridge, maps, bridge/maps)
	}

	return nil
}

// speed is how many MB of src a second do gets through: the best of ten
// stretches of 50 ms.
func speed(src []byte, do func() error) (best float64, err error) {
	for range 10 {
		n, start := 0, time.Now()
		for time.Since(start) < 50*time.Millisecond {
			if err := do(); err != nil {
				return 0, err
			}
			n++
		}
		best = max(best, float64(n*len(src))/1e6/time.Since(start).Seconds())
	}
	return best, nil
}
