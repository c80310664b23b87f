package main

import "strings"

// An entry is a section of a page in the search: its title, the page's title, the address, the part of the site and the
// text.
type entry [5]string

// longest is how much of a section's text stays unchanged. For the rest, only the words are kept.
const longest = 1200

// searchIndex lists every section of every page.
func searchIndex(docs []document) (list []entry) {
	for i := range docs {
		for n, h := range docs[i].Heads {
			url := docs[i].Out
			if n > 0 {
				url += "#" + h.ID
			}
			list = append(list, entry{h.Title, docs[i].Title, url, docs[i].Section, shortened(h.Text)})
		}
	}
	return list
}

// shortened keeps the start of a text, and each word of the rest once.
func shortened(text string) string {
	if len(text) <= longest {
		return text
	}
	cut := strings.LastIndexByte(text[:longest], ' ') + 1
	kept, rest := text[:cut], text[cut:]
	known := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(kept)) {
		known[w] = true
	}
	var b strings.Builder
	b.WriteString(kept)
	for _, w := range strings.Fields(strings.ToLower(rest)) {
		w = strings.Trim(w, `.,;:()|"'“”`)
		if len(w) > 2 && !known[w] {
			known[w] = true
			b.WriteString(w + " ")
		}
	}
	return b.String()
}
