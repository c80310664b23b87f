package schema

// PathRules are what a tool does to the path that the model has written before it
// looks for the file. Hooks of other agents are shown the file that it finds.
type PathRules struct {
	Trim   bool   // takes blanks around it away
	Quotes bool   // then takes quotes around it away
	Scheme bool   // takes a leading "file:" or "file://" away
	Home   bool   // a leading "~" is the home folder
	Slash  bool   // a backslash is a slash
	Whole  bool   // Slash is for relative paths alone, and an absolute path behind Prefix stays one
	Prefix string // taken away from its start once, unless the first name with it exists
	Drop   string // taken away wherever it is
	// Percent: %XX is decoded, in the whole path or, if that isn't all valid UTF-8 then, not at all.
	Percent bool
}
