package bridge

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

type done struct {
	runs    []HookRun
	starved bool        // the system had no means left to start a hook with
	broken  bool        // a module of callbacks could not be used
	printed []byte      // what callbacks printed
	joined  schema.Args // input of the whole call, of which hooks rewrote parts; nil: none
}

func (d *done) add(more done) {
	d.runs, d.printed = append(d.runs, more.runs...), append(d.printed, more.printed...)
	d.starved, d.broken = d.starved || more.starved, d.broken || more.broken
}

// A question asks the hooks about one call.
type question struct {
	stage
	done
}

// askOne runs the hooks that apply to the call as it is shown to them, the gates
// among them after the others, and merges what they answer.
func (r *question) askOne(hooks []schema.Hook) schema.Reply {
	facts{r.stage}.addFacts(hooks)
	if why := (pinner{r.stage}).checkPinned(hooks); why != "" && r.call.Event == schema.PreTool {
		for i := range hooks {
			r.log.skip(&hooks[i], SkipEnded, why)
		}
		return schema.Reply{Verdict: schema.Deny, Reason: why}
	}
	picked := r.skipRun(selector{r.stage}.selectHooks(hooks))
	copier{r.stage}.copyTranscripts(picked)
	x := &executor{stage: r.stage}
	x.execute(r.phase(picked, false))
	reply := mergeRuns(r.Hooks, x.runs)
	r.replaced(x, &reply)
	if gates := r.secondPhase(hooks, picked, &reply, x); len(gates) > 0 {
		n := len(x.runs)
		x.execute(gates)
		reply = mergeGates(r.Hooks, reply, x.runs[n:])
	}
	r.add(x.done)
	return reply
}

// replaced reports the hooks whose new input gives way to that of a later one, as agents
// have it that take one input as a whole.
func (r *question) replaced(x *executor, reply *schema.Reply) {
	if x.rewritten != nil || len(reply.Input) == 0 {
		return
	}
	same := func(a, b schema.Arg) bool { return a.Role == b.Role && a.Name == b.Name && bytes.Equal(a.Raw, b.Raw) }
	for i := range x.runs {
		one := &x.runs[i]
		if !one.Async && one.Reply.Input != nil && !slices.EqualFunc(one.Reply.Input, reply.Input, same) {
			r.log.hookNote(schema.CodeIgnoredEffect, &one.Hook, "another hook rewrites the tool's input too, and the last one counts, so this hook's input is dropped")
		}
	}
}

// mergeRuns makes one reply of all that ran and was waited for.
func mergeRuns(hooks dialect.Dialect, runs []HookRun) schema.Reply {
	var replies []schema.Reply
	for i := range runs {
		if !runs[i].Async {
			replies = append(replies, runs[i].Reply)
		}
	}
	return hooks.Merge(replies)
}

// mergeGates adds the answer of the gate hooks to that of the others. A verdict that
// the gate alone has come to is explained by its own words: its agent asks there anew.
func mergeGates(hooks dialect.Dialect, first schema.Reply, runs []HookRun) schema.Reply {
	gate := mergeRuns(hooks, runs)
	if gate.Verdict > first.Verdict {
		first.Reason, first.UserReason = "", ""
	}
	return hooks.Merge([]schema.Reply{first, gate})
}

// isGate reports whether a view is of an event that its agent sends after the generic
// one for the same call. Before a tool runs, hooks of such an event see the input as
// the others have rewritten it, and don't run for a denied call.
func (r *question) isGate(v schema.View) bool {
	row := r.Hooks.Profile().Row(v.Event)
	return row != nil && row.Follows() && r.call.Event == schema.PreTool
}

// phase returns the hooks of gate events, or those of the others, which run first.
func (r *question) phase(picked []pick, gates bool) []pick {
	return slices.DeleteFunc(slices.Clone(picked), func(p pick) bool { return r.isGate(p.view) != gates })
}

