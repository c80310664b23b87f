package convert

import (
	"slices"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/schema"
)

// unwrapped reports a script or server that the target calls with its own payload, and whose answer it reads by its own
// rules.
func (c *converter) unwrapped(h *schema.Hook, entries []schema.Entry) {
	what, fix := "command", "convert without --wrap never"
	switch {
	case c.copies || h.Handler == schema.HandlerPrompt || h.Handler == schema.HandlerAgent:
		return
	case h.Handler != schema.HandlerCommand:
		what, fix = h.Handler.String()+" hook", "make sure that it understands "+c.to.Profile().Title
	case c.wrap != WrapNever:
		return
	}
	c.report(schema.CodeForeignImport, plan.GuardSeverity(c.from, h), h, "", "the "+what+" is copied, so at "+
		entries[0].Native+" it gets a "+c.to.Profile().Title+" payload, and "+c.to.Profile().Title+
		" reads its answer; it was written for "+c.from.Profile().Title).Fix = fix
}

// once leaves out hooks that their own agent never runs because an equal hook with the same matcher runs, and reports
// them. A target that runs all equal hooks would run them too.
func (c *converter) once(hooks []schema.Hook) (kept []*schema.Hook) {
	byKey, runs := map[string][]*schema.Hook{}, map[[2]string]*schema.Hook{}
	last := c.from.Profile().LastCounts
	key := func(h *schema.Hook) string {
		return h.Native + "\x00" + h.Source.Plugin + "\x00" + c.from.Profile().KeyOf(h)
	}
	for i := range hooks {
		h := &hooks[i]
		k := key(h)
		byKey[k] = append(byKey[k], h)
		// Of several identical hooks, the first counts as the one that runs.
		matched := [2]string{k, h.Matcher}
		if first := runs[matched]; first == nil || last && !first.Alike(h) {
			runs[matched] = h
		}
	}

	for i := range hooks {
		h := &hooks[i]
		k := key(h)
		equal := byKey[k]
		if other := runs[[2]string{k, h.Matcher}]; other != h {
			c.report(schema.CodeAlreadyRun, schema.Note, h, "", "the same hook is also at "+other.Path+", and "+
				c.from.Profile().Title+" runs only that one")
			continue
		}
		kept = append(kept, h)
		if at := slices.Index(equal, h); !c.copies && slices.ContainsFunc(equal[:at], func(o *schema.Hook) bool {
			mine, theirs := c.from.Select(h), c.from.Select(o)
			return o.Matcher != h.Matcher && mine.Meets(&theirs)
		}) {
			c.report(schema.CodeAlreadyRun, schema.Note, h, "", "the same hook has another matcher. Where both match, "+
				c.from.Profile().Title+" runs one of them; the converted hooks both run")
		}
	}
	return kept
}

// merged reports a hook whose entry the target treats as identical to that of another hook, although its own agent runs
// both.
func (c *converter) merged(h *schema.Hook, e schema.Entry, out *schema.Hook) {
	key := e.Pointer + "\x00" + e.Matcher + "\x00" + c.to.Profile().KeyOf(out)
	if o := c.written[key]; o != nil && o != h && c.from.Profile().KeyOf(o) != c.from.Profile().KeyOf(h) {
		c.report(schema.CodeAlreadyRun, schema.Note, h, "", c.from.Profile().Title+
			" runs this hook and an identical one; "+c.to.Profile().Title+" runs only one of them")
	}
	if c.written == nil {
		c.written = map[string]*schema.Hook{}
	}
	c.written[key] = h
}
