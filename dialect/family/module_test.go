package family

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

const entries = `{"hooks":{"tool":[{"command":"guard","failClosed":true}],"end":[{"command":"b","args":["c d"]}]}}`

func moduleAgent() (ModuleAgent, *Module) {
	m := &Module{What: "plugin", Header: "// head\n", Body: "\nrun(ENTRIES)\n", Protocol: 3}
	a := ModuleAgent{Module: func() *Module { return m }}
	a.Agent = &Agent{File: &ModuleEntries, Steps: Steps{Entry: (*Parser).Flat}}
	a.Data = &dialect.Profile{Name: "m", Title: "M", Answers: dialect.Answers{RefusalStatus: ModuleRefusal}}
	a.Data.Events = []schema.EventRow{
		{Event: schema.PreTool, Native: "tool", Blocks: schema.EffectDeny,
			Honors: schema.EffectDeny | schema.EffectReason},
		{Event: schema.SessionEnd, Native: "end"},
	}
	return a, m
}

// TestModule checks that a module is read back as it was written. A module that differs from what hookbridge writes is
// reported, but its entries are still read: either they run, or nothing does.
func TestModule(t *testing.T) {
	a, m := moduleAgent()
	text := string(m.Write([]byte(entries)))
	old := *m
	old.Body = "\nwas(ENTRIES)\n"
	sum := sha256.Sum256([]byte(old.Body))
	m.Earlier = []string{hex.EncodeToString(sum[:])}
	later := *m
	later.Protocol = 4

	for _, tt := range []struct {
		about, text string
		module      bool
		code        schema.Code
		hooks       int
	}{
		{"as written", text, true, "", 2},
		{"without entries", string(m.Write([]byte(`{}`))), true, "", 0},
		{"edited behind", text + "more()\n", true, schema.CodeRefusedFile, 2},
		{"edited entries", strings.Replace(text, `"guard"`, ` "x"`, 1), true, schema.CodeRefusedFile, 2},
		{"of an older version", string(old.Write([]byte(entries))), true, schema.CodeStale, 2},
		{"of an older version, edited", string(old.Write([]byte(entries))) + " ", true, schema.CodeRefusedFile, 2},
		{"of another protocol", string(later.Write([]byte(entries))), true, schema.CodeNotCalled, 2},
		{"the entries alone", entries, false, "", 2},
		{"another's file", "// other\n" + text, false, schema.CodeSyntax, 0},
		{"without entries' end", strings.Replace(text, "\n}}\n", "\n}\n", 1), false, schema.CodeSyntax, 0},
		{"broken entries", strings.Replace(text, `"guard"`, `guard`, 1), false, schema.CodeSyntax, 0},
		{"no entries", m.Header + protocolStart + "3\n", false, schema.CodeSyntax, 0},
	} {
		document, ok := m.Read([]byte(tt.text))
		if ok != tt.module || !ok && string(document) != tt.text {
			t.Errorf("%s: %v, %s", tt.about, ok, document)
		}
		c, ds := a.ParseConfig([]byte(tt.text), schema.Source{File: "/m.js"})
		hooks := 0
		if c != nil {
			hooks = len(c.Hooks)
		}
		var code schema.Code
		if len(ds) > 0 {
			code = ds[0].Code
		}
		if code != tt.code || len(ds) > 1 || hooks != tt.hooks {
			t.Errorf("%s: %d hooks, %+v; want %d, %s", tt.about, hooks, ds, tt.hooks, tt.code)
			continue
		}
		if tt.hooks > 0 && tt.about == "as written" && (c.Hooks[0].Line != 4 || c.Hooks[1].Line != 5) {
			t.Errorf("lines %d, %d of\n%s", c.Hooks[0].Line, c.Hooks[1].Line, tt.text)
		}
	}
}

