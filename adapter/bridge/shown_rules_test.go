package bridge

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

func text(s string) []byte { return ordjson.AppendString(nil, s) }

// recalled returns the session of a call as the next event finds it, with what keep has left in it.
func recalled(t *testing.T, r *run, c *schema.Call, keep func(*session.Memory)) *session.Memory {
	t.Helper()
	m := openSession(r, c)
	if keep(m); !m.Commit() {
		t.Fatal(r.log.ds)
	}
	m = openSession(r, c)
	m.Read()
	return m
}

// TestWantsFacts: transcripts are read only for hooks that get facts from them.
func TestWantsFacts(t *testing.T) {
	for _, tt := range []struct {
		hooks        string
		event        schema.Event
		last, thread bool
	}{
		{"claude", schema.Stop, true, false}, {"claude", 0, true, false}, {"claude", schema.PreTool, false, false},
		{"claude", schema.SubagentStop, false, false}, {"cursor", schema.AgentResponse, true, false},
		{"cursor", schema.Stop, false, false}, {"cursor", 0, false, true}, {"cursor", schema.SubagentStop, false, true},
		{"cursor", schema.PreTool, false, false},
	} {
		d, _ := adapter.Find(tt.hooks)
		for _, hooks := range [][]schema.Hook{{{Event: tt.event}}, {{Event: schema.Notification}, {Event: tt.event}}} {
			if last, thread := wantsLast(d, hooks), wantsThread(d, hooks); last != tt.last || thread != tt.thread {
				t.Errorf("%s, %v: last %t, thread %t", tt.hooks, tt.event, last, thread)
			}
		}
		if wantsLast(d, nil) || wantsThread(d, nil) {
			t.Errorf("%s: no hook wants something", tt.hooks)
		}
	}
}

// TestThread summarizes the messages of a transcript.
func TestThread(t *testing.T) {
	said := func(from schema.Speaker, s string) schema.Message {
		return schema.Message{From: from, Blocks: []schema.Block{{Kind: schema.BlockText, Text: text(s)}}}
	}
	use := func(id string, k schema.Kind, path string) schema.Message {
		tool := schema.Tool{UseID: id, Kinds: []schema.Kind{k}}
		if path != "" {
			tool.Input = schema.Args{{Role: schema.RolePath, Raw: text(path)}}
		}
		return schema.Message{From: schema.Assistant, Blocks: []schema.Block{{Kind: schema.BlockUse, Tool: tool}}}
	}
	result := func(id string, failed bool) schema.Message {
		return schema.Message{From: schema.User, Blocks: []schema.Block{{Kind: schema.BlockResult, Failed: failed,
			Tool: schema.Tool{UseID: id}}}}
	}
	meta := said(schema.User, "meta")
	meta.Meta = true
	line := said(schema.Assistant, "x")
	line.ID = "m"
	other := line
	other.ID = "n"
	for _, tt := range []struct {
		name            string
		messages        []schema.Message
		task, said      string
		messagesN, uses int
		files           string
	}{
		{"nothing", nil, "", "", 0, 0, ""},
		{"a task and an answer", []schema.Message{said(schema.User, " a \n"), said(schema.Assistant, " b ")}, "a", "b",
			2, 0, ""},
		{"the first task", []schema.Message{said(schema.User, "a"), said(schema.User, "b")}, "a", "", 2, 0, ""},
		{"words of the program", []schema.Message{meta, said(schema.Assistant, "b"), meta}, "", "b", 1, 0, ""},
		{"a question behind the answer", []schema.Message{said(schema.Assistant, "b"), said(schema.User, "a")}, "a", "",
			2, 0, ""},
		{"a call behind the answer", []schema.Message{said(schema.Assistant, "b"), use("u", schema.Shell, "")}, "", "",
			2, 1, ""},
		{"a result behind the answer", []schema.Message{said(schema.Assistant, "b"), result("u", false)}, "", "", 2, 0,
			""},
		{"a message on two lines, and another", []schema.Message{line, line, other}, "", "x", 2, 0, ""},
		{"changed files, each once", []schema.Message{use("1", schema.Write, "/a"), use("2", schema.Edit, "/a"),
			use("3", schema.Delete, "/b"), use("4", schema.Read, "/c"), use("5", schema.Write, "")}, "", "", 5, 5,
			"/a /b"},
		{"a change that failed", []schema.Message{use("1", schema.Write, "/a"), use("2", schema.Write, "/b"),
			result("1", true), result("2", false)}, "", "", 4, 2, "/b"},
	} {
		var th thread
		for i := range tt.messages {
			th.add(&tt.messages[i])
		}
		if th.task != tt.task || th.said != tt.said || th.messages != tt.messagesN || th.calls != tt.uses ||
			strings.Join(th.files(), " ") != tt.files {
			t.Errorf("%s: %+v", tt.name, th)
		}
	}

	var th thread
	for _, at := range []string{"", "2026-11-22T02:00:01Z", "x", "2026-11-22T02:00:03Z"} {
		th.add(&schema.Message{Time: at})
	}
	if th.last.Sub(th.first) != 2*time.Second {
		t.Errorf("from %v to %v", th.first, th.last)
	}
}

