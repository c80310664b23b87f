package bridge

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// eachVersionPair calls do for every ordered pair of an agent's programs, and for its newest version with each version
// whose tables differ.
func eachVersionPair(t testing.TB, do func(from, to dialect.Dialect)) {
	t.Helper()
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		var programs []dialect.Dialect
		for _, g := range p.Programs {
			if own, err := d.At(g.Name); err != nil {
				t.Fatal(err)
			} else if own.Profile().Modules == nil {
				programs = append(programs, own)
			}
		}
		for _, a := range append(programs, d) {
			for _, b := range append(programs, d) {
				if adapter.NameOf(a) != adapter.NameOf(b) {
					do(a, b)
				}
			}
		}
		for _, version := range versionsOf(p) {
			if old, err := d.At(version); err == nil {
				do(old, d)
				do(d, old)
			}
		}
	}
}

// versionsOf lists the versions named in a profile's rows.
func versionsOf(p *dialect.Profile) (all []string) {
	for _, row := range p.Events {
		all = append(all, strings.TrimPrefix(row.Since, schema.AtMost))
	}
	for _, t := range p.Tools {
		all = append(all, t.Since, t.Until)
		for _, was := range t.Before {
			all = append(all, was.Until)
		}
	}
	for _, row := range p.Fields.All() {
		all = append(all, row.Since, row.Until)
	}
	if p.Fields != nil && len(p.Known) > 0 { // the version before a field's first one lacks it
		all = append(all, p.Known...)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(v string) bool { return v == "" })
}

