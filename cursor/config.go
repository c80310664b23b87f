package cursor

import (
	"bytes"
	"math"
	"strconv"
	"time"
	"unicode"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// file is how hooks.json is read: one fault anywhere voids the whole file, as in the
// client (observed SDK 1.0.32). An event that the version has not yet is such a fault
// (forum t/149566).
var file = family.FileRules{
	LastCounts: true, KnownOnly: true, KeepsTop: true, Rejects: "silently rejects the whole file",
	BadSetting: family.VoidsFile, BadHooks: family.VoidsFile, WrongType: family.VoidsFile,
	Settings: []family.SettingRow{{Name: "version", Read: version}},
}

// ParseConfig reads a hooks.json. It continues after a finding, so that one run
// reports everything.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	a := family.Agent{Data: d.Profile(), File: &file, Steps: family.Steps{Entry: readEntry}}
	p := a.Parser(text, strip(text), at)
	o, err := p.Object()
	switch {
	case err != nil && ordjson.Check(text) == nil && bytes.Equal(p.Text(), text):
		void(p, nil, ordjson.Member{}, "", "the file isn't an object")
		return p.Result()
	case err != nil && ordjson.Check(text) == nil:
		off := max(bytes.Index(text, []byte("//")), 0)
		void(p, nil, ordjson.Member{Off: off}, "", "Cursor reads // and /* as the start of a comment, even inside a "+
			"string, so the rest isn't valid JSON")
		return p.Result()
	case err != nil:
		p.Syntax(err)
		return p.Result()
	case len(ordjson.TrimBOM(text)) != len(text):
		void(p, nil, ordjson.Member{}, "", "the file starts with a byte order mark")
	}

	if off := cutFromString(text); off >= 0 {
		p.Report(schema.CodeVoidHook, ordjson.Member{Off: off}, "",
			"Cursor takes // and /* in a string for the start of a comment, so what follows is lost, up to the end "+
				"of the line or the next */").Fix =
			`write \/\/ for // and /\u002a for /*`
	}

	p.Settings(o, "")
	if !o.Has("hooks") {
		p.Report(schema.CodeShape, ordjson.Member{}, "", "\"hooks\" is missing, so the file has no hooks").Severity =
			schema.Loss
	}
	if !o.Has("version") { // the SDK refuses the file, the documents take 1: a guard runs
		d := p.Report(schema.CodeNoVersion, ordjson.Member{}, "",
			"version is missing; the Cursor SDK rejects such a file")
		d.Fix, d.Edit = `add "version": 1`, schema.Change{Path: "/version", Value: "1"}
	}

	return p.Result()
}

func version(_ *schema.Config, m ordjson.Member, _ string) (bad string) {
	f, ok := ordjson.Float(m.Value)
	return unless(ok && f >= 1 && f == math.Trunc(f), "version must be a whole number above 0")
}

func void(p *family.Parser, row *schema.EventRow, m ordjson.Member, path, msg string) {
	if row == nil {
		p.Mistake(family.VoidsFile, row, m, path, msg)
		return
	}
	p.Odd(family.DropsHandler, family.VoidsFile, row, m, path, msg)
}

// strip takes comments out the way the client does: without looking at strings,
// so that a // inside one cuts the line, and the line comments first, so that a
// // inside a block comment cuts its end off (observed SDK 1.0.32). What is cut
// becomes blanks, which keeps the places.
func strip(src []byte) []byte {
	out := bytes.Clone(src)
	blankEach(out, "//", func(rest []byte) int {
		if end := bytes.IndexAny(rest, "\n\r\u2028\u2029"); end >= 0 {
			return end
		}
		return len(rest)
	})
	blankEach(out, "/*", func(rest []byte) int {
		if end := bytes.Index(rest[2:], []byte("*/")); end >= 0 {
			return end + len("/**/")
		}
		return 0
	})
	return out
}

// cutFromString is where the client first cuts something out of a string, -1 for nowhere.
func cutFromString(text []byte) int {
	cut, comments := strip(text), ordjson.BlankComments(text)
	for i := range text {
		if cut[i] != text[i] && comments[i] == text[i] && !unicode.IsSpace(rune(text[i])) {
			return i
		}
	}
	return -1
}

