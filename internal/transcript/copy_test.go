//go:build unix

package transcript

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/claude"
	"github.com/hookbridge/hookbridge/cursor"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/state"
	"github.com/hookbridge/hookbridge/qoder"
	"github.com/hookbridge/hookbridge/schema"
)

var now = time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)

// A desk is one session whose transcript is copied.
type desk struct {
	t *testing.T
	Copy
}

func newDesk(t *testing.T, from, to dialect.Transcriber) *desk {
	dir := t.TempDir()
	d := &desk{t, Copy{Store: state.Store{Dir: filepath.Join(dir, "state")}, Session: "copies",
		Source: filepath.Join(dir, "s-1.jsonl"), From: from, To: to,
		Thread: schema.Thread{Session: "s-1", Cwd: "/srv/app", Model: "m", Now: now}}}
	d.Name = Name(&d.Thread, d.Source)
	return d
}

func (d *desk) write(text string) {
	d.t.Helper()
	if err := os.WriteFile(d.Source, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) add(text string) {
	d.t.Helper()
	f, err := os.OpenFile(d.Source, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	f.WriteString(text)
	f.Close()
}

// refresh returns the content of the copy, and fails if bytes of before have changed.
func (d *desk) refresh(before string) (string, Result) {
	d.t.Helper()
	res, err := d.Refresh()
	if err != nil {
		d.t.Fatal(err)
	}
	text, err := os.ReadFile(res.Path)
	if err != nil {
		d.t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), before) {
		d.t.Errorf("the copy was changed:\n%s\nwas\n%s", text, before)
	}
	for line := range bytes.Lines(text) {
		if line[len(line)-1] != '\n' || ordjson.Check(line) != nil {
			d.t.Errorf("the copy has a line that is no JSON: %q", line)
		}
	}
	return string(text), res
}

// texts returns the texts of a copy in the Messages API's form, one a line.
func texts(copied string) (all []string) {
	for line := range strings.Lines(copied) {
		ms, _ := claude.New().DecodeMessage([]byte(line))
		if ms == nil {
			ms, _ = cursor.Dialect{}.DecodeMessage([]byte(line))
		}
		for _, m := range ms {
			for _, b := range m.Blocks {
				s, _ := ordjson.String(b.Text)
				if b.Kind == schema.BlockUse {
					s = "use " + b.Tool.Name
				}
				if b.Kind == schema.BlockResult {
					s = "result " + string(b.Result)
				}
				all = append(all, s)
			}
		}
	}
	return all
}

func said(role, text string) string {
	return `{"role":"` + role + `","message":{"content":[{"type":"text","text":"` + text + `"}]}}` + "\n"
}

const ended = `{"type":"turn_ended","status":"success"}` + "\n"

func TestIncremental(t *testing.T) {
	d := newDesk(t, cursor.Dialect{}, claude.New())
	if res, err := d.Refresh(); err != nil || !res.Missing || filepath.Base(res.Path) != "s-1.jsonl" {
		t.Fatalf("no source yet: %+v, %v", res, err)
	}
	var got string
	for _, step := range []struct{ add, want string }{
		{said("user", `<user_query>\nhi\n</user_query>`), "hi"},
		{"", "hi"},
		{said("assistant", "hello")[:20], "hi"},
		{said("assistant", "hello")[20:], "hi hello"},
		{strings.TrimSuffix(said("assistant", "whole"), "\n"), "hi hello whole"}, // older versions end no line
		{"\n" + said("assistant", "next"), "hi hello whole next"},
		{"\n\n   \n", "hi hello whole next"},
		{"no json\n" + said("assistant", "on"), "hi hello whole next on"},
	} {
		d.add(step.add)
		if got, _ = d.refresh(got); strings.Join(texts(got), " ") != step.want {
			t.Errorf("after %q: %q, want %q", step.add, texts(got), step.want)
		}
	}
	if fi, _ := os.Stat(d.Store.Log(d.Session, d.Name)); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", fi.Mode())
	}
}

