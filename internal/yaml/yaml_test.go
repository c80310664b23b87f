package yaml

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// tree writes kinds, tags, texts and places.
func tree(b *strings.Builder, n *Node) {
	fmt.Fprintf(b, "%d:%d%s", n.Line, n.Col, n.Tag)
	switch n.Kind {
	case Alias:
		b.WriteString("*" + n.Value)
	case Scalar:
		if n.Plain {
			b.WriteByte('p')
		}
		b.WriteString(strconv.Quote(n.Value))
	default:
		open := map[bool]string{true: "flow", false: "block"}[n.Flow]
		fmt.Fprintf(b, "%s%c", open, "({["[n.Kind])
		for i, c := range n.Content {
			if i > 0 {
				b.WriteByte(' ')
			}
			tree(b, c)
		}
		b.WriteByte(")}]"[n.Kind])
	}
}

var trees = []struct{ text, want string }{
	{"", ""},
	{"# x\n", ""},
	{"a: 1\nb: [x, 'y', \"z\"]\nc:\n  - d\n  - e: f\n",
		`1:1block{1:1p"a" 1:4p"1" 2:1p"b" 2:4flow[2:5p"x" 2:8"y" 2:13"z"] ` +
			`3:1p"c" 4:3block[4:5p"d" 5:5block{5:5p"e" 5:8p"f"}]}`},
	{"a: |\n  one\n   two\nb: >-\n  one\n  two\n", `1:1block{1:1p"a" 1:4"one\n two\n" 4:1p"b" 4:4"one two"}`},
	{"a: &x 1\nb: *x\n", `1:1block{1:1p"a" 1:4p"1" 2:1p"b" 2:4*x}`},
	{"a: !!str 1\nb: !odd {c: d}\n", `1:1block{1:1p"a" 1:4!!strp"1" 2:1p"b" 2:4!oddflow{2:10p"c" 2:13p"d"}}`},
	{"é: ü\nb: é # x\n", `1:1block{1:1p"é" 1:4p"ü" 2:1p"b" 2:4p"é"}`},
	{"a: b\rc: d\ne: f\n", `1:1block{1:1p"a" 1:4p"b" 1:6p"c" 1:9p"d" 2:1p"e" 2:4p"f"}`},
	{"a: b\r\nc: d\r\n", `1:1block{1:1p"a" 1:4p"b" 2:1p"c" 2:4p"d"}`},
	{"\ufeffa: b\n", `1:2block{1:2p"a" 1:5p"b"}`},
	// A second mark is text, as for readers in JavaScript.
	{"\ufeff\ufeff\n\nb", `1:2p"\ufeff\nb"`},
	{"a: b\n\ufeffc: d\x01\n", `1:1block{1:1p"a" 1:4p"b" 2:1p"\ufeffc" 2:5p"d\x01"}`},
	// YAML 1.2 has no other line ends.
	{"a: b\u0085c\u2028d\u2029e\nf: \"\x01\x7f\"\n",
		`1:1block{1:1p"a" 1:4p"b\u0085c\u2028d\u2029e" 2:1p"f" 2:4"\x01\x7f"}`},
	{"a: \U0010fe01\n", `1:1block{1:1p"a" 1:4p"\U0010fe01"}`},
}

func TestParse(t *testing.T) {
	for _, tt := range trees {
		root, err := Parse([]byte(tt.text))
		var b strings.Builder
		if root != nil {
			tree(&b, root)
		}
		if err != nil || b.String() != tt.want {
			t.Errorf("%q: %v\n%s, want\n%s", tt.text, err, &b, tt.want)
		}
	}
}

var mistakes = []struct{ text, want string }{
	{"a: b: c\n", "1:5: mapping values are not allowed in this context"},
	{"x: 1\n\n\ny: 2\nz: b: c\n", "5:5: mapping values are not allowed in this context"},
	{"a:\n\tb: c\n", "2:1: YAML doesn't allow tabs for indentation; use spaces"},
	{"a: 'b\nc: d\n", "1:4: this quote is never closed"},
	{"x: y\na: [b, c\nd: e\n", "2:5: expected a comma, or the end of this bracket"},
	{"a: *x\n", "1:4: unknown anchor 'x' referenced"},
	{"a: 1\nb: *x\n", "2:4: unknown anchor 'x' referenced"},
	{"a: b\n---\nc: d\n", "2:1: second YAML document"},
	{"a: \xff\n", "1:4: invalid UTF-8"},
	{"é\na: \x00\n", "2:4: control characters are not allowed"},
	{strings.Repeat("- ", 101), "1:201: nested more than 100 levels deep"},
	{strings.Repeat("[", 1<<15), "1:10001: nested more than 100 levels deep"},
	{strings.Repeat("[", 1<<20), "1:1: nested more than 100 levels deep"},
}

func TestMistakes(t *testing.T) {
	for _, tt := range mistakes {
		if root, err := Parse([]byte(tt.text)); root != nil || err == nil || err.Error() != tt.want {
			t.Errorf("%.40q: %v, %v, want %s", tt.text, root, err, tt.want)
		}
	}
}

// FuzzParse checks that every node and every error has a place in the text.
func FuzzParse(f *testing.F) {
	for _, tt := range trees {
		f.Add([]byte(tt.text))
	}
	for _, tt := range mistakes[:len(mistakes)-3] {
		f.Add([]byte(tt.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		lines := strings.Split(string(text), "\n")
		inside := func(line, col int) {
			if line < 1 || line > len(lines) || col < 1 || col > 1+utf8.RuneCountInString(lines[line-1]) {
				t.Fatalf("%q: no place %d:%d", text, line, col)
			}
		}
		root, err := Parse(text)
		if err != nil {
			inside(err.Line, err.Col)
			return
		}
		var walk func(n *Node)
		walk = func(n *Node) {
			inside(n.Line, n.Col)
			if (n.Kind == Alias) != (n.Target != nil) {
				t.Fatalf("%q: alias %q without target", text, n.Value)
			}
			for _, c := range n.Content {
				walk(c)
			}
		}
		if root != nil {
			walk(root)
		}
	})
}
