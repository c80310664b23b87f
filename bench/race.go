package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"
)

// A contender is one command of a race.
type contender struct {
	name  string
	argv  []string
	stdin []byte
	// session is the session of all calls. "" uses a new session for each, so that no call finds state of an earlier
	// one.
	session string
	also    int // another exit status that counts as success
	times   []time.Duration
	peak    int64 // KiB, or 0 if the system doesn't report it
}

// race measures the memory of every contender and runs each once per round, in an order that changes with each round.
// The first round is not counted.
func race(rounds int, all []*contender) {
	for _, c := range all {
		c.measure()
	}
	order := slices.Clone(all)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range rounds + 1 {
		random.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
		for _, c := range order {
			if d := c.once(); i > 0 {
				c.times = append(c.times, d)
			}
		}
	}
}

// once runs the contender. Its stdin is a pipe, as with the real hosts.
func (c *contender) once() time.Duration {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Stdin = bytes.NewReader(c.input())
	var errs bytes.Buffer
	cmd.Stderr = &errs
	start := time.Now()
	err := cmd.Run()
	d := time.Since(start)
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != c.also || c.also == 0) {
		must(fmt.Errorf("%s: %w: %s", c.name, err, errs.Bytes()))
	}
	return d
}

// input returns the payload of the next call. Its command is new, and so is its session unless the contender keeps one.
func (c *contender) input() []byte {
	calls++
	session := cmp.Or(c.session, fmt.Sprintf("%08x", os.Getpid()<<12^calls))
	text := bytes.Replace(c.stdin, []byte("COUNT"), fmt.Appendf(nil, "%05d", calls%100000), 1)
	return bytes.ReplaceAll(text, []byte(benchSession), []byte(session))
}

// benchSession is the beginning of the session ID in the payloads.
const benchSession = "5d3f1f3a"

// calls counts the payloads.
var calls int

const stateVariable = "HOOKBRIDGE_STATE_DIR"

// measure finds the contender's peak memory. A program starts with the peak of its parent, and this process holds the
// payloads. A small copy of it therefore starts the contender, so the figures begin at about 4 MiB.
func (c *contender) measure() {
	self, err := os.Executable()
	must(err)
	f, err := os.CreateTemp("", "hookbridge-bench-")
	must(err)
	defer os.Remove(f.Name())
	defer f.Close()
	_, err = f.Write(c.stdin)
	must(err)
	out, err := exec.Command(self, append([]string{weighCommand, f.Name()}, c.argv...)...).Output()
	must(err)
	c.peak, err = strconv.ParseInt(string(out), 10, 64)
	must(err)
}

const weighCommand = "weigh"

// measure runs in the small copy: it runs a program on a file, through a pipe, and prints the program's peak memory in
// KiB.
func measure(file string, argv []string) error {
	cmd := exec.Command("/bin/sh", append([]string{"-c", `cat "$0" | "$@" >/dev/null 2>&1`, file}, argv...)...)
	_ = cmd.Run() // its exit status doesn't matter here
	_, err := os.Stdout.WriteString(strconv.FormatInt(peak(cmd.ProcessState), 10))
	return err
}

func (c *contender) median() time.Duration {
	slices.Sort(c.times)
	return c.times[len(c.times)/2]
}

// table compares the contenders with the first one, which runs the hook directly, and with the one called rival, if
// present.
func table(all []*contender, rival string) {
	base := all[0].median()
	var other time.Duration
	for _, c := range all {
		if c.name == rival {
			other = c.median()
		}
	}
	head := fmt.Sprintf("%-36s %9s %9s %9s %8s", "", "median ms", "min ms", "over ms", "x direct")
	if other > 0 {
		head += fmt.Sprintf(" %9s", "x rival")
	}
	fmt.Println(head + fmt.Sprintf(" %9s", "peak MiB"))
	for _, c := range all {
		m := c.median()
		line := fmt.Sprintf("%-36s %9.2f %9.2f %9.2f %8.2f", c.name, ms(m), ms(c.times[0]), ms(m-base), ratio(m, base))
		if other > 0 {
			line += fmt.Sprintf(" %9.2f", ratio(m, other))
		}
		fmt.Println(line + fmt.Sprintf(" %9.1f", float64(c.peak)/1024))
	}
	if other > 0 {
		fmt.Printf("rival: %s\n", rival)
	}
}

// named returns the contender with that name, or nil.
func named(all []*contender, name string) *contender {
	for _, c := range all {
		if c.name == name {
			return c
		}
	}
	return nil
}

// build builds and installs the program as it is released: static, without debug tables.
func build(dir, pkg, out string) error {
	linked := out + ".linked"
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", linked, pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return install(linked, out)
}

// install copies a program as installers do, in pieces of 32 KB. The way a file is written determines the size of its
// pieces in the kernel's cache, and so the time of a start. The linker's way is the slowest.
func install(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o700)
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{out}, struct{ io.Reader }{in}, make([]byte, 32<<10))
	return errors.Join(err, out.Close())
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
