package dialect

import (
	"regexp"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/schema"
)

// TestMCPNames checks an agent's name for another's spelling of any server and tool. The name must be among those that
// it is matched by, and fit the expression.
func TestMCPNames(t *testing.T) {
	rules := map[string]MCPNames{
		"raw":       {Prefix: "m:", Between: ":"},
		"under":     {Prefix: "m:", Between: ":", NameRules: schema.NameRules{Else: '_'}},
		"dash kept": {Prefix: "m:", Between: ":", NameRules: schema.NameRules{Else: '_', Kept: "-"}},
		"dots kept": {Prefix: "m:", Between: ":", NameRules: schema.NameRules{Else: '_', Kept: "-.:"}},
		"dashes":    {Prefix: "m:", Between: ":", NameRules: schema.NameRules{Else: '-', Kept: "-"}},
		"runs":      {Prefix: "m:", Between: ":", NameRules: schema.NameRules{Else: '_', Kept: "-", Runs: true}},
		"servers": {Prefix: "m:", Between: ":", NameRules: schema.NameRules{Else: '_', Kept: "-",
			Server: &schema.NameRules{Else: '-', Kept: "-", Runs: true, Only: " ./:-", Most: 32}}},
	}
	words := []string{"hb", "brave-search", "my.srv", "a_b", "a b", "x/y", "Up", "do-it-now-and-then-or-not",
		"a.b.c.d.e.f.g", "n:s", "a__b"}
	for from, f := range rules {
		for to, g := range rules {
			if f.Else != 0 && g.Else == 0 {
				continue // the written name can't be known
			}
			for _, server := range words {
				for _, tool := range words {
					want, s, n := g.Join(server, tool), f.OfServer().Word(server), f.Word(tool)
					if names := g.Names(f.NameRules, s, n); !slices.Contains(names, want) {
						t.Errorf("%s to %s: %s isn't in %q", from, to, want, names)
					}
					if e, _ := g.Expression(f.NameRules, s, n); !regexp.MustCompile("^(?:" + e + ")$").MatchString(
						want) {
						t.Errorf("%s to %s: %s doesn't fit %s", from, to, want, e)
					}
				}
			}
		}
	}
}

// TestCutSums checks which names end in a sum (observed Qwen Code 0.24.4, Droid 0.225.2).
func TestCutSums(t *testing.T) {
	n := MCPNames{Prefix: "mcp__", Between: "__", Longest: 63, Sum: func(string) string { return "0000000" },
		SumsChanged: true}
	for tool, want := range map[string]int{"do_it_03yqsc5": 5, "echo_0otlrsf": 4, "echo": 0, "list_project": 0,
		"_04bmrrc": 0, "do_it": 0} {
		if got := n.Cut("mcp__hb__"+tool, tool); got != want {
			t.Errorf("%s: %d", tool, got)
		}
	}
	n.NameRules = schema.NameRules{Else: '_', Kept: "-"}
	e, _ := n.Expression(n.NameRules, "hb", "do_it")
	if !regexp.MustCompile("^(?:" + e + ")$").MatchString("mcp__hb__do_it_03yqsc5") {
		t.Error(e)
	}
	if n.SumsChanged = false; n.Cut("mcp__hb__do_it_03yqsc5", "do_it_03yqsc5") != 0 {
		t.Error("a name that isn't the longest has no sum")
	}
}

// TestSmallNames checks how Oh My Pi 18.2.3 writes names. A tool whose name begins with the server's must be among the
// possible meanings of a name without it.
func TestSmallNames(t *testing.T) {
	small := MCPNames{Prefix: "mcp__", Between: "_", NameRules: schema.NameRules{Else: '_', Runs: true, Lower: true,
		Once: true}}
	for in, want := range map[[2]string]string{{"hb", "echo"}: "mcp__hb_echo", {"My-Srv", "doIt"}: "mcp__my_srv_doit",
		{"hb", "hb_echo"}: "mcp__hb_echo", {"_a__b_", "-c-"}: "mcp__a_b_c"} {
		if got := small.Join(in[0], in[1]); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	other := MCPNames{Prefix: "mcp__", Between: "__"}
	for _, want := range []string{"mcp__hb__echo", "mcp__hb__hb_echo"} {
		if got := other.Names(small.NameRules, "hb", "echo"); !slices.Contains(got, want) {
			t.Errorf("%s isn't in %q", want, got)
		}
	}
}
