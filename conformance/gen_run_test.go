package conformance

import (
	"strconv"
	"strings"

	"github.com/hookbridge/hookbridge/schema"
)

// A fake is a fake hook's behavior, in the format of its own agent.
type fake struct {
	name, stdout, stderr, envFile string
	exit, runs                    int // runs: 0 is 1, -1 is none
	hangs                         bool
	stdin, environment            string // expected input, as JSON; "" isn't checked
}

func (f *fake) json() string {
	var pairs []string
	add := func(name, value string) {
		if value != "" {
			pairs = append(pairs, name, value)
		}
	}
	add("name", quote(f.name))
	if strings.HasPrefix(f.stdout, "{") && !strings.HasSuffix(f.name, "-text") {
		add("stdout", f.stdout)
	} else if f.stdout != "" {
		add("stdout", quote(f.stdout))
	}
	if f.stderr != "" {
		add("stderr", quote(f.stderr))
	}
	if f.exit != 0 {
		add("exit", strconv.Itoa(f.exit))
	}
	if f.envFile != "" {
		add("env_file", quote(f.envFile))
	}
	if f.hangs {
		add("hangs", "true")
	}
	if f.runs != 0 {
		add("runs", strconv.Itoa(max(f.runs, 0)))
	}
	add("stdin", f.stdin)
	add("environment", f.environment)
	return object(pairs...)
}

// A situation is a host's event, the hooks of another agent for it, and the expected result.
type situation struct {
	name, why string
	event     schema.Event
	matcher   string // of the first hook
	members   string // of every handler
	fakes     []fake
	effect    schema.Feature // expected in the host's answer; 0: none
	words     string         // instead of the effect's usual words
	verdict   string         // instead of an answer with hookbridge's own words
	findings  []finding
}

// A finding is about the hook at an index of its event.
type finding struct {
	code     schema.Code
	severity schema.Severity
	hook     int
}

// files are the files in which an agent looks for a project's hooks.
var files = map[string]string{"claude": ".claude/settings.json", "cursor": ".cursor/hooks.json",
	"qoder": ".qoder/settings.json"}

// natives are each agent's names of the events.
var natives = map[schema.Event]map[string]string{
	schema.PreTool:      {"claude": "PreToolUse", "cursor": "preToolUse", "qoder": "PreToolUse"},
	schema.PostTool:     {"claude": "PostToolUse", "cursor": "postToolUse", "qoder": "PostToolUse"},
	schema.PromptSubmit: {"claude": "UserPromptSubmit", "cursor": "beforeSubmitPrompt", "qoder": "UserPromptSubmit"},
	schema.SessionStart: {"claude": "SessionStart", "cursor": "sessionStart", "qoder": "SessionStart"},
	schema.Stop:         {"claude": "Stop", "cursor": "stop", "qoder": "Stop"},
}

// shells are the names of the tool that runs commands.
var shells = map[string]string{"claude": "Bash", "cursor": "Shell", "qoder": "Bash"}

// occasion returns the host's payload for an event.
func occasion(host string, e schema.Event) string {
	native := natives[e][plain(host)]
	payload := ""
	switch e {
	case schema.PreTool:
		payload = before(host, shells[plain(host)], commandOf(host))
	case schema.PostTool:
		payload = afterwards(host)
	default:
		var pairs []string
		for _, t := range tellings(host, native) {
			pairs = append(pairs, t.name, t.value(native))
		}
		payload = object(pairs...)
		if e == schema.Stop { // for the first time
			payload = strings.NewReplacer(`"stop_hook_active":true`, `"stop_hook_active":false`, `"loop_count":1`,
				`"loop_count":0`).Replace(payload)
		}
	}
	return strings.ReplaceAll(payload, `"/srv/app"`, `"{PROJECT}"`)
}

func commandOf(dialect string) string {
	if plain(dialect) == "cursor" {
		return `{"command":"ls -l","cwd":"/srv/app"}`
	}
	return `{"command":"ls -l"}`
}

// afterwards returns the payload after a command.
func afterwards(host string) string {
	payload := before(host, shells[plain(host)], commandOf(host))
	if plain(host) == "cursor" {
		payload = strings.Replace(payload, `"preToolUse"`, `"postToolUse"`, 1)
		return strings.Replace(payload, `"tool_use_id"`,
			`"tool_output":"{\"output\":\"ok\",\"exitCode\":0}","duration":12,"tool_use_id"`, 1)
	}
	payload = strings.Replace(payload, `"PreToolUse"`, `"PostToolUse"`, 1)
	return strings.Replace(payload, `"tool_use_id"`,
		`"tool_response":{"stdout":"ok","stderr":"","interrupted":false},"tool_use_id"`, 1)
}

