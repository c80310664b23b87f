// Mutants changes the program at random places, one at a time, and counts the changes that no test notices:
//
//	go run ./scripts/mutants            # 20 mutants; the seed is printed
//	go run ./scripts/mutants -n 200 -seed 7 -package adapter/bridge
//	go run ./scripts/mutants -n 200 -again FILE # only the survivors of the run whose output FILE has
//
// A mutant is killed by the short tests of its own package, or by the vectors of the conformance suite. Nothing in the
// tree changes: -overlay gives the compiler copies of the files. They contain all changes at once, each active only if
// the environment has its number, so one build serves them all. They also mark the changes that a test reaches, so that
// only tests run that can notice a change. Two tests of packages are in adapter (laws).
//
// Changes that tests need not notice are left out: how much memory is reserved (make, Grow), and texts for people.
// Those are the arguments of an error, and a parameter, variable or field called msg, message, Message or Fix.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// sampled are the packages with decisions.
var sampled = []string{"adapter/bridge", "adapter/plan", "adapter/install", "adapter/simulate", "dialect/family",
	"internal/matcher"}

func main() {
	n := flag.Int("n", 20, "how many mutants are tried")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "draws the same mutants again")
	only := flag.String("package", strings.Join(sampled, ","), "packages to change, separated by commas")
	least := flag.Int("least", 50, "fail if fewer are killed, in percent")
	workers := flag.Int("j", 2, "how many are tried at once")
	again := flag.String("again", "", "try only the survivors of the run whose output is in this file")
	flag.Parse()

	fmt.Printf("seed %d\n", *seed)
	if err := run(*n, *workers, *least, *seed, *again, strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(n, workers, least int, seed uint64, again string, packages []string) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	b, err := read(root, dir, packages)
	if err != nil {
		return err
	}
	tested := append(slices.Clone(packages), suite)
	if !slices.Contains(packages, lawful) {
		tested = append(tested, lawful)
	}
	if err := b.compile(tested); err != nil {
		return err
	}
	all, err := b.checks(tested, workers)
	if err != nil {
		return err
	}

	drawn := slices.Clone(b.mutants)
	if again != "" {
		report, err := os.ReadFile(again)
		if err != nil {
			return err
		}
		drawn = slices.DeleteFunc(drawn, func(m mutant) bool {
			return !strings.Contains(string(report), "SURVIVED "+m.String()+"\n") &&
				!strings.Contains(string(report), "SURVIVED "+m.String()+"  [")
		})
	}
	rnd := rand.New(rand.NewPCG(seed, 0))
	rnd.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	drawn = drawn[:min(n, len(drawn))]
	killed := b.try(drawn, all, workers)
	fmt.Printf("%d mutants of %d, %d killed, %d survived\n", len(drawn), len(b.mutants), killed, len(drawn)-killed)
	if killed*100 < least*len(drawn) {
		return fmt.Errorf("fewer than %d %% are killed", least)
	}
	return nil
}

// try tries mutants, prints the results, and counts those that are noticed.
func (b *build) try(drawn []mutant, all []check, workers int) (killed int) {
	var mu sync.Mutex
	each(len(drawn), workers, func(i int) {
		m := &drawn[i]
		by, reached := b.tried(m, all)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case by != "":
			killed++
			fmt.Printf("killed   %s  [%s]\n", m, by)
		case reached:
			fmt.Printf("SURVIVED %s\n", m)
		default:
			fmt.Printf("SURVIVED %s  [no test reaches it]\n", m)
		}
	})
	return killed
}
