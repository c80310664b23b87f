// Package inspect examines hook files and how their hooks work under another
// agent: [Check] finds mistakes, [Examine] finds hooks that don't work, [Matrix] lists
// what is supported, and [Synthesize] makes payloads to try hooks with.
package inspect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/lists"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/suggest"
	"github.com/hookbridge/hookbridge/schema"
)

// Check looks for common mistakes in a configuration that d has read: text is
// what it was read from, ds what its parser found. It returns all findings, in
// the order of their places; those of the parser that name a word of another
// agent get a fix.
func Check(d dialect.Dialect, cfg *schema.Config, text []byte, ds schema.Diagnostics, p schema.Places) schema.Diagnostics {
	c := &checker{d: d, text: text, ds: append(schema.Diagnostics(nil), ds...), places: p}
	c.ds = slices.DeleteFunc(c.ds, c.keepsOthersOut)
	for i := range c.ds {
		d := &c.ds[i]
		if line, col, ok := placeOf(text, d.Path); ok { // its parser may know the place of the whole entry only
			d.Line, d.Col = line, col
		}
		c.hint(d)
	}
	if off := cfg.DisableAll; off != nil && *off && len(cfg.Hooks) > 0 {
		c.add(schema.CodeDisabled, schema.Note, &schema.Hook{Source: cfg.Source, Path: cfg.Switch}, cfg.Switch, "a setting switches off the hooks of this file", "")
	}
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		c.matcher(h)
		if why, fix, severity := d.Profile().HTTP.Refused(h, h.Event); why != "" {
			c.add(schema.CodeVoidHook, severity, h, h.MemberPath("url"), d.Profile().Title+" "+why, fix)
		}
		if problem, fix := c.command(h); problem != "" {
			path := h.MemberPath("command")
			if _, _, ok := placeOf(text, path); !ok { // it has the command in another member
				path = h.Path
			}
			c.add(schema.CodeNotStarted, schema.Weaker, h, path, problem, fix)
		}
	}
	slices.SortStableFunc(c.ds, func(a, b schema.Diagnostic) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
	})
	return c.ds
}

type checker struct {
	d      dialect.Dialect
	text   []byte
	ds     schema.Diagnostics
	places schema.Places
}

func (c *checker) add(code schema.Code, s schema.Severity, h *schema.Hook, path, msg, fix string) {
	if slices.ContainsFunc(c.ds, func(d schema.Diagnostic) bool {
		return d.Code == code && d.File == h.Source.File && (d.Path == path || d.Path == h.Path)
	}) {
		return // the parser knows it better
	}
	d := c.ds.AddSeverity(code, s, "", msg)
	d.OfHook(h)
	d.Path, d.Fix = path, fix
	if line, col, ok := placeOf(c.text, path); ok {
		d.Line, d.Col = line, col
	}
}

// keepsOthersOut reports whether a finding is about the member that makes another
// agent skip the file, which install writes.
func (c *checker) keepsOthersOut(found schema.Diagnostic) bool {
	m := pointed(c.text, found.Path)
	return found.Code == schema.CodeUnknownMember && m != nil && slices.ContainsFunc(adapter.Dialects(), func(d dialect.Dialect) bool {
		void := d.Profile().VoidMember
		return void.Name != "" && m.Name == void.Name && string(m.Value) == void.Value
	})
}

// hint says what an unknown word was probably meant to be.
func (c *checker) hint(d *schema.Diagnostic) {
	if d.Fix != "" {
		return
	}
	parent, name := "", ""
	if i := strings.LastIndexByte(d.Path, '/'); i >= 0 {
		parent, name = d.Path[:i], strings.NewReplacer("~1", "/", "~0", "~").Replace(d.Path[i+1:])
	}
	switch {
	case strings.HasSuffix(parent, "/hooks") && c.d.Profile().Row(name) == nil && (d.Code == schema.CodeSkippedEvent || d.Code == schema.CodeVoidFile):
		d.Fix = c.eventHint(name)
	case d.Code == schema.CodeUnknownMember && name != "":
		d.Fix = c.memberHint(name)
	case name == "type":
		d.Fix = c.handlerHint(d.Path)
	case d.Code == schema.CodeDeadMatcher:
		if tool, _, ok := strings.Cut(c.textAt(d.Path), "("); ok && c.ownTool(tool) != "" {
			d.Fix = "this is a permission rule, not a matcher: " + c.ruleHint(tool, c.textAt(d.Path))
		}
	}
}

