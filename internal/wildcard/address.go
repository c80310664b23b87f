package wildcard

import "strings"

// An Address is an HTTP address in its parts, as the URL standard reads it.
type Address struct {
	Scheme string // in lower case
	User   string // with the "@"
	Host   string // in lower case
	Port   string // "" for the scheme's own
	Path   string // with the query, without "." and ".."; "" in a pattern that has none
}

// ParseAddress reads an address. It returns false for what readers of addresses
// may take for different ones: with backslashes, blanks, control characters or
// escapes in the host.
func ParseAddress(s string) (a Address, ok bool) {
	if strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c == '\\' || c == 0x7f }) {
		return a, false
	}
	if a, ok = splitAddress(s); !ok || strings.ContainsAny(a.Host, "%*<>^|\"'`{}") || strings.Trim(a.Port, "0123456789") != "" {
		return a, false
	}
	if a.Path == "" || a.Path[0] != '/' {
		a.Path = "/" + a.Path
	}
	return a, true
}

// String writes the address.
func (a Address) String() string {
	s := a.Scheme + "://" + a.User + a.Host
	if a.Port != "" {
		s += ":" + a.Port
	}
	return s + a.Path
}

func splitAddress(s string) (a Address, ok bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		return a, false
	}
	a.Scheme = strings.ToLower(scheme)
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, path := rest[:end], rest[end:]
	i := strings.LastIndexByte(authority, '@')
	a.User, a.Host = authority[:i+1], authority[i+1:]
	if i := strings.LastIndexByte(a.Host, ':'); i > strings.LastIndexByte(a.Host, ']') {
		a.Host, a.Port = a.Host[:i], strings.TrimLeft(a.Host[i+1:], "0")
	}
	if a.Scheme == "http" && a.Port == "80" || a.Scheme == "https" && a.Port == "443" {
		a.Port = ""
	}
	a.Host = strings.ToLower(strings.TrimSuffix(a.Host, "."))
	path, _, _ = strings.Cut(path, "#")
	path, query, asks := strings.Cut(path, "?")
	a.Path = withoutDots(path)
	if asks {
		a.Path += "?" + query
	}
	return a, a.Host != ""
}

// withoutDots resolves "." and ".." in a path, escaped or not.
func withoutDots(path string) string {
	if !strings.Contains(path, ".") && !strings.Contains(path, "%2") {
		return path
	}
	var kept []string
	parts := strings.Split(path, "/")
	for i, part := range parts {
		last := i == len(parts)-1
		switch strings.ReplaceAll(strings.ToLower(part), "%2e", ".") {
		case "..":
			if len(kept) > 1 {
				kept = kept[:len(kept)-1]
			}
			if last {
				kept = append(kept, "")
			}
		case ".":
			if last {
				kept = append(kept, "")
			}
		default:
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "/")
}

// MatchAddress compares an address with a pattern part by part: "*" is any text
// of the part, a pattern without a path is all of its host's, and the query
// belongs to the path. With anyPort a pattern for every host that names no port
// is for all ports. What user and fragment say never counts.
func MatchAddress(pattern, address string, anyPort bool) bool {
	got, fine := ParseAddress(address)
	if pattern == "*" {
		return fine
	}
	want, ok := splitAddress(pattern)
	if !ok || !fine {
		return false
	}
	everyPort := want.Port == "*" || anyPort && want.Port == "" && strings.Trim(want.Host, "*") == ""
	if strings.Contains(want.Host, "*") && isNumber(want.Host[strings.LastIndexByte(want.Host, '.')+1:]) {
		return false // no IPv4 address to a URL parser: agents then compare in ways of their own
	}
	if want.Scheme != "*" && want.Scheme != got.Scheme || !stars(want.Host, got.Host) || !everyPort && want.Port != got.Port {
		return false
	}
	return want.Path == "" || stars(want.Path, got.Path)
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// stars is Match for texts in which a backslash is a character.
func stars(pattern, s string) bool {
	return Match(strings.ReplaceAll(pattern, `\`, "/"), s)
}