// secondPhase returns the gate hooks to run after the generic ones; a rewritten
// call selects them anew. Nobody is asked about a call that is allowed (observed Copilot 1.0.102).
func (r *question) secondPhase(hooks []schema.Hook, picked []pick, reply *schema.Reply, x *executor) []pick {
	gates := r.phase(picked, true)
	if reply.Input != nil && r.Own == nil { // else the host raises its gate event by itself
		x.rewrite(reply)
		again := selector{stage{r.scene, x.rewritten}}
		all := r.Hooks.Views(x.rewritten)
		gates = nil
		if views := slices.DeleteFunc(slices.Clone(all), func(v schema.View) bool { return !r.isGate(v) }); len(views) > 0 {
			gates = again.pickFrom(again.ofEvent(hooks, all), views)
		}
	}
	return slices.DeleteFunc(gates, func(p pick) bool {
		switch {
		case reply.Verdict == schema.Deny:
			r.log.skip(&p.hook, SkipRefused, "an earlier hook denied the call")
		case reply.Verdict == schema.Allow && !r.Hooks.Profile().Row(p.view.Event).Gate:
			r.log.skip(&p.hook, SkipAllowed, "an earlier hook allowed the call")
		default:
			return false
		}
		return true
	})
}

// ask runs the hooks for the call, or for each of the calls that it amounts to, and
// merges what they answer. A hook that was shown one alternative isn't shown the
// next.
func (r *question) ask(hooks []schema.Hook) schema.Reply {
	if !r.foreignHooks() {
		return r.askOne(hooks)
	}
	s := dialect.Ability[dialect.Splitter](r.Host)
	alternatives := r.alternatives(s)
	if len(alternatives) == 0 || len(alternatives) == 1 && len(alternatives[0]) == 1 && alternatives[0][0] == r.call {
		return r.askOne(hooks)
	}
	var replies []schema.Reply
	limited, stop := r.limited(hooks)
	defer stop()
	for _, parts := range alternatives {
		first := len(r.runs)
		for _, part := range parts {
			if part != r.call {
				wholePaths(part, r.Host, r.Hooks, r.places.Home)
			}
			q := &question{stage: stage{limited, part}}
			reply := q.askOne(hooks)
			r.add(q.done)
			if part != r.call && reply.Input != nil {
				r.join(s, part, &reply)
			}
			same := fmt.Sprint(reply) // the same reply for every part is used once
			if !slices.ContainsFunc(replies, func(r schema.Reply) bool { return fmt.Sprint(r) == same }) {
				replies = append(replies, reply)
			}
		}
		for i := range r.runs[first:] {
			asked := &r.runs[first+i].Hook
			hooks = slices.DeleteFunc(slices.Clone(hooks), func(h schema.Hook) bool {
				return h.Source == asked.Source && h.Path == asked.Path
			})
		}
	}
	if limited.ctx.Err() != nil && r.ctx.Err() == nil {
		const late = "hooks for all parts of this call took longer than the host waits, so the call is denied"
		r.log.ds.AddSeverity(schema.CodeTimedOut, schema.Note, "", "the "+late).Event = r.call.Native
		replies = append(replies, schema.Reply{Verdict: schema.Deny, Reason: "The " + late + "."})
	}
	return r.Hooks.Merge(replies)
}

// limited is the scene of a call that hooks are asked about part by part, each of which
// may take all of a hook's time. Before the call they together get what the host waits
// at least, by the entries that install and convert write: it would take a bridge that
// doesn't answer for one that doesn't object.
func (r *question) limited(hooks []schema.Hook) (limited *scene, stop func()) {
	if r.call.Event != schema.PreTool {
		return r.scene, func() {}
	}
	var w plan.Wait
	for i := range hooks {
		if h := &hooks[i]; h.Event == 0 || h.Event == r.call.Event {
			w.Add(r.Hooks.Profile(), h, r.limitOf(h))
		}
	}
	limit := w.Entry() - plan.Margin/2
	if r.Single != nil {
		limit = w.Total() + plan.SingleMargin/2
	}
	own := *r.scene
	own.ctx, stop = context.WithTimeout(r.ctx, limit)
	return &own, stop
}

// alternatives lists the calls that the call amounts to: see dialect.Splitter.
func (r *question) alternatives(s dialect.Splitter) (alternatives [][]*schema.Call) {
	if s != nil {
		alternatives = s.Split(r.call)
	}
	selector{r.stage}.settleUnknown()
	deleted := r.deletions()
	if len(deleted) == 0 {
		return alternatives
	}
	if alternatives == nil {
		alternatives = [][]*schema.Call{{r.call}}
	}
	return append(alternatives, deleted)
}

