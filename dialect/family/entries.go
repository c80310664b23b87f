package family

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// An EntryRow reads and writes one field of a handler. At most one of Text, Flag, List, Pairs, Raw, Timeout and Words
// is set, and defines the type of the value. If none is, the row needs Read and Write, or the value is kept as JSON.
type EntryRow struct {
	Name    string
	Of      schema.Handler // 0: every handler
	Feature schema.Feature // the feature of a hook that it expresses; 0: the handler itself
	Untyped bool           // the agent doesn't check the type
	Kind    ordjson.Kind   // the type, unless a field below implies it

	Text    func(h *schema.Hook) *string          // a text; "" isn't written
	Flag    func(h *schema.Hook) *bool            // written if true; Untyped: JavaScript's truthiness counts
	List    func(h *schema.Hook) *[]string        // an array of texts; nil isn't written
	Pairs   func(h *schema.Hook) *[]schema.EnvVar // an object of texts; Untyped: other plain values become text
	Raw     func(h *schema.Hook) *[]byte          // JSON, unchanged
	Timeout *TimeoutForm
	Words   []WordOf // the effect of the hook's own failure
	Since   string   // the version that introduced it, "" if it was always there

	// Read returns why a value is rejected, "" if it isn't; Write returns nil if there is nothing to write. Each
	// replaces the common way.
	Read  func(h *schema.Hook, raw []byte) (bad string)
	Write func(h *schema.Hook) []byte
}

// The fields of a hook that a row may read and write.

func CommandOf(h *schema.Hook) *string          { return &h.Command }
func ArgsOf(h *schema.Hook) *[]string           { return &h.Args }
func ShellOf(h *schema.Hook) *string            { return &h.Shell }
func MatcherOf(h *schema.Hook) *string          { return &h.Matcher }
func URLOf(h *schema.Hook) *string              { return &h.URL }
func HeadersOf(h *schema.Hook) *[]schema.EnvVar { return &h.Headers }
func EnvAllowOf(h *schema.Hook) *[]string       { return &h.EnvAllow }
func PromptOf(h *schema.Hook) *string           { return &h.Prompt }
func ModelOf(h *schema.Hook) *string            { return &h.Model }
func ServerOf(h *schema.Hook) *string           { return &h.Server }
func ToolRefOf(h *schema.Hook) *string          { return &h.ToolRef }
func InputOf(h *schema.Hook) *[]byte            { return &h.Input }
func EnvOf(h *schema.Hook) *[]schema.EnvVar     { return &h.Env }
func StatusOf(h *schema.Hook) *string           { return &h.Status }
func AsyncOf(h *schema.Hook) *bool              { return &h.Async }
func RewakeOf(h *schema.Hook) *bool             { return &h.Rewake }
func OnceOf(h *schema.Hook) *bool               { return &h.Once }
func OnBlockOf(h *schema.Hook) *bool            { return &h.OnBlock }
func SequentialOf(h *schema.Hook) *bool         { return &h.Sequential }

// A WordOf is one of a field's possible words.
type WordOf struct {
	Word string
	Fail schema.FailPolicy
}

// A TimeoutForm is how a timeout in seconds is read. The zero TimeoutForm accepts any number above 0.
type TimeoutForm struct {
	Whole bool    // only whole numbers, 0 included
	Least float64 // a smaller one becomes this
	Most  float64 // a larger one becomes this; 0: maxSeconds
	Limit float64 // a handler with a larger one doesn't run; 0: none
}

// maxSeconds keeps the conversion of a timeout to nanoseconds in range.
const maxSeconds = 1e9

