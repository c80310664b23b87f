package test

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/scenario"
	"github.com/hookbridge/hookbridge/schema"
)

// probeLines are calls that hooks often check, and harmless ones, grouped by the kind of tool. They are never executed.
//
//go:embed probes.txt
var probeLines string

var promptProbes = []string{`prompt "Fix the failing test."`, `prompt "My password is hunter2."`}

// callsFor returns calls that may reach a hook, according to its matcher.
func callsFor(d adapter.Dialect, h *schema.Hook) (calls []string) {
	switch {
	case h.Event == schema.PromptSubmit:
		return promptProbes
	case !h.Event.IsTool():
		return []string{h.Event.String()}
	}
	sel := d.Select(h)
	whole := h.Event == schema.PreTool || h.Event == schema.PostTool
	add := func(call string) {
		if !whole { // the whole call doesn't raise it
			call = atEvent(h.Event, call)
		}
		if call != "" && !slices.Contains(calls, call) {
			calls = append(calls, call)
		}
	}

	before := schema.NumKinds
	for call := range strings.Lines(probeLines) {
		kind, _ := schema.ParseKind(call[:strings.IndexAny(call, " :")])
		fits := func(k schema.Pick) bool { return k.Kind.Base() == kind.Base() && k.Kind != schema.MCP }
		every := sel.All || sel.Search != ""
		tried := every && len(calls) > 0 || kind == before // one of a kind is enough
		before = kind
		if (whole || !tried) && (every || slices.ContainsFunc(sel.Picks, fits)) {
			add(strings.TrimSpace(call))
		}
	}
	tools := serversTools(d, h)
	for _, tool := range tools {
		add(tool + " {}")
	}
	for _, k := range sel.Picks {
		if k.Kind == schema.MCP && len(tools) == 0 {
			add("mcp:" + cmp.Or(k.Server, "example") + "/" + cmp.Or(k.Name, "search") + " {}")
		}
	}
	return calls
}

// atEvent returns one event of a call as a mapping.
func atEvent(event schema.Event, call string) string {
	c, err := scenario.ParseLine(call)
	if err != nil {
		return ""
	}
	w := ordjson.NewWriter(nil)
	w.String("event", event.String())
	w.String("tool", c.Tool)
	if c.Server != "" {
		w.String("server", c.Server)
	}
	w.Raw("input", c.Input)
	return string(w.Bytes())
}

// serversTools returns tools of MCP servers that a hook's matcher selects, in the form for calls.
func serversTools(d adapter.Dialect, h *schema.Hook) (tools []string) {
	m, err := d.Profile().Matcher(h)
	if err != nil {
		return nil
	}
	for _, wild := range []string{"", "search"} { // preferably without the part that may be any text
		for _, name := range matcher.Examples(h.Matcher, wild) {
			for _, tool := range serverAndTool(d.Profile(), name) {
				named := isName(tool.Server) && isName(tool.Name)
				if call := "mcp:" + tool.Server + "/" + tool.Name; named && takes(d, h, m, tool) {
					tools = lists.With(tools, call)
					break
				}
			}
		}
		if len(tools) > 0 {
			break
		}
	}
	return tools
}

// serverAndTool returns the possible meanings of an MCP tool's name: its parts, in either order, or the tool of a
// server that the name doesn't contain.
func serverAndTool(p *dialect.Profile, name string) (tools []schema.Tool) {
	rest := strings.TrimPrefix(name, p.MCP.Prefix)
	if _, after, ok := strings.Cut(name, ":"); ok { // MCP tools have no colon: it follows a matcher's kind
		rest = after
	}
	for i := range rest {
		after, found := strings.CutPrefix(rest[i:], p.MCP.Between)
		if p.MCP.Between != "" && found {
			server, tool := rest[:i], after
			if p.MCP.ServerLast {
				server, tool = tool, server
			}
			tools = append(tools, schema.Tool{Name: tool, Server: server})
		}
	}
	if p.MCP.ServerLast {
		slices.Reverse(tools)
	}
	return append(tools, schema.Tool{Name: "search", Server: "example"}, schema.Tool{Name: rest, Server: "example"})
}

// isName reports whether a part of an example may be a name. A part that begins or ends with a separator isn't a whole
// name.
func isName(part string) bool { return part != "" && part == strings.Trim(part, "_-") }

// takes reports whether a matcher selects a tool of an MCP server under a name that the hook's agent uses.
func takes(d adapter.Dialect, h *schema.Hook, m *matcher.Matcher, tool schema.Tool) bool {
	tool.Kinds = []schema.Kind{schema.MCP}
	call := &schema.Call{Dialect: d.Profile().Name, Event: h.Event, Native: h.Native, Tool: tool}
	return slices.ContainsFunc(d.Views(call), func(v schema.View) bool {
		return v.Event == h.Native && m.Match(v.Target...)
	})
}

// wordsFor returns calls of an event that isn't about a tool. Each has a value that a hook's matcher accepts and that
// the hook's agent sends.
func wordsFor(d adapter.Dialect, h *schema.Hook) (calls []string) {
	row := d.Profile().Row(h.Native)
	m, err := d.Profile().Matcher(h)
	if err != nil || row == nil || row.Match != schema.MatchField || h.Event.IsTool() {
		return nil
	}
	for _, w := range sample.Words(d, h.Event, row.MatchField) {
		payload, err := sample.Payload(d, sample.Event{Event: h.Native, Word: w.Meaning()})
		if err != nil || !m.Match(w.Native) {
			continue
		}
		members, _ := ordjson.Members(payload, 0)
		for _, member := range members {
			if text, isText := ordjson.String(member.Value); isText && text == w.Native {
				in := ordjson.NewWriter(nil)
				in.String(member.Name, w.Native)
				calls = append(calls, h.Event.String()+" "+string(in.Bytes()))
				break
			}
		}
	}
	return calls
}

// sends reports whether a host sends the word in a call of wordsFor.
func sends(host adapter.Dialect, call string) bool {
	c, err := scenario.ParseLine(call)
	row := adapter.EventNamed(host, c.Event)
	if err != nil || row == nil {
		return false
	}
	words := sample.Words(host, row.Event, row.MatchField)
	members, _ := ordjson.Members(c.Input, 0)
	return slices.ContainsFunc(members, func(m ordjson.Member) bool {
		word, _ := ordjson.String(m.Value)
		return slices.ContainsFunc(words, func(w schema.Word) bool { return w.Native == word })
	})
}
