// Mutant is hookbridge with one fault, for TestMutants: an implementation that
// the vectors must find out. Its argument names the fault.
//
//	hookbridge conformance --impl 'go run ./conformance/testdata/mutant drops-reasons'
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/conformance"
)

// A mutant spoils what goes in or what comes out.
type mutant struct {
	name   string
	before func(*conformance.Request)
	after  func(*conformance.Answer)
}

var mutants = []mutant{
	{name: "right"}, // none at all: what the others are measured by
	{name: "swaps-allow-and-deny", after: swap},
	{name: "drops-reasons", after: without(
		`"(?:user_message|agent_message|permissionDecisionReason|reason|message|stopReason)":"(?:[^"\\]|\\.)*"`)},
	{name: "narrows-matchers", after: narrow},
	{name: "forgets-timeouts", after: without(`"timeout":[0-9.]+`)},
	{name: "loses-unknown-members", after: without(`"new_member":\{[^}]*\}`)},
	{name: "exits-0-for-everything", before: exitZero},
	{name: "sees-one-file-of-a-patch",
		before: input(`(?s)(\*\*\* Begin Patch\\n\*\*\* .*?)\\n\*\*\* (?:Add|Update|Delete) File: .*?(\\n\*\*\* End `+
			`Patch)`, "$1$2")},
	{name: "forgets-where-a-file-moves", before: input(`\\n\*\*\* Move to: .*?\\n`, `\n`)},
	{name: "sees-no-patch-in-a-command", before: input(`apply_patch <<`, "cat <<")},
	{name: "says-nothing-is-lost", after: func(a *conformance.Answer) { a.Findings = nil }},
	{name: "always-silent", after: func(a *conformance.Answer) { a.Output, a.Findings = []byte("{}"), nil }},
}

// input rewrites what the host tells.
func input(expression, replacement string) func(*conformance.Request) {
	e := regexp.MustCompile(expression)
	return func(r *conformance.Request) { r.Input = e.ReplaceAll(r.Input, []byte(replacement)) }
}

// change rewrites an answer's output.
func change(a *conformance.Answer, f func(string) string) {
	if a.Output != nil {
		a.Output = []byte(f(string(a.Output)))
	}
}

func swap(a *conformance.Answer) {
	change(a, strings.NewReplacer(`"allow"`, `"deny"`, `"deny"`, `"allow"`).Replace)
}

// without takes fields out of an output.
func without(member string) func(*conformance.Answer) {
	first, other := regexp.MustCompile(`\{(?:`+member+`,?)`), regexp.MustCompile(`,(?:`+member+`)`)
	return func(a *conformance.Answer) {
		change(a, func(s string) string {
			for other.MatchString(s) {
				s = other.ReplaceAllString(s, "")
			}
			for first.MatchString(s) {
				s = first.ReplaceAllString(s, "{")
			}
			return s
		})
	}
}

var matcher = regexp.MustCompile(`"matcher":"((?:[^"\\]|\\.)*)"`)

// narrow leaves of a matcher what a tool of that very name with a longer one
// behind it would need.
func narrow(a *conformance.Answer) {
	change(a, func(s string) string { return matcher.ReplaceAllString(s, `"matcher":"^(?:$1)Only$$"`) })
}

// exitZero lets every fake hook end well.
func exitZero(r *conformance.Request) {
	scripts, _ := filepath.Glob(filepath.Join(filepath.Dir(r.State), "hooks", "*"))
	for _, file := range scripts {
		text, err := os.ReadFile(file)
		if err == nil && filepath.Ext(file) == "" {
			os.WriteFile(file, regexp.MustCompile(`(?m)^exit \d+$`).ReplaceAll(text, []byte("exit 0")), 0o700)
		}
	}
}

// spoiled is an implementation with a fault.
type spoiled struct {
	own conformance.Own
	mutant
}

func (s *spoiled) Do(ctx context.Context, r *conformance.Request) (conformance.Answer, error) {
	if s.before != nil {
		s.before(r)
	}
	a, err := s.own.Do(ctx, r)
	if s.after != nil && err == nil {
		if a.Output != nil { // compact, so that fields can be found
			a.Output = compact(a.Output)
		}
		s.after(&a)
	}
	return a, err
}

// compact takes the line ends of a document away that hookbridge itself writes.
func compact(text []byte) []byte {
	a := conformance.Answer{Output: text}
	line := string(a.Append(nil))
	return []byte(strings.TrimSuffix(strings.TrimPrefix(line, `{"output":`), `,"diagnostics":[]}`))
}

func main() {
	for _, m := range mutants {
		if len(os.Args) == 2 && os.Args[1] == m.name {
			s := &spoiled{own: conformance.Own{OS: runtime.GOOS, TempDir: os.TempDir(), Now: time.Now}, mutant: m}
			if err := conformance.Serve(context.Background(), s, os.Stdin, os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	fmt.Fprint(os.Stderr, "usage: mutant FAULT\n")
	for _, m := range mutants {
		fmt.Fprintln(os.Stderr, " ", m.name)
	}
	os.Exit(64)
}
