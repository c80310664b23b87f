package convert

import (
	"testing"
	"time"

	"github.com/hookbridge/hookbridge/adapter"
	"github.com/hookbridge/hookbridge/schema"
)

// TestDefaultTimeouts checks that a hook of any kind without a timeout keeps the default of its own agent, as far as
// the target allows.
func TestDefaultTimeouts(t *testing.T) {
	kinds := map[schema.Handler]schema.Hook{
		schema.HandlerCommand: {Command: "true"}, schema.HandlerHTTP: {URL: "https://example.com/"},
		schema.HandlerPrompt: {Prompt: "fine?"}, schema.HandlerAgent: {Prompt: "fine?"},
	}
	kept := 0
	for _, from := range adapter.Dialects() {
		for _, to := range adapter.Dialects() {
			if from.Profile().Name == to.Profile().Name || to.Profile().Modules != nil {
				continue
			}
			for kind, h := range kinds {
				h.Handler, h.Event, h.Path = kind, schema.PreTool, "/x"
				h.Native = from.Profile().Generic(schema.PreTool)
				for _, wrap := range []WrapPolicy{WrapNever, WrapAuto} {
					c := Convert(from, to, &schema.Config{Hooks: []schema.Hook{h}}, ConvertOptions{Wrap: wrap})
					cfg, _ := to.ParseConfig(c.Document(to), to.Given("/p/hooks.json"))
					if cfg == nil {
						continue
					}
					for _, out := range cfg.Hooks {
						want := from.Profile().Timeout(&h)
						probe := out
						probe.Timeout = want
						want = max(to.Profile().Timeout(&probe), 0)
						if got := to.Profile().Timeout(&out); got < want-time.Second {
							t.Errorf("%s to %s, %s: %v, want %v", from.Profile().Name, to.Profile().Name, kind, got,
								want)
						}
						kept++
					}
				}
			}
		}
	}
	if kept < 50 {
		t.Errorf("only %d hooks were converted", kept)
	}
}
