package family

import (
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

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

// Says returns the features that an entry can say.
func (a *Agent) Says() (f schema.Feature) {
	f = schema.HookMatcher
	for _, e := range a.File.Entries {
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
