package family

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// guarded reports whether a mistake voids the file because of its event.
func (r *FileRules) guarded(c Consequence, row *schema.EventRow) bool {
	return c > Ignored && row != nil && slices.Contains(r.Guards, row.Event)
}

// Unknown reports a word that isn't in a table, and its consequence, which it returns. If the known versions reject the
// file for it, the file may still be valid: a newer version may accept the word. The rest of the file is then read,
// unless the user named the version.
func (p *Parser) Unknown(c Consequence, row *schema.EventRow, m ordjson.Member, path, msg string) Consequence {
	if c == Ignored {
		return p.Mistake(c, row, m, path, msg)
	}
	return p.Odd(DropsHandler, c, row, m, path, msg)
}

// Odd reports an unreadable part of an event's entries. The known versions lose what c describes. A newer version may
// be able to read the part, so only part is lost here, unless the user named the version. The result is what is lost.
func (p *Parser) Odd(part, c Consequence, row *schema.EventRow, m ordjson.Member, path, msg string) Consequence {
	if p.agent.Data.Pinned() || p.void {
		return p.Mistake(c, row, m, path, msg)
	}
	p.keepUnknown(row, path)
	if p.agent.File.guarded(c, row) {
		c = VoidsFile
	}
	if c <= part {
		return p.Mistake(c, row, m, path, msg)
	}
	one := effect{does: c, path: path}
	code := schema.CodeNewerPart
	if c == VoidsFile {
		code = schema.CodeNewerWord
	}
	data := p.agent.Data
	_, does := p.agent.File.effectOf(c)
	d := p.Report(code, m, path, msg+"; "+data.Title+data.Checked()+" "+does+"; other agents run the rest")
	if row != nil {
		d.Event, one.native = row.Native, row.Native
	}
	p.newer = append(p.newer, one)
	return part
}

// An effect is how the known versions treat something that they can't read.
type effect struct {
	does   Consequence
	native string // of its event, "" if it belongs to none
	path   string
}

// drops reports whether the effect keeps the known versions from running a hook.
func (e *effect) drops(h *schema.Hook) bool {
	within := func(path string) bool { return path == e.path || strings.HasPrefix(e.path, path+"/") }
	switch e.does {
	case DropsHandler:
		return within(h.Path)
	case DropsGroup:
		return within(h.Path) || h.Group.Path != "" && within(h.Group.Path)
	case DropsEvent, SilencesEvent:
		return h.Native == e.native
	}
	return e.does == VoidsFile
}

// known returns the configuration that the known versions read from a file with parts they can't read; nil: the same.
func (r *FileRules) known(cfg *schema.Config, newer []effect) *schema.Config {
	if len(newer) == 0 {
		return nil
	}
	out := *cfg
	out.Hooks, out.Void = slices.Clone(out.Hooks), slices.Clone(out.Void)
	for i := range newer {
		e := &newer[i]
		if e.does == VoidsFile {
			return r.rejected(cfg)
		}
		if e.does == SilencesEvent {
			out.Void = append(out.Void, e.native)
		}
		out.Hooks = slices.DeleteFunc(out.Hooks, func(h schema.Hook) bool { return e.drops(&h) })
	}
	return &out
}

// guardsWithout are the fields that don't weaken a guard if they are missing.
const guardsWithout = schema.HookTimeout | schema.HookFailPolicy | schema.HookLoopLimit | schema.HookAsync |
	schema.HookRewake | schema.HookOnce | schema.HookStatus | schema.HookSequential

// Without reports an unreadable field that a hook can do without: other agents run the hook. c is what the known
// versions lose; runs is false if the hook is lost here too.
func (p *Parser) Without(h *schema.Hook, of schema.Feature, c Consequence, row *schema.EventRow, m ordjson.Member,
	path, msg string) (runs bool) {
	if of&guardsWithout == 0 || p.agent.Data.Pinned() || p.void {
		return false
	}
	if of == schema.HookFailPolicy {
		h.Fail = schema.FailClosed // no weaker than any intended value
	}
	p.Odd(Ignored, c, row, m, path, msg)
	return true
}

// keepUnknown records the place of a word that may add or change a hook of an event; nil: of any.
func (p *Parser) keepUnknown(row *schema.EventRow, path string) {
	word := schema.UnknownWord{Path: path}
	if row != nil {
		word.Event = row.Event
	}
	p.cfg.Unknown = append(p.cfg.Unknown, word)
}

// UnknownEvent is Unknown for the name of an event.
func (p *Parser) UnknownEvent(c Consequence, name string, m ordjson.Member, path, msg string) {
	n := len(p.cfg.Unknown)
	p.Unknown(c, nil, m, path, msg)
	for i := range p.cfg.Unknown[n:] {
		p.cfg.Unknown[n+i].Name = name
	}
}

// unknown reports an event that the agent doesn't have or, with a row, doesn't have yet.
func (p *Parser) unknown(ev ordjson.Member, path string, row *schema.EventRow) {
	rules, data := p.agent.File, p.agent.Data
	switch {
	case slices.Contains(rules.NotEvents, ev.Name):
		p.Mistake(Ignored, nil, ev, path, strconv.Quote(ev.Name)+" is not an event")
		return
	case p.AnyTop && ordjson.KindOf(ev.Value) != ordjson.Array: // settings next to the events
		return
	}
	msg, agent := "unknown event "+strconv.Quote(ev.Name), data.Title
	if data.Program != nil {
		agent += " (" + data.Program.Name + ")"
	}

	idle := row != nil && row.At(data.AsOf) // the agent has it, but this program never raises it
	switch {
	case idle:
		msg = agent + data.Checked() + " never raises " + row.Native
	case row != nil:
		msg = data.Title + " " + data.Version + " has no event " + row.Native + " yet; it needs " + row.Since
	}
	if !idle && rules.KnownOnly || rules.SkipsEvents != "" && !data.Since(rules.SkipsEvents) {
		p.UnknownEvent(VoidsFile, ev.Name, ev, path, msg)
		return
	}

	if row == nil && !data.Pinned() {
		p.cfg.Unknown = append(p.cfg.Unknown, schema.UnknownWord{Path: path, Name: ev.Name})
	}
	code := schema.CodeSkippedEvent
	if idle { // as for hooks of other agents
		code = schema.CodeNoEvent
	}
	if row == nil {
		msg += "; " + agent + data.Checked() + " doesn't know it"
	}

	d := p.Report(code, ev, path, msg+", so these hooks never run")
	if d.Event = ev.Name; idle && row.Decides() == 0 {
		d.Severity = schema.Loss
	}
	for i := range data.Events {
		if native := data.Events[i].Native; row == nil && strings.EqualFold(native, ev.Name) && native != ev.Name {
			d.Fix, d.Edit = "did you mean "+native+"?", schema.Change{Path: d.Path, Name: native}
		}
	}
}

// SeveralRules reports whether rest, which follows an opening bracket, closes it and continues with a separator or a
// further bracket. A bracket too many, as in "Bash(echo :))", is text.
func SeveralRules(rest string) bool {
	depth := 1
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				after := strings.TrimSpace(rest[i+1:])
				return after != "" && strings.ContainsRune("|&,;", rune(after[0])) || strings.Contains(after, "(")
			}
		}
	}
	return false
}
