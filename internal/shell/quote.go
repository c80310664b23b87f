package shell

import "strings"

// plain are the ASCII characters that mean themselves anywhere in a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@:=,+"

// Quote writes s as one word, bare where that is safe.
func Quote(s string) string {
	bare := s != ""
	for i := 0; i < len(s) && bare; i++ {
		bare = s[i] >= 0x80 || strings.IndexByte(plain, s[i]) >= 0
	}
	if bare {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// IsName reports whether a variable may be called s.
func IsName(s string) bool {
	return s != "" && len(Name(s)) == len(s)
}

// Name is the name with which s begins, "" if with none.
func Name(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return s[:i]
		}
	}
	return s
}
