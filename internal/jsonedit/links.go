package jsonedit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Inside returns an error if a folder's symbolic link leads from a file below root out of it: a repository must not
// redirect a write or removal. The nearest existing folder counts, with links followed. Every writer calls it before it
// changes anything. A file outside root is allowed.
func Inside(root, file string) error {
	if root == "" || !below(filepath.Clean(root), filepath.Clean(file)) {
		return nil
	}
	dir := filepath.Dir(file)
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil { // nothing can be in it
		return nil
	}
	for at := dir; ; at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		if _, there := os.Lstat(at); err != nil && there != nil && at != filepath.Dir(at) {
			continue
		}
		if err == nil && (real == realRoot || below(realRoot, real)) {
			return nil
		}
		return fmt.Errorf("a symbolic link leads from %s out of the project, and hookbridge changes no file there; "+
			"put a folder in its place (nothing was written)", dir)
	}
}

// below reports whether a path is below a folder, both as written.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// RemoveFolders removes the empty folders above a file, up to root or kept, which stay. A link belongs to the user,
// wherever it leads.
func RemoveFolders(file, root, kept string) {
	for dir := filepath.Dir(file); dir != kept && below(root, dir); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || os.Remove(dir) != nil {
			return
		}
	}
}
