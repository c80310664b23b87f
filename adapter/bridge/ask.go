package bridge

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/internal/toolpath"
	"github.com/hookbridge/hookbridge/schema"
)

// done is what the hooks of a call did.
type done struct {
	call      *schema.Call // as the hooks saw it, with facts that the host leaves out
	runs      []HookRun
	exhausted bool        // the system had no resources left to start a hook
	broken    bool        // a module of callbacks could not be used
	copied    bool        // hooks got a copy of a transcript
	blind     bool        // hooks didn't see all that a part of the call affects
	printed   []byte      // what callbacks printed
	joined    schema.Args // input of the whole call with the parts that hooks rewrote; nil: none
}

func (d *done) add(more *done) {
	d.runs, d.printed = append(d.runs, more.runs...), append(d.printed, more.printed...)
	d.exhausted, d.broken, d.copied = d.exhausted || more.exhausted, d.broken || more.broken, d.copied || more.copied
	d.blind = d.blind || more.blind
}

// askOne runs the hooks that apply to the call as they see it, gate hooks last, and merges their answers.
func askOne(r *run, c *schema.Call, hooks []schema.Hook) (schema.Reply, done) {
	c = withFacts(r, c, hooks)
	if why := checkPinned(r, c, hooks); why != "" && c.Event == schema.PreTool {
		for i := range hooks {
			r.log.skip(&hooks[i], SkipEnded, why)
		}
		return denial(why), done{call: c}
	}
	picked, c := selectHooks(r, c, hooks)
	picked = skipRun(r, c, picked)
	c, copied := withCopies(r, c, picked)
	did, now := execute(r, c, phase(r, c, picked, false))
	did.call, did.copied = c, copied
	reply := merge(r.hooks, did.runs)
	r.opts.progress.decide(&reply)
	if now == c {
		noteReplaced(r, did.runs, &reply)
	}
	if gates, now := secondPhase(r, c, now, hooks, picked, &reply); len(gates) > 0 {
		more, _ := execute(r, now, gates)
		did.add(&more)
		reply = mergeGates(r.hooks, reply, more.runs)
		r.opts.progress.decide(&reply)
	}
	return reply, did
}

// isGate reports whether a view belongs to an event that its agent sends after the generic one for the same call.
// Before a tool runs, hooks of such an event get the input as the others have rewritten it, and don't run for a denied
// call.
func isGate(r *run, c *schema.Call, v schema.View) bool {
	row := r.rules.Row(v.Event)
	return row != nil && row.Follows() && c.Event == schema.PreTool
}

// phase returns the hooks of gate events, or the others, which run first.
func phase(r *run, c *schema.Call, picked []pick, gates bool) []pick {
	return slices.DeleteFunc(slices.Clone(picked), func(p pick) bool { return isGate(r, c, p.view) != gates })
}

// secondPhase returns the gate hooks to run after the generic ones, and the call as rewritten by those, now. It selects
// the gate hooks again for a rewritten call. An allowed call needs no confirmation (observed Copilot 1.0.102).
func secondPhase(r *run, c, now *schema.Call, hooks []schema.Hook, picked []pick, reply *schema.Reply) ([]pick,
	*schema.Call) {
	gates := phase(r, c, picked, true)
	if reply.Input != nil && r.opts.Own == nil { // otherwise the host raises its gate event
		now = rewritten(r, now, reply)
		all := r.hooks.Views(now)
		gates = nil
		views := slices.DeleteFunc(slices.Clone(all), func(v schema.View) bool { return !isGate(r, c, v) })
		if len(views) > 0 {
			gates = pickFrom(r, now, ofEvent(r, now, hooks, all), views)
		}
	}
	return slices.DeleteFunc(gates, func(p pick) bool {
		switch {
		case reply.Verdict == schema.Deny:
			r.log.skip(&p.hook, SkipRefused, "an earlier hook denied the call")
		case reply.Verdict == schema.Allow && r.rules.Row(p.view.Event).Gate == nil:
			r.log.skip(&p.hook, SkipAllowed, "an earlier hook allowed the call")
		default:
			return false
		}
		return true
	}), now
}