// TestSaidKept: the agent's text from an event of its own reaches stop hooks whose agent reports it there.
func TestSaidKept(t *testing.T) {
	const payload = `{"conversation_id":"c","generation_id":"g","hook_event_name":"afterAgentResponse",` +
		`"cursor_version":"3.15.19","workspace_roots":[],"text":"TEXT"}`
	stop := []schema.Hook{{Event: schema.Stop, Native: "Stop"}}
	for _, tt := range []struct {
		name, hooks, payload string
		of                   []schema.Hook
		text                 string
		kept, cut            bool
	}{
		{"a stop hook", "claude", payload, stop, "done", true, false},
		{"a hook of every event", "claude", payload, []schema.Hook{{}}, "done", true, false},
		{"another hook first", "claude", payload, append([]schema.Hook{{Event: schema.PreTool}}, stop...), "done", true,
			false},
		{"no stop hook", "claude", payload, []schema.Hook{{Event: schema.PreTool}}, "done", false, false},
		{"nothing is said", "claude", payload, stop, "", false, false},
		{"as much as is kept", "claude", payload, stop, strings.Repeat("x", session.MaxText), true, false},
		{"more than is kept", "claude", payload, stop, strings.Repeat("x", session.MaxText+1), true, true},
		{"an agent that doesn't report it there", "cursor", payload, stop, "done", false, false},
		{"another event", "claude", cursorShell, stop, "done", false, false},
	} {
		r, c := staged(t, newBridge(t, "cursor", tt.hooks, ""), strings.Replace(tt.payload, "TEXT", tt.text, 1))
		r.mem = recalled(t, r, c, func(m *session.Memory) {
			r.mem = m
			rememberSaid(r, c, tt.of)
		})
		said, ok := r.mem.Said().Get()
		if ok != tt.kept || ok && !strings.HasPrefix(tt.text, said.Text) ||
			slices.Contains(codesOf(r.log.ds), schema.CodeContextCut) != tt.cut {
			t.Errorf("%s: kept %t, %v", tt.name, ok, r.log.ds)
		}
	}
}

