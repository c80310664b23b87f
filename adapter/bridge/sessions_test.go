package bridge

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// TestSessions compares the results of random sessions of each host with random hooks of other agents. Calls follow one
// another and leave state for each other, with recorded payloads, files, odd inputs and every setting. The random
// numbers depend only on the two agents' names.
func TestSessions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the digests have the paths of another system")
	}
	answers := replyVectors(t)
	top := t.TempDir()
	top = filepath.Join(top, strings.Repeat("x", max(100-len(top), 1))) // texts are cut depending on its length
	var sums golden.Digests
	for _, host := range adapter.Dialects() {
		recorded := material.Payloads(t, host.Profile().Name)
		for _, own := range adapter.WithHooks() {
			names := own.Profile().Name + " " + host.Profile().Name
			seed := fnv.New64a()
			seed.Write([]byte(names))
			s := &drawn{Rand: rand.New(rand.NewPCG(seed.Sum64(), 0)), host: host, own: own, top: top,
				recorded: recorded,
				answers:  answers[own.Profile().Name]}
			if adapter.SameAgent(host, own) || testing.Short() && s.IntN(3) != 0 && !*golden.Update {
				continue
			}
			s.Rand = rand.New(rand.NewPCG(seed.Sum64(), 1))
			out := sums.Of(names)
			for range 3 {
				s.session(t, out)
			}
		}
	}
	sums.Compare(t, "testdata/sessions.txt")
}

// replyVectors returns the vectors' hook answers, by agent.
func replyVectors(t *testing.T) map[string][]process.Result {
	files, err := filepath.Glob("../../conformance/vectors/reply/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	all, seen := map[string][]process.Result{}, map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range ordjson.Objects(text) {
			from, _, _ := strings.Cut(v.Str("from"), "@")
			input := v.Value("input")
			res := process.Result{Stdout: input}
			if o, err := ordjson.Parse(input); err == nil && o.Has("exit") {
				exit, _ := strconv.Atoi(string(o.Value("exit")))
				res = process.Result{Exit: exit, Stdout: []byte(o.Str("stdout")), Stderr: []byte(o.Str("stderr"))}
			}
			if key := from + string(input); !seen[key] {
				seen[key] = true
				all[from] = append(all[from], res)
			}
		}
	}
	return all
}

// A drawn generates random sessions of a host with hooks of an agent.
type drawn struct {
	*rand.Rand
	host, own dialect.Dialect
	recorded  []material.Payload
	answers   []process.Result
	top       string
}

func (s *drawn) one(of ...string) string { return of[s.IntN(len(of))] }

// now is true once in n times.
func (s *drawn) now(n int) bool { return s.IntN(n) == 0 }

// session makes some calls of one session.
func (s *drawn) session(t *testing.T, w io.Writer) {
	t.Helper()
	if err := os.RemoveAll(s.top); err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(s.top, "p")
	laidOut(t, project, map[string]string{"a.txt": "old\nkept\n", "sub/b.log": "x\n", ".env": "A=1\n",
		"n.ipynb": `{"cells":[{"cell_type":"code","source":"1"}],"nbformat":4}`, "t.sh": "#!/bin/sh\n"})
	var out strings.Builder
	b := s.bridge(project, &out)
	hooks := s.hooks()
	tool := s.tool()
	for i := range 12 {
		if s.now(3) {
			tool = s.tool()
		}
		payload := s.payload(project, tool)
		if s.now(5) {
			payload = s.recorded[s.IntN(len(s.recorded))].Text
		}
		if s.now(6) {
			laidOut(t, project, map[string]string{"a.txt": s.one("new\n", "old\nkept\n", "one\ntwo\n"), "new.txt": "x"})
		}
		if s.now(8) {
			hooks = slices.Delete(slices.Clone(hooks), 0, 1)
			hooks = append(hooks, s.hooks()...)
		}
		b.Now = func() time.Time { return time.Unix(1_800_000_000+int64(i), 0) }
		s.call(b, payload, hooks, &out)
	}
	text := strings.ReplaceAll(out.String(), s.top, "$T")
	io.WriteString(w, drawnNames.ReplaceAllString(text, ""))
}

// drawnNames matches names that depend on where the test runs.
var drawnNames = regexp.MustCompile(`_hb[0-9a-f]+|hookbridge-\d+|/state/[^ "]+`)

