package cursor

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// ParseConfig reads a hooks.json. One fault anywhere voids the whole file, as in
// the client (observed SDK 1.0.32), so a Config with an Error or a void-file
// finding has no hooks. It continues after a finding, so that one run reports
// everything. An event that d's version has not yet is such a fault
// (forum t/149566).
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	p := parser{dialect: d, cfg: &schema.Config{Source: at}, src: text, index: ordjson.NewIndex(text)}
	o, repeated, err := ordjson.ParseLast(strip(text))
	schema.RepeatedDiagnostics(&p.ds, repeated, p.index, at.File)
	switch {
	case err != nil && ordjson.Check(text) == nil && bytes.Equal(strip(text), text):
		p.void(ordjson.Member{}, "", "the file isn't an object")
		return p.cfg, p.ds
	case err != nil && ordjson.Check(text) == nil:
		off := max(bytes.Index(text, []byte("//")), 0)
		p.void(ordjson.Member{Off: off}, "", "Cursor reads // and /* as the start of a comment, even inside a string, so the rest isn't valid JSON")
		return p.cfg, p.ds
	case err != nil:
		schema.SyntaxDiagnostic(&p.ds, err).Place(at.File)
		return p.cfg, p.ds
	case len(ordjson.TrimBOM(text)) != len(text):
		p.void(ordjson.Member{}, "", "the file starts with a byte order mark")
	}
	version := ordjson.Member{}
	for _, m := range o {
		switch m.Name {
		case "version":
			version = m
		case "hooks":
			p.hooks(m)
		default:
			p.cfg.Extra = append(p.cfg.Extra, m)
		}
	}
	if version.Value == nil { // the SDK refuses the file, the documents take 1: a guard runs
		p.at(schema.CodeNoVersion, ordjson.Member{}, "/version", "version is missing; the Cursor SDK rejects such a file").Fix = `add "version": 1`
	} else if f, ok := ordjson.Float(version.Value); !ok || f < 1 || f != math.Trunc(f) {
		p.void(version, "/version", "version must be a whole number above 0")
	}
	if p.dead {
		p.cfg.Hooks = nil
	}
	return p.cfg, p.ds
}

// strip takes comments out the way the client does: without looking at strings,
// so that a // inside one cuts the line, and the line comments first, so that a
// // inside a block comment cuts its end off (observed SDK 1.0.32). What is cut
// becomes blanks, which keeps the places.
func strip(src []byte) []byte {
	out := bytes.Clone(src)
	for i := 0; ; {
		n := bytes.Index(out[i:], []byte("//"))
		if n < 0 {
			break
		}
		i += n
		end := bytes.IndexAny(out[i:], "\n\r\u2028\u2029")
		if end < 0 {
			end = len(out) - i
		}
		blank(out[i : i+end])
		i += end
	}
	for i := 0; ; {
		n := bytes.Index(out[i:], []byte("/*"))
		if n < 0 {
			return out
		}
		i += n
		end := bytes.Index(out[i+2:], []byte("*/"))
		if end < 0 {
			return out
		}
		blank(out[i : i+2+end+2])
		i += 2 + end + 2
	}
}

type parser struct {
	dialect Dialect
	cfg     *schema.Config
	src     []byte
	index   *ordjson.Index
	ds      schema.Diagnostics
	dead    bool
}

func (p *parser) at(code schema.Code, m ordjson.Member, path, msg string) *schema.Diagnostic {
	d := p.ds.Add(code, path, msg)
	d.File = p.cfg.Source.File
	d.Line, d.Col = p.index.Position(m.Off)
	return d
}

func (p *parser) void(m ordjson.Member, path, msg string) {
	p.dead = true
	p.at(schema.CodeVoidFile, m, path, msg+"; Cursor silently rejects the whole file")
}

func (p *parser) hooks(m ordjson.Member) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.void(m, "/hooks", "hooks isn't an object")
		return
	}
	for _, ev := range o {
		path := ordjson.Pointer("/hooks", ev.Name)
		row := rowOf(ev.Name)
		if row == nil {
			p.void(ev, path, "Cursor has no event "+strconv.Quote(ev.Name))
			continue
		}
		if !p.dialect.Profile().Has(row) {
			p.void(ev, path, "Cursor "+p.dialect.Version+" has no event "+row.Native+" yet; it needs "+row.Since)
			continue
		}
		list, err := ordjson.Elements(ev.Value, ev.Off)
		if err != nil {
			p.void(ev, path, "the event's value isn't an array")
			continue
		}
		for i, m := range list {
			p.entry(row, m, ordjson.Pointer(path, strconv.Itoa(i)))
		}
	}
}

