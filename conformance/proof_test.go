package conformance

import (
	"bytes"
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// proof are the JSON files with evidence from real clients: recorded payloads, and the scenarios for the harness.
var proof = []string{"payloads/*.json", "live/clients.json", "live/examples/*.json", "live/scenarios/*.json"}

// TestProofLaidOut checks that these files have the same layout, so that a change shows only the affected lines. With
// -update it formats them.
func TestProofLaidOut(t *testing.T) {
	for _, pattern := range proof {
		files, _ := filepath.Glob(filepath.FromSlash(pattern))
		if len(files) == 0 {
			t.Errorf("no files %s", pattern)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := ordjson.Check(text); err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			want := proofText(text)
			switch {
			case bytes.Equal(text, want):
			case !*update:
				t.Errorf("%s isn't laid out as usual; -update does that", file)
			default:
				if err := os.WriteFile(file, want, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// proofText formats an array, one entry after the other, or an object.
func proofText(text []byte) []byte {
	entries, err := ordjson.Elements(bytes.TrimSpace(text), 0)
	if err != nil {
		return append(pretty(nil, bytes.TrimSpace(text), "", true), '\n')
	}
	out := []byte("[\n")
	for i, e := range entries {
		if i > 0 {
			out = append(out, ",\n"...)
		}
		out = pretty(out, e.Value, "", true)
	}
	return append(out, "\n]\n"...)
}

// TestProofNames checks that each scenario and example has a unique name, by which it is played.
func TestProofNames(t *testing.T) {
	for _, folder := range []string{"scenarios", "examples"} {
		files, _ := filepath.Glob("live/" + folder + "/*.json")
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for _, o := range ordjson.Objects(bytes.TrimSpace(text)) {
				if name := o.Str("name"); name == "" || seen[name] {
					t.Errorf("%s: %q isn't a name of its own", file, name)
				}
				seen[o.Str("name")] = true
			}
			if len(seen) == 0 {
				t.Errorf("%s: no scenarios", file)
			}
		}
	}
}

// unplayed are the pages whose comparisons weren't repeated since a client's version in clients.json, with the version
// that they name.
var unplayed = map[string]string{}

// TestPins checks that pages have the versions of clients.json, and that payloads have these versions or were compared
// with them.
func TestPins(t *testing.T) {
	text, err := os.ReadFile("live/clients.json")
	if err != nil {
		t.Fatal(err)
	}
	clients, err := ordjson.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := filepath.Glob("LIVE*.md")
	left := maps.Clone(unplayed)
	for _, m := range clients {
		client, _ := clients.Members(m.Name)
		title, version := client.Str("title"), client.Str("version")
		played := regexp.MustCompile(regexp.QuoteMeta(title) + ` ([0-9]+\.[0-9.]*[0-9])`)
		for _, page := range pages {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range clients { // its title ends with this one
				other, _ := clients.Members(o.Name)
				if long := other.Str("title"); long != title && strings.HasSuffix(long, title) {
					text = bytes.ReplaceAll(text, []byte(long), nil)
				}
			}
			for _, found := range played.FindAllSubmatch(text, -1) {
				switch {
				case string(found[1]) == version:
				case string(found[0]) == unplayed[page]:
					delete(left, page)
				default:
					t.Errorf("%s: %s, and clients.json has %s", page, found[0], version)
				}
			}
		}
		recorded, err := os.ReadFile("payloads/" + m.Name + ".json")
		if o, _ := ordjson.Parse(recorded); err == nil && cmp.Or(o.Str("compared"), o.Str("version")) != version {
			t.Errorf("payloads of %s: %s, and clients.json has %s", m.Name, o.Str("version"), version)
		}
	}
	for page, was := range left {
		t.Errorf("%s doesn't name %s any more", page, was)
	}
}

// TestRecorded checks that every agent has recorded payloads.
func TestRecorded(t *testing.T) {
	recorded := material.Agents(t)
	for _, d := range adapter.Dialects() {
		if name := d.Profile().Name; !slices.Contains(recorded, name) {
			t.Errorf("conformance/payloads has no file of %s", name)
		}
	}
}

// TestFacts checks that every agent has a page of facts, and that the page names the versions that its tables have from
// observation.
func TestFacts(t *testing.T) {
	observed := regexp.MustCompile(`observed (?:SDK )?([0-9][0-9.]*[0-9])`)
	index, err := os.ReadFile("facts/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		page := "facts/" + p.Name + ".md"
		text, err := os.ReadFile(page)
		if err != nil {
			t.Error(err)
			continue
		}
		if !bytes.Contains(index, []byte("("+p.Name+".md)")) {
			t.Errorf("facts/README.md doesn't link to %s", page)
		}
		for _, row := range p.Events {
			for _, m := range observed.FindAllStringSubmatch(row.Source, -1) {
				if !bytes.Contains(text, []byte(m[1])) {
					t.Errorf("%s %s: %q, and %s doesn't name that version", p.Name, row.Native, row.Source, page)
				}
			}
		}
	}
}

// python returns Python 3, or skips the test.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("the harness needs Python 3 on Linux")
	}
	return path
}

// TestPrograms checks that the harness's programs are valid Python.
func TestPrograms(t *testing.T) {
	files, _ := filepath.Glob("live/*.py")
	files = append(files, "live/fuzz", "live/live", "live/payloads", "live/play", "live/setup", "live/snapshot",
		"live/survey", "../scripts/drift", "../scripts/since")
	const check = "import ast, sys\nfor f in sys.argv[1:]: ast.parse(open(f).read(), f)"
	if out, err := exec.Command(python(t), append([]string{"-c", check}, files...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPlayList checks that play has a direction into each agent, and one from each agent with its own hooks. The
// clients of all of them must be pinned, and their pages must exist and be linked.
func TestPlayList(t *testing.T) {
	out, err := exec.Command(python(t), "live/play", "--list").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pins, err := os.ReadFile("live/clients.json")
	if err != nil {
		t.Fatal(err)
	}
	clients, err := ordjson.Parse(pins)
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}

	hosts, sources := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line) // HOOKS in HOST NUMBER PAGE
		if len(words) != 5 || words[3] == "0" {
			t.Errorf("line %q", line)
			continue
		}
		for _, side := range []string{words[0], words[2]} {
			name, _, _ := strings.Cut(side, "@")
			if !clients.Has(name) {
				t.Errorf("%q: clients.json doesn't have %s", line, name)
			}
			if _, err := adapter.Find(side); err != nil && name != "kilo" { // a fork that uses OpenCode's dialect
				t.Errorf("%q: %v", line, err)
			}
		}
		sources[words[0]], hosts[words[2]] = true, true
		if _, err := os.Stat(words[4]); err != nil || !bytes.Contains(index, []byte("("+words[4]+")")) {
			t.Errorf("%q: the page isn't there, or README.md doesn't link to it: %v", line, err)
		}
	}
	for _, d := range adapter.Dialects() {
		p := d.Profile()
		if p.Reported {
			if hosts[p.Name] || sources[p.Name] {
				t.Errorf("%s was played, and its tables are from reports", p.Name)
			}
			continue
		}
		if !hosts[p.Name] || p.HostOnly == "" && !sources[p.Name] {
			t.Errorf("no direction of %s: as a host %v, with its hooks %v", p.Name, hosts[p.Name], sources[p.Name])
		}
	}
}
