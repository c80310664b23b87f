package conformance

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/jsondoc"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/internal/process"
	"github.com/hookbridge/hookbridge/schema"
)

// beyond are codes that no vector can produce, with the reason. If one does, the line has to be removed.
var beyond = map[schema.Code]string{
	schema.CodeRefusedFile: "a plugin's manifest that names a file outside of it: " +
		"convert reads those from disk only",
	schema.CodeRepeated:       "a vector is JSON itself, which has no member twice",
	schema.CodeUntyped:        "for modules of callbacks, whose text is no JSON object",
	schema.CodeNewerWord:      "a vector names the version of the agent, which rejects the file",
	schema.CodeNewerPart:      "a vector names the version of the agent, which skips the entry",
	schema.CodeModule:         "for modules of callbacks, which need node",
	schema.CodeState:          "needs a folder for sessions that cannot be used: see the tests of hookbridge",
	schema.CodeSlowMatcher:    "depends on how long an expression takes",
	schema.CodeHooksChanged:   "needs two events of one session with an edit of the hook file between them",
	schema.CodeWayAnswers:     "doctor reports it, from the text of a script",
	schema.CodeNotCalled:      "doctor reports it, from files that vectors don't have",
	schema.CodeRunsTwice:      "doctor reports it, from files that vectors don't have",
	schema.CodeAlwaysRuns:     "doctor reports it, from files that vectors don't have",
	schema.CodeScenario:       "hookbridge test reports it, about scenarios",
	schema.CodeTooOld:         "doctor reports it, from hookbridge.yaml and what entries require",
	schema.CodeScriptField:    "check --scripts reports it, about scripts",
	schema.CodeScriptExit:     "check --scripts reports it, about scripts",
	schema.CodeScriptLost:     "check --scripts reports it, about scripts",
	schema.CodeExcluded:       "doctor reports it, from hookbridge.yaml",
	schema.CodeChoice:         "doctor reports it, from hookbridge.yaml and the entries",
	schema.CodeServerEdits:    "doctor reports it, from the agent's MCP servers",
	schema.CodeUnreviewed:     "doctor reports it, from files that vectors don't have",
	schema.CodeBridge:         "a fault of hookbridge itself, or its end from outside",
	schema.CodeRuleLeft:       "convert --permissions reports it, about rules and not about hooks",
	schema.CodeStale:          "about files of a plugin",
	schema.CodePluginFolder:   "about files of a plugin",
	schema.CodePluginQuotes:   "about files of a plugin",
	schema.CodePluginTimeout:  "about files of a plugin",
	schema.CodePluginPointer:  "about files of a plugin",
	schema.CodePluginHidden:   "about files of a plugin",
	schema.CodePluginScript:   "about files of a plugin",
	schema.CodePluginVersion:  "about files of a plugin",
	schema.CodePluginArgs:     "about files of a plugin",
	schema.CodePluginTooLong:  "about files of a plugin",
	schema.CodePluginMoves:    "about files of a plugin",
	schema.CodePluginRejected: "about files of a plugin",
}

// oneChannel are effects that a dialect expresses as another effect.
var oneChannel = map[string]schema.Feature{"cursor feedback": schema.EffectContext,
	"codex feedback": schema.EffectContext}

// rowName names one (dialect, event, feature) row.
func rowName(dialect, event, feature string) string { return dialect + " " + event + " " + feature }

// touch adds the effects in the answer of a dialect's hook on an event.
func touch(seen map[string]bool, dialect, native, tool string, res *process.Result) {
	d, err := adapter.Find(dialect)
	row := nativeRow(d, native)
	if err != nil || row == nil {
		return
	}
	kinds := row.Kinds()
	for _, t := range d.Profile().Tools {
		if t.Name == tool {
			kinds = t.Kinds
		}
	}
	view := schema.View{Event: native, Tool: tool}
	if len(kinds) > 0 {
		view.Kind = kinds[0]
	} else if strings.HasPrefix(tool, "mcp__") || strings.HasPrefix(tool, "MCP:") {
		view.Kind = schema.MCP
	}
	// an HTTP hook's object counts where a command's text does
	for _, handler := range []schema.Handler{schema.HandlerCommand, schema.HandlerHTTP} {
		reply, _ := d.DecodeReply(&schema.Hook{Event: row.Event, Native: native, Handler: handler}, view, res)
		reply.Uses().Each(func(f schema.Feature) { seen[rowName(d.Profile().Name, native, f.Name())] = true })
	}
}

