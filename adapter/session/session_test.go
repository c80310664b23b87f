package session

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/schema"
)

// TestEnd: an End ends its own turn, or all turns; a damaged one still ends its turn.
func TestEnd(t *testing.T) {
	for _, tt := range []struct {
		end   End
		turn  string
		holds bool
	}{
		{End{Turn: "g"}, "g", true}, {End{Turn: "g"}, "h", false}, {End{Turn: "g"}, "", false}, {End{}, "", true},
		{End{}, "g", false}, {End{Turn: WholeSession}, "g", true}, {End{Turn: WholeSession}, "", true},
	} {
		if tt.end.Holds(tt.turn) != tt.holds {
			t.Errorf("%+v of %q: %t", tt.end, tt.turn, !tt.holds)
		}
	}

	store, now := state.Store{Dir: filepath.Join(t.TempDir(), "state")}, time.Now()
	put(t, store, "s", now, keyEnd, "g")
	if e, ok := opened(t, store, now).End().Get(); !ok || !e.Holds("g") {
		t.Errorf("a damaged end is lifted: %+v", e)
	}
	m := opened(t, store, now)
	m.End().Take()
	if !m.Commit() || endOf(opened(t, store, now)) != "" {
		t.Error("the end isn't dropped")
	}
}

// TestLimits: text that is too long is cut, or forgotten with the record before it.
func TestLimits(t *testing.T) {
	store, now := state.Store{Dir: filepath.Join(t.TempDir(), "state")}, time.Now()
	long := strings.Repeat("x", MaxText-1) + "éé"
	keep := func(message string) {
		m := opened(t, store, now)
		m.Said().Keep(Said{Text: long})
		m.Call(ls).KeepEdits([]schema.TextEdit{{New: long}})
		m.Entry("e").KeepTurn(Turn{Rounds: 1, Message: message})
		m.Call(ls).Server().Keep("db")
		if !m.Commit() {
			t.Fatal("not kept")
		}
	}
	keep("go on")
	m := opened(t, store, now)
	if s, ok := m.Said().Get(); !ok || s.Text != long[:MaxText-1] {
		t.Errorf("%d bytes are kept of the message", len(s.Text))
	}
	if _, ok := m.Call(ls).Edits(); ok || !m.Call(ls).Known() {
		t.Error("long edits are kept")
	}
	if rounds, _ := m.Entry("e").Continued("", ""); rounds != 1 || !m.SentOn("go on") {
		t.Error("the continuation isn't kept")
	}
	for _, message := range []string{long, ""} {
		keep("go on")
		keep(message)
		m = opened(t, store, now)
		if rounds, _ := m.Entry("e").Continued("", ""); rounds != 0 || m.SentOn("go on") {
			t.Errorf("after a message of %d bytes the earlier continuation is left", len(message))
		}
	}
}

