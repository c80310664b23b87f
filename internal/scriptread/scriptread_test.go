package scriptread

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/lists"
)

func fields(s Script) string {
	return strings.Join(lists.Map(s.Fields, func(f Field) string { return f.Name() }), " ")
}

func TestFields(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a.sh", "jq -r '.tool_input.command // empty'", ".tool_input .tool_input.command"},
		{"a.sh", "IN=$(cat)\nF=\"$(echo \"$IN\" | jq -r .a.b)\"", ".a .a.b"},
		{"a.sh", "IN=$(</dev/stdin); jq '.a[\"b\"]?' <<<\"$IN\"", ".a .a.b"},
		{"a.sh", "IN=$(timeout 5 cat); f() { local x; x=$(printf '%s' \"$IN\" | jq -e '.a | .b'); }", ".a .a.b"},
		{"a.sh", "read -r IN; TI=$(echo \"$IN\" | jq -c '.ti // {}'); echo \"$TI\" | jq .x", ".ti .ti.x"},
		{"a.sh", "jq 'if .a == \"x\" then .b else .c end'", ".a .b .c"},
		{"a.sh", "jq '.a as $x | {y: .b, z, w: $x.v} | .q'", ".a .b .z .a.v"},
		{"a.sh", "jq '\"\\(.a) and \\(.b.c)\"'", ".a .b .b.c"},
		{"a.sh", "jq 'select(.a.b | test(\"x\")) | .c'", ".a .a.b .c"},
		{"a.sh", "echo \"$(cat)\" | python3 -c \"import json,sys; print(json.load(sys.stdin)['a']['b'])\"", ".a .a.b"},
		{"a.sh", "jq '\"\\(.a) - \\(.b // \"none\") \\(.c | f(.d))\"'", ".a .b .c"},
		{"a.sh", "jq 'try (.a // .b).c catch null, (.d | if . then \"x\" end)'", ".a .b .a.c .d"},
		{"a.sh", "python3 -c \"import json,sys; d=json.load(sys.stdin); print(d.get(\\\"a\\\"))\"", ".a"},
		{"a.sh", "X=$(cat); echo \"${X:-none}\" | jq .a", ".a"},
		// other inputs, other values, and forms that aren't followed
		{"a.sh", "jq .a package.json; curl x | jq .b; jq .c <f; jq -n .d; jq -s .e; cat f | jq .f", ""},
		{"a.sh", "IN=$(curl x); echo \"$IN\" | jq .a", ""},
		{"a.sh", "jq '.a[] | .b'; jq 'map(.c)'; jq '.d | fromjson | .e'", ".a .d"},
		{"a.sh", "jq 'def f: .a; f'", ""},
		{"a.sh", "IN=$(cat); IN=other; echo \"$IN\" | jq .a", ""},

		{"a.py", "import json, sys\nd = json.load(sys.stdin)\nx = d.get('a', {}).get(\"b\")\ny = d['c']", ".a .a.b .c"},
		{"a.py", "import json, sys\nt = sys.stdin.read()\nd = json.loads(t)\ni = d.get('a') or {}\ni.get('b')",
			".a .a.b"},
		{"a.py", "import json, sys\nprint((json.load(sys.stdin).get('a') or {}).get('b'))", ".a .a.b"},
		{"a.py", "import json, sys\nt = sys.stdin.read()\nd = json.loads(t) if t else {}\n" +
			"d.get('a', '').strip()", ".a"},
		{"a.py", "import json, sys\nd = json.load(\n  sys.stdin)\n\"\"\"it's\"\"\"\n" +
			"x = f'{x}' + d['a']\nx.get('b')", ".a"},
		{"a.py", "import json\nd = json.load(open('f'))\nd.get('a')", ""},
		{"a.py", "import json, sys\nd = json.load(sys.stdin)\ndef f(d):\n    d.get('a')", ""},
		{"a.py", "import json, sys\nd = json.load(sys.stdin)\nd['a'] = 1\nfor d in []:\n  d.get('b')", ""},

		{"a.js", "const d = JSON.parse(require('fs').readFileSync(0, 'utf8'));\nd.a?.b; d[\"c\"]", ".a .a.b .c"},
		{"a.mjs", "let s = '';\nprocess.stdin.on('data', c => { s += c });\nprocess.stdin.on('end', () => {\n" +
			"const { a, b: { c }, d: e = {} } = JSON.parse(s || '{}');\ne.f.trim() })", ".a .b .b.c .d .d.f"},
		{"a.js", "const d = JSON.parse(require('fs').readFileSync(0));\nif (/[\"'/]/.test(s)) d.a // it's\n" +
			"const b = (d.b || {}).c, e = d.e\n  ?? d.f; b.x; e.y", ".a .b .b.c .e .f .b.c.x .e.y"},
		{"a.ts", "const c = [];\nprocess.stdin.on('data', (x) => c.push(x));\nprocess.stdin.on('end', () => {\n" +
			"const d = JSON.parse(Buffer.concat(c).toString());\nd!.a })", ".a"},
		{"a.js", "const d = JSON.parse(require('fs').readFileSync('f'));\nd.a", ""},
		{"a.js", "const d = JSON.parse(require('fs').readFileSync(0));\nlist.map((d) => d.a)", ""},
		{"a.js", "const d = JSON.parse(require('fs').readFileSync(0));\nd.a.length; d.list.map(x => x)", ".a .list"},
	} {
		s, ok := Read(tt.name, tt.text)
		if got := fields(s); !ok || got != tt.want {
			t.Errorf("%s: %s\n%v %s, want %s", tt.name, tt.text, ok, got, tt.want)
		}
	}
}