// ask runs the hooks for the call, or for each of the calls that it amounts to, and merges their answers. A hook that
// got one reading doesn't get the next, unless that is one more action of the call: every part can be denied.
func ask(r *run, c *schema.Call, hooks []schema.Hook) (schema.Reply, done) {
	if !r.foreignHooks() {
		return askOne(r, c, hooks)
	}

	s := r.host.Abilities().Splits
	readings, split, hidden := alternatives(r, r.host.Abilities(), c)
	if len(readings) == 0 || len(readings) == 1 && len(readings[0]) == 1 && readings[0][0] == c {
		reply, did := askOne(r, c, hooks)
		did.blind = hidden
		return reply, did
	}

	var replies []schema.Reply
	did := done{call: c, blind: hidden}
	limited, stop := limitedTo(r, c, hooks)
	defer stop()
	var asked []HookRun
	for i, parts := range readings {
		if i >= split { // the host's dialect can join only parts of its own
			s = nil
		}
		first := len(did.runs)
		hooks := hooks
		if !isFurtherAct(parts) || !isDecision(c) {
			hooks = notAsked(hooks, asked)
		}
		as := limited
		if deleted := parts[0].Tool.Kind() == schema.Delete; deleted && c.Tool.Kind() == schema.Shell {
			seen := *limited
			seen.seen, as = schema.Shell, &seen
		}
		for _, part := range parts {
			whole := part == c
			if !whole {
				var lacks lack
				part, lacks = shownPart(r, part)
				lacks.report(r.log)
				did.blind = did.blind || lacks.blinds()
			}
			reply, one := askOne(as, part, hooks)
			if whole {
				did.call = one.call
			} else if reply.Input != nil {
				reply, did.joined = joinPart(r, s, &did, one.call, reply)
			}
			did.add(&one)
			same := fmt.Sprint(reply) // the same reply for several parts is used once
			if !slices.ContainsFunc(replies, func(r schema.Reply) bool { return fmt.Sprint(r) == same }) {
				replies = append(replies, reply)
			}
		}
		asked = append(asked, did.runs[first:]...)
	}

	if limited.ctx.Err() != nil && r.ctx.Err() == nil {
		const late = "hooks for all parts of this call took longer than the host waits, so the call is denied"
		r.log.noteAs(schema.Note, schema.CodeTimedOut, "the "+late)
		replies = append(replies, denial("The "+late+"."))
	}

	return r.hooks.Merge(replies), did
}

// shownPart returns a part of a call as hooks see it. The host's table describes a part of a known kind; any other part
// is recognized like a call.
func shownPart(r *run, part *schema.Call) (_ *schema.Call, lacks lack) {
	if part.Tool.Kind() == schema.Other {
		part, lacks = recognized(part, r.hostRules)
	}
	return wholePaths(inputAsText(part), r.host, r.hooks, r.places.Home), lacks
}

// shownPath returns the file of a part of a call, as hooks see it.
func shownPath(r *run, part *schema.Call) string {
	part, _ = shownPart(r, part)
	return targetPath(part)
}

// isFurtherAct reports whether a reading lists what the call does, such as the files that a command prints. Other
// readings are alternative names of one tool, and a hook needs only one of them.
func isFurtherAct(parts []*schema.Call) bool {
	return !slices.ContainsFunc(parts, func(c *schema.Call) bool {
		return c.Tool.Kind() == schema.MCP || c.Tool.Kind() == schema.Other
	})
}

// isDecision reports whether the call's event comes before the tool runs. After that, running a hook twice costs time
// and gains nothing.
func isDecision(c *schema.Call) bool {
	return c.Event == schema.PreTool || c.Event == schema.PermissionRequest
}

// notAsked leaves out the hooks that have run.
func notAsked(hooks []schema.Hook, asked []HookRun) []schema.Hook {
	return slices.DeleteFunc(slices.Clone(hooks), func(h schema.Hook) bool {
		return slices.ContainsFunc(asked, func(run HookRun) bool {
			return h.Source == run.Hook.Source && h.Path == run.Hook.Path
		})
	})
}

// limitedTo returns a run with a time limit for a call whose parts go to the hooks one by one, each with a hook's full
// timeout. Before the call, all parts share the time that the host waits for an entry written by install or convert: a
// host that gets no answer would let the call proceed.
func limitedTo(r *run, c *schema.Call, hooks []schema.Hook) (limited *run, stop func()) {
	if c.Event != schema.PreTool {
		return r, func() {}
	}
	w := waitFor(r, c, hooks)
	limit := w.Entry() - plan.Margin/2
	if r.opts.Single != nil {
		limit = w.Total() + plan.SingleMargin/2
	}
	own := *r
	own.ctx, stop = context.WithTimeout(r.ctx, limit)
	return &own, stop
}

