package yaml

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	yamlv3 "gopkg.in/yaml.v3"
)

// tree writes what a document means: kinds, tags and texts, and the line on which each node is.
func tree(b *strings.Builder, text []byte, n *Node) {
	fmt.Fprintf(b, "%d%s", 1+strings.Count(string(text[:n.Offset]), "\n"), n.Tag)
	switch n.Kind {
	case Alias:
		b.WriteString("*" + n.Value)
	case Scalar:
		if n.Plain {
			b.WriteByte('p')
		}
		b.WriteString(strconv.Quote(n.Value))
	default:
		fmt.Fprintf(b, "%v%v(", n.Kind == Mapping, n.Flow)
		for _, c := range n.Content {
			tree(b, text, c)
			b.WriteByte(' ')
		}
		b.WriteByte(')')
	}
}

func treeV3(b *strings.Builder, n *yamlv3.Node) {
	tag := ""
	if n.Style&yamlv3.TaggedStyle != 0 {
		tag = n.Tag
	}
	fmt.Fprintf(b, "%d%s", n.Line, tag)
	switch n.Kind {
	case yamlv3.AliasNode:
		b.WriteString("*" + n.Value)
	case yamlv3.ScalarNode:
		if n.Style&^yamlv3.TaggedStyle == 0 {
			b.WriteByte('p')
		}
		b.WriteString(strconv.Quote(n.Value))
	default:
		fmt.Fprintf(b, "%v%v(", n.Kind == yamlv3.MappingNode, n.Style&yamlv3.FlowStyle != 0)
		for _, c := range n.Content {
			treeV3(b, c)
			b.WriteByte(' ')
		}
		b.WriteByte(')')
	}
}

func parseV3(text []byte) (tree string, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	dec := yamlv3.NewDecoder(strings.NewReader(string(text)))
	var doc, second yamlv3.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) || err == nil && len(doc.Content) == 0 {
		return "", nil
	} else if err != nil {
		return "", err
	}
	if err := dec.Decode(&second); !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("second document: %w", err)
	}
	var b strings.Builder
	treeV3(&b, doc.Content[0])
	return b.String(), nil
}

// differs are texts that the two read differently on purpose: line ends of YAML 1.1, directives, "?" in brackets,
// "\/", escapes in tags, and a document that begins with the mark of its end.
var differs = regexp.MustCompile("[\u0085\u2028\u2029\ufeff\\x00]|\r[^\n]|\r$|(?m)^%|\\?\\S|\\S *\\?|[\\[{,]\\s*\\?|" +
	`\\/|!\S*%|!<|^\.\.\.`)

// compare fails if the two read text differently, and reports whether both read it.
func compare(t *testing.T, text []byte) bool {
	t.Helper()
	text = append(text[:len(text):len(text)], '\n') // the library counts a line more where there is none
	root, err := Parse(text)
	if err != nil && (err.Offset < 0 || err.Offset > len(text)) {
		t.Fatalf("%q: %v", text, err)
	}
	if differs.Match(text) {
		return false
	}
	want, errV3 := parseV3(text)
	if err != nil && err.Msg == "nested more than 100 levels deep" {
		return false
	}
	if (err != nil) != (errV3 != nil) {
		t.Errorf("%q: %v, the library: %v", text, err, errV3)
		return false
	}
	if err != nil {
		return false
	}
	var b strings.Builder
	if root != nil {
		tree(&b, text, root)
	}
	if b.String() != want {
		t.Errorf("%q:\n %s, the library:\n %s", text, &b, want)
	}
	return true
}

// seeds are documents with every construct.
var seeds = []string{
	"a: 1\nb: [x, 'y', \"z\"]\nc:\n  - d\n  - e: f\n    g: h\n",
	"a: |\n  one\n   two\n\n  three\nb: >-\n  one\n  two\n\n   three\n  four\nc: |+\n  x\n\nd: >2\n    y\n  z\n",
	"# head\na: &x 1 # one\nb: *x\n? c\n: d\n? [e, f]\n: {g: h, i, ? j : k}\n",
	"a: plain text\n  on two lines\n\n  and three # not this\nb: \"quoted\n" +
		"  text \\\n  joined\\tx\\u00e9\"\nc: 'it''s\n\n  x'\n",
	"- - a\n  - b\n-\n  c: !!str d\n- !odd {e: f}\n- ! 1\n- !!map\n  g: h\n",
	"---\na:\n- b\n- c\nd: {e: [f, {g: h}],\n  i: j}\nk: http://x:80/y#z\nl: a:b\n...\n",
	"hooks:\n  PreToolUse:\n    - matcher: Bash|Write\n      hooks:\n" +
		"        - type: command\n          command: python3 \"$X/y.py\" # z\n",
	"a:\n  b:\n    c:\n  d: ~\ne: null\nf: ''\n\"g h\": {\"i\":1,'j':2}\n[k, l]: m\n",
}

func documents(t testing.TB) (all [][]byte) {
	for _, s := range seeds {
		all = append(all, []byte(s))
	}
	shared := os.Getenv("HOOKBRIDGE_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	files, _ := filepath.Glob(filepath.Join(shared, "corpus", "claude-frontmatter", "*"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if _, rest, ok := strings.Cut(string(text), "---\n"); ok {
			head, _, _ := strings.Cut(rest, "\n---")
			all = append(all, []byte(head+"\n"))
		}
	}
	return all
}

// TestParity changes documents at random, and compares what a library makes of them.
func TestParity(t *testing.T) {
	docs := documents(t)
	for _, d := range docs {
		compare(t, d)
	}
	parts := []string{"\t", " ", "  ", "\n", ": ", ":", "- ", "-", "'", "\"", "#",
		" # ", "{", "}", "[", "]", ",", "|", ">",
		"&a ", "*a", "!", "!!str ", "? ", "@", "`", "\\", "\\x41", "--- ", "\n---\n", "\n...\n", "é",
		"|-\n", "~", "\r\n", "%", "a: "}
	r := rand.New(rand.NewPCG(1, 2))
	read, n := 0, 4000
	if testing.Short() {
		n = 1000
	}
	for range n {
		d := string(docs[r.IntN(len(docs))])
		for range 1 + r.IntN(3) {
			at := r.IntN(len(d) + 1)
			lines := strings.SplitAfter(d, "\n")
			i := r.IntN(len(lines))
			switch r.IntN(5) {
			case 0, 1:
				d = d[:at] + parts[r.IntN(len(parts))] + d[at:]
			case 2:
				d = d[:at] + d[min(at+1, len(d)):]
			case 3:
				lines[i] = ""
				d = strings.Join(lines, "")
			case 4:
				lines[i] = strings.Repeat(" ", r.IntN(4)) + strings.TrimPrefix(lines[i], "  ")
				d = strings.Join(lines, "")
			}
		}
		if compare(t, []byte(d)) {
			read++
		}
	}
	if read < n/4 {
		t.Errorf("%d of %d documents are valid: too few", read, n)
	}
}

func FuzzParity(f *testing.F) {
	for _, d := range documents(f) {
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, text []byte) { compare(t, text) })
}