func nativeRow(d adapter.Dialect, native string) *schema.EventRow {
	if d == nil {
		return nil
	}
	rows := d.Profile().Events
	for i := range rows {
		if rows[i].Native == native {
			return &rows[i]
		}
	}
	return nil
}

// touched lists the rows that the vectors use: in answers of hooks, and in answers to hosts.
func touched(list []Vector) map[string]bool {
	seen := map[string]bool{}
	for i := range list {
		v := &list[i]
		switch v.Op {
		case OpReply:
			touch(seen, v.From, v.Event, v.Tool, &process.Result{Stdout: v.Input})
			if o, err := ordjson.Parse(v.Output); err == nil { // the host's event is in the nested answer
				raw, _ := o.Get("hookSpecificOutput")
				inner, _ := ordjson.Members(raw, 0)
				raw, _ = inner.Get("hookEventName")
				event, _ := ordjson.String(raw)
				touch(seen, v.To, event, "", &process.Result{Stdout: v.Output})
			}
		case OpRun:
			touchRun(seen, v)
		}
	}
	return seen
}

// contents returns the texts of a vector's files.
func contents(v *Vector) (texts []string) {
	for _, files := range []map[string]jsondoc.Raw{v.Files, v.Home} {
		for _, file := range files {
			texts = append(texts, content(file))
		}
	}
	return texts
}

// touchRun reads the configuration of a run vector and the answers of its hooks.
func touchRun(seen map[string]bool, v *Vector) {
	from, _ := adapter.Find(v.From)
	for _, file := range contents(v) {
		cfg, _ := from.ParseConfig([]byte(file), schema.Source{})
		if cfg == nil {
			continue
		}
		for _, h := range cfg.Hooks {
			for _, p := range v.Process {
				if h.Command != "{HOOK "+p.Name+"}" {
					continue
				}
				touch(seen, v.From, h.Native, "", &process.Result{Stdout: []byte(content(p.Stdout)),
					Stderr: []byte(textOf(p.Stderr)), Exit: p.Exit})
				if from.Profile().EnvFile.For(h.Event) != "" && p.EnvFile != "" {
					seen[rowName(from.Profile().Name, h.Native, schema.EffectEnv.Name())] = true
				}
			}
		}
	}
	if o, err := ordjson.Parse(v.Input); err == nil {
		raw, _ := o.Get("hook_event_name")
		event, _ := ordjson.String(raw)
		raw, _ = o.Get("tool_name")
		tool, _ := ordjson.String(raw)
		touch(seen, v.To, event, tool, &process.Result{Stdout: v.Output})
	}
}

// TestEveryEffect checks that some vector uses each effect that an event of a dialect honors.
func TestEveryEffect(t *testing.T) {
	seen := touched(loaded(t))
	rows, without := 0, 0
	for _, d := range adapter.Dialects() {
		for _, row := range d.Profile().Events {
			row.Honors.Each(func(f schema.Feature) {
				rows++
				if as, ok := oneChannel[d.Profile().Name+" "+f.Name()]; ok {
					f = as
				}
				if name := rowName(d.Profile().Name, row.Native, f.Name()); !seen[name] {
					without++
					t.Errorf("no vector for %s", name)
				}
			})
		}
	}
	t.Logf("%d rows of dialect, event and honoured feature, %d without a vector", rows, without)
}

// callOf returns the call in a vector's payload, nil if it has none.
func callOf(v *Vector) *schema.Call {
	name := map[Op]string{OpCall: v.From, OpRun: v.To}[v.Op]
	d, err := adapter.Find(name)
	if name == "" || err != nil {
		return nil
	}
	c, _ := d.DecodeCall(v.Input, nil)
	return c
}

// TestEveryEvent checks that some vector has each event of every dialect as a payload, in a configuration and in an
// answer.
func TestEveryEvent(t *testing.T) {
	seen := map[string]bool{}
	list := loaded(t)
	for i := range list {
		v := &list[i]
		switch v.Op {
		case OpReply:
			seen[plain(v.From)+" "+v.Event] = true
		case OpCall, OpRun:
			if c := callOf(v); c != nil {
				seen[c.Dialect+" "+c.Native] = true
			}
		case OpConfig:
			from, _ := adapter.Find(v.From)
			if cfg, _ := from.ParseConfig(v.Input, schema.Source{}); cfg != nil {
				for _, h := range cfg.Hooks {
					seen["config "+plain(v.From)+" "+h.Native] = true
				}
			}
		}
	}
	for _, d := range adapter.Dialects() {
		for _, row := range d.Profile().Events {
			for _, name := range []string{d.Profile().Name + " " + row.Native, "config " + d.Profile().Name + " " +
				row.Native} {
				if !seen[name] {
					t.Errorf("no vector for %s", name)
				}
			}
		}
	}
}