// toldBefore returns the payload of an agent's hook before another agent's command.
func toldBefore(hooks, host string) string {
	payload := strings.ReplaceAll(withModel(before(hooks, shells[plain(hooks)], commandOf(hooks)), host, hooks),
		`"/srv/app"`, `"{PROJECT}"`)
	copied := `"{STATE}/s-1.jsonl"`
	if plain(hooks) == "cursor" { // it names no transcript before the file exists
		copied = "null"
	}
	return strings.Replace(payload, `"/home/dev/s-1.jsonl"`, copied, 1)
}

// projectVars are the expected variables in a hook's environment.
var projectVars = map[string]string{
	"claude": `{"CLAUDE_PROJECT_DIR":"{PROJECT}","CURSOR_VERSION":null,"QODER_PROJECT_DIR":null}`,
	"cursor": `{"CURSOR_PROJECT_DIR":"{PROJECT}","CURSOR_VERSION":"1.0.0","QODER_PROJECT_DIR":null}`,
	"qoder":  `{"QODER_PROJECT_DIR":"{PROJECT}","CURSOR_VERSION":null}`,
}

// silentReason is the reason of a denial without a text.
var silentReason = map[string]string{"claude": "No stderr output", "cursor": "Hook blocked this action",
	"qoder": "Hook blocked with exit code 2"}

// stderrReason is the reason of a denial by exit code 2 with a text on stderr.
var stderrReason = map[string]string{"claude": reason, "cursor": "Hook blocked with message: " + reason,
	"qoder": reason}

