package schema

import (
	"slices"
	"strings"
)

// AtMost begins a Since of which only a bound is known: the newest version that was tried has it, and no older one
// is known to lack it.
const AtMost = "≤"

// Since reports whether a version is first or a later one; "" is the newest. A first that AtMost begins leaves no
// version out.
func Since(version, first string) bool {
	return version == "" || strings.HasPrefix(first, AtMost) || CompareVersions(version, first) >= 0
}

// IsVersion reports whether a text is the version of a program: numbers with dots between them, and behind them what an
// early version has, such as 1.2.0-rc.1. No shell and no page reads more in it than a word.
func IsVersion(s string) bool {
	const longest = 64
	rest := strings.TrimLeft(s, "0123456789.")
	numbers := strings.Split(s[:len(s)-len(rest)], ".")
	if slices.Contains(numbers, "") || len(s) > longest {
		return false
	}
	return rest == "" || strings.ContainsAny(rest[:1], "-+") && strings.Trim(rest, ofVersions) == ""
}

// ofVersions are the characters behind the numbers of a version.
const ofVersions = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+."

// between reports whether a row that was there since one version and until before
// another is there at a version; "" for either means no limit.
func between(version, since, until string) bool {
	return Since(version, since) && (until == "" || !Since(version, until))
}

// CompareVersions compares dotted versions number by number; a missing number is
// 0, and what follows the digits of one doesn't count.
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

// LeadingNumber is the number that a text begins with, 0 if with none.
func LeadingNumber(s string) (n int) {
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1e15; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}
