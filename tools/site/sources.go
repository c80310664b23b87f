package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A part is a piece of Markdown that becomes one page.
type part struct {
	Source  string // the file, with slashes: "docs/cli.md"
	Out     string // the page: "docs/commands/run.html"
	Section string // the part of the site with the page
	Text    string
}

// A place is an element of a page.
type place struct{ Source, Fragment string }

// sections are the parts of the site in the order of the navigation.
var sections = []string{"Documentation", "Guides", "Commands", "Codes", "Agents", "Comparisons", "Facts", "Examples"}

// readParts reads the Markdown of the site, from the root, docs, conformance and the examples.
func readParts(root string) (parts []part, err error) {
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/guides/*.md", "conformance/*.md",
		"conformance/facts/*.md", "conformance/live/*.md", "examples/*/README.md"} {
		found, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}

	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return nil, err
		}
		if divided := divisions[name]; divided.folder != "" {
			parts = append(parts, divide(name, string(text), divided)...)
			continue
		}
		parts = append(parts, part{name, pageOf(name), sectionOf(name), string(text)})
	}

	return parts, nil
}

// pageOf returns the page of a Markdown file. A README is the page of its folder.
func pageOf(name string) string {
	folder, file := path.Split(name)
	if file == "README.md" {
		return folder + "index.html"
	}
	return strings.TrimSuffix(name, ".md") + ".html"
}

func sectionOf(name string) string {
	switch {
	case strings.HasPrefix(name, "docs/guides/"):
		return "Guides"
	case strings.HasPrefix(name, "conformance/facts/"):
		return "Facts"
	case strings.HasPrefix(name, "conformance/"):
		return "Comparisons"
	case strings.HasPrefix(name, "examples/"):
		return "Examples"
	}
	return "Documentation"
}

// A division makes a page of each heading of a generated file.
type division struct{ folder, section string }

var divisions = map[string]division{
	"docs/cli.md":   {"docs/commands/", "Commands"},
	"docs/codes.md": {"docs/codes/", "Codes"},
}

// divide makes the pages of a file: one of the text before the first heading of level two, then one for each such
// heading.
func divide(name, text string, d division) []part {
	pieces := strings.Split(text, "\n## ")
	list := []part{{name, d.folder + "index.html", d.section, pieces[0]}}
	for _, piece := range pieces[1:] {
		title, _, _ := strings.Cut(piece, "\n")
		list = append(list, part{name, d.folder + slug(title) + ".html", d.section, "# " + piece})
	}
	return list
}

// most is how much of a file the page of a source shows.
const most = 256 << 10

// listing shows a file, or the files of a small folder, as Markdown. For a larger folder it lists the files.
func listing(root, name string) (string, error) {
	files, size, err := filesIn(root, name)
	if err != nil {
		return "", err
	}
	folder := len(files) != 1 || files[0] != name
	var text strings.Builder
	text.WriteString("# " + name + "\n")
	for _, file := range files {
		if folder && size > most {
			text.WriteString("\n- `" + file + "`")
			continue
		}
		if folder {
			text.WriteString("\n## " + file + "\n")
		}
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return "", err
		}
		text.WriteString(fenced(string(content)))
	}
	return text.String(), nil
}

// filesIn lists a file, or the files of a folder in order, with their total size.
func filesIn(root, name string) (files []string, size int64, err error) {
	err = fs.WalkDir(os.DirFS(root), name, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			files, size = append(files, file), size+info.Size()
		}
		return err
	})
	slices.Sort(files)
	return files, size, err
}

// fenced returns the content of a file as a code block. The rest of a long file is left out.
func fenced(content string) string {
	cut := ""
	if len(content) > most {
		content, cut = content[:most], "\nThe rest of the file is left out here.\n"
	}
	fence := strings.Repeat("`", longestRun(content, '`')+3)
	return "\n" + fence + "\n" + strings.ToValidUTF8(content, "\ufffd") + "\n" + fence + "\n" + cut
}

// longestRun returns how often a letter occurs in a row.
func longestRun(s string, letter rune) (longest int) {
	run := 0
	for _, r := range s {
		if r != letter {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