// TestRewritten checks that a source that is rewritten, as Cursor's is at the end of a turn, is followed without a
// repeated message.
func TestRewritten(t *testing.T) {
	d := newDesk(t, cursor.Dialect{}, claude.New())
	var got string
	for _, step := range []struct{ file, want string }{
		{said("user", "1") + said("assistant", "2") + ended, "1 2"},
		{said("user", "1") + said("assistant", "2") + said("user", "3"), "1 2 3"}, // the mark is gone
		{`{"type":"metadata","metadata":{"overview":"o"}}` + "\n" + said("user", "1") + said("assistant", "2") +
			said("user", "3") + said("assistant", "4") + ended, "1 2 3 4"},
		{said("user", "3") + said("assistant", "4") + said("user", "5"), "1 2 3 4 5"}, // the oldest are gone
		{said("user", "summary") + said("assistant", "6"), "1 2 3 4 5 summary 6"},     // nothing known is left
		{said("user", "sum")[:9], "1 2 3 4 5 summary 6"},                              // being written
		{said("user", "summary"), "1 2 3 4 5 summary 6"},
		{"", "1 2 3 4 5 summary 6"},                                                                     // emptied
		{said("user", "summary") + said("assistant", "6") + said("user", "7"), "1 2 3 4 5 summary 6 7"}, // and back
		// the user went back to a message
		{said("user", "summary") + said("assistant", "8") + said("user", "9"), "1 2 3 4 5 summary 6 7 8 9"},
	} {
		d.write(step.file)
		if got, _ = d.refresh(got); strings.Join(texts(got), " ") != step.want {
			t.Errorf("after\n%s%q, want %q", step.file, texts(got), step.want)
		}
	}
}

func TestLimits(t *testing.T) {
	d := newDesk(t, cursor.Dialect{}, claude.New())
	d.Limits = Limits{Work: 4096, Line: 1024, Copy: 60_000}
	d.write(strings.Repeat(said("assistant", "old"), 200) + said("assistant", "new"))
	got, res := d.refresh("")
	if list := texts(got); !res.Cut || res.Skipped > 0 || list[len(list)-1] != "new" || len(list) > 70 {
		t.Errorf("too much at once: %d messages, %+v", len(list), res)
	}
	d.write(said("user", "a") + said("assistant", strings.Repeat("x", 2000)) + said("assistant", "b"))
	d.Store.Dir += "2"
	got, res = d.refresh("")
	if strings.Join(texts(got), " ") != "a b" || res.Skipped != 1 {
		t.Errorf("a long line: %q, %+v", texts(got), res)
	}
	// A line without an end, far longer than one read.
	d.add(strings.Repeat("y", 3000))
	if got, res = d.refresh(got); strings.Join(texts(got), " ") != "a b" || res.Skipped != 1 {
		t.Errorf("a line without an end: %q, %+v", texts(got), res)
	}
	d.add(strings.Repeat("y", 10_000))
	if got, res = d.refresh(got); strings.Join(texts(got), " ") != "a b" {
		t.Errorf("and more of it: %q, %+v", texts(got), res)
	}
	d.add("\n" + said("assistant", "c"))
	if got, _ = d.refresh(got); strings.Join(texts(got), " ") != "a b c" {
		t.Errorf("and its end: %q", texts(got))
	}
	for range 30 {
		d.add(strings.Repeat(said("assistant", "more"), 40))
		got, res = d.refresh(got)
	}
	if !res.Full || len(got) > 60_000 {
		t.Errorf("%d bytes, %+v", len(got), res)
	}
}

// TestEnough checks that a call that has done enough leaves the rest to the next one, and that nothing is lost.
func TestEnough(t *testing.T) {
	d := newDesk(t, cursor.Dialect{}, claude.New())
	looks := 0
	d.Limits = Limits{Enough: func() bool { looks++; return looks%3 == 0 }}
	const lines = 10_000
	d.write(strings.Repeat("{}\n", 20_000) + strings.Repeat(said("assistant", "x"), lines))

	var got string
	calls := 0
	for behind := true; behind && calls < 100; calls++ {
		var res Result
		got, res = d.refresh(got)
		behind = res.Behind
	}
	if n := len(texts(got)); n != lines || calls < 3 {
		t.Errorf("%d of %d messages after %d calls", n, lines, calls)
	}

	// a rewritten source is searched, which may be enough for one call, and nothing is lost
	d.Limits.Enough = func() bool { return true }
	d.write(strings.Repeat(said("user", "again"), lines))
	if text, res := d.refresh(got); !res.Behind || text != got {
		t.Errorf("%+v", res)
	}
	if whole, err := Messages(d.Source, cursor.Dialect{}, d.Limits, func(*schema.Message) {}); whole || err != nil {
		t.Error(whole, err)
	}
}

