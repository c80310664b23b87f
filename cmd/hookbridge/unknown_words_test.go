package main

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/adapter/sample"
	"github.com/hookbridge/hookbridge/internal/command/cli"
	"github.com/hookbridge/hookbridge/schema"
)

// A wordCase is a hook file with something that isn't in any table.
type wordCase struct {
	name  string
	file  string // with a guard that denies shell commands
	alone string // the same without the guard; "": the guard itself is changed
	// runsIt: the change leaves nothing undecided.
	runsIt bool
}

// knownVoids lists the cases in which the known version of the client doesn't run the guard, according to the client's
// own tests.
var knownVoids = map[string]string{
	"claude": "type, type beside, text entry, list entry, number entry, other entry, other handler, text handler, " +
		"flat handler, timeout, onFailure, async, args, shell",
	"cursor": "event, type, type beside, text entry, list entry, number entry, other entry, other handler, " +
		"text handler, timeout, failClosed, loop_limit",
	"qoder": "timeout, async",
	"codex": "type, type beside, top, version, text entry, list entry, number entry, other handler, text handler, " +
		"timeout, async",
	"copilot": "version, timeoutSec",
	"grok":    "text entry, list entry, number entry, other entry, text handler, flat handler, timeout",
	"qwen":    "async",
	"letta":   "timeout",
	"kimi": "event, type, type beside, text entry, list entry, number entry, other entry, other handler, " +
		"text handler, timeout, field",
	"codebuddy":   "text entry, list entry, number entry, other entry, flat handler",
	"commandcode": "timeout",
	"droid": "type, type beside, text entry, list entry, number entry, other entry, other handler, text handler, " +
		"flat handler, timeout",
	"antigravity": "type, type beside, version, text entry, list entry, number entry, other entry, other handler, " +
		"text handler, flat handler, timeout",
	"auggie": "type, type beside, text entry, list entry, number entry, other entry, other handler, text handler, " +
		"flat handler, timeout, args",
}

// TestUnknownWords makes eight changes to a hook file of every agent with hook files. What isn't in any table must not
// disable a guard next to it under another agent, and must be reported. --fail-closed must deny what can't be judged,
// and fire must show for the agent itself what its known version does. The changes are an unknown event, type of
// handler, field at the top and of a handler, value of a known field, a newer version, a tool in a matcher, and entries
// of other shapes.
func TestUnknownWords(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are shell commands")
	}
	for i, d := range adapter.WithHooks() {
		if d.Abilities().Copies != nil {
			continue // executables have no words
		}
		name := d.Profile().Name
		host := "cursor"
		if name == host {
			host = "claude"
		}
		for j, c := range wordCases(d) {
			if testing.Short() && (i+j)%4 != 0 {
				continue
			}
			p := &lawProject{dir: t.TempDir()}
			p.start = p.dir + "/main"
			t.Setenv("HOME", p.dir+"/home")
			t.Setenv("XDG_CONFIG_HOME", p.dir+"/home/.config")
			p.write(t, "home/x", "")
			p.write(t, "main/.git/HEAD", "ref: refs/heads/main\n")
			t.Chdir(p.start)

			if out, _ := p.answer(t, d, host, c.file); !strings.Contains(out, `"deny"`) {
				t.Errorf("%s: %s: the guard doesn't deny under %s: %s\n%s", name, c.name, host, out, c.file)
			}
			void := slices.Contains(strings.Split(knownVoids[name], ", "), c.name)
			_, own, _ := p.command("fire", "--host", name, `shell "ls"`)
			if denies := strings.Contains(own, "answer: deny"); denies == void {
				t.Errorf("%s: %s: the guard denies %t in its own agent\n%s\n%s", name, c.name, denies, c.file, own)
			}
			if c.runsIt {
				continue
			}
			if c.alone == "" {
				c.alone = c.file
			}
			if out, said := p.answer(t, d, host, c.alone, "--fail-closed"); !strings.Contains(out, `"deny"`) {
				t.Errorf("%s: %s: --fail-closed passes the call: %s %s\n%s", name, c.name, out, said, c.alone)
			}
			if code, out, _ := p.command("check"); code == 0 && !strings.Contains(out, "HB1") {
				t.Errorf("%s: %s: check finds nothing\n%s", name, c.name, c.alone)
			}
		}
	}
}

// answer returns what run answers a host that is about to start a shell command, with a hook file of d.
func (p *lawProject) answer(t *testing.T, d adapter.Dialect, host, text string, flags ...string) (out, said string) {
	t.Helper()
	var file string
	for _, s := range d.Locate(schema.Places{Project: p.start, Home: p.dir + "/home"}) {
		switch ofProject := s.Scope == schema.ScopeProject; {
		case ofProject && file == "":
			file = p.fileOf(d, p.start)
		case d.Profile().Name == "kimi":
			file = s.File
		}
	}
	p.write(t, strings.TrimPrefix(file, p.dir+"/"), text)
	h, err := adapter.Find(host)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := sample.Payload(h, sample.ForHost(h, sample.Event{Event: h.Profile().Generic(schema.PreTool),
		Tool: "shell", Project: p.start}))
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	args := append([]string{"--host", host, "--hooks", d.Profile().Name, "--project", p.start}, flags...)
	code := cli.Named(commands(), "run").Call(args, cli.IO{In: bytes.NewReader(payload), Out: &stdout, Err: &stderr})
	if code != 0 {
		t.Errorf("run ends with %d: %s", code, stderr.String())
	}
	return stdout.String(), stderr.String()
}

