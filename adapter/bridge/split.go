package bridge

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/shell"
	"github.com/hookbridge/hookbridge/schema"
)

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
	for _, parts := range alternatives {
		first := len(r.runs)
		for _, part := range parts {
			if part != r.call {
				wholePaths(part, r.Host, r.Hooks, r.places.Home)
			}
			q := &question{stage: stage{r.scene, part}}
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
	return r.Hooks.Merge(replies)
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

// maxPattern is how many files a pattern in a command stands for at most.
const maxPattern = 100

// deletedPaths are the paths that a word of a command stands for: files that a
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
