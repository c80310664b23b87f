package schema

import "strings"

// AtMost begins a Since of which only a bound is known: the newest version that was tried has it, and no older one
// is known to lack it.
const AtMost = "≤"

// Since reports whether a version is first or a later one; "" is the newest. A first that AtMost begins leaves no
// version out.
func Since(version, first string) bool {
	return version == "" || strings.HasPrefix(first, AtMost) || CompareVersions(version, first) >= 0
}

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
