// Package suggest finds the word that was probably meant.
package suggest

import "strings"

// Nearest returns the word of list that word is probably a typo of: another case, other separators, a few wrong
// letters. It is "" if none is near; of equally near ones the first counts.
func Nearest(word string, list []string) string {
	w := plain(word)
	limit := len(w)/3 + 1
	if len(w) < 5 { // in a short word two letters are half of it
		limit = 1
	}
	found, best := "", limit+1
	for _, l := range list {
		p := plain(l)
		n := distance(w, p, best)
		if n > 0 && len(w) >= 3 && strings.HasPrefix(p, w) { // begun and not ended
			n = 1
		}
		if n < best && n < len(w) {
			found, best = l, n
		}
	}
	return found
}

// Slip returns the word of list that differs from word by one letter, or "".
func Slip(word string, list []string) string {
	for _, l := range list {
		if len(word) >= 3 && word != l && distance(word, l, 2) == 1 {
			return l
		}
	}
	return ""
}

// Question returns " did you mean X?" for messages, "" if nothing is near.
func Question(word string, list []string) string {
	if near := Nearest(word, list); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// plain removes case and separators, which people mix up.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_ .", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// distance counts the letters to add, remove, replace or swap with the next; at limit it stops counting.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}
