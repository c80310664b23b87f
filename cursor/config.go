package cursor

import (
	"bytes"
	"math"
	"strconv"
	"unicode"

	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// file is how hooks.json is read: one mistake anywhere voids the whole file, as in the client (observed SDK 1.0.32). An
// event that the version doesn't have yet is such a mistake (forum t/149566).
var file = family.FileRules{
	LastCounts: true, KnownOnly: true, KeepsTop: true, Rejects: "silently rejects the whole file",
	BadSetting: family.VoidsFile, BadHooks: family.VoidsFile, WrongType: family.VoidsFile,
	Missing: family.VoidsFile, InOrder: true, NoType: family.VoidsFile,
	Settings: []family.SettingRow{{Name: "version", Read: version}},
	Handlers: []family.HandlerRow{{Type: "command", Handler: schema.HandlerCommand, Needs: []string{"command"}},
		{Type: "prompt", Handler: schema.HandlerPrompt, Needs: []string{"prompt"}}},
	Entries: []family.EntryRow{
		{Name: "type", Write: writeType},
		{Name: "prompt", Of: schema.HandlerPrompt, Feature: schema.HookPrompt, Read: readPrompt, Text: family.PromptOf},
		{Name: "model", Of: schema.HandlerPrompt, Feature: schema.HookModel, Text: family.ModelOf},
		{Name: "command", Of: schema.HandlerCommand, Text: family.CommandOf, Write: family.WriteCommand},
		{Name: "matcher", Feature: schema.HookMatcher, Read: readMatcher, Text: family.MatcherOf},
		{Name: "timeout", Feature: schema.HookTimeout, Timeout: &family.TimeoutForm{}},
		{Name: "failClosed", Feature: schema.HookFailPolicy, Kind: ordjson.BoolKind, Read: readFail,
			Write: family.WriteFail},
		{Name: "loop_limit", Feature: schema.HookLoopLimit, Read: readLoopLimit, Write: writeLoopLimit},
	},
}

// ParseConfig reads a hooks.json. It continues after a finding, so that one run
// reports everything.
func (d Dialect) ParseConfig(text []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	a := family.Agent{Data: d.Profile(), File: &file, Steps: family.Steps{Entry: (*family.Parser).Flat}}
	p := a.Parser(text, strip(text), at)
	o, err := p.Object()
	switch {
	case err != nil && ordjson.Check(text) == nil && bytes.Equal(p.Text(), text):
		void(p, ordjson.Member{}, "the file isn't an object")
		return p.Result()
	case err != nil && ordjson.Check(text) == nil:
		off := max(bytes.Index(text, []byte("//")), 0)
		void(p, ordjson.Member{Off: off}, "Cursor reads // and /* as the start of a comment, even inside a "+
			"string, so the rest isn't valid JSON")
		return p.Result()
	case err != nil:
		p.Syntax(err)
		return p.Result()
	case len(ordjson.TrimBOM(text)) != len(text):
		void(p, ordjson.Member{}, "the file starts with a byte order mark")
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
	if !o.Has("version") { // the SDK rejects the file, the documents assume 1: a guard runs
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

func void(p *family.Parser, m ordjson.Member, msg string) {
	p.Mistake(family.VoidsFile, nil, m, "", msg)
}

// strip removes comments as the client does. It doesn't recognize strings, so a // inside one cuts the line. It removes
// line comments first, so a // inside a block comment cuts off its end (observed SDK 1.0.32). Blanks replace the
// removed text, so that positions don't change.
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

// cutFromString returns where the client first removes something from a string, -1 for nowhere.
func cutFromString(text []byte) int {
	cut, comments := strip(text), ordjson.BlankComments(text)
	for i := range text {
		if cut[i] != text[i] && comments[i] == text[i] && !unicode.IsSpace(rune(text[i])) {
			return i
		}
	}
	return -1
}

// blankEach blanks every part with that beginning, for its length; 0: it never ends.
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

// writeType writes the type of a hook that isn't a command.
func writeType(h *schema.Hook) []byte {
	if h.Handler != schema.HandlerPrompt {
		return nil
	}
	return []byte(`"prompt"`)
}

func readPrompt(h *schema.Hook, raw []byte) (bad string) {
	h.Prompt, _ = ordjson.String(raw)
	return unless(len(ordjson.TrimSpace([]byte(h.Prompt))) > 0, "the prompt is empty")
}

func readMatcher(h *schema.Hook, raw []byte) (bad string) {
	h.Matcher, h.HasMatcher = ordjson.String(raw)
	if read, err := matcher.Compile(matcher.Anywhere, h.Matcher); err != nil && !read.Unread() {
		return err.Error()
	}
	return ""
}

func readFail(h *schema.Hook, raw []byte) (bad string) {
	h.Fail = schema.FailOpen
	return family.ReadFail(h, raw)
}

// readLoopLimit reads how often a stop may be denied; null means no limit.
func readLoopLimit(h *schema.Hook, raw []byte) (bad string) {
	n, ok := ordjson.Int(raw)
	limit := int(n)
	if ordjson.KindOf(raw) == ordjson.Null {
		limit = -1
	} else if !ok || n <= 0 {
		return "loop_limit must be a whole number above 0 or null"
	}
	h.LoopLimit = &limit
	return ""
}

func writeLoopLimit(h *schema.Hook) []byte {
	switch {
	case h.LoopLimit == nil:
		return nil
	case *h.LoopLimit < 0:
		return []byte("null")
	}
	return strconv.AppendInt(nil, int64(*h.LoopLimit), 10)
}
