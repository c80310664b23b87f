package schema

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ascii"
	"github.com/hookbridge/hookbridge/internal/lists"
)

// NameRules are how an agent writes the names of MCP servers and of their tools into the name of a tool. The zero value
// leaves them unchanged.
type NameRules struct {
	Else byte   // replaces characters other than letters, digits, "_" and those of Kept; 0: nothing does
	Kept string // further characters that stay
	Runs bool   // several Else in a row become one
	// Only are the characters that Else replaces; the others are removed, as is Else at either end. "": it replaces
	// all.
	Only string
	// Lower: letters become lower case, and Else is removed at either end.
	Lower bool
	// Once: if a tool's name begins with the server's, it isn't repeated.
	Once   bool
	Most   int        // the maximum length in bytes; 0: no limit
	Server *NameRules // how names of servers are written; nil: like those of tools
}

// OfServer returns the rules for names of servers.
func (n NameRules) OfServer() NameRules {
	if n.Server != nil {
		return *n.Server
	}
	return n
}

// Word returns a name as it is written.
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

// marks are the possible characters of server and tool names other than letters and digits.
const marks = "_-.:/ "

// Images returns the results of n for a character that other rules wrote: for the character, and for each one that they
// write as it.
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

// maxMixed is the maximum number of ambiguous characters in a name for which all combinations are listed.
const maxMixed = 4

// Spellings returns the possible results of n for a name that other rules wrote. It lists every combination of a few
// ambiguous characters. If there are more, it lists the results in which all are replaced alike.
func (n NameRules) Spellings(written NameRules, word string) []string {
	same := []string{n.Word(word)}
	mixed := []string{""}
	open := 0
	for _, c := range word {
		images := n.Images(written, c)
		if written.Runs && c == rune(written.Else) { // stands for one or two of them
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