// TestWithSaid: the end of a turn gets the turn's last message, if the host doesn't send it.
func TestWithSaid(t *testing.T) {
	const stop = `{"conversation_id":"c","generation_id":"g","status":"completed","hook_event_name":"stop",` +
		`"cursor_version":"3.15.19","workspace_roots":[]}`
	for _, tt := range []struct {
		name, hooks, payload, turn string
		has                        bool
		want                       string
	}{
		{"of this turn", "claude", stop, "g", false, "done"}, {"of another turn", "claude", stop, "f", false, ""},
		{"the host says it", "claude", stop, "g", true, "own"},
		{"another event", "claude", cursorShell, "g", false, ""},
		{"an agent that doesn't report it there", "cursor", stop, "g", false, ""},
	} {
		r, c := staged(t, newBridge(t, "cursor", tt.hooks, ""), tt.payload)
		if tt.has {
			c = withText(c, schema.FieldLastMessage, "own")
		}
		r.mem = recalled(t, r, c, func(m *session.Memory) { m.Said().Keep(session.Said{Turn: tt.turn, Text: "done"}) })
		unchanged(t, r, c)
		if got := withSaid(r, c).Str(schema.FieldLastMessage); got != tt.want {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

// TestChangedFile: a write of a whole file counts as an edit if it certainly changes one.
func TestChangedFile(t *testing.T) {
	dir := t.TempDir()
	laidOut(t, dir, map[string]string{"same": "text\n", "other": "another", "long": "texts and more"})
	const before, after = schema.PreTool, schema.PostTool
	edits := func(es ...schema.TextEdit) func(*session.Call) { return func(m *session.Call) { m.KeepEdits(es) } }
	original := func(o session.Original) func(*session.Call) { return func(m *session.Call) { m.Original().Keep(o) } }
	for _, tt := range []struct {
		name, file string
		event      schema.Event
		gate       bool
		keep       func(*session.Call)
		changes    bool
		content    bool // is still in the input
	}{
		{"a new file", "none", before, false, nil, false, true},
		{"the same text", "same", before, false, nil, false, true},
		{"another text of that length", "other", before, false, nil, true, true},
		{"a longer text", "long", before, false, nil, true, true}, {"a folder", ".", before, false, nil, false, true},
		{"a gate, and the same text", "same", after, true, nil, false, true},
		{"a gate, and another text", "long", after, true, nil, true, false},
		{"a gate, and no file", "none", after, true, nil, false, true},
		{"after it, and nothing is known", "long", after, false, nil, false, true},
		{"there was none", "same", after, false, original(session.Original{}), false, true},
		{"there was one", "same", after, false, original(session.Original{Existed: true}), true, true},
		{"there was the same", "same", after, false,
			original(session.Original{Existed: true, Known: true, Text: "text\n"}), false, true},
		{"there was another", "same", after, false,
			original(session.Original{Existed: true, Known: true, Text: "x"}), true, true},
		{"an edit", "same", after, false, edits(schema.TextEdit{Old: "a", New: "text"}), true, true},
		{"two edits", "same", after, false, edits(schema.TextEdit{New: "text"}, schema.TextEdit{New: "b"}), true, true},
		{"the whole text", "same", after, false, edits(schema.TextEdit{New: "text"}), false, true},
		{"a part of the text", "same", after, false, edits(schema.TextEdit{New: "te"}), true, true},
	} {
		r, c := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
		c = c.Clone()
		c.Event, c.Gate = tt.event, tt.gate
		c.Tool = schema.Tool{UseID: "u", Name: "Write", Kinds: []schema.Kind{schema.Write, schema.Edit},
			Input: schema.Args{{Role: schema.RolePath, Raw: text(filepath.Join(dir, tt.file))},
				{Role: schema.RoleContent, Raw: text("text\n")}}}
		if tt.name == "another text of that length" {
			laidOut(t, dir, map[string]string{"other": "texts"})
		}
		r.mem = recalled(t, r, c, func(m *session.Memory) {
			if tt.keep != nil {
				tt.keep(m.Call(c))
			}
		})
		unchanged(t, r, c)
		in, changes := changesFile(r, c)
		if _, has := in.Get(schema.RoleContent); changes != tt.changes || has != tt.content {
			t.Errorf("%s: changes %t, with its content %t", tt.name, changes, has)
		}
	}
}

// TestKindsFirst: for an unknown tool with a command, a hook without a matcher gets the command, unless its agent has a
// tool of that name.
func TestKindsFirst(t *testing.T) {
	view := func(event string, k schema.Kind) schema.View { return schema.View{Event: event, Kind: k} }
	for _, tt := range []struct {
		name, hooks, tool string
		kind              schema.Kind
		views, want       []schema.View
	}{
		{"a command", "claude", "x", schema.Other,
			[]schema.View{view("a", schema.Other), view("a", schema.Shell)},
			[]schema.View{view("a", schema.Shell), view("a", schema.Other)}},
		{"an address", "claude", "x", schema.Other,
			[]schema.View{view("a", schema.Other), view("a", schema.Fetch)},
			[]schema.View{view("a", schema.Fetch), view("a", schema.Other)}},
		{"another event", "claude", "x", schema.Other,
			[]schema.View{view("a", schema.Other), view("b", schema.Shell)},
			[]schema.View{view("a", schema.Other), view("b", schema.Shell)}},
		{"a file", "claude", "x", schema.Other, []schema.View{view("a", schema.Other), view("a", schema.Read)},
			[]schema.View{view("a", schema.Other), view("a", schema.Read)}},
		{"a known tool", "claude", "x", schema.Write, []schema.View{view("a", schema.Other), view("a", schema.Shell)},
			[]schema.View{view("a", schema.Other), view("a", schema.Shell)}},
		{"a tool of the hooks' agent", "claude", "WebSearch", schema.Other,
			[]schema.View{view("a", schema.Other), view("a", schema.Shell)},
			[]schema.View{view("a", schema.Other), view("a", schema.Shell)}},
		{"the host's own", "cursor", "x", schema.Other, []schema.View{view("a", schema.Other), view("a", schema.Shell)},
			[]schema.View{view("a", schema.Other), view("a", schema.Shell)}},
	} {
		r, c := staged(t, newBridge(t, "cursor", tt.hooks, ""), cursorShell)
		c = c.Clone()
		c.Tool = schema.Tool{Name: tt.tool, Kinds: []schema.Kind{tt.kind}}
		views := slices.Clone(tt.views)
		if preferKinds(r, c, views); !reflect.DeepEqual(views, tt.want) {
			t.Errorf("%s: %+v", tt.name, views)
		}
	}
}

// TestLoopLimit: a stop hook runs as often as its own limit, or its agent's, allows.
func TestLoopLimit(t *testing.T) {
	limit := func(n int) *int { return &n }
	for _, tt := range []struct {
		event schema.Event
		n     string
		own   *int
		out   bool
	}{
		{schema.Stop, "5", nil, true}, {schema.Stop, "4", nil, false}, {schema.Stop, "", nil, false},
		{schema.SubagentStop, "5", nil, true}, {schema.PreTool, "5", nil, false}, {schema.Stop, "5", limit(6), false},
		{schema.Stop, "6", limit(6), true}, {schema.Stop, "0", limit(0), true}, {schema.Stop, "99", limit(-1), false},
	} {
		r, c := staged(t, newBridge(t, "claude", "cursor", ""), claudeShell)
		if r.rules.LoopLimit != 5 {
			t.Fatal(r.rules.LoopLimit)
		}
		c = c.Clone()
		if c.Event = tt.event; tt.n != "" {
			c.Set(schema.FieldLoopCount, []byte(tt.n))
		}
		h := &schema.Hook{LoopLimit: tt.own}
		if got := loopedOut(r, c, h); got != tt.out || got != (len(r.log.ds) == 1) {
			t.Errorf("%+v: %t %v", tt, got, r.log.ds)
		}
	}
}

// TestFilledEdits: each form of a change is shown in the form that a view needs.
func TestFilledEdits(t *testing.T) {
	dir := t.TempDir()
	laidOut(t, dir, map[string]string{"f": "one\ntwo\n"})
	file := schema.Arg{Role: schema.RolePath, Raw: text(filepath.Join(dir, "f"))}
	rest := schema.Arg{Role: schema.Rest, Name: "x", Raw: []byte("1")}
	one := schema.Args{file, {Role: schema.RoleOldText, Raw: text("two")}, {Role: schema.RoleNewText, Raw: text("2")},
		rest}
	all := append(slices.Clone(one), schema.Arg{Role: schema.RoleReplaceAll, Raw: []byte("true")})
	many := schema.Args{file, {Role: schema.RoleEdits, Raw: schema.CanonicalEdits.Append(nil,
		[]schema.TextEdit{{Old: "one", New: "1"}, {Old: "two", New: "2"}})}, rest}
	whole := schema.Args{file, {Role: schema.RoleContent, Raw: text("one\n2\n")}, rest}
	for _, tt := range []struct {
		name      string
		kind, as  schema.Kind
		in        schema.Args
		same      bool
		old, new  string
		all, many bool
	}{
		{"an edit as it came", schema.Edit, schema.Edit, one, true, "two", "2", false, false},
		{"an edit among several", schema.Edit, schema.MultiEdit, one, false, "two", "2", false, true},
		{"everywhere", schema.Edit, schema.MultiEdit, all, false, "two", "2", true, true},
		{"several as they came", schema.MultiEdit, schema.MultiEdit, many, true, "one", "1", false, true},
		{"several as one", schema.MultiEdit, schema.Edit, many, false, "one\ntwo", "1\n2", false, false},
		{"a whole file as an edit", schema.Write, schema.Edit, whole, false, "two", "2", false, false},
		{"a whole file as several", schema.Write, schema.MultiEdit, whole, false, "two", "2", false, true},
	} {
		r, c := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
		c = c.Clone()
		c.Tool = schema.Tool{Kinds: []schema.Kind{tt.kind}, Input: tt.in}
		unchanged(t, r, c)
		got := asEdits(r, c, c.Clone(), tt.as)
		es := editsOf(&schema.Tool{Input: got})
		if len(es) == 0 || !strings.Contains(es[0].Old, tt.old) || es[0].All != tt.all {
			t.Errorf("%s: %+v", tt.name, es)
			continue
		}
		if _, list := got.Get(schema.RoleEdits); list != tt.many || reflect.DeepEqual(got, tt.in) != tt.same {
			t.Errorf("%s: %+v", tt.name, got)
		}
		if path := got.Text(schema.RolePath); path != filepath.Join(dir, "f") || !slices.ContainsFunc(got,
			func(a schema.Arg) bool { return a.Name == "x" }) {
			t.Errorf("%s: lacks its path or what no table names: %+v", tt.name, got)
		}
	}
}

// TestFilledContent: the content of a file, before or after the call, as far as it is known.
func TestFilledContent(t *testing.T) {
	dir := t.TempDir()
	laidOut(t, dir, map[string]string{"f": "one two", "n.ipynb": `{"cells":[{"a":1}],"x":2}`, "bad.ipynb": "no"})
	edit := schema.Args{{Role: schema.RoleOldText, Raw: text("two")}, {Role: schema.RoleNewText, Raw: text("2")}}
	cell := schema.Args{{Role: schema.RoleCellSource, Raw: text("c")}}
	for _, tt := range []struct {
		name, file string
		event      schema.Event
		kind, as   schema.Kind
		in         schema.Args
		want       string
		out        string // of a reading tool
	}{
		{"before an edit", "f", schema.PreTool, schema.Edit, schema.Write, edit, "one 2", ""},
		{"after an edit", "f", schema.PostTool, schema.Edit, schema.Write, edit, "one two", ""},
		{"a file that isn't there", "none", schema.PreTool, schema.Edit, schema.Write, edit, "2", ""},
		{"nothing is known", "none", schema.PreTool, schema.Write, schema.Write, nil, "", ""},
		{"another tool", "f", schema.PreTool, schema.Other, schema.Write, nil, "", ""},
		{"a file as it is", "f", schema.PreTool, schema.Write, schema.Write, nil, "one two", ""},
		{"before a read", "f", schema.PreTool, schema.Read, schema.Read, nil, "", "one two"},
		{"after a read", "f", schema.PostTool, schema.Read, schema.Read, nil, "", "one two"},
		{"a read of no file", "none", schema.PreTool, schema.Read, schema.Read, nil, "", ""},
		{"before a new cell", "n.ipynb", schema.PreTool, schema.Notebook, schema.Write, cell,
			`{"cells":[{"a":1},{"cell_type":"code","metadata":{},"source":"c"}],"x":2}`, ""},
		{"after a new cell", "n.ipynb", schema.PostTool, schema.Notebook, schema.Write, cell,
			`{"cells":[{"a":1}],"x":2}`, ""},
		{"a cell of no notebook", "bad.ipynb", schema.PreTool, schema.Notebook, schema.Write, cell, "c", ""},
		{"a cell of a notebook that isn't there", "none", schema.PostTool, schema.Notebook, schema.Write, cell, "c",
			""},
	} {
		r, c := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
		c = c.Clone()
		c.Event = tt.event
		c.Tool = schema.Tool{Kinds: []schema.Kind{tt.kind},
			Input: append(schema.Args{{Role: schema.RolePath, Raw: text(filepath.Join(dir, tt.file))}}, tt.in...)}
		in, out := withContent(r, c, tt.as)
		if got, read := in.Text(schema.RoleContent), out.Text(schema.RoleContent); got != tt.want || read != tt.out {
			t.Errorf("%s: %q and %q", tt.name, got, read)
		}
	}
}

// TestFilledChanges: the lines that a write has changed.
func TestFilledChanges(t *testing.T) {
	edits := func(es ...schema.TextEdit) schema.Arg {
		return schema.Arg{Role: schema.RoleEdits, Raw: schema.CanonicalEdits.Append(nil, es)}
	}
	original := schema.Args{{Role: schema.RoleOriginal, Raw: text("one\ntwo\nthree\n")}}
	content := schema.Arg{Role: schema.RoleContent, Raw: text("one\n2\nthree\n")}
	for _, tt := range []struct {
		name     string
		in, out  schema.Args
		old, new string
	}{
		{"an edit in a known file", schema.Args{edits(schema.TextEdit{Old: "wo", New: "2"})}, original, "two", "t2"},
		{"an edit of an unknown file", schema.Args{edits(schema.TextEdit{Old: "wo", New: "2"})}, nil, "wo", "2"},
		{"an edit that the file lacks", schema.Args{edits(schema.TextEdit{Old: "four", New: "4"})}, original, "four",
			"4"},
		{"an addition to a known file", schema.Args{edits(schema.TextEdit{New: "4"})}, original, "", "4"},
		{"a whole file", schema.Args{content}, original, "two", "2"},
		{"a whole file in the result", nil, append(slices.Clone(original), content), "two", "2"},
		{"a whole file, of which nothing is known", schema.Args{content}, nil, "", "one\n2\nthree\n"},
		{"a cell", schema.Args{{Role: schema.RoleCellSource, Raw: text("c")}}, nil, "", "c"},
	} {
		r, c := staged(t, newBridge(t, "cursor", "claude", ""), cursorShell)
		c = c.Clone()
		c.Event = schema.PostTool
		c.Tool = schema.Tool{Kinds: []schema.Kind{schema.Write}, Input: tt.in, Output: tt.out}
		es := editsOf(&schema.Tool{Input: withChanges(r, c, c)})
		if len(es) != 1 || strings.Trim(es[0].Old, "\n") != tt.old ||
			strings.Trim(es[0].New, "\n") != strings.Trim(tt.new, "\n") {
			t.Errorf("%s: %+v", tt.name, es)
		}
	}
}

// TestStartOfFile: a file is read once, and not at all with reading off; only the start of a very long one is known.
func TestStartOfFile(t *testing.T) {
	dir := t.TempDir()
	laidOut(t, dir, map[string]string{"f": "text"})
	call := func(path string) *schema.Call {
		return &schema.Call{Cwd: dir, Tool: schema.Tool{Input: schema.Args{{Role: schema.RolePath, Raw: text(path)}}}}
	}
	var f files
	for _, tt := range []struct {
		path, want string
		ok         bool
	}{{"f", "text", true}, {filepath.Join(dir, "f"), "text", true}, {"none", "", false}, {"", "", false}} {
		if got, ok := f.text(call(tt.path)); got != tt.want || ok != tt.ok {
			t.Errorf("%q: %q %t", tt.path, got, ok)
		}
	}
	if err := os.Remove(filepath.Join(dir, "f")); err != nil {
		t.Fatal(err)
	}
	if got, ok := f.text(call("f")); got != "text" || !ok {
		t.Errorf("read again: %q %t", got, ok)
	}
	f.closed = true
	if got, ok := f.text(call("f")); ok {
		t.Errorf("read where none is read: %q", got)
	}
	f = files{texts: map[string]fileText{filepath.Join(dir, "f"): {"te", false, true}}}
	if got, ok := f.text(call("f")); ok {
		t.Errorf("a beginning is known as a whole: %q", got)
	}
}

// TestSeveralTraces: the report of several agents' runs has what each did, and common findings once.
func TestSeveralTraces(t *testing.T) {
	one := func(file, why string) *decision {
		d := &decision{run: &run{log: &log{trace: &Trace{Sources: []schema.Source{{File: file}},
			Views:   []schema.View{{Event: file}},
			Skipped: []Skip{{Hook: schema.Hook{Path: file, Source: schema.Source{File: file}}}},
			Merged:  schema.Reply{Verdict: schema.Deny, Reason: why}}}},
			did: done{call: &schema.Call{Native: file}, runs: []HookRun{{Hook: schema.Hook{Command: file}}},
				printed: []byte(file)}}
		d.run.log.note(schema.CodeBridge, "both")
		d.run.log.note(schema.CodeBridge, "of "+file)
		return d
	}
	rep := &Report{}
	rep.add(&decision{run: &run{log: &log{}}})
	if rep.Trace != nil || rep.Call != nil {
		t.Errorf("without a trace: %+v", rep)
	}
	rep.add(one("a", "no"))
	if rep.Trace == nil || len(rep.Trace.Sources) != 1 {
		t.Fatalf("%+v", rep.Trace)
	}
	rep.add(one("b", "nor"))
	rep.add(&decision{run: &run{log: &log{}}})
	got := rep.Trace
	if len(got.Sources) != 2 || len(got.Views) != 2 || len(got.Skipped) != 2 || got.Merged.Reason != "no\nnor" {
		t.Errorf("%+v", got)
	}
	if rep.Call.Native != "a" || len(rep.Runs) != 2 || string(rep.Printed) != "ab" || len(rep.Diagnostics) != 3 {
		t.Errorf("%+v", rep)
	}
}

// TestSeveralOutputs: equal replacements of several agents agree. Different inputs deny; of different results the last
// one counts, which is reported.
func TestSeveralOutputs(t *testing.T) {
	d, _ := adapter.Find("claude")
	input := func(command string) schema.Reply {
		return schema.Reply{Input: schema.Args{{Role: schema.RoleCommand, Raw: text(command)}}}
	}
	output := func(s string) schema.Reply { return schema.Reply{Output: text(s)} }
	for _, tt := range []struct {
		name    string
		replies []schema.Reply
		verdict schema.Verdict
		output  string
		codes   []schema.Code
	}{
		{"one input", []schema.Reply{input("a"), {}}, schema.NoOpinion, "", nil},
		{"the same input", []schema.Reply{input("a"), input("a")}, schema.NoOpinion, "", nil},
		{"another input", []schema.Reply{input("a"), {}, input("b")}, schema.Deny, "",
			[]schema.Code{schema.CodeInputDenied}},
		{"the same, then another input", []schema.Reply{input("a"), input("b"), input("b")}, schema.Deny, "",
			[]schema.Code{schema.CodeInputDenied}},
		{"the same result", []schema.Reply{output("a"), output("a")}, schema.NoOpinion, `"a"`, nil},
		{"another result", []schema.Reply{output("a"), output("b")}, schema.NoOpinion, `"b"`,
			[]schema.Code{schema.CodeOutputKept}},
	} {
		var all []decision
		for _, r := range tt.replies {
			all = append(all, decision{run: &run{hooks: d}, reply: r, ok: true})
		}
		rep := &Report{}
		merged, failed := strictest(all, rep)
		if failed || merged.Verdict != tt.verdict || string(merged.Output) != tt.output ||
			!slices.Equal(codesOf(rep.Diagnostics), tt.codes) {
			t.Errorf("%s: %+v %v", tt.name, merged, rep.Diagnostics)
		}
	}
}
