// Package scriptread finds out, without running it, what a hook's script reads: the fields of its input, the texts that
// it compares them with, and the statuses with which it exits. It has no names of agents and follows only simple forms.
// It leaves out what it can't follow, so that the script really reads every listed field.
package scriptread

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Language is a script's language. The zero Language isn't read.
type Language uint8

const (
	_ Language = iota
	Shell
	Python
	JavaScript
	jq // in a shell script
)

// A Field is a field of the hook's input that a script reads.
type Field struct {
	Path []string // the names from the root: tool_input, command
	Line int      // 1-based
	// Group is equal for alternative fields: the script reads one if another is missing.
	Group int
}

// Name returns the path as jq writes it.
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
	Fields []Field
	Words  []Word
	Exits  []Exit
	// Starved has the lines of programs that are read from a here-document and also look for the input there.
	Starved []int
}

// languages are identified by the ends of file names, and by the programs of first lines.
var languages = []struct {
	Language
	names string
}{
	{Shell, ".sh .bash sh bash dash zsh"}, {Python, ".py python"},
	{JavaScript, ".js .mjs .cjs .ts .mts .cts node bun deno"},
}

// LanguageOf returns the language of a script by its name, or else by its first line; 0: unknown.
func LanguageOf(name, text string) Language {
	words := []string{path.Ext(name)}
	first, _, _ := strings.Cut(text, "\n")
	if line, ok := strings.CutPrefix(first, "#!"); ok {
		for _, word := range strings.Fields(line) {
			words = append(words, strings.TrimRight(path.Base(word), "0123456789."))
		}
	}
	for _, word := range words {
		for _, l := range languages {
			if slices.Contains(strings.Fields(l.names), word) {
				return l.Language
			}
		}
	}
	return 0
}

// IsScript reports whether a word is the file name of a script, in a supported language or another.
func IsScript(word string) bool {
	known := path.Ext(word) != "" && LanguageOf(word, "") != 0
	return !strings.ContainsAny(word, " \n;|&") &&
		(known || slices.Contains([]string{".ps1", ".rb", ".pl", ".php", ".lua"}, path.Ext(word)))
}

// maxText is the longest script that is read, and maxFound limits each list of results.
const (
	maxText  = 256 << 10
	maxFound = 200
)

// Read reads a script; ok is false if its language is unknown, or if it can't be read. Its time is linear in the length
// of the text.
func Read(name, text string) (s Script, ok bool) {
	if len(text) > maxText || strings.IndexByte(text, 0) >= 0 {
		return Script{}, false
	}
	c := &collector{}
	switch lang := LanguageOf(name, text); lang {
	case Shell:
		ok = c.shell(text)
	case Python, JavaScript:
		c.program(lang, text, []string{}, 1)
		ok = true
	}
	return c.Script, ok
}

// A collector gathers the results. A nil path is a value other than a field of the input; an empty one is the whole
// input.
type collector struct {
	Script
	group int // of the fields that are read now
}

func (c *collector) field(at []string, line int) {
	known := func(f Field) bool { return slices.Equal(f.Path, at) && f.Group == c.group }
	if len(at) > 0 && len(c.Fields) < maxFound && !slices.ContainsFunc(c.Fields, known) {
		c.Fields = append(c.Fields, Field{at, line, c.group})
	}
}

func (c *collector) word(of []string, text string, line int) {
	if len(of) > 0 && len(c.Words) < maxFound {
		c.Words = append(c.Words, Word{of, text, line})
	}
}

func (c *collector) exit(status string, line int) {
	if n, err := strconv.Atoi(status); err == nil && len(c.Exits) < maxFound {
		c.Exits = append(c.Exits, Exit{n, line})
	}
}

// below returns the path of a field of at, nil if at isn't a field.
func below(at []string, name string) []string {
	if at == nil || len(at) > 20 {
		return nil
	}
	return append(slices.Clip(at), name)
}

// variables maps the names of variables to their fields.
type variables map[string][]string

func (v variables) set(name string, at []string) {
	if delete(v, name); at != nil {
		v[name] = at
	}
}
