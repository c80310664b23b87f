package family

import (
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// An EntryRow is one member of a handler, both ways. Read returns why a value is
// refused, "" if it isn't; Write returns nil if there is nothing to write.
type EntryRow struct {
	Name  string
	Kind  ordjson.Kind   // Invalid: nobody looks at the type
	Each  ordjson.Kind   // of the elements; Invalid: nobody looks
	Of    schema.Handler // 0: every handler
	Says  schema.Feature // 0: part of the handler itself
	Read  func(h *schema.Hook, raw []byte) (bad string)
	Write func(h *schema.Hook) []byte
	// Advise says what a value does that it doesn't seem to do.
	Advise func(h *schema.Hook, raw []byte) (code schema.Code, msg, fix string)
}

// A WordOf is one of the words that a member's value may be.
type WordOf struct {
	Word string
	Fail schema.FailPolicy
}

// maxSeconds keeps the conversion of a timeout to nanoseconds in range.
const maxSeconds = 1e9

// TextEntry is a member that holds one text of a hook.
func TextEntry(name string, of schema.Handler, says schema.Feature, at func(*schema.Hook) *string) EntryRow {
	return EntryRow{
		Name: name, Kind: ordjson.StringKind, Of: of, Says: says,
		Read: func(h *schema.Hook, raw []byte) string {
			*at(h), _ = ordjson.String(raw)
			return ""
		},
		Write: func(h *schema.Hook) []byte {
			if *at(h) == "" {
				return nil
			}
			return ordjson.AppendString(nil, *at(h))
		},
	}
}

// CommandEntry is the member that holds the command, which is written if it is empty
// too: without it the file would say something else.
func CommandEntry(name string) EntryRow {
	e := TextEntry(name, schema.HandlerCommand, 0, func(h *schema.Hook) *string { return &h.Command })
	e.Write = func(h *schema.Hook) []byte { return ordjson.AppendString(nil, h.Command) }
	return e
}

// ConditionEntry is the member that holds the condition.
func ConditionEntry(name string) EntryRow {
	e := TextEntry(name, 0, schema.HookCondition, func(h *schema.Hook) *string { return &h.Condition })
	e.Read = func(h *schema.Hook, raw []byte) string {
		h.Condition, _ = ordjson.String(raw)
		h.HasCondition = true
		return ""
	}
	e.Write = func(h *schema.Hook) []byte {
		if !h.HasCondition && h.Condition == "" {
			return nil
		}
		return ordjson.AppendString(nil, h.Condition)
	}
	return e
}

// FlagEntry is a member that switches something on.
func FlagEntry(name string, of schema.Handler, says schema.Feature, at func(*schema.Hook) *bool) EntryRow {
	return EntryRow{
		Name: name, Kind: ordjson.BoolKind, Of: of, Says: says,
		Read: func(h *schema.Hook, raw []byte) string {
			*at(h), _ = ordjson.Bool(raw)
			return ""
		},
		Write: func(h *schema.Hook) []byte {
			if !*at(h) {
				return nil
			}
			return []byte("true")
		},
	}
}

// ListEntry is a member that holds a list of texts.
func ListEntry(name string, of schema.Handler, says schema.Feature, at func(*schema.Hook) *[]string) EntryRow {
	return EntryRow{
		Name: name, Kind: ordjson.Array, Each: ordjson.StringKind, Of: of, Says: says,
		Read: func(h *schema.Hook, raw []byte) string {
			*at(h) = ordjson.Strings(raw)
			return ""
		},
		Write: func(h *schema.Hook) []byte {
			if *at(h) == nil {
				return nil
			}
			return Texts(*at(h))
		},
	}
}

// Texts is a list of texts as JSON.
func Texts(list []string) []byte {
	out := []byte{'['}
	for i, s := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = ordjson.AppendString(out, s)
	}
	return append(out, ']')
}

// PairsEntry is a member that holds an object of texts. Loose: other plain values
// become text, and nobody looks at the type.
func PairsEntry(name string, of schema.Handler, says schema.Feature, loose bool, at func(*schema.Hook) *[]schema.EnvVar) EntryRow {
	kind := ordjson.ObjectKind
	if loose {
		kind = ordjson.Invalid
	}
	return EntryRow{
		Name: name, Kind: kind, Of: of, Says: says,
		Read: func(h *schema.Hook, raw []byte) string {
			o, _ := ordjson.Members(raw, 0)
			var vars []schema.EnvVar
			for _, m := range o {
				s, ok := ordjson.String(m.Value)
				switch {
				case !ok && !loose:
					return name + " has a value that is not a string"
				case !ok:
					s = string(m.Value)
				}
				vars = append(vars, schema.EnvVar{Name: m.Name, Value: s})
			}
			*at(h) = vars
			return ""
		},
		Write: func(h *schema.Hook) []byte {
			if len(*at(h)) == 0 {
				return nil
			}
			w := ordjson.NewWriter(nil)
			for _, v := range *at(h) {
				w.String(v.Name, v.Value)
			}
			return w.Bytes()
		},
	}
}

