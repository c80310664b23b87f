package family

import (
	"bytes"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/tomljson"
)

// The lines around hookbridge's part of a TOML file.
const (
	partBegins = "# hookbridge: install writes the entries from here"
	partEnds   = "# hookbridge: to here"
)

// WriteEntryTables writes entries after everything else in a TOML file, because a table goes to the end of the file or
// to the next table. Each entry is a table of its event in [hooks].
func WriteEntryTables(text []byte, entries []dialect.EventEntry) []byte {
	return writeEntries(text, entries, func(out []byte, e dialect.EventEntry) []byte {
		o, _ := ordjson.Members(e.Value, 0)
		return appendTable(out, "hooks."+e.Native, o)
	})
}

// WriteEntryList does the same for files in which all entries are tables of that name, and a field holds the event.
func WriteEntryList(text []byte, name, event string, entries []dialect.EventEntry) []byte {
	return writeEntries(text, entries, func(out []byte, e dialect.EventEntry) []byte {
		return AppendEntry(out, name, event, e)
	})
}

// AppendEntry writes one such table.
func AppendEntry(out []byte, name, event string, e dialect.EventEntry) []byte {
	o, _ := ordjson.Members(e.Value, 0)
	native := ordjson.Member{Name: event, Value: ordjson.AppendString(nil, e.Native)}
	return appendTable(out, name, append(ordjson.Object{native}, o...))
}

func writeEntries(
	text []byte, entries []dialect.EventEntry, write func(out []byte, e dialect.EventEntry) []byte,
) []byte {
	before, _, after := entryPart(text)
	out := append(bytes.Clone(before), after...)
	if len(entries) == 0 {
		return out
	}
	if len(out) > 0 && out[len(out)-1] != '\n' {
		out = append(out, '\n')
	}
	out = append(out, partBegins+"\n"...)
	for _, e := range entries {
		out = write(out, e)
	}
	return append(out, partEnds+"\n"...)
}

// appendTable adds an element to an array of tables. An array in it holds such elements.
func appendTable(out []byte, name string, o ordjson.Object) []byte {
	out = append(out, "[["+name+"]]\n"...)
	for _, m := range o {
		if ordjson.KindOf(m.Value) != ordjson.Array {
			out = append(append(append(out, m.Name+" = "...), tomlValue(m.Value)...), '\n')
		}
	}
	for _, m := range o {
		elements, err := ordjson.Elements(m.Value, 0)
		for _, e := range elements {
			if inner, _ := ordjson.Members(e.Value, 0); err == nil {
				out = appendTable(out, name+"."+m.Name, inner)
			}
		}
	}
	return out
}

// tomlValue writes a plain value: TOML writes it as JSON does, except for two characters in texts.
func tomlValue(raw []byte) string {
	if s, ok := ordjson.String(raw); ok {
		raw = ordjson.AppendString(nil, s)
	}
	return strings.ReplaceAll(string(raw), "\x7f", `\u007F`)
}

// ReadEntryTables reads the entries that WriteEntryTables has written.
func ReadEntryTables(text []byte) (entries []dialect.EventEntry, ok bool) {
	_, part, _ := entryPart(text)
	json, _, err := tomljson.Document(part)
	return EntriesIn(json), err == nil
}

// EntriesIn lists the entries of a JSON document that groups them by event.
func EntriesIn(document []byte) (entries []dialect.EventEntry) {
	events, _ := ordjson.Members(ordjson.At(document, "/hooks"), 0)
	for _, event := range events {
		elements, _ := ordjson.Elements(event.Value, 0)
		for _, e := range elements {
			entries = append(entries, dialect.EventEntry{Native: event.Name, Value: e.Value})
		}
	}
	return entries
}

// ReadEntryList reads the entries that WriteEntryList has written.
func ReadEntryList(text []byte, name, event string) (entries []dialect.EventEntry, ok bool) {
	_, part, _ := entryPart(text)
	json, _, err := tomljson.Document(part)
	list, _ := ordjson.Elements(ordjson.At(json, ordjson.Pointer("", name)), 0)
	for _, e := range list {
		o, _ := ordjson.Members(e.Value, 0)
		native, _ := o.Take(event)
		said, _ := ordjson.String(native.Value)
		entries = append(entries, dialect.EventEntry{Native: said, Value: o.Append(nil)})
	}
	return entries, err == nil
}

// entryPart splits a text around hookbridge's part. The part goes from the first begin line to the first end line after
// it.
func entryPart(text []byte) (before, part, after []byte) {
	at := lineAt(text, partBegins)
	if at < 0 {
		return text, nil, nil
	}
	end := lineAt(text[at:], partEnds)
	if end < 0 {
		return text, nil, nil
	}
	end = min(at+end+len(partEnds)+1, len(text))
	return text[:at], text[at:end], text[end:]
}

func lineAt(text []byte, line string) int {
	if bytes.HasPrefix(text, []byte(line)) {
		return 0
	}
	if i := bytes.Index(text, []byte("\n"+line)); i >= 0 {
		return i + 1
	}
	return -1
}
