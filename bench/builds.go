package main

import (
	"fmt"
	"strings"
	"time"
)

// builds races this build of hookbridge against others, each on the same work, and prints how much longer or shorter
// the others take.
func (b *bench) builds() {
	if len(b.others) == 0 {
		fmt.Println("(left out: -build NAME=FILE names another build)")
		return
	}

	fmt.Printf("%-36s %-20s %9s %9s %8s %9s\n", "", "build", "median ms", "min ms", "x this", "peak MiB")
	for _, work := range []struct {
		name    string
		call    *contender
		payload int
		rounds  int
	}{
		{"run -c, 1 KB", b.single(), 1 << 10, b.rounds},
		{"1 of 10 hooks, 1 KB", b.discovered(10, 1), 1 << 10, b.rounds},
		{"100 of 100 hooks, 1 KB", b.discovered(100, 100), 1 << 10, b.rounds / 3},
		{"run -c, 2 MiB", b.single(), 2 << 20, b.rounds / 2},
	} {
		stdin := payload(work.payload)
		all := []*contender{{name: "this", argv: work.call.argv, stdin: stdin}}
		for _, o := range b.others {
			name, file, _ := strings.Cut(o, "=")
			all = append(all, &contender{name: name, argv: append([]string{file}, work.call.argv[1:]...), stdin: stdin})
		}
		race(max(5, work.rounds), all)
		var this time.Duration
		for i, c := range all {
			title, m := "", c.median()
			if i == 0 {
				title, this = work.name, m
			}
			fmt.Printf("%-36s %-20s %9.2f %9.2f %8.3f %9.1f\n", title, c.name, ms(m), ms(c.times[0]), ratio(m, this),
				float64(c.peak)/1024)
		}
	}
}
