package adapter_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/schema"
)

// TestConditionCorpus: a condition holds wherever the client fires it, and in at most one pair of call and condition in
// twenty where it doesn't. The corpus has calls with the conditions that real clients fired for them;
// HOOKBRIDGE_CONDITIONS names files of the same form.
func TestConditionCorpus(t *testing.T) {
	dir := os.Getenv("HOOKBRIDGE_CONDITIONS")
	if dir == "" {
		dir = material.Corpus(t, "conditions")
	}
	data, err := os.ReadFile(filepath.Join(dir, "rules.json"))
	if err != nil {
		t.Fatal(err)
	}
	var sets map[string][]string
	if err := json.Unmarshal(data, &sets); err != nil {
		t.Fatal(err)
	}
	calls, err := os.ReadFile(filepath.Join(dir, "calls.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	type tally struct{ pairs, missed, extra int }
	tallies := map[string]*tally{}
	folders := strings.NewReplacer("${HOME}", "${HOME}", "{ABS}", "/tmp/x/project", "{ABS1}", "tmp/x/project", "{HOME}",
		"/tmp/x/home", "{ROOT}", "/tmp/x")
	lines := bufio.NewScanner(bytes.NewReader(calls))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var call struct {
			Set, Tool string
			Input     json.RawMessage
			Fired     []int
		}
		line := folders.Replace(lines.Text())
		if err := json.Unmarshal([]byte(line), &call); err != nil {
			t.Fatal(err)
		}
		d, err := adapter.Find(strings.Split(call.Set, "-")[0])
		if err != nil {
			t.Fatal(call.Set)
		}
		n := tallies[call.Set]
		if n == nil {
			n = &tally{}
			tallies[call.Set] = n
		}
		payload, _ := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": "s",
			"cwd": "/tmp/x/project", "tool_name": call.Tool, "tool_input": call.Input})
		c, _ := d.DecodeCall(payload, schema.Environ{})
		if c == nil {
			t.Fatal(line)
		}
		c.Project = "/tmp/x/project"
		for i, rule := range sets[call.Set] {
			rule = folders.Replace(rule)
			holds := false
			for _, v := range d.Views(c) {
				one, err := d.Abilities().Conditions.Holds(&schema.Hook{Condition: rule}, c,
					v, "/tmp/x/home")
				holds = holds || one || err != nil
			}
			switch fires := slices.Contains(call.Fired, i); {
			case fires && !holds:
				n.missed++
				t.Errorf("%s: %s missed on %s", call.Set, rule, call.Input)
			case !fires:
				n.pairs++
				if holds {
					n.extra++
					if testing.Verbose() {
						t.Logf("%s: %s holds on %s", call.Set, rule, call.Input)
					}
				}
			}
		}
	}
	for set, n := range tallies {
		t.Logf("%s: %d missed, %d of %d too often (%.1f %%)", set, n.missed, n.extra, n.pairs,
			100*float64(n.extra)/float64(n.pairs))
		if n.extra*20 > n.pairs {
			t.Errorf("%s: conditions hold too often", set)
		}
	}
}
