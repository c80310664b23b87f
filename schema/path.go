package schema

// PathRules are what a tool does to the path that the model has written before it
// looks for the file. Hooks of other agents are shown the file that it finds.
type PathRules struct {
	Trim   Blanks // takes these blanks around it away
	Quotes string // and these characters with them, as many as there are at either end
	// Markdown: of a link, as in "[text](path)", it is the target.
	Markdown bool
	Scheme   bool // takes a leading "file:" or "file://" away
	FileURL  bool // "file://", with or without "localhost", is a URL, whose %XX are decoded
	AnyCase  bool // FileURL in any case: "FILE://"
	Home     bool // a leading "~" is the home folder, before a slash or at the end
	// Backslash: Home also before a backslash, where that isn't a separator.
	Backslash bool
	AnyHome   bool   // Home also before any other text: "~x" is x in the home folder
	HomeName  bool   // Home also for a leading "$HOME/"
	Composed  bool   // letters are composed (NFC)
	Spaces    bool   // every blank of Unicode (Zs) is a space
	Slash     bool   // a backslash is a slash
	Whole     bool   // Slash is for relative paths alone, and an absolute path behind Prefix stays one
	Prefix    string // taken away from its start once, unless the first name with it exists
	First     bool   // Prefix is taken away before all else, whatever exists and whatever remains
	Rooted    bool   // First only before a slash, a backslash, a drive, "~" alone or "~/"
	Colon     bool   // a leading ":" is taken away before a slash, a backslash, "~", a drive, "./" or "../"
	Drop      string // characters that are taken away wherever they are
	// Percent: %XX is decoded, in the whole path or, if that isn't all valid UTF-8 then, not at all.
	Percent bool
	// Links are the paths in which ".." behind a link is the parent of the folder that the link leads to, as the system
	// has it. In others it is the link's own parent: the client has joined the path.
	Links Links
	// Escapes: a path that names nothing is tried without the backslashes before blanks, quotes and brackets.
	Escapes bool
	// Places are the characters behind which a path may say what of a file is meant, if it names nothing as it stands.
	Places string
	// Lists are the characters that part several paths, if the text names nothing as it stands; a space is any blank.
	// Each may be in double quotes.
	Lists string
	// Ending: a relative path that names nothing is the only file of the project that ends with it.
	Ending bool
	// ByName: a path that names nothing is a file of the same last name that the client has read before.
	ByName bool
	// LooseEnding: for Ending a backslash is a slash, and Unicode's blanks around the path don't count.
	LooseEnding bool
	// Pattern: a path with one of *?[{ stands for every file that matches.
	Pattern bool
	// Tries are ways in which a file's name may vary from the path's, looked for in this order if there is none of that
	// very name.
	Tries [5]Variant
}

// Searched reports whether a path that names no file may stand for others.
func (r *PathRules) Searched() bool { return r.Ending || r.Places != "" || r.Lists != "" }

// Links are paths that a tool passes to the system with "..".
type Links uint8

const (
	NoLinks    Links = iota
	WholeLinks       // absolute ones
	AllLinks
)

// A Variant says in what the name of a file may differ from that in a path, as a set of its constants.
type Variant uint8

const (
	VaryTime   Variant = 1 << iota // the blank before "AM." or "PM.": a space, or U+202F as in names of macOS
	VaryForm                       // composed and decomposed letters (NFC, NFD)
	VaryQuote                      // ' and U+2019
	VaryBlanks                     // all blanks of Unicode (Zs)
)

// Blanks are the characters that a language's trim takes away.
type Blanks uint8

const (
	NoBlanks      Blanks = iota
	ScriptBlanks         // of JavaScript: the byte order mark among them, U+0085 not
	UnicodeBlanks        // of Unicode (White_Space), as in Rust
)
