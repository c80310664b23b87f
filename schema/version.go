package schema

import (
	"slices"
	"strings"
)

// AtMost begins a Since that is only an upper bound: the newest tested version has it, and no older one is known to
// lack it.
const AtMost = "≤"

// Since reports whether a version is first or a later one; "" is the newest. If first begins with AtMost, every version
// counts.
func Since(version, first string) bool {
	return version == "" || strings.HasPrefix(first, AtMost) || CompareVersions(version, first) >= 0
}

// IsVersion reports whether a text is a program's version: numbers separated by dots, then the suffix of an early
// version, as in 1.2.0-rc.1. To every shell and page it is an ordinary word.
func IsVersion(s string) bool {
	const longest = 64
	rest := strings.TrimLeft(s, "0123456789.")
	numbers := strings.Split(s[:len(s)-len(rest)], ".")
	if slices.Contains(numbers, "") || len(s) > longest {
		return false
	}
	return rest == "" || strings.ContainsAny(rest[:1], "-+") && strings.Trim(rest, ofVersions) == ""
}

// ofVersions are the possible characters after the numbers of a version.
const ofVersions = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+."

// between reports whether a version has a row that was introduced in since and removed in until; "" for either means no
// limit.
func between(version, since, until string) bool {
	return Since(version, since) && (until == "" || !Since(version, until))
}

// CompareVersions compares dotted versions number by number. A missing number is 0, and text after the digits of a
// number doesn't count.
func CompareVersions(a, b string) int {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if m, n := LeadingNumber(x), LeadingNumber(y); m != n {
			if m < n {
				return -1
			}
			return 1
		}
	}
	return 0
}

// LeadingNumber returns the number at the start of a text, 0 if there is none.
func LeadingNumber(s string) (n int) {
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1e15; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}