// TestLines checks that a field has the line of its name, in files and in programs within them.
func TestLines(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"a.sh", "IN=$(cat)\n\necho \"$IN\" |\n jq .a", 4}, {"a.sh", "cat | jq '\n.x |\n\"\\(.a)\"'", 3},
		{"a.sh", "cat | python3 -c '\nimport sys, json\njson.load(sys.stdin)[\"a\"]'", 3},
		{"a.py", "import json, sys\n'''\n'''\njson.load(sys.stdin).get('a')", 4},
		{"a.js", "/*\n*/ JSON.parse(readFileSync(0))\n  .a", 3},
	} {
		s, _ := Read(tt.name, tt.text)
		last := Field{}
		if n := len(s.Fields); n > 0 {
			last = s.Fields[n-1]
		}
		if last.Line != tt.want || !strings.HasSuffix(last.Name(), ".a") {
			t.Errorf("%q: %s in line %d, want %d", tt.text, last.Name(), last.Line, tt.want)
		}
	}
}

// TestGroups checks that alternative fields are in one group, and others aren't.
func TestGroups(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		same       bool
	}{
		{"a.sh", "jq '.a // .b'", true}, {"a.sh", "jq '.a, .b'", false}, {"a.sh", "jq '{x: .a, y: .b}'", false},
		{"a.sh", "X=$(jq .a); [ -z \"$X\" ] && X=$(jq .b)", true}, {"a.sh", "X=$(jq .a); Y=$(jq .b)", false},
		{"a.sh", "f() { local X=$(jq .a); [ -n \"$X\" ] || local X=$(jq .b); }", true},
		{"a.py", "import json, sys\nd = json.load(sys.stdin)\nx = d.get('a') or d.get('b')", true},
		{"a.py", "import json, sys\nd = json.load(sys.stdin)\nx = d.get('a')\ny = d.get('b')", false},
		{"a.js", "const d = JSON.parse(require('fs').readFileSync(0));\nx = d.a ?? d.b;", true},
	} {
		s, _ := Read(tt.name, tt.text)
		at := func(name string) []int {
			var groups []int
			for _, f := range s.Fields {
				if f.Name() == name {
					groups = append(groups, f.Group)
				}
			}
			return groups
		}
		a, b := at(".a"), at(".b")
		if len(a) == 0 || len(b) == 0 || slices.Contains(b, a[0]) != tt.same {
			t.Errorf("%s: groups %v and %v", tt.text, a, b)
		}
	}
}

func TestWords(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a.sh", "T=$(jq -r .t); [ \"$T\" = Bash ] && exit 2; [[ $T != Edit ]]; case \"$T\" in Write|Read) ;; esac; " +
			"exit 0",
			"t:Bash t:Edit t:Write t:Read 2 0"},
		{"a.sh", "jq 'select(.t == \"Bash\")'", "t:Bash"},
		{"a.sh", "f() { exit 2; }; f; exit 0", "2 0"}, {"a.sh", "f() { exit 2; }; cat | f || exit 1", "2 1"},
		{"a.sh", "f() { exit 2; }; trap f EXIT", "2"}, {"a.sh", "f() { exit 2; }; g() { f; }; g", "2"},
		{"a.sh", "f() { exit 2; }; X=$(f); exit 0", "0"},
		{"a.sh", "f() { exit 2; }; if x=\"$(f)\"; then exit 3; fi", "3"},
		{"a.sh", "(exit 2) || exit 4", "4"}, {"a.sh", "X=$(jq .t || exit 2)\nif a; then { exit 2; }; fi", "2"},
		{"a.py", "import json, sys\nd = json.load(sys.stdin)\nif d['t'] not in ('A', 'B') or 'C' == d.get('t'):\n" +
			"  sys.exit(2)", "t:A t:B t:C 2"},
		{"a.js", "const { t } = JSON.parse(require('fs').readFileSync(0));\nif (t !== 'A') process.exit(1)", "t:A 1"},
	} {
		s, ok := Read(tt.name, tt.text)
		var got []string
		for _, w := range s.Words {
			got = append(got, strings.Join(w.Of, ".")+":"+w.Text)
		}
		for _, e := range s.Exits {
			got = append(got, string(rune('0'+e.Status)))
		}
		if text := strings.Join(got, " "); !ok || text != tt.want {
			t.Errorf("%s: %v %s, want %s", tt.text, ok, text, tt.want)
		}
	}
}