// TestVersionCallLaw checks law L1 between versions: a payload that was translated there and back is unchanged, except
// for what the findings name.
func TestVersionCallLaw(t *testing.T) {
	seeds := map[string][]string{} // by the agent that sends them
	add := func(src string) {
		if by := adapter.Detect([]byte(src), nil); by != nil {
			seeds[by.Profile().Name] = append(seeds[by.Profile().Name], src)
		}
	}
	for _, src := range callSeeds {
		add(src)
	}
	for _, payloads := range allPayloads(t) {
		for _, p := range payloads {
			add(string(p.Text))
		}
	}
	n := map[string]int{}
	eachVersionPair(t, func(from, to dialect.Dialect) {
		for i, src := range seeds[from.Profile().Name] {
			if golden.LeftOut(i, 3) {
				continue
			}
			if from.Profile().Fixed() { // the payload of the version itself
				newest, _ := adapter.Find(from.Profile().Name)
				own, _ := TranslateCall(newest, from, []byte(src), "", "", nil)
				if len(own) == 0 {
					continue
				}
				src = string(own[0])
			}
			c, first := from.DecodeCall([]byte(src), nil)
			if c == nil {
				continue
			}
			row := from.Profile().Row(c.Native)
			if row == nil || !from.Profile().Has(row) || c.Malformed || len(first) > 0 {
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
			same := to.Profile().Row(c.Native)
			if there, _ := to.DecodeCall(outs[0], nil); there == nil || there.Native != c.Native &&
				(row.Gate != nil) == there.Gate && same != nil && to.Profile().Has(same) && !to.Profile().Unnamed {
				t.Errorf("%s to %s: %s: the event became another one: %s", from.Profile().Full(), to.Profile().Full(),
					src, outs[0])
			} else if there.Native != c.Native { // an event about single calls, or one in another form
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
				kept = kept || m.Name == versionField(from)           // each version names its own
				if tool, ok := ordjson.String(m.Value); ok && !kept { // that another version names differently
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

// versionField returns the field with which payloads name their version, or "".
func versionField(d dialect.Dialect) string {
	if row := d.Profile().Fields.Of(schema.FieldVersion); row != nil {
		return row.Name
	}
	return ""
}

// TestVersionGuardLaw checks law L2 between versions: hooks at the events chosen by plan decide nothing weaker than
// under their own version.
func TestVersionGuardLaw(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old.txt"), []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	counts, acts := map[string]int{}, guardActs(dir)
	cases := uint64(4)
	if s := os.Getenv("HOOKBRIDGE_SEEDS"); s != "" { // to find more
		cases, _ = strconv.ParseUint(s, 10, 64)
	}
	eachVersionPair(t, func(own, host dialect.Dialect) {
		own = adapter.AsWritten(own, host)
		pair := fnv.New64a() // another version leaves the other cases unchanged
		pair.Write([]byte(adapter.NameOf(own) + " " + adapter.NameOf(host)))
		for n := range cases {
			seed := pair.Sum64() + n
			rnd := rand.New(rand.NewPCG(seed, 2))
			g := newGuardCase(rnd, own, host, acts[rnd.IntN(len(acts))])
			if g == nil {
				continue
			}
			becomes := plan.New(own, host).Outcome(&g.hook, true)
			entries := becomes.Entries()
			if len(entries) == 0 {
				if len(becomes.Found) == 0 {
					t.Errorf("seed %d: %s: no entry, and no word why", seed, g)
				}
				counts["no entry"]++
				continue
			}
			if g.at = entries; g.called() {
				g.judged(t, seed, dir, counts)
			} else {
				g.leftOut(t, seed, counts)
			}
		}
	})
	if counts["equal"] < 20 || counts["denied alone"] < 5 {
		t.Errorf("too few hooks ran: %v", counts)
	}
	t.Log(counts)
}

// TestVersionGaps checks the same for calls for which an older version raises no event, if the hook has entries.
func TestVersionGaps(t *testing.T) {
	dir := guardDir(t)
	newest, _ := adapter.Find("cursor")
	old, err := newest.At("1.7")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, act := range guardActs(dir) {
		for _, r := range []schema.Reply{{Verdict: schema.Deny, Reason: "no"}, {Context: "mind it"}} {
			g := newGuardCase(rand.New(rand.NewPCG(1, 2)), newest, old, act)
			if g == nil || !act.Event.IsTool() || g.hook.Gate {
				continue
			}
			g.hook.Matcher = ""
			g.result = process.Result{Stdout: newest.AppendReply(nil, g.native, &r)}
			becomes := plan.New(newest, old).Outcome(&g.hook, true)
			if g.at = becomes.Entries(); len(g.at) > 0 && !g.called() {
				g.leftOut(t, 0, counts)
			}
		}
	}
	if counts["no entry for the call"] < 4 {
		t.Errorf("too few calls: %v", counts)
	}
	t.Log(counts)
}

// called reports whether the host calls one of the entries for the action.
func (g *guardCase) called() bool {
	return slices.ContainsFunc(payloadsOf(g.host, g.act), func(payload []byte) bool {
		c, _ := g.host.DecodeCall(payload, nil)
		return c != nil && raisedAt(g.at, c)
	})
}

// leftOut checks that the plan names what a hook misses: no answer can, if no entry is called for the action.
func (g *guardCase) leftOut(t *testing.T, seed uint64, counts map[string]int) {
	want, ran := g.alone()
	if !ran || reflect.DeepEqual(want, schema.Reply{}) {
		counts["not meant"]++
		return
	}
	counts["no entry for the call"]++
	need := schema.Loss
	if want.Verdict == schema.Deny {
		need = schema.Weaker
	}
	found := plan.New(g.own, g.host).Outcome(&g.hook, true).Found
	if !slices.ContainsFunc(found, func(f plan.Finding) bool {
		return (f.Code == schema.CodeNoEvent || f.Code == schema.CodeFewerCalls) && f.Severity >= need
	}) {
		t.Errorf("seed %d: %s: no entry is called for it, and no finding names that\nalone %s\n%v", seed, g,
			show(&want), found)
	}
}

// raisedAt reports whether the host calls one of the entries for a call.
func raisedAt(entries []schema.Entry, c *schema.Call) bool {
	return slices.ContainsFunc(entries, func(e schema.Entry) bool { return e.Native == c.Native })
}
