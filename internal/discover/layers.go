package discover

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
)

// Layers lists the folders from which an agent that is started in dir loads project files, the nearest first.
func Layers(dir string, to dialect.Layers) (folders []string) {
	dir = filepath.Clean(dir)
	if to == 0 {
		return []string{dir}
	}

	for at := dir; ; at = filepath.Dir(at) {
		folders = append(folders, at)
		top := at == filepath.Dir(at)
		switch _, err := os.Lstat(filepath.Join(at, ".git")); {
		case err == nil && to == dialect.RootAlone:
			return []string{at}
		case err == nil || top && to == dialect.LayersToTop:
			return folders
		case top:
			return folders[:1]
		}
	}
}

// Started is Layers for an agent that may load the files of another checkout: it replaces the layers of a linked
// worktree with the corresponding folders of the primary checkout. The list may be empty.
func Started(dir string, p *dialect.Profile) (folders []string) {
	folders = Layers(dir, p.Layers)
	if p.Primary == dialect.PrimaryNever {
		return folders
	}
	worktree, primary := Worktree(dir)
	if primary == "" {
		return folders
	}

	var there []string
	for _, f := range folders {
		rel, err := filepath.Rel(worktree, f)
		local := err == nil && filepath.IsLocal(rel)
		if local && (p.Primary == dialect.PrimaryToo || IsFolder(filepath.Join(f, "."+p.Name))) {
			there = append(there, filepath.Join(primary, rel))
		}
	}
	if p.Primary == dialect.PrimaryToo {
		return append(folders, there...)
	}
	return there
}

// Worktree returns the root of the linked Git worktree that contains a folder, and that of the primary checkout. Both
// are "" for any other folder, and for a worktree of a bare repository or of a submodule.
func Worktree(dir string) (worktree, primary string) {
	for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
		text, _, err := ReadStart(filepath.Join(at, ".git"), longestPointer)
		if err == nil {
			private, ok := strings.CutPrefix(string(text), "gitdir:")
			if !ok {
				return "", ""
			}
			return linked(at, strings.TrimSpace(private))
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || at == filepath.Dir(at) {
			return "", ""
		}
	}
}

// longestPointer is more than the path in Git's file needs.
const longestPointer = 64 << 10

// linked reads the folder that Git keeps for a worktree. That of a submodule names no common folder.
func linked(worktree, private string) (string, string) {
	if !filepath.IsAbs(private) {
		private = filepath.Join(worktree, private)
	}
	text, _, err := ReadStart(filepath.Join(private, "commondir"), longestPointer)
	common := strings.TrimSpace(string(text))
	if err != nil || common == "" || strings.Contains(common, "\x00") {
		return "", ""
	}
	if !filepath.IsAbs(common) {
		common = filepath.Join(private, common)
	}
	if filepath.Base(common) != ".git" {
		return "", ""
	}
	return worktree, filepath.Dir(filepath.Clean(common))
}
