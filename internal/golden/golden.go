// Package golden compares test results with files that -update rewrites. Only tests use it.
package golden

import (
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"io"
	"os"
	"strings"
	"testing"
)

// Update is set by -update: the result of a test is written instead of compared.
var Update = flag.Bool("update", false, "write what is generated")

var show = flag.String("show", "", "print what goes into the digest of this name, as in \"claude cursor\"")

// Whole is the environment variable that makes -short leave nothing out: mutants are tested this way.
const Whole = "HOOKBRIDGE_WHOLE"

// LeftOut reports whether -short leaves out the ith of many cases: it keeps one of n.
func LeftOut(i, n int) bool {
	return i%n != 0 && testing.Short() && !*Update && os.Getenv(Whole) == ""
}

// Digests are hashes of test results, one for each name. A hash only shows that something has changed: to see what,
// compare the output of -show before and after.
type Digests struct {
	names []string
	sums  []hash.Hash64
}

// Of returns a writer for the input of a name's digest.
func (d *Digests) Of(name string) io.Writer {
	sum := fnv.New64a()
	d.names, d.sums = append(d.names, name), append(d.sums, sum)
	if *show == name {
		return io.MultiWriter(sum, os.Stdout)
	}
	return sum
}

// Compare checks that a file has the digests.
func (d *Digests) Compare(t testing.TB, file string) {
	t.Helper()
	var b strings.Builder
	for i, name := range d.names {
		fmt.Fprintf(&b, "%s %016x\n", name, d.sums[i].Sum64())
	}
	Lines(t, file, b.String())
}

// File checks that a file has a text.
func File(t testing.TB, file, text string) {
	t.Helper()
	have, _ := os.ReadFile(file)
	switch {
	case string(have) == text:
	case *Update:
		write(t, file, text)
	default:
		t.Errorf("%s is out of date: run %s with -update", file, t.Name())
	}
}

// Lines checks that a file has the lines of a text, and no others unless -short leaves them out.
func Lines(t testing.TB, file, text string) {
	t.Helper()
	compare(t, file, text, strings.SplitAfter(text, "\n"), strings.SplitAfter(read(t, file), "\n"))
}

// Parts is the same for parts that begin with a line "== NAME".
func Parts(t testing.TB, file, text string) {
	t.Helper()
	const mark = "\n== "
	compare(t, file, text, strings.Split("\n"+text, mark), strings.Split("\n"+read(t, file), mark))
}

func read(t testing.TB, file string) string {
	t.Helper()
	was, err := os.ReadFile(file)
	if err != nil && !*Update {
		t.Fatal(err)
	}
	return string(was)
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if t.Failed() {
		return
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func compare(t testing.TB, file, text string, parts, was []string) {
	t.Helper()
	if *Update {
		write(t, file, text)
		return
	}

	old := map[string]int{}
	for _, p := range was {
		old[p]++
	}
	for _, p := range parts {
		if old[p] == 0 {
			name, _, _ := strings.Cut(p, "\n")
			t.Errorf("%s has no such part (-update writes it):\n%s%s", file, p, before(was, name))
			continue
		}
		old[p]--
	}
	if len(parts) < len(was) && !testing.Short() {
		t.Errorf("%s has %d parts more", file, len(was)-len(parts))
	}
}

// before returns the earlier text of a part of several lines.
func before(was []string, name string) string {
	for _, p := range was {
		if first, rest, _ := strings.Cut(p, "\n"); first == name && rest != "" {
			return "was\n" + rest
		}
	}
	return ""
}
