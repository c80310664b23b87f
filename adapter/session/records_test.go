package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// lsName is the name of ls. It must not change, or a session loses what its calls have left.
const lsName = "830c88bbae7b92960b1ff43c99372157"

var ls = &schema.Call{Event: schema.PreTool, Cwd: "/w", Tool: schema.Tool{Name: "Bash",
	Kinds: []schema.Kind{schema.Shell}, Input: schema.Args{{Role: schema.RoleCommand, Raw: []byte(`"ls"`)}}}}

// opened returns a session in store, read at now.
func opened(t *testing.T, store state.Store, now time.Time) *Memory {
	t.Helper()
	m := Open(store, "s", now, nil, func(err error) { t.Error(err) })
	m.Read()
	return m
}

// TestRecords: a later call finds each record during its lifetime, in the form that earlier versions wrote. A call
// doesn't find its own records, and a damaged value is absent.
func TestRecords(t *testing.T) {
	hook := &schema.Hook{Source: schema.Source{File: "/s/SKILL.md"}, Path: "/hooks/0", Command: "true"}
	at := time.UnixMilli(1700000000123)
	all, one := Runner{Event: "PreTool", Agent: "claude"}, Runner{Event: "PreTool", Agent: "claude", Hook: "f"}
	turn := Turn{Rounds: 2, Prompt: "p", Answer: "done", Message: "go on"}
	vars := []schema.EnvVar{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}, {Name: "A", Value: "3"}}
	const entry = "claude|x"

	for _, tt := range []struct {
		name         string
		keep         func(*Memory)
		read         func(*Memory) string
		absent, want string // the result of read
		item         item
		damaged      []string // values that read treats as absent
	}{
		{"the end of a turn", func(m *Memory) { m.KeepEnd(End{"g", "why"}) }, endOf,
			"", "g why", item{"end", "g\x00why", 0, false}, nil},
		{"the end of a turn without a name", func(m *Memory) { m.KeepEnd(End{"", "why"}) }, endOf,
			"", " why", item{"end", "\x00why", time.Hour, false}, nil},
		{"the end of the session", func(m *Memory) { m.KeepEnd(End{WholeSession, ""}) }, endOf,
			"", "* ", item{"end", "*\x00", 0, false}, nil},
		{"a question", func(m *Memory) { m.Call(ls).Ask().Keep("sure?") },
			func(m *Memory) string { return value(m.Call(ls).Ask().Take()) },
			"", "sure?", item{"ask|" + lsName, "sure?", 0, false}, nil},
		{"context", func(m *Memory) { m.AddContext("c") },
			func(m *Memory) string { return fmt.Sprint(m.TakeContext(), m.TakeContext()) },
			"[] []", "[c] []", item{"ctx|", "c", time.Hour, false}, nil},
		{"context of a call", func(m *Memory) { m.Call(ls).AddContext("c") },
			func(m *Memory) string { return fmt.Sprint(m.TakeContext(), m.Call(ls).TakeContext()) },
			"[] []", "[] [c]", item{"ctx|" + lsName, "c", time.Hour, false}, nil},
		{"context of any call", func(m *Memory) { m.Call(ls).AddContext("c") },
			func(m *Memory) string { return fmt.Sprint(m.Waits(), m.TakeCallsContext(), m.Waits()) },
			"false [] false", "true [c] false", item{"ctx|" + lsName, "c", time.Hour, false}, nil},
		{"the model", func(m *Memory) { m.Model().Keep("gpt") },
			func(m *Memory) string { return value(m.Model().Get()) },
			"", "gpt", item{"model", "gpt", 0, false}, nil},
		{"the last message", func(m *Memory) { m.Said().Keep(Said{"g", "done"}) }, saidOf,
			"", "g done", item{"said", "g\x00done", time.Hour, false}, []string{"", "g"}},
		{"the beginning", func(m *Memory) { m.Began().Keep(at) },
			func(m *Memory) string { return timeOf(m.Began().Get()) },
			"", "1700000000123", item{"began|", "1700000000123", 0, false}, []string{"", "x", "1e3"}},
		{"the beginning of a sub-agent", func(m *Memory) { m.AgentBegan("a").Keep(at) },
			func(m *Memory) string { return timeOf(m.AgentBegan("a").Get()) },
			"", "1700000000123", item{"began|a", "1700000000123", time.Hour, false}, []string{"soon"}},
		{"a hook that ran once", func(m *Memory) { m.Ran(hook).Set() },
			func(m *Memory) string { return fmt.Sprint(m.Ran(hook).IsSet()) },
			"false", "true", item{"once|/s/SKILL.md/hooks/0\x00true", "1", 0, false}, nil},
		{"no transcript", func(m *Memory) { m.NoTranscript().Set() },
			func(m *Memory) string { return fmt.Sprint(m.NoTranscript().IsSet()) },
			"false", "true", item{"no-transcript", "1", 0, false}, nil},
		{"a prefix", func(m *Memory) { m.KeepPrefix("ab") },
			func(m *Memory) string { return m.WithoutPrefix("abc") },
			"abc", "c", item{"prefix", "2 " + digest("ab"), time.Hour, false},
			[]string{"", "2", "-1 " + digest("ab"), "9 x", "x x"}},

		{"the start", func(m *Memory) { m.Entry(entry).Start() },
			func(m *Memory) string { return fmt.Sprint(m.Entry(entry).Start()) },
			"false", "true", item{"seen|claude|x", "1", 0, false}, nil},
		{"a loop", func(m *Memory) { m.Entry(entry).KeepLoop("stop", "a", 3) },
			func(m *Memory) string { return fmt.Sprint(m.Entry(entry).Loop("stop", "a")) },
			"0", "3", item{"loop|claude|x|stopa", "3", time.Hour, false}, []string{"", "x", "-2"}},
		{"variables", func(m *Memory) { m.Entry(entry).KeepEnv(vars) },
			func(m *Memory) string { return fmt.Sprint(m.Env("claude"), m.Env("cla")) },
			"[] []", "[{B 2} {A 3}] []", item{"env|claude|x", `{"B":"2","A":"3"}`, 0, false},
			[]string{"", "{", `{"A":1}`, "[]"}},
		{"the number of a command", func(m *Memory) { m.Entry(entry).NextCommand() },
			func(m *Memory) string { return fmt.Sprint(m.Entry(entry).NextCommand()) },
			"0", "1", item{"cmd|claude|x", "1", 7 * 24 * time.Hour, false}, []string{"", "x", "-4"}},
		{"a compaction", func(m *Memory) { m.Entry(entry).Compacted().Set() },
			func(m *Memory) string { return fmt.Sprint(m.Entry(entry).Compacted().IsSet()) },
			"false", "true", item{"compacted|claude|x", "1", 0, false}, nil},
		{"the hooks", func(m *Memory) { m.Entry(entry).CompareHooks([]string{"a", "b"}, true) },
			func(m *Memory) string {
				changed, gone := m.Entry(entry).CompareHooks([]string{"b", "c", "d"}, true)
				return fmt.Sprint(changed, gone)
			},
			"false 0", "true 1", item{"hooks|claude|x", "a b ", 0, false}, nil},
		{"a continuation", func(m *Memory) { m.Entry(entry).KeepTurn(turn) },
			func(m *Memory) string {
				rounds, last := m.Entry(entry).Continued("p", "done\nmore")
				return fmt.Sprintf("%d %q", rounds, last)
			},
			`0 ""`, `2 "more"`, item{"turn|claude|x", "2 " + digest("p") + " 4 " + digest("done"), time.Hour, false},
			[]string{"", "2", "x " + digest("p") + " 4 " + digest("done"), "2 " + digest("p") + " -4 x",
				"2 " + digest("p") + " 99 x"}},
		{"the message that sent the agent on", func(m *Memory) { m.Entry(entry).KeepTurn(turn) },
			func(m *Memory) string { return fmt.Sprint(m.SentOn("first\ngo on"), m.SentOn("go on and on")) },
			"false false", "true false", item{"going|claude|x", "go on", time.Hour, false}, nil},

		{"the hooks that ran", func(m *Memory) { m.Call(ls).KeepRan(all, []string{"a", "b"}) },
			func(m *Memory) string {
				marks, ok := m.Call(ls).TakeRan(all)
				_, again := m.Call(ls).TakeRan(all)
				return fmt.Sprint(marks, ok, again)
			},
			"[] false false", "[a b] true false", item{"ran|PreTool|claude", "a b", 5 * time.Minute, true}, nil},
		{"the hook that ran", func(m *Memory) { m.Call(ls).KeepRan(one, []string{"f"}) },
			func(m *Memory) string {
				_, other := m.Call(ls).TakeRan(all)
				marks, ok := m.Call(ls).TakeRan(one)
				return fmt.Sprint(other, marks, ok)
			},
			"false [] false", "false [f] true", item{"ran|PreTool|claude|f", "f", 5 * time.Minute, true}, nil},
		{"the beginning of a call", func(m *Memory) { m.Call(ls).Began().Keep(at) },
			func(m *Memory) string { return timeOf(m.Call(ls).Began().Get()) },
			"", "1700000000123", item{"began|", "1700000000123", time.Hour, true}, []string{"x"}},
		{"a server", func(m *Memory) { m.Call(ls).Server().Keep("db") },
			func(m *Memory) string { return value(m.Call(ls).Server().Get()) },
			"", "db", item{"srv", "db", time.Hour, true}, nil},
		{"edits", func(m *Memory) { m.Call(ls).KeepEdits([]schema.TextEdit{{Old: "a", New: "b"}}) }, readEdits,
			"", "[{a b false}]", item{"edits", `[{"old":"a","new":"b"}]`, time.Hour, true}, nil},
		{"a file as it was", func(m *Memory) { m.Call(ls).Original().Keep(Original{"a\n", true, true}) }, originalOf,
			"", `{"a\n" true true} "a\n"`, item{"orig", `"a\n"`, time.Hour, true},
			[]string{"", "a", "{}", `"a`, "false"}},
		{"a file that was not there", func(m *Memory) { m.Call(ls).Original().Keep(Original{}) }, originalOf,
			"", `{"" false true} null`, item{"orig", "null", time.Hour, true}, nil},
		{"a file that is not known", func(m *Memory) { m.Call(ls).Original().Keep(Original{Existed: true}) },
			originalOf, "", `{"" true false} `, item{"orig", "true", time.Hour, true}, nil},
		{"a file that is too long", func(m *Memory) {
			m.Call(ls).Original().Keep(Original{strings.Repeat("x", MaxText+1), true, true})
		}, originalOf, "", `{"" true false} `, item{"orig", "true", time.Hour, true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store, now := state.Store{Dir: filepath.Join(t.TempDir(), "state")}, time.Now()
			m := opened(t, store, now)
			if got := tt.read(opened(t, store, now)); got != tt.absent {
				t.Errorf("without it: %s, want %s", got, tt.absent)
			}
			if tt.keep(m); tt.read(m) != tt.absent {
				t.Error("the call finds what it leaves")
			}
			m = opened(t, store, now)
			if tt.keep(m); !m.Commit() {
				t.Fatal("it isn't kept")
			}
			if got := tt.read(opened(t, store, now)); got != tt.want {
				t.Errorf("later: %s, want %s", got, tt.want)
			}

			in, name := store, "s"
			if tt.item.ofCall {
				in, name = store.Calls("s"), lsName
			}
			tt.item.check(t, in, name, now)
			end := now.Add(10 * 365 * 24 * time.Hour)
			if tt.item.life > 0 {
				end = now.Add(tt.item.life + time.Second)
			}
			if got := tt.read(opened(t, store, end)); (got == tt.want) != (tt.item.life == 0) {
				t.Errorf("at the end of its life: %s", got)
			}
			for _, text := range tt.damaged {
				put(t, in, name, now, tt.item.key, text)
				if got := tt.read(opened(t, store, now)); got != tt.absent {
					t.Errorf("damaged as %q: %s, want %s", text, got, tt.absent)
				}
			}

			var none Memory
			none.Read()
			if tt.keep(&none); !none.Commit() || none.Remembers() || tt.read(&none) != tt.absent {
				t.Error("a Memory of no session has it")
			}
		})
	}
}