// TestHugeLine checks that 100 MB without an end cost memory only for what is kept.
func TestHugeLine(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100 MB")
	}
	d := newDesk(t, claude.New(), cursor.Dialect{})
	d.write(claudeSaid("first"))
	got, _ := d.refresh("")
	if err := os.Truncate(d.Source, 100<<20); err != nil { // zeros: no JSON and no end
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, _ = d.refresh(got)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
		t.Errorf("%d MB allocated", n>>20)
	}
	d.add("\n" + claudeSaid("last"))
	if got, _ = d.refresh(got); strings.Join(texts(got), " ") != "first last" {
		t.Errorf("%q", texts(got))
	}
}

func claudeSaid(text string) string {
	return `{"parentUuid":null,"isSidechain":false,"type":"assistant","message":{"id":"msg_1","type":"message",` +
		`"role":"assistant","model":"m","content":[{"type":"text","text":"` +
		text + `"}],"stop_reason":"end_turn","stop_sequence":null},"uuid":"u","timestamp":"2026-11-22T02:46:36.754Z"}` +
		"\n"
}

// TestDamaged checks that a lost or altered copy, and an interrupted call, are repaired.
func TestDamaged(t *testing.T) {
	d := newDesk(t, qoder.New(), claude.New())
	d.write(claudeSaid("a") + claudeSaid("b"))
	want, res := d.refresh("")
	for name, damage := range map[string]func() error{
		"lost":        func() error { return os.Remove(res.Path) },
		"short":       func() error { return os.Truncate(res.Path, 5) },
		"interrupted": func() error { return os.WriteFile(res.Path, []byte(want+`{"half`), 0o600) },
		"forgotten":   func() error { return os.Remove(filepath.Dir(res.Path)[:len(filepath.Dir(res.Path))-4]) },
	} {
		if err := damage(); err != nil {
			t.Fatal(name, err)
		}
		if got, _ := d.refresh(""); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestUnsafeSource(t *testing.T) {
	d := newDesk(t, claude.New(), cursor.Dialect{})
	other := filepath.Join(t.TempDir(), "other")
	os.WriteFile(other, []byte(claudeSaid("secret")), 0o600)
	for name, make := range map[string]func() error{
		"link":   func() error { return os.Symlink(other, d.Source) },
		"fifo":   func() error { return syscall.Mkfifo(d.Source, 0o600) },
		"folder": func() error { return os.Mkdir(d.Source, 0o700) },
	} {
		if err := make(); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Refresh(); !errors.Is(err, ErrUnsafe) {
			t.Errorf("%s: %v", name, err)
		}
		os.Remove(d.Source)
	}
	d.Source = "/dev/zero"
	if _, err := d.Refresh(); !errors.Is(err, ErrUnsafe) {
		t.Errorf("/dev/zero: %v", err)
	}
}

// TestNames checks that a copy stays in its folder, under any name of the session.
func TestNames(t *testing.T) {
	for _, session := range []string{"../../etc/x", "a/b", "..", ".", "", ".hidden", "x\x00y", strings.Repeat("a", 300),
		`a\b`, "a b", "C:x"} {
		d := newDesk(t, cursor.Dialect{}, claude.New())
		d.Thread.Session = session
		d.Name = Name(&d.Thread, d.Source)
		d.write(said("user", "hi"))
		_, res := d.refresh("")
		if dir := filepath.Dir(d.Store.Log(d.Session, "x")); filepath.Dir(res.Path) != dir ||
			filepath.Base(res.Path) != d.sourceID()+".jsonl" {
			t.Errorf("%q: %s", session, res.Path)
		}
	}
	// Two transcripts that want one name.
	d := newDesk(t, cursor.Dialect{}, claude.New())
	d.write(said("user", "one"))
	one, _ := d.refresh("")
	d.Source += ".other"
	d.write(said("user", "two"))
	if two, res := d.refresh(""); filepath.Base(res.Path) == "s-1.jsonl" || strings.Join(texts(two), " ") != "two" ||
		strings.Join(texts(one), " ") != "one" {
		t.Errorf("%s: %q", res.Path, two)
	}
}

// TestUsers checks that the copies are removed by the last call that uses them.
func TestUsers(t *testing.T) {
	d := newDesk(t, cursor.Dialect{}, claude.New())
	d.write(said("user", "hi"))
	_, res := d.refresh("")
	for i, step := range []struct {
		add  int
		kept bool
	}{{1, true}, {1, true}, {-1, true}, {-1, false}} {
		if err := Users(d.Store, d.Session, now, step.add); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(res.Path); (err == nil) != step.kept {
			t.Errorf("step %d: %v", i, err)
		}
	}
}

// TestAwaits checks that a copy reports whether it has the model's last text, even if the text was there before, or was
// said once already.
func TestAwaits(t *testing.T) {
	d := newDesk(t, cursor.Dialect{}, claude.New())
	for i, step := range []struct {
		add, awaits string
		want        bool
	}{
		{said("user", "hi"), "", true},
		{"", "done", false},
		{said("assistant", "done"), "done", true},
		{"", "done", true},
		{"", "other", false},
		{said("user", "again"), "done", false},
		{said("assistant", "so"), "I think so", true},
		{"", "I think so", true},
		{said("user", "more") + said("assistant", "early"), "", true},
		{"", "early ", true},
	} {
		d.add(step.add)
		d.Awaits = step.awaits
		if _, res := d.refresh(""); res.Arrived != step.want {
			t.Errorf("step %d: %v", i, res.Arrived)
		}
	}
}

func TestMark(t *testing.T) {
	m := mark{"a.jsonl", 1, 2, 3, place{4, 5, 6}, place{7, 8, 9}, true, 10, nil}
	if got, ok := readMark(m.String()); !ok || got.String() != m.String() {
		t.Errorf("%+v, %v", got, ok)
	}
	for _, s := range []string{"", "x", "2 1 2 3 0 4 5 6 7 8 9 10 a", "1 -1 2 3 0 4 5 6 7 8 9 10 a",
		"1 1 2 3 0 4 5 6 7 8 9 10 a b", "1 99999999999999999999 2 3 0 4 5 6 7 8 9 10 a"} {
		if _, ok := readMark(s); ok {
			t.Errorf("%q is read", s)
		}
	}
}

// BenchmarkFirst copies 20 MB, BenchmarkNext adds one message to them.
func BenchmarkFirst(b *testing.B) {
	d := benchDesk(b)
	for b.Loop() {
		d.Store.Dir += "x"
		if _, err := d.Refresh(); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(20 << 20)
}

func BenchmarkNext(b *testing.B) {
	d := benchDesk(b)
	if _, err := d.Refresh(); err != nil {
		b.Fatal(err)
	}
	f, _ := os.OpenFile(d.Source, os.O_APPEND|os.O_WRONLY, 0o600)
	defer f.Close()
	b.ReportAllocs()
	for b.Loop() {
		f.WriteString(claudeSaid("next"))
		if _, err := d.Refresh(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchDesk(b *testing.B) *desk {
	dir := b.TempDir()
	d := &desk{nil, Copy{Store: state.Store{Dir: filepath.Join(dir, "state")}, Session: "c",
		Source: filepath.Join(dir, "t"), Name: "t.jsonl", From: claude.New(), To: cursor.Dialect{},
		Thread: schema.Thread{Session: "s", Now: now}}}
	line := claudeSaid(strings.Repeat("word ", 400))
	if err := os.WriteFile(d.Source, []byte(strings.Repeat(line, (20<<20)/len(line))), 0o600); err != nil {
		b.Fatal(err)
	}
	return d
}
