//go:build linux

package hostile

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter/bridge"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/schema"
)

// TestTwoHundred makes 200 parallel calls of one session, each of which leaves something for a later event, then 200
// that fetch it. Nothing is lost, nothing is delivered to another, no file is torn. The short form has 40.
func TestTwoHundred(t *testing.T) {
	calls := 200
	if testing.Short() {
		calls = 40
	}
	p := newPlace(t)
	d := dialect(t, "cursor")
	ask := `read -r line; n=${line##*number-}; echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse",` +
		`"permissionDecision":"ask","permissionDecisionReason":"question-'"${n%%\"*}"'-end"}}'`
	each := func(row *schema.EventRow, hook string, check func(i int, o outcome)) {
		var wg sync.WaitGroup
		for i := range calls {
			wg.Go(func() {
				o := p.run(t, p.payload(t, d, row, "s1", fmt.Sprintf("ls number-%d", i)), "run", "--host", "cursor",
					"--hooks", "claude", "--ask", "relay", "-c", hook)
				if err := o.sound(); err != nil || o.exit != 0 || strings.Contains(o.stderr, string(schema.CodeState)) {
					t.Errorf("call %d: %v %v", i, err, o)
				}
				check(i, o)
			})
		}
		wg.Wait()
	}
	each(rowFor(d, schema.PreTool), ask, func(i int, o outcome) {
		if !strings.Contains(o.stderr, string(schema.CodeAskRelayed)) {
			t.Errorf("call %d: not left for later: %v", i, o)
		}
	})
	each(gateRow(t), "true", func(i int, o outcome) {
		if !strings.Contains(o.stdout, `"permission":"ask"`) ||
			!strings.Contains(o.stdout, fmt.Sprintf("question-%d-end", i)) {
			t.Errorf("call %d: %v", i, o)
		}
	})
	if err := p.clean(); err != nil {
		t.Error(err)
	}
	files, _ := filepath.Glob(p.in("state/*"))
	if len(files) > 3 { // the session's file, its lock and the folder of its calls
		t.Errorf("session files: %v", files)
	}
}

// inProcess returns a Bridge of the library, with its own state.
func inProcess(t testing.TB, p *place, hook string) *bridge.Bridge {
	t.Helper()
	return &bridge.Bridge{
		Host: dialect(t, "cursor"), Hooks: dialect(t, "claude"), Now: time.Now, StateDir: p.in("state"),
		TempDir: p.in("tmp"), Places: schema.Places{OS: "linux", Home: p.in("home"), Env: p.env},
		Single: &schema.Hook{Handler: schema.HandlerCommand, Command: hook},
	}
}

// TestClockJumps sets the clock between two events of one call, far ahead and far back. An ask left to the gate still
// takes place, and a clock that was wrong once doesn't revive sessions or a turn that a hook has ended.
func TestClockJumps(t *testing.T) {
	ask := `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",` +
		`"permissionDecisionReason":"sure?"}}'`
	for _, jump := range []time.Duration{0, time.Hour, -time.Hour, 20 * 365 * 24 * time.Hour,
		-20 * 365 * 24 * time.Hour} {
		t.Run(jump.String(), func(t *testing.T) {
			p := newPlace(t)
			b := inProcess(t, p, ask)
			b.Ask = cmdline.AskRelay
			payload := func(e schema.Event, session string) []byte {
				return p.payload(t, b.Host, rowFor(b.Host, e), session, "ls")
			}
			_, rep, err := b.Run(context.Background(), payload(schema.PreTool, "s"), "")
			if err != nil || rep.Reply.Verdict != schema.NoOpinion {
				t.Fatalf("%v, %v", err, rep.Diagnostics)
			}
			b.Single.Command = `echo '{"continue":false,"stopReason":"enough"}'`
			if _, _, err := b.Run(context.Background(), payload(schema.PreTool, "ended"), ""); err != nil {
				t.Fatal(err)
			}
			b.Now = func() time.Time { return time.Now().Add(jump) }
			b.Single.Command = "true"
			for _, other := range []string{"t", "u"} { // sessions that begin remove old ones
				if _, _, err := b.Run(context.Background(), payload(schema.SessionStart, other), ""); err != nil {
					t.Fatal(err)
				}
			}
			_, rep, err = b.Run(context.Background(), p.payload(t, b.Host, gateRow(t), "s", "ls"), "")
			if err != nil || rep.Reply.Verdict != schema.Ask {
				t.Errorf("verdict %v, %v, %v", rep.Reply.Verdict, err, rep.Diagnostics)
			}
			_, rep, err = b.Run(context.Background(), payload(schema.PreTool, "ended"), "")
			if err != nil || rep.Reply.Verdict != schema.Deny {
				t.Errorf("in the ended turn: verdict %v, %v, %v", rep.Reply.Verdict, err, rep.Diagnostics)
			}
		})
	}
}

