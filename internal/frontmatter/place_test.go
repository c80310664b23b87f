package frontmatter

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/yaml"
)

// samePlaces checks that the tokens of text are on the lines of the nodes of md's front matter. It returns the number
// of scalars, and the number of those in their column.
func samePlaces(t *testing.T, md, text []byte) (scalars, exact int) {
	t.Helper()
	fm, line, _ := Rules{}.Extract(md)
	s := source{line: line}
	root, e := s.root(fm)
	if e != nil {
		t.Fatal(e)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	next := func() place {
		if _, err := d.Token(); err != nil {
			t.Fatalf("JSON(%q) = %q: %v", md, text, err)
		}
		end := int(d.InputOffset())
		nl := bytes.LastIndexByte(text[:end], '\n')
		return place{1 + bytes.Count(text[:end], []byte{'\n'}), 1 + utf8.RuneCount(text[nl+1:end])}
	}
	var walk func(n *yaml.Node, by *yaml.Node)
	same := func(n *yaml.Node) place {
		p := next() // the place after the token
		if want := s.of(n); p.line != want.line {
			t.Fatalf("JSON(%q) = %q: %q is on line %d, want %d", md, text, n.Value, p.line, want.line)
		}
		return p
	}
	walk = func(n, by *yaml.Node) { // by is the alias or merge key that adds n
		if n.Kind == yaml.Alias {
			by = cmp.Or(by, n)
		}
		n = target(n)
		p := same(cmp.Or(by, n))
		switch n.Kind {
		case yaml.Mapping:
			list, _ := s.members(n, 0)
			for _, m := range list {
				same(cmp.Or(by, m.by, m.key))
				walk(m.value, cmp.Or(by, m.by))
			}
		case yaml.Sequence:
			for _, c := range n.Content {
				walk(c, by)
			}
		default:
			scalars++
			if p.col-utf8.RuneCount(scalar(n)) == s.of(n).col {
				exact++
			}
			return
		}
		next()
	}
	if value, _ := s.find(root, "hooks"); value != nil { // the last of several
		walk(value, nil)
	}
	return scalars, exact
}

func TestPlaces(t *testing.T) {
	for _, tt := range converted {
		md := []byte("---\n" + tt.yaml + "---\n")
		samePlaces(t, md, []byte(tt.want))
	}
}

// TestCorpus reads published files.
func TestCorpus(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(material.Corpus(t, "claude-frontmatter"), "*"))
	hooks, without, invalid, scalars, exact := 0, 0, 0, 0, 0
	for _, file := range files {
		md, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, found, err := Rules{}.JSON(md, "hooks")
		switch {
		case err != nil:
			invalid++
			t.Logf("%s:%v", filepath.Base(file), err)
		case found:
			hooks++
			n, in := samePlaces(t, md, text)
			scalars, exact = scalars+n, exact+in
		default:
			without++
		}
	}
	t.Logf("%d files with hooks, %d without, %d invalid; %d of %d scalars in their column", hooks, without, invalid,
		exact, scalars)
	if hooks == 0 || invalid > without+hooks || exact*100 < scalars*95 {
		t.Error("most of the corpus should be readable, with its columns")
	}
}
