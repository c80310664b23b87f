package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/internal/lists"
)

//go:embed layout.html support.html agents.md agent.md site.css site.js support.js
var assets embed.FS

// A view is the data of the layout.
type view struct {
	Title, Section string
	Root           string // the path to the site's root: "../"
	Out            string
	Source         string
	Version        string
	Body           template.HTML
	Tabs           []item
	Pages          []item // of the section
	Heads          []heading
	Scripts        []string
	Home           bool
}

// An item is a link.
type item struct {
	Title, URL string
	Here       bool
}

// build returns the files of the site except the converter, by path.
func build(root string) (map[string][]byte, error) {
	parts, err := readParts(root)
	if err != nil {
		return nil, err
	}
	tables, err := newSupport(root)
	if err != nil {
		return nil, err
	}
	agents, err := agentParts(root, tables)
	if err != nil {
		return nil, err
	}
	parts = append(parts, agents...)

	md := newMarkdown()
	parsed := func(p part) document { return parse(md, p) }
	docs := lists.Map(parts, parsed)
	links := newLinks(root, docs)
	for i := 0; i < len(docs); i++ { // links to files add pages
		if err := docs[i].relink(links.target); err != nil {
			return nil, err
		}
		docs = append(docs, lists.Map(links.take(), parsed)...)
	}

	files, err := pages(docs, tables, links.order)
	if err != nil {
		return nil, err
	}
	for _, name := range links.copied {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	return files, addAssets(files, docs, tables)
}

// addAssets adds the files that pages load, and the tables for download.
func addAssets(files map[string][]byte, docs []document, tables support) error {
	for _, name := range []string{"site.css", "site.js", "support.js"} {
		text, err := assets.ReadFile(name)
		if err != nil {
			return err
		}
		files[name] = text
	}
	data, err := json.MarshalIndent(tables, "", " ")
	if err != nil {
		return err
	}
	files["support.json"] = append(data, '\n')
	files["support-data.js"] = fmt.Appendf(nil, "\"use strict\";\nconst support = %s;\n", data)
	index, err := json.Marshal(searchIndex(docs))
	if err != nil {
		return err
	}
	files["search-data.js"] = fmt.Appendf(nil, "\"use strict\";\nwindow.searchData = %s;\n", index)
	return nil
}

// links finds the pages of links, and the files that need a page.
type links struct {
	root   string
	pages  map[place]string // with a fragment that has a page of its own
	order  map[string]int   // the order in which the index of the documentation names pages
	copied []string
	fresh  []part
}

func newLinks(root string, docs []document) *links {
	l := &links{root: root, pages: map[place]string{}, order: map[string]int{}}
	for _, d := range docs {
		if _, ok := l.pages[place{d.Source, ""}]; !ok {
			l.pages[place{d.Source, ""}] = d.Out
		}
		for i, h := range d.Heads {
			to := d.Out + "#" + h.ID
			if _, divided := divisions[d.Source]; divided && i == 0 {
				to = d.Out
			}
			if _, ok := l.pages[place{d.Source, h.ID}]; !ok {
				l.pages[place{d.Source, h.ID}] = to
			}
		}
	}
	return l
}

// take returns the pages that target has added.
func (l *links) take() []part {
	list := l.fresh
	l.fresh = nil
	return list
}

// target returns the address, relative to a page, of a link in its Markdown.
func (l *links) target(from document, dest string) (string, error) {
	if page, ok := strings.CutPrefix(dest, "site:"); ok {
		return relative(from.Out, page), nil
	}
	if strings.Contains(dest, ":") {
		return dest, nil
	}

	file, fragment, _ := strings.Cut(dest, "#")
	name := from.Source
	if file != "" {
		name = path.Join(path.Dir(from.Source), file)
	}

	if to, ok := l.pages[place{name, fragment}]; ok {
		if from.Source == "docs/README.md" && l.order[to] == 0 {
			l.order[to] = len(l.order) + 1
		}
		return relative(from.Out, to), nil
	}

	if readme, ok := l.pages[place{path.Join(name, "README.md"), ""}]; ok {
		return relative(from.Out, readme), nil
	}
	if fragment != "" || !exists(l.root, name) {
		return "", fmt.Errorf("no page has %s", dest)
	}

	if strings.HasSuffix(name, ".svg") {
		l.copied = lists.With(l.copied, name)
		return relative(from.Out, name), nil
	}

	text, err := listing(l.root, name)
	to := "source/" + name + ".html"
	l.pages[place{name, ""}] = to
	l.fresh = append(l.fresh, part{name, to, "Examples", text})
	return relative(from.Out, to), err
}

// relative returns the path from one page to another, which may have a fragment.
func relative(from, to string) string {
	page, fragment, has := strings.Cut(to, "#")
	way := rootOf(from) + page
	if page == from {
		way = path.Base(page)
	}
	if has {
		way += "#" + fragment
	}
	return way
}

// rootOf returns the path from a page to the site's root.
func rootOf(page string) string { return strings.Repeat("../", strings.Count(page, "/")) }

// pages writes the HTML of all pages.
func pages(docs []document, tables support, order map[string]int) (map[string][]byte, error) {
	layout, err := template.ParseFS(assets, "layout.html", "support.html")
	if err != nil {
		return nil, err
	}
	md, files := newMarkdown(), map[string][]byte{}
	var errs []error
	write := func(v view) {
		var b bytes.Buffer
		v.Version = cli.VersionText()
		errs = append(errs, layout.ExecuteTemplate(&b, "layout.html", v))
		files[v.Out] = b.Bytes()
	}
	for i := range docs {
		d := &docs[i]
		body, err := d.render(md)
		if err != nil {
			return nil, err
		}
		if _, twice := files[d.Out]; twice {
			return nil, fmt.Errorf("two pages are %s", d.Out)
		}
		v := view{Title: d.Title, Section: d.Section, Root: rootOf(d.Out), Out: d.Out, Source: d.Source,
			Body: template.HTML(body), Tabs: tabs(d.Out, d.Section, docs), Pages: siblings(d, docs, order),
			Home: d.Out == "index.html"}
		for _, h := range d.Heads {
			if h.Level == 2 {
				v.Heads = append(v.Heads, h)
			}
		}
		write(v)
	}

	var form bytes.Buffer
	errs = append(errs, layout.ExecuteTemplate(&form, "support.html", tables))
	write(view{Title: "What can a hook do?", Section: "Support", Out: "support.html",
		Body: template.HTML(form.String()), Tabs: tabs("support.html", "Support", docs),
		Scripts: []string{"support-data.js", "support.js"}})
	return files, errors.Join(errs...)
}

// tabs returns the links at the top of each page.
func tabs(out, section string, docs []document) []item {
	root := rootOf(out)
	list := []item{{"Convert a file", root + converter, false},
		{"What can a hook do?", root + "support.html", section == "Support"}}
	for _, s := range sections {
		for _, d := range docs {
			if d.Section == s {
				first := d.Out
				if s == "Documentation" {
					first = "docs/index.html"
				}
				list = append(list, item{s, root + first, s == section})
				break
			}
		}
	}
	return list
}

// siblings returns the pages of a section: its index, the pages in the documentation's index in its order, and then all
// others.
func siblings(of *document, docs []document, order map[string]int) (list []item) {
	var same []*document
	for i := range docs {
		if docs[i].Section == of.Section {
			same = append(same, &docs[i])
		}
	}
	slices.SortStableFunc(same, func(a, b *document) int {
		return rank(a, order) - rank(b, order)
	})
	return lists.Map(same, func(d *document) item {
		return item{d.Title, rootOf(of.Out) + d.Out, d.Out == of.Out}
	})
}

func rank(d *document, order map[string]int) int {
	switch n := order[d.Out]; {
	case d.Out == "index.html": // the site's name leads to it
		return len(order) + 2
	case strings.HasSuffix(d.Out, "/index.html"):
		return 0
	case n > 0:
		return n
	}
	return len(order) + 1
}