// mixed returns a call that a busy host could make: any event, any pair, hooks that answer, fail, hang a little, leave
// something for later.
func mixed(t testing.TB, p *place, i int) (c *cell, stdin []byte, args []string) {
	all := cells()
	c = &all[i%len(all)]
	hooks := []string{"true", "exit 1", "echo no >&2; exit 2", "cat >/dev/null", "echo text", "no-such-program",
		"kill -9 $$",
		"echo '" + verdicts[c.hooks.Profile().Name][c.row.Event] + "'", "sleep 0.01 & echo '{}'", "printf '{'"}
	stdin = p.payload(t, c.host, c.row, fmt.Sprintf("session-%d", i/50), fmt.Sprintf("ls %d", i))
	args = []string{"run", "--host", c.host.Profile().Name, "--hooks", c.hooks.Profile().Name, "-c",
		hooks[i/7%len(hooks)]}
	if i%3 == 0 {
		args = append([]string{"run", "--ask", "relay", "--fail-closed"}, args[1:]...)
	}
	return c, stdin, args
}

// TestSoak makes mixed calls one after another and then many at once. Nothing accumulates: no process, no temporary
// file, no descriptor. The session files stay few and small; those of old sessions are swept. HOOKBRIDGE_LONG=1: 20,000
// calls, then as many by 16 at once.
func TestSoak(t *testing.T) {
	calls, each := 150, 12
	switch {
	case long():
		calls, each = 20_000, 1_250
	case testing.Short():
		calls, each = 40, 3
	}
	p := newPlace(t)
	before := descriptors()
	exits := map[int]int{}
	for i, made := 0, 0; made < calls; i++ {
		c, stdin, args := mixed(t, p, i)
		if stdin == nil {
			continue
		}
		made++
		o := p.run(t, stdin, args...)
		exits[o.exit]++
		if err := c.sound(o); err != nil {
			t.Fatalf("call %d %v: %v: %v", i, args, err, o)
		}
	}
	if err := p.clean(); err != nil {
		t.Error(err)
	}
	t.Logf("%d calls in a row, by exit status %v", calls, exits)

	var n atomic.Int64
	var wg sync.WaitGroup
	for w := range 16 {
		wg.Go(func() {
			for i := w * 1_000_000; i < w*1_000_000+each; i++ {
				c, stdin, args := mixed(t, p, i)
				if stdin == nil {
					continue
				}
				n.Add(1)
				o := p.run(t, stdin, args...)
				if err := c.sound(o); err != nil {
					t.Errorf("call %d at once %v: %v: %v", i, args, err, o)
				}
			}
		})
	}
	wg.Wait()
	if n.Load() == 0 {
		t.Error("no call at once")
	}
	if err := p.clean(); err != nil {
		t.Error(err)
	}
	if after := descriptors(); after > before {
		t.Errorf("descriptors of the caller: %d, then %d", before, after)
	}
	files, bytes := sizes(p.in("state"))
	t.Logf("%d calls by 16 at once; %d session files of %d bytes", n.Load(), files, bytes)
	if bytes > 1<<20*int64(files) || files > 2*(int(n.Load())+calls) {
		t.Errorf("%d session files, %d bytes", files, bytes)
	}
	p.sweeps(t)
}

// sweeps makes all sessions old and begins a new one.
func (p *place) sweeps(t *testing.T) {
	t.Helper()
	old := time.Now().Add(-30 * 24 * time.Hour)
	files, _ := filepath.Glob(p.in("state/*"))
	for _, f := range files {
		os.Chtimes(f, old, old)
	}
	d := dialect(t, "cursor")
	starts := 2 + len(files)/2000 // each reads four thousand entries at most, once in an hour
	for i := range starts {
		hours := time.Now().Add(-2 * time.Hour)
		os.Chtimes(p.in("state/swept"), hours, hours)
		p.run(t, p.payload(t, d, rowFor(d, schema.SessionStart), fmt.Sprintf("new-%d", i), "x"), "run", "--host",
			"cursor", "-c", "true")
	}
	left, _ := filepath.Glob(p.in("state/*"))
	t.Logf("%d files of old sessions, %d files after new ones have begun", len(files), len(left))
	if len(left) > 2+2*starts { // and the folder of temporary files, and the time of the sweep
		t.Errorf("not swept: %d files", len(left))
	}
}

func descriptors() int {
	fds, _ := os.ReadDir("/proc/self/fd")
	return len(fds)
}

func sizes(dir string) (files int, bytes int64) {
	list, _ := os.ReadDir(dir)
	for _, f := range list {
		if info, err := f.Info(); err == nil {
			files, bytes = files+1, bytes+info.Size()
		}
	}
	return files, bytes
}
