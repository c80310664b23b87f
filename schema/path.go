package schema

// PathRules are what a tool does to the path that the model has written before it
// looks for the file. Hooks of other agents are shown the file that it finds.
type PathRules struct {
	Trim    Blanks // takes these blanks around it away
	Quotes  string // and these characters with them, as many as there are at either end
	Scheme  bool   // takes a leading "file:" or "file://" away
	FileURL bool   // "file://", with or without "localhost", is a URL, whose %XX are decoded
	Home    bool   // a leading "~" is the home folder, before a slash or at the end
	// Backslash: Home also before a backslash, where that isn't a separator.
	Backslash bool
	Slash     bool   // a backslash is a slash
	Whole     bool   // Slash is for relative paths alone, and an absolute path behind Prefix stays one
	Prefix    string // taken away from its start once, unless the first name with it exists
	Drop      string // characters that are taken away wherever they are
	// Percent: %XX is decoded, in the whole path or, if that isn't all valid UTF-8 then, not at all.
	Percent bool
}

// Blanks are the characters that a language's trim takes away.
type Blanks uint8

const (
	NoBlanks      Blanks = iota
	ScriptBlanks         // of JavaScript: the byte order mark among them, U+0085 not
	UnicodeBlanks        // of Unicode (White_Space), as in Rust
)
