package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/session"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// lawDialects returns the dialects that the laws check: all, or those in HOOKBRIDGE_DIALECTS, to debug some.
func lawDialects() []dialect.Dialect { return chosen(adapter.Dialects()) }

// lawOwners returns the dialects that hooks are written for.
func lawOwners() []dialect.Dialect { return chosen(adapter.WithHooks()) }

func chosen(all []dialect.Dialect) []dialect.Dialect {
	only := os.Getenv("HOOKBRIDGE_DIALECTS")
	return slices.DeleteFunc(all, func(d dialect.Dialect) bool {
		return only != "" && !slices.Contains(strings.Split(only, ","), d.Profile().Name)
	})
}

// inOrder answers for the hooks of a bridge, each by its Path, and ends parallel hooks in the given order.
func inOrder(b *Bridge, answers []process.Result, order []int) {
	ended := make([]chan bool, len(answers))
	var started []int
	b.Start = func(h *schema.Hook, _ process.Spec) standIn {
		i, _ := strconv.Atoi(strings.TrimPrefix(h.Path, "/"))
		ended[i] = make(chan bool)
		started = append(started, i)
		return func(context.Context) process.Result {
			defer close(ended[i])
			for _, j := range order[:slices.Index(order, i)] {
				if slices.Contains(started, j) {
					<-ended[j]
				}
			}
			return answers[i]
		}
	}
}

// runHooks is Bridge.Run with the hooks given instead of read from files.
func runHooks(b *Bridge, stdin []byte, hooks []schema.Hook) (out []byte, rep *Report, err error) {
	call, ds := b.Host.DecodeCall(stdin, b.Places.Env)
	if call == nil {
		return nil, nil, fmt.Errorf("%v", ds)
	}
	r := runOf(b, call)
	r.log.ds = ds
	d := decision{run: r}
	d.reply, d.did = answer(r, call, hooks)
	rep = d.report()
	rep.Reply, rep.Runs = d.reply, d.did.runs
	return d.encode(&d.reply), rep, nil
}

// runOf returns what the stages after decode share for a call.
func runOf(b *Bridge, c *schema.Call) *run {
	in := decoded{call: c, host: b.Host, hooks: adapter.AsWritten(b.Hooks, b.Host), now: b.Now(),
		log: &log{event: c.Native}}
	r := newRun(context.Background(), b, &in)
	r.mem = &session.Memory{}
	return r
}

// TestSameBytes: whichever hook ends first, the answer, the findings and the order of the runs are the same.
func TestSameBytes(t *testing.T) {
	events := map[schema.Event]bool{schema.PreTool: true, schema.PostTool: true, schema.PromptSubmit: true,
		schema.Stop: true, schema.SessionStart: true}
	answers := []schema.Reply{
		{Verdict: schema.Allow, Reason: "fine", Context: "one", Notice: "first", KeepGoing: "again",
			Env: []schema.EnvVar{{Name: "A", Value: "1"}}},
		{Verdict: schema.Deny, Reason: "no", UserReason: "not you", Context: "two", Feedback: "bad"},
		{Verdict: schema.Ask, Reason: "sure?", Context: "three", Notice: "third", KeepGoing: "and again",
			Output: []byte(`[{"type":"text","text":"new"}]`), Env: []schema.EnvVar{{Name: "A", Value: "2"}}},
	}
	orders := [][]int{{0, 1, 2}, {2, 1, 0}, {2, 0, 1}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}}
	if testing.Short() {
		orders = orders[:2]
	}
	for i, host := range lawDialects() {
		for j, own := range lawOwners() {
			if golden.LeftOut(i+j, 4) {
				continue
			}
			t.Run(own.Profile().Name+" under "+host.Profile().Name, func(t *testing.T) {
				t.Parallel()
				done := map[string]bool{}
				for _, c := range hostCalls(t, host) {
					views := own.Views(c)
					if !events[c.Event] || c.Gate || done[c.Native] || len(views) == 0 ||
						c.Event.IsTool() && c.Tool.Kind() != schema.Shell {
						continue
					}
					done[c.Native] = true
					v := views[0]
					oc := c.Clone()
					oc.Dialect, oc.Native = own.Profile().Name, v.Event
					first := ""
					var hooks []schema.Hook
					var ends []process.Result
					for j, a := range answers {
						ends = append(ends, process.Result{Stdout: own.AppendReply(nil, oc, &a)})
						path := "/" + strconv.Itoa(j)
						hooks = append(hooks, schema.Hook{Event: c.Event, Native: v.Event, Path: path, Line: j + 1,
							Col: 1, Handler: schema.HandlerCommand, Command: "hook " + path})
					}
					for i, order := range orders {
						b := newBridge(t, host.Profile().Name, own.Profile().Name, "")
						b.Now = func() time.Time { return time.Unix(1, 0) }
						b.Places.Home, b.Places.Project = "/nowhere", "/nowhere"
						inOrder(b, ends, order)
						out, rep, err := runHooks(b, c.Raw, hooks)
						if err != nil {
							t.Fatal(err)
						}
						got := string(out)
						for _, d := range rep.Diagnostics {
							got += "\n" + d.String()
						}
						for _, run := range rep.Runs {
							got += "\n" + run.Hook.Path + " " + show(&run.Reply)
						}
						if first == "" {
							first = got
						}
						if got != first {
							t.Fatalf("%s, run %d:\n%s\nnot\n%s", c.Native, i, got, first)
						}
						if len(rep.Runs) != len(hooks) {
							t.Fatalf("%s: %d of %d hooks ran", c.Native, len(rep.Runs), len(hooks))
						}
					}
				}
				if len(done) == 0 {
					t.Error("nothing was run")
				}
			})
		}
	}
}

