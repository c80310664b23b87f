package schema

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/lists"
)

// NameRules are how an agent writes the names of MCP servers and of their tools into the
// name of a tool. The zero value leaves them as they are.
type NameRules struct {
	Else byte   // what other characters than letters, digits, "_" and those of Kept become; 0: themselves
	Kept string // further characters that stay
	Runs bool   // several Else in a row become one
	// Only are the characters that become Else; the others are left out, and so is Else at either end. "": all.
	Only string
	// Lower: letters become small ones, and Else is left out at either end.
	Lower bool
	// Once: a tool's name doesn't begin with the server's once more.
	Once   bool
	Most   int        // how many bytes are kept; 0: all
	Server *NameRules // how names of servers are written; nil: like those of tools
}

// OfServer are the rules for names of servers.
func (n NameRules) OfServer() NameRules {
	if n.Server != nil {
		return *n.Server
	}
	return n
}

// Word is a name as it is written.
func (n NameRules) Word(name string) string {
	word := n.replace(name)
	if n.Lower {
		word = strings.Trim(strings.ToLower(word), string(n.Else))
	}
	if n.Only != "" {
		word = strings.Trim(word, string(n.Else))
	}
	if n.Most > 0 && len(word) > n.Most {
		word = strings.TrimRight(word[:n.Most], string(n.Else))
	}
	return word
}

func (n NameRules) replace(name string) string {
	if n.Else == 0 {
		return name
	}
	last := rune(0)
	return strings.Map(func(r rune) rune {
		switch {
		case ascii.Word(r) || strings.ContainsRune(n.Kept, r):
		case n.Only != "" && !strings.ContainsRune(n.Only, r):
			return -1
		default:
			r = rune(n.Else)
		}
		if n.Runs && r == rune(n.Else) && r == last {
			return -1
		}
		last = r
		return r
	}, name)
}

// marks are the characters that names of servers and tools have beside letters and digits.
const marks = "_-.:/ "

// Images are what n makes of a character that other rules have written: of it, and of each that
// they write so.
func (n NameRules) Images(written NameRules, c rune) []string {
	images := []string{n.replace(string(c))}
	if written.Else == 0 || n.Else == 0 || c != rune(written.Else) {
		return images
	}
	for _, m := range marks {
		if image := n.replace(string(m)); written.replace(string(m)) == string(c) && !slices.Contains(images, image) {
			images = append(images, image)
		}
	}
	return images
}

// maxMixed is how many characters of a name may each have been any of several.
const maxMixed = 4

// Spellings are what n may make of a name that other rules have written: each combination where
// few characters are in question, else those in which all of these have become the same.
func (n NameRules) Spellings(written NameRules, word string) []string {
	same := []string{n.Word(word)}
	mixed := []string{""}
	open := 0
	for _, c := range word {
		images := n.Images(written, c)
		if written.Runs && c == rune(written.Else) { // one or two of them
			images = append(images, lists.Map(images, func(image string) string { return image + image })...)
			open++
		}
		if len(images) > 1 {
			open++
			for _, image := range images {
				if s := n.Word(strings.ReplaceAll(word, string(c), image)); !slices.Contains(same, s) {
					same = append(same, s)
				}
			}
		}
		if open > maxMixed {
			return same
		}
		var next []string
		for _, s := range mixed {
			for _, image := range images {
				next = append(next, s+image)
			}
		}
		mixed = next
	}

	return lists.Map(mixed, n.Word)
}
