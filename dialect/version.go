package dialect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/schema"
)

// At returns the profile as of a version, or of the program of that name or whole
// name. Its rows are the newest ones: what else differs is the dialect's to change
// before it is used.
func (p *Profile) At(version string) (*Profile, error) {
	out := *p
	out.Version, out.AsOf, out.Program = version, "", nil
	for i := range p.Programs {
		g := &p.Programs[i]
		if g.Name != version && (g.FullName == "" || g.FullName != version) {
			continue
		}
		out.Program = g
		if g.FullName != "" {
			out.Name, out.Version, out.agent = g.FullName, "", p.Agent()
		}
		return &out, nil
	}
	if version != "" && (version[0] < '0' || version[0] > '9') {
		return nil, fmt.Errorf("%s has no version or program %q; write a version number%s", p.Name, version, p.programList())
	}
	if !p.knows(version) {
		return nil, fmt.Errorf("no version %s of %s is known; the newest is %s", version, p.Title, strings.Join(p.Known, " or "))
	}
	out.AsOf = version
	return &out, nil
}

// knows reports whether there may be such a version: none has a greater first number than the newest. Years are a
// way of counting of their own.
func (p *Profile) knows(version string) bool {
	const years = 1000
	first := leadingNumber(version)
	return version == "" || p.Known == nil || slices.ContainsFunc(p.Known, func(known string) bool {
		newest := leadingNumber(known)
		return first <= newest && (first < years) == (newest < years)
	})
}

func (p *Profile) programList() string {
	if len(p.Programs) == 0 {
		return ""
	}
	return " or one of " + strings.Join(lists.Map(p.Programs, func(g Program) string { return g.Name }), ", ")
}

// Has reports whether the version or program that the profile is of raises the
// event of a row.
func (p *Profile) Has(row *schema.EventRow) bool {
	if p.Program != nil && p.Program.On(row.Native).Never {
		return false
	}
	return p.Since(row.Since)
}

// Since reports whether the profile is of a version or a later one.
func (p *Profile) Since(version string) bool { return Since(p.AsOf, version) }

// Since reports whether a version is first or a later one; "" is the newest.
func Since(version, first string) bool { return version == "" || CompareVersions(version, first) >= 0 }

// CompareVersions compares dotted versions number by number; a missing number is
// 0, and what follows the digits of one doesn't count.
func CompareVersions(a, b string) int {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if m, n := leadingNumber(x), leadingNumber(y); m != n {
			if m < n {
				return -1
			}
			return 1
		}
	}
	return 0
}

func leadingNumber(s string) (n int) {
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1e15; i++ {
		n = 10*n + int(s[i]-'0')
	}
	return n
}
