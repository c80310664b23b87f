package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// built is the site of this repository, except the converter.
var built = sync.OnceValues(func() (map[string][]byte, error) { return build("../..") })

func site(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var (
	linked = regexp.MustCompile(`<(\w+)[^>]*? (?:href|src)="([^"]*)"`)
	named  = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinks checks that every link within the site has a target and that pages load nothing from another host. Every
// page must be reachable from the first one.
func TestLinks(t *testing.T) {
	files := site(t)
	ids, next := map[string]bool{}, map[string][]string{}
	for name, text := range files {
		if strings.HasSuffix(name, ".html") {
			for _, m := range named.FindAllSubmatch(text, -1) {
				if id := name + "#" + string(m[1]); ids[id] {
					t.Errorf("%s is there twice", id)
				} else {
					ids[id] = true
				}
			}
		}
	}
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, m := range linked.FindAllSubmatch(text, -1) {
			element, to := string(m[1]), string(m[2])
			if strings.Contains(to, ":") {
				if element != "a" && to != "data:," {
					t.Errorf("%s: <%s> loads %s", name, element, to)
				}
				continue
			}
			file, fragment, _ := strings.Cut(to, "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, ok := files[target]; !ok && target != converter {
				t.Errorf("%s: nothing is at %s", name, to)
			}
			if fragment != "" && target != "support.html" && !ids[target+"#"+fragment] {
				t.Errorf("%s: no place is called %s", name, to)
			}
			next[name] = append(next[name], target)
		}
	}

	reached := map[string]bool{"index.html": true}
	for list := []string{"index.html"}; len(list) > 0; list = list[1:] {
		for _, to := range next[list[0]] {
			if !reached[to] {
				reached[to] = true
				list = append(list, to)
			}
		}
	}
	for name := range files {
		if strings.HasSuffix(name, ".html") && !reached[name] {
			t.Errorf("no link leads to %s", name)
		}
	}
}

// TestRequests checks that styles and scripts name no other host.
func TestRequests(t *testing.T) {
	files := site(t)
	requests := regexp.MustCompile(`https?:|//[a-z]+\.|@import|url\(|fetch\(|XMLHttp|WebSocket`)
	for _, name := range []string{"site.css", "site.js", "support.js"} {
		if m := requests.Find(files[name]); m != nil {
			t.Errorf("%s has %s", name, m)
		}
	}
}

// TestSame checks that the same repository gives the same bytes.
func TestSame(t *testing.T) {
	again, err := build("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range site(t) {
		if !bytes.Equal(text, again[name]) {
			t.Errorf("%s differs", name)
		}
	}
}

// TestComplete checks that each command, code and agent has a page, and that the search finds each page.
func TestComplete(t *testing.T) {
	files := site(t)
	contains := func(name, text string) {
		t.Helper()
		if !bytes.Contains(files[name], []byte(text)) {
			t.Errorf("%s doesn't have %q", name, text)
		}
	}
	commands := regexp.MustCompile(`(?m)^\| \[(\w+)\]\(#`)
	for _, p := range must(readParts("../.."))(t) {
		if p.Out == "docs/commands/index.html" {
			list := commands.FindAllStringSubmatch(p.Text, -1)
			if len(list) < 20 {
				t.Errorf("%d commands", len(list))
			}
			for _, m := range list {
				contains("docs/commands/"+m[1]+".html", "hookbridge "+m[1])
			}
		}
		contains("search-data.js", `"`+p.Out)
	}
	for _, info := range schema.Codes() {
		contains("docs/codes/"+strings.ToLower(string(info.Code))+".html", string(info.Code))
	}
	for _, name := range adapter.Names() {
		contains("agents/"+name+".html", "Evidence")
		contains("support.html", `<option value="`+name+`">`)
	}
	for _, a := range adapter.KnownByName() {
		contains("agents/"+a.Name+".html", a.Title)
	}
}

func must[T any](value T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// TestSupport checks that the tables are complete, with words for everything in them, and evidence and a day for each.
func TestSupport(t *testing.T) {
	var s support
	if err := json.Unmarshal(site(t)["support.json"], &s); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, list := range [][]word{s.Effects, s.Events} {
		for _, x := range list {
			known[x.Name] = true
			if x.Says == "" {
				t.Errorf("%s has no words", x.Name)
			}
		}
	}
	for _, a := range s.Agents {
		compared := !strings.Contains(a.Note, "as reported for "+a.Version)
		if a.Tables && !compared && (a.Live != "" || a.Date != "") {
			t.Errorf("%s is from reports, and was compared on %q", a.Name, a.Date)
		}
		if a.Tables && compared && (a.Version == "" || a.Date == "" || a.Live == "") {
			t.Errorf("%s: checked with %q on %q, shown by %q", a.Name, a.Version, a.Date, a.Live)
		}
		if !a.Tables && a.Source == "" {
			t.Errorf("%s: no source", a.Name)
		}
	}
	for _, r := range s.Rows {
		effects := slices.Concat(r.Effects, slices.Sorted(maps.Keys(r.Some)))
		for _, l := range r.Less {
			effects = append(effects, l.Effects...)
			if l.Source == "" || l.When == "" {
				t.Errorf("%s %s: %+v", r.Agent, r.Native, l)
			}
		}
		for _, e := range append(effects, r.Event) {
			if !known[e] {
				t.Errorf("%s %s: no words for %s", r.Agent, r.Native, e)
			}
		}
		if r.Source == "" {
			t.Errorf("%s %s: no evidence", r.Agent, r.Native)
		}
	}

	for _, test := range []struct {
		agent, event, effect string
		want                 bool
	}{
		{"kiro", "prompt-submit", "deny", true},
		{"claude", "prompt-submit", "deny", true},
		{"auggie", "prompt-submit", "deny", false},
		{"cursor", "pre-tool", "ask", true}, // at a gate
		{"cursor", "post-tool", "output", true},
		{"continue", "pre-tool", "deny", false},
	} {
		has := slices.ContainsFunc(s.Rows, func(r row) bool {
			return r.Agent == test.agent && r.Event == test.event && (slices.Contains(r.Effects, test.effect) ||
				len(r.Some[test.effect]) > 0)
		})
		if has != test.want {
			t.Errorf("%s %s %s: %t", test.agent, test.event, test.effect, has)
		}
	}
}

// TestText checks that what looks like HTML in Markdown is text, and that a heading has the same name as on GitHub.
func TestText(t *testing.T) {
	md := newMarkdown()
	d := parse(md, part{Text: "# A `b_c` d!\n\nSee <name> and <script>x</script>.\n\n<!-- run -->\n" +
		"<div onclick=x>\n\n## A\n\n## A\n"})
	html, err := d.render(md)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(html, "<script>") || strings.Contains(html, "<div") || strings.Contains(html, "run") ||
		!strings.Contains(html, "&lt;name&gt;") {
		t.Error(html)
	}
	var got []string
	for _, h := range d.Heads {
		got = append(got, h.ID)
	}
	if want := []string{"a-b_c-d", "a", "a-1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBrokenLink checks that a link without a target fails.
func TestBrokenLink(t *testing.T) {
	l := newLinks("../..", nil)
	from := document{part: part{Source: "docs/x.md", Out: "docs/x.html"}}
	for _, dest := range []string{"nothing.md", "../README.md#nothing"} {
		if to, err := l.target(from, dest); err == nil {
			t.Errorf("%s leads to %s", dest, to)
		}
	}
}
