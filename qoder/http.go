package qoder

import (
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// An address is a URL in the parts that allowedHttpHookUrls are compared by.
type address struct{ scheme, host, port, path string }

func parseAddress(s string) (a address, ok bool) {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		return a, false
	}
	a.scheme = strings.ToLower(scheme)
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	a.host, a.path = rest[:end], rest[end:]
	a.host = a.host[strings.LastIndexByte(a.host, '@')+1:]
	if i := strings.LastIndexByte(a.host, ':'); i > strings.LastIndexByte(a.host, ']') {
		a.host, a.port = a.host[:i], a.host[i+1:]
	}
	if a.scheme == "http" && a.port == "80" || a.scheme == "https" && a.port == "443" {
		a.port = ""
	}
	a.host = strings.ToLower(strings.TrimSuffix(a.host, "."))
	a.path, _, _ = strings.Cut(a.path, "#")
	if !strings.HasPrefix(a.path, "/") {
		a.path = "/" + a.path
	}
	return a, a.host != ""
}

// fitsAddress compares an address with an entry of allowedHttpHookUrls part by
// part (package 1.1.52): "*" is any text of the part, an entry without a path is
// all of its host's.
func fitsAddress(pattern, url string) bool {
	if pattern == "*" {
		return true
	}
	want, ok := parseAddress(pattern)
	got, fine := parseAddress(url)
	switch {
	case !ok || !fine:
		return false
	case want.scheme != "*" && want.scheme != got.scheme, !stars(want.host, got.host), want.port != "*" && want.port != got.port:
		return false
	case want.path == "/" && !strings.HasSuffix(pattern, "/"):
		return true
	}
	return stars(want.path, got.path)
}

// stars reports whether s is pattern, in which "*" stands for any text.
func stars(pattern, s string) bool {
	first, rest, found := strings.Cut(pattern, "*")
	if !found {
		return s == pattern
	}
	s, ok := strings.CutPrefix(s, first)
	for ok {
		part, more, found := strings.Cut(rest, "*")
		if !found {
			return strings.HasSuffix(s, part)
		}
		_, s, ok = strings.Cut(s, part)
		rest = more
	}
	return false
}

// sent are the variables that headers name, $NAME or ${NAME} in capitals: without
// a list of its own a hook sends all that they name (observed 1.1.52).
func sent(headers []schema.EnvVar) (names []string) {
	for _, h := range headers {
		for _, part := range strings.Split(h.Value, "$")[1:] {
			inner, braced := strings.CutPrefix(part, "{")
			name := inner[:len(inner)-len(strings.TrimLeft(inner, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"))]
			if name == "" || name[0] <= '9' || braced && !strings.HasPrefix(inner[len(name):], "}") || slices.Contains(names, name) {
				continue
			}
			names = append(names, name)
		}
	}
	return names
}
