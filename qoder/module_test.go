package qoder

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

func TestModuleReplies(t *testing.T) {
	view := schema.View{Event: "PreToolUse", Tool: "Bash", Kind: schema.Shell, Target: []string{"Bash"}}
	post := schema.View{Event: "PostToolUse", Tool: "mcp__s__t", Kind: schema.MCP}
	called := runnerMark + `{"limit":1}` + "\n\n"
	part := func(n int, rest string) string {
		return runnerMark + `{"limit":1,"part":{"n":` + strconv.Itoa(n) + `,"path":"/a","view":0,` + rest + "}}\n\n"
	}
	results := func(list string) process.Result {
		return process.Result{Stdout: []byte("noise\n" + called + runnerMark + `{"results":[` + list +
			`],"stays":false}` + "\n")}
	}
	for _, c := range []struct {
		name    string
		view    schema.View
		fail    schema.FailPolicy
		res     process.Result
		verdict schema.Verdict
		output  string
		codes   string
		unusual bool // the module is unusable
	}{
		{name: "deny", view: view, res: results(`{"path":"/PreToolUse/0/hooks/0","view":0,` +
			`"value":{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
			`"permissionDecisionReason":"no"}}}`), verdict: schema.Deny},
		{name: "strictest of two", view: view,
			res: results(`{"path":"/a","view":0,"value":{"decision":"block","reason":"x"}},{"path":"/b","view":0,` +
				`"value":{"decision":"approve"}}`), verdict: schema.Deny},
		{name: "nothing", view: view, res: results(`{"path":"/a","view":0,"value":null}`)},
		{name: "none matched", view: view, res: results(``)},
		{name: "a view that is not there", view: view,
			res: results(`{"path":"/a","view":7,"value":{"decision":"block"}}`)},
		{name: "nonsense is ignored", view: view, res: results(`{"path":"/a","view":0,"value":"deny"}`),
			codes: "HB304"},
		{name: "a wrong member is ignored", view: view,
			res: results(`{"path":"/a","view":0,"value":{"decision":"never"}}`), codes: "HB304"},
		{name: "throw", view: view, res: results(`{"path":"/a","view":0,"error":{"message":"Error: x",` +
			`"stack":"Error: x","file":"/m.mjs","line":3,"column":4}}`), codes: "HB305"},
		{name: "throw, closed", view: view, fail: schema.FailClosed,
			res: results(`{"path":"/a","view":0,"error":{"message":"Error: x"}}`), verdict: schema.Deny,
			codes: "HB305"},
		{name: "late", view: view, res: results(`{"path":"/a","view":0,"timeout":1}`), codes: "HB302"},
		{name: "late, closed", view: view, fail: schema.FailClosed, res: results(`{"path":"/a","view":0,"timeout":1}`),
			verdict: schema.Deny, codes: "HB302"},
		{name: "the last output that is not empty", view: post, output: `"b"`, res: results(
			`{"path":"/a","view":0,"value":{"hookSpecificOutput":{"hookEventName":"PostToolUse",` +
				`"updatedToolOutput":"a"}}},` +
				`{"path":"/b","view":0,"value":{"hookSpecificOutput":{"hookEventName":"PostToolUse",` +
				`"updatedToolOutput":"b"}}},` +
				`{"path":"/c","view":0,"value":{"hookSpecificOutput":{"hookEventName":"PostToolUse",` +
				`"updatedToolOutput":""}}}`)},
		{name: "odd group", view: view, res: results(`{"path":"/PreToolUse/0","odd":"has no array of hooks"}`),
			codes: "HB103"},
		{name: "killed while called", view: view, res: process.Result{Stdout: []byte("\n" + called), TimedOut: true,
			Exit: -1}, codes: "HB302"},
		{name: "killed while called, closed", view: view, fail: schema.FailClosed,
			res: process.Result{Stdout: []byte("\n" + called), TimedOut: true, Exit: -1}, verdict: schema.Deny,
			codes: "HB302"},
		{name: "killed when one had answered", view: view,
			res: process.Result{Stdout: []byte("\n" + called + part(0, `"value":{"decision":"block","reason":"x"}`)),
				TimedOut: true, Exit: -1}, verdict: schema.Deny, codes: "HB302"},
		{name: "a forged number", view: view,
			res: process.Result{Stdout: []byte("\n" + called + part(math.MaxInt64, `"value":{"decision":"block",`+
				`"reason":"x"}`) + runnerMark + `{"results":[],"stays":false}` + "\n")}, verdict: schema.Deny},
		{name: "ended when one had answered", view: view,
			res: process.Result{Stdout: []byte("\n" + called + part(0, `"value":{"decision":"block","reason":"x"}`) +
				runnerMark + `{"failed":{"stage":"run","message":"x"}}` + "\n")}, verdict: schema.Deny, codes: "HB305"},
		{name: "answers in another order", view: post, output: `"b"`, res: process.Result{Stdout: []byte("\n" + called +
			part(1, `"value":{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"b"}}`) +
			part(0, `"value":{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"a"}}`) +
			runnerMark + `{"results":[],"stays":false}` + "\n")}},
		{name: "killed while loading", view: view, res: process.Result{TimedOut: true, Exit: -1}, codes: "HB323",
			unusual: true},
		{name: "no node", view: view, res: process.Result{Err: errors.New("x"), Exit: -1}, codes: "HB323",
			unusual: true},
		{name: "node fails", view: view, res: process.Result{Exit: 9, Stderr: []byte("bad option\n")}, codes: "HB323",
			unusual: true},
		{name: "told failure", view: view,
			res: process.Result{Stdout: []byte("\n" + runnerMark + `{"failed":{"stage":"load","message":"x",` +
				`"file":"/m.mjs","line":2,"column":5}}` + "\n")}, codes: "HB323", unusual: true},
		{name: "half a line", view: view, res: process.Result{Stdout: []byte("\n" + runnerMark + `{"results":[]`)},
			codes: "HB323", unusual: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := at("sdk")
			runs, ds, usable := d.ModuleReplies(&schema.Hook{Handler: schema.HandlerCallback, Fail: c.fail}, "/m.mjs",
				[]schema.View{c.view}, &c.res)
			if usable == c.unusual {
				t.Errorf("usable: %v", usable)
			}
			var replies []schema.Reply
			for _, r := range runs {
				replies = append(replies, r.Reply)
			}
			var got schema.Reply
			if len(replies) > 0 {
				got = d.Merge(replies)
			}
			var codes []string
			for _, x := range ds {
				codes = append(codes, string(x.Code))
				if x.File != "/m.mjs" && x.Code != "HB304" {
					t.Errorf("%s names the file %q", x.Code, x.File)
				}
			}
			if got.Verdict != c.verdict || string(got.Output) != c.output || strings.Join(codes, " ") != c.codes {
				t.Errorf("%v %s %v, want %v %s %s", got.Verdict, got.Output, codes, c.verdict, c.output, c.codes)
			}
		})
	}
}

// TestExtend checks that the time follows the runner's last message.
func TestExtend(t *testing.T) {
	line := func(text string) string { return "\n" + runnerMark + text + "\n" }
	for _, c := range []struct {
		out  string
		want time.Duration
	}{
		{"\n" + runnerMark + `{"lim`, 0},
		{line(`{"limit":"x"}`), 0},
		{line(`{"limit":3}`), 3*time.Second + overtime},
		{line(`{"limit":600.5}`) + "noise", 600*time.Second + 500*time.Millisecond + overtime},
		{line(`{"limit":600}`) + line(`{"limit":1.5,"part":{"n":0}}`), 1500*time.Millisecond + overtime},
	} {
		if d := extend([]byte(c.out)); d != c.want {
			t.Errorf("%q gives %v, want %v", c.out, d, c.want)
		}
	}
}

