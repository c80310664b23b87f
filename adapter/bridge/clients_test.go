package bridge

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/schema"
)

// A clientNames is a snapshot of the names that a client uses, written by conformance/live/snapshot.
type clientNames struct {
	Agent, Version string
	Events         map[string]struct {
		From            []string
		Payload, Answer map[string][]string
		Matcher         *bool
	}
	Tools map[string]struct {
		From  []string
		Input map[string][]string
	}
	Handlers map[string]struct{ From []string }
}

// tableNames are the names in hookbridge's schemas of an agent.
type tableNames struct {
	payload, answer map[string]bool            // of all events
	own             map[string]map[string]bool // of single events, in payloads
	config          string
}

// TestClients compares the tables with the clients. Every name of a snapshot is in the tables or left out for a reason,
// and the client has every event and argument of the tables.
func TestClients(t *testing.T) {
	used, checked := map[string]bool{}, 0
	report := func(agent, what string) {
		part, name, _ := strings.Cut(what, " ")
		for _, key := range []string{agent + " " + what, agent + " " + part + " " + spelling(name)} {
			if _, ok := leftOut[key]; ok {
				used[key] = true
				return
			}
		}
		t.Errorf("%s %s", agent, what)
	}
	for _, c := range snapshots(t) {
		d, err := adapter.Find(clientDialect(c.Agent))
		if err != nil {
			continue // no dialect yet
		}
		checked++
		tables := schemaNames(t, d.Profile().Name)
		eventsOf(c, d, &tables, report)
		toolsOf(c, d, report)
		for kind := range c.Handlers {
			if !strings.Contains(tables.config, `"`+kind+`"`) {
				report(c.Agent, "handler "+kind)
			}
		}
	}
	if want := len(adapter.Dialects()); checked < want {
		t.Errorf("only %d snapshots for %d dialects", checked, want)
	}
	for name := range leftOut {
		if !used[name] {
			t.Errorf("%s is said to be left out, and nothing lacks it", name)
		}
	}
}

// spelling returns the class of a name that an agent spells in a second way.
func spelling(name string) string {
	if strings.ContainsFunc(name, unicode.IsUpper) {
		return "camelCase"
	}
	return "snake_case"
}

// clientDialect returns the name of a client's dialect.
func clientDialect(agent string) string {
	if agent == "kilo" { // a program of the same agent
		return "opencode"
	}
	return agent
}

// eventsOf compares the events, and the fields of their payloads and answers.
func eventsOf(c clientNames, d adapter.Dialect, tables *tableNames, report func(agent, what string)) {
	p := d.Profile()
	if p.HostOnly != "" { // its plugin translates: events have hookbridge's own names
		return
	}
	for name, e := range c.Events {
		row := p.Row(name)
		if row == nil {
			report(c.Agent, "event "+name)
			continue
		}
		if e.Matcher != nil && *e.Matcher != (row.Match != schema.MatchNothing) {
			report(c.Agent, "matcher "+name)
		}
		for _, field := range flat(e.Payload) {
			if !tables.payload[field] && !tables.own[name][field] {
				report(c.Agent, "payload "+field)
			}
		}
		for _, field := range flat(e.Answer) {
			if !tables.answer[field] {
				report(c.Agent, "answer "+field)
			}
		}
	}
	for _, row := range p.Events {
		if _, ok := c.Events[row.Native]; !ok {
			report(c.Agent, "row "+row.Native)
		}
	}
}

// toolsOf compares the tools and their arguments. For a tool without a kind, it checks arguments that may name what the
// tool acts on: they must be among the names that hooks of other agents get.
func toolsOf(c clientNames, d adapter.Dialect, report func(agent, what string)) {
	p := d.Profile()
	for name, tool := range c.Tools {
		row := p.Tool(name)
		given := flat(tool.Input)
		if row == nil && !slices.Contains(p.PlainTools, name) {
			report(c.Agent, "tool "+name)
		}
		if row == nil || len(row.Kinds) == 0 {
			for _, arg := range given {
				if actedOn(plainName(arg)) && !isCommon(plainName(arg)) && (row == nil || !hasInput(row, arg)) {
					report(c.Agent, "argument "+name+" "+arg)
				}
			}
		}
		schemas := tool.Input["model"]
		if row == nil || schemas == nil {
			continue
		}
		for _, arg := range row.Input {
			if !slices.Contains(given, arg.Name) {
				report(c.Agent, "input "+name+" "+arg.Name)
			}
		}
		for _, arg := range schemas {
			if need, ok := strings.CutPrefix(arg, "*"); ok && len(row.Kinds) > 0 && !hasInput(row, need) {
				report(c.Agent, "required "+name+" "+need)
			}
		}
	}
}

// actedOn reports whether an argument with that plain name may be what a tool acts on.
func actedOn(name string) bool {
	for _, word := range []string{"command", "cmd", "script", "path", "file", "url", "uri", "patch", "code",
		"folder", "directory"} {
		if strings.HasPrefix(name, word) || strings.HasSuffix(name, word) {
			return true
		}
	}
	return false
}

func isCommon(name string) bool {
	for _, m := range commonNames {
		if slices.Contains(m.names, name) {
			return true
		}
	}
	return false
}

func hasInput(row *schema.ToolRow, name string) bool {
	return slices.ContainsFunc(row.Input, func(a schema.ArgRow) bool { return a.Name == name })
}

// flat returns the names of all origins, each once.
func flat(byOrigin map[string][]string) (names []string) {
	for _, list := range byOrigin {
		for _, name := range list {
			names = append(names, strings.TrimPrefix(name, "*"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// snapshots returns those of the repository, or of the folder that scripts/drift names.
func snapshots(t *testing.T) (list []clientNames) {
	t.Helper()
	folder := cmp.Or(os.Getenv("HOOKBRIDGE_CLIENT_NAMES"), filepath.Join(material.Root(t), "conformance", "clients"))
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d snapshots, %v", len(files), err)
	}
	for _, file := range files {
		var c clientNames
		text, err := os.ReadFile(file)
		if err = cmp.Or(err, json.Unmarshal(text, &c)); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		list = append(list, c)
	}
	return list
}

// schemaNames reads the JSON Schemas generated from the tables.
func schemaNames(t *testing.T, name string) (n tableNames) {
	t.Helper()
	read := func(kind string) (doc map[string]any, text string) {
		raw, err := os.ReadFile(filepath.Join(material.Root(t), "schema", "json", name+"-"+kind+".json"))
		if err = cmp.Or(err, json.Unmarshal(raw, &doc)); err != nil {
			t.Fatal(err)
		}
		return doc, string(raw)
	}
	payload, _ := read("payload")
	answer, _ := read("answer")
	_, n.config = read("config")
	n.payload, n.own = keys(payload["properties"]), map[string]map[string]bool{}
	defs, _ := payload["$defs"].(map[string]any)
	for event, def := range defs {
		if def, ok := def.(map[string]any); ok {
			n.own[event] = keys(def["properties"])
		}
	}
	n.answer = map[string]bool{}
	allProperties(answer, n.answer)
	return n
}

func keys(object any) map[string]bool {
	found := map[string]bool{}
	if m, ok := object.(map[string]any); ok {
		for k := range m {
			found[k] = true
		}
	}
	return found
}

// allProperties collects the names of all properties anywhere in a schema.
func allProperties(value any, found map[string]bool) {
	switch v := value.(type) {
	case map[string]any:
		for k := range keys(v["properties"]) {
			found[k] = true
		}
		for _, inner := range v {
			allProperties(inner, found)
		}
	case []any:
		for _, inner := range v {
			allProperties(inner, found)
		}
	}
}