// call makes one call and writes its result.
func (s *drawn) call(b *Bridge, payload []byte, hooks []schema.Hook, out io.Writer) {
	in := decode(b, payload, "", b.now())
	fmt.Fprintf(out, "%v %v %v\n", in.call != nil, in.usable, in.imported)
	d := decision{run: newRun(context.Background(), b, &in)}
	if in.call != nil && in.usable && hasWork(d.run, &in) {
		if b.Single != nil {
			hooks = []schema.Hook{*b.Single}
		}
		d.reply, d.did = answer(d.run, in.call, hooks)
		fmt.Fprintf(out, "%s %v: %s\n%s\n", in.call.Native, in.call.Tool.Kinds, d.encode(&d.reply), show(&d.reply))
	}
	rep := d.report()
	for _, x := range rep.Diagnostics {
		fmt.Fprintf(out, "  %s %v %s\n", x.Code, x.Severity, x.Path)
	}
	for _, r := range d.did.runs {
		fmt.Fprintf(out, "  %s %v %v %+v %s %s", r.Hook.Path, r.Ran, r.Async, r.View, show(&r.Reply), r.Stdin)
	}
	if rep.Trace != nil {
		fmt.Fprintf(out, "  %v merged %s\n", rep.Trace.Views, show(&rep.Trace.Merged))
		for _, x := range rep.Trace.Skipped {
			fmt.Fprintf(out, "  skipped %s %v\n", x.Hook.Path, x.Why)
		}
	}
}

// bridge returns a Bridge with random settings.
func (s *drawn) bridge(project string, out io.Writer) *Bridge {
	b := &Bridge{Host: s.host, Hooks: s.own, Trace: true, TempDir: s.top, StateDir: filepath.Join(s.top, "state"),
		Places: schema.Places{OS: s.one("linux", "linux", "linux", "darwin", "windows"), Project: project,
			Home: filepath.Join(s.top, "home"), Env: schema.Environ{"PWD=" + project, "A=b"}},
		FailClosed: s.now(4), Proceed: s.now(8), BlockFailures: s.now(4), PinHooks: s.now(6), RequireTrust: s.now(8),
		Scope: []schema.Scope{0, 0, schema.ScopeProject, schema.ScopeUser, schema.ScopeManaged}[s.IntN(5)]}
	b.Ask = cmdline.AskPolicy(s.IntN(3))
	b.Allow = cmdline.AllowPolicy(s.IntN(2))
	b.Evaluator = s.one("", "judge")
	b.Notice = s.one("", "", "a notice")
	if s.now(6) {
		b.StateDir = ""
	}
	if s.now(4) {
		b.Timeout = time.Second
	}
	if s.now(6) {
		h := s.hook(0)
		h.Event, h.Native, h.Matcher, h.HasMatcher = 0, "", "", false
		b.Single = &h
	}
	results := append(slices.Clone(s.answers), process.Result{Exit: -1, TimedOut: true},
		process.Result{Exit: -1, Err: os.ErrNotExist}, process.Result{Exit: -1, Err: syscall.EMFILE},
		process.Result{Stdout: []byte("x"), Truncated: true}, process.Result{Exit: -1, Err: process.ErrNoWay},
		process.Result{Stdout: []byte("{\"ok\":false,\"reason\":\"r\"}\n200")}, process.Result{Stdout: []byte(
			`{"ok":true}`)},
		process.Result{Stdout: []byte(strings.Repeat("much ", 3000))})
	for _, r := range replySeeds {
		results = append(results, process.Result{Exit: r.exit, Stdout: []byte(r.stdout), Stderr: []byte(r.stderr)})
	}
	given := map[string]process.Result{} // a hook answers the same each time
	b.Start = func(h *schema.Hook, spec process.Spec) standIn {
		res, ok := given[h.Path]
		if !ok {
			res = results[s.IntN(len(results))]
			given[h.Path] = res
		}
		fmt.Fprintf(out, "  starts %q in %s, %v %v, released %v %v: %q\n", spec.Argv, spec.Dir, spec.Timeout,
			spec.Grace,
			spec.Release != nil, spec.Answered != nil, spec.Env)
		for _, v := range spec.Env {
			if _, file, ok := strings.Cut(v, "_ENV_FILE="); ok {
				os.WriteFile(file, []byte("export B=c\n"), 0o600)
			}
		}
		return func(context.Context) process.Result { return res }
	}
	return b
}

// hooks returns random hooks at the agent's events.
func (s *drawn) hooks() (hooks []schema.Hook) {
	for range 3 + s.IntN(6) {
		hooks = append(hooks, s.hook(len(hooks)))
	}
	return hooks
}

