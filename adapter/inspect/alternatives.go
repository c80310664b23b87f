package inspect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// A part is one alternative of a hook's matcher.
type part struct {
	own        vocabulary // of the hook's agent
	hook       *schema.Hook
	whole      *matcher.Matcher
	text, name string   // as written, and without anchors
	names      []string // the names that it matches, or examples; none: no example can be derived
	listed     bool     // it is compared with whole names
	one        *matcher.Matcher
}

// parts returns the alternatives of a matcher, including those in a group around all of them.
func (v vocabulary) parts(h *schema.Hook, m *matcher.Matcher) (list []part) {
	grammar := v.p.GrammarOf(h.Native)
	texts, plain := m.Plain()
	if !plain || !m.Lists() {
		texts = wholeNames(h.Matcher)
	}
	for _, text := range texts {
		p := part{own: v, hook: h, whole: m, text: text, name: unanchored(text),
			listed: m.Lists() || unanchored(text) != text}
		if p.names = []string{p.name}; !plain {
			p.names = matcher.Examples(p.name, "x")
		}
		var err error
		if p.one, err = matcher.Compile(grammar, text); err == nil && !p.one.All() {
			list = append(list, p)
		}
	}
	return list
}

func unanchored(text string) string { return strings.TrimSuffix(strings.TrimPrefix(text, "^"), "$") }

// A flaw is why an alternative of a matcher matches no tool, and the fix. The zero flaw means there is none.
type flaw struct {
	why, fix string
	own      string        // the agent's own names for it, separated by |
	write    string        // the replacement, if that is the whole fix
	edit     schema.Change // otherwise
	severity schema.Severity
}

// flaw checks an alternative in a text. some: other alternatives match tools of the agent.
func (p part) flaw(text []byte, some bool) flaw {
	owner, own := p.own.ownerOf(p.names)
	foreign := owner != "" && owner != p.own.p.Title
	fits := p.own.fitsOwn(p.hook.Native, p.one)
	misses := foreign && own != "" && !slices.ContainsFunc(strings.Split(own, "|"),
		func(tool string) bool { return p.whole.Match(tool) })
	whole := p.own.fitsOwn(p.hook.Native, p.one, p.whole)
	switch list := strings.Join(wholeNames(p.hook.Matcher), "|"); {
	case fits && !whole && p.own.matches(p.hook.Native, list): // the agent accepts the name only in a list
		return flaw{why: p.own.p.Title + " doesn't take " + p.name + " for a tool's name in this expression",
			fix: "write " + list, edit: matcherEdit(text, p.hook.MemberPath("matcher"), list), severity: schema.Weaker}
	case fits && !misses:
		return flaw{}
	}
	if f := p.otherForm(text); f.why != "" && !fits {
		return f
	}

	lesser := schema.Weaker
	if some && !fits { // a list may contain names of several agents
		lesser = schema.Note
	}
	known, ofServer := p.own.p.TitleChecked(), plan.NameOfMCP(p.own.d, "SERVER", "TOOL")
	near := suggest.Slip(p.name, p.own.toolNames())
	switch constant := p.own.constant(p.name); {
	case owner != "":
		f := p.otherTool()
		if f.severity = lesser; p.selects(f.own) {
			f.fix = "" // the matcher already contains the name
		}
		return f
	case p.own.servers(p.name) != nil && !p.one.Match(ofServer):
		return flaw{why: "this is how " + p.own.servers(p.name).Profile().Title + " names MCP tools, and " + known +
			" names them otherwise", fix: "write the name as " + ofServer, severity: schema.Weaker}
	case plan.TakesMCP(p.own.d, p.one, p.text):
		return flaw{}
	case constant != nil:
		return flaw{why: "no tool is called " + p.name + ", which matchers on " + constant.Native +
			" are compared with", fix: "move the hook to " + constant.Native, severity: lesser}
	case near != "" && !strings.HasPrefix(p.name, "!"):
		return flaw{why: known + " doesn't know the tool " + p.name, fix: "did you mean " + near + "?", write: near,
			severity: lesser}
	case !slices.ContainsFunc(p.names, p.own.isName):
		return flaw{why: "no tool of " + known + " can have the name " + plan.QuoteOr(p.text, ""),
			fix: p.own.matchInput(), severity: schema.Weaker}
	case slices.ContainsFunc(p.names, p.own.mayBeMCP):
		return flaw{}
	}
	return flaw{why: known + " isn't known to have a tool " + p.text, severity: schema.Note}
}

