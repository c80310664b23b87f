package launcher

import (
	"slices"
	"strings"
)

// AttributesFile is the file in which Git reads the line endings of files in a checkout.
const AttributesFile = ".gitattributes"

// attributes returns the part of a line after a file's path: cmd reads lines that end with a carriage return, and sh
// doesn't.
func attributes(path string) string {
	if strings.HasSuffix(path, ".cmd") {
		return " text eol=crlf"
	}
	return " text eol=lf"
}

// Attributes returns the text of AttributesFile with a line for each of the wanted files, which are paths from its
// folder with "/", and without lines for hookbridge's other files. The lines are the last ones, which count. nil: there
// is no such file, or it isn't needed any more.
func Attributes(before []byte, want []string, ours func(path string) bool) []byte {
	text, ended := strings.CutSuffix(string(before), "\n")
	var lines, more []string
	if before != nil && text+"\n" != "\n" {
		lines = strings.Split(text, "\n")
	}
	lines = slices.DeleteFunc(lines, func(line string) bool {
		path, rest, _ := strings.Cut(strings.TrimSuffix(line, "\r"), " ")
		return !slices.Contains(want, path) && ours(path) && " "+rest == attributes(path)
	})
	for _, path := range want {
		line := path + attributes(path)
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSuffix(l, "\r") == line }) {
			more = append(more, line)
		}
	}

	all := strings.Join(append(lines, more...), "\n")
	switch {
	case all == "" && len(want) == 0 && (before == nil || text != ""):
		return nil
	case ended || before == nil || text == "":
		all += "\n"
	}
	return []byte(all)
}