func (p *parser) entry(row *schema.EventRow, m ordjson.Member, path string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		p.void(m, path, "the entry isn't an object")
		return
	}
	h := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate, Inline: row.Inline, Source: p.cfg.Source, Path: path, Handler: schema.HandlerCommand}
	h.Line, h.Col = p.index.Position(m.Off)
	if raw, ok := o.Get("type"); ok {
		switch text, _ := ordjson.String(raw); text {
		case "command":
		case "prompt":
			h.Handler = schema.HandlerPrompt
		default:
			p.void(m, path+"/type", "unknown type "+string(raw))
			return
		}
	}
	for _, m := range o {
		if msg := p.member(&h, m, ordjson.Pointer(path, m.Name)); msg != "" {
			p.void(m, ordjson.Pointer(path, m.Name), msg)
			return
		}
	}
	switch {
	case h.Handler == schema.HandlerCommand && !o.Has("command"):
		p.void(m, path, "the entry has no command")
		return
	case h.Handler == schema.HandlerPrompt && len(ordjson.TrimSpace([]byte(h.Prompt))) == 0:
		p.void(m, path+"/prompt", "the prompt is empty")
		return
	}
	p.cfg.Hooks = append(p.cfg.Hooks, h)
}

// member reads one member of an entry; the result says why it is refused.
func (p *parser) member(h *schema.Hook, m ordjson.Member, path string) (bad string) {
	text, isText := ordjson.String(m.Value)
	switch m.Name {
	case "type": // read before the others
	case "command", "prompt", "model":
		return p.handler(h, m, path, text, isText)
	case "matcher":
		if !isText {
			return "matcher isn't a string"
		}
		if _, err := matcher.Compile(schema.GrammarRegexp, text); err != nil {
			return "matcher isn't a valid JavaScript regular expression: " + err.Error()
		}
		h.Matcher, h.HasMatcher = text, true
	case "timeout":
		f, ok := ordjson.Float(m.Value)
		if !ok || f <= 0 {
			return "timeout must be a number of seconds above 0"
		}
		h.Timeout = max(time.Duration(min(f, maxTimeout)*float64(time.Second)), 1)
		if f >= 1000 {
			p.at(schema.CodeMilliseconds, m, path, "timeout "+string(m.Value)+" is seconds").Fix = "divide by 1000 if milliseconds were meant"
		}
	case "loop_limit":
		n, ok := ordjson.Int(m.Value)
		limit := int(n)
		switch {
		case ordjson.KindOf(m.Value) == ordjson.Null:
			limit = -1
		case !ok || n <= 0:
			return "loop_limit must be a whole number above 0 or null"
		}
		h.LoopLimit = &limit
	case "failClosed":
		b, ok := ordjson.Bool(m.Value)
		if !ok {
			return "failClosed isn't true or false"
		}
		if h.Fail = schema.FailOpen; b {
			h.Fail = schema.FailClosed
		}
	default:
		h.Extra = append(h.Extra, m)
		p.at(schema.CodeUnknownMember, m, path, "Cursor ignores "+strconv.Quote(m.Name)+" here")
	}
	return ""
}

// handler reads a member that belongs to one kind of handler; Cursor does not
// look at those of the other kind.
func (p *parser) handler(h *schema.Hook, m ordjson.Member, path, text string, isText bool) (bad string) {
	if own := m.Name == "command"; own != (h.Handler == schema.HandlerCommand) {
		h.Extra = append(h.Extra, m)
		p.at(schema.CodeUnknownMember, m, path, "Cursor ignores "+m.Name+" in "+schema.An(h.Handler.String())+" hook")
		return ""
	}
	if !isText {
		return m.Name + " isn't a string"
	}
	switch m.Name {
	case "command":
		h.Command = text
	case "prompt":
		h.Prompt = text
	case "model":
		h.Model = text
	}
	return ""
}

const maxTimeout = 1e9 // seconds; keeps the conversion to nanoseconds in range
