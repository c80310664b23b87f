package schema

// PathRules are a tool's changes to the model's path before it looks for the file. Hooks of other agents see the file
// that it finds.
type PathRules struct {
	Trim   Blanks // removes these characters around the path
	Quotes string // also removes these, any number at either end
	// Markdown: a link, as in "[text](path)", is replaced by its target.
	Markdown bool
	Scheme   bool // removes a leading "file:" or "file://"
	FileURL  bool // "file://", with or without "localhost", is a URL, whose %XX are decoded
	AnyCase  bool // FileURL in any case: "FILE://"
	Home     bool // a leading "~" is the home folder, before a slash or at the end
	// Backslash: Home also before a backslash, if it isn't a separator.
	Backslash bool
	AnyHome   bool   // Home also before any other text: "~x" is x in the home folder
	HomeName  bool   // Home also for a leading "$HOME/"
	Composed  bool   // letters are composed (NFC)
	Spaces    bool   // every blank of Unicode (Zs) is a space
	Slash     bool   // a backslash is a slash
	Whole     bool   // Slash only for relative paths; an absolute path after Prefix stays one
	Prefix    string // removed from the start once, unless the first name with it exists
	First     bool   // Prefix is removed before everything else, whatever exists or remains
	Rooted    bool   // First only before a slash, a backslash, a drive, "~" alone or "~/"
	Colon     bool   // removes a leading ":" before a slash, a backslash, "~", a drive, "./" or "../"
	Drop      string // characters that are removed everywhere
	// Percent: %XX is decoded in the whole path, but not if the result isn't valid UTF-8.
	Percent bool
	// Links are the paths in which ".." after a link is the parent of the link's target, as for the system. In other
	// paths it is the link's own parent: the client joined the path.
	Links Links
	// Escapes: if a path names nothing, it is tried without the backslashes before blanks, quotes and brackets.
	Escapes bool
	// Places are the characters after which a path may name a part of the file, if the path as a whole names nothing.
	Places string
	// Lists are the separators of several paths, if the whole text names nothing; a space is any blank. Each path may
	// be in double quotes.
	Lists string
	// Ending: a relative path that names nothing means the project's only file whose path ends with it.
	Ending bool
	// ByName: a path that names nothing means a file with the same last name that the client has already read.
	ByName bool
	// LooseEnding: for Ending, backslashes count as slashes, and Unicode blanks around the path are ignored.
	LooseEnding bool
	// Pattern: a path with one of *?[{ means every file that matches.
	Pattern bool
	// Tries are the allowed variations of a file's name, tried in this order if no file has the exact name.
	Tries [5]Variant
}

// Searched reports whether a path that names no file may mean others.
func (r *PathRules) Searched() bool { return r.Ending || r.Places != "" || r.Lists != "" }

// Links are the paths that a tool passes to the system with "..".
type Links uint8

const (
	NoLinks    Links = iota
	WholeLinks       // absolute ones
	AllLinks
)

// A Variant is a set of allowed differences between a file's name and a path.
type Variant uint8

const (
	VaryTime   Variant = 1 << iota // the blank before "AM." or "PM.": a space, or U+202F as in names of macOS
	VaryForm                       // composed and decomposed letters (NFC, NFD)
	VaryQuote                      // ' and U+2019
	VaryBlanks                     // all blanks of Unicode (Zs)
)

// Blanks are the characters that a language's trim function removes.
type Blanks uint8

const (
	NoBlanks      Blanks = iota
	ScriptBlanks         // JavaScript's: with the byte order mark, without U+0085
	UnicodeBlanks        // Unicode's (White_Space), as in Rust
)
