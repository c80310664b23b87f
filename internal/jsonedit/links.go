package jsonedit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Inside returns an error if a symbolic link of a folder leads from a file below root out of it: a repository must not
// choose where else is written or removed. What counts is the nearest folder that exists, with links followed. Every
// writer asks it before it changes anything. A file that isn't below root is where somebody wants it.
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

// below reports whether a path is below a folder, as both are written.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// RemoveFolders removes the folders above a file in which nothing is left, up to root or kept, which stay. A link is
// somebody's own, wherever it leads.
func RemoveFolders(file, root, kept string) {
	for dir := filepath.Dir(file); dir != kept && below(root, dir); dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() || os.Remove(dir) != nil {
			return
		}
	}
}
