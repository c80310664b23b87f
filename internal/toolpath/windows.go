package toolpath

import (
	"strings"
)

// onWindows returns the path of the file that Windows opens for a path, without looking at the disk. Names lose dots or
// blanks at their ends, a stream counts as its file, and \\?\ and the machine's own shares, which bypass that, become
// paths of a drive. Other paths stay as written.
func onWindows(s, cwd string) string {
	slashed := strings.ReplaceAll(s, `\`, "/")
	verbatim := false
	for _, device := range []string{"//?/", "//./", "/??/"} {
		if rest, ok := cutFold(slashed, device); ok {
			slashed, verbatim = rest, true
			if share, ok := cutFold(rest, "UNC/"); ok {
				slashed = "//" + share
			}
		}
	}
	for _, self := range []string{"//localhost/", "//127.0.0.1/", "//[::1]/"} {
		if rest, ok := cutFold(slashed, self); ok && len(rest) > 1 && isLetter(rest[0]) && rest[1] == '$' {
			slashed, verbatim = rest[:1]+":"+rest[2:], true
		}
	}
	if len(slashed) > 2 && slashed[0] == '/' && isLetter(slashed[1]) && slashed[2] == ':' { // of a URL
		slashed, verbatim = slashed[1:], true
	}

	drive := ""
	if len(slashed) > 1 && isLetter(slashed[0]) && slashed[1] == ':' {
		drive, slashed = slashed[:2], slashed[2:]
		sameDrive := len(cwd) > 1 && strings.EqualFold(cwd[:2], drive)
		if sameDrive && !strings.HasPrefix(slashed, "/") {
			drive, slashed = strings.ReplaceAll(cwd, `\`, "/")+"/", "./"+slashed
		}
	}

	names, up := strings.Split(slashed, "/"), false
	for i, name := range names {
		up = up || name == ".."
		if plain := fileName(name); plain != name {
			names[i], verbatim = plain, true
		}
	}
	switch joined := strings.Join(names, "/"); {
	case up && drive == "" && !strings.HasPrefix(joined, "/") && cwd != "":
		return lexical(strings.ReplaceAll(cwd, `\`, "/") + "/" + joined)
	case up || strings.HasSuffix(drive, "/"):
		return lexical(drive + joined)
	case verbatim:
		return drive + joined
	}
	return s
}

// fileName returns a name in a path without a stream, and without the dots and blanks at its end.
func fileName(name string) string {
	if name == "." || name == ".." {
		return name
	}
	if at := strings.IndexByte(name, ':'); at > 0 {
		name = name[:at]
	}
	if plain := strings.TrimRight(name, ". "); plain != "" {
		return plain
	}
	return name
}

// lexical returns a path without "." and "..", which Windows resolves before it looks for anything.
func lexical(s string) string {
	var names []string
	root := ""
	if len(s) > 1 && s[1] == ':' {
		root, s = s[:2], s[2:]
	}
	for name := range strings.SplitSeq(s, "/") {
		switch {
		case name == "..":
			names = names[:max(len(names)-1, 0)]
		case name != "." && name != "":
			names = append(names, name)
		}
	}
	return root + "/" + strings.Join(names, "/")
}

func cutFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