// situations returns those of one agent's hooks under a host.
func situations(hooks, host string) (list []situation) {
	say := func(e schema.Event, f schema.Feature) string {
		return says(hooks, rowNamed(hooks, natives[e][plain(hooks)]), f)
	}
	pre, own := schema.PreTool, plain(hooks)
	shell := shells[own]
	list = append(list,
		situation{name: "deny-exit-2", event: pre, why: "Exit code 2 denies the call, with the text on stderr as the " +
			"reason; the hook gets its own agent's payload.",
			fakes: []fake{{name: "guard", exit: 2, stderr: "not here", stdin: toldBefore(hooks, host),
				environment: projectVars[own]}},
			effect: schema.EffectDeny, words: stderrReason[own]},
		situation{name: "deny-json", event: pre, why: "A denial in the format of the hook's agent is written in the " +
			"host's format.",
			fakes: []fake{{name: "guard", stdout: say(pre, schema.EffectDeny)}}, effect: schema.EffectDeny},
		situation{name: "allow-json", event: pre, why: "An approval of the hook's agent is written in the host's " +
			"format, unless it only means no objection.",
			fakes: []fake{{name: "guard", stdout: say(pre, schema.EffectAllow)}}, effect: schema.EffectAllow},
		situation{name: "silence", event: pre, why: "A hook without output makes no decision.",
			fakes: []fake{{name: "guard"}}},
		situation{name: "exit-1", event: pre, why: "Another exit code is a failure: it denies nothing and is " +
			"reported.",
			fakes:    []fake{{name: "guard", exit: 1, stderr: "oops"}},
			findings: []finding{{schema.CodeHookFailed, schema.Note, 0}}},
		situation{name: "exit-2-silent", event: pre, why: "Exit code 2 denies without a text on stderr too.",
			fakes: []fake{{name: "guard", exit: 2}}, effect: schema.EffectDeny, words: silentReason[own]},
		situation{name: "too-late", event: pre, why: "A guard that times out denies nothing, and that is " +
			"reported.",
			fakes: []fake{{name: "guard", hangs: true}}, members: `"timeout":0.3`,
			findings: []finding{{schema.CodeTimedOut, schema.Weaker, 0}}},
		situation{name: "two-hooks", event: pre, why: "If one hook denies and another one approves, the call " +
			"is denied, and both have run.",
			fakes: []fake{{name: "yes", stdout: say(pre, schema.EffectAllow)},
				{name: "no", exit: 2, stderr: "not here"}}, effect: schema.EffectDeny,
			verdict: map[bool]string{true: "deny"}[own != "claude"]}, // the others join the reasons of both
		situation{name: "matching", event: pre, why: "A matcher with the tool's name in its own agent selects the " +
			"host's tool of that kind.",
			matcher: shell, fakes: []fake{{name: "guard", exit: 2, stderr: "not here"}}, effect: schema.EffectDeny,
			words: stderrReason[own]},
		situation{name: "not-matching", event: pre, why: "A hook whose matcher doesn't match isn't run.",
			matcher: "Read", fakes: []fake{{name: "guard", exit: 2, runs: -1}}},
		situation{name: "context", event: pre, why: "Context from a hook before a call reaches the model.",
			fakes: []fake{{name: "guard", stdout: say(pre, schema.EffectContext)}}, effect: schema.EffectContext},
		situation{name: "rewrite", event: pre, why: "The host runs the command that the hook wrote.",
			fakes: []fake{{name: "guard", stdout: say(pre, schema.EffectInput)}}, effect: schema.EffectInput},
		situation{name: "post-context", event: schema.PostTool,
			why:    "Context from a hook after a call reaches the model.",
			fakes:  []fake{{name: "note", stdout: say(schema.PostTool, schema.EffectContext)}},
			effect: schema.EffectContext},
		situation{name: "prompt-deny", event: schema.PromptSubmit,
			why:    "If a hook denies a prompt, the prompt isn't sent.",
			fakes:  []fake{{name: "guard", stdout: say(schema.PromptSubmit, schema.EffectDeny)}},
			effect: schema.EffectDeny},
		situation{name: "prompt-exit-2", event: schema.PromptSubmit, why: "Exit code 2 denies a prompt.",
			fakes: []fake{{name: "guard", exit: 2, stderr: "not here"}}, effect: schema.EffectDeny,
			words: stderrReason[own]},
		situation{name: "prompt-context", event: schema.PromptSubmit,
			why:    "Context that a hook adds to a prompt reaches the model.",
			fakes:  []fake{{name: "note", stdout: say(schema.PromptSubmit, schema.EffectContext)}},
			effect: schema.EffectContext},
		situation{name: "session-context", event: schema.SessionStart,
			why:    "Context that a hook adds at the start of a session reaches the model.",
			fakes:  []fake{{name: "note", stdout: say(schema.SessionStart, schema.EffectContext)}},
			effect: schema.EffectContext},
		situation{name: "stop-go-on", event: schema.Stop, why: "A Stop hook can make the agent continue.",
			fakes:  []fake{{name: "note", stdout: say(schema.Stop, schema.EffectKeepGoing)}},
			effect: schema.EffectKeepGoing},
	)
	if own == "cursor" {
		return append(list,
			situation{name: "plain-text", event: pre, why: "An answer that isn't JSON blocks, as in Cursor.",
				fakes: []fake{{name: "guard", stdout: "all fine"}}, verdict: "deny",
				findings: []finding{{schema.CodeBadAnswer, schema.Weaker, 0}}},
			situation{name: "deny-json-exit-1", event: pre, why: "The answer of a failed hook is ignored.",
				fakes:    []fake{{name: "guard", exit: 1, stdout: say(pre, schema.EffectDeny)}},
				findings: []finding{{schema.CodeHookFailed, schema.Note, 0}}},
			situation{name: "fail-closed", event: pre, why: "A hook with failClosed denies the call if it fails.",
				members: `"failClosed":true`,
				fakes:   []fake{{name: "guard", exit: 1, stderr: "oops"}}, verdict: "deny",
				findings: []finding{{schema.CodeHookFailed, schema.Note, 0}}},
			situation{name: "stop-exit-2", event: schema.Stop, why: "Exit code 2 has no effect when the agent stops.",
				fakes:    []fake{{name: "note", exit: 2, stderr: goOn}},
				findings: []finding{{schema.CodeIgnoredEffect, schema.Note, 0}}},
			situation{name: "session-env", event: schema.SessionStart,
				why: "Variables that a hook sets at the start of a session reach later commands, or their loss " +
					"is reported.",
				fakes:  []fake{{name: "note", stdout: say(schema.SessionStart, schema.EffectEnv)}},
				effect: schema.EffectEnv})
	}
	list = append(list,
		situation{name: "prompt-text", event: schema.PromptSubmit, why: "Plain text is context at a prompt.",
			fakes: []fake{{name: "note", stdout: advice}}, effect: schema.EffectContext},
		situation{name: "session-text", event: schema.SessionStart,
			why:   "Plain text is context at the start of a session.",
			fakes: []fake{{name: "note", stdout: advice}}, effect: schema.EffectContext},
		situation{name: "stop-exit-2", event: schema.Stop, why: "Exit code 2 makes a stopping agent continue.",
			fakes: []fake{{name: "note", exit: 2, stderr: goOn}}, effect: schema.EffectKeepGoing},
		situation{name: "post-exit-2", event: schema.PostTool,
			why:   "Exit code 2 after a call is feedback for the agent.",
			fakes: []fake{{name: "note", exit: 2, stderr: reason}}, effect: schema.EffectFeedback},
		situation{name: "plain-text", event: pre, why: "Plain text before a call has no effect.",
			fakes: []fake{{name: "guard", stdout: "all fine"}},
			// its client reports it
			findings: map[string][]finding{"qoder": {{schema.CodeIgnoredEffect, schema.Note, 0}}}[own]},
		situation{name: "ask", event: pre, why: "An ask asks the user, or the call is denied.",
			fakes: []fake{{name: "guard", stdout: say(pre, schema.EffectAsk)}}, effect: schema.EffectAsk},
	)
	if own == "claude" {
		return append(list,
			situation{name: "deny-json-exit-1", event: pre, why: "The answer counts at every exit code.",
				fakes: []fake{{name: "guard", exit: 1, stdout: say(pre, schema.EffectDeny)}}, effect: schema.EffectDeny,
				findings: []finding{{schema.CodeHookFailed, schema.Note, 0}}},
			situation{name: "broken-json", event: pre,
				why:      "An invalid JSON answer denies nothing, and is reported.",
				fakes:    []fake{{name: "guard-text", stdout: `{"decision":"block"}}`}},
				findings: []finding{{schema.CodeBadAnswer, schema.Weaker, 0}}},
			situation{name: "fail-closed", event: pre,
				why:     "A hook with onFailure block denies the call if it fails.",
				members: `"onFailure":"block"`,
				fakes:   []fake{{name: "guard", exit: 1, stderr: "oops"}}, verdict: "deny",
				findings: []finding{{schema.CodeHookFailed, schema.Note, 0}}})
	}
	return append(list,
		situation{name: "deny-json-exit-1", event: pre, why: "The answer of a failed hook is ignored.",
			fakes:    []fake{{name: "guard", exit: 1, stdout: say(pre, schema.EffectDeny)}},
			findings: []finding{{schema.CodeHookFailed, schema.Note, 0}}},
		situation{name: "broken-json", event: pre, why: "An invalid JSON answer denies, as in " +
			"Qoder.",
			fakes: []fake{{name: "guard-text", stdout: `{"decision":"block"}}`}}, verdict: "deny",
			findings: []finding{{schema.CodeBadAnswer, schema.Weaker, 0}}})
}

