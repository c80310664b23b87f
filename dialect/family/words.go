package family

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// guarded reports whether a mistake voids the file because of the event that it is under.
func (p *Parser) guarded(c Consequence, row *schema.EventRow) bool {
	return c > Ignored && row != nil && slices.Contains(p.agent.File.Guards, row.Event)
}

// Unknown reports a word that no table knows, and what it does. A file that the known versions reject for it isn't
// broken: a newer version may know the word, and what is understood is read, unless the user named the version. The
// result is what the word does to what it is part of.
func (p *Parser) Unknown(c Consequence, row *schema.EventRow, m ordjson.Member, path, msg string) Consequence {
	if p.agent.Data.Pinned() || p.void {
		return p.Mistake(c, row, m, path, msg)
	}
	if c > Ignored {
		p.keepUnknown(row, path)
	}
	if c != VoidsFile && !p.guarded(c, row) {
		return p.Mistake(c, row, m, path, msg)
	}
	p.newer = true
	data := p.agent.Data
	d := p.Report(schema.CodeNewerWord, m, path, msg+"; "+data.Title+data.Checked()+" "+
		cmp.Or(p.agent.File.Rejects, "rejects the whole file")+"; other agents run the rest of it")
	if row != nil {
		d.Event = row.Native
	}
	return DropsHandler
}

// keepUnknown keeps the place of a word that may bring or change a hook of an event; nil: of any.
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

// unknown reports an event that the agent doesn't know, or, with a row, not yet.
func (p *Parser) unknown(ev ordjson.Member, path string, row *schema.EventRow) {
	rules, data := p.agent.File, p.agent.Data
	switch {
	case slices.Contains(rules.NotEvents, ev.Name):
		p.Mistake(Ignored, nil, ev, path, strconv.Quote(ev.Name)+" is not an event")
		return
	case p.AnyTop && ordjson.KindOf(ev.Value) != ordjson.Array: // settings beside the events
		return
	}
	msg, agent := "unknown event "+strconv.Quote(ev.Name), data.Title
	if data.Program != nil {
		agent += " (" + data.Program.Name + ")"
	}
	idle := row != nil && row.At(data.AsOf) // known to the agent, and never raised by this program
	switch {
	case idle:
		msg = agent + " never raises " + row.Native
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
			d.Fix = "did you mean " + native + "?"
		}
	}
}