func (s *drawn) hook(i int) schema.Hook {
	p := s.own.Profile()
	row := p.Events[s.IntN(len(p.Events))]
	if !s.now(3) { // most are about tools, prompts and ends
		common := slices.DeleteFunc(slices.Clone(p.Events), func(r schema.EventRow) bool {
			return !r.Event.IsTool() && r.Event != schema.PromptSubmit && r.Event != schema.Stop &&
				r.Event != schema.SessionStart && r.Event != schema.SubagentStop
		})
		row = common[s.IntN(len(common))]
	}
	matchers := []string{"", "", "", ".*", "*", "Unheard", "mcp__srv__.*", "mcp__.*", "startup", "[", "Bash|Write"}
	for range 3 {
		if len(p.Tools) > 0 {
			matchers = append(matchers, p.Tools[s.IntN(len(p.Tools))].Name)
		}
	}
	h := schema.Hook{Event: row.Event, Native: row.Native, Gate: row.Gate != nil, Handler: schema.HandlerCommand,
		Command: s.one("./t.sh", "guard", "audit $HOME", "sub/none.sh"), Line: 1, Col: 1,
		Matcher: s.one(matchers...), Path: "/" + strconv.Itoa(i) + s.one("a", "b", "c"),
		Source: schema.Source{File: s.one("/h/x.json", "/h/skills/s/SKILL.md", "/h/y.json"),
			Scope: []schema.Scope{schema.ScopeUser, schema.ScopeProject, schema.ScopeManaged}[s.IntN(3)]}}
	h.HasMatcher = h.Matcher != ""
	if h.Source.Scope == schema.ScopeProject {
		h.Source.File = filepath.Join(s.top, "p", "x.json")
	}
	switch s.IntN(12) {
	case 0:
		h.Handler, h.URL = schema.HandlerHTTP, s.one("http://a/b", "https://c", "ftp://d", "http://localhost:1/x?$A")
	case 1:
		h.Handler, h.Prompt = schema.HandlerPrompt, s.one("ok? $ARGUMENTS", "ok?")
	case 2:
		h.Handler, h.Prompt = schema.HandlerAgent, "ok?"
	case 3:
		h.Handler, h.Server, h.ToolRef = schema.HandlerMCPTool, "srv", "do"
	case 4:
		h.Args = []string{"a", "$HOME"}
	case 5:
		h.Condition = s.one("Bash(ls:*)", "Bash(rm *)", "Read(./.env)", "Write(a.txt)", "((", "Edit")
		h.HasCondition = true
	}
	h.Sequential, h.Once, h.Fail = s.now(8), s.now(6), schema.FailPolicy(s.IntN(3))
	if s.now(8) {
		limit := s.IntN(3)
		h.LoopLimit = &limit
	}
	if s.now(6) {
		h.Timeout = time.Duration(1+s.IntN(90)) * time.Second
	}
	return h
}

// tool returns a tool of the host, one of a server, or an unknown one.
func (s *drawn) tool() schema.Tool {
	p := s.host.Profile()
	if len(p.Tools) == 0 || s.now(4) {
		return []schema.Tool{{Name: "do", Server: "srv", Kinds: []schema.Kind{schema.MCP}},
			{Name: "do_it", Kinds: []schema.Kind{schema.MCP}}, {Name: "srv_do", Begins: "srv", Kinds: []schema.Kind{
				schema.MCP}},
			{Name: "Unheard", Kinds: []schema.Kind{schema.Other}}}[s.IntN(4)]
	}
	row := p.Tools[s.IntN(len(p.Tools))]
	return schema.Tool{Name: row.Name, Kinds: row.Kinds}
}

// payload returns a payload of one of the host's events, mostly about the tool.
func (s *drawn) payload(project string, tool schema.Tool) []byte {
	p := s.host.Profile()
	row := p.Events[s.IntN(len(p.Events))]
	if !s.now(3) {
		about := slices.DeleteFunc(slices.Clone(p.Events), func(r schema.EventRow) bool { return !r.Event.IsTool() })
		row = about[s.IntN(len(about))]
	}
	c := &schema.Call{Dialect: "another", Event: row.Event, Native: row.Native, Gate: row.Gate != nil,
		// nothing is left out
		Inline: row.Inline(), Cwd: s.one(project, project, filepath.Join(project, "sub"), "/gone"), Project: project}
	for _, f := range slices.Sorted(maps.Keys(drawnFields)) {
		if v := s.one(append(drawnFields[f], "")...); v != "" {
			c.Set(f, []byte(v))
		}
	}
	c.SetStr(schema.FieldSession, "s")
	if row.Event.IsTool() {
		c.Tool = tool
		if len(row.Kinds()) > 0 && !schema.KindsMeet(&row, &schema.EventRow{Gate: &schema.Gate{Kinds: tool.Kinds}}) {
			c.Tool.Kinds = row.Kinds()[:1]
			if at := p.ToolOfKind(row.Kinds()[0]); at != nil {
				c.Tool.Name = at.Name
			}
		}
		c.Tool.UseID = s.one("u1", "u1", "u2")
		c.Tool.Input = s.input(project, c.Tool.Name)
		if row.Event != schema.PreTool {
			c.Tool.Output = schema.Args{{Role: schema.RoleStdout, Raw: []byte(s.one(`"out"`, `""`))},
				{Role: schema.RoleContent, Raw: []byte(s.one(`"new\n"`, `"old\nkept\n"`))},
				{Role: schema.RoleOK, Raw: []byte(s.one("true", "false"))},
				{Role: schema.RoleExitCode, Raw: []byte(s.one("0", "3"))}}
		}
	}
	for _, v := range s.host.Views(c) {
		if v.Event == row.Native {
			return s.host.AppendCall(nil, c, v)
		}
	}
	return []byte("{}")
}

