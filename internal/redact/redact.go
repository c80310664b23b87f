// Package redact hides secrets in text that is kept or shown: the run log and hookbridge's stderr. It finds the shapes
// of common tokens, and common names of secrets; it can miss some. Answers to a host never pass through it.
package redact

import "strings"

// Mark replaces a secret.
const Mark = "[redacted]"

// A shape describes a token that is identified by its beginning.
type shape struct {
	prefix string
	least  int    // characters after the prefix
	also   string // allowed characters in addition to letters and digits
}

// shapes are the published forms of tokens, by their issuers.
var shapes = []shape{
	{"AKIA", 16, ""}, {"ASIA", 16, ""}, // AWS key ids
	{"ghp_", 20, "_"}, {"gho_", 20, "_"}, {"ghu_", 20, "_"}, {"ghs_", 20, "_.-"}, {"ghr_", 20, "_"},
	{"github_pat_", 20, "_"},
	{"glpat-", 16, "_-."}, {"gldt-", 16, "_-"}, {"glrt-", 16, "_-."},
	{"sk-", 16, "_-"}, {"sk_live_", 10, "_"}, {"sk_test_", 10, "_"}, {"rk_live_", 10, "_"}, {"whsec_", 16, "_+/="},
	{"xoxb-", 10, "-"}, {"xoxp-", 10, "-"}, {"xoxa-", 10, "-"}, {"xoxr-", 10, "-"}, {"xoxs-", 10, "-"},
	{"xapp-", 10, "-"},
	{"AIza", 30, "_-"}, {"ya29.", 20, "_-."}, {"GOCSPX-", 16, "_-"},
	{"npm_", 30, ""}, {"pypi-", 20, "_-"}, {"hf_", 20, ""}, {"dop_v1_", 20, ""}, {"SG.", 20, "_-."}, {"hvs.", 20, "_-"},
	{"shpat_", 20, ""}, {"lin_api_", 20, ""}, {"figd_", 20, "_-"}, {"sntrys_", 20, "_-=+/."}, {"dapi", 32, ""},
	{"xai-", 20, "_-"}, {"gsk_", 20, ""}, {"r8_", 20, ""}, {"AGE-SECRET-KEY-", 20, ""},
	{"hooks.slack.com/services/", 20, "/"}, {"discord.com/api/webhooks/", 30, "/_-"},
	{"eyJ", 20, "_-.="}, // JSON Web Tokens
}

// names are the ends of names of fields, variables and flags whose values are secrets.
var names = []string{
	"password", "passwd", "passphrase", "secret", "token", "api_key", "api-key", "apikey", "access_key", "access-key",
	"accesskey", "secret_key", "secretkey", "private_key", "privatekey", "auth_key", "credential", "credentials",
	"authorization", "cookie", "accountkey", "secret_key_base", "x-amz-signature",
	"_pass", "_pwd",
}

// Text returns s with everything that looks like a secret replaced by Mark: tokens of known shape, the value after a
// name in names, the text after Bearer or Basic, a password in an address, the body of a private key.
func Text(s string) string {
	var out []byte // nil as long as nothing was found
	done := 0
	for i := 0; i < len(s); {
		keep, end := secretAt(s, i)
		if end == 0 {
			i++
			continue
		}
		out = append(append(out, s[done:keep]...), Mark...)
		i, done = end, end
	}
	if out == nil {
		return s
	}
	return string(append(out, s[done:]...))
}

// secretAt finds a secret that is introduced at i: it reaches from keep to end. end is 0 if there is none.
func secretAt(s string, i int) (keep, end int) {
	c := s[i]
	switch {
	case c == ':':
		if strings.HasPrefix(s[i:], "://") {
			return password(s, i+3)
		}
		return 0, 0
	case c == '-':
		if strings.HasPrefix(s[i:], "-----BEGIN ") && strings.Contains(s[i:min(len(s), i+60)], "PRIVATE KEY") {
			return privateKey(s, i)
		}
		return login(s, i)
	case !letter(c):
		return 0, 0
	}
	if i == 0 || !alnum(s[i-1]) || escapedLetter(s, i) {
		if keep, end = token(s, i); end > 0 {
			return keep, end
		}
	}
	return named(s, i)
}

// token finds a token of known shape, or the text after the name of a scheme.
func token(s string, i int) (keep, end int) {
	for _, sh := range shapes {
		if s[i] == sh.prefix[0] && strings.HasPrefix(s[i:], sh.prefix) {
			if end := run(s, i+len(sh.prefix), sh.also); end-i-len(sh.prefix) >= sh.least {
				return i, end
			}
		}
	}
	for _, scheme := range schemes {
		if n := len(scheme); len(s)-i > n && strings.EqualFold(s[i:i+n], scheme) {
			if end := run(s, i+n, "_-.=+/~:"); end-i-n >= 8 {
				return i + n, end
			}
		}
	}
	return 0, 0
}

// schemes are words before a secret.
var schemes = []string{"bearer ", "basic "}

// escapedLetter reports whether the letter before i belongs to an escape such as \n, as in JSON inside a log.
func escapedLetter(s string, i int) bool {
	return i > 1 && s[i-2] == '\\' && strings.IndexByte("nrt", s[i-1]) >= 0
}

