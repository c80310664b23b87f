// Bench races the bridge against running a hook directly and against other
// wrappers, side by side in one run: rounds are interleaved and medians
// compared, so that what else the machine does hits all alike. It prints a
// table and judges nothing.
//
//	go run ./bench [-rounds N] [-min DIR] [-wrap NAME=COMMAND]...
//
// -min names the folder of a hand-written minimal translator in Go, which is
// built and raced too; -wrap adds any other wrapper, called with the hook as its
// last argument.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

type contender struct {
	name  string
	argv  []string
	stdin []byte
	times []time.Duration
	peak  int64 // KiB
}

type wraps []string

func (w *wraps) String() string     { return strings.Join(*w, " ") }
func (w *wraps) Set(s string) error { *w = append(*w, s); return nil }

func main() {
	rounds := flag.Int("rounds", 60, "rounds")
	minimal := flag.String("min", "", "folder of a minimal translator in Go")
	var others wraps
	flag.Var(&others, "wrap", "NAME=COMMAND of another wrapper")
	flag.Parse()
	if err := run(*rounds, *minimal, others); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(rounds int, minimal string, others []string) error {
	dir, err := os.MkdirTemp("", "hookbridge-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bridge := filepath.Join(dir, "hookbridge")
	if err := build(".", "./cmd/hookbridge", bridge); err != nil {
		return err
	}
	hook := "cat >/dev/null; exit 0"
	small, big := payload(200), payload(2<<20)
	race := []*contender{{name: "direct: sh -c hook", argv: []string{"/bin/sh", "-c", hook}, stdin: small}}
	if minimal != "" {
		bin := filepath.Join(dir, "minimal")
		if err := build(minimal, ".", bin); err != nil {
			return err
		}
		race = append(race, &contender{name: "minimal Go wrapper", argv: []string{bin, hook}, stdin: small},
			&contender{name: "minimal Go wrapper, 2 MiB", argv: []string{bin, hook}, stdin: big})
	}
	for _, o := range others {
		name, command, _ := strings.Cut(o, "=")
		race = append(race, &contender{name: name, argv: append(strings.Fields(command), hook), stdin: small})
	}
	race = append(race,
		&contender{name: "hookbridge run -c", argv: []string{bridge, "run", "--host", "cursor", "-c", hook}, stdin: small},
		&contender{name: "hookbridge run -c, 2 MiB", argv: []string{bridge, "run", "--host", "cursor", "-c", hook}, stdin: big})
	for _, n := range []struct{ all, match int }{{1, 1}, {10, 1}, {10, 3}, {100, 3}, {100, 100}} {
		project := filepath.Join(dir, fmt.Sprintf("p%d-%d", n.all, n.match))
		if err := settings(project, n.all, n.match); err != nil {
			return err
		}
		race = append(race, &contender{name: fmt.Sprintf("hookbridge run, %d of %d hooks", n.match, n.all),
			argv: []string{bridge, "run", "--host", "cursor", "--home", dir, "--project", project}, stdin: small})
	}
	os.Setenv("HOOKBRIDGE_STATE_DIR", filepath.Join(dir, "state"))
	for range rounds {
		for _, c := range race {
			if err := c.once(); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	report(race)
	return nil
}

func build(dir, pkg, out string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}

// payload is a Cursor payload whose command has about n bytes.
func payload(n int) []byte {
	command, _ := json.Marshal("echo " + strings.Repeat("x", n))
	return fmt.Appendf(nil, `{"conversation_id":"bench","generation_id":"g","model":"m","tool_name":"Shell","tool_input":{"command":%s,"cwd":"","timeout":30000},`+
		`"tool_use_id":"u","cwd":"","session_id":"bench","hook_event_name":"preToolUse","cursor_version":"3.15.19","workspace_roots":["/"],"user_email":null,"transcript_path":null}`, command)
}

// settings writes a project with so many hooks of which some match.
func settings(project string, all, match int) error {
	var groups []string
	for i := range all {
		matcher := "Bash"
		if i >= match {
			matcher = "Edit|Write"
		}
		groups = append(groups, fmt.Sprintf(`{"matcher":%q,"hooks":[{"type":"command","command":"cat >/dev/null; exit 0 # %d","timeout":30}]}`, matcher, i))
	}
	if err := os.MkdirAll(filepath.Join(project, ".claude"), 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(project, ".claude", "settings.json"), []byte(`{"hooks":{"PreToolUse":[`+strings.Join(groups, ",")+`]}}`), 0o600)
}

func (c *contender) once() error {
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Stdin = bytes.NewReader(c.stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	start := time.Now()
	err := cmd.Run()
	c.times = append(c.times, time.Since(start))
	if err != nil {
		return fmt.Errorf("%w: %s", err, errs.Bytes())
	}
	c.peak = max(c.peak, peak(cmd.ProcessState))
	return nil
}

func report(race []*contender) {
	fmt.Printf("%-32s %9s %9s %8s %9s\n", "", "median ms", "min ms", "ratio", "peak MiB")
	var base time.Duration
	for i, c := range race {
		sort.Slice(c.times, func(a, b int) bool { return c.times[a] < c.times[b] })
		median := c.times[len(c.times)/2]
		if i == 0 {
			base = median
		}
		fmt.Printf("%-32s %9.2f %9.2f %8.2f %9.1f\n", c.name, ms(median), ms(c.times[0]), float64(median)/float64(base), float64(c.peak)/1024)
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
