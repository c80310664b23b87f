package bridge

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/discover"
	"github.com/hookbridge/hookbridge/internal/matcher"
	"github.com/hookbridge/hookbridge/schema"
)

// A pick is a hook with the view that it gets.
type pick struct {
	hook schema.Hook
	view schema.View
}

// selectHooks returns the hooks that their own agent would run for the call, each with the first view that its matcher
// and condition accept, without duplicates. It also returns the call with what it found out about it.
func selectHooks(r *run, c *schema.Call, hooks []schema.Hook) ([]pick, *schema.Call) {
	views := viewsOf(r, c)
	if hooks = ofEvent(r, c, hooks, views); len(hooks) == 0 {
		return nil, c
	}
	before := c
	if c = resolveWrite(r, withServer(r, c, hooks)); c != before {
		views = viewsOf(r, c)
	}
	preferKinds(r, c, views)
	if r.log.trace != nil { // by now the server is named
		r.log.trace.Views = views
	}
	return pickFrom(r, c, hooks, views), c
}

// preferKinds puts the views of a command or an address first if the hooks' agent has no tool of the tool's name: a
// hook without a matcher expects names of its own agent.
func preferKinds(r *run, c *schema.Call, views []schema.View) {
	if c.Tool.Kind() != schema.Other || !r.foreignHooks() || knows(r.rules, &c.Tool) {
		return
	}
	for i := range views {
		for j := i + 1; j < len(views) && views[i].Kind == schema.Other; j++ {
			if k := views[j].Kind; views[j].Event == views[i].Event && (k == schema.Shell || k == schema.Fetch) {
				views[i], views[j] = views[j], views[i]
			}
		}
	}
}

// knows reports whether the agent has a tool of the tool's name, or of its name in the host's matchers.
func knows(p *dialect.Profile, t *schema.Tool) bool {
	return slices.ContainsFunc(append([]string{t.Name}, t.Aliases...), func(name string) bool {
		return p.Tool(name) != nil || slices.Contains(p.PlainTools, name)
	})
}

// pickFrom selects hooks for the given views.
func pickFrom(r *run, c *schema.Call, hooks []schema.Hook, views []schema.View) []pick {
	var picked []pick
	var keys, elsewhere []string
	known := scopesWithEntry{}
next:
	for i := range hooks {
		p, ok := pickFor(r, c, &hooks[i], views)
		if !ok {
			continue
		}

		h := &p.hook
		if loopedOut(r, c, h) {
			r.log.skip(h, SkipLimit, "it has blocked as often as its limit allows")
			continue
		}

		if runsOnce(h) && r.mem.Ran(h).IsSet() {
			r.log.skip(h, SkipLimit, "it runs once in a session, and has run")
			continue
		}

		key := p.view.Event + "\x00" + r.rules.KeyOf(h) + "\x00" + rootOfHook(r, c, h)
		if why := otherEntry(r, c, h, known); why != "" {
			r.log.skip(h, SkipScope, why)
			// two entries must not leave a hook to each other
			if r.opts.Scope == schema.ScopeUser || why == byAdministrator {
				elsewhere = append(elsewhere, key)
			}
			continue
		}

		for j, k := range keys {
			switch {
			case k != key:
				continue
			case r.rules.LastCounts && !picked[j].hook.Alike(h):
				r.log.skip(&picked[j].hook, SkipDuplicate, "the same hook follows later")
				picked[j] = p
			default:
				r.log.skip(h, SkipDuplicate, "the same hook comes earlier")
			}
			continue next
		}

		keys = append(keys, key)
		picked = append(picked, p)
	}
	return withoutEqual(r, picked, keys, elsewhere)
}

// loopedOut reports whether a stop hook has kept the agent working as often as its own agent allows.
func loopedOut(r *run, c *schema.Call, h *schema.Hook) bool {
	n, ok := c.Int(schema.FieldLoopCount)
	limit := r.rules.LoopLimit
	if h.LoopLimit != nil {
		limit = *h.LoopLimit
	}
	if !ok || limit < 0 || n < int64(limit) || c.Event != schema.Stop && c.Event != schema.SubagentStop {
		return false
	}
	r.log.hookNote(schema.CodeIgnoredEffect, h, "skipped: the agent has reached the limit for being kept working ("+
		strconv.FormatInt(n, 10)+")")
	return true
}

// ofEvent keeps the hooks of the call's event: most calls have none, and end here.
func ofEvent(r *run, c *schema.Call, hooks []schema.Hook, views []schema.View) []schema.Hook {
	if r.log.trace != nil && r.log.trace.Views == nil {
		r.log.trace.Views = views
	}
	var out []schema.Hook
next:
	for i := range hooks {
		for _, v := range views {
			if hooks[i].Native == "" || hooks[i].Native == v.Event {
				out = append(out, hooks[i])
				continue next
			}
		}
		unfit(r, &hooks[i], views, SkipEvent)
		noteUnasked(r, c, &hooks[i])
	}
	return out
}

