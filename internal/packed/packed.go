// Package packed keeps text files in one string, each compressed, so that a program can embed them in a tenth of their
// size: go:embed doesn't compress, and go install runs no generator. An archive is text: a line for each file, sorted
// by name, and a blank line after each, so that changes to neighbors merge. A change to one file adds little to a
// repository. The first line is named "-" and has text that many files share, which lets small files shrink further.
package packed

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Files yields the names and contents of an archive, sorted by name. A line that Pack didn't write yields a nil
// content.
func Files(archive string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		shared := sharedBy(archive)
		for name, code := range lines(archive) {
			if name != sharedName && !yield(name, unpack(code, shared)) {
				return
			}
		}
	}
}

// Names lists the names of an archive's files.
func Names(archive string) (names []string) {
	for name := range lines(archive) {
		if name != sharedName {
			names = append(names, name)
		}
	}
	return names
}

// File returns the content of one file; ok is false if the archive doesn't have it.
func File(archive, name string) (text []byte, ok bool) {
	for file, code := range lines(archive) {
		if file == name && file != sharedName {
			return unpack(code, sharedBy(archive)), true
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

// Pack returns an archive of the files, whose names have no blank and no line break. It keeps the lines of the archive
// before for unchanged contents: another version of Go may compress the same text into other bytes. It also keeps the
// shared text, as otherwise each change would change all lines; to make that anew, pass "".
func Pack(before string, files map[string][]byte) string {
	kept := map[string]string{}
	shared := sharedBy(before)
	for name, code := range lines(before) {
		text, ok := files[name]
		if name == sharedName || ok && bytes.Equal(unpack(code, shared), text) {
			kept[name] = code
		}
	}
	if kept[sharedName] == "" {
		shared = commonLines(files)
		kept = map[string]string{sharedName: pack(shared, nil)}
	}

	var b strings.Builder
	b.WriteString(sharedName + " " + kept[sharedName] + "\n\n")
	for _, name := range slices.Sorted(maps.Keys(files)) {
		code, ok := kept[name]
		if !ok {
			code = pack(files[name], shared)
		}
		b.WriteString(name + " " + code + "\n\n")
	}
	return b.String()
}

const (
	sharedName = "-"
	sharedSize = 32000 // deflate looks back 32 KiB
)

// sharedBy returns the text that files share.
func sharedBy(archive string) []byte {
	for name, code := range lines(archive) {
		if name == sharedName {
			return unpack(code, nil)
		}
	}
	return nil
}

// commonLines returns the lines that save most if they are shared, the best ones last.
func commonLines(files map[string][]byte) (text []byte) {
	in := map[string]int{} // in how many files
	for _, content := range files {
		once := map[string]bool{}
		for line := range strings.Lines(string(content)) {
			if !once[line] {
				once[line] = true
				in[line]++
			}
		}
	}
	saves := func(line string) int { return (in[line] - 1) * (len(line) - 6) }
	best := slices.SortedFunc(maps.Keys(in), func(a, b string) int {
		return cmp.Or(cmp.Compare(saves(b), saves(a)), strings.Compare(a, b))
	})

	for _, line := range best {
		if saves(line) > 0 && len(text)+len(line) <= sharedSize {
			text = append([]byte(line), text...)
		}
	}
	return text
}

func pack(text, shared []byte) string {
	var b bytes.Buffer
	w, err := flate.NewWriterDict(&b, flate.BestCompression, shared)
	if err != nil {
		panic(err) // only for a level that doesn't exist
	}
	_, _ = w.Write(text) // a buffer accepts everything
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func unpack(code string, shared []byte) []byte {
	raw, err := base64.StdEncoding.DecodeString(code)
	if err != nil {
		return nil
	}
	text, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(raw), shared))
	if err != nil {
		return nil
	}
	return text
}