// ruleHint says how a hook is bound to what a permission rule names.
func (c *checker) ruleHint(tool, rule string) string {
	if member := c.d.Profile().MemberName(schema.HookCondition); member != "" {
		return `write "matcher": "` + c.ownTool(tool) + `" and "` + member + `": "` + rule + `" in the handler`
	}
	return "match " + c.ownTool(tool) + ", and check the argument in the hook"
}

func (c *checker) textAt(pointer string) string {
	if m := pointed(c.text, pointer); m != nil {
		s, _ := ordjson.String(m.Value)
		return s
	}
	return ""
}

func (c *checker) handlerHint(pointer string) string {
	var kinds []string
	for h := schema.HandlerCommand; h <= schema.HandlerMCPTool; h++ {
		kinds = append(kinds, strings.ReplaceAll(h.String(), "-", "_"))
	}
	if near := suggest.Nearest(c.textAt(pointer), kinds); near != "" && near != c.textAt(pointer) {
		return "did you mean " + near + "?"
	}
	return ""
}

// eventHint finds the event that a name was meant to be: another agent's, or one
// that is written nearly so.
func (c *checker) eventHint(name string) string {
	if newest, err := adapter.Find(c.d.Profile().Name); err == nil && newest.Profile().Row(name) != nil {
		return "another version or program of the agent has it"
	}
	for _, d := range adapter.Dialects() {
		row := d.Profile().Row(name)
		if row == nil || d.Profile().Name == c.d.Profile().Name {
			continue
		}
		own := c.eventFor(row)
		if own == "" {
			return "this is " + d.Profile().Title + "'s event; " + c.d.Profile().Title + " has no such event"
		}
		return "this is " + d.Profile().Title + "'s event; " + c.d.Profile().Title + "'s is " + own
	}
	if own := c.d.Profile().Generic(schema.ParseEvent(name)); own != "" {
		return "write " + own
	}
	names := lists.Map(c.d.Profile().Events, func(row schema.EventRow) string { return row.Native })
	if near := suggest.Nearest(name, names); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// eventFor is the agent's own event for an event of another agent, "" if there is none.
func (c *checker) eventFor(foreign *schema.EventRow) string {
	for _, row := range c.d.Profile().Events {
		if row.Gate && foreign.Gate && row.Event == foreign.Event && schema.KindsMeet(*foreign, row) {
			return row.Native
		}
	}
	own := c.d.Profile().Generic(foreign.Event)
	if own == "" || len(foreign.Kinds) == 0 {
		return own
	}
	if t := lists.Find(c.d.Profile().Tools, func(t *schema.ToolRow) bool { return len(t.Kinds) > 0 && t.Kinds[0] == foreign.Kinds[0] }); t != nil {
		return own + ` with "matcher": "` + t.Name + `"`
	}
	return own
}

func (c *checker) memberHint(name string) string {
	if name == "type" {
		return ""
	}
	var own []string
	hint := ""
	allHookFeatures.Each(func(f schema.Feature) {
		mine := c.d.Profile().MemberName(f)
		if mine != "" {
			own = append(own, mine)
		}
		for _, d := range adapter.Dialects() {
			if hint != "" || d.Profile().Name == c.d.Profile().Name || d.Profile().MemberName(f) != name || mine == name {
				continue
			}
			if hint = "this is a member of " + d.Profile().Title + "'s hooks; " + c.d.Profile().Title + " has none like it"; mine != "" {
				hint = "this is " + d.Profile().Title + "'s name for it; " + c.d.Profile().Title + "'s is " + mine
			}
		}
	})
	if hint != "" || slices.Contains(own, name) {
		return hint
	}
	if near := suggest.Nearest(name, append(own, "command", "matcher", "type", "hooks")); near != "" && near != name {
		return "did you mean " + near + "?"
	}
	return ""
}

// allHookFeatures are the features that a hook's members say.
const allHookFeatures = schema.HookMatcher | schema.HookCondition | schema.HookTimeout | schema.HookFailPolicy | schema.HookLoopLimit |
	schema.HookAsync | schema.HookRewake | schema.HookOnce | schema.HookStatus | schema.HookShell | schema.HookArgs | schema.HookEnv |
	schema.HookHTTP | schema.HookPrompt | schema.HookAgent | schema.HookMCPTool | schema.HookModel | schema.HookSequential

// matcher looks for a matcher that fits nothing that its agent has.
func (c *checker) matcher(h *schema.Hook) {
	row := c.d.Profile().Row(h.Native)
	if row == nil || h.Matcher == "" || h.Matcher == "*" {
		return
	}
	path, grammar := h.MemberPath("matcher"), c.d.Profile().GrammarOf(h.Native)
	m, err := matcher.Compile(grammar, h.Matcher)
	if err != nil {
		if grammar == schema.GrammarRegexpOrEqual && row.Match == schema.MatchTool {
			c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, err.Error(), "")
		}
		return // a matcher that isn't even text to compare is reported by the parser
	}
	switch row.Match {
	case schema.MatchConst:
		if !m.Match(row.MatchConst) {
			c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "on "+row.Native+" matchers are compared with "+row.MatchConst+", not with the subject of the event", "remove the matcher, and check the payload in the hook")
		}
	case schema.MatchField:
		if len(row.Kinds) > 0 && c.toolOf(h.Matcher) != "" {
			c.add(schema.CodeOddMatcher, schema.Weaker, h, path, "on "+row.Native+" matchers are compared with the tool's input, not with its name", "remove the matcher")
		}
	case schema.MatchTool:
		if !row.Gate {
			c.toolMatcher(h, m, path)
		}
	}
}

