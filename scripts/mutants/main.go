// Mutants changes the program at places drawn at random, one at a time, and counts the changes that no test notices:
//
//	go run ./scripts/mutants            # 20 mutants; the seed is printed
//	go run ./scripts/mutants -n 200 -seed 7 -package adapter/bridge
//
// A mutant is killed by the short tests of its own package, or by the vectors of the conformance suite. Nothing in the
// tree is changed: the compiler is given the mutated file by -overlay.
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

// sampled are the packages that decide.
var sampled = []string{"adapter/bridge", "adapter/plan", "adapter/install", "adapter/simulate", "dialect/family",
	"internal/matcher"}

func main() {
	n := flag.Int("n", 20, "how many mutants are tried")
	seed := flag.Uint64("seed", uint64(time.Now().UnixNano()), "draws the same mutants again")
	only := flag.String("package", strings.Join(sampled, ","), "packages to change, separated by commas")
	least := flag.Int("least", 50, "fail if fewer are killed, in percent")
	workers := flag.Int("j", 2, "how many are tried at once")
	flag.Parse()

	fmt.Printf("seed %d\n", *seed)
	if err := run(*n, *workers, *least, *seed, strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(n, workers, least int, seed uint64, packages []string) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	var all []mutant
	for _, p := range packages {
		found, err := mutantsOf(root, p)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	rnd := rand.New(rand.NewPCG(seed, 0))
	rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })

	base, err := measure(root, append(slices.Clone(packages), suite))
	if err != nil {
		return err
	}

	done := try(root, all, n, workers, base)
	killed := 0
	for _, r := range done {
		if r.by != "" {
			killed++
		}
	}
	fmt.Printf("%d mutants of %d, %d killed, %d survived\n", len(done), len(all), killed, len(done)-killed)
	if len(done) == 0 || killed*100 < least*len(done) {
		return fmt.Errorf("fewer than %d %% are killed", least)
	}
	return nil
}

// A result is what became of a mutant; by is what noticed it, "" for nothing.
type result struct {
	mutant
	by string
}

// try tries mutants in their order until n of them compile.
func try(root string, all []mutant, n, workers int, base map[string]time.Duration) (done []result) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := 0
	for range workers {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				enough := i >= len(all) || len(done) >= n
				next++
				mu.Unlock()
				if enough {
					return
				}

				by, compiles := all[i].tried(root, base)
				if !compiles {
					continue
				}
				mu.Lock()
				if len(done) < n {
					done = append(done, result{all[i], by})
					fmt.Println(all[i].report(by))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return done
}

func (m *mutant) report(by string) string {
	if by == "" {
		return "SURVIVED " + m.String()
	}
	return "killed   " + m.String() + "  [" + by + "]"
}
