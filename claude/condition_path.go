package claude

import (
	"cmp"
	"path"
	"strings"

	"github.com/hookbridge/hookbridge/internal/wildcard"
)

// places are the folders from which patterns and relative paths start. A pattern that needs an unknown one matches.
type places struct{ project, cwd, home string }

// pathHolds compares a path with a pattern in the two ways of Claude Code (observed 2.1.328). One is as a line of
// .gitignore: "src/**" and "*.ts" below the working folder, "/src/**" below the project, "//tmp/**" below the root,
// "~/x" below home. The other is as text, in which "*" is any run of characters, unless the pattern starts with a
// slash. Case only counts in a pattern with "*". The path is the model's: links in it aren't followed. The folder's
// case never counts: on a file system that ignores it, the file is the same.
func pathHolds(spec, file string, at places) bool {
	at = places{slashed(at.project), slashed(at.cwd), slashed(at.home)}
	base := cmp.Or(at.cwd, at.project)
	for _, p := range []string{file, strings.TrimSpace(file)} {
		p = slashed(p)
		switch {
		case p == "~" || strings.HasPrefix(p, "~/"):
			if at.home == "" {
				return true
			}
			p = at.home + p[1:]
		case !path.IsAbs(p) && base == "":
			return true
		case !path.IsAbs(p):
			p = base + "/" + p
		}
		if clean := path.Clean(p); asText(spec, p) || asText(spec, clean) || asLine(spec, clean, at) {
			return true
		}
	}
	return false
}

func asText(spec, file string) bool {
	spec = strings.TrimSpace(spec)
	return strings.EqualFold(slashed(spec), file) || !strings.HasPrefix(spec, "/") && wildcard.Match(spec, file)
}

func asLine(spec, file string, at places) bool {
	roots, spec, rooted := at.rootsOf(spec)
	pattern := wildcard.ParsePath(spec, rooted)
	return inAnyRoot(roots, func(root string) bool {
		rest := pattern
		for up := true; up; {
			if rest, up = rest.Up(); up {
				root = path.Dir(root)
			}
		}
		rel, inside := inFolder(root, file)
		return inside && rest.Match(rel)
	})
}

// rootsOf returns a pattern's base folders and the rest of it; rooted means that it doesn't apply at every depth.
func (at places) rootsOf(spec string) (roots []string, rest string, rooted bool) {
	switch {
	case strings.HasPrefix(spec, "//"):
		return []string{"/"}, spec[2:], true
	case strings.HasPrefix(spec, "/"):
		return []string{at.project}, spec[1:], true
	case spec == "~" || strings.HasPrefix(spec, "~/"):
		return []string{at.home}, spec[1:], true
	}
	return []string{at.cwd, at.project}, strings.TrimPrefix(spec, "./"), false
}

// inAnyRoot reports whether the condition holds in one of the known folders, or no folder is known.
func inAnyRoot(roots []string, holds func(root string) bool) bool {
	unknown := true
	for _, root := range roots {
		if root == "" {
			continue
		}
		if unknown = false; holds(path.Clean(root)) {
			return true
		}
	}
	return unknown
}

// inFolder returns the path of a file relative to a folder.
func inFolder(folder, file string) (rel string, inside bool) {
	folder = strings.TrimSuffix(folder, "/")
	if len(file) <= len(folder) || file[len(folder)] != '/' || !strings.EqualFold(file[:len(folder)], folder) {
		return "", false
	}
	return file[len(folder)+1:], true
}

// slashed writes a Windows path as Claude Code does: C:\x is /c/x.
func slashed(p string) string {
	if len(p) < 2 || p[1] != ':' || p[0]|0x20 < 'a' || p[0]|0x20 > 'z' {
		return p
	}
	return "/" + strings.ToLower(p[:1]) + strings.ReplaceAll(p[2:], `\`, "/")
}
