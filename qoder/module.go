package qoder

import (
	"bytes"
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// runner is the program with which node runs a module's callbacks; it contains a description of its protocol.
//
//go:embed runner.cjs
var runner string

const (
	runnerMark   = "@hookbridge " // begins the runner's lines
	loadTimeout  = 30 * time.Second
	overtime     = 5 * time.Second // for node to start, and to answer after its callbacks' limit
	moduleOutput = 64 << 20
)

// moduleEndings are the files that node imports as modules.
var moduleEndings = []string{".mjs", ".cjs", ".js", ".mts", ".cts", ".ts"}

// DescribeModule prepares the run that lists a module's callbacks.
func (Dialect) DescribeModule(file string, env []string) process.Spec {
	w := ordjson.NewWriter(nil)
	w.String("module", file)
	w.String("mark", runnerMark)
	w.Bool("describe", true)
	return nodeSpec(w.Bytes(), env, loadTimeout)
}

// RunModule prepares the run of a module's callbacks whose matchers accept one of the views, each with the first such
// view. limit is the upper limit for every callback; 0: its own. The module has to load within 30 s, or limit; after
// that the runner reports how long its callbacks may take. Without a view there is nothing to run: the Spec is zero.
func (d Dialect) RunModule(file string, views []schema.View, payloads [][]byte, limit time.Duration,
	env []string) process.Spec {
	if len(views) == 0 || d.Row(views[0].Event) == nil {
		return process.Spec{}
	}
	row := d.Row(views[0].Event)
	w := ordjson.NewWriter(nil)
	w.String("module", file)
	w.String("mark", runnerMark)
	w.String("event", row.Native)
	w.Raw("limit", strconv.AppendFloat(nil, limit.Seconds(), 'f', -1, 64))
	w.Bool("tool", asTool(row))
	list := make([][]byte, len(views))
	for i, v := range views {
		list[i] = viewJSON(v, payloads[i])
	}
	w.Raw("views", slices.Concat([]byte{'['}, bytes.Join(list, []byte{','}), []byte{']'}))
	load := loadTimeout
	if limit > 0 {
		load = min(load, limit)
	}
	s := nodeSpec(w.Bytes(), env, load+overtime)
	s.Release, s.Extend = stays, extend
	return s
}

func viewJSON(v schema.View, payload []byte) []byte {
	w := ordjson.NewWriter(nil)
	if len(v.Target) > 0 {
		w.Strings("targets", v.Target)
	}
	w.Raw("input", bytes.TrimSpace(payload))
	o, _ := ordjson.Parse(payload)
	if id, ok := o.Get("tool_use_id"); ok {
		w.Raw("id", id)
	}
	return w.Bytes()
}

func nodeSpec(request []byte, env []string, limit time.Duration) process.Spec {
	return process.Spec{Argv: []string{"node", "-e", runner}, Env: env, Stdin: append(request, '\n'), Timeout: limit,
		MaxOutput: moduleOutput}
}

// extend returns the remaining time of the callbacks as the runner reports it. It only counts callbacks that are still
// running, so a stuck one doesn't get the time of the others.
func extend(stdout []byte) time.Duration {
	raw, ok := answerIn(stdout, "limit")
	f, isNumber := ordjson.Float(raw)
	if !ok || !isNumber {
		return 0
	}
	return time.Duration(f*float64(time.Second)) + overtime
}

// stays reports whether all callbacks have answered and one still runs.
func stays(stdout []byte) bool { return bytes.HasSuffix(stdout, []byte(`"stays":true}`+"\n")) }

// answerIn returns a field of the last line of the runner that has it.
func answerIn(stdout []byte, name string) (raw []byte, ok bool) {
	for len(stdout) > 0 {
		i := bytes.LastIndex(stdout, []byte("\n"+runnerMark))
		if i < 0 {
			return nil, false
		}
		line, _, whole := bytes.Cut(stdout[i+1+len(runnerMark):], []byte("\n"))
		if o, err := ordjson.Parse(line); whole && err == nil {
			if raw, ok := o.Get(name); ok {
				return raw, true
			}
		}
		stdout = stdout[:i]
	}
	return nil, false
}

// answered lists the answers of single callbacks, in the order of the callbacks and not of the answers.
func answered(stdout []byte) (list []ordjson.Object) {
	at := map[int64]ordjson.Object{}
	for _, line := range bytes.Split(stdout, []byte("\n"+runnerMark))[1:] {
		line, _, whole := bytes.Cut(line, []byte("\n"))
		o, _ := ordjson.Parse(line)
		part, _ := o.Members("part")
		if i, ok := part.Int("n"); ok && whole {
			at[i] = part
		}
	}
	for _, i := range slices.Sorted(maps.Keys(at)) { // in case a module forges numbers
		list = append(list, at[i])
	}
	return list
}

// ModuleHooks reads the list of a module's callbacks: one hook for each.
func (d Dialect) ModuleHooks(file string, res *process.Result) ([]schema.Hook, schema.Diagnostics) {
	var ds schema.Diagnostics
	raw, ok := answerIn(res.Stdout, "groups")
	if !ok {
		moduleFailed(&ds, file, res)
		return nil, ds
	}

	var hooks []schema.Hook
	for _, g := range ordjson.Objects(raw) {
		event, path := g.Str("event"), g.Str("path")
		row := d.Row(event)
		switch odd := g.Str("odd"); {
		case odd != "":
			ds.Add(schema.CodeVoidHook, path, odd).File = file
			continue
		case row == nil:
			x := ds.Add(schema.CodeSkippedEvent, path, d.Data.TitleChecked()+" doesn't know the event "+
				strconv.Quote(event))
			x.File, x.Event = file, event
			continue
		}
		h := schema.Hook{Event: row.Event, Native: row.Native, Handler: schema.HandlerCallback, Command: file,
			Source: schema.Source{File: file}}
		h.Matcher, h.HasMatcher = g.Str("matcher"), g.Has("matcher")
		f, _ := ordjson.Float(g.Value("timeout"))
		h.Timeout = time.Duration(f * float64(time.Second))
		count, _ := g.Int("hooks")
		for i := range count {
			h.Path = path + "/hooks/" + strconv.FormatInt(i, 10)
			hooks = append(hooks, h)
		}
	}

	return hooks, ds
}

// ModuleReplies interprets the results of a module's callbacks. usable is false if the module as a whole couldn't be
// used. A callback that throws or takes too long lets the call proceed, as with the SDK, unless h sets another policy.
func (d Dialect) ModuleReplies(h *schema.Hook, file string, views []schema.View, res *process.Result) (
	runs []schema.CallbackRun, ds schema.Diagnostics, usable bool) {
	raw, whole := answerIn(res.Stdout, "results")
	for _, o := range append(ordjson.Objects(raw), answered(res.Stdout)...) {
		one := *h
		one.Path, one.Source.File = o.Str("path"), file
		if odd := o.Str("odd"); odd != "" {
			ds.Add(schema.CodeVoidHook, one.Path, odd).File = file
			continue
		}
		i, _ := o.Int("view")
		if i < 0 || i >= int64(len(views)) {
			continue
		}
		run := schema.CallbackRun{Hook: one, View: views[i]}
		run.Reply = d.callbackReply(&one, views[i], o, &ds)
		runs = append(runs, run)
	}
	if whole {
		return runs, ds, true
	}
	if len(views) == 0 {
		views = []schema.View{{}}
	}
	rest, more, usable := d.unanswered(h, file, views[0], res)
	return append(runs, rest...), append(ds, more...), usable
}

func (d Dialect) callbackReply(h *schema.Hook, v schema.View, o ordjson.Object, ds *schema.Diagnostics) schema.Reply {
	msg := "the callback exceeded its timeout"
	switch value := o.Value("value"); {
	case string(value) == "null": // it returned nothing
		return schema.Reply{InputView: v}
	case value != nil:
		r := decoder{d.Decoder(h, v), d.on}
		r.callback(value)
		reply, found := r.done()
		*ds = append(*ds, found...)
		return reply
	case o.Has("error"):
		e, _ := o.Members("error")
		msg = "the callback threw " + e.Str("message")
		placeIn(ds.Add(schema.CodeHookFailed, h.Path, msg), h.Source.File, e)
	default:
		ds.Add(schema.CodeTimedOut, h.Path, msg).File = h.Source.File
	}
	return d.failed(h, v, msg)
}

func (d Dialect) failed(h *schema.Hook, v schema.View, msg string) schema.Reply {
	if h.Fail != schema.FailClosed {
		return schema.Reply{InputView: v}
	}
	return d.Refusal(h, v, msg)
}

// unanswered explains why not all callbacks have answered. A failure before they were called makes the module unusable.
func (d Dialect) unanswered(h *schema.Hook, file string, v schema.View, res *process.Result) (runs []schema.CallbackRun,
	ds schema.Diagnostics, usable bool) {
	if _, called := answerIn(res.Stdout, "limit"); !called {
		moduleFailed(&ds, file, res)
		return nil, ds, false
	}
	msg := "the callbacks exited without an answer"
	if res.TimedOut {
		msg = "callbacks exceeded their timeout and were killed"
		ds.Add(schema.CodeTimedOut, h.Path, msg).File = file
	} else {
		if raw, ok := answerIn(res.Stdout, "failed"); ok {
			o, _ := ordjson.Members(raw, 0)
			msg = o.Str("message")
		}
		ds.Add(schema.CodeHookFailed, h.Path, msg).File = file
	}
	return []schema.CallbackRun{{Hook: *h, View: v, Reply: d.failed(h, v, msg)}}, ds, true
}

func moduleFailed(ds *schema.Diagnostics, file string, res *process.Result) {
	x := ds.Add(schema.CodeModule, "", "")
	x.File = file
	raw, found := answerIn(res.Stdout, "failed")
	switch {
	case res.Err != nil:
		x.Message = "the module can't run: " + res.Err.Error()
		x.Fix = "install Node.js 18 or newer (nodejs.org), so that node is found in PATH"
	case found:
		o, _ := ordjson.Members(raw, 0)
		x.Message = "the module can't be loaded: " + o.Str("message")
		placeIn(x, file, o)
	case res.TimedOut:
		x.Message = "the module wasn't loaded in time and was killed"
	default:
		x.Message = "node exited with code " + strconv.Itoa(res.Exit) + cmp.Or(res.Signal, "") +
			" before the module was loaded"
		if line := schema.FirstLine(res.Stderr); line != "" {
			x.Message += ": " + line
		}
	}
}

func placeIn(x *schema.Diagnostic, file string, o ordjson.Object) {
	x.File = cmp.Or(o.Str("file"), file)
	line, _ := o.Int("line")
	column, _ := o.Int("column")
	x.Line, x.Col = int(line), int(column)
}