// otherForm returns the flaw of an alternative that isn't written as a name: a permission rule, an expression between
// slashes, or a server without its tool.
func (p part) otherForm(text []byte) flaw {
	if r, ok := readRule(p.text); ok && (p.own.toolOf(r.tool) != "" || p.own.toolOf(r.argument) != "") {
		fix, edit := p.own.ruleHint(text, p.hook.Native, p.hook.Group.Path, r)
		if p.text != p.hook.Matcher { // the group is for other tools too
			edit = schema.Change{}
		}
		return flaw{why: p.text + " is a permission rule, not a matcher, and matches no tool", fix: fix, edit: edit,
			severity: schema.Weaker}
	}
	if inner, ok := literalForm(p.text); ok {
		f := flaw{severity: schema.Weaker, why: "the slashes of " + p.text +
			" are a part of the name that it looks for"}
		if p.own.matches(p.hook.Native, inner) {
			f.fix, f.write = "write "+inner, inner
		}
		return f
	}

	mcp := p.own.p.MCP
	server, ok := strings.CutPrefix(p.name, mcp.Prefix)
	server, between := strings.CutSuffix(server, mcp.Between)
	isName := strings.Trim(server, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
	named := mcp.Prefix != "" && mcp.Between != "" && ok && isName
	if lacksTool := between || !strings.Contains(server, mcp.Between); named && lacksTool && p.listed {
		all := mcp.Prefix + server + mcp.Between + ".*"
		return flaw{why: "no tool is called " + p.name + ": the names of MCP tools end with the tool's own name, and " +
			"this one is compared as a whole", fix: "write " + all, write: all, severity: schema.Weaker}
	}
	return flaw{}
}

// otherTool returns the flaw of a name that belongs to a tool elsewhere: of another agent, at other events or in other
// programs.
func (p part) otherTool() flaw {
	title, known := p.own.p.Title, p.own.p.TitleChecked()
	name := *lists.Find(p.names, func(name *string) bool { return p.own.toolOf(*name) != "" })
	owner, own := p.own.ownerOf(p.names)
	f := flaw{why: known + " has no tool " + name + "; that is its name in " + owner, fix: "remove it"}
	switch t := p.own.p.Tool(name); {
	case owner != title:
	case t != nil && t.Programs != nil && !p.own.p.HasTool(t):
		f.why = "only the programs " + plan.Listed(t.Programs, "and") + " of " + known + " have the tool " + name
		own = p.own.p.ToolName(name)
	case p.own.p.Row(p.hook.Native).Spares(t.Kinds):
		f.why, own = known+" never raises "+p.hook.Native+" for "+name, ""
	default:
		f.why, own = "on "+p.hook.Native+" no tool is called "+name, p.own.spelling(p.hook.Native, name)
	}
	if own == name {
		own = ""
	}
	if f.own = own; own != "" {
		f.fix = "write " + own
	}
	if f.write = own; name != p.name { // the name is a part of an expression
		f.write = ""
	}
	return f
}

// selects reports whether the whole matcher selects each of the agent's names, which | separates.
func (p part) selects(names string) bool {
	return names != "" && !slices.ContainsFunc(strings.Split(names, "|"), func(name string) bool {
		return !p.whole.Match(name)
	})
}

// ownerOf returns the title of the agent that has a tool with one of the names, and the agent's own name for it.
func (v vocabulary) ownerOf(names []string) (owner, own string) {
	for _, name := range names {
		if owner = v.toolOf(name); owner != "" {
			return owner, v.ownTool(name)
		}
	}
	return "", ""
}

// matchInput returns the fix for a matcher that is meant for a tool's input.
func (v vocabulary) matchInput() string {
	fix := "match the tool, and check its input in the hook"
	if member := v.p.MemberName(schema.HookCondition); member != "" {
		fix += " or by \"" + member + "\""
	}
	return fix
}

// literalForm returns the text between the slashes of a JavaScript regular expression literal.
func literalForm(part string) (inner string, ok bool) {
	inner, ok = strings.CutPrefix(part, "/")
	inner, flags, closed := cutLast(inner, "/")
	return inner, ok && closed && inner != "" && strings.Trim(flags, "dgimsuvy") == ""
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// alternatives splits an expression at each | outside groups.
func alternatives(text string) (parts []string) {
	depth, start := 0, 0
	for i, r := range text {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '|':
			if depth == 0 {
				parts, start = append(parts, text[start:i]), i+1
			}
		}
	}
	return append(parts, text[start:])
}

// wholeNames returns the names that a matcher lists: its alternatives, including those in a group around all of them.
// Alternatives inside a name, as in mcp__x__(create|delete), don't count.
func wholeNames(text string) (names []string) {
	parts := alternatives(text)
	if len(parts) > 1 {
		for _, part := range parts {
			names = append(names, wholeNames(part)...)
		}
		return names
	}
	inner, opened := strings.CutPrefix(unanchored(text), "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if opened && closed && !strings.ContainsAny(inner, "()") && !strings.HasPrefix(inner, "?!") {
		return wholeNames(strings.TrimPrefix(inner, "?:"))
	}
	return []string{text}
}

// respelt replaces names in a matcher by the agent's own names of tools, if it is a list in another grammar or has
// names in another case. The result is "" for other matchers, and if no name is known.
func (v vocabulary) respelt(h *schema.Hook) string {
	names := strings.FieldsFunc(h.Matcher, func(r rune) bool { return r == '|' || r == ',' || r == ' ' })
	list, known := strings.ContainsAny(h.Matcher, ", "), false
	var own []string
	for _, name := range names {
		spelling := v.spelling(h.Native, name)
		if spelling == "" && list {
			spelling = v.ownTool(name)
		}
		known = known || spelling != ""
		if spelling == "" && (!list || strings.ContainsAny(name, `.*+?()[]{}^$\`)) {
			return ""
		}
		own = lists.With(own, cmp.Or(spelling, name))
	}
	if !known {
		return ""
	}
	return strings.Join(own, "|")
}
