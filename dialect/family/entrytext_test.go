package family

import (
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// TestEntryText checks that entries are written after the rest of a file, are read again unchanged, replace earlier
// ones, and leave the rest of the file byte for byte.
func TestEntryText(t *testing.T) {
	one := dialect.EventEntry{Native: "Stop", Value: []byte(`{"command":"a","timeout":5}`)}
	two := dialect.EventEntry{Native: "PreToolUse",
		Value: []byte(`{"matcher":"` + "\x7f" + `\"x","hooks":[{"command":"b"},{"command":"c","async":true}]}`)}
	type form struct {
		name  string
		write func([]byte, []dialect.EventEntry) []byte
		read  func([]byte) ([]dialect.EventEntry, bool)
	}
	for _, f := range []form{
		{"tables", WriteEntryTables, ReadEntryTables},
		{"a list", func(text []byte, es []dialect.EventEntry) []byte {
			return WriteEntryList(text, "hooks", "event", es)
		},
			func(text []byte) ([]dialect.EventEntry, bool) { return ReadEntryList(text, "hooks", "event") }},
	} {
		for _, tt := range []struct{ before, rest string }{
			{"", ""}, {"a = 1\n", "a = 1\n"}, {"a = 1", "a = 1\n"},
			{"# hookbridge: install", "# hookbridge: install\n"},
		} {
			text := f.write([]byte(tt.before), []dialect.EventEntry{one, two})
			got, ok := f.read(text)
			if !ok || len(got) != 2 {
				t.Fatalf("%s, %q: %q is read as %v", f.name, tt.before, text, got)
			}
			for _, e := range got {
				want := one
				if e.Native == two.Native {
					want = two
				}
				if e.Native != want.Native || !ordjson.Equal(e.Value, want.Value) {
					t.Errorf("%s, %q: %s %s", f.name, tt.before, e.Native, e.Value)
				}
			}

			more := append(text[:len(text):len(text)], "[other]\nb = 2\n"...)
			again := f.write(more, []dialect.EventEntry{one})
			if got, ok := f.read(again); !ok || len(got) != 1 || got[0].Native != "Stop" {
				t.Errorf("%s, %q: %q", f.name, tt.before, again)
			}
			if none := f.write(again, nil); string(none) != tt.rest+"[other]\nb = 2\n" {
				t.Errorf("%s, %q: the rest is %q", f.name, tt.before, none)
			}
			if cut := text[:len(text)-len(partEnds)-1]; string(f.write(cut, nil)) != string(cut) {
				t.Errorf("%s, %q: a part without an end was taken", f.name, tt.before)
			}
			if got, ok := f.read([]byte(tt.before)); !ok || len(got) != 0 {
				t.Errorf("%s: %q has entries: %v", f.name, tt.before, got)
			}
		}
		if _, ok := f.read([]byte(partBegins + "\n= 1\n" + partEnds + "\n")); ok {
			t.Errorf("%s: a broken part is read", f.name)
		}
	}
}