func madeRuns() (all []made) {
	for _, hooks := range suite {
		for _, host := range suite {
			if hooks == host {
				continue
			}
			for _, s := range situations(hooks, host) {
				all = append(all, s.vector(hooks, host))
			}
		}
	}
	return all
}

func (s *situation) vector(hooks, host string) made {
	own := natives[s.event][plain(hooks)]
	theirs := rowNamed(host, natives[s.event][plain(host)])
	m := made{id: "run/" + pairOf(hooks, host) + "/" + s.name, why: s.why, from: hooks, to: host,
		source: source(hooks, rowNamed(hooks, own), host, theirs), input: occasion(host, s.event)}
	var entries []entry
	var fakes []string
	for i := range s.fakes {
		e := entry{event: own, command: "{HOOK " + s.fakes[i].name + "}", members: s.members}
		if i == 0 {
			e.matcher = s.matcher
		}
		entries = append(entries, e)
		fakes = append(fakes, s.fakes[i].json())
	}
	m.rest = []rest{{"files", object(files[plain(hooks)], document(hooks, entries...))},
		{"process", "[" + strings.Join(fakes, ",") + "]"}}
	for _, f := range s.findings {
		m.findings = append(m.findings, Finding{string(f.code), f.severity.String(), path(hooks, own, f.hook)})
	}
	m.output = "{}"
	if s.effect != 0 {
		var more []Finding
		m.output, more = expect(&m, rowNamed(hooks, own), theirs, s.effect)
		m.findings = append(m.findings, more...)
		m.findings = append(m.findings,
			unheard(&m, theirs, s.effect, Finding{string(schema.CodeRelayed), schema.Note.String(), ""})...)
	}
	if s.words != "" {
		m.output = strings.ReplaceAll(m.output, quote(reason), quote(s.words))
	}
	if s.verdict != "" {
		m.output = ""
		m.rest = append(m.rest, rest{"verdict", quote(s.verdict)})
	}
	return m
}
