package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hookbridge/hookbridge/internal/golden"
)

// suite is the package with the vectors, and vectors is the test that runs them.
const suite, vectors = "conformance", "TestSuite"

// laws are tests in a package above the tested one, because they go through all agents.
var laws = map[string]string{"TestOddDocuments": "dialect/family", "TestGrammars": "internal/matcher"}

// lawful is the package with the laws.
const lawful = "adapter"

// A check is one test.
type check struct {
	in, pkg string // the package with the test, and the tested one
	name    string
	took    time.Duration // of processor time
	reached []byte        // the mutants it reaches
}

// checks runs each test of packages without mutants, several at once, and returns those that pass.
func (b *build) checks(packages []string, workers int) (all []check, err error) {
	for _, p := range packages {
		names := vectors
		if p != suite {
			out, err := exec.Command(b.program(p), "-test.list=.").Output()
			if err != nil {
				return nil, err
			}
			names = string(out)
		}
		for _, name := range strings.Fields(names) {
			c := check{in: p, pkg: p, name: name}
			if of := laws[name]; of != "" && p == lawful {
				c.pkg = of
			}
			all = append(all, c)
		}
	}

	each(len(all), workers, func(i int) {
		c := &all[i]
		file := filepath.Join(b.dir, "reached-"+strconv.Itoa(i))
		if e := os.WriteFile(file, make([]byte, len(b.mutants)+1), 0o600); e != nil {
			panic(e)
		}
		by, took := b.run(c.in, []string{c.name}, time.Hour, "MUTANTS_REACHED="+file)
		if by != "" {
			fmt.Printf("%s: %s fails with nothing changed: %s\n", c.in, c.name, by)
			return
		}
		c.took = took
		c.reached, _ = os.ReadFile(file)
	})
	return slices.DeleteFunc(all, func(c check) bool { return c.reached == nil }), nil
}

// each calls f for the numbers from 0 to n-1, several at once.
func each(n, workers int, f func(i int)) {
	var wg sync.WaitGroup
	next := make(chan int)
	for range workers {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// tried returns the test that notices a mutant, or "", and whether any test reaches it.
func (b *build) tried(m *mutant, all []check) (by string, reached bool) {
	var own, quick, rest, above, last []check
	for _, c := range all {
		if c.reached[m.id] != 0 && (c.pkg == m.pkg || c.pkg == suite) {
			own = append(own, c)
		}
	}
	slices.SortStableFunc(own, func(a, b check) int { return int(a.took - b.took) })
	for i, c := range own {
		switch {
		case c.in == suite:
			last = append(last, c)
		case c.in != m.pkg:
			above = append(above, c)
		case c.took < time.Second && i < 8:
			quick = append(quick, c)
		default:
			rest = append(rest, c)
		}
	}

	for _, group := range [][]check{quick, rest, above, last} {
		if len(group) == 0 {
			continue
		}
		reached = true
		var names []string
		limit := 10 * time.Second
		for _, c := range group {
			names = append(names, c.name)
			limit += 10 * c.took
		}
		by, _ := b.run(group[0].in, names, limit, "MUTANT="+strconv.Itoa(m.id),
			fmt.Sprintf("MUTANT_SECONDS=%d", int(limit.Seconds())))
		if by != "" {
			return group[0].in + ": " + by, true
		}
	}
	return "", reached
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^panic: (.*)|^fatal error: (.*)`)

// run runs tests of a package and returns the first that fails, or "", and the processor time.
func (b *build) run(pkg string, names []string, limit time.Duration, env ...string) (by string, took time.Duration) {
	own, err := os.MkdirTemp(b.dir, "tmp-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(own)

	ctx, stop := context.WithTimeout(context.Background(), 10*limit) // the machine may be busy
	defer stop()
	run := exec.CommandContext(ctx, b.program(pkg), "-test.short", "-test.failfast", "-test.timeout=0",
		"-test.run=^("+strings.Join(names, "|")+")$")
	run.Dir, run.WaitDelay = filepath.Join(b.root, pkg), time.Second
	run.Env = append(append(os.Environ(), "TMPDIR="+own, golden.Whole+"=1"), env...)
	out, err := run.CombinedOutput()
	if run.ProcessState != nil {
		took = run.ProcessState.UserTime() + run.ProcessState.SystemTime()
	}
	if err == nil || errors.Is(err, exec.ErrWaitDelay) {
		return "", took
	}
	if m := failed.FindSubmatch(out); m != nil {
		return string(slices.Concat(m[1], m[2], m[3])), took
	}
	return err.Error(), took
}
