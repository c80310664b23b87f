package convert

import (
	"cmp"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/schema"
)

// unwrapAll recovers the hooks that an earlier conversion wrapped.
func (c *converter) unwrapAll(h *schema.Hook, of []cmdline.Wrapping) {
	call, _ := cmdline.Parse(h.Command, h.Args)
	if text := call.Text("inline"); text != "" {
		if slices.Contains(c.unpacked, text) { // each event of its hooks has the same text
			return
		}
		c.unpacked = append(c.unpacked, text)
		own := *h // the entry's own settings follow from the hooks
		own.Matcher, own.Fail, own.LoopLimit = "", 0, nil
		h = &own
	}
	for i := range of {
		c.unwrap(h, &of[i])
	}
	c.leftBehind(h)
}

// unwrap recovers one hook of an entry.
func (c *converter) unwrap(h *schema.Hook, w *cmdline.Wrapping) {
	row := c.to.Profile().Row(w.Event)
	if row == nil {
		c.report(schema.CodeSkippedEvent, schema.Loss, h, "", c.to.Profile().TitleChecked()+
			" doesn't know the event "+w.Event)
		return
	}

	out := w.Hook
	out.Event, out.Native, out.Gate, out.Path = row.Event, row.Native, row.Gate != nil, h.Path
	if out.Timeout == 0 && w.Hook.Path == "" && h.Timeout != c.from.Profile().Stated(c.to.Profile().Timeout(&out)) {
		out.Timeout = h.Timeout
	}

	unsaid := c.added(h, &out)
	if out.Source.Plugin != "" { // the entry named it; the written file doesn't
		if c.fixPaths(&out, c.to, c.to, c.becomes(h)); out.Command != w.Hook.Command {
			c.report(schema.CodeNoFeature, schema.Note, h, "command",
				"the written file isn't part of the plugin, so the command names the plugin's folder itself")
		}
	}

	if w.Hooks != c.to.Profile().Full() { // the script was written for another version
		again := cmdline.Wrapping{Host: c.to.Profile().Full(), Hooks: w.Hooks, Event: w.Event, Policy: w.Policy,
			Hook: w.Hook}
		out.Command, out.Args, out.Shell = again.Command(), nil, ""
		out.Condition, out.HasCondition, out.Async, out.Rewake = "", false, false, false
	}

	e := schema.Entry{Native: row.Native, Pointer: c.to.Profile().EventsAt + "/" + row.Native, Matcher: out.Matcher,
		Exact: true}
	value, said := c.to.WriteHook(e, &out)
	c.lost(h, unsaid|out.Uses()&^said)
	for _, p := range c.Entries { // one hook may be in several entries
		if p.Pointer == e.Pointer && string(p.Value) == string(value) {
			c.report(schema.CodeAlreadyRun, schema.Note, h, "", "the same hook as an earlier entry")
			return
		}
	}

	c.Entries = append(c.Entries, Placed{Pointer: e.Pointer, Value: value, From: []string{h.Path}})
}

// added gives the unwrapped hook the settings of its entry that the wrapper lacks: those that a conversion copies, and
// those added to the entry since. It returns the features that the hook can't have.
func (c *converter) added(entry, out *schema.Hook) (unsaid schema.Feature) {
	out.Status, out.Extra = cmp.Or(entry.Status, out.Status), append(out.Extra, entry.Extra...)
	out.Env = append(out.Env, entry.Env...)
	out.Once, out.Sequential = out.Once || entry.Once, out.Sequential || entry.Sequential
	out.Async, out.Rewake = out.Async || entry.Async, out.Rewake || entry.Rewake
	if entry.Fail == schema.FailClosed || out.Fail == schema.FailDefault {
		out.Fail = entry.Fail
	}
	if n := entry.LoopLimit; n != nil && *n >= 0 && out.LoopLimit == nil {
		out.LoopLimit = n
	}
	if entry.Condition != "" { // it is a condition of the host
		unsaid |= schema.HookCondition
	}
	if entry.Matcher == "" {
		return unsaid
	}
	again := plan.New(c.to, c.from).Outcome(out, true)
	for _, e := range again.Entries() {
		if e.Native == entry.Native && e.Matcher == entry.Matcher {
			return unsaid
		}
	}
	c.report(schema.CodeNoFeature, schema.Loss, entry, "matcher",
		"the matcher of the entry isn't converted; the matcher of the hook in it is "+plan.QuoteOr(out.Matcher, "none"))
	return unsaid
}
