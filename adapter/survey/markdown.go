package survey

import (
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/hookbridge/hookbridge/adapter/hookfile"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/schema"
)

// maxMarkdown is how many files of a project are searched for front matter.
const maxMarkdown = 10_000

// MarkdownFiles lists the project's skills and sub-agents with hooks: the Markdown files in the agent's own folders
// whose front matter contains hooks.
func MarkdownFiles(d dialect.Dialect, p schema.Places) (files []string) {
	var folders []string
	for _, s := range d.Locate(p) {
		if dir := filepath.Dir(s.File); s.OfProject() && dir != p.Project && !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}

	n := 0
	for _, dir := range folders {
		filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
			if n++; n > maxMarkdown {
				return filepath.SkipAll
			}
			if err != nil || !e.Type().IsRegular() || !hookfile.IsMarkdown(file) {
				return nil
			}
			text, err := discover.Read(file)
			if err != nil {
				return nil
			}
			if _, found, err := d.Profile().FrontMatter.JSON(text, "hooks"); found || err != nil {
				files = append(files, file)
			}
			return nil
		})
	}

	return files
}
