// Package ascii has the classes of characters for names in shells, files and patterns.
package ascii

// A Char is a byte or a character; those outside ASCII are in no class.
type Char interface{ byte | rune }

// Letter reports whether c is one of a to z or A to Z.
func Letter[C Char](c C) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// Digit reports whether c is one of 0 to 9.
func Digit[C Char](c C) bool { return '0' <= c && c <= '9' }

// Word reports whether c is a letter, a digit or an underscore.
func Word[C Char](c C) bool { return c == '_' || Letter(c) || Digit(c) }
