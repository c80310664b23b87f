package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/inspect"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/command/matrix"
)

// matrixOf runs the command.
func matrixOf(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := dispatch(append([]string{"matrix"}, args...), cli.IO{Out: &out, Err: &errs}); code != cli.OK {
		t.Fatalf("exit status %d: %s", code, errs.String())
	}
	return out.String()
}

// TestMatrixJSON checks that the JSON form is one object that names every event of every dialect, for every pair.
func TestMatrixJSON(t *testing.T) {
	var got struct {
		Pairs []struct {
			From, To string
			Events   []struct {
				Event, From, Support string
				Finding              string
				To, Supported, Lost  []string
				Evidence             []struct{ Dialect, Native, Since, Source string }
			}
		}
		Dialects []struct {
			Name   string
			Events []struct{ Event, Native, Since, Source string }
		}
	}
	d := json.NewDecoder(strings.NewReader(matrixOf(t, "--format", "json")))
	if err := d.Decode(&got); err != nil || d.More() {
		t.Fatal("not one object:", err)
	}
	n, owners := len(adapter.Dialects()), len(adapter.WithHooks())
	if len(got.Dialects) != n || len(got.Pairs) != owners*(n-1) {
		t.Fatalf("%d agents and %d pairs of %d agents", len(got.Dialects), len(got.Pairs), n)
	}
	for _, p := range got.Pairs {
		hooks, _ := adapter.Find(p.From)
		if len(p.Events) != len(hooks.Profile().Events) {
			t.Errorf("%s under %s: %d events of %d", p.From, p.To, len(p.Events), len(hooks.Profile().Events))
		}
		for _, e := range p.Events {
			if len(e.Evidence) != 1+len(e.To) || e.Evidence[0].Native != e.From || e.Evidence[0].Source == "" {
				t.Errorf("%s under %s: %s has the evidence %v", p.From, p.To, e.From, e.Evidence)
			}
			if (e.Support == "none") != (len(e.To) == 0) ||
				(e.Support == "all") != (len(e.To) > 0 && len(e.Lost) == 0 && e.Finding == "") {
				t.Errorf("%s under %s: %s has support %s with %v lost", p.From, p.To, e.From, e.Support, e.Lost)
			}
		}
	}
}

// TestMatrixColour checks that coloring adds only colors.
func TestMatrixColour(t *testing.T) {
	pairs := allPairs(t)
	var plain, colored bytes.Buffer
	matrix.PairTable(&plain, cli.Painter{}, &pairs[0])
	matrix.PairTable(&colored, cli.Painter{On: true}, &pairs[0])
	marks := regexp.MustCompile("\x1b\\[[0-9]*m")
	if strings.Contains(plain.String(), "\x1b") || !marks.MatchString(colored.String()) {
		t.Fatal("color where none is wanted, or none where it is")
	}
	blanks := regexp.MustCompile(` +\n`)
	if got := blanks.ReplaceAllString(marks.ReplaceAllString(colored.String(), ""), "\n"); got != plain.String() {
		t.Errorf("with colors:\n%s\nwithout:\n%s", got, plain.String())
	}
}

func allPairs(t *testing.T) []inspect.Pair {
	t.Helper()
	pairs, err := matrix.ChoosePairs("", "")
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}
