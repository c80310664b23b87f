package adapter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// TestGrammars lists what each form of matcher accepts in the grammar of each agent, as a table: + for each of the
// names in its first line.
func TestGrammars(t *testing.T) {
	names := []string{"", "Bash", "bash", "BashOutput", "Edit", "Write", "mcp__srv__do", "mcp__srv-2__do_it", "srv.do",
		"a|b"}
	patterns := []string{"", "*", "**", ".*", "Bash", "bash", "Bash|Edit", "Bash, Edit", "Bash Edit", " Bash ",
		"^Bash$", "^Bash", "Bash.*", "B?sh", "B*", "Bash(ls *)", "(", "[", "Ba[s]h", "mcp__srv__.*", "mcp__srv__*",
		"mcp__srv", "srv", "mcp__.*__do", "Edit|^Bash$", "|", "Bash|", "!Bash", "(?i)bash", "(?!Bash).*", "\\bdo\\b",
		"a|b", "a\\|b", "srv.do", "/Bash/", "~Bash", "server:srv", "Write|Edit|MultiEdit", "no such tool"}
	var b strings.Builder
	fmt.Fprintf(&b, "%q\n", names)
	for _, d := range adapter.Dialects() {
		seen := map[string]bool{}
		for _, row := range d.Profile().Events {
			grammar := d.Profile().GrammarOf(row.Native)
			for _, p := range patterns {
				line := accepted(grammar, p, names)
				if !seen[line] {
					seen[line] = true
					fmt.Fprintf(&b, "%s %s\n", d.Profile().Name, line)
				}
			}
		}
	}

	golden.Lines(t, "testdata/grammars.txt", b.String())
}

func accepted(g schema.Grammar, pattern string, names []string) string {
	m, err := matcher.Compile(g, pattern)
	if err != nil {
		return fmt.Sprintf("%q is a mistake", pattern)
	}
	var b strings.Builder
	for _, name := range names {
		b.WriteByte("-+"[map[bool]int{true: 1}[m.Match(name)]])
	}
	plain, isPlain := m.Plain()
	parts, contains := m.Contains()
	fmt.Fprintf(&b, " all %v, list %v, unread %v, plain %q %v, in %q %v, mcp %v %v", m.All(), m.Lists(), m.Unread(),
		plain, isPlain, parts, contains, m.MayTake("mcp__"), m.MayTakeOf("mcp__", "srv"))
	return fmt.Sprintf("%q %s", pattern, b.String())
}
