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
// condition, a rule is a line of .gitignore alone, "src/**" is "src" at any depth, nothing is a comment, and links are
// followed: the file that is opened counts, and the one that was named.
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

// absolute is the clean path of a file that the model named; known is false if it counts from an unknown folder.
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

// matchesNoFile reports whether a pattern is for no file: a root alone, or what is above it.
func matchesNoFile(spec string) bool {
	_, rest, _ := places{}.rootsOf(spec)
	if spec == "~" {
		return false
	}
	rest = strings.TrimPrefix(rest, "/") // behind ~
	return rest == "" || rest == "." || rest == ".." || strings.HasPrefix(rest, "../")
}

// maxLinks is how many symbolic links in a row a file that isn't there may be behind.
const maxLinks = 40

// realFile is the file that is opened, which a link may lead to before it is there.
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
