package claude

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/wildcard"
)

// pathDenied compares a file with the pattern of a rule (observed 2.1.332, 55 patterns with 48 paths each). Unlike a
// condition, a rule is only a line of .gitignore, "src/**" is "src" at any depth, and there are no comments. Links are
// followed: both the file that is opened and the one that was named count.
func pathDenied(spec, file string, at places) bool {
	at = places{slashed(at.project), slashed(at.cwd), slashed(at.home)}
	real := places{realFile(at.project), realFile(at.cwd), realFile(at.home)}
	for _, p := range []string{file, strings.TrimSpace(file)} {
		p, known := at.absolute(p)
		if !known {
			return true
		}
		opened := slashed(realFile(p))
		if asRule(spec, p, at) || asRule(spec, opened, at) || asRule(spec, opened, real) {
			return true
		}
	}
	return false
}

// absolute returns the clean path of a file that the model named; known is false if it is relative to an unknown
// folder.
func (at places) absolute(file string) (p string, known bool) {
	p = slashed(file)
	switch base := cmp.Or(at.cwd, at.project); {
	case p == "~" || strings.HasPrefix(p, "~/"):
		p, known = at.home+p[1:], at.home != ""
	case !path.IsAbs(p):
		p, known = base+"/"+p, base != ""
	default:
		known = true
	}
	return path.Clean(p), known
}

func asRule(spec, file string, at places) bool {
	roots, rest, rooted := at.rootsOf(spec)
	if strings.HasPrefix(rest, "#") {
		rest = `\` + rest
	}
	pattern := wildcard.ParsePath(strings.TrimSuffix("/"+rest, "/**"), rooted)
	if !rooted {
		pattern = wildcard.ParsePath(strings.TrimSuffix(rest, "/**"), false)
	}
	return inAnyRoot(roots, func(root string) bool {
		rel, inside := inFolder(root, file)
		return inside && pattern.Match(rel)
	})
}

// matchesNoFile reports whether a pattern can't match a file: it is just a root, or above it.
func matchesNoFile(spec string) bool {
	_, rest, _ := places{}.rootsOf(spec)
	if spec == "~" {
		return false
	}
	rest = strings.TrimPrefix(rest, "/") // after ~
	return rest == "" || rest == "." || rest == ".." || strings.HasPrefix(rest, "../")
}

// maxLinks is the longest chain of symbolic links that is followed to a missing file.
const maxLinks = 40

// realFile returns the file that is opened, even if a link leads to it before it exists.
func realFile(file string) string {
	for range maxLinks {
		target, err := os.Readlink(file)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(dialect.RealPath(filepath.Dir(file)), target)
		}
		file = target
	}
	return dialect.RealPath(file)
}
