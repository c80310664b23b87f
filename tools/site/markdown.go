package main

import (
	"bytes"
	"fmt"
	"html"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// A document is the parsed Markdown of a page.
type document struct {
	part
	Title string
	Tree  ast.Node
	Heads []heading
}

// A heading is one heading of a page, with the text below it up to the next one.
type heading struct {
	ID, Title string
	Level     int
	Text      string
}

// converter is the page that converts files.
const converter = "convert.html"

// newMarkdown reads and writes Markdown as GitHub does, but without HTML: tags become text, and comments are left out.
func newMarkdown() goldmark.Markdown {
	aligned := extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)
	return goldmark.New(
		goldmark.WithExtensions(extension.NewTable(aligned), extension.Strikethrough),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(plainHTML{}, 1))))
}

// plainHTML writes HTML in Markdown as text.
type plainHTML struct{}

func (plainHTML) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, rawHTML)
	r.Register(ast.KindHTMLBlock, rawHTML)
}

func rawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	if inline, ok := n.(*ast.RawHTML); ok {
		writeText(w, inline.Segments.Value(source))
		return ast.WalkSkipChildren, nil
	}
	writeText(w, n.Lines().Value(source))
	return ast.WalkContinue, nil
}

func writeText(w util.BufWriter, raw []byte) {
	if !bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<!--")) {
		_, _ = w.WriteString(html.EscapeString(string(raw)))
	}
}

// parse reads the Markdown of a page.
func parse(md goldmark.Markdown, p part) document {
	source := []byte(p.Text)
	d := document{part: p, Title: p.Out}
	d.Tree = md.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(newIDs()))))
	var below strings.Builder
	for n := d.Tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			if len(d.Heads) > 0 {
				d.Heads[len(d.Heads)-1].Text = below.String()
			}
			below.Reset()
			id, _ := h.AttributeString("id")
			d.Heads = append(d.Heads, heading{ID: string(id.([]byte)), Title: plain(h, source), Level: h.Level})
			continue
		}
		below.WriteString(plain(n, source) + " ")
	}
	if len(d.Heads) > 0 {
		d.Heads[len(d.Heads)-1].Text = below.String()
		d.Title = d.Heads[0].Title
	}
	return d
}

// plain returns the text of a node as a reader sees it.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})

	return strings.Join(strings.Fields(html.UnescapeString(b.String())), " ")
}

// relink replaces the targets of links and pictures with their pages. See target.
func (d *document) relink(target func(from document, dest string) (string, error)) error {
	return ast.Walk(d.Tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var err error
		var to string
		switch n := n.(type) {
		case *ast.Link:
			to, err = target(*d, string(n.Destination))
			n.Destination = []byte(to)
		case *ast.Image:
			to, err = target(*d, string(n.Destination))
			n.Destination = []byte(to)
		}
		if err != nil {
			return ast.WalkStop, fmt.Errorf("%s: %w", d.Source, err)
		}
		return ast.WalkContinue, nil
	})
}

// render writes the page's text.
func (d *document) render(md goldmark.Markdown) (string, error) {
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, []byte(d.Text), d.Tree); err != nil {
		return "", err
	}
	// makes anything wider than the window scroll on its own, with the keyboard too
	return strings.NewReplacer("<table>", `<div class="wide" tabindex="0" role="region" aria-label="Table"><table>`,
		"</table>", "</table></div>", "<pre>", `<pre tabindex="0">`).Replace(b.String()), nil
}

// ids names headings as GitHub does.
type ids struct{ used map[string]int }

func newIDs() *ids { return &ids{map[string]int{}} }

func (i *ids) Generate(value []byte, _ ast.NodeKind) []byte {
	id := slug(string(value))
	n := i.used[id]
	i.used[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

func (i *ids) Put(value []byte) { i.used[string(value)]++ }

// slug returns the fragment of a heading in an address.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(title))
}