// TestSameTranslations: a translation of a call gives the same bytes and
// findings every time.
func TestSameTranslations(t *testing.T) {
	repeats := 8
	if testing.Short() {
		repeats = 1
	}
	for i, from := range lawDialects() {
		for j, to := range lawOwners() {
			if golden.LeftOut(i+j, 4) {
				continue
			}
			for _, c := range hostCalls(t, from) {
				first, ds := TranslateCall(from, to, c.Raw, "", "", nil)
				for range repeats {
					out, more := TranslateCall(from, to, c.Raw, "", "", nil)
					if fmt.Sprintf("%s", out) != fmt.Sprintf("%s", first) || fmt.Sprint(more) != fmt.Sprint(ds) {
						t.Fatalf("%s to %s: %s\nnot\n%s", from.Profile().Name, to.Profile().Name, out, first)
					}
				}
			}
		}
	}
}

// An expectation is the recorded behavior of a published script.
type expectation struct {
	Dialect  string
	Event    string
	Observed []struct {
		Stdin          json.RawMessage
		Exit           int
		Stdout, Stderr string
	}
}

// TestObservedScripts replays the output of published scripts as hooks under every other host. The decision is the
// same, or stricter with a finding, or reported. The scripts themselves are never run.
func TestObservedScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("runs thousands of hooks")
	}
	files, _ := filepath.Glob(filepath.Join(material.Corpus(t, "scripts"), "*.expect.json"))
	strangers := map[string]int{}
	counts := map[string]*tally{}
	for n, file := range files {
		if os.Getenv("HOOKBRIDGE_LONG") == "" && n%10 != 0 {
			continue // thousands of processes: a sample is enough except for a release
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var x expectation
		if err := json.Unmarshal([]byte(strings.NewReplacer("{{PROJECT}}", "/nowhere/project", "{{HOME}}",
			"/nowhere/home").Replace(string(text))), &x); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		own, err := adapter.Find(x.Dialect)
		if err != nil || own.Profile().Row(x.Event) == nil {
			strangers[x.Dialect]++
			continue
		}
		for _, host := range lawDialects() {
			if host.Profile().Name == own.Profile().Name {
				continue
			}
			key := own.Profile().Name + " under " + host.Profile().Name
			if counts[key] == nil {
				counts[key] = &tally{by: map[string]int{}}
			}
			counts[key].scripts++
			for i, o := range x.Observed {
				res := process.Result{Exit: o.Exit, Stdout: []byte(o.Stdout), Stderr: []byte(o.Stderr)}
				observed(t, counts[key], fmt.Sprintf("%s %d under %s",
					strings.TrimSuffix(filepath.Base(file), ".expect.json"),
					i, host.Profile().Name), own, host, x.Event, o.Stdin, &res)
			}
		}
	}
	var keys []string
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		t.Logf("%s: %s", k, counts[k])
	}
	t.Logf("scripts of other dialects or events: %v", strangers)
}

// A tally counts the results of observed decisions.
type tally struct {
	scripts, runs, without, equal, stricter, reported int
	by                                                map[string]int // codes that report
}

func (c *tally) String() string {
	return fmt.Sprintf(
		"%d scripts, %d observed runs without an event there, %d runs: %d equal, %d stricter, %d reported %v",
		c.scripts, c.without, c.runs, c.equal, c.stricter, c.reported, c.by)
}