// TestEveryTool checks that every tool of every dialect, under every name, is in the input of some vector.
func TestEveryTool(t *testing.T) {
	seen := map[string]bool{}
	list := loaded(t)
	for i := range list {
		v := &list[i]
		if c := callOf(v); c != nil {
			seen[c.Dialect+" "+c.Tool.Name] = true
		}
		seen[plain(v.From)+" "+v.Tool] = true
	}
	rows := 0
	for _, d := range adapter.Dialects() {
		for _, tool := range d.Profile().Tools {
			rows++
			if !seen[d.Profile().Name+" "+tool.Name] {
				if *update {
					writeToolVector(t, d, tool.Name)
					continue
				}
				t.Errorf("no vector for the tool %s of %s; -update writes one", tool.Name, d.Profile().Name)
			}
		}
	}
	t.Logf("%d tools", rows)
}

// TestEveryCode checks that some vector expects every diagnostic code, unless there is a reason why it can't.
func TestEveryCode(t *testing.T) {
	seen := map[schema.Code]bool{}
	for _, v := range loaded(t) {
		for _, f := range v.Findings {
			seen[schema.Code(f.Code)] = true
		}
	}
	for _, info := range schema.Codes() {
		switch why := beyond[info.Code]; {
		case !seen[info.Code] && why == "":
			t.Errorf("no vector brings about %s (%s); if none can, say why in beyond", info.Code, info.Title)
		case seen[info.Code] && why != "":
			t.Errorf("%s is said to be beyond vectors, and one brings it about", info.Code)
		}
	}
	t.Logf("%d codes, %d of them beyond vectors", len(schema.Codes()), len(beyond))
}

// TestEveryMember checks the fields that a dialect's configuration may have in a handler or its group, according to its
// JSON Schema. Each must be in the input of a config or run vector.
func TestEveryMember(t *testing.T) {
	texts := map[string]string{}
	for _, v := range loaded(t) {
		switch v.Op {
		case OpConfig:
			texts[plain(v.From)] += string(v.Input)
		case OpRun:
			texts[plain(v.From)] += strings.Join(contents(&v), "")
		}
	}
	count := 0
	for _, d := range adapter.Dialects() {
		members := handlerMembers(t, d.Profile().Name)
		if len(members) < 2 {
			t.Errorf("%s: only the members %v", d.Profile().Name, members)
		}
		for _, m := range members {
			count++
			text := texts[d.Profile().Name] // JSON or TOML
			if !strings.Contains(text, quote(m)+":") && !strings.Contains(text, m+" =") {
				t.Errorf("no vector has the member %s of %s", m, d.Profile().Name)
			}
		}
	}
	t.Logf("%d members", count)
}

// further are fields whose type isn't checked, so that no schema lists them.
var further = map[string][]string{
	"cursor": {"command", "prompt", "model"},
	"codebuddy": {"command", "url", "prompt", "shell", "model", "headers", "allowedEnvVars", "if", "timeout", "once",
		"continueOnBlock", "statusMessage"},
	"droid":       {"type", "command", "timeout", "commandRegex"},
	"auggie":      {"type", "command", "args", "timeout", "metadata"},
	"commandcode": {"async", "failClosed"},
	"grok":        {"type", "command", "timeout", "url", "env"},
	"kimi":        {"event", "matcher", "command", "timeout"},
	"qoder": {"url", "headers", "allowedEnvVars", "prompt", "model", "tools", "maxTurns", "description", "env",
		"sequential"},
}

// handlerMembers returns the properties of all parts of the schema of a dialect's configuration, and those that no
// schema has.
func handlerMembers(t *testing.T, dialect string) []string {
	text, err := schema.Document(dialect+"-config", "")
	var doc struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		t.Fatalf("%s: %v", dialect, err)
	}
	names := map[string]bool{}
	for _, name := range further[dialect] {
		names[name] = true
	}
	for _, def := range doc.Defs {
		for name := range def.Properties {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
