package conformance

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// declaredClasses are the reasons for differences between a scenario's effects in the two clients.
var declaredClasses = []struct{ name, why string }{
	{"limit", "the host has no such way: it ends no turn there, takes no new input or result, asks nobody, or " +
		"ignores context. hookbridge takes the stricter way and reports what is lost"},
	{"words", "the effect is the same, and each client, or hookbridge, puts it in words of its own"},
	{"unsaid", "one of the clients doesn't say something: an exit code, a reason, a server's name, the last message"},
	{"client", "one of the clients does something of its own: it goes on by itself, sends a patch as one call, " +
		"raises an event again"},
	{"newer", "the hook's own agent rejects the whole file for one word; a newer version may know it, and " +
		"hookbridge runs the rest"},
	{"user", "a flag, a rule or a switch of the user's"},
	{"work", "hookbridge could do it, and doesn't yet"},
}

const declaredPage = "../docs/reliability.md"

// TestDeclared checks that each difference that a scenario declares has a class, and that the page has the right
// counts.
func TestDeclared(t *testing.T) {
	count := map[string]int{}
	files, _ := filepath.Glob("live/scenarios/*-in-*.json")
	total := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range ordjson.Objects(bytes.TrimSpace(text)) {
			total++
			expect, _ := o.Get("expect")
			e, err := ordjson.Parse(expect)
			if err != nil || !e.Has("difference") {
				continue
			}
			count[e.Str("class")]++
			known := false
			for _, c := range declaredClasses {
				known = known || c.name == e.Str("class")
			}
			if !known {
				t.Errorf("%s: %s: no class %q", file, o.Str("name"), e.Str("class"))
			}
		}
	}

	var b strings.Builder
	b.WriteString("| class | scenarios | why |\n|---|---|---|\n")
	for _, c := range declaredClasses {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", c.name, count[c.name], c.why)
	}
	fmt.Fprintf(&b, "| none: all effects are the same | %d | |\n", total-sum(count))
	page, err := os.ReadFile(declaredPage)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(page), "<!-- declared -->\n")
	was, after, closed := strings.Cut(rest, "<!-- /declared -->")
	switch {
	case !ok || !closed:
		t.Errorf("%s has no place for the table", declaredPage)
	case was == b.String():
	case !*update:
		t.Errorf("%s counts otherwise; -update writes it:\n%s", declaredPage, b.String())
	default:
		text := before + "<!-- declared -->\n" + b.String() + "<!-- /declared -->" + after
		if err := os.WriteFile(declaredPage, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func sum(count map[string]int) (n int) {
	for _, c := range count {
		n += c
	}
	return n
}
