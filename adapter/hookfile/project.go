package hookfile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// HoldsFile reports whether a source, or a file of its folder, exists.
func HoldsFile(s schema.Source) bool {
	return slices.ContainsFunc(discover.Files(s), func(file schema.Source) bool { return Exists(file.File) })
}

// Exists reports whether anything is at a path, including a broken link.
func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// IsLink reports whether a path is a symbolic link.
func IsLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// BrokenLink reports whether a path is a symbolic link to nothing.
func BrokenLink(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) && IsLink(path)
}

// Relative returns a file's path from a folder, unchanged if there is none.
func Relative(dir, file string) string {
	r, _ := filepath.Rel(dir, file)
	return cmp.Or(r, file)
}
