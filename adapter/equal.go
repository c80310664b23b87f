package adapter

import (
	"slices"

	"github.com/hookbridge/hookbridge/schema"
)

// lastCounts reports whether of equal hooks the agent runs the last and not the
// first: they may differ in what the key leaves out, as what a failure means.
func lastCounts(d any) bool {
	l, ok := d.(interface{ LastCounts() bool })
	return ok && l.LastCounts()
}

// once leaves out the hooks that their own agent never runs, because an equal one
// with the same matcher runs, and names them: where equal hooks all run they
// would run too.
func (c *converter) once(hooks []schema.Hook) (kept []*schema.Hook) {
	equal := func(a, b *schema.Hook) bool {
		return a.Native == b.Native && a.Source.Plugin == b.Source.Plugin && c.from.Key(a) == c.from.Key(b)
	}
	last := lastCounts(c.from)
	for i := range hooks {
		h := &hooks[i]
		others, where := hooks[:i], "before"
		if last {
			others, where = hooks[i+1:], "after"
		}
		if slices.ContainsFunc(others, func(o schema.Hook) bool { return equal(&o, h) && o.Matcher == h.Matcher }) {
			c.report(schema.CodeAlreadyRun, schema.Note, h, "", "an equal hook stands "+where+" it, and "+c.from.Name()+" runs that one alone")
			continue
		}
		if !c.copies && slices.ContainsFunc(hooks[:i], func(o schema.Hook) bool {
			return equal(&o, h) && o.Matcher != h.Matcher && meet(c.from.Select(&o), c.from.Select(h))
		}) {
			c.report(schema.CodeAlreadyRun, schema.Note, h, "", "an equal hook has another matcher; where both match, "+c.from.Name()+" runs one of them, and converted both run")
		}
		kept = append(kept, h)
	}
	return kept
}

// meet reports whether two selections may select the same act.
func meet(a, b schema.Selection) bool {
	return a.All || b.All || slices.ContainsFunc(a.Picks, func(p schema.Pick) bool {
		return slices.ContainsFunc(b.Picks, func(q schema.Pick) bool { return p.Kind == q.Kind })
	})
}

// A written entry is told from others by what the target tells them by.
type written struct {
	pointer, matcher, key string
	from                  *schema.Hook
}

// merged names a hook whose entry the target takes for one with that of another,
// where its own agent runs both.
func (c *converter) merged(h *schema.Hook, e schema.Entry, out *schema.Hook) {
	w := written{e.Pointer, e.Matcher, c.to.Key(out), h}
	for _, o := range c.written {
		if o.pointer == w.pointer && o.matcher == w.matcher && o.key == w.key && o.from != h && c.from.Key(o.from) != c.from.Key(h) {
			c.report(schema.CodeAlreadyRun, schema.Note, h, "", c.from.Name()+" runs an equal hook beside it; "+c.to.Name()+" runs one of the two")
			break
		}
	}
	c.written = append(c.written, w)
}
