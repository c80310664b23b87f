package projectfile

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/schematest"
)

func TestParse(t *testing.T) {
	f, err := Parse("f", []byte(`# comment
tests: hooks/tests
agents: [claude, cursor]
requires: ">=1.2"
launcher: off
install:
  ask: relay
  fail-closed: true
  timeout: 5
facts:
  cursor: {third-party-imports: "off"}
accept:
  - finding: twice cursor ./guard.sh
    reason: imports are off
imports: {grok: off, copilot@1.0.102: "off"}
hooks:
  - hook: .claude/settings.json:12
    command: sh ./guard.sh
    exclude: [codex]
  - {hook: a.json#/hooks/0, command: x, agents: [grok]}
`))
	want := &File{
		Tests: "hooks/tests", Agents: []Agent{{"claude", 3, 11}, {"cursor", 3, 20}},
		Requires: Required{"1.2", 4, 12}, Launcher: "off",
		Install:    []Setting{{"ask", "relay", 7, 8}, {"fail-closed", "true", 8, 16}, {"timeout", "5", 9, 12}},
		Facts:      []Fact{{"cursor", "third-party-imports", "off", 11, 34}},
		ImportsOff: []Agent{{"grok", 15, 19}, {"copilot@1.0.102", 15, 43}},
		Accept:     []Accepted{{"twice cursor ./guard.sh", "imports are off", 13, 14}},
		Hooks: []Choice{
			{File: ".claude/settings.json", Place: "12", Command: "sh ./guard.sh",
				Exclude: []Agent{{"codex", 19, 15}}, Line: 17, Col: 11},
			{File: "a.json", Place: "/hooks/0", Command: "x", Agents: []Agent{{"grok", 20, 54}}, Line: 20, Col: 12}},
	}
	if d := cmp.Diff(want, f); d != "" || err != nil {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
	if v := f.Fact("cursor", "third-party-imports"); v != "off" {
		t.Errorf("fact: %q", v)
	}
	if f.StopsImport("grok") == nil || f.StopsImport("copilot") == nil || f.StopsImport("cursor") != nil {
		t.Errorf("imports: %+v", f.ImportsOff)
	}
	if every := (&File{ImportsOff: []Agent{{}}}); every.StopsImport("cursor") == nil {
		t.Error("off stands for every agent")
	}
}

func TestMistakes(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", ""}, {"# nothing\n", ""},
		{"- a\n", "f:1:1: expected a mapping"},
		{"test: x\n", `unknown key "test"`},
		{"tests: [x]\n", "tests is not text"},
		{"tests: ../elsewhere\n", "tests names a folder inside the project"},
		{"agents: claude\n", "agents is a list"},
		{"agents: [claude, {}]\n", "f:1:21: an agent is a name"},
		{"install: {ask: [x]}\n", "ask is not a plain value"},
		{"facts: {cursor: x}\n", "cursor is not a mapping"},
		{"requires: 1.2\n", ""}, {"requires: \">= 1.2.3\"\n", ""}, {"requires: <2\n", "requires is the oldest version"},
		{"requires: -1\n", "requires is the oldest version"}, {"requires: [1]\n", "requires is not text"},
		{"launcher: closed\n", ""}, {"launcher: no\n", "launcher is closed"},
		{"launcher: true\n", "launcher is not text"},
		{"imports: off\n", ""}, {"imports: {grok: off}\n", ""}, {"imports: on\n", "switches no import on"},
		{"imports: {grok: on}\n", "switches no import on"}, {"imports: [grok]\n", "imports is not text"},
		{"accept: {}\n", "accept is a list"},
		{"accept:\n- finding: x\n", "needs finding and reason"},
		{"accept:\n- finding: x\n  why: y\n", `unknown key "why"`},
		{"hooks: {}\n", "hooks is a list"}, {"hooks:\n- x\n", "a hook is a mapping"},
		{"hooks:\n- {hook: a, command: x}\n", "needs either agents or exclude"},
		{"hooks:\n- {hook: a, command: x, agents: [b], exclude: [c]}\n", "needs either agents or exclude"},
		{"hooks:\n- {hook: a, command: x, agents: []}\n", "agents names no agent"},
		{"hooks:\n- {hook: a, agents: [b]}\n", "needs hook"},
		{"hooks:\n- {hook: a, command: x, not: [b]}\n", "unknown key"},
		{"a: [\n", "f:"},
	} {
		_, err := Parse("f", []byte(tt.text))
		json, notYAML := frontmatter.Document([]byte(tt.text))
		if invalid := schematest.ValidFor("hookbridge-yaml", json); notYAML == nil &&
			(invalid == nil) != (tt.want == "") {
			t.Errorf("%q: the JSON Schema says %v", tt.text, invalid)
		}
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestLoad(t *testing.T) {
	missing := func(err error) bool { return errors.Is(err, fs.ErrNotExist) }
	f, err := Load("p", func(string) ([]byte, error) { return nil, fs.ErrNotExist }, missing)
	if err != nil || f.Path != "" {
		t.Errorf("no file: %+v %v", f, err)
	}
	if _, err = Load("p", func(string) ([]byte, error) { return nil, fs.ErrPermission }, missing); err == nil {
		t.Error("a file that can't be read is no error")
	}
}
