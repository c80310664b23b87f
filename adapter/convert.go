package adapter

import (
	"strings"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// WrapPolicy says whether converted commands are wrapped in a call of the
// bridge, which translates payload and answer for them.
type WrapPolicy uint8

const (
	WrapAuto   WrapPolicy = iota // wherever the dialects differ
	WrapAlways                   // the same, and commands that are calls of the bridge already too
	WrapNever                    // commands are copied
)

// A Placed is one entry of the converted configuration.
type Placed struct {
	Pointer string // array it belongs into
	Value   []byte // compact JSON
	From    string // JSON Pointer of the hook it was made of
}

// A Conversion is the outcome of Convert.
type Conversion struct {
	In, Out     int // hooks read, entries made
	Entries     []Placed
	Diagnostics schema.Diagnostics
}

// Convert makes the entries by which the hooks of one dialect stand in the
// configuration of another. Every hook of cfg is in the entries or named by the
// path of a diagnostic, and so is every member of it.
func Convert(from, to Dialect, cfg *schema.Config, wrap WrapPolicy) *Conversion {
	c := &converter{Conversion: &Conversion{In: len(cfg.Hooks)}, from: from, to: to, wrap: wrap}
	for i := range cfg.Hooks {
		c.hook(&cfg.Hooks[i])
	}
	for _, m := range cfg.Extra {
		if m.Name != "$schema" && m.Name != "description" {
			d := c.Diagnostics.Add(schema.CodeMemberLost, ordjson.Pointer("", m.Name), "a setting that is none of hooks; it stays behind")
			d.File = cfg.Source.File
		}
	}
	c.Out = len(c.Entries)
	return c.Conversion
}

type converter struct {
	*Conversion
	from, to Dialect
	wrap     WrapPolicy
}

func (c *converter) report(code schema.Code, s schema.Severity, h *schema.Hook, member, msg string) *schema.Diagnostic {
	d := c.Diagnostics.AddSeverity(code, s, "", msg)
	place(d, h)
	if member != "" {
		d.Path = ordjson.Pointer(h.Path, member)
	}
	return d
}

func (c *converter) hook(h *schema.Hook) {
	if w, ok := Unwrap(h.Command); ok && w.Hooks == c.to.Name() && c.wrap != WrapAlways {
		c.unwrap(h, &w)
		return
	}
	sel := c.from.Select(h)
	entries := plan(c.to, h, sel)
	if len(entries) == 0 {
		sev := schema.Loss
		if row := rowOf(c.from, h.Native); row != nil && row.Blocks != 0 {
			sev = schema.Weaker
		}
		d := c.report(schema.CodeNoEvent, sev, h, "", c.to.Name()+" has no event for "+h.Native+"; the hook would never run")
		d.Fix = "keep it in " + c.from.Name() + ", or put it on an event that " + c.to.Name() + " has"
		return
	}
	out, carried, ok := c.carrier(h)
	if !ok {
		return
	}
	var said schema.Feature
	for _, e := range entries {
		value, s := c.to.WriteHook(e, out)
		said = s
		c.Entries = append(c.Entries, Placed{e.Pointer, value, h.Path})
		if !e.Exact && carried == 0 && h.Matcher != "" {
			c.report(schema.CodeNoFeature, schema.Loss, h, "matcher", "the matcher becomes "+quoteOr(e.Matcher, "none")+" on "+e.Native+", which selects more")
		}
	}
	c.lost(h, said, carried)
}

// plan asks the target for the entries of a hook, on the event that tells of it.
func plan(to Dialect, h *schema.Hook, sel schema.Selection) []schema.Entry {
	at := *h
	if sel.Event != 0 {
		at.Event = sel.Event
	}
	return to.Plan(&at, sel)
}

func quoteOr(s, none string) string {
	if s == "" {
		return none
	}
	return `"` + s + `"`
}

// carrier is the hook as the target is to run it: wrapped, or as it is.
func (c *converter) carrier(h *schema.Hook) (out *schema.Hook, carried schema.Feature, ok bool) {
	copied := *h
	out = &copied
	if h.Handler != schema.HandlerCommand {
		if c.sayable(h) {
			return out, 0, true
		}
		sev := schema.Loss
		if row := rowOf(c.from, h.Native); row != nil && row.Blocks != 0 {
			sev = schema.Weaker
		}
		c.report(schema.CodeNoHandler, sev, h, "", c.to.Name()+" has no "+h.Handler.String()+" hooks; the hook is not carried")
		return nil, 0, false
	}
	if c.wrap == WrapNever {
		c.plainTimeout(out)
		return out, 0, true
	}
	w := Wrapping{Host: c.to.Name(), Hooks: c.from.Name(), Event: h.Native, Hook: *h}
	w.Hook.Timeout = 0
	limit := c.from.Timeout(h)
	if h.Fail == schema.FailClosed { // the bridge must be alive to refuse
		w.Hook.Timeout = limit
		limit += 5 * time.Second
	}
	out.Command, out.Args, out.Shell = w.Command(), nil, ""
	out.Condition, out.HasCondition, out.Async, out.Rewake = "", false, false, false
	out.Timeout = limit
	out.LoopLimit = nil
	if h.Event == schema.Stop || h.Event == schema.SubagentStop { // the bridge counts by the hook's own agent's rule
		none := -1
		out.LoopLimit = &none
	}
	return out, wrapped, true
}

// plainTimeout writes the time limit out where the default is another one.
func (c *converter) plainTimeout(h *schema.Hook) {
	if limit := c.from.Timeout(h); h.Timeout == 0 {
		other := *h
		if c.to.Timeout(&other) != limit {
			h.Timeout = limit
		}
	}
}

// sayable reports whether the target has handlers of the hook's kind.
func (c *converter) sayable(h *schema.Hook) bool {
	_, said := c.to.WriteHook(schema.Entry{}, h)
	need := h.Uses() & (schema.HookHTTP | schema.HookPrompt | schema.HookAgent | schema.HookMCPTool | schema.HookCallback)
	return need&^said == 0
}

// lost reports the members of the hook that neither the entry nor the wrapper
// carries.
func (c *converter) lost(h *schema.Hook, said, carried schema.Feature) {
	(h.Uses() &^ said &^ carried).Each(func(f schema.Feature) {
		sev := schema.Loss
		if f == schema.HookFailPolicy || f == schema.HookCondition && carried == 0 {
			sev = schema.Weaker
		}
		if f == schema.HookStatus || f == schema.HookOnce {
			sev = schema.Note
		}
		c.report(schema.CodeNoFeature, sev, h, c.from.MemberName(f), c.to.Name()+" has no counterpart for "+f.Name())
	})
}

// unwrap gives back what an earlier conversion wrapped.
func (c *converter) unwrap(h *schema.Hook, w *Wrapping) {
	row := rowOf(c.to, w.Event)
	if row == nil {
		c.report(schema.CodeSkippedEvent, schema.Loss, h, "", c.to.Name()+" has no event "+w.Event)
		return
	}
	out := w.Hook
	out.Event, out.Native, out.Gate, out.Path = row.Event, row.Native, row.Gate, h.Path
	if out.Timeout == 0 && h.Timeout != c.to.Timeout(&out) {
		out.Timeout = h.Timeout
	}
	e := schema.Entry{Native: row.Native, Pointer: "/hooks/" + row.Native, Matcher: out.Matcher, Exact: true}
	value, _ := c.to.WriteHook(e, &out)
	for _, p := range c.Entries { // one hook may have become several entries
		if p.Pointer == e.Pointer && string(p.Value) == string(value) {
			c.report(schema.CodeAlreadyRun, schema.Note, h, "", "the same hook as an entry before")
			return
		}
	}
	c.Entries = append(c.Entries, Placed{e.Pointer, value, h.Path})
}

// Document writes the entries as a file of their own, an entry a line.
func (c *Conversion) Document(to Dialect) []byte {
	skeleton, _ := ordjson.Parse(to.Skeleton())
	var arrays []string
	byArray := map[string][]Placed{}
	for _, e := range c.Entries {
		if byArray[e.Pointer] == nil {
			arrays = append(arrays, e.Pointer)
		}
		byArray[e.Pointer] = append(byArray[e.Pointer], e)
	}
	out := []byte("{\n")
	for i, m := range skeleton {
		if i > 0 {
			out = append(out, ",\n"...)
		}
		out = append(ordjson.AppendString(append(out, "  "...), m.Name), ": "...)
		if m.Name != "hooks" {
			out = append(out, m.Value...)
			continue
		}
		out = append(out, '{')
		for j, a := range arrays {
			if j > 0 {
				out = append(out, ',')
			}
			out = ordjson.AppendString(append(out, "\n    "...), strings.TrimPrefix(a, "/hooks/"))
			out = append(out, ": ["...)
			for k, e := range byArray[a] {
				if k > 0 {
					out = append(out, ',')
				}
				out = append(append(out, "\n      "...), e.Value...)
			}
			out = append(out, "\n    ]"...)
		}
		if len(arrays) > 0 {
			out = append(out, "\n  "...)
		}
		out = append(out, '}')
	}
	return append(out, "\n}\n"...)
}

func seconds(f float64) time.Duration { return time.Duration(f * float64(time.Second)) }
