package bridge

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/cmdline"
	"github.com/hookbridge/hookbridge/adapter/plan"
	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/golden"
	"github.com/hookbridge/hookbridge/internal/material"
	"github.com/hookbridge/hookbridge/schema"
)

// wanted returns replies with each effect, alone and combined, in each length that hosts treat differently.
func wanted() []schema.Reply {
	long, longer := strings.Repeat("c", 10_001), strings.Repeat("\U0001F600", 20_000)
	command := schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: []byte(`"ls -l"`)}}
	all := []schema.Reply{
		{}, {Verdict: schema.Deny}, {Verdict: schema.Deny, Reason: "r", UserReason: "u", Context: "c"},
		{Verdict: schema.Deny, Reason: longer}, {Verdict: schema.Deny, Reason: "r", UserReason: "r", EndTurn: true},
		{Verdict: schema.Ask}, {Verdict: schema.Ask, Reason: "r", Input: command}, {Verdict: schema.Defer, Reason: "r"},
		{Verdict: schema.Allow, Reason: "r"}, {Verdict: schema.Allow, Input: command, Context: "c"},
		{EndTurn: true, EndReason: "e"}, {EndTurn: true, Output: []byte(`"o"`)}, {KeepGoing: "k"}, {KeepGoing: " "},
		{KeepGoing: "k", Context: "c", Notice: "n"}, {Context: "c", Feedback: "f"}, {Context: long},
		{Context: long, Feedback: "f"}, {Context: "c", Feedback: long}, {Context: longer, Feedback: longer},
		{Output: []byte(`"o"`), Objects: true}, {Output: []byte(`"o"`), Context: "c"}, {Output: []byte(`{"a":1}`)},
		{Env: []schema.EnvVar{{Name: "A", Value: "1"}, {Name: "1A"}, {Name: "B", Value: "\x00"}}, Notice: "n"},
		{Input: schema.Args{{Role: schema.RoleCommand, Name: "command", Raw: []byte("3")}, {Name: "more",
			Raw: []byte("1")},
			{Role: schema.RolePath, Raw: []byte(`"b"`)}, {Role: schema.RoleReplaceAll, Raw: []byte("true")}}},
		{Prompt: "p", Notice: "n", Feedback: "f"},
	}
	for _, f := range []schema.Feature{schema.EffectInterrupt, schema.EffectElicit, schema.EffectPermissions,
		schema.EffectQuiet, schema.EffectTerminal} {
		all = append(all, schema.Reply{Verdict: schema.Deny, Others: []schema.Effect{{Feature: f, Raw: []byte(
			"true")}}},
			schema.Reply{Others: []schema.Effect{{Feature: f, Raw: []byte("true")}}})
	}
	return all
}

// TestFits compares the fitted replies at each event and tool of each host, with changing settings.
func TestFits(t *testing.T) {
	var sums golden.Digests
	replies, owners := wanted(), adapter.WithHooks()
	for n, host := range adapter.Dialects() {
		if golden.LeftOut(n, 3) {
			continue
		}
		out := sums.Of(host.Profile().Name)
		for i, c := range hostCalls(t, host) {
			for j, reply := range replies {
				turn := 7*i + j
				own := owners[turn%len(owners)]
				in := setting{host: host, rules: own.Profile(), call: c, shown: c.Tool.Input, relays: turn%2 == 0,
					asks: turn%3 == 0, hasFile: turn%5 == 0, prompts: turn%4 == 0}
				in.policy.Ask, in.policy.Allow = cmdline.AskPolicy(turn%3), cmdline.AllowPolicy(turn/2%2)
				if turn%4 == 1 {
					in.allowed = own.Profile().Row(own.Profile().Generic(c.Event))
				}
				if turn%6 == 1 && c.Event.IsTool() {
					in.joined = schema.Args{{Role: schema.RolePath, Raw: []byte(`"joined"`)}}
				}
				if c.Event == schema.Stop || c.Event == schema.SubagentStop {
					c.Set(schema.FieldLoopCount, []byte{byte('0' + turn%10)})
				}
				got := fit(in, reply)
				fmt.Fprintf(out, "%s %v %d: %s, env %v file %v, ask %v %q, end %v %q, context %q refused %v\n",
					c.Native,
					c.Tool.Kind(), j, short(show(&got.reply)), got.env, got.envFile, got.ask, got.reason, got.end,
					got.endWhy,
					short(got.context), got.refused)
				for _, d := range got.notes {
					fmt.Fprintf(out, "  %s %v\n", d.Code, d.Severity)
				}
			}
		}
	}
	sums.Compare(t, "testdata/fits.txt")
}

// short cuts the middle of a long text and keeps its length.
func short(s string) string {
	if len(s) < 2000 {
		return s
	}
	return fmt.Sprintf("%s[%d]%s", s[:900], len(s), s[len(s)-300:])
}