// TestWriteModule checks what is written: the same bytes every time, valid even with hostile values, no types in a
// script.
func TestWriteModule(t *testing.T) {
	m := schema.Module{From: "claude", Lost: []string{"weaker HB201: x\n*/ // y"}, Groups: []schema.ModuleGroup{
		{Native: "PreToolUse", Matcher: "a\"b\\\u2028</script>", Timeout: 1500 * time.Millisecond,
			Config: []byte("{}\n"), Flags: []string{"--fail-closed"}, Refusal: []byte(`{"x":1}`)},
		{Native: "Notification", Config: []byte("{}")},
	}}
	for _, script := range []bool{false, true} {
		m.Script = script
		got := New().WriteModule(&m)
		if !bytes.Equal(got, New().WriteModule(&m)) {
			t.Error("other bytes the second time")
		}
		for _, want := range []string{"timeout: 1.5,", `"--fail-closed"`, `{"x":1}`, "//   weaker HB201: x | */ // y\n",
			"...", "untyped"} {
			if !strings.Contains(string(got), want) {
				t.Errorf("script %v: no %q in\n%s", script, want, got)
			}
		}
		if strings.Contains(string(got), "/*:") || strings.Contains(string(got), ":*/") ||
			script == strings.Contains(string(got), ": Callback") {
			t.Errorf("script %v: notes or types stand wrong in\n%s", script, got)
		}
	}
}

// TestSDKEvents checks the events of the page, of the types, and the rest.
func TestSDKEvents(t *testing.T) {
	var page_, typed, all int
	for _, row := range at("sdk").Profile().Events {
		all++
		if writtenIn(row.Native, page) {
			page_++
		}
		if New().Typed(row.Native) {
			typed++
		}
		if row.Source == "" {
			t.Errorf("%s has no source", row.Native)
		}
	}
	if page_ != 15 || typed != 18 || all != 27 {
		t.Errorf("%d on the page, %d typed, %d in all; want 15, 18, 27", page_, typed, all)
	}
}
