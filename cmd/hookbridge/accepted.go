package main

import "strings"

// An acceptedLine is a finding that was looked at. It says what the finding is about
// by its content, so that it stays with its hook when others come or go.
type acceptedLine struct {
	place  string // FILE:LINE that it is from
	text   string
	status string
	host   string
	rest   []string
	used   bool
}

// acceptedForm is how hookbridge.yaml names a finding.
const acceptedForm = "a finding is STATUS HOST COMMAND, or a line as hookbridge doctor prints it"

// parseAccepted reads a line as the table prints it; what follows two blanks and
// a # is for people.
func parseAccepted(text string) (*acceptedLine, bool) {
	text, _, _ = strings.Cut(text, "  #")
	words := strings.Fields(text)
	if len(words) < 3 {
		return nil, false
	}
	return &acceptedLine{text: strings.Join(words, " "), status: words[0], host: words[1], rest: words[2:]}, true
}