// blankEach blanks what begins so, for the length that it has; 0: it never ends.
func blankEach(text []byte, begin string, length func(rest []byte) int) {
	for {
		i := bytes.Index(text, []byte(begin))
		if i < 0 {
			return
		}
		n := length(text[i:])
		if n == 0 {
			return
		}
		for j, c := range text[i : i+n] {
			if c != '\n' {
				text[i+j] = ' '
			}
		}
		text = text[i+n:]
	}
}

func readEntry(p *family.Parser, row *schema.EventRow, m ordjson.Member, path string) {
	o, err := ordjson.Members(m.Value, m.Off)
	if err != nil {
		void(p, row, m, path, "the entry isn't an object")
		return
	}

	h := p.Hook(row, m, path)
	h.Handler = schema.HandlerCommand
	if raw, ok := o.Get("type"); ok {
		switch text, _ := ordjson.String(raw); text {
		case "command":
		case "prompt":
			h.Handler = schema.HandlerPrompt
		default:
			msg := "the type isn't a string"
			if _, isText := ordjson.String(raw); isText {
				msg = "unknown type " + string(raw)
			}
			void(p, row, m, path+"/type", msg)
			return
		}
	}

	for _, m := range o {
		at := ordjson.Pointer(path, m.Name)
		msg := member(p, &h, m, at)
		if msg == "" || p.Without(&h, p.Agent().Data.FeatureOf(m.Name), family.VoidsFile, row, m, at, msg) {
			continue
		}
		void(p, row, m, at, msg)
		return
	}

	switch {
	case h.Handler == schema.HandlerCommand && !o.Has("command"):
		void(p, row, m, path, "the entry has no command")
	case h.Handler == schema.HandlerPrompt && !o.Has("prompt"):
		void(p, row, m, path, "the entry has no prompt")
	case h.Handler == schema.HandlerPrompt && len(ordjson.TrimSpace([]byte(h.Prompt))) == 0:
		void(p, row, m, path+"/prompt", "the prompt is empty")
	default:
		p.Add(h)
	}
}

func member(p *family.Parser, h *schema.Hook, m ordjson.Member, path string) (bad string) {
	text, isText := ordjson.String(m.Value)
	switch m.Name {
	case "type": // read before the others
	case "command":
		return handlerMember(p, h, schema.HandlerCommand, m, path, &h.Command)
	case "prompt":
		return handlerMember(p, h, schema.HandlerPrompt, m, path, &h.Prompt)
	case "model":
		return handlerMember(p, h, schema.HandlerPrompt, m, path, &h.Model)
	case "matcher":
		if !isText {
			return "matcher isn't a string"
		}
		if read, err := matcher.Compile(matcher.Anywhere, text); err != nil && !read.Unread() {
			return err.Error()
		}
		h.Matcher, h.HasMatcher = text, true
	case "timeout":
		f, ok := ordjson.Float(m.Value)
		if !ok || f <= 0 {
			return "timeout must be a number of seconds above 0"
		}
		h.Timeout = max(time.Duration(min(f, maxTimeout)*float64(time.Second)), 1)
		if f >= 1000 {
			p.Report(schema.CodeMilliseconds, m, path, "timeout "+string(m.Value)+" is seconds").Fix =
				"divide by 1000 if milliseconds were meant"
		}
	case "loop_limit":
		n, ok := ordjson.Int(m.Value)
		limit := int(n)
		if ordjson.KindOf(m.Value) == ordjson.Null {
			limit = -1
		} else if !ok || n <= 0 {
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
		p.Report(schema.CodeUnknownMember, m, path, "Cursor ignores "+strconv.Quote(m.Name)+" here")
	}

	return ""
}

// handlerMember reads a text that belongs to one kind of handler; Cursor does not look
// at those of the other kind.
func handlerMember(p *family.Parser, h *schema.Hook, of schema.Handler, m ordjson.Member, path string,
	into *string) (bad string) {
	if of != h.Handler {
		h.Extra = append(h.Extra, m)
		p.Report(schema.CodeUnknownMember, m, path, "Cursor ignores "+m.Name+" in "+schema.An(h.Handler.String())+
			" hook")
		return ""
	}
	text, ok := ordjson.String(m.Value)
	*into = text
	return unless(ok, m.Name+" isn't a string")
}

const maxTimeout = 1e9 // seconds; keeps the conversion to nanoseconds in range