// alternatives lists the calls that the call amounts to (see dialect.Splitter), nil if it is one. The first split
// readings have files that the call names, the rest what else it does. hidden: it replaces lines that hooks aren't
// shown.
func alternatives(r *run, host dialect.Abilities, c *schema.Call) (readings [][]*schema.Call, split int, hidden bool) {
	switch {
	case host.FileSplits != nil:
		files := filesOf(r, c)
		readings = host.FileSplits.SplitFiles(c, files)
		hidden = files.hidden
	case host.Splits != nil:
		readings = host.Splits.Split(c)
	}

	for i, parts := range readings {
		for _, p := range parts {
			readings[i] = append(readings[i], matched(r, p)...)
		}
	}

	if len(readings) == 0 {
		files := append(furtherFiles(r, misnamed(r, c), []*schema.Call{c}), matched(r, c)...)
		if len(files) > 0 {
			readings = [][]*schema.Call{append(files, c)}
		}
	} else {
		readings[0] = append(readings[0], furtherFiles(r, misnamed(r, c), readings[0])...)
	}

	split = len(readings)
	for _, more := range [][]*schema.Call{deletions(r, c), listed(r, c)} {
		switch {
		case len(more) == 0:
			continue
		case readings == nil:
			readings = [][]*schema.Call{{c}}
		}
		readings = append(readings, more)
	}
	return readings, split, hidden
}

// misnamed returns a call for each file that the host's tool may read instead of a path that doesn't exist as written.
func misnamed(r *run, c *schema.Call) (parts []*schema.Call) {
	row := r.hostRules.Tool(c.Tool.Name)
	if row == nil || !row.Path.Searched() {
		return nil
	}
	given, _ := ordjson.Members(c.Get(schema.FieldToolInput), 0)
	name := schema.DecodeArgs(given, row.Input).Text(schema.RolePath)
	for _, file := range toolpath.Readings(name, row.Path, c.Cwd, r.places.Home, rootsOf(c)) {
		parts = append(parts, withPath(c, file))
	}
	return parts
}

func rootsOf(c *schema.Call) []string { return append(slices.Clone(c.Roots), c.Project) }

// callFiles reads the files that a call names (see dialect.CallFiles).
type callFiles struct {
	r      *run
	c      *schema.Call
	rules  schema.PathRules
	hidden bool // the text that the call replaces is unknown
}

func filesOf(r *run, c *schema.Call) *callFiles {
	f := &callFiles{r: r, c: c}
	if row := r.hostRules.Tool(c.Tool.Name); row != nil {
		f.rules = row.Path
	}
	return f
}

func (f *callFiles) Named(path string) []string {
	return toolpath.Named(path, f.rules, f.c.Cwd, f.r.places.Home, rootsOf(f.c))
}

func (f *callFiles) Text(file string) (string, bool) {
	switch {
	case f.c.Event == schema.PostTool:
		f.r.log.noteAs(schema.Loss, schema.CodeOddInput, "hooks aren't shown the lines that this call has replaced in "+
			file+": "+f.r.hostRules.Title+" names the lines, and their text is gone")
		fallthrough
	case !isDecision(f.c):
		return "", false
	}
	text, ok := f.r.files.text(withPath(f.c, file))
	if f.hidden = f.hidden || !ok; !ok {
		f.r.log.noteAs(schema.Weaker, schema.CodeOddInput, "hooks aren't shown the lines that this call replaces in "+
			file+", which can't be read; if it isn't there, "+f.r.hostRules.Title+" may mean another file of that name")
	}
	return text, ok
}

// furtherFiles returns the calls whose files aren't in any of the parts.
func furtherFiles(r *run, calls, parts []*schema.Call) []*schema.Call {
	return slices.DeleteFunc(calls, func(c *schema.Call) bool {
		return slices.ContainsFunc(parts, func(p *schema.Call) bool {
			return shownPath(r, p) == shownPath(r, c)
		})
	})
}

// matched returns a call for each file that matches the path, if the host's tool takes wildcards; at most maxPattern
// calls.
func matched(r *run, c *schema.Call) (parts []*schema.Call) {
	row := r.hostRules.Tool(c.Tool.Name)
	if row == nil || !row.Path.Pattern {
		return nil
	}
	for _, file := range toolpath.Matching(targetPath(c), maxPattern) {
		parts = append(parts, withPath(c, file))
	}
	return parts
}

func withPath(c *schema.Call, file string) *schema.Call {
	c = c.Clone()
	c.Tool.Input = c.Tool.Input.Set(schema.RolePath, "", ordjson.AppendString(nil, file))
	return c
}

