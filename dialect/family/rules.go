package family

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Consequence is the effect of a mistake in a hook file. The zero Consequence is Ignored.
type Consequence uint8

const (
	Ignored       Consequence = iota // the field counts as absent
	DropsHandler                     // the handler doesn't run
	DropsGroup                       // no handler of the group runs
	DropsEvent                       // no hook of the event in this file runs
	VoidsFile                        // no hook of the file runs
	SilencesEvent                    // no hook of the event runs, from this or any other file
)

// FileRules are the rules for a hook file, and the consequences of mistakes.
type FileRules struct {
	Comments   bool // comments are blanks
	LastCounts bool // of several fields with one name the last counts; else the file can't be read
	NullAbsent bool // null counts as absent
	FalseNone  bool // a falsy matcher (in JavaScript) counts as absent
	LoneGroup  bool // an event's only group needs no array
	AnyType    bool // an unknown type of handler counts as the last type in Handlers
	NoMark     bool // a byte order mark is a mistake in JSON
	NoTOMLMark bool // a byte order mark is a mistake in TOML
	LastComma  bool // a comma may follow the last member or element
	OnlyUTF8   bool // bytes that aren't UTF-8 are a mistake; else they become U+FFFD
	WholePairs bool // a lone \ud800 in a string is a mistake
	Blank      bool // an empty file counts as {}

	Top        []string    // fields other than "hooks" and Settings
	UnknownTop Consequence // all other fields
	Settings   []SettingRow
	NotEvents  []string // fields of "hooks" that aren't events and aren't reported as unknown
	// SkipsEvents is the first version that skips unknown events; older versions load nothing from the file. "": all
	// skip them.
	SkipsEvents string
	KnownOnly   bool // no version skips unknown events

	BadSetting Consequence // a setting of the wrong type
	BadHooks   Consequence // "hooks" isn't an object
	BadEvent   Consequence // an event's value isn't an array; Ignored: WrongType, and at least DropsEvent
	// BadEventOf replaces BadEvent if the event's name matters.
	BadEventOf func(native string) Consequence
	WrongType  Consequence    // any other value of the wrong type; drops at least the part that contains it
	Missing    Consequence    // a handler without a field that its type needs
	InOrder    bool           // a handler's fields are read in order, before its missing fields are checked
	NoType     Consequence    // a handler without a type, or of an unknown one
	Empty      Consequence    // an empty text in a needed field; Ignored: it is accepted
	BadMatcher Consequence    // Ignored: it never matches
	NoText     Consequence    // a matcher that isn't a string; Ignored: DropsGroup
	BadGroup   Consequence    // a group that isn't an object with an array of hooks; at least DropsGroup
	Guards     []schema.Event // events at which every mistake voids the whole file, as do hooks outside "hooks"
	// Rejects describes the effect of VoidsFile on a file; "": it is rejected.
	Rejects string
	// KeepsTop: a rejected file loses only its hooks, not its settings.
	KeepsTop bool
	// KeepsManaged: an administrator's file loses only its hooks, not its settings.
	KeepsManaged bool
	// InPlugin changes a copy of the rules for a plugin's file.
	InPlugin func(rules *FileRules)
	// StrictPlugins: a plugin's file has no hooks if an event's value is anything but a list of groups.
	StrictPlugins bool
	// FlatText: in Markdown a group may also be its only handler.
	FlatText bool
	// FlatLists: an event's list contains handlers if its first element has a type and a command. The type has no
	// effect.
	FlatLists bool

	Handlers []HandlerRow
	Entries  []EntryRow
	Groups   []EntryRow // fields of a group other than matcher and hooks
}

// At returns the rules of a version: with the handlers and fields that it supports.
func (f *FileRules) At(version string) *FileRules {
	rules := *f
	rules.Handlers = slices.DeleteFunc(slices.Clone(f.Handlers), func(row HandlerRow) bool {
		return !schema.Since(version, row.Since)
	})
	rules.Entries = slices.DeleteFunc(slices.Clone(f.Entries), func(row EntryRow) bool {
		return !schema.Since(version, row.Since)
	})

	return &rules
}

// Members lists the fields that express a feature: the given one for the matcher, if any, and those of entries, "type"
// for the handler itself.
func (f *FileRules) Members(matcher string) (list []dialect.HookMember) {
	const handlers = schema.HookHTTP | schema.HookPrompt | schema.HookAgent | schema.HookMCPTool
	list = append(list, dialect.HookMember{Feature: schema.HookMatcher, Name: matcher})
	for _, e := range slices.Concat(f.Groups, f.Entries) {
		name := e.Name
		if e.Feature&handlers != 0 {
			name = "type"
		}
		list = append(list, dialect.HookMember{Feature: e.Feature, Name: name})
	}
	return list
}

// A SettingRow is a field of the file that applies to all hooks. Exactly one of its other fields is set.
type SettingRow struct {
	Name  string
	Off   bool                               // turns all hooks off
	Limit func(cfg *schema.Config) *[]string // limits hooks to the texts of a list
	// Read returns why a value is rejected, "" if it isn't; at is the pointer of the settings.
	Read func(cfg *schema.Config, m ordjson.Member, at string) (bad string)
	// Newer reports whether a newer version may accept a rejected value; nil: none does.
	Newer func(raw []byte) bool
}

func (s *SettingRow) read(cfg *schema.Config, m ordjson.Member, at string) (bad string) {
	switch {
	case s.Off:
		off, ok := ordjson.Bool(m.Value)
		if !ok {
			return s.Name + " is not a boolean"
		}
		cfg.DisableAll, cfg.Switch = &off, ordjson.Pointer(at, s.Name)
	case s.Limit != nil:
		cfg.Guards = append(cfg.Guards, m)
		list := s.Limit(cfg)
		if *list = ordjson.Strings(m.Value); *list == nil {
			return s.Name + " is not an array of strings"
		}
	default:
		return s.Read(cfg, m, at)
	}
	return ""
}

// A HandlerRow is one type of handler.
type HandlerRow struct {
	Type    string
	Handler schema.Handler
	Needs   []string // members that must be text
	// Unsupported: the agent reads such a handler but never runs it.
	Unsupported bool
	Never       []schema.Event // events at which it doesn't run it
	Since       string         // the version that introduced it, "" if it was always there
}