// Kinds returns the type of a value and that of its elements; Invalid: not checked.
func (e *EntryRow) Kinds() (kind, each ordjson.Kind) {
	switch {
	case e.Untyped:
		return ordjson.Invalid, ordjson.Invalid
	case e.Text != nil, e.Words != nil:
		return ordjson.StringKind, ordjson.Invalid
	case e.Flag != nil:
		return ordjson.BoolKind, ordjson.Invalid
	case e.List != nil:
		return ordjson.Array, ordjson.StringKind
	case e.Pairs != nil:
		return ordjson.ObjectKind, ordjson.Invalid
	case e.Timeout != nil:
		return ordjson.Number, ordjson.Invalid
	}
	return e.Kind, ordjson.Invalid
}

// read stores a value in a hook, and returns why it is rejected, "" if it isn't.
func (e *EntryRow) read(h *schema.Hook, raw []byte) (bad string) {
	switch {
	case e.Read != nil:
		return e.Read(h, raw)
	case e.Text != nil:
		*e.Text(h), _ = ordjson.String(raw)
	case e.Flag != nil:
		*e.Flag(h) = ordjson.Truthy(raw)
	case e.List != nil:
		*e.List(h) = ordjson.Strings(raw)
	case e.Pairs != nil:
		return e.readPairs(h, raw)
	case e.Raw != nil:
		*e.Raw(h) = raw
	case e.Timeout != nil:
		return e.readTimeout(h, raw)
	case e.Words != nil:
		return e.readWord(h, raw)
	default:
		h.Extra = append(h.Extra, ordjson.Member{Name: e.Name, Value: raw})
	}
	return ""
}

func (e *EntryRow) readPairs(h *schema.Hook, raw []byte) (bad string) {
	o, _ := ordjson.Members(raw, 0)
	var vars []schema.EnvVar
	for _, m := range o {
		s, ok := ordjson.String(m.Value)
		switch {
		case !ok && !e.Untyped:
			return e.Name + " has a value that is not a string"
		case !ok:
			s = string(m.Value)
		}
		vars = append(vars, schema.EnvVar{Name: m.Name, Value: s})
	}
	*e.Pairs(h) = vars
	return ""
}

func (e *EntryRow) readTimeout(h *schema.Hook, raw []byte) (bad string) {
	most := cmp.Or(e.Timeout.Most, maxSeconds)
	f, ok := ordjson.Float(raw)
	if e.Timeout.Whole {
		n, whole := ordjson.Int(raw)
		if !whole || n < 0 || bytes.ContainsAny(raw, ".eE") {
			return e.Name + " is not a whole number of seconds"
		}
		f, ok = float64(n), true
	} else if !ok || f <= 0 {
		return e.Name + " is not a number of seconds above 0"
	}
	if limit := e.Timeout.Limit; limit > 0 && f > limit {
		return e.Name + " is more than " + strconv.FormatFloat(limit, 'f', -1, 64) + " seconds"
	}
	h.Timeout = max(1, time.Duration(min(max(f, e.Timeout.Least), most)*float64(time.Second)))
	return ""
}

func (e *EntryRow) readWord(h *schema.Hook, raw []byte) (bad string) {
	s, _ := ordjson.String(raw)
	known := ""
	for _, w := range e.Words {
		if w.Word == s {
			h.Fail = w.Fail
			return ""
		}
		known += " or " + w.Word
	}
	return e.Name + " is not" + known[len(" or"):]
}

// write returns the value for a hook, nil if there is nothing to write.
func (e *EntryRow) write(h *schema.Hook) []byte {
	switch {
	case e.Write != nil:
		return e.Write(h)
	case e.Text != nil && *e.Text(h) != "":
		return ordjson.AppendString(nil, *e.Text(h))
	case e.Flag != nil && *e.Flag(h):
		return []byte("true")
	case e.List != nil && *e.List(h) != nil:
		return ordjson.AppendArray(nil, *e.List(h), ordjson.AppendString)
	case e.Pairs != nil && len(*e.Pairs(h)) > 0:
		return AppendVars(*e.Pairs(h))
	case e.Raw != nil:
		return *e.Raw(h)
	case e.Timeout != nil && h.Timeout > 0 && e.Timeout.Whole:
		return strconv.AppendInt(nil, int64((h.Timeout+time.Second-1)/time.Second), 10)
	case e.Timeout != nil && h.Timeout > 0:
		return strconv.AppendFloat(nil, h.Timeout.Seconds(), 'f', -1, 64)
	}
	for _, w := range e.Words {
		if w.Fail == h.Fail {
			return ordjson.AppendString(nil, w.Word)
		}
	}
	return nil
}