func TestLanguageOf(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       Language
	}{
		{"a.sh", "", Shell}, {"a.mts", "", JavaScript}, {"a", "#!/usr/bin/env python3\n", Python},
		{"a", "#!/bin/bash -e", Shell}, {"a", "#!/usr/bin/env node", JavaScript}, {"a", "x", 0}, {"a.rb", "", 0},
	} {
		if got := LanguageOf(tt.name, tt.text); got != tt.want {
			t.Errorf("%s %q: %d", tt.name, tt.text, got)
		}
	}
}

// TestHostile reads growing texts with the most expensive parts; each ends far below a test's own limit.
func TestHostile(t *testing.T) {
	n := maxText - 100
	if testing.Short() {
		n /= 8
	}
	fill := func(piece string) string { return strings.Repeat(piece, n/len(piece)) }
	start := time.Now()
	for _, name := range []string{"a.sh", "a.py", "a.js"} {
		for _, text := range []string{
			fill("jq .a;"), fill("f(){ A=$(cat); };"), "jq '" + fill(".a|") + ".b'", "jq '" + fill("(") + "'",
			fill("$(echo "), fill("x=$(jq .a) "), fill("A1=$(cat)\n"), fill("("), fill("{"), fill("const {"),
			fill("d.get('a')"),
			"import json, sys\nd = json.load(sys.stdin)\n" + fill("d['a']['b']\n"), fill("json.load("), fill("'"),
			"const d = JSON.parse(require('fs').readFileSync(0));" + fill("d.a.b;"), fill("(a) =>"), fill("/"),
			fill("`${"),
			fill("def f("), "d = json.load(sys.stdin)" + fill("(d"), fill("\\"), fill("\n"), "\x00", fill("é"),
		} {
			Read(name, text)
		}
	}
	if took := time.Since(start); took > 5*time.Minute {
		t.Errorf("%s", took)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{"jq -r '.a // .b[\"c\"]'", "d = json.load(sys.stdin)\nd.get('a')[\"b\"]",
		"const { a: { b } } = JSON.parse(readFileSync(0)); b?.c"} {
		f.Add("a.sh", text)
		f.Add("a.py", text)
		f.Add("a.js", text)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		s, ok := Read(name, text)
		if !ok && len(s.Fields)+len(s.Words)+len(s.Exits) > 0 {
			t.Error("what can't be read has findings")
		}
		for _, x := range s.Fields {
			if len(x.Path) == 0 {
				t.Error("a field without a name")
			}
		}
	})
}

// TestBroken checks which code certainly doesn't parse: in doubt it does.
func TestBroken(t *testing.T) {
	for text, want := range map[string]bool{
		"export default (pi) => { pi.on(\"tool_call\", () => ({ block: true })) }": false,
		"export default (pi) => { pi.on(\"tool_call\", () => ({ block: true }) }":  true,
		"f({)}": true, "f()}": true, "f([1, 2]": true, "": false, "// (": false, "/* { */ f()": false,
		"f(\"(\", '[', a[0])": false, "if (/[(]/.test(a)) f()": false, "(a) / b": false, "if (a) /[(]/.test(b)": false,
		"f(`${g(`a`)}`": false, "const f = <T,>(a: T[]): T => a[0]": false, "f('": false,
	} {
		if got := Broken(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestStarved checks which programs find their own text in place of the input.
func TestStarved(t *testing.T) {
	const python = "import json, sys\nprint(json.load(sys.stdin)['a'])\n"
	for _, tt := range []struct {
		text string
		want int
	}{
		{"python3 - <<'E'\n" + python + "E\n", 1}, {"cat | python3 <<E\n" + python + "E\n", 1},
		{"bash -s <<'E'\nX=$(cat)\necho \"$X\" | jq .a\nE\n", 1}, {"true\n\nnode - <<-E\n\tJSON.parse(" +
			"require('fs').readFileSync(0)).a\n\tE\n", 3},
		{"python3 -c '" + python + "'", 0}, {"python3 x.py <<E\n{}\nE\n", 0}, {"cat <<E\njq .a\nE\n", 0},
		{"python3 - <<E\nprint(1)\nE\n", 0}, {"python3 - 3<<E\n" + python + "E\n", 0},
		{"IN=$(cat) python3 - <<E\nimport os, json\njson.loads(os.environ['IN'])['a']\nE\n", 0},
	} {
		s, ok := Read("a.sh", tt.text)
		got := append(s.Starved, 0)[0]
		if !ok || got != tt.want {
			t.Errorf("%q: %v, line %d, want %d", tt.text, ok, got, tt.want)
		}
	}
}
