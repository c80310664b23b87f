package kimi

import (
	"bytes"
	"path/filepath"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/dialect/family"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

const configFile = "config.toml"

// The fields of an entry, a table [[hooks]] (observed 2.1.0).
const (
	eventField   = "event"
	matcherField = "matcher"
	commandField = "command"
	timeoutField = "timeout"
)

// files: no file of the project is read (observed 2.1.0).
var files = []family.FileRow{{Scope: schema.ScopeUser, Path: configFile}}

// file is how entries are read: any mistake turns all hooks off (observed 2.1.0).
var file = family.FileRules{NoTOMLMark: true, KnownOnly: true, LastCounts: true,
	BadHooks: family.VoidsFile, BadEvent: family.VoidsFile, WrongType: family.VoidsFile,
	Rejects: "ignores all hooks of the file", KeepsTop: true}

// ParseConfig reads config.toml, a plugin's manifest, or the JSON document in which hookbridge writes entries.
func (d Dialect) ParseConfig(src []byte, at schema.Source) (*schema.Config, schema.Diagnostics) {
	open := d.OpenTOML
	if text := bytes.TrimSpace(src); len(text) > 0 && text[0] == '{' {
		open = d.Open
	}
	p, o := open(src, at)
	if hooks := o.Value("hooks"); ordjson.KindOf(hooks) == ordjson.ObjectKind && at.Scope != schema.ScopePlugin {
		p.Settings(o, "")
		return p.Result()
	}
	for _, m := range o {
		if m.Name != "hooks" {
			p.Config().Extra = append(p.Config().Extra, m)
			continue
		}
		list, err := ordjson.Elements(m.Value, m.Off)
		if err != nil {
			p.Mistake(family.VoidsFile, nil, m, "/hooks", "hooks must be an array of tables")
		}
		for i, e := range list {
			table(p, e, ordjson.Pointer("/hooks", strconv.Itoa(i)))
		}
	}
	return p.Result()
}

// table reads one table of [[hooks]].
func table(p *family.Parser, m ordjson.Member, path string) {
	o, err := ordjson.Members(m.Value, m.Off)
	event := o.Str(eventField)
	switch row := p.Agent().Row(event); {
	case err != nil:
		wrong(p, nil, m, path, "the entry is not a table")
	case row != nil:
		entry(p, row, m, path)
	case event == "":
		wrong(p, nil, m, path, "the entry has no event")
	default:
		p.UnknownEvent(consequence(p), event, m, path, "unknown event "+strconv.Quote(event))
	}
}

// wrong reports a mistake in an entry. In a plugin only that entry is left out (observed 2.1.0).
func wrong(p *family.Parser, row *schema.EventRow, m ordjson.Member, path, msg string) {
	p.Odd(family.DropsHandler, consequence(p), row, m, path, msg)
}

func consequence(p *family.Parser) family.Consequence {
	if p.Config().Source.Scope == schema.ScopePlugin {
		return family.DropsHandler
	}
	return family.VoidsFile
}

// entry reads an entry of an event.
func entry(p *family.Parser, row *schema.EventRow, m ordjson.Member, path string) {
	o, err := ordjson.Members(m.Value, m.Off)
	h := p.Hook(row, m, path)
	h.Handler, h.Command = schema.HandlerCommand, o.Str(commandField)
	if err != nil || h.Command == "" {
		wrong(p, row, m, path, "the entry has no command")
		return
	}

	right := true
	for _, m := range o {
		text, isText := ordjson.String(m.Value)
		seconds, isWhole := ordjson.Int(m.Value)
		why := ""
		switch {
		case m.Name == commandField, m.Name == eventField:
		case m.Name == matcherField && isText:
			h.Matcher, h.HasMatcher = text, true
		case m.Name == timeoutField && isWhole && seconds >= 1 && seconds <= int64(longest/time.Second):
			h.Timeout = time.Duration(seconds) * time.Second
		case m.Name == timeoutField:
			why = "timeout is not a whole number from 1 to 600"
		case m.Name == matcherField:
			why = "matcher is not a string"
		default:
			h.Extra = append(h.Extra, m)
			p.Unknown(consequence(p), row, m, ordjson.Pointer(path, m.Name), "unknown field "+strconv.Quote(m.Name))
			right = right && consequence(p) == family.VoidsFile
		}
		at := ordjson.Pointer(path, m.Name)
		isTime := m.Name == timeoutField && why != ""
		if isTime && p.Without(&h, schema.HookTimeout, consequence(p), row, m, at, why) || why == "" {
			continue
		}
		wrong(p, row, m, at, why)
		right = false
	}

	if right {
		p.Add(h)
	}
}

// Plugins lists the manifests of installed plugins that are turned on (observed 2.1.0).
func (d Dialect) Plugins(p schema.Places, _ []*schema.Config, read dialect.ReadFile) (out []schema.Source) {
	text, _ := read(filepath.Join(d.Names.UserFolder(p), "plugins", "installed.json"))
	register, _ := ordjson.Parse(text)
	for _, entry := range register.Objects("plugins") {
		if on, _ := entry.Bool("enabled"); on && dialect.IsPlace(entry.Str("root")) {
			out = append(out, plugins.Sources(entry.Str("root"), read)...)
		}
	}
	return out
}

// WriteHook writes an entry without its event. Every table of the file must be valid, so a timeout that an entry can't
// express is adjusted.
func (Dialect) WriteHook(e schema.Entry, h *schema.Hook) (value []byte, said schema.Feature) {
	w := ordjson.NewWriter(nil)
	if e.Matcher != "" {
		w.String(matcherField, e.Matcher)
	}
	w.String(commandField, h.Command)
	if h.Timeout > 0 {
		w.Int(timeoutField, int64((min(h.Timeout, longest)+time.Second-1)/time.Second))
	}
	return w.Bytes(), schema.HookMatcher | schema.HookTimeout
}

// WriteEntries returns a config.toml with the entries of a document.
func (Dialect) WriteEntries(document []byte) []byte {
	var out []byte
	for _, e := range family.EntriesIn(document) {
		out = family.AppendEntry(out, "hooks", eventField, e)
	}
	return out
}

// ReadEntries returns false: any other text is read unchanged.
func (Dialect) ReadEntries([]byte) (document []byte, ok bool) { return nil, false }

// EntryTextName returns the name of the file for entries.
func (Dialect) EntryTextName() string { return configFile }

// WriteEntryText writes hookbridge's part of that file.
func (Dialect) WriteEntryText(text []byte, entries []dialect.EventEntry) []byte {
	return family.WriteEntryList(text, "hooks", eventField, entries)
}

// ReadEntryText reads hookbridge's part of that file.
func (Dialect) ReadEntryText(text []byte) (entries []dialect.EventEntry, ok bool) {
	return family.ReadEntryList(text, "hooks", eventField)
}

// Servers reads the MCP servers of the project and of the user (observed 2.1.0).
func (d Dialect) Servers(p schema.Places, read func(string) ([]byte, error)) []schema.Server {
	return dialect.ServersIn([]string{filepath.Join(p.Project, d.Names.Folder, "mcp.json"),
		filepath.Join(p.Project, ".mcp.json"), filepath.Join(d.Names.UserFolder(p), "mcp.json")}, read, "mcpServers")
}
