package launcher

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/cmdline"
)

// A File is one of the files of a launcher.
type File struct {
	Path string // from the project or the plugin, with "/"
	head string // its beginning, before the line that names its writer
	text func(*Text) []byte
}

// Files returns those of a launcher whose file for sh is path.
func Files(path string) []File {
	return []File{{path, "#!/bin/sh\n# ", (*Text).Shell}, {path + ".cmd", "@echo off\nrem ", (*Text).Windows}}
}

// ProjectFiles returns the files of a project's launcher.
func ProjectFiles() []File { return Files(cmdline.ProjectLauncher) }

// PluginFiles returns the files of a plugin's launcher.
func PluginFiles() []File { return Files(cmdline.LauncherFile) }

// Text returns the content of a launcher's file. The zero File has no text.
func (f *File) Text(t *Text) []byte {
	if f.text == nil {
		return nil
	}
	return f.text(t)
}

// Written returns the options in the line that names a file's writer; ok is false for a file of another origin. Git may
// have changed the line ends. This line only makes it a file that hookbridge may replace: Fault compares what it does.
func (f *File) Written(text []byte, by string) (options string, ok bool) {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(string(text), "\r\n", "\n"), f.head+by)
	options, _, _ = strings.Cut(rest, "\n")
	return options, ok
}

// Fault returns what is wrong with the text of a file, "" if it is exactly what hookbridge writes. older: an older
// hookbridge wrote it.
func (f *File) Fault(t *Text, text []byte) (fault string, older bool) {
	want := f.Text(t)
	_, ours := f.Written(text, t.By)
	switch {
	case bytes.Equal(text, want):
		return "", false
	case bytes.Equal(plain(text), plain(want)):
		return "whose lines end as they do on another system, so it can't be started", false
	case slices.Contains(earlier, digest(text)):
		return "which an older hookbridge wrote", true
	case ours:
		return "which was changed since hookbridge wrote it", false
	}
	return "which hookbridge didn't write", false
}

func plain(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// parameters mark the only lines that differ between the launchers of one hookbridge: its writer, the answers, what is
// missing, and a package.
var parameters = []string{"Written by: ", "printf '%s\\n' '", "&& echo {", "needs hookbridge, which is missing",
	"npm install --prefix"}

// digest returns the digest of a text without its parameters, which include the names of its agent's variables.
func digest(text []byte) string {
	sum := sha256.New()
	for line := range strings.Lines(string(plain(text))) {
		if slices.ContainsFunc(parameters, func(p string) bool { return strings.Contains(line, p) }) {
			continue
		}
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') }) {
			if strings.Contains(word, "PLUGIN_") || strings.HasPrefix(word, "HOOKBRIDGE_") {
				line = strings.Replace(line, word, "", 1)
			}
		}
		sum.Write([]byte(line))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// earlier lists the digests of what older versions wrote: a project's launcher for sh and for cmd, a plugin's, and a
// plugin's that fetches hookbridge. When you change the texts, add the digests that TestEarlier prints.
var earlier = []string{
	"1362451d479f72a8", "7ae212ba6456f50d", "9d7b6c3efda847b5", "a91d9e6a9ef6f890", "ee04c0f7a6ff63ea",
	"8cc002ba4349f720", "862d9de1f0d3ba1c",
}