// join applies a rewritten part to the whole call. If that isn't possible, the call is
// denied: the hook didn't agree to the original.
func (r *question) join(s dialect.Splitter, part *schema.Call, reply *schema.Reply) {
	in := part.Tool.Input
	shown := r.Hooks.Shown(viewer{stage{r.scene, part}}.fill(reply.InputView), reply.InputView)
	for _, a := range reply.Input {
		if !sameArg(shown, a) {
			in = replaceArg(in, a)
		}
	}
	base := r.call
	if r.joined != nil {
		base = r.call.Clone()
		base.Tool.Input = r.joined
	}
	var joined schema.Args
	ok := false
	if s != nil {
		joined, ok = s.Join(base, part, in)
	}
	reply.Input = nil
	switch {
	case ok:
		r.joined = joined
	case reply.Verdict != schema.Deny:
		r.log.note(schema.CodeInputDenied, "a hook rewrote part of this call, and "+r.Host.Profile().Title+" can't apply that, so the call is denied")
		reply.Verdict = schema.Deny
		reply.Reason = schema.JoinText(reply.Reason, "A hook rewrote part of this call. That can't be applied here, so the call is denied.")
	}
}

// deletions are what a shell command deletes, each as a call of its own, for hooks
// whose agent has a tool for that where the host's model can only use a command.
func (r *question) deletions() (parts []*schema.Call) {
	if !r.deletesByCommand() || r.Hooks.Profile().ToolOfKind(schema.Delete) == nil {
		return nil
	}
	for _, d := range shell.Deletions(r.call.Tool.Input.Text(schema.RoleCommand)) {
		for _, path := range r.deletedPaths(d) {
			p := r.call.Clone()
			p.Tool.Whole, p.Tool.Kinds = nil, []schema.Kind{schema.Delete}
			quoted := ordjson.AppendString(nil, path)
			p.Tool.Input = schema.Args{{Role: schema.RolePath, Raw: quoted}}
			if p.Event == schema.PostTool {
				p.Tool.Output = schema.Args{{Role: schema.RolePath, Raw: quoted}, {Role: schema.RoleOK, Raw: []byte("true")}}
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// deletesByCommand reports whether the call is a shell command of a host in which
// files are deleted by such.
func (r *question) deletesByCommand() bool {
	t := &r.call.Tool
	if !slices.Contains(t.Kinds, schema.Shell) {
		return false
	}
	deletes := func(row schema.ToolRow) bool { return slices.Contains(row.Parts, schema.Delete) }
	rows := r.Host.Profile().Tools
	if i := slices.IndexFunc(rows, func(row schema.ToolRow) bool { return row.Name == t.Name }); i >= 0 {
		return deletes(rows[i])
	}
	return slices.ContainsFunc(rows, deletes)
}

// maxPattern is the most files that a pattern in a command is expanded to.
const maxPattern = 100

// deletedPaths are the paths that a word of a command names: files that a
// pattern fits, else the word. What the command doesn't name is in its folder.
func (r *question) deletedPaths(d shell.Deletion) []string {
	dir := d.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.call.Cwd, dir)
	}
	path := d.Path.Text()
	if path == "" {
		return []string{dir}
	}
	for from, to := range map[string]string{"~": r.places.Home, "$HOME": r.places.Home, "${HOME}": r.places.Home, "$PWD": dir, "${PWD}": dir} {
		if rest, ok := strings.CutPrefix(path, from); ok && to != "" && (rest == "" || rest[0] == '/') {
			path = to + rest
		}
	}
	if isRelative(path) {
		path = filepath.Join(dir, path)
	}
	if d.Path.Pattern() {
		if found := matching(path); len(found) > 0 {
			return found
		}
	}
	return []string{path}
}

// matching lists what a pattern fits, and the pattern too where that is more than
// is looked at.
func matching(pattern string) (found []string) {
	if dir := filepath.Dir(pattern); strings.ContainsAny(dir, "*?[") {
		return []string{pattern}
	}
	entries, err := os.ReadDir(filepath.Dir(pattern))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if ok, err := filepath.Match(filepath.Base(pattern), e.Name()); ok && err == nil {
			found = append(found, filepath.Join(filepath.Dir(pattern), e.Name()))
		}
		if len(found) == maxPattern {
			return append(found, pattern)
		}
	}
	return found
}
