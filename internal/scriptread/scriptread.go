// Package scriptread finds out, without running it, what a hook's script reads: the fields of its input, the tool names
// that it compares with, and the statuses with which it exits. It knows no agent and follows plain forms only; what it
// can't follow it leaves out, so that a field that it lists is one that the script reads.
package scriptread

import (
	"path"
	"slices"
	"strings"
)

// maxText is the longest script that is read.
const maxText = 256 << 10

// A Language is what a script is written in. The zero Language is one that isn't read.
type Language uint8

const (
	_ Language = iota
	Shell
	Python
	JavaScript
)

// A Field is a field of the hook's input that a script reads.
type Field struct {
	Path []string // the names from the root: tool_input, command
	Line int      // 1-based
	// Group is equal for fields that stand in for each other: the script reads one where another is missing.
	Group int
}

// Name is the path as jq writes it.
func (f *Field) Name() string { return "." + strings.Join(f.Path, ".") }

// A Word is a text that a script compares the field Of with.
type Word struct {
	Of   []string
	Text string
	Line int
}

// An Exit is a status with which the script exits somewhere.
type Exit struct{ Status, Line int }

// A Script is what was found. The zero Script reads nothing.
type Script struct {
	Language Language
	Fields   []Field
	Words    []Word
	Exits    []Exit
}

// LanguageOf tells the language of a script by its name, or else by its first line; 0: neither says one.
func LanguageOf(name, text string) Language {
	switch path.Ext(name) {
	case ".sh", ".bash":
		return Shell
	case ".py":
		return Python
	case ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts":
		return JavaScript
	}
	first, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(first, "#!") {
		return 0
	}
	for _, word := range strings.Fields(first[2:]) {
		switch program := path.Base(word); {
		case program == "sh" || program == "bash" || program == "dash" || program == "zsh":
			return Shell
		case strings.HasPrefix(program, "python"):
			return Python
		case program == "node" || program == "bun" || program == "deno":
			return JavaScript
		}
	}
	return 0
}

// Read reads a script; ok is false if its language isn't known, or if it can't be read. It takes time in proportion to
// the length of the text, of which it reads 256 kB.
func Read(name, text string) (s Script, ok bool) {
	s.Language = LanguageOf(name, text)
	if s.Language == 0 || len(text) > maxText || strings.IndexByte(text, 0) >= 0 {
		return Script{Language: s.Language}, false
	}
	c := &collector{Script: s}
	switch s.Language {
	case Shell:
		ok = c.shell(text)
	case Python, JavaScript:
		ok = c.program(s.Language, text, []string{}, 1)
	}
	if !ok {
		return Script{Language: s.Language}, false
	}
	return c.Script, true
}

// maxFound bounds each list.
const maxFound = 200

// A collector gathers what is found. A nil path is another value than a field of the input; an empty one is the
// whole of the input.
type collector struct {
	Script
	groups int
	line   int // of what is read now, where its text has no lines of its own
}

func (c *collector) field(at []string, line, group int) {
	known := func(f Field) bool { return slices.Equal(f.Path, at) && f.Group == group }
	if len(at) == 0 || len(c.Fields) >= maxFound || slices.ContainsFunc(c.Fields, known) {
		return
	}
	c.Fields = append(c.Fields, Field{slices.Clone(at), line, group})
}

func (c *collector) word(of []string, text string, line int) {
	w := Word{of, text, line}
	same := func(o Word) bool { return o.Text == w.Text && slices.Equal(o.Of, w.Of) }
	if len(of) > 0 && len(c.Words) < maxFound && !slices.ContainsFunc(c.Words, same) {
		c.Words = append(c.Words, w)
	}
}

func (c *collector) exit(status, line int) {
	if len(c.Exits) < maxFound && !slices.ContainsFunc(c.Exits, func(e Exit) bool { return e.Status == status }) {
		c.Exits = append(c.Exits, Exit{status, line})
	}
}

// group is a new one.
func (c *collector) group() int {
	c.groups++
	return c.groups
}

// below is the path of a field of at, nil if at is none.
func below(at []string, name string) []string {
	if at == nil || len(at) > 20 {
		return nil
	}
	return append(slices.Clip(at), name)
}
