package family

import (
	"slices"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// A Consequence is what a mistake in a hook file does. The zero Consequence is
// Ignored.
type Consequence uint8

const (
	Ignored       Consequence = iota // the member counts as absent
	DropsHandler                     // the handler doesn't run
	DropsGroup                       // no handler of the group runs
	DropsEvent                       // no hook of the event in this file runs
	VoidsFile                        // no hook of the file runs
	SilencesEvent                    // no hook of the event runs, of this file or any other
)

// FileRules says what a hook file may hold, and what mistakes do.
type FileRules struct {
	Comments   bool // comments are blanks
	LastCounts bool // of members with one name the last counts; else the file can't be read
	NullAbsent bool // null counts as absent
	FalseNone  bool // a matcher that JavaScript takes for false counts as absent
	LoneGroup  bool // an event's only group needs no array
	AnyType    bool // a handler of an unknown type is one of the last type of Handlers
	NoMark     bool // a byte order mark is a mistake in JSON
	NoTOMLMark bool // a byte order mark is a mistake in TOML
	LastComma  bool // a comma may follow the last member or element
	OnlyUTF8   bool // bytes that aren't UTF-8 are a mistake, else they are read as U+FFFD
	WholePairs bool // a lone \ud800 in a string is a mistake
	Blank      bool // a file with nothing in it counts as {}

	Top        []string    // members beside "hooks" and Settings
	UnknownTop Consequence // other ones
	Settings   []SettingRow
	NotEvents  []string // members of "hooks" that aren't events and aren't reported as unknown
	// SkipsEvents is the first version that skips events it doesn't know; those before
	// load nothing of the file. "": all skip them.
	SkipsEvents string
	KnownOnly   bool // no version skips them

	BadSetting Consequence // a setting of the wrong type
	BadHooks   Consequence // "hooks" is not an object
	BadEvent   Consequence // an event's value is not an array; Ignored: WrongType, and at least DropsEvent
	// BadEventOf decides in place of BadEvent, where the name of the event matters.
	BadEventOf func(native string) Consequence
	WrongType  Consequence    // any other value of the wrong type; at least what it is part of is dropped
	Missing    Consequence    // a handler without what its type needs
	InOrder    bool           // a handler's fields are read in their order, and then what its type needs is looked for
	NoType     Consequence    // a handler without type, or of an unknown one
	Empty      Consequence    // an empty text where the type needs one; Ignored: it is accepted
	BadMatcher Consequence    // Ignored: it never matches
	NoText     Consequence    // a matcher that isn't a string; Ignored: DropsGroup
	BadGroup   Consequence    // a group that isn't an object with an array of hooks; at least DropsGroup
	Guards     []schema.Event // events under which every mistake voids the whole file, and hooks beside "hooks" do
	// Rejects says what becomes of a file that VoidsFile is about; "": it is rejected.
	Rejects string
	// KeepsTop: a file that is rejected loses its hooks only, not its settings.
	KeepsTop bool
	// KeepsManaged: an administrator's file loses its hooks only, not its settings.
	KeepsManaged bool
	// InPlugin states what is different in a plugin's file, in a copy of the rules.
	InPlugin func(rules *FileRules)
	// StrictPlugins: a plugin's file has no hooks if an event's value is anything but a
	// list of groups.
	StrictPlugins bool
	// FlatText: in Markdown a group may be its only handler in one.
	FlatText bool
	// FlatLists: an event's list is one of handlers if its first element has a type and a command. The type means
	// nothing.
	FlatLists bool

	Handlers []HandlerRow
	Entries  []EntryRow
	Groups   []EntryRow // members of a group beside matcher and hooks
}

// At is how a version reads the file: with the handlers and fields that it knows.
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

// Members are the fields that express a feature: that of the matcher, "" if there is none, and
// those of entries, "type" where it is the handler itself.
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

// A SettingRow is a member of the file that says something of all hooks. One of the
// others is set.
type SettingRow struct {
	Name  string
	Off   bool                               // switches all hooks off
	Limit func(cfg *schema.Config) *[]string // limits what hooks may do to a list of texts
	// Read returns why a value is refused, "" if it isn't; at is the pointer of the
	// settings.
	Read func(cfg *schema.Config, m ordjson.Member, at string) (bad string)
	// Newer reports whether a refused value is one that a newer version may know; nil: none is.
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
	// Unsupported: the agent reads such a handler and never runs it.
	Unsupported bool
	Never       []schema.Event // at which it doesn't run it
	Since       string         // version that introduced it, "" if always there
}
