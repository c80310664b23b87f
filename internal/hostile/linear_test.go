//go:build linux

package hostile

import (
	"runtime"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/frontmatter"
	"github.com/hookbridge/hookbridge/internal/jsonedit"
	"github.com/hookbridge/hookbridge/internal/jsregexp"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/patch"
	"github.com/hookbridge/hookbridge/internal/projectfile"
	"github.com/hookbridge/hookbridge/internal/tomljson"
	"github.com/hookbridge/hookbridge/internal/wildcard"
	"github.com/hookbridge/hookbridge/schema"
)

// readers lists what reads a repository's text, and the units that a hostile text repeats.
var readers = []struct {
	name  string
	read  func(text string)
	units []string
}{
	{"front matter", func(s string) { (frontmatter.Rules{}).JSON([]byte("---\nhooks: 1\n"+s+"\n---\n"), "hooks") },
		[]string{"# x\n", "a:\n", "- ", "x ", "? ", "{", "[", "\"", "'\n", "! ", "&a ", "- - \n", "a: [", ": ",
			"k: |\n", "- a\n", "a: >\n\n\n", "- a # x\n# y\n\n", "&a a: 1\n", "\t", "é", "\u0085"}},
	{"front matter that isn't YAML", func(s string) {
		for _, d := range adapter.Dialects() {
			if rules := d.Profile().FrontMatter; rules.Again != nil {
				rules.JSON([]byte("---\nb: a: b\n"+s+"\nhooks: 1\n---\n"), "hooks")
			}
		}
	}, []string{"# x\n", "a:\n", "x ", "a: |\n", " x\n", "a: b: c\n", "\"", "a: @\n", "\t", ": |\n x\n\n", "\n",
		"a: [b\n"}},
	{"hookbridge.yaml", func(s string) { projectfile.Parse(projectfile.Name, []byte(s)) },
		[]string{"accept: 1\n", "- finding: x\n  reason: y\n", "a: 1\n", "[", "# x\n"}},
	{"JSON", func(s string) { ordjson.ParseLast([]byte(`{"a":1,"a":2,` + s)); ordjson.BlankComments([]byte(s)) },
		[]string{`"a":1,`, `"a":{`, `[`, `"\u0061":[],`, `/*`, `//`, `"`, ` `, `,`}},
	{"last commas", func(s string) { ordjson.BlankLastCommas([]byte(s)); ordjson.LoneSurrogate([]byte(s)) },
		[]string{`,]`, `,`, `"\ud800`, `\`}},
	{"JSON with comments", func(s string) { jsonedit.Standard([]byte(`{"a":[` + s)) },
		[]string{`1,`, `/**/`, `[`, `{"a":`, "// x\n", `"`}},
	{"TOML", func(s string) { tomljson.Document([]byte(s)) },
		[]string{"[[a]]\n", "[[a.b]]\n", "a = [", "[a.", "# x\n", "a.", "'", "\"\"\"\n", "[[a]]\nb = 1\n"}},
	{"matcher", func(s string) {
		names := schema.Grammar{All: "*", Names: "_|-, ", Expression: schema.JavaScript}
		if m, err := matcher.Compile(names, s); err == nil {
			m.Match("Bash")
		}
	}, []string{"Bash|", "a,", "mcp__x", "(", "[a", "a*", "\\"}},
	{"expression", func(s string) { jsregexp.Compile(s) }, []string{"a|", "(a", "[a-z]", "a*", "\\d", "(?:", "(?<"}},
	{"wildcard", func(s string) { wildcard.Match(s, strings.Repeat("a", 1000)+"b"); wildcard.ParseCommand(s) },
		[]string{"*", "a*", "?", "\\", "* "}},
	{"path", func(s string) { wildcard.ParsePath(s, true) }, []string{"**/", "a/", "../", "*", "{a,"}},
	{"patch", func(s string) { (patch.Grammar{}).Parse("*** Begin Patch\n" + s) },
		[]string{"*** Add File: a\n+b\n", "*** Update File: a\n@@\n-a\n+b\n", "+", "@@\n"}},
}

// allocated counts the bytes that a call allocates.
func allocated(read func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestLinear checks that no reader of a repository's text allocates more than its size justifies. Four times the text
// takes at most six times the memory, since a list grows in steps.
func TestLinear(t *testing.T) {
	const small = 1 << 14
	for _, r := range readers {
		for _, unit := range r.units {
			bytes := func(size int) uint64 {
				text := strings.Repeat(unit, size/len(unit))
				return allocated(func() { r.read(text) })
			}
			bytes(small) // what is made once
			one, four := bytes(small), bytes(4*small)
			if four > 6*one+1<<16 {
				t.Errorf("%s: %d bytes of %q allocate %d bytes, four times as many %d", r.name, small, unit, one, four)
			}
		}
	}
}