// pickFor returns the hook with the first view that its matcher and condition accept; ok is false if there is none. A
// hook without an event gets the view's. A trace records why there is no view.
func pickFor(r *run, c *schema.Call, h *schema.Hook, views []schema.View) (p pick, ok bool) {
	var m *matcher.Matcher
	why := SkipEvent // of the last view that was tried
	for _, v := range views {
		if h.Native != "" && h.Native != v.Event {
			continue
		}
		if m == nil && len(v.Target) > 0 { // else the matcher isn't used
			grammar := r.rules.GrammarOf(v.Event)
			grammar.Fold = grammar.Fold || v.Kind == schema.MCP && c.Tool.Written.Lower
			var err error
			if m, err = matcher.Compile(grammar, h.Matcher); err != nil {
				r.log.hookNoteOnce(schema.CodeDeadMatcher, h, err.Error())
			}
		}
		if len(v.Target) > 0 && !takes(r, c, m, v) {
			why = max(why, SkipMatcher)
			continue
		}
		if m != nil && m.TimedOut() {
			r.log.hookNote(schema.CodeSlowMatcher, h, "the matcher took too long, so it counts as a match")
		}
		if v.Needs&schema.NeedContent != 0 && c.Event == schema.PreTool && v.Kind == schema.Read {
			if !r.files.start(c).ok { // the event is raised when the file has been read
				why = SkipUnread
				continue
			}
		}
		if conditionHolds(r, c, h, v) {
			p = pick{*h, v}
			if h.Native == "" {
				p.hook.Native, p.hook.Event = v.Event, c.Event
			}
			return p, true
		}
		why = max(why, SkipCondition)
	}

	unfit(r, h, views, why)
	return p, false
}

// takes reports whether m matches a view, or may match it: the target names of a server's tool are spellings of one
// name, and the host may have cut off its end.
func takes(r *run, c *schema.Call, m *matcher.Matcher, v schema.View) bool {
	if r.patience.Match(m, v.Target...) {
		return true
	}
	if v.Kind != schema.MCP || c.Dialect == r.rules.Name {
		return false
	}
	names := r.rules.MCP
	// the end of the server's name is unknown, and here the tool's name comes first
	if names.ServerLast && r.hostRules.MCP.Loose && c.Tool.Server == "" && c.Tool.Cut != 0 {
		return m.MayTakeOf(r.rules.Grammar.Servers, names.Prefix)
	}
	for i, start := range names.Starts(v.Target, len(c.Tool.Name)-c.Tool.Cut) {
		if c.Tool.Cut != 0 && m.MayTakeOf(start, names.Prefix) || r.patience.Match(m, v.Target[i]) {
			return true
		}
	}
	return false
}

// conditionHolds reports whether the hook's condition lets it run. A condition that its agent can't read is always
// false there, or always true; under another agent it is true.
func conditionHolds(r *run, c *schema.Call, h *schema.Hook, v schema.View) bool {
	if h.Condition == "" {
		return true
	}
	conditions, rules := r.hooks.Abilities().Conditions, r.hooks.Abilities().Rules
	if conditions == nil {
		return true
	}

	decide := conditions.Holds
	if r.opts.Rules != nil && rules != nil {
		decide = rules.Denies
	}
	holds, err := decide(h, callIn(rootOfHook(r, c, h), c), v, r.places.Home)
	switch {
	case err == nil:
		return holds
	case holds || r.foreignHooks():
		r.log.hookNote(schema.CodeBadCondition, h, err.Error()+", so the hook runs for every call that its matcher "+
			"accepts")
		return true
	default:
		r.log.hookNote(schema.CodeDeadCondition, h, err.Error()+", so the hook never runs")
		return false
	}
}

