package conformance

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
)

// The regular vectors are made of the small tables in gen_*_test.go, which say
// what each agent's words are; they do not ask the program. To write them anew:
//
//	go test ./conformance -run TestGenerated -update

var update = flag.Bool("update", false, "write the generated vectors anew")

// A made is a vector to be written.
type made struct {
	id, why, source string
	from, to        string
	event, tool     string
	options         string // JSON, "" if none
	input           string // JSON, unless text is set
	text            bool
	output          string // JSON
	findings        []Finding
	rest            []rest // members of run vectors, in order
}

type rest struct{ name, value string }

func generated() (all []made) {
	all = append(all, madeConfigs()...)
	all = append(all, madeCalls()...)
	all = append(all, madeTools()...)
	all = append(all, madeReplies()...)
	all = append(all, madeRuns()...)
	all = append(all, madeSDK()...)
	return all
}

// json writes the vector as it stands in its file.
func (m *made) json(confirmed, client string) []byte {
	w := ordjson.NewWriter(nil)
	text := func(name, s string) {
		if s != "" {
			w.String(name, s)
		}
	}
	text("id", m.id)
	text("why", m.why)
	text("source", m.source)
	text("confirmed", confirmed)
	text("client", client)
	text("from", m.from)
	text("to", m.to)
	text("event", m.event)
	text("tool", m.tool)
	if m.options != "" {
		w.Raw("options", []byte(m.options))
	}
	for _, r := range m.rest {
		w.Raw(r.name, []byte(r.value))
	}
	if m.text {
		w.String("input_text", m.input)
	} else {
		w.Raw("input", []byte(m.input))
	}
	if m.output != "" {
		w.Raw("output", []byte(m.output))
	}
	w.Raw("diagnostics", jsondoc.Marshal(append([]Finding{}, m.findings...)))
	return append(pretty(nil, w.Bytes(), "", true), '\n')
}

// pretty breaks a value over lines where it does not fit one.
func pretty(dst, value []byte, indent string, always bool) []byte {
	compact := ordjson.AppendCompact(nil, value)
	k := ordjson.KindOf(compact)
	if !always && len(compact)+len(indent) <= 110 || k != ordjson.ObjectKind && k != ordjson.Array ||
		len(compact) == 2 {
		return append(dst, spaced(compact)...)
	}
	list, err := ordjson.Members(compact, 0)
	open, end := byte('{'), byte('}')
	if err != nil {
		elements, _ := ordjson.Elements(compact, 0)
		list, open, end = elements, '[', ']'
	}
	dst = append(dst, open)
	for i, m := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n  "+indent...)
		if open == '{' {
			dst = append(ordjson.AppendString(dst, m.Name), ": "...)
		}
		dst = pretty(dst, m.Value, indent+"  ", false)
	}
	return append(append(dst, "\n"+indent...), end)
}

// spaced puts a blank after the colons and commas of a compact value.
func spaced(compact []byte) (out []byte) {
	in := false
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		out = append(out, c)
		switch {
		case in && c == '\\':
			i++
			out = append(out, compact[i])
		case c == '"':
			in = !in
		case !in && (c == ':' || c == ','):
			out = append(out, ' ')
		}
	}
	return out
}

const generatedList = "testdata/generated.txt"

// TestGenerated holds the files of the generated vectors to their tables, and
// that none is left over. What the clients confirmed stays, as long as the
// vector is the same.
func TestGenerated(t *testing.T) {
	var list []string
	seen := map[string]bool{}
	for _, m := range generated() {
		if seen[m.id] {
			t.Errorf("%s is made twice", m.id)
			continue
		}
		seen[m.id] = true
		list = append(list, m.id)
		file := filepath.Join("vectors", filepath.FromSlash(m.id)+".json")
		have, _ := os.ReadFile(file)
		want := m.json(ConfirmedNone, "")
		if old, err := ordjson.Parse(have); err == nil {
			confirmed, _ := ordjson.String(first(old.Get("confirmed")))
			client, _ := ordjson.String(first(old.Get("client")))
			if kept := m.json(confirmed, client); bytes.Equal(kept, have) {
				continue
			} else if sameFact(kept, have) {
				want = kept
			} else if wider(kept, have) { // the agent has had further tools since
				continue
			}
		}
		if !*update {
			t.Errorf("%s is not what its table says; -update writes it", file)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, _ := os.ReadFile(generatedList)
	now := strings.Join(list, "\n") + "\n"
	for id := range strings.Lines(string(before)) {
		if id = strings.TrimSpace(id); id != "" && !seen[id] && *update {
			os.Remove(filepath.Join("vectors", filepath.FromSlash(id)+".json"))
		}
	}
	if *update {
		if err := os.WriteFile(generatedList, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if string(before) != now {
		t.Errorf("%s is not the list of what is made; -update writes it", generatedList)
	}
}

func first(raw []byte, _ bool) []byte { return raw }

// sameFact reports whether two texts of a vector ask and want the same.
func sameFact(a, b []byte) bool {
	x, err1 := ordjson.Parse(a)
	y, err2 := ordjson.Parse(b)
	if err1 != nil || err2 != nil {
		return false
	}
	for _, name := range []string{"why", "source", "confirmed", "client"} {
		x.Take(name)
		y.Take(name)
	}
	return difference("", x.Append(nil), y.Append(nil)) == ""
}

// TestLaidOut holds that every vector stands in the file that its id names, alone, and
// is written as the generator writes: short, one member a line.
func TestLaidOut(t *testing.T) {
	err := fs.WalkDir(os.DirFS("vectors"), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join("vectors", path))
		if err != nil {
			return err
		}
		o, perr := ordjson.Parse(text)
		id, _ := ordjson.String(first(o.Get("id")))
		if perr != nil || id+".json" != path {
			t.Errorf("%s: holds %q, %v", path, id, perr)
		}
		if laid := append(pretty(nil, text, "", true), '\n'); perr == nil && !bytes.Equal(laid, text) {
			if *update {
				return os.WriteFile(filepath.Join("vectors", path), laid, 0o644)
			}
			t.Errorf("%s is not laid out as usual; -update does that", path)
		}
		if n := bytes.Count(text, []byte{'\n'}); n > 60 {
			t.Errorf("%s has %d lines: more than a screen", path, n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// quote is a text as JSON.
func quote(s string) string { return string(ordjson.AppendString(nil, s)) }

// object writes members in the given order; a member whose value is "" is left out.
func object(pairs ...string) string {
	w := ordjson.NewWriter(nil)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			w.Raw(pairs[i], []byte(pairs[i+1]))
		}
	}
	out := w.Bytes()
	if !json.Valid(out) {
		panic("no JSON: " + string(out))
	}
	return string(out)
}