// toolMatcher looks at the names that a matcher lists one by one.
func (c *checker) toolMatcher(h *schema.Hook, m *matcher.Matcher, path string) {
	if tool, rest, ok := strings.Cut(h.Matcher, "("); ok && strings.HasSuffix(rest, ")") && c.toolOf(tool) != "" && !c.fitsOwn(h.Native, m) {
		c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "this is a permission rule, not a matcher, and matches no tool", c.ruleHint(tool, h.Matcher))
		return
	}
	for _, d := range adapter.Dialects() {
		if s := d.Profile().ServerIn(h.Matcher); s != "" && c.d.Profile().ServerIn(h.Matcher) == "" {
			c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "this is how "+d.Profile().Title+" names MCP tools; "+c.d.Profile().Title+"'s names don't contain the server", "match the tool's own name")
			return
		}
	}
	fits := c.fitsOwn(h.Native, m)
	if !fits && c.misspelt(h, path) {
		return
	}
	sev := schema.Weaker
	if fits { // the others still match
		sev = schema.Note
	}
	title, mcp := c.d.Profile().Title, c.d.Profile().MCP
	if names, plain := m.Plain(); plain && mcp.Prefix != "" && mcp.Between != "" {
		for _, name := range names {
			if server, ok := strings.CutPrefix(name, mcp.Prefix); ok && !strings.Contains(server, mcp.Between) {
				c.add(schema.CodeDeadMatcher, sev, h, path, "no tool is called "+name+": the names of MCP tools begin with the server's, and this one is compared as a whole", "write "+name+mcp.Between+".*")
			}
		}
	}
	for _, name := range strings.Split(strings.Trim(h.Matcher, "^$()"), "|") {
		name = strings.TrimSpace(name)
		owner := c.toolOf(name)
		if owner == "" || c.matches(h.Native, name) {
			continue
		}
		what, fix := title+" has no tool "+name+"; that is its name in "+owner, "remove it"
		own := c.ownTool(name)
		if owner == title {
			what, own = "on "+h.Native+" no tool is called "+name, c.spelling(h.Native, name)
		}
		if own != "" {
			fix = "write " + own
		}
		c.add(schema.CodeDeadMatcher, sev, h, path, what, fix)
	}
}

