package codex

import (
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// TestEntryText checks that entries in the requirements are read back as written, that other content stays, and that
// removing the entries restores the original text.
func TestEntryText(t *testing.T) {
	d := New()
	entries := []dialect.EventEntry{
		{Native: "PreToolUse", Value: []byte(`{"matcher":"^x","hooks":[{"type":"command","command":"a \"b\" \\ ` +
			"\x7f" + `\té","timeout":20,"async":true}]}`)},
		{Native: "PreToolUse", Value: []byte(`{"hooks":[{"type":"command","command":"b"},{"type":"command",` +
			`"command":"c"}]}`)},
		{Native: "Stop", Value: []byte(`{"hooks":[{"type":"command","command":"d"}]}`)},
	}
	const own = "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"own\"\n"
	for _, before := range []string{"", "a = 1\n", own, "[hooks]\nmanaged_dir = \"/x\"\n" + own, "a = \"\"\"\n" +
		own + "\"\"\"\n"} {
		text := d.WriteEntryText([]byte(before), entries)
		got, ok := d.ReadEntryText(text)
		same := func(a, b dialect.EventEntry) bool { return a.Native == b.Native && ordjson.Equal(a.Value, b.Value) }
		if !ok || !slices.EqualFunc(got, entries, same) {
			t.Errorf("%q: read %q", before, got)
		}
		if again := d.WriteEntryText(text, got); string(again) != string(text) {
			t.Errorf("%q: written again %q", before, again)
		}
		if out := d.WriteEntryText(text, nil); string(out) != before {
			t.Errorf("%q: without entries %q", before, out)
		}
		at := schema.Source{File: managedFile, Scope: schema.ScopeManaged}
		had, _ := d.ParseConfig([]byte(before), at)
		cfg, ds := d.ParseConfig(text, at)
		if len(ds) > 0 || len(cfg.Hooks) != len(had.Hooks)+4 {
			t.Errorf("%q: %d hooks, %v", before, len(cfg.Hooks), ds)
		}
	}
	if text := d.WriteEntryText([]byte("a = 1"), entries); string(d.WriteEntryText(text, nil)) != "a = 1\n" {
		t.Errorf("%q", text)
	}
	begin, _, _ := strings.Cut(string(d.WriteEntryText(nil, entries)), "\n")
	for _, torn := range []string{begin, begin + "\n[[hooks.Stop]\n# hookbridge: to here"} {
		if got, ok := d.ReadEntryText([]byte(torn)); ok && len(got) > 0 {
			t.Errorf("%q: %v", torn, got)
		}
	}
}
