package convert

import (
	"testing"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/internal/ordjson"
	"github.com/hookbridge/hookbridge/schema"
)

// FuzzConvert passes arbitrary configurations to every ordered pair. Every hook must be in the output or in a finding,
// and the target must read the output without a mistake.
func FuzzConvert(f *testing.F) {
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"matcher":"Bash|Write","hooks":[{"type":"command","command":"x 'y'",` +
		`"timeout":5,"if":"Bash(rm *)","onFailure":"block"}]}],"Stop":[{"hooks":[{"type":"prompt","prompt":"p"}]}]}}`))
	f.Add([]byte(`{"version":1,"hooks":{"beforeShellExecution":[{"command":"x","matcher":"rm","failClosed":true}],` +
		`"stop":[{"command":"y","loop_limit":null}]}}`))
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"hooks":[{"type":"http","url":"http://x","headers":{"A":"$B"},` +
		`"allowedEnvVars":["B"]}]}]},"allowedHttpHookUrls":["*"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, from := range adapter.WithHooks() {
			cfg, ds := from.ParseConfig(text, from.Given("/p/hooks.json"))
			if cfg == nil || ds.Max() == schema.Error {
				continue
			}
			for _, to := range adapter.Dialects() {
				if to.Profile().Name == from.Profile().Name {
					continue
				}
				for _, wrap := range []WrapPolicy{WrapAuto, WrapNever} {
					c := Convert(from, to, cfg, ConvertOptions{Wrap: wrap})
					said := map[string]bool{}
					for _, e := range c.Entries {
						for _, path := range e.From {
							said[path] = true
						}
					}
					for _, d := range c.Diagnostics {
						said[d.Path] = true
					}
					for i := range cfg.Hooks {
						if !said[cfg.Hooks[i].Path] {
							t.Fatalf("%s to %s: the hook at %s is lost without a word", from.Profile().Name,
								to.Profile().Name, cfg.Hooks[i].Path)
						}
					}
					doc := c.Document(to)
					if _, err := ordjson.Parse(doc); err != nil {
						t.Fatalf("%s to %s: %v\n%s", from.Profile().Name, to.Profile().Name, err, doc)
					}
					if back, ds := to.ParseConfig(doc, to.Given("/p/out.json")); back == nil ||
						ds.Max() == schema.Error {
						t.Fatalf("%s to %s is not read: %v\n%s", from.Profile().Name, to.Profile().Name, ds, doc)
					}
				}
			}
		}
	})
}
