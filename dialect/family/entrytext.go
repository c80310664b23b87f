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

// WriteEntryTables writes entries into a TOML file behind everything else: a table goes to
// the end of the file or to the next one.
func WriteEntryTables(text []byte, entries []dialect.EventEntry) []byte {
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
		o, _ := ordjson.Members(e.Value, 0)
		out = appendTable(out, "hooks."+e.Native, o)
	}
	return append(out, partEnds+"\n"...)
}

// appendTable adds an element of an array of tables. An array in it holds such elements.
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

// tomlValue is a plain value: TOML writes it as JSON does, but for two characters of texts.
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
	if err != nil {
		return nil, false
	}
	events, _ := ordjson.Members(ordjson.At(json, "/hooks"), 0)
	for _, event := range events {
		elements, _ := ordjson.Elements(event.Value, 0)
		for _, e := range elements {
			entries = append(entries, dialect.EventEntry{Native: event.Name, Value: e.Value})
		}
	}
	return entries, true
}

// entryPart splits the text around hookbridge's part, which is from the first line that
// begins one to the first one behind it that ends one.
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
