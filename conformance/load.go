package conformance

import (
	"bytes"
	"embed"
	"io/fs"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/internal/ordjson"
)

//go:embed vectors
var embedded embed.FS

// Embedded is the suite itself, in its folder vectors.
func Embedded() fs.FS { return embedded }

// A Problem is what is wrong with a vector file. Path is a JSON Pointer into it.
type Problem struct {
	File      string
	Line, Col int // 1-based, 0 if the file as a whole is meant
	Path      string
	Msg       string
}

func (p Problem) String() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
	}
	if p.Path != "" {
		s += ": " + p.Path
	}
	return s + ": " + p.Msg
}

// Load reads every .json file below the root of files: one vector, or an array
// of them. known reports whether a dialect, with or without a version, exists. The
// vectors come in the order of their files, without the rejected ones. Files have
// the names that fs.WalkDir gives them, after prefix.
func Load(files fs.FS, prefix string, known func(dialect string) bool) (list []Vector, bad []Problem) {
	first := map[string]string{}
	refuse := func(path string, err error) error {
		bad = append(bad, Problem{File: prefix + path, Msg: err.Error()})
		return nil
	}
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return refuse(path, err)
		}
		if d.IsDir() || !strings.HasSuffix(path, ".json") {
			return nil
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return refuse(path, err)
		}
		l := &loader{file: prefix + path, src: text, known: known}
		for _, v := range l.vectors() {
			if at, twice := first[v.ID]; twice {
				l.bad = append(l.bad, Problem{File: v.File, Line: v.Line, Col: 1, Path: "/id", Msg: "the id " + strconv.Quote(v.ID) + " is taken by " + at})
				continue
			}
			first[v.ID] = v.File + ":" + strconv.Itoa(v.Line)
			list = append(list, v)
		}
		bad = append(bad, l.bad...)
		return nil
	})
	if err != nil {
		_ = refuse("", err)
	}
	return list, bad
}

type loader struct {
	file  string
	src   []byte
	known func(string) bool
	bad   []Problem
}

func (l *loader) refuse(off int, path, msg string) {
	line, col := ordjson.Position(l.src, off)
	l.bad = append(l.bad, Problem{l.file, line, col, path, msg})
}

func (l *loader) vectors() (list []Vector) {
	if err := ordjson.Check(l.src); err != nil {
		p := Problem{File: l.file, Msg: err.Error()}
		if se, ok := err.(*ordjson.SyntaxError); ok {
			p.Line, p.Col, p.Msg = se.Line, se.Col, se.Msg
		}
		l.bad = append(l.bad, p)
		return nil
	}
	begin := bytes.IndexAny(l.src, "{[")
	if begin < 0 {
		l.refuse(0, "", "a vector is an object, a file one vector or an array of them")
		return nil
	}
	value := []byte(strings.TrimSpace(string(l.src[begin:])))
	if value[0] == '{' {
		return l.add(list, ordjson.Member{Value: value, Off: begin}, "")
	}
	elements, _ := ordjson.Elements(value, begin)
	if len(elements) == 0 {
		l.refuse(begin, "", "the file holds no vector")
	}
	for i, m := range elements {
		list = l.add(list, m, "/"+strconv.Itoa(i))
	}
	return list
}

func (l *loader) add(list []Vector, m ordjson.Member, path string) []Vector {
	had := len(l.bad)
	r := reader{l: l}
	r.v.File = l.file
	r.v.Line, _ = ordjson.Position(l.src, m.Off)
	r.vector(m, path)
	if len(l.bad) > had {
		return list
	}
	return append(list, r.v)
}
