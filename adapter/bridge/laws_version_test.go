package bridge

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// versionPairs are versions and programs of one agent; the laws hold for both directions.
var versionPairs = [][2]string{
	{"cursor@2.4", "cursor"}, {"cursor@2.0", "cursor"}, {"cursor@1.7", "cursor@2.4"}, {"cursor@sdk", "cursor@editor"},
	{"cursor@cli", "cursor@sdk"},
	{"cursor@2.4", "cursor@sdk"}, {"claude@2.0.45", "claude"}, {"claude@1.0.60", "claude@2.1.41"},
	{"qoder", "qoder@ide"},
	{"qoder@qoderwork", "qoder@ide"},
	{"gemini@0.30.0", "gemini"}, {"copilot@1.0.40", "copilot"},
}

func eachVersionPair(t testing.TB, do func(from, to dialect.Dialect)) {
	t.Helper()
	for _, p := range versionPairs {
		a, err := adapter.Find(p[0])
		b, bad := adapter.Find(p[1])
		if err != nil || bad != nil {
			t.Fatal(err, bad)
		}
		do(a, b)
		do(b, a)
	}
}

// TestVersionCallLaw holds law L1 between versions: a payload that was translated there and
// back is what it was, but for what the findings name.
func TestVersionCallLaw(t *testing.T) {
	seeds := slices.Clone(callSeeds)
	for _, files := range allPayloads(t) {
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			seeds = append(seeds, string(src))
		}
	}
	n := map[string]int{}
	eachVersionPair(t, func(from, to dialect.Dialect) {
		for _, src := range seeds {
			c, first := from.DecodeCall([]byte(src), nil)
			if c == nil {
				continue
			}
			row := from.Profile().Row(c.Native)
			if row == nil || !from.Profile().Has(row) || c.Malformed || len(first) > 0 ||
				adapter.Detect([]byte(src), nil) == nil || !adapter.SameAgent(adapter.Detect([]byte(src), nil), from) {
				continue
			}
			outs, ds := TranslateCall(from, to, []byte(src), "", "", nil)
			if len(outs) == 0 {
				if len(ds) == 0 {
					t.Errorf("%s to %s: %s: no payload, and no word why", from.Profile().Full(), to.Profile().Full(),
						src)
				}
				continue
			}
			if there, _ := to.DecodeCall(outs[0], nil); there == nil || there.Native != c.Native &&
				row.Gate == there.Gate {
				t.Errorf("%s to %s: %s: the event became another one: %s", from.Profile().Full(), to.Profile().Full(),
					src, outs[0])
			} else if there.Native != c.Native { // an event about single calls, which says less
				continue
			}
			n[from.Profile().Full()+" to "+to.Profile().Full()]++
			back, more := TranslateCall(to, from, outs[0], "", "", nil)
			if len(back) == 0 {
				t.Errorf("%s to %s: %s: not back: %v", from.Profile().Full(), to.Profile().Full(), outs[0], more)
				continue
			}
			had, _ := ordjson.Parse([]byte(src))
			again, _ := ordjson.Parse(back[0])
			for _, m := range had {
				path := ordjson.Pointer("", m.Name)
				kept := slices.ContainsFunc(again, func(x ordjson.Member) bool {
					return sameValue(m.Value, x.Value, true)
				})
				if tool, ok := ordjson.String(m.Value); ok && !kept { // that another version calls otherwise
					now, _ := again.Text(m.Name)
					kept = from.Profile().Tool(tool) != nil && now == from.Profile().ToolName(tool)
				}
				if !kept && !named(ds, path) && !partly(ds, m.Name) && !named(more, path) && !partly(more, m.Name) {
					t.Errorf("%s to %s: %s of %s is lost without a word\nthere %s\nback %s\n%v", from.Profile().Full(),
						to.Profile().Full(), m.Name, src, outs[0], back[0], ds)
				}
			}
		}
	})
	t.Log(n)
}

// TestVersionGuardLaw holds law L2 between versions: hooks at the events where plan places them
// decide nothing laxer than under their own version.
func TestVersionGuardLaw(t *testing.T) {
	dir := plainDir(t)
	if err := os.WriteFile(filepath.Join(dir, "old.txt"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	counts, acts := map[string]int{}, guardActs(dir)
	seed := uint64(0)
	eachVersionPair(t, func(own, host dialect.Dialect) {
		own = adapter.AsWritten(own, host)
		for range 12 {
			seed++
			rnd := rand.New(rand.NewPCG(seed, 2))
			g := newGuardCase(rnd, own, host, acts[rnd.IntN(len(acts))])
			if g == nil {
				continue
			}
			entries := plan.New(own, host).Entries(&g.hook, true)
			if len(entries) == 0 {
				if len(plan.New(own, host).Findings(&g.hook, nil)) == 0 {
					t.Errorf("seed %d: %s: no entry, and no word why", seed, g)
				}
				counts["no entry"]++
				continue
			}
			g.at = entries
			g.judged(t, seed, dir, counts)
		}
	})
	if counts["equal"] < 20 || counts["denied alone"] < 5 {
		t.Errorf("too few hooks ran: %v", counts)
	}
	t.Log(counts)
}

// raisedAt reports whether the host calls one of the entries for a call.
func raisedAt(entries []schema.Entry, c *schema.Call) bool {
	return slices.ContainsFunc(entries, func(e schema.Entry) bool { return e.Native == c.Native })
}