// TestOtherModules checks that further modules in a folder are found by their content, and that the module in its usual
// place is left out.
func TestOtherModules(t *testing.T) {
	_, m := moduleAgent()
	dir := t.TempDir()
	for name, text := range map[string]string{"own.js": string(m.Write([]byte(entries))), "theirs.js": "// head\n",
		"more.js": string(m.Write([]byte(`{}`)))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := schema.Source{File: filepath.Join(dir, "own.js"), Scope: schema.ScopeUser}
	got := OtherModules(m, []schema.Source{at}, os.ReadFile)
	if len(got) != 1 || filepath.Base(got[0].File) != "more.js" || got[0].Scope != schema.ScopeUser {
		t.Errorf("%+v", got)
	}
}

// TestModuleSpec checks how a module starts a command, without a shell if it can.
func TestModuleSpec(t *testing.T) {
	a, _ := moduleAgent()
	for _, tt := range []struct {
		os   string
		hook schema.Hook
		want []string // nil: it isn't started
	}{
		{"linux", schema.Hook{Command: "a | b"}, []string{"/bin/sh", "-c", "a | b"}},
		{"windows", schema.Hook{Command: "a | b"}, []string{"cmd.exe", "/d", "/s", "/c", "a | b"}},
		{"linux", schema.Hook{Command: "a", Args: []string{"b c"}}, []string{"a", "b c"}},
		{"linux", schema.Hook{Command: "hookbridge run 'x y'"}, []string{"hookbridge", "run", "x y"}},
		{"windows", schema.Hook{Command: "/b/hookbridge.exe run"}, []string{"/b/hookbridge.exe", "run"}},
		{"linux", schema.Hook{Command: "hookbridge"}, []string{"/bin/sh", "-c", "hookbridge"}},
		{"linux", schema.Hook{Command: "hookbridge run | x"}, []string{"/bin/sh", "-c", "hookbridge run | x"}},
		{"linux", schema.Hook{Command: "other run"}, []string{"/bin/sh", "-c", "other run"}},
		{"linux", schema.Hook{Handler: schema.HandlerPrompt}, nil},
	} {
		if tt.hook.Handler == 0 && tt.hook.Command != "" {
			tt.hook.Handler = schema.HandlerCommand
		}
		spec, err := a.Spec(&tt.hook, &schema.Call{Project: "/p"}, schema.Places{OS: tt.os})
		if (err != nil) != (tt.want == nil) || !slices.Equal(spec.Argv, tt.want) || err == nil && spec.Dir != "/p" {
			t.Errorf("%+v: %q in %s %v", tt.hook, spec.Argv, spec.Dir, err)
		}
	}
}

// TestModuleReplies checks that a command fails unless it ends with exit code 0 and an object of the protocol. It also
// checks that a failure denies if its entry says so, and that a denial needs only the word.
func TestModuleReplies(t *testing.T) {
	a, _ := moduleAgent()
	a.Answer = ptr(ModuleAnswer(AnswerRules{}))
	a.Steps.Decide = DecideModule
	const denied, open = schema.Deny, schema.NoOpinion
	for _, tt := range []struct {
		about        string
		res          process.Result
		plain, close schema.Verdict // without and with the entry's switch
	}{
		{"no objection", answer(0, `{"protocol":3}`), open, open},
		{"deny", answer(0, `{"protocol":3,"decision":"deny"}`), denied, denied},
		{"block", answer(0, `{"protocol":3,"decision":"block"}`), denied, denied},
		{"ask, which a module can't", answer(0, `{"protocol":3,"decision":"ask"}`), denied, denied},
		{"approve", answer(0, `{"protocol":3,"decision":"approve"}`), open, open},
		{"another protocol", answer(0, `{"protocol":2,"decision":"approve"}`), open, denied},
		{"no protocol", answer(0, `{}`), open, denied},
		{"no object", answer(0, `[]`), open, denied},
		{"nothing", answer(0, ""), open, denied},
		{"a failure", answer(1, `{"protocol":3}`), open, denied},
		{"exit code 2", answer(2, `{"protocol":3}`), denied, denied},
		{"killed", process.Result{Exit: -1, TimedOut: true}, open, denied},
	} {
		for fail, want := range map[schema.FailPolicy]schema.Verdict{0: tt.plain, schema.FailClosed: tt.close} {
			h := schema.Hook{Event: schema.PreTool, Native: "tool", Handler: schema.HandlerCommand, Fail: fail}
			r, _ := a.DecodeReply(&h, schema.View{Event: "tool"}, &tt.res)
			if r.Verdict != want || want == denied && r.Reason == "" {
				t.Errorf("%s, %v: %v %q, want %v", tt.about, fail, r.Verdict, r.Reason, want)
			}
			h.Event, h.Native = schema.SessionEnd, "end"
			if r, _ := a.DecodeReply(&h, schema.View{Event: "end"}, &tt.res); r.Verdict > open {
				t.Errorf("%s at an event that refuses nothing: %v", tt.about, r.Verdict)
			}
		}
	}
}

func ptr[T any](v T) *T { return &v }

func answer(exit int, text string) process.Result {
	return process.Result{Exit: exit, Stdout: []byte(text)}
}

// TestStamp checks that every answer is one object with the protocol in it.
func TestStamp(t *testing.T) {
	_, m := moduleAgent()
	for in, want := range map[string]string{"": `x{"protocol":3}`, "{}": `x{"protocol":3}`,
		`{"a":1}`: `x{"protocol":3,"a":1}`} {
		if got := string(m.Stamp([]byte("x"), []byte(in))); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestBothReasons checks that a denial that also ends the turn has one text.
func TestBothReasons(t *testing.T) {
	for _, tt := range [][3]string{{"", "", NoReason}, {"a", "", "a"}, {"", "b", "b"}, {NoReason, "b", "b"},
		{"a", "a", "a"}, {"a", "b", schema.JoinText("a", "b")}} {
		if got := bothReasons(&schema.Reply{Reason: tt[0], EndReason: tt[1]}); got != tt[2] {
			t.Errorf("%q and %q: %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

// TestModuleEntry checks that a failure denies only where an answer can, and that a call of hookbridge is split into
// words.
func TestModuleEntry(t *testing.T) {
	a, _ := moduleAgent()
	h := schema.Hook{Handler: schema.HandlerCommand, Command: "hookbridge run -c 'a b'", Fail: schema.FailClosed}
	for event, want := range map[string]string{
		"tool": `{"command":"hookbridge","args":["run","-c","a b"],"failClosed":true}`,
		"end":  `{"command":"hookbridge","args":["run","-c","a b"]}`,
		"none": `{"command":"hookbridge","args":["run","-c","a b"]}`,
	} {
		if got, _ := a.WriteHook(schema.Entry{Native: event}, &h); string(got) != want {
			t.Errorf("%s: %s, want %s", event, got, want)
		}
	}
	if h.Args != nil || h.Fail != schema.FailClosed {
		t.Errorf("the hook has changed: %+v", h)
	}

	h = schema.Hook{Command: "a b", Args: []string{"c d"}}
	JoinArgs(nil, nil, &h, ordjson.Member{})
	if h.Command != `'a b' 'c d'` || h.Args != nil {
		t.Errorf("joined: %+v", h)
	}
}

// TestReasonAlone checks that context is left out if the model reads the reason of a denial instead of a result.
func TestReasonAlone(t *testing.T) {
	const all = schema.EffectContext | schema.EffectDeny
	for about, tt := range map[string]struct {
		event schema.Event
		reply *schema.Reply
		want  schema.Feature
	}{
		"a refusal":        {schema.PreTool, &schema.Reply{Verdict: schema.Deny}, schema.EffectDeny},
		"the turn's end":   {schema.PreTool, &schema.Reply{EndTurn: true}, schema.EffectDeny},
		"no refusal":       {schema.PreTool, &schema.Reply{Verdict: schema.Allow}, all},
		"no reply":         {schema.PreTool, nil, all},
		"behind the event": {schema.PostTool, &schema.Reply{Verdict: schema.Deny}, all},
	} {
		if got := ReasonAlone(&schema.Call{Event: tt.event}, tt.reply, all); got != tt.want {
			t.Errorf("%s: %v", about, got)
		}
	}
}
