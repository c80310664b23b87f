package scenario

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/schematest"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{`shell "rm -rf /"`, `shell {"command":"rm -rf /"}`},
		{`shell 'echo "a"'`, `shell {"command":"echo \"a\""}`},
		{`shell ls /tmp`, `shell {"command":"ls","cwd":"/tmp"}`},
		{`shell ls a b`, `! unexpected "b"; put text with blanks in quotes`},
		{`shell`, `shell`},
		{`shell {"command": "ls"}`, `shell {"command": "ls"}`},
		{`shell ls {"x": 1}`, `! shell takes words or an object, not both`},
		{`edit a.txt "old \"x\"" new`, `edit {"path":"a.txt","old-text":"old \"x\"","new-text":"new"}`},
		{`mcp:db/query {"sql": "drop"}`, `db/query {"sql": "drop"}`},
		{`mcp:db/query drop`, `! unexpected "drop"; put text with blanks in quotes`},
		{`prompt "hello"`, `prompt-submit {"prompt":"hello"}`},
		{`stop`, `stop`},
		{`PreCompact {"trigger": "auto"}`, `PreCompact {"trigger": "auto"}`},
		{`shell "ls`, `! a quote is not closed`},
		{`shell 'ls`, `! a quote is not closed`},
		{`shell "\x"`, `! write "\x" as in JSON: \\ for a backslash`},
		{`shell {"a"}`, `! what follows { is not a JSON object`},
		{``, `! the call is empty`},
		{`shel "ls"`, `! unknown call "shel"; calls are mcp:SERVER/TOOL, shell, read, write, edit, delete, grep, ` +
			`glob, list, ` +
			`fetch, web-search, agent, prompt; did you mean shell?`},
	} {
		c, msg := parseLine(tt.line)
		got := c.String()
		if msg != "" {
			got = "! " + msg
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.line, got, tt.want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"list", "- name: a\n  call: shell ls\n  expect: deny\n", ""},
		{"mapping", "scenarios:\n- call: stop\n  expect: keep-going\n", ""},
		{"agents that differ", "- call: stop\n  agents: {x: none}\n", ""},
		{"no list", "name: a\n", "f:1:1: expected a list of scenarios"},
		{"not YAML", "- [\n", "f:"},
		{"no call", "- name: a\n  expect: deny\n", "the scenario has no call"},
		{"no expect", "- call: stop\n", "the scenario has no expect"},
		{"unknown key", "- call: stop\n  expects: deny\n", `f:2:12: unknown key "expects"`},
		{"unknown decision", "- call: stop\n  expect: refuse\n", `f:2:11: "refuse" is not a decision`},
		{"unknown key of expect", "- call: stop\n  expect: {decision: deny, why: x}\n", `unknown key "why"`},
		{"unknown key of call", "- call: {evnt: stop}\n  expect: deny\n", `unknown key "evnt"`},
		{"input", "- call: {tool: Bash, input: ls}\n  expect: deny\n", "input is not a mapping"},
		{"agents", "- call: stop\n  expect: deny\n  agents: x\n", "agents is a list of names"},
		{"name", "- {name: 5, call: stop, expect: deny}\n", "name is not text"},
		{"reason", "- {call: stop, expect: deny, reason: 5}\n", "f:1:42: reason is not text"},
		{"reason of expect", "- {call: stop, expect: {decision: deny, reason: [x]}}\n", "reason is not text"},
		{"event", "- {call: {event: [stop]}, expect: deny}\n", "event is not text"},
		{"only a reason", "- {call: stop, reason: no}\n", ""},
		{"empty", "- {call: {}, expect: deny}\n", "the scenario has no call"},
		{"agents that expect nothing", "- {call: stop, agents: [x]}\n", "the scenario has no expect"},
	} {
		list, err := Parse("f", []byte(tt.text))
		if json, notYAML := frontmatter.Document([]byte(tt.text)); notYAML == nil {
			if invalid := schematest.ValidFor("scenarios", json); (invalid == nil) != (tt.want == "") {
				t.Errorf("%s: the JSON Schema says %v", tt.name, invalid)
			}
		}
		switch {
		case tt.want == "" && (err != nil || len(list) != 1):
			t.Errorf("%s: %v", tt.name, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

func TestPattern(t *testing.T) {
	_, err := Parse("f", []byte("- call: stop\n  expect: deny\n  reason: /(/\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "f:3:11: reason: ") {
		t.Error(err)
	}
}

func TestFor(t *testing.T) {
	list, err := Parse("f", []byte("- call: stop\n  expect: deny\n  reason: no\n  agents: {a: allow, b: {reason: "+
		"never}}\n- call: stop\n  expect: deny\n  agents: [a]\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		scenario int
		agent    string
		want     Expect
		ok       bool
	}{
		{0, "a", Expect{Decision: "allow", Reason: "no"}, true},
		{0, "b", Expect{Decision: "deny", Reason: "never"}, true},
		{0, "c", Expect{Decision: "deny", Reason: "no"}, true},
		{1, "a", Expect{Decision: "deny"}, true},
		{1, "b", Expect{}, false},
	} {
		if got, ok := list[tt.scenario].For(tt.agent); got != tt.want || ok != tt.ok {
			t.Errorf("%d under %s: %+v %v", tt.scenario, tt.agent, got, ok)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "anything", true}, {"rm", "no rm here", true}, {"rm", "no", false},
		{"/^no rm/", "no rm here", true}, {"/^rm/", "no rm", false}, {"/", "a/b", true}, {"//", "a", false},
	} {
		if got := Matches(tt.pattern, tt.text); got != tt.want {
			t.Errorf("%q in %q: %v", tt.pattern, tt.text, got)
		}
	}
}
