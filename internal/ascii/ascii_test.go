package ascii

import "testing"

// TestClasses compares the classes with lists of their characters.
func TestClasses(t *testing.T) {
	letters, digits := map[rune]bool{}, map[rune]bool{}
	for _, r := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" {
		letters[r] = true
	}
	for _, r := range "0123456789" {
		digits[r] = true
	}
	for r := rune(-1); r <= 0x3000; r++ {
		word := letters[r] || digits[r] || r == '_'
		if Letter(r) != letters[r] || Digit(r) != digits[r] || Word(r) != word {
			t.Errorf("%q: letter %v, digit %v, word %v", r, Letter(r), Digit(r), Word(r))
		}
		if b := byte(r); r >= 0 && r < 0x100 && (Letter(b) != letters[r] || Digit(b) != digits[r] || Word(b) != word) {
			t.Errorf("byte %q", b)
		}
	}
}
