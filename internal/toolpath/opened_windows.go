package toolpath

import (
	"path/filepath"
	"strings"
	"syscall"
)

// opened returns the path of the file that the system opens for a path. It uses the actual names of the files and
// folders if the path has other names for them, such as SECRET~1.TXT or one in another case.
func opened(s, cwd string) string {
	s = onWindows(s, cwd)
	before := ""
	if Relative(s) {
		before = cwd + `\`
	}
	if !filepath.IsAbs(before + s) {
		return s
	}

	var found strings.Builder
	root := len(filepath.VolumeName(before + s))
	rest := (before + s)[max(root, len(before)):]
	found.WriteString((before + s)[:max(root, len(before))])
	for rest != "" {
		size := strings.IndexAny(rest, `\/`)
		if size < 0 {
			size = len(rest)
		}
		name := rest[:size]
		if real := nameOf(found.String() + name); real != "" && name != "" && name != "." && name != ".." {
			name = real
		}
		found.WriteString(name)
		if size < len(rest) {
			found.WriteByte(rest[size])
			size++
		}
		rest = rest[size:]
	}
	return found.String()[len(before):]
}

// nameOf returns the name of what is at a path, "" if there is nothing.
func nameOf(file string) string {
	text, err := syscall.UTF16PtrFromString(file)
	if err != nil || strings.ContainsAny(file, "*?") {
		return ""
	}
	var data syscall.Win32finddata
	h, err := syscall.FindFirstFile(text, &data)
	if err != nil {
		return ""
	}
	_ = syscall.FindClose(h)
	return syscall.UTF16ToString(data.FileName[:])
}