// An item is a record in a session's file, or in the file of ls.
type item struct {
	key, value string
	life       time.Duration // 0: the session's
	ofCall     bool
}

// check compares the item with those of a file.
func (want item) check(t *testing.T, in state.Store, name string, now time.Time) {
	t.Helper()
	until := int64(0)
	if want.life > 0 {
		until = now.Add(want.life).UnixNano()
	}
	err := in.View(name, now, func(tx *state.Tx) {
		if !slices.Contains(tx.All(""), state.Item{Key: want.key, Value: want.value, Until: until}) {
			t.Errorf("the file has %+v", tx.All(""))
		}
	})
	if err != nil {
		t.Error(err)
	}
}

func put(t *testing.T, in state.Store, name string, now time.Time, key, value string) {
	t.Helper()
	if err := in.Update(name, now, func(tx *state.Tx) error { tx.Put(key, value, 0); return nil }); err != nil {
		t.Fatal(err)
	}
}

func value(s string, ok bool) string {
	if !ok {
		return ""
	}
	return s
}

func endOf(m *Memory) string {
	e, ok := m.End().Get()
	return value(e.Turn+" "+e.Reason, ok)
}

func saidOf(m *Memory) string {
	s, ok := m.Said().Get()
	return value(s.Turn+" "+s.Text, ok)
}

func timeOf(at time.Time, ok bool) string { return value(fmt.Sprint(at.UnixMilli()), ok) }

func readEdits(m *Memory) string {
	es, ok := m.Call(ls).Edits()
	return value(fmt.Sprint(es), ok)
}

func originalOf(m *Memory) string {
	o, ok := m.Call(ls).Original().Get()
	return value(fmt.Sprintf("{%q %t %t} %s", o.Text, o.Existed, o.Known, o.JSON()), ok)
}