// named finds the value after a name in names: name=value, "name": "value", --name value.
func named(s string, i int) (keep, end int) {
	for _, n := range names {
		if n[0] == '_' { // too short to count at the start of a word
			if n = n[1:]; i == 0 || s[i-1] != '_' {
				continue
			}
		}
		if len(s)-i <= len(n) || s[i]|0x20 != n[0] || !strings.EqualFold(s[i:i+len(n)], n) {
			continue
		}

		j := i + len(n)
		j += span(s[j:], `\"'`)
		if strings.HasPrefix(s[j:], ",") { // {"name": "TOKEN", "value": ".."}
			if at := j + 1 + span(s[j+1:], ` \"'`); strings.HasPrefix(s[at:], "value") {
				j = at + len("value")
				j += span(s[j:], `\"'`)
			}
		}
		at := j
		j += span(s[j:], " \t")
		inTag := i > 0 && s[i-1] == '<'
		switch {
		case j < len(s) && (strings.IndexByte("=:", s[j]) >= 0 || s[j] == '>' && inTag):
			j++
			j += span(s[j:], "> \t")
		case j > at && (isFlag(s[:i]) || strings.Contains(s[max(0, i-80):i], "login ")): // as in .netrc
		default:
			continue
		}
		quote := s[j : j+span(s[j:], `\"'`)]
		j += len(quote)
		if rest := s[j:]; strings.HasPrefix(rest, "$") || strings.HasPrefix(rest, Mark) ||
			strings.HasPrefix(rest, "-----BEGIN ") {
			continue // a variable isn't a secret; a key has its own form
		}

		for _, scheme := range []string{"bearer ", "basic ", "token ", "digest "} {
			if len(s)-j > len(scheme) && strings.EqualFold(s[j:j+len(scheme)], scheme) {
				j += len(scheme)
			}
		}
		end := j + until(s[j:], quote, n == "authorization" || n == "cookie")
		if end-j >= 4 && !plainWord(s[j:end]) {
			return j, end
		}
	}

	return 0, 0
}

// until returns the length of a value: to the end of its quotes, for a header to the end of the line, else to the end
// of the word.
func until(s, quote string, header bool) int {
	ends := " \t\r\n\"'\\,;&|<>(){}[]"
	if header {
		ends = "\r\n\"'\\"
	}
	if quote != "" {
		near := s[:min(len(s), 1<<10)] // an unclosed quote must not make every search a long one
		for at := 0; ; at++ {
			n := strings.Index(near[at:], quote)
			if n < 0 {
				break
			}
			if at += n; at == 0 || s[at-1] != '\\' {
				return at
			}
		}
	}
	if n := strings.IndexAny(s, ends); n >= 0 {
		return n
	}
	return len(s)
}

// login finds the password in "-u name:password", as in curl.
func login(s string, i int) (keep, end int) {
	for _, flag := range []string{"-u ", "-u", "--user ", "--user=", "--proxy-user "} {
		if !strings.HasPrefix(s[i:], flag) || i > 0 && s[i-1] > ' ' {
			continue
		}
		j := i + len(flag)
		j += span(s[j:], `\"'`)
		name := run(s, j, "_.-@")
		if end = name; name > j && name < len(s) && s[name] == ':' {
			for end < len(s) && strings.IndexByte(" \t\r\n\"'\\", s[end]) < 0 {
				end++
			}
			if end-name > 4 && s[name+1] != '$' && !strings.HasPrefix(s[name+1:], Mark) {
				return name + 1, end
			}
		}
	}
	return 0, 0
}

// isFlag reports whether the word at the end of s begins like a flag. It is called only if a blank follows the word:
// each search then ends at the blank before, and a long text isn't searched again for every name in it.
func isFlag(s string) bool {
	return strings.HasPrefix(s[strings.LastIndexAny(s, " \t\"'\n")+1:], "--")
}

// plainWord reports whether a value, common for fields with such names, isn't secret.
func plainWord(s string) bool {
	switch s {
	case "null", "true", "false", "none", "None", "undefined":
		return true
	}
	return false
}

// password finds the one in an address: user:password@.
func password(s string, i int) (keep, end int) {
	colon := -1
loop:
	for j := i; j < len(s); j++ {
		switch c := s[j]; {
		case c == ':' && colon < 0:
			colon = j
		case c == '@' && colon < 0 && j-i >= 16: // a token instead of the name
			keep, end = i, j
		case c == '@' && colon >= 0 && j > colon+1:
			keep, end = colon+1, j
		case c <= ' ' || strings.IndexByte(`/?#"'\<>`, c) >= 0:
			break loop
		}
	}
	if strings.HasPrefix(s[keep:], Mark) {
		return 0, 0
	}
	return keep, end
}

// privateKey finds the body of a key in PEM form, to its end if there is one.
func privateKey(s string, i int) (keep, end int) {
	keep = i + strings.Index(s[i:], "PRIVATE KEY") + len("PRIVATE KEY")
	keep += max(0, strings.Index(s[keep:min(len(s), keep+20)], "-----")+len("-----"))
	if n := strings.Index(s[keep:], "-----END"); n >= 0 {
		return keep, keep + n
	}
	return keep, len(s)
}

// run returns the end of the letters, digits and bytes of also that begin at i.
func run(s string, i int, also string) int {
	for i < len(s) && (alnum(s[i]) || strings.IndexByte(also, s[i]) >= 0) {
		i++
	}
	return i
}

// span returns how many bytes at the start of s are in set.
func span(s, set string) int { return len(s) - len(strings.TrimLeft(s, set)) }

func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func alnum(c byte) bool  { return letter(c) || '0' <= c && c <= '9' }
