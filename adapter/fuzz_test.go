package adapter

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/dialect"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// FuzzConvert gives anything for a configuration to every ordered pair: every hook
// is in the output or named by a finding, and what is written is read again by the
// target without a fault.
func FuzzConvert(f *testing.F) {
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"matcher":"Bash|Write","hooks":[{"type":"command","command":"x 'y'","timeout":5,"if":"Bash(rm *)","onFailure":"block"}]}],"Stop":[{"hooks":[{"type":"prompt","prompt":"p"}]}]}}`))
	f.Add([]byte(`{"version":1,"hooks":{"beforeShellExecution":[{"command":"x","matcher":"rm","failClosed":true}],"stop":[{"command":"y","loop_limit":null}]}}`))
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"http","url":"http://x","headers":{"A":"$B"},"allowedEnvVars":["B"]}]}]},"allowedHttpHookUrls":["*"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, from := range Dialects() {
			cfg, ds := from.ParseConfig(text, from.Given("/p/hooks.json"))
			if cfg == nil || ds.Max() == schema.Error {
				continue
			}
			for _, to := range Dialects() {
				if to.Profile().Name == from.Profile().Name {
					continue
				}
				for _, wrap := range []WrapPolicy{WrapAuto, WrapNever} {
					c := Convert(from, to, cfg, ConvertOptions{Wrap: wrap})
					said := map[string]bool{}
					for _, e := range c.Entries {
						said[e.From] = true
					}
					for _, d := range c.Diagnostics {
						said[d.Path] = true
					}
					for i := range cfg.Hooks {
						if !said[cfg.Hooks[i].Path] {
							t.Fatalf("%s to %s: the hook at %s is lost without a word", from.Profile().Name, to.Profile().Name, cfg.Hooks[i].Path)
						}
					}
					doc := c.Document(to)
					if _, err := ordjson.Parse(doc); err != nil {
						t.Fatalf("%s to %s: %v\n%s", from.Profile().Name, to.Profile().Name, err, doc)
					}
					if back, ds := to.ParseConfig(doc, to.Given("/p/out.json")); back == nil || ds.Max() == schema.Error {
						t.Fatalf("%s to %s is not read: %v\n%s", from.Profile().Name, to.Profile().Name, ds, doc)
					}
				}
			}
		}
	})
}

// FuzzWrap holds that what is wrapped in a call of the bridge comes out of it the
// same, whatever its texts hold: nothing of them is words for a shell.
func FuzzWrap(f *testing.F) {
	f.Add("echo 'a b'", "Bash|Write", "Bash(rm *)", "x\ny", false)
	f.Add("$(touch hit)", "`id`", "'; rm -rf / '", "--", true)
	f.Fuzz(func(t *testing.T, command, match, condition, arg string, program bool) {
		if command == "" || strings.Contains(command+match+condition+arg, "\x00") {
			return
		}
		w := Wrapping{Host: "cursor", Hooks: "claude", Event: "PreToolUse", Hook: schema.Hook{Handler: schema.HandlerCommand, Command: command,
			Matcher: match, Condition: condition, Timeout: 5 * time.Second, Fail: schema.FailClosed}}
		if program {
			w.Hook.Args = []string{arg, "last"}
		}
		got, ok := Unwrap(w.Command())
		if !ok || got.Hook.Command != command || got.Hook.Matcher != match || got.Hook.Condition != condition || got.Hook.Timeout != w.Hook.Timeout ||
			strings.Join(got.Hook.Args, "\x00") != strings.Join(w.Hook.Args, "\x00") || (got.Hook.Args == nil) == program {
			t.Fatalf("%q\n gives %+v", w.Command(), got)
		}
		Unwrap(command) // must not panic
		FindsHooks(command)
	})
}

// FuzzScripts holds that the files which a project's trust covers lie in it.
func FuzzScripts(f *testing.F) {
	project := f.TempDir()
	put := func(name string) {
		if err := os.WriteFile(filepath.Join(project, name), nil, 0o600); err != nil {
			f.Fatal(err)
		}
	}
	put("hook.sh")
	put("..hook")
	for _, s := range []string{`"$CLAUDE_PROJECT_DIR"/hook.sh`, "../hook.sh", "sh ./..hook --x=hook.sh", "${A:-.}/hook.sh", "/etc/passwd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		n := namedFiles{project: project}
		for _, file := range n.of(&schema.Hook{Command: command}) {
			if rel, err := filepath.Rel(project, file); err != nil || !filepath.IsLocal(rel) {
				t.Fatalf("%q names %q", command, file)
			}
		}
	})
}

// FuzzNeighbours gives anything for the other files of an agent that the bridge
// looks into: its register of plugins, its MCP servers, its own settings.
func FuzzNeighbours(f *testing.F) {
	f.Add([]byte(`{"enabledPlugins":{"a@m":true},"plugins":{"a@m":[{"installPath":"/x/../y"}]},"mcpServers":{"s":{"command":"c","args":["a"],"url":"u"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(string) ([]byte, error) { return text, nil }
		p := schema.Places{OS: "linux", Home: "/home/u", Project: "/p"}
		for _, d := range Dialects() {
			cfg, _ := d.ParseConfig(text, d.Given("/p/x.json"))
			if cfg == nil {
				continue
			}
			for _, s := range d.Plugins(p, []*schema.Config{cfg}, read) {
				if !filepath.IsAbs(s.File) || s.File != filepath.Clean(s.File) || strings.Contains(s.File, "\x00") {
					t.Fatalf("%s: plugin at %q", d.Profile().Name, s.File)
				}
			}
			d.Resolve([]*schema.Config{cfg})
			able := dialect.AbilitiesOf(d)
			if able.Imports != nil {
				able.Imports.Imported(p, read)
			}
			c := &schema.Call{Dialect: d.Profile().Name, Event: schema.PreTool}
			c.Tool.Kinds, c.Tool.Name = []schema.Kind{schema.MCP}, "t"
			if able.Servers != nil {
				able.Servers.NameServer(c, able.Servers.Servers(p, read))
			}
		}
	})
}

// FuzzTranscript holds that a line of a transcript, whatever it is, gives whole
// lines of JSON in every other format.
func FuzzTranscript(f *testing.F) {
	for _, turns := range spoken {
		for line := range strings.Lines(turns[0] + turns[1]) {
			f.Add([]byte(line))
		}
	}
	f.Add([]byte(`{"role":"user","message":{"content":"<timestamp>Friday, Sep 4, 2026, 2:21 AM (UTC+99:99)</timestamp>"}}`))
	f.Add([]byte(`{"type":"assistant","message":{"content":[{"type":"tool_use","input":5},{"type":"image"},{"type":"tool_result","content":null}]}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, from := range Dialects() {
			reader, ok := from.(dialect.Transcriber)
			if !ok {
				continue
			}
			messages, _ := reader.DecodeMessage(line)
			for _, to := range Dialects() {
				writer, ok := to.(dialect.Transcriber)
				if !ok {
					continue
				}
				thread := schema.Thread{Session: "s"}
				for i := range messages {
					for out := range bytes.Lines(writer.AppendMessage(nil, &messages[i], &thread)) {
						if o, err := ordjson.Parse(out); err != nil || len(o) == 0 || out[len(out)-1] != '\n' {
							t.Errorf("%s to %s: %q: %v", from.Profile().Name, to.Profile().Name, out, err)
						}
					}
				}
			}
		}
	})
}
