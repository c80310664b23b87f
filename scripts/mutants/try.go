package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// suite is the package with the vectors.
const suite = "conformance"

// measure runs the tests of packages as they are, which must pass, and returns how long they take.
func measure(root string, packages []string) (map[string]time.Duration, error) {
	took := map[string]time.Duration{}
	for _, p := range packages {
		dir, err := os.MkdirTemp("", "mutants-")
		if err != nil {
			return nil, err
		}
		start := time.Now()
		by, err := test(root, dir, p, "", time.Hour)
		os.RemoveAll(dir)
		if by != "" || err != nil {
			return nil, fmt.Errorf("%s fails unchanged: %s %v", p, by, err)
		}
		took[p] = time.Since(start)
	}
	return took, nil
}

// tried says what notices a mutant, "" for nothing; compiles is false for one that the compiler rejects.
func (m *mutant) tried(root string, base map[string]time.Duration) (by string, compiles bool) {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	overlay, err := m.overlay(root, dir)
	if err != nil {
		panic(err)
	}
	for _, p := range slices.Compact([]string{m.pkg, suite}) {
		by, err := test(root, dir, p, overlay, time.Minute+10*base[p])
		if err != nil {
			return "", false
		}
		if by != "" {
			return p + ": " + by, true
		}
	}
	return "", true
}

// overlay writes the mutated file, and the file by which the compiler finds it.
func (m *mutant) overlay(root, dir string) (string, error) {
	file := filepath.Join(root, m.file)
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	mutated := filepath.Join(dir, "mutant.go")
	changed := slices.Concat(text[:m.start], []byte(m.with), text[m.end:])
	if err := os.WriteFile(mutated, changed, 0o600); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: mutated}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^panic: (.*)|^fatal error: (.*)`)

// test builds and runs the tests of a package and returns the first that fails, "" for none. The error says that
// they don't compile. A mutant that never ends is noticed too; the limit is far above what the tests take.
func test(root, dir, pkg, overlay string, limit time.Duration) (by string, err error) {
	program := filepath.Join(dir, "tests")
	build := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-w", "-overlay", overlay, "-o", program, "./"+pkg)
	if overlay == "" {
		build.Args = slices.DeleteFunc(build.Args, func(a string) bool { return a == "-overlay" || a == "" })
	}
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}

	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	run := exec.CommandContext(ctx, program, "-test.short", "-test.failfast", "-test.timeout=0")
	if pkg == suite {
		run.Args = append(run.Args, "-test.run=^TestSuite$")
	}
	run.Dir, run.WaitDelay = filepath.Join(root, pkg), time.Second
	own := filepath.Join(dir, "tmp")
	if err := os.MkdirAll(own, 0o700); err != nil {
		return "", err
	}
	run.Env = append(os.Environ(), "TMPDIR="+own)
	out, err := run.CombinedOutput()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "doesn't end within " + limit.Round(time.Second).String(), nil
	case err == nil || errors.Is(err, exec.ErrWaitDelay):
		return "", nil
	}
	if m := failed.FindSubmatch(out); m != nil {
		return string(slices.Concat(m[1], m[2], m[3])), nil
	}
	return err.Error(), nil
}