// FailEntry is the member that says what the hook's own failure does.
func FailEntry(name string, words ...WordOf) EntryRow {
	return EntryRow{
		Name: name, Kind: ordjson.StringKind, Says: schema.HookFailPolicy,
		Read: func(h *schema.Hook, raw []byte) string {
			s, _ := ordjson.String(raw)
			known := ""
			for _, w := range words {
				if w.Word == s {
					h.Fail = w.Fail
					return ""
				}
				known += " or " + w.Word
			}
			return name + " is not" + known[len(" or"):]
		},
		Write: func(h *schema.Hook) []byte {
			for _, w := range words {
				if w.Fail == h.Fail {
					return ordjson.AppendString(nil, w.Word)
				}
			}
			return nil
		},
	}
}

// WholeSeconds is the member for a timeout in whole seconds; least is what a smaller
// one becomes.
func WholeSeconds(name string, least int64) EntryRow {
	return EntryRow{
		Name: name, Kind: ordjson.Number, Says: schema.HookTimeout,
		Read: func(h *schema.Hook, raw []byte) string {
			n, ok := ordjson.Int(raw)
			if !ok || n < 0 {
				return name + " is not a whole number of seconds"
			}
			h.Timeout = time.Duration(min(max(n, least), maxSeconds)) * time.Second
			return ""
		},
		Write: func(h *schema.Hook) []byte {
			if h.Timeout <= 0 {
				return nil
			}
			return strconv.AppendInt(nil, int64((h.Timeout+time.Second-1)/time.Second), 10)
		},
	}
}

// Seconds is the member for a timeout in seconds and fractions, at most limit. Loose:
// one that is not above 0 counts, and ends the hook at once.
func Seconds(name string, limit float64, loose bool) EntryRow {
	return EntryRow{
		Name: name, Kind: ordjson.Number, Says: schema.HookTimeout,
		Read: func(h *schema.Hook, raw []byte) string {
			f, ok := ordjson.Float(raw)
			switch {
			case !loose && (!ok || f <= 0):
				return name + " is not a number of seconds above 0"
			case !ok:
				f = limit
			}
			h.Timeout = max(1, time.Duration(min(f, limit)*float64(time.Second)))
			return ""
		},
		Write: func(h *schema.Hook) []byte {
			if h.Timeout <= 0 {
				return nil
			}
			return strconv.AppendFloat(nil, h.Timeout.Seconds(), 'f', -1, 64)
		},
		Advise: func(_ *schema.Hook, raw []byte) (schema.Code, string, string) {
			switch f, _ := ordjson.Float(raw); {
			case f <= 0:
				return schema.CodeVoidHook, name + " " + string(raw) + ": the hook is killed before it can answer", "write a number of seconds above 0"
			case f >= 1000:
				return schema.CodeMilliseconds, name + " " + string(raw) + " is seconds", "divide by 1000 if milliseconds were meant"
			}
			return "", "", ""
		},
	}
}

// RawEntry is a member that is kept as JSON.
func RawEntry(name string, kind ordjson.Kind, of schema.Handler, says schema.Feature, at func(*schema.Hook) *[]byte) EntryRow {
	return EntryRow{
		Name: name, Kind: kind, Of: of, Says: says,
		Read: func(h *schema.Hook, raw []byte) string {
			*at(h) = raw
			return ""
		},
		Write: func(h *schema.Hook) []byte { return *at(h) },
	}
}

// KeptEntry is a member of a known type that the canonical model has no place for.
func KeptEntry(name string, kind ordjson.Kind) EntryRow {
	return EntryRow{
		Name: name, Kind: kind,
		Read: func(h *schema.Hook, raw []byte) string {
			h.Extra = append(h.Extra, ordjson.Member{Name: name, Value: raw})
			return ""
		},
		Write: func(*schema.Hook) []byte { return nil },
	}
}

// Says returns the features that an entry can say.
func (a *Agent) Says() (f schema.Feature) {
	f = schema.HookMatcher
	for _, e := range a.File.Entries {
		f |= e.Says
	}
	for _, e := range a.File.Groups {
		f |= e.Says
	}
	return f
}

// WriteHook writes a group with the one handler, and returns the features that it
// says.
func (a *Agent) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, says schema.Feature) {
	w := ordjson.NewWriter(nil)
	if e.Matcher != "" {
		w.String("matcher", e.Matcher)
	}
	for _, e := range a.File.Groups {
		if raw := e.Write(h); raw != nil {
			w.Raw(e.Name, raw)
		}
	}
	w.Raw("hooks", append(append([]byte{'['}, a.writeHandler(h)...), ']'))
	return w.Bytes(), a.Says()
}

func (a *Agent) writeHandler(h *schema.Hook) []byte {
	w := ordjson.NewWriter(nil)
	for _, t := range a.File.Handlers {
		if t.Handler == h.Handler {
			w.String("type", t.Type)
		}
	}
	for _, e := range a.File.Entries {
		if e.Of != 0 && e.Of != h.Handler {
			continue
		}
		if raw := e.Write(h); raw != nil {
			w.Raw(e.Name, raw)
		}
	}
	return w.Bytes()
}
