package bridge

import (
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/convert"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// versioned lists dialects at versions and programs that differ.
var versioned = []string{"claude", "claude@2.0.45", "claude@1.0.60", "cursor", "cursor@2.4", "cursor@1.7",
	"cursor@3.15.19", "qoder", "qoder@ide", "qoder@ide-2026-07", "qoder@qoderwork"}

// TestNameOf checks that a found dialect has the name it was found by.
func TestNameOf(t *testing.T) {
	for _, name := range append(versioned, "qoder-sdk") {
		d, err := adapter.Find(name)
		if err != nil || d.Profile().Full() != name {
			t.Errorf("%s became %s", name, d.Profile().Full())
		}
	}
}

// TestVersionPairs checks the most important laws for pairs of versions, including versions of one agent. A denial
// stays a denial or is an error, and every written command names both sides as given.
func TestVersionPairs(t *testing.T) {
	for _, f := range versioned {
		for _, o := range versioned {
			from, _ := adapter.Find(f)
			to, _ := adapter.Find(o)
			if f == o {
				continue
			}
			cfg := &schema.Config{}
			for _, row := range from.Profile().Events {
				if !from.Profile().Has(&row) || row.Inline() {
					continue
				}
				cfg.Hooks = append(cfg.Hooks, schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate != nil,
					Handler: schema.HandlerCommand,
					Command: "./x", Path: "/hooks/" + row.Native + "/0"})
				if row.Blocks == schema.EffectDeny && row.Event == schema.PreTool {
					deniedIn(t, from, to, &row)
				}
			}
			c := convert.Convert(from, to, cfg, convert.ConvertOptions{})
			told := map[string]bool{}
			for _, e := range c.Entries {
				for _, path := range e.From {
					told[path] = true
				}
				if !strings.Contains(string(e.Value), "--host "+o+" --hooks "+f+" ") {
					t.Errorf("%s to %s: %s", f, o, e.Value)
				}
			}
			for _, d := range c.Diagnostics {
				told[d.Path] = true
			}
			for i := range cfg.Hooks {
				if !told[cfg.Hooks[i].Path] {
					t.Errorf("%s to %s: nothing is said of %s", f, o, cfg.Hooks[i].Path)
				}
			}
		}
	}
}

// deniedIn translates a denial by exit status, which every version has.
func deniedIn(t *testing.T, from, to dialect.Dialect, row *schema.EventRow) {
	t.Helper()
	c := hostCall(from, to, row, "")
	if c == nil {
		return // reported as HB201
	}
	h := schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCommand}
	v := schema.View{Event: row.Native, Kind: c.Tool.Kind()}
	reply, _ := from.DecodeReply(&h, v, &process.Result{Exit: 2, Stderr: []byte("no")})
	r := alone(to, from, cmdline.Policy{}, c)
	did := done{call: c, runs: []HookRun{{Hook: h, View: v, Reply: reply}}}
	fits := fit(settingOf(r, &did, merge(from, did.runs)))
	out := to.AppendReply(nil, c, &fits.reply)
	own := schema.Hook{Event: c.Event, Native: c.Native, Handler: schema.HandlerCommand}
	back, _ := to.DecodeReply(&own, schema.View{Event: c.Native, Kind: c.Tool.Kind()}, &process.Result{Stdout: out})
	if back.Verdict != schema.Deny && fits.notes.Max() < schema.Weaker {
		t.Errorf("%s %s to %s: a denial became %s: %s %v", from.Profile().Full(), row.Native, to.Profile().Full(),
			back.Verdict, out, fits.notes)
	}
}