// misspelt looks at a matcher that fits none of the known tools: it may be a list
// of another grammar, or tools' names in other letters.
func (c *checker) misspelt(h *schema.Hook, path string) bool {
	names := strings.FieldsFunc(h.Matcher, func(r rune) bool { return r == '|' || r == ',' || r == ' ' })
	list, known := strings.ContainsAny(h.Matcher, ", "), false
	var own []string
	for _, name := range names {
		spelling := c.spelling(h.Native, name)
		if spelling == "" && list {
			spelling = c.ownTool(name)
		}
		known = known || spelling != ""
		if spelling == "" && (!list || strings.ContainsAny(name, `.*+?()[]{}^$\`)) {
			return false
		}
		if spelling = cmp.Or(spelling, name); !slices.Contains(own, spelling) {
			own = append(own, spelling)
		}
	}
	if !known {
		return false
	}
	c.add(schema.CodeDeadMatcher, schema.Weaker, h, path, "this matcher matches no tool", "write "+strings.Join(own, "|"))
	return true
}

// spelling is how matchers of an event spell the agent's own tool that a name in
// whatever letters means, "" if there is none.
func (c *checker) spelling(native, name string) string {
	for _, t := range c.d.Profile().Tools {
		called := append([]string{t.Name}, t.Aliases...)
		if i := slices.IndexFunc(called, func(s string) bool { return strings.EqualFold(s, name) }); i >= 0 {
			for _, s := range append([]string{called[i]}, called...) {
				if c.matches(native, s) {
					return s
				}
			}
		}
	}
	return ""
}

// matches reports whether a name alone matches a tool of the agent at an event.
func (c *checker) matches(native, name string) bool {
	m, err := matcher.Compile(c.d.Profile().GrammarOf(native), name)
	return err == nil && c.fitsOwn(native, m)
}

// toolOf names the dialect that has a tool of that name, this one first.
func (c *checker) toolOf(name string) string {
	for _, d := range append([]dialect.Dialect{c.d}, adapter.Dialects()...) {
		if d.Profile().Tool(name) != nil || slices.Contains(d.Profile().PlainTools, name) {
			return d.Profile().Title
		}
	}
	return ""
}

// ownTool is the own name of what another agent calls by that name, "" if none.
func (c *checker) ownTool(name string) string {
	if c.toolOf(name) == c.d.Profile().Title {
		return name
	}
	t, _ := toolCalled(c.d, name)
	kind, p := t.Kind(), c.d.Profile()
	call := &schema.Call{Event: schema.PreTool, Tool: schema.Tool{Name: name, Kinds: []schema.Kind{kind}}}
	shown := lists.Find(c.d.Views(call), func(v *schema.View) bool { return v.Tool != "" && kind != schema.Other })
	own := p.ToolOfKind(kind)
	switch {
	case own == nil && (shown == nil || p.Tool(shown.Tool) == nil):
		return ""
	case own == nil:
		return shown.Tool
	case shown != nil && shown.Tool != own.Name && p.Tool(shown.Tool) != nil && !slices.Contains(p.Tool(shown.Tool).Kinds, kind): // such as what commands do
		return shown.Tool + "|" + own.Name
	}
	return own.Name
}

// fitsOwn reports whether a matcher fits a tool of the agent at an event.
func (c *checker) fitsOwn(native string, m *matcher.Matcher) bool {
	p := c.d.Profile()
	plain := func(name string) bool { return m.Match(name) }
	return slices.ContainsFunc(p.PlainTools, plain) || slices.ContainsFunc(p.Tools, func(t schema.ToolRow) bool {
		kinds := t.Kinds
		if len(kinds) == 0 {
			kinds = []schema.Kind{schema.Other}
		}
		call := &schema.Call{Dialect: p.Name, Event: p.Row(native).Event, Native: native, Tool: schema.Tool{Name: t.Name, Kinds: kinds}}
		return slices.ContainsFunc(c.d.Views(call), func(v schema.View) bool { return v.Event == native && m.Match(v.Target...) })
	})
}

// command finds what keeps a hook's command from being started.
func (c *checker) command(h *schema.Hook) (problem, fix string) {
	same := func(d schema.Diagnostic) bool {
		return d.Code == schema.CodePluginRoot && d.Path == h.Path && d.File == h.Source.File
	}
	_, wrapped := cmdline.Unwrap(h.Command)
	if h.Handler != schema.HandlerCommand || wrapped || cmdline.FindsHooks(h.Command) || slices.ContainsFunc(c.ds, same) {
		return "", ""
	}
	return commandProblem(c.d, h, c.places)
}