// joinPart applies a rewritten part to the whole call, with the earlier parts already rewritten. If that isn't
// possible, it denies the call, because the hook didn't agree to the original.
func joinPart(r *run, s dialect.Splitter, did *done, part *schema.Call, reply schema.Reply) (schema.Reply,
	schema.Args) {
	in, changed := part.Tool.Input, false
	shown := r.hooks.Shown(fillView(r, part, reply.InputView), reply.InputView)
	for _, a := range reply.Input {
		if !sameArg(shown, a) {
			in, changed = in.With(a), true
		}
	}

	if !changed { // the hook returned its input unchanged
		reply.Input = nil
		return reply, did.joined
	}

	base := did.call
	if did.joined != nil {
		base = base.Clone()
		base.Tool.Input = did.joined
	}

	reply.Input = nil
	if s != nil {
		roles, _ := r.host.Replaces(base)
		lost := func(a schema.Arg) bool { return !roles.Has(a.Role) } // the host has no name for it
		if joined, ok := s.Join(base, part, in); ok && !slices.ContainsFunc(joined, lost) {
			return reply, joined
		}
	}

	if reply.Verdict != schema.Deny {
		r.log.note(schema.CodeInputDenied, "a hook rewrote part of this call, and "+r.hostRules.Title+
			" can't apply that, so the call is denied")
		reply.Verdict = schema.Deny
		reply.Reason = schema.JoinText(reply.Reason,
			"A hook rewrote part of this call. That can't be applied here, so the call is denied.")
	}

	return reply, did.joined
}

// deletions returns a call for each file that a shell command deletes, for hooks whose agent has a deletion tool. The
// host's model can only use a command for that.
func deletions(r *run, c *schema.Call) (parts []*schema.Call) {
	tool := r.rules.ToolOfKind(schema.Delete)
	if !deletesByCommand(r, c) || tool == nil || !r.rules.HasTool(tool) {
		return nil
	}
	for _, d := range shell.Deletions(c.Tool.Input.Text(schema.RoleCommand)) {
		for _, path := range deletedPaths(r, c, d) {
			p := c.Clone()
			p.Tool.Whole, p.Tool.Kinds = nil, []schema.Kind{schema.Delete}
			quoted := ordjson.AppendString(nil, path)
			p.Tool.Input = schema.Args{{Role: schema.RolePath, Raw: quoted}}
			if p.Event == schema.PostTool {
				p.Tool.Output = schema.Args{{Role: schema.RolePath, Raw: quoted},
					{Role: schema.RoleOK, Raw: []byte("true")}}
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// deletesByCommand reports whether the call is a shell command of a host that deletes files with commands.
func deletesByCommand(r *run, c *schema.Call) bool {
	t := &c.Tool
	if !slices.Contains(t.Kinds, schema.Shell) {
		return false
	}
	deletes := func(row schema.ToolRow) bool { return slices.Contains(row.Parts, schema.Delete) }
	rows := r.hostRules.Tools
	if i := slices.IndexFunc(rows, func(row schema.ToolRow) bool { return row.Name == t.Name }); i >= 0 {
		return deletes(rows[i])
	}
	return slices.ContainsFunc(rows, deletes)
}

// maxPattern is the largest number of files that a pattern in a command is expanded to.
const maxPattern = 100

// deletedPaths returns the paths that a word of a command names: the files that match a pattern, else the word. If the
// command names no path, the result is its folder.
func deletedPaths(r *run, c *schema.Call, d shell.Deletion) []string {
	dir := d.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.Cwd, dir)
	}
	path := d.Path.Text()
	if path == "" {
		return []string{dir}
	}
	for from, to := range map[string]string{"~": r.places.Home, "$HOME": r.places.Home, "${HOME}": r.places.Home,
		"$PWD": dir, "${PWD}": dir} {
		if rest, ok := strings.CutPrefix(path, from); ok && to != "" && (rest == "" || rest[0] == '/') {
			path = to + rest
		}
	}
	if toolpath.Relative(path) {
		path = filepath.Join(dir, path)
	}
	if d.Path.Pattern() {
		if found := matching(path); len(found) > 0 {
			return found
		}
	}
	return []string{path}
}

// matching lists the files that match a pattern, and the pattern itself if there are more than maxPattern.
func matching(pattern string) []string {
	if dir := filepath.Dir(pattern); strings.ContainsAny(dir, "*?[") {
		return []string{pattern}
	}
	found, _ := filepath.Glob(pattern)
	if len(found) > maxPattern {
		found = append(found[:maxPattern:maxPattern], pattern)
	}
	return found
}
