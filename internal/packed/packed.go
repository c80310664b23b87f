// Package packed keeps text files in one string, each compressed, so that a program can
// embed them in a tenth of their size: go:embed doesn't compress, and go install runs no
// generator. An archive is text: a line for each file in the order of names, and a blank line
// after each, so that changes to neighbors merge. A change to one file adds little to a repository.
package packed

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Files yields the names and contents of an archive in the order of the names. A line that
// Pack didn't write yields a nil content.
func Files(archive string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for name, code := range lines(archive) {
			if !yield(name, unpack(code)) {
				return
			}
		}
	}
}

// Names lists the names of an archive's files.
func Names(archive string) (names []string) {
	for name := range lines(archive) {
		names = append(names, name)
	}
	return names
}

// File returns the content of one file; ok is false if the archive doesn't have it.
func File(archive, name string) (text []byte, ok bool) {
	for file, code := range lines(archive) {
		if file == name {
			return unpack(code), true
		}
	}
	return nil, false
}

// lines yields the names and compressed contents.
func lines(archive string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for line := range strings.Lines(archive) {
			name, code, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
			if name != "" && !yield(name, code) {
				return
			}
		}
	}
}

// Pack returns an archive of the files, whose names have no blank and no line break. It keeps the
// lines of the archive before whose contents are the same: another version of Go may compress
// the same text into other bytes.
func Pack(before string, files map[string][]byte) string {
	kept := map[string]string{}
	for name, code := range lines(before) {
		if text, ok := files[name]; ok && bytes.Equal(unpack(code), text) {
			kept[name] = code
		}
	}

	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		code, ok := kept[name]
		if !ok {
			code = pack(files[name])
		}
		b.WriteString(name + " " + code + "\n\n")
	}
	return b.String()
}

func pack(text []byte) string {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic(err) // only for a level that doesn't exist
	}
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func unpack(code string) []byte {
	raw, err := base64.StdEncoding.DecodeString(code)
	if err != nil {
		return nil
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(raw)))
	if err != nil {
		return nil
	}
	return text
}