// TestTranslations compares the recorded payloads and answers of each agent in the form of other agents.
func TestTranslations(t *testing.T) {
	var sums golden.Digests
	all := adapter.Dialects()
	for i, from := range all {
		out := sums.Of(from.Profile().Name)
		for j, p := range material.Payloads(t, from.Profile().Name) {
			to := all[(i+7*j)%len(all)]
			translated(out, from, to, p.Text, "", "")
			if row := to.Profile().Events[j%len(to.Profile().Events)]; j%3 == 0 {
				translated(out, from, to, p.Text, row.Native, "")
			}
			if tools := to.Profile().Tools; j%3 == 1 && len(tools) > 0 {
				translated(out, from, to, p.Text, "", tools[j%len(tools)].Name)
			}
		}
		if from.Profile().HostOnly != "" {
			continue
		}
		for j, said := range replySeeds {
			for k, row := range append(from.Profile().Events, schema.EventRow{Native: "Unheard"}) {
				targets := all
				if j%6 > 0 {
					targets = all[(i+j+k)%len(all):][:1]
				}
				tool := ""
				if tools := from.Profile().Tools; len(tools) > 0 && row.Event.IsTool() {
					tool = append(tools, schema.ToolRow{Name: "mcp__srv__do"})[(j+k)%(len(tools)+1)].Name
				}
				policy := cmdline.Policy{Ask: cmdline.AskPolicy(j % 3), Allow: cmdline.AllowPolicy(k % 2)}
				for _, to := range targets {
					answer, ds := TranslateReply(from, to, []byte(said.stdout), row.Native, tool, policy)
					fmt.Fprintf(out, "%s %s %s: %s\n", to.Profile().Name, row.Native, tool, answer)
					findings(out, ds)
				}
			}
		}
	}
	sums.Compare(t, "testdata/translations.txt")
}

func translated(w io.Writer, from, to dialect.Dialect, payload []byte, native, tool string) {
	for _, env := range []schema.Environ{nil, {"HOME=/h", "PWD=/w"}} {
		texts, ds := TranslateCall(from, to, payload, native, tool, env)
		fmt.Fprintf(w, "%s %s %s: %s\n", to.Profile().Name, native, tool, drawnNames.ReplaceAll(join(texts), nil))
		findings(w, ds)
	}
}

func join(texts [][]byte) (all []byte) {
	for _, text := range texts {
		all = append(append(all, text...), '\n')
	}
	return all
}

func findings(w io.Writer, ds schema.Diagnostics) {
	for _, d := range ds {
		fmt.Fprintf(w, "  %s %v %s\n", d.Code, d.Severity, d.Path)
	}
}

// TestPatiences compares how long each host waits for entries, by the time that their hooks take.
func TestPatiences(t *testing.T) {
	var sums golden.Digests
	for _, host := range append(adapter.Dialects(), nil) {
		name := "none"
		events := []string{"", "Unheard"}
		if host != nil {
			name = host.Profile().Name
			for _, row := range host.Profile().Events {
				events = append(events, row.Native)
			}
		}
		out := sums.Of(name)
		for _, own := range adapter.WithHooks() {
			single := schema.Hook{Event: schema.PreTool, Handler: schema.HandlerCommand, Command: "x"}
			module := schema.Hook{Handler: schema.HandlerCallback, Command: "x.mjs"}
			for _, b := range []*Bridge{{Host: host, Hooks: own}, {Host: host, Hooks: own, Single: &single},
				{Host: host, Hooks: own, Single: &module}} {
				for _, event := range events {
					for _, limits := range [][]time.Duration{nil, {time.Second}, {90 * time.Second, time.Hour}} {
						var w plan.Wait
						for _, limit := range limits {
							w.Add(own.Profile(), &single, limit)
						}
						fmt.Fprintf(out, "%s %s %v %v: %v\n", own.Profile().Name, event, b.Single != nil, limits,
							b.patience(event, w))
					}
				}
			}
		}
	}
	sums.Compare(t, "testdata/patience.txt")
}

// TestUndoneEdits compares the content before edits, for each small text and its edits.
func TestUndoneEdits(t *testing.T) {
	var b strings.Builder
	parts := []string{"", "a", "b", "a\n", "x"}
	for _, text := range []string{"", "a", "a\nb\n", "a\na\n", "b\na", "x\na\nb"} {
		for _, old := range parts {
			for _, now := range parts {
				for _, more := range parts[:3] {
					es := []schema.TextEdit{{Old: old, New: now}}
					if more != "" {
						es = append(es, schema.TextEdit{Old: "o", New: more})
					}
					was, existed, known := undo(text, es)
					fmt.Fprintf(&b, "%q %q %q %q: %q %v %v\n", text, old, now, more, was, existed, known)
				}
			}
		}
	}
	golden.Lines(t, "testdata/undo.txt", b.String())
}