// TestCompareHooks: a change counts once, except for entries that pin the first hooks.
func TestCompareHooks(t *testing.T) {
	many := slices.Repeat([]string{"aaaaaaaaaaaa"}, MaxText/12)
	for _, tt := range []struct {
		name   string
		calls  [][]string
		pinned bool
		want   string // of the last call
	}{
		{"the first call", [][]string{{"a"}}, false, "false 0"},
		{"no change", [][]string{{"a"}, {"a"}}, false, "false 0"},
		{"one more", [][]string{{"a"}, {"a", "b"}}, false, "true 0"},
		{"one less", [][]string{{"a", "b", "c"}, {"b"}}, false, "true 2"},
		{"the same change again", [][]string{{"a", "b"}, {"b"}, {"b"}}, false, "false 0"},
		{"the same change again, pinned", [][]string{{"a", "b"}, {"b"}, {"b"}}, true, "true 1"},
		{"back again", [][]string{{"a"}, {"b"}, {"a"}}, false, "true 1"},
		{"back again, pinned", [][]string{{"a"}, {"b"}, {"a"}}, true, "false 0"},
		{"more than is remembered", [][]string{many, many}, false, "false 0"},
		{"more than is remembered, changed", [][]string{many, append([]string{"b"}, many...)}, false, "true 1"},
		{"none", [][]string{nil, {"a"}}, false, "true 0"},
	} {
		store, now := state.Store{Dir: filepath.Join(t.TempDir(), "state")}, time.Now()
		got := ""
		for _, marks := range tt.calls {
			m := opened(t, store, now)
			changed, gone := m.Entry("e").CompareHooks(marks, tt.pinned)
			got = fmt.Sprint(changed, gone)
			if !m.Commit() {
				t.Fatal("not kept")
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestAgentWithoutID: a sub-agent without an id doesn't replace the session's record.
func TestAgentWithoutID(t *testing.T) {
	store, now := state.Store{Dir: filepath.Join(t.TempDir(), "state")}, time.Now()
	m := opened(t, store, now)
	m.Began().Keep(now.Add(-time.Minute))
	m.AgentBegan("").Keep(now)
	if !m.Commit() {
		t.Fatal("not kept")
	}
	m = opened(t, store, now)
	if at, ok := m.Began().Get(); !ok || at.UnixMilli() != now.Add(-time.Minute).UnixMilli() {
		t.Errorf("the session began at %s", at)
	}
	if at, ok := m.AgentBegan("").Get(); ok {
		t.Errorf("no agent began at %s", at)
	}
}

// TestManyEqualCalls: of equal calls that run at once, the newest are remembered.
func TestManyEqualCalls(t *testing.T) {
	store, now := state.Store{Dir: filepath.Join(t.TempDir(), "state")}, time.Now()
	by := Runner{Agent: "claude"}
	for i := range maxEqual + 3 {
		m := opened(t, store, now)
		m.Call(ls).KeepRan(by, []string{fmt.Sprint(i)})
		if !m.Commit() {
			t.Fatal("not kept")
		}
	}
	call := opened(t, store, now).Call(ls)
	n := 0
	for marks, ok := call.TakeRan(by); ok; marks, ok = call.TakeRan(by) {
		if want := fmt.Sprint(n + 3); len(marks) != 1 || marks[0] != want {
			t.Errorf("%q, want %s", marks, want)
		}
		n++
	}
	if n != maxEqual {
		t.Errorf("%d are remembered", n)
	}
}

// TestShared: no run finds what another leaves for the same event, and what waits for one answer is delivered once.
func TestShared(t *testing.T) {
	store, now := state.Store{Dir: filepath.Join(t.TempDir(), "state")}, time.Now()
	m := opened(t, store, now)
	m.AddContext("once")
	m.Call(ls).Ask().Keep("sure?")
	m.Model().Keep("gpt")
	m.Entry("e").KeepLoop("stop", "", 1)
	if !m.Commit() {
		t.Fatal("not kept")
	}
	var shared Shared
	a, b := Open(store, "s", now, &shared, nil), Open(store, "s", now, &shared, nil)
	a.Read()
	a.Entry("e").Start()
	a.Entry("e").KeepLoop("stop", "", 0)
	if got := a.TakeContext(); len(got) != 1 || got[0] != "once" {
		t.Errorf("the first takes %q", got)
	}
	if reason, ok := a.Call(ls).Ask().Take(); !ok || reason != "sure?" || !a.Commit() {
		t.Errorf("the first asks %q", reason)
	}
	b.Read()
	if b.Entry("e").Start() || !b.Found() || b.Entry("e").Loop("stop", "") != 1 {
		t.Error("the second finds what the first left")
	}
	if name, ok := b.Model().Get(); !ok || name != "gpt" {
		t.Errorf("the second has the model %q", name)
	}
	if got := b.TakeContext(); len(got) > 0 {
		t.Errorf("the second takes %q too", got)
	}
	if reason, ok := b.Call(ls).Ask().Take(); ok {
		t.Errorf("the second asks %q too", reason)
	}
}

// TestErrors: a failure to read or write a session is noted, and doesn't count as an empty session.
func TestErrors(t *testing.T) {
	store, now := state.Store{Dir: filepath.Join(t.TempDir(), "state")}, time.Now()
	var errs []error
	open := func(store state.Store) *Memory {
		errs = nil
		m := Open(store, "s", now, nil, func(err error) { errs = append(errs, err) })
		m.Read()
		return m
	}

	m := open(store)
	if m.Lost() || m.Found() || !m.Ready() {
		t.Errorf("a new session: lost %t, found %t", m.Lost(), m.Found())
	}
	m.Model().Keep("gpt")
	if !m.Commit() || !open(store).Found() || len(errs) > 0 {
		t.Error("not kept:", errs)
	}

	files, err := os.ReadDir(store.Dir)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(store.Dir, file.Name()), []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if m = open(store); !m.Lost() || m.Found() || len(errs) != 1 {
		t.Errorf("a damaged file: lost %t, %v", m.Lost(), errs)
	}

	m = open(state.Store{Dir: filepath.Join(store.Dir, files[0].Name(), "state")})
	m.Model().Keep("gpt")
	if m.Ready() || m.Commit() || len(errs) == 0 {
		t.Errorf("a folder that can't be made: %v", errs)
	}
}

// TestForget: a session is forgotten with its calls.
func TestForget(t *testing.T) {
	store, now := state.Store{Dir: filepath.Join(t.TempDir(), "state")}, time.Now()
	m := opened(t, store, now)
	m.Model().Keep("gpt")
	m.Call(ls).Server().Keep("db")
	if !m.Commit() {
		t.Fatal("not kept")
	}
	opened(t, store, now).Forget()
	if m = opened(t, store, now); m.Found() || m.Call(ls).Known() {
		t.Error("it is still there")
	}
}