// AppendVars writes variables as an object of texts.
func AppendVars(vars []schema.EnvVar) []byte {
	w := ordjson.NewWriter(nil)
	for _, v := range vars {
		w.String(v.Name, v.Value)
	}
	return w.Bytes()
}

// advise reports a number of seconds that doesn't have its apparent effect.
func (e *EntryRow) advise(raw []byte) (code schema.Code, msg, fix string) {
	if e.Timeout == nil || e.Timeout.Whole {
		return "", "", ""
	}
	switch f, _ := ordjson.Float(raw); {
	case f <= 0 && e.Read == nil:
		return schema.CodeVoidHook, e.Name + " " + string(raw) + ": the hook is killed before it can answer",
			"write a number of seconds above 0"
	case f >= 1000:
		return schema.CodeMilliseconds, e.Name + " " + string(raw) + " is seconds",
			"divide by 1000 if milliseconds were meant"
	}
	return "", "", ""
}

// WriteCommand writes the command, even if empty: without it the entry would have another meaning.
func WriteCommand(h *schema.Hook) []byte { return ordjson.AppendString(nil, h.Command) }

// ReadCondition stores a condition in a hook.
func ReadCondition(h *schema.Hook, raw []byte) string {
	h.Condition, _ = ordjson.String(raw)
	h.HasCondition = true
	return ""
}

// WriteCondition writes the condition of a hook that has one, even an empty one.
func WriteCondition(h *schema.Hook) []byte {
	if !h.HasCondition && h.Condition == "" {
		return nil
	}
	return ordjson.AppendString(nil, h.Condition)
}

// Features returns the features of hooks that an entry can express.
func (a *Agent) Features() (f schema.Feature) {
	f = schema.HookMatcher
	for _, e := range slices.Concat(a.File.Entries, a.File.Groups) {
		f |= e.Feature
	}
	return f
}

// WriteHook writes a group with a single handler, and returns the features that it can express: none if the agent
// doesn't run such a handler.
func (a *Agent) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	w, handler := ordjson.NewWriter(nil), ordjson.NewWriter(nil)
	if e.Matcher != "" {
		w.String("matcher", e.Matcher)
	}
	writeRows(&w, a.File.Groups, h)
	said = a.Features()
	kind := lists.Find(a.File.Handlers, func(t *HandlerRow) bool { return t.Handler == h.Handler })
	if kind != nil {
		handler.String("type", kind.Type)
	}
	if row := a.Data.Row(e.Native); kind == nil || row != nil && slices.Contains(kind.Never, row.Event) {
		said = 0
	}
	writeRows(&handler, a.File.Entries, h)
	w.Raw("hooks", slices.Concat([]byte{'['}, handler.Bytes(), []byte{']'}))
	return w.Bytes(), said
}

// WriteFlat writes an entry that is a handler without a group, and returns the features that it can express.
func (a *Agent) WriteFlat(h *schema.Hook) (value []byte, said schema.Feature) {
	w := ordjson.NewWriter(nil)
	writeRows(&w, a.File.Entries, h)
	return w.Bytes(), a.Features() &^ schema.HookMatcher
}

func writeRows(w *ordjson.Writer, rows []EntryRow, h *schema.Hook) {
	for _, e := range rows {
		if e.Of != 0 && e.Of != h.Handler {
			continue
		}
		if raw := e.write(h); raw != nil {
			w.Raw(e.Name, raw)
		}
	}
}
