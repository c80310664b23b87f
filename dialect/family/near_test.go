package family

import (
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestTimeoutForms checks how a timeout in seconds is read, and which are rejected.
func TestTimeoutForms(t *testing.T) {
	const never = time.Duration(0)
	for _, tt := range []struct {
		form TimeoutForm
		raw  string
		want time.Duration // never: rejected
	}{
		{TimeoutForm{}, "5", 5 * time.Second}, {TimeoutForm{}, "0.5", 500 * time.Millisecond},
		{TimeoutForm{}, "0", never}, {TimeoutForm{}, "-1", never}, {TimeoutForm{}, `"5"`, never},
		{TimeoutForm{}, "1e30", maxSeconds * time.Second}, {TimeoutForm{}, "1e-30", 1},
		{TimeoutForm{Least: 1}, "0.5", time.Second}, {TimeoutForm{Least: 1}, "1.5", 1500 * time.Millisecond},
		{TimeoutForm{Most: 600}, "601", 600 * time.Second}, {TimeoutForm{Most: 600}, "600", 600 * time.Second},
		{TimeoutForm{Most: 600}, "599", 599 * time.Second},
		{TimeoutForm{Whole: true}, "3", 3 * time.Second}, {TimeoutForm{Whole: true}, "0", 1},
		{TimeoutForm{Whole: true}, "3.0", never}, {TimeoutForm{Whole: true}, "3e0", never},
		{TimeoutForm{Whole: true}, "3E0", never}, {TimeoutForm{Whole: true}, "-3", never},
		{TimeoutForm{Whole: true}, `"3"`, never}, {TimeoutForm{Whole: true, Least: 2, Most: 9}, "1", 2 * time.Second},
	} {
		var h schema.Hook
		e := EntryRow{Name: "timeout", Timeout: &tt.form}
		bad := e.read(&h, []byte(tt.raw))
		if (bad != "") != (tt.want == never) || bad == "" && h.Timeout != tt.want {
			t.Errorf("%+v: %s is %v %q, want %v", tt.form, tt.raw, h.Timeout, bad, tt.want)
		}
	}
}

// TestEntryRows checks how each form of a row reads and writes a value.
func TestEntryRows(t *testing.T) {
	text := func(h *schema.Hook) *string { return &h.Command }
	flag := func(h *schema.Hook) *bool { return &h.Async }
	list := func(h *schema.Hook) *[]string { return &h.Args }
	pairs := func(h *schema.Hook) *[]schema.EnvVar { return &h.Env }
	words := []WordOf{{"block", schema.FailClosed}, {"allow", schema.FailOpen}}
	for _, tt := range []struct {
		about    string
		row      EntryRow
		raw      string
		bad      bool
		back     string // the value written from it
		each     ordjson.Kind
		kind     ordjson.Kind
		wantHook func(*schema.Hook) bool
	}{
		{"a text", EntryRow{Text: text}, `"x"`, false, `"x"`, ordjson.Invalid, ordjson.StringKind,
			func(h *schema.Hook) bool { return h.Command == "x" }},
		{"no text", EntryRow{Text: text}, `""`, false, "", ordjson.Invalid, ordjson.StringKind,
			func(h *schema.Hook) bool { return h.Command == "" }},
		{"a flag", EntryRow{Flag: flag}, "true", false, "true", ordjson.Invalid, ordjson.BoolKind,
			func(h *schema.Hook) bool { return h.Async }},
		{"a flag that is off", EntryRow{Flag: flag}, "false", false, "", ordjson.Invalid, ordjson.BoolKind,
			func(h *schema.Hook) bool { return !h.Async }},
		{"what counts as a flag", EntryRow{Flag: flag, Untyped: true}, `"yes"`, false, "true", ordjson.Invalid,
			ordjson.Invalid, func(h *schema.Hook) bool { return h.Async }},
		{"a list", EntryRow{List: list}, `["a","b"]`, false, `["a","b"]`, ordjson.StringKind, ordjson.Array,
			func(h *schema.Hook) bool { return len(h.Args) == 2 && h.Args[1] == "b" }},
		{"pairs", EntryRow{Pairs: pairs}, `{"A":"1"}`, false, `{"A":"1"}`, ordjson.StringKind, ordjson.ObjectKind,
			func(h *schema.Hook) bool { return len(h.Env) == 1 && h.Env[0].Value == "1" }},
		{"pairs with a number", EntryRow{Pairs: pairs}, `{"A":1}`, true, "", ordjson.StringKind, ordjson.ObjectKind,
			func(h *schema.Hook) bool { return len(h.Env) == 0 }},
		{"pairs of anything", EntryRow{Pairs: pairs, Untyped: true}, `{"A":1}`, false, `{"A":"1"}`, ordjson.Invalid,
			ordjson.Invalid, func(h *schema.Hook) bool { return h.Env[0].Value == "1" }},
		{"a word", EntryRow{Words: words}, `"block"`, false, `"block"`, ordjson.Invalid, ordjson.StringKind,
			func(h *schema.Hook) bool { return h.Fail == schema.FailClosed }},
		{"another word", EntryRow{Words: words}, `"stop"`, true, "", ordjson.Invalid, ordjson.StringKind,
			func(h *schema.Hook) bool { return h.Fail == 0 }},
		{"a timeout", EntryRow{Timeout: &TimeoutForm{}}, "2.5", false, "2.5", ordjson.Invalid, ordjson.Number,
			func(h *schema.Hook) bool { return h.Timeout == 2500*time.Millisecond }},
		{"what no row knows", EntryRow{Kind: ordjson.BoolKind}, "1", false, "", ordjson.Invalid, ordjson.BoolKind,
			func(h *schema.Hook) bool { return len(h.Extra) == 1 && string(h.Extra[0].Value) == "1" }},
	} {
		var h schema.Hook
		tt.row.Name = "x"
		bad := tt.row.read(&h, []byte(tt.raw))
		if (bad != "") != tt.bad || !tt.wantHook(&h) {
			t.Errorf("%s: %q, %+v", tt.about, bad, h)
		}
		if got := string(tt.row.write(&h)); got != tt.back && !tt.bad && len(h.Extra) == 0 {
			t.Errorf("%s: %s is written as %s, want %s", tt.about, tt.raw, got, tt.back)
		}
		if kind, each := tt.row.Kinds(); kind != tt.kind || each != tt.each && tt.row.Pairs == nil {
			t.Errorf("%s: %v of %v", tt.about, kind, each)
		}
	}
}