// withServer finds out which MCP server a tool belongs to if the host doesn't send it: from the relay, from the host's
// configuration, or else from the servers that the hooks name, so that no hook is missed. The call stays the same if
// there is nothing to find out.
func withServer(r *run, c *schema.Call, hooks []schema.Hook) *schema.Call {
	switch {
	case c.Tool.Kind() != schema.MCP:
		return c
	case c.Tool.Server != "":
		return withForms(r, c, hooks)
	}

	c = c.Clone()
	t := &c.Tool
	if t.Server, _ = r.mem.Call(c).Server().Get(); t.Server != "" {
		return withForms(r, c, hooks)
	}

	t.Servers = slices.Clip(t.Servers)
	places := r.places
	if r.opts.RequireTrust {
		places.Project = "" // a repository could name a server differently than the hooks do
	}

	mcp := r.hostRules.MCP
	if namer := r.host.Abilities().ServerNames; namer != nil {
		namer.NameServer(c, r.host.Abilities().Servers.Servers(places, discover.NewBudget(places).Read))
		if mcp.Loose { // the tool's name begins with the server's
			namer.NameServer(c, serversOf(r, hooks))
		}
	}

	if t.Server != "" || !r.foreignHooks() { // an agent's own hooks match the tool's whole name
		t.Servers = nil
		return withForms(r, c, hooks)
	}

	known, count := map[string]bool{"": true}, map[bool]int{}
	add := func(ofProject bool, names ...string) {
		for _, s := range names {
			if !known[s] && mcp.MayOwn(t, r.rules.MCP.NameRules, s) && count[ofProject] < maxServers {
				known[s], t.Servers = true, append(t.Servers, s)
				count[ofProject]++
			}
		}
	}

	for i := range hooks {
		add(hooks[i].Source.OfProject(), r.rules.ServerIn(hooks[i].Matcher))
	}

	unknown := cmp.Or(t.Begins, "unknown")
	known[unknown], t.Servers = true, append(t.Servers, unknown)
	for i := range hooks {
		add(hooks[i].Source.OfProject(), r.rules.ServersIn(hooks[i].Matcher)...)
	}

	d := r.log.note(schema.CodeServerUnknown, r.hostRules.Title+" doesn't name the MCP server of the tool "+
		c.Str(schema.FieldToolName)+", so hooks for any server match")
	if count[true] == maxServers || count[false] == maxServers {
		d.Severity = schema.Weaker
		d.Message += " of the first " + strconv.Itoa(maxServers)
	}

	return c
}

// serversOf returns the servers that hooks name, longer names first.
func serversOf(r *run, hooks []schema.Hook) (servers []schema.Server) {
	mcp := r.hostRules.MCP
	for i := range hooks {
		if s := r.rules.ServerIn(hooks[i].Matcher); s != "" {
			for _, name := range append([]string{s}, r.rules.MCP.PlainNames(s, &mcp)...) {
				servers = append(servers, schema.Server{Name: name})
			}
		}
	}
	slices.SortStableFunc(servers, func(a, b schema.Server) int { return cmp.Compare(len(b.Name), len(a.Name)) })
	return servers
}

// maxServers limits the servers that the project's hooks, and the others, may name if the host names none: each is a
// view of the call. A repository can't use up the user's limit.
const maxServers = 1000

// resolveWrite puts edits first among the kinds of a whole-file write that changes a file. The model most likely called
// an edit tool, and a hook sees the changes. Other calls stay the same.
func resolveWrite(r *run, c *schema.Call) *schema.Call {
	if c.Tool.Kind() != schema.Write || !slices.Contains(c.Tool.Kinds, schema.Edit) || !r.foreignHooks() {
		return c
	}
	input, changes := changesFile(r, c)
	if !changes {
		return c
	}
	kinds := []schema.Kind{schema.Edit, schema.Write}
	for _, k := range c.Tool.Kinds {
		if !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	c = c.Clone()
	c.Tool.Kinds, c.Tool.Input = kinds, input
	return c
}

// changesFile reports whether a whole-file write changes an existing file, and returns the input for that case. After
// the write it uses what the host sent or the relay remembers; if neither shows a change, the write counts as a new
// file.
func changesFile(r *run, c *schema.Call) (in schema.Args, changes bool) {
	in = c.Tool.Input
	content := in.Text(schema.RoleContent)
	switch {
	case c.Event != schema.PostTool:
		return in, contentDiffers(r, c, content)
	case c.Gate: // an edit that adds lines only looks like a new file
		if now, ok := r.files.text(c); ok && !sameFile(now, content) {
			isContent := func(a schema.Arg) bool { return a.Role == schema.RoleContent }
			return slices.DeleteFunc(slices.Clone(in), isContent), true
		}
		return in, false
	}
	if old, ok := r.mem.Call(c).Original().Get(); ok {
		return in, old.Existed && !(old.Known && old.Text == content)
	}
	es, ok := r.mem.Call(c).Edits()
	return in, ok && (len(es) != 1 || es[0].Old != "" || !sameFile(es[0].New, content))
}

// contentDiffers reports whether the call's file exists and has another text.
func contentDiffers(r *run, c *schema.Call, content string) bool {
	info, err := os.Stat(targetPath(c))
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if info.Size() == int64(len(content)) {
		now, ok := r.files.text(c)
		return !ok || now != content
	}
	return true
}

// sameFile compares two texts of a file except for the last line end, which an edit may leave out.
func sameFile(a, b string) bool { return strings.TrimSuffix(a, "\n") == strings.TrimSuffix(b, "\n") }