// observed compares one decision, at every event at which the host may show the call.
func observed(t *testing.T, n *tally, name string, own, host dialect.Dialect, native string, stdin []byte,
	res *process.Result) {
	t.Helper()
	c, ds := own.DecodeCall(stdin, nil)
	if c == nil || c.Native != native {
		t.Errorf("%s: %v", name, ds)
		return
	}
	var view schema.View
	for _, v := range own.Views(c) {
		if v.Event == native {
			view = v
			break
		}
	}
	hook := schema.Hook{Event: c.Event, Native: native, Handler: schema.HandlerCommand, Command: "guard"}
	reply, _ := own.DecodeReply(&hook, view, res)
	want := own.Merge([]schema.Reply{reply})
	seen := map[string]bool{}
	for _, hv := range host.Views(c) {
		if seen[hv.Event] {
			continue
		}
		seen[hv.Event] = true
		payloads, _ := TranslateCall(own, host, stdin, hv.Event, "", nil)
		if payloads == nil {
			t.Errorf("%s: no payload for %s", name, hv.Event)
			continue
		}
		b := newBridge(t, host.Profile().Name, own.Profile().Name, "")
		b.Single = &hook
		answers(b, *res)
		out, rep, err := b.Run(context.Background(), payloads[0], "")
		if err != nil {
			t.Errorf("%s at %s: %v %v", name, hv.Event, err, rep.Diagnostics)
			continue
		}
		if len(rep.Runs) == 0 { // the host's event is another one for the hooks
			delete(seen, hv.Event)
			continue
		}
		n.runs++
		h := schema.Hook{Event: rep.Call.Event, Native: rep.Call.Native, Handler: schema.HandlerCommand}
		var shown schema.View
		for _, v := range host.Views(rep.Call) {
			if v.Event == rep.Call.Native {
				shown = v
				break
			}
		}
		got, _ := host.DecodeReply(&h, shown, &process.Result{Stdout: out})
		switch kind, code := judge(&want, &got, rep); kind {
		case "equal":
			n.equal++
		case "stricter":
			n.stricter++
			n.by[code]++
		case "reported":
			n.reported++
			n.by[code]++
		default:
			t.Errorf("%s at %s: %s\nown     %s\nthrough %s\nanswer %s\n%v", name, hv.Event, kind, show(&want),
				show(&got), out, rep.Diagnostics)
		}
	}
	if len(seen) == 0 {
		n.without++
	}
}

// judge returns what became of a decision: equal, stricter, or reported with its code; else the fault.
func judge(want, got *schema.Reply, rep *Report) (kind, code string) {
	says := func(codes ...schema.Code) string {
		for _, d := range rep.Diagnostics {
			for _, c := range codes {
				if d.Code == c {
					return string(c)
				}
			}
		}
		return ""
	}
	kind = "equal"
	need := func(ok bool, what, result string, codes ...schema.Code) {
		if ok || kind != "equal" && kind != "stricter" && kind != "reported" {
			return
		}
		if c := says(codes...); c != "" {
			kind, code = result, c
		} else {
			kind = what
		}
	}
	switch {
	case want.EndTurn && rep.Call.Event == schema.PromptSubmit && got.Verdict == schema.Deny: // the same for the turn
	case got.Verdict > want.Verdict:
		need(false, "stricter without a word", "stricter", schema.CodeAskDenied, schema.CodeInputDenied,
			schema.CodeEndTurn)
	case want.Verdict == schema.Allow && got.Verdict == schema.NoOpinion && says(schema.CodeAllowPassed) != "":
		need(false, "", "stricter", schema.CodeAllowPassed)
	case got.Verdict < want.Verdict:
		need(false, "weaker without a word", "reported", schema.CodeDenyLost, schema.CodeEffectLost,
			schema.CodeAskRelayed, schema.CodeAskAllowed)
	}
	approved := want.Verdict == schema.Allow && got.Verdict == schema.Deny // by the end of the turn
	if got.Verdict != schema.NoOpinion && !approved {
		need(within(want.Reason, got.Reason, got.UserReason, got.Notice), "the reason is lost", "reported",
			schema.CodeEffectLost)
	}
	need(want.KeepGoing == got.KeepGoing, "the wish to go on is lost", "reported", schema.CodeKeepGoLost)
	lost := []schema.Code{schema.CodeContextLost, schema.CodeRelayed, schema.CodeContextCut}
	refusal := ""
	if got.Verdict == schema.Deny { // the agent reads the reason
		refusal = got.Reason
	}
	need(within(want.Context, got.Context, refusal), "context is lost", "reported", lost...)
	need(within(want.Feedback, got.Feedback, got.Context, refusal), "feedback is lost", "reported", lost...)
	need(!want.EndTurn || got.EndTurn || got.Verdict == schema.Deny || rep.Call.Event == schema.Stop ||
		rep.Call.Event == schema.SubagentStop, "the end of the turn is lost", "reported", schema.CodeEndTurn,
		schema.CodeDenyLost) // of a prompt
	return kind, code
}