// drawnFields are values of fields, as JSON.
var drawnFields = map[schema.Field][]string{
	schema.FieldTurn: {`"g1"`, `"g2"`}, schema.FieldPrompt: {`"go"`, `"keep going"`, `"/x y"`},
	schema.FieldModel: {`"m1"`, `"m2"`}, schema.FieldLoopCount: {"0", "2", "9"}, schema.FieldText: {`"what I said"`},
	schema.FieldLastMessage: {`"done"`}, schema.FieldSource: {`"startup"`, `"resume"`, `"compact"`, `"clear"`},
	schema.FieldAgentID: {`"a1"`}, schema.FieldReason: {`"other"`, `"exit"`}, schema.FieldToModel: {`"m3"`},
	schema.FieldStopActive: {"true", "false"}, schema.FieldStatus: {`"completed"`, `"aborted"`},
	schema.FieldError: {`"bad"`}, schema.FieldTranscript: {`"/gone.jsonl"`}, schema.FieldDuration: {"5"},
}

// input returns the input of one of the host's tools.
func (s *drawn) input(project, name string) (in schema.Args) {
	row := s.host.Profile().Tool(name)
	if row == nil {
		common := []string{"command", "file_path", "paths", "url", "content", "free", "cmds"}
		for range 1 + s.IntN(3) {
			n := s.one(common...)
			in = append(in, schema.Arg{Name: n, Raw: []byte(s.one(`"a.txt"`, `"rm a.txt"`, `["a.txt",".env"]`,
				`[{"path":".env"}]`,
				"null", "3"))})
		}
		return in
	}
	for _, a := range row.Input {
		if _, twice := in.Get(a.Role); twice || s.now(8) {
			continue
		}
		in = append(in, schema.Arg{Role: a.Role, Name: a.Name, Raw: []byte(s.value(project, a.Role))})
	}
	if s.now(5) {
		in = append(in, schema.Arg{Name: "path", Raw: []byte(`".env"`)})
	}
	return in
}

// value returns the value of an argument, as JSON.
func (s *drawn) value(project string, r schema.Role) string {
	if s.now(12) {
		return s.one("null", "3", `""`, "[]", "{}")
	}
	text := cmp.Or(map[schema.Role]string{
		schema.RoleCommand: s.one("ls", "rm a.txt", "rm *.txt && cat .env", "cd sub; rm -r .", "cat a.txt | grep old",
			"find . -name '*.log' -delete", "echo x > new.txt"),
		schema.RolePath: s.one("a.txt", project+"/a.txt", "./.env", "../p/.env", "gone.txt", "new.txt", "~/.x",
			project+"/sub/../a.txt", "sub/*.log", "n.ipynb"),
		schema.RoleContent: s.one("old\nkept\n", "new\n", "old\nkept\nmore\n", ""),
		schema.RoleOldText: s.one("old", "kept", "none", ""), schema.RoleNewText: s.one("new", "", "old"),
		schema.RoleURL: s.one("https://a/b", "file:///x"), schema.RoleCwd: s.one("sub", project, "/gone"),
		schema.RoleCellSource: "2", schema.RolePattern: s.one("*.log", "x"),
	}[r], "x")
	switch r {
	case schema.RoleCommand, schema.RolePath, schema.RoleContent, schema.RoleOldText, schema.RoleNewText,
		schema.RoleURL, schema.RoleCwd, schema.RoleCellSource, schema.RolePattern:
		return strconv.Quote(text)
	case schema.RoleEdits:
		return s.one(`[{"old":"old","new":"new"}]`, `[{"old":"","new":"x"},{"old":"kept","new":"left","all":true}]`)
	}
	return argValue(r)
}