// wordCases returns the changes to a file with one guard, in the form that the agent uses.
func wordCases(d adapter.Dialect) (cases []wordCase) {
	const deny = "echo no >&2; exit 2"
	p := d.Profile()
	native, tool := p.Generic(schema.PreTool), p.ToolOfKind(schema.Shell).Name
	if p.Name == "kimi" {
		return tableCases(native, tool, deny)
	}
	h := schema.Hook{Handler: schema.HandlerCommand, Native: native, Event: schema.PreTool, Command: deny,
		Matcher: tool, HasMatcher: true}
	value, _ := d.WriteHook(schema.Entry{Native: native, Pointer: p.EventsAt + "/" + native, Matcher: tool}, &h)
	guard, handler := string(value), string(value)
	grouped := strings.Contains(guard, `"hooks":`)
	if grouped {
		handler = guard[strings.Index(guard, "[")+1 : strings.LastIndex(guard, "]")]
	}
	more := func(fields string) string { return strings.TrimSuffix(handler, "}") + "," + fields + "}" }
	holding := func(handler2 string) string { return strings.Replace(guard, handler, handler2, 1) }

	file := func(top, others string, entries ...string) string {
		if slices.Contains([]string{"cursor", "copilot"}, p.Name) && !strings.Contains(top, "version") {
			top += `"version":1,`
		}
		events := others + `"` + native + `":[` + strings.Join(entries, ",") + "]"
		if p.EventsAt == "" {
			return "{" + top + events + "}"
		}
		return "{" + top + `"hooks":{` + events + "}}"
	}
	add := func(name, top, others string, entries ...string) {
		cases = append(cases, wordCase{name: name, file: file(top, others, append(slices.Clone(entries), guard)...),
			alone: file(top, others, entries...)})
	}
	changed := func(name, entry string) {
		cases = append(cases, wordCase{name: name, file: file("", "", entry), runsIt: true})
	}

	typed := strings.Replace(handler, `"type":"command"`, `"type":"notYetKnown"`, 1)
	if typed == handler {
		typed = more(`"type":"notYetKnown"`)
	}
	add("event", "", `"NotYetKnown":[`+guard+`],`)
	add("type", "", "", holding(typed))
	if grouped {
		cases = append(cases, wordCase{name: "type beside", file: file("", "", holding(typed+","+handler)),
			alone: file("", "", holding(typed))})
		add("text handler", "", "", holding(`"./guard.sh"`))
		add("flat handler", "", "", `{"type":"command","command":"./guard.sh"}`)
	}
	add("text entry", "", "", `"./guard.sh"`)
	add("list entry", "", "", `["./guard.sh"]`)
	add("number entry", "", "", `1`)
	add("other entry", "", "", `{"run":"./guard.sh"}`)
	add("other handler", "", "", holding(`{"type":"command","run":"./guard.sh"}`))
	changed("field", holding(more(`"notYetKnown":"x"`)))
	changed("tool", strings.Replace(guard, tool, tool+"|NotYetKnown", 1))

	cases = append(cases, wordCase{name: "top", file: file(`"notYetKnown":{"a":1},`, "", guard), runsIt: true},
		wordCase{name: "version", file: file(`"version":2,`, "", guard), runsIt: true})
	for _, f := range []schema.Feature{schema.HookTimeout, schema.HookFailPolicy, schema.HookAsync,
		schema.HookLoopLimit, schema.HookArgs, schema.HookShell} {
		field := p.MemberName(f)
		if field == "" || f == schema.HookShell && field != "shell" {
			continue
		}
		entry := holding(more(`"` + field + `":"notYetKnown"`))
		if f == schema.HookArgs || f == schema.HookShell && p.Name == adapter.Default { // would be another command
			add(field, "", "", entry)
		} else {
			changed(field, entry)
		}
	}
	return cases
}

// tableCases does the same for a TOML file, in which each hook is a table.
func tableCases(native, tool, command string) (cases []wordCase) {
	table := func(event, rest string) string {
		return "[[hooks]]\nevent = \"" + event + "\"\n" + rest + "\n"
	}
	does := `command = "` + command + `"`
	guard := table(native, `matcher = "`+tool+"\"\n"+does)
	beside := map[string]string{
		"event": table("NotYetKnown", does), "type": table(native, does+"\ntype = \"notYetKnown\""),
		"other entry": table(native, `run = "./guard.sh"`), "other handler": table(native, "command = 1"),
		"text handler": "[[hooks]]\nrun = \"./guard.sh\"\n",
	}
	for _, name := range []string{"event", "type", "other entry", "other handler", "text handler"} {
		cases = append(cases, wordCase{name: name, file: beside[name] + guard, alone: beside[name]})
	}
	return append(cases, wordCase{name: "timeout", file: guard + "timeout = \"notYetKnown\"\n", runsIt: true},
		wordCase{name: "field", file: guard + "notYetKnown = 1\n", runsIt: true},
		wordCase{name: "tool", file: strings.Replace(guard, tool, tool+"|NotYetKnown", 1), runsIt: true},
		wordCase{name: "top", file: "notYetKnown = 1\n" + guard, runsIt: true},
		wordCase{name: "version", file: "version = 2\n" + guard, runsIt: true})
}
